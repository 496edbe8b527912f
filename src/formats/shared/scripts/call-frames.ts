/**
 * Frames of V8, as in profiles of Node and Chrome: `functionName`, `scriptId`, `url`, and line and column from 0 at which the function begins.
 *
 *   makeOrders  file:///opt/warehouse.cjs  5 19    a function of a script; it stands at line 6
 *   ""          file:///opt/warehouse.cjs  10 32   (anonymous warehouse.cjs:11)
 *   consoleCall ""                         -1 -1   native: script 0
 *   (program)   ""                         -1 -1   no function: what V8 did, or that it did nothing
 *
 * V8 records no lines of calls, so frames stand at the first line of their function. Cost: a few look-ups in hash tables a frame.
 */
import { NONE } from '../../../base/flavor.js';
import { fileName } from '../../../models/program/names.js';
import { type LocationId, NO_LINE } from '../../../models/program/program.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import { integerOf, isObject, member, textOf } from '../items/read-items.js';

export interface CallFrame {
  readonly name: string;
  readonly url: string;
  /** Id of the script; 0 is none, -1 unknown. */
  readonly script: number;
  /** From 0; -1 unknown. */
  readonly line: number;
  readonly column: number;
}

/** Columns from here on are written as this one. */
const COLUMNS = 2 ** 20;
const ANONYMOUS = '(anonymous)';

/** The frame in an object; undefined if it is none. Lines and columns that are no positions are unknown. */
export function callFrameOf(value: unknown): CallFrame | undefined {
  const name = textOf(member(value, 'functionName'));
  if (!isObject(value) || name === undefined) return undefined;
  const script = integerOf(Number(value.scriptId ?? -1)) ?? -1;
  return {
    name,
    url: textOf(value.url) ?? '',
    script,
    line: positionOf(value.lineNumber),
    column: positionOf(value.columnNumber),
  };
}

function positionOf(value: unknown): number {
  const position = integerOf(value) ?? -1;
  return position >= 0 && position < 2 ** 31 - 1 ? position : -1;
}

/** The number by which a function of a script begins: see `ProgramBuilder.script`. -1 if the line is unknown. */
export function scriptStart({ line, column }: Pick<CallFrame, 'line' | 'column'>): number {
  return line < 0 ? NONE : line * COLUMNS + Math.min(Math.max(column, -1) + 1, COLUMNS - 1);
}

/** Line and column from 0 of such a number; -1 each if unknown. */
export function startPosition(start: number): { readonly line: number; readonly column: number } {
  return start < 0 ? { line: -1, column: -1 } : { line: Math.floor(start / COLUMNS), column: (start % COLUMNS) - 1 };
}

/** What V8 names in parentheses is no function: `(idle)`, `(program)`, `(garbage collector)`. */
export function isPseudoFrame({ name, url, line }: Pick<CallFrame, 'name' | 'url' | 'line'>): boolean {
  return url === '' && line < 0 && /^\(.+\)$/.test(name) && name !== ANONYMOUS;
}

/** The name of a function; those without one are named by their place. */
export function callFrameName({ name, url, line }: Pick<CallFrame, 'name' | 'url' | 'line'>): string {
  if (name !== '') return name;
  return url === '' ? ANONYMOUS : `(anonymous ${fileName(url)}${line < 0 ? '' : `:${line + 1}`})`;
}

/** The place of a frame; `line`: the one that ran, from 1, if it is known. */
export function placeOf(program: ProgramBuilder, frame: CallFrame, line = NO_LINE): LocationId {
  if (isPseudoFrame(frame)) return program.location(program.pseudo(frame.name));
  const name = program.name(callFrameName(frame));
  if (frame.url === '' && frame.line < 0 && frame.script <= 0) return program.location(program.native(name));
  const file = frame.url === '' ? NONE : program.name(frame.url);
  return program.location(program.script(name, file, scriptStart(frame)), line > 0 ? line : frame.line + 1);
}
