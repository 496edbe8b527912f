/**
 * The stacks that a text of a question means, as a path of functions.
 *
 *   stack#1234-5f2a07bd               begin as stack 1234 does: in the same way, and with its functions from the root on
 *   stack#1234.3-5f2a07bd             end as stack 1234 does: with the same three innermost functions
 *   stack:whole;;1:main;;1:a.B.run    begin with the functions of these keys (function-key.ts), in any recording
 *   stack:ends;;1:a.B.run;;1:main     end with them, innermost first
 *   #4669:0<19551:34                  end with these places, innermost first: function and bytecode index in numbers of the file (identity/file-ids.ts)
 *   stack:places;;0;;1:a.B.run        the same in any recording: index and key of each function
 *
 * Handles are of answers about one snapshot (models/handle.ts). The name of a stack is the names of the functions on its path.
 */
import { type HandleParts, handleOfParts, isHandle, partsOfHandle, unknownHandle } from '../../models/handle.js';
import { STACK_ENDINGS, type StackEnding, type StackId, type StackTable } from '../../models/profile/profile.js';
import { functionSignature } from '../../models/program/names.js';
import { bciOf } from '../../models/program/places.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { contextIn, functionsOfContext } from '../identity/file-ids.js';
import { functionKey, functionsOfKeys } from '../identity/function-key.js';
import { PathHashes } from './path-hashes.js';

const KEY = 'stack:';
/** The part of a key in place of an ending: the functions are the innermost ones. */
const ENDS = 'ends';
/** The same, each function behind its bytecode index. */
const PLACES = 'places';
/** Between the parts of a key. Keys of functions have no two semicolons behind each other. */
const BETWEEN = ';;';

/** Functions that follow each other on stacks. */
export interface StackPath {
  /** How the stacks begin, with functions from the root on; `ends`: the functions are the innermost ones, that one first. */
  readonly start: StackEnding | typeof ENDS;
  /** For each frame the functions that it may be of. */
  readonly functions: readonly (readonly FunctionId[])[];
  /** The bytecode index in each frame, where only these places are meant. */
  readonly indexes?: readonly number[];
}

/** Whether a text is a handle, key or context of stacks, and no name or pattern. */
export function isStackText(text: string): boolean {
  return text.startsWith(KEY) || isOfRecording(text);
}

/** Whether a text means stacks of one recording only: a handle, or a context in numbers of the file. */
export function isOfRecording(text: string): boolean {
  return isHandle('stack', text) || contextIn(text) !== undefined;
}

/** The handles of the stacks of a profile. Cost: the name of each function once; a step a frame. */
export class StackHandles {
  readonly #paths: PathHashes;

  constructor(program: Program, stacks: StackTable) {
    this.#paths = new PathHashes(stacks, {
      rowOf: (stack) => functionOf(program, stacks, stack),
      nameOf: (row) => functionSignature(program, row),
    });
  }

  /** The handle of all stacks that begin as this one does. */
  beginning(stack: StackId): string {
    return handleOfParts('stack', { numbers: [stack], hash: this.hash(stack) });
  }

  /** The handle of all stacks that end as this one does, in its innermost `depth` frames. */
  end(stack: StackId, depth: number): string {
    return handleOfParts('stack', { numbers: [stack, depth], hash: this.hash(stack, depth) });
  }

  /** The hash of the functions from the root of a stack on, or of its innermost ones. */
  hash(stack: StackId, depth?: number): number {
    return depth === undefined ? this.#paths.ofPath(stack) : this.#paths.ofEnd(stack, depth);
  }
}

/** The path of a handle, key or context; undefined for all other texts. Throws `UsageError` for one of another recording. */
export function stackPathOf(program: Program, stacks: StackTable, text: string): StackPath | undefined {
  if (text.startsWith(KEY)) return pathOfKey(program, text);
  const context = contextIn(text);
  if (context !== undefined)
    return {
      start: ENDS,
      functions: functionsOfContext(program, text, context),
      indexes: context.map(({ index }) => index),
    };
  const parts = partsOfHandle('stack', text);
  if (parts === undefined) return undefined;
  const path = pathOfParts(program, stacks, parts);
  if (path === undefined) throw unknownHandle(text);
  return path;
}

/** The path of its stack, else the only one with the name; undefined if none, or several, may be meant. */
function pathOfParts(program: Program, stacks: StackTable, { numbers, hash }: HandleParts): StackPath | undefined {
  const [row = -1, depth] = numbers;
  const handles = new StackHandles(program, stacks);
  const hashOf = (stack: StackId) => handles.hash(stack, depth);
  const pathFrom = (stack: StackId) =>
    depth === undefined ? pathOfStack(program, stacks, stack) : endOfStack(program, stacks, stack, depth);
  if (row < stacks.length && hashOf(row) === hash) return pathFrom(row);
  const paths = new Map<string, StackPath>();
  for (let stack = 0; stack < stacks.length && paths.size < 2; stack++) {
    if (hashOf(stack) !== hash) continue;
    const path = pathFrom(stack);
    paths.set(JSON.stringify(path), path);
  }
  return paths.size === 1 ? [...paths.values()][0] : undefined;
}

/** 1 for each stack that begins, or ends, with a path. Cost: a step a stack; of ends one for each frame that fits. */
export function stacksWithPath(
  program: Program,
  stacks: StackTable,
  { start, functions, indexes }: StackPath,
): Uint8Array {
  const marks = new Uint8Array(stacks.length);
  const fits = (stack: StackId, frame: number): boolean =>
    functions[frame]?.includes(functionOf(program, stacks, stack)) === true &&
    (indexes === undefined || bciOf(program, stacks.location[stack]) === indexes[frame]);
  if (start === ENDS) {
    for (let stack = 0; stack < stacks.length; stack++) {
      let id = stack;
      let frame = 0;
      for (; id >= 0 && frame < functions.length && fits(id, frame); id = stacks.parent[id]) frame++;
      marks[stack] = frame === functions.length ? 1 : 0;
    }
    return marks;
  }
  const ending = STACK_ENDINGS.indexOf(start);
  // How many frames of the path a stack has; -1 if one of its own is another.
  const frames = new Int32Array(stacks.length);
  for (let stack = 0; stack < stacks.length; stack++) {
    const above = stacks.parent[stack];
    const count = above >= 0 ? frames[above] : stacks.ending[stack] === ending ? 0 : -1;
    frames[stack] = count < 0 || count === functions.length ? count : fits(stack, count) ? count + 1 : -1;
    marks[stack] = frames[stack] === functions.length ? 1 : 0;
  }
  return marks;
}

/** The text that means the same stacks in another program: a handle or context becomes a key. Other texts stay, as do handles of other recordings. */
export function stackTextForOther(text: string, program: Program, stacks: StackTable): string {
  const parts = partsOfHandle('stack', text);
  const path = parts === undefined ? stackPathOf(program, stacks, text) : pathOfParts(program, stacks, parts);
  if (path === undefined || text.startsWith(KEY)) return text;
  const { start, functions, indexes } = path;
  const keys = functions.map(([id = -1]) => functionKey(program, id) ?? '');
  const ends = indexes === undefined ? keys : keys.flatMap((key, frame) => [String(indexes[frame]), key]);
  return `${KEY}${[indexes === undefined ? start : PLACES, ...ends].join(BETWEEN)}`;
}

function pathOfKey(program: Program, text: string): StackPath {
  const [start = '', ...keys] = text.slice(KEY.length).split(BETWEEN);
  if (start === PLACES) return placesOfKey(program, keys);
  const beginning = STACK_ENDINGS.find((ending) => ending === start) ?? (start === ENDS ? ENDS : undefined);
  if (beginning === undefined || keys.length === 0) throw unknownHandle(text);
  const functions = functionsOfKeys(program, keys);
  return { start: beginning, functions: keys.map((key) => functions.get(key)?.functions ?? []) };
}

/** `parts`: bytecode indexes and keys by turns. */
function placesOfKey(program: Program, parts: readonly string[]): StackPath {
  const keys = parts.filter((_, i) => i % 2 === 1);
  const functions = functionsOfKeys(program, keys);
  return {
    start: ENDS,
    functions: keys.map((key) => functions.get(key)?.functions ?? []),
    indexes: parts.filter((_, i) => i % 2 === 0).map(Number),
  };
}

function pathOfStack(program: Program, stacks: StackTable, stack: StackId): StackPath {
  const { functions } = endOfStack(program, stacks, stack, Infinity);
  return { start: STACK_ENDINGS[stacks.ending[stack]] ?? ENDS, functions: functions.toReversed() };
}

function endOfStack(program: Program, stacks: StackTable, stack: StackId, depth: number): StackPath {
  const functions: FunctionId[][] = [];
  for (let id = stack; id >= 0 && functions.length < depth; id = stacks.parent[id])
    functions.push([functionOf(program, stacks, id)]);
  return { start: ENDS, functions };
}

function functionOf({ locations }: Program, { location }: StackTable, stack: StackId): FunctionId {
  return locations.function[location[stack]];
}
