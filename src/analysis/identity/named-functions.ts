/**
 * The functions that a text of a question means: a handle one function, a key all that have it, else a name or pattern (models/program/names.ts).
 *
 *   function#1234-5f2a07bd                            of an answer about this snapshot (models/handle.ts)
 *   function:1:java.util.HashMap.get;p=…              of any recording (function-key.ts)
 *   #4669                                             the number that the file gives it
 */
import { handleOf, isHandle, rowOfHandle, unknownHandle } from '../../models/handle.js';
import { findFunctions, functionName, functionSignature, matchFunctions } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { rowsOfFileId } from './file-ids.js';
import { functionKey, functionsOfKey, isFunctionKey } from './function-key.js';
import { onlyRows, type United } from './unite.js';

const KEY = 'function:';

/** The handle of a function; undefined for none. */
export function functionHandle(program: Program, id: FunctionId): string | undefined {
  return id < 0 ? undefined : handleOf('function', id, functionSignature(program, id));
}

/** Whether a text is a handle or a key, and no name or pattern. */
export function isFunctionHandle(text: string): boolean {
  return text.startsWith(KEY) || isHandle('function', text);
}

/** Names of all functions, without parameters. */
export function functionNames(program: Program): string[] {
  return Array.from({ length: program.functions.length }, (_, id) => functionName(program, id));
}

/** The functions with a number of the file; undefined if the text is none, or no function has it. */
function functionsOfFileId({ functions }: Program, text: string): readonly FunctionId[] | undefined {
  const rows = rowsOfFileId(functions, text);
  return rows && [...rows];
}

/** The functions of a handle, key or number of the file; undefined for all other texts. Throws `UsageError` for a handle of another recording. */
export function functionsOfHandle(program: Program, text: string): readonly FunctionId[] | undefined {
  if (text.startsWith(KEY)) {
    if (!isFunctionKey(text.slice(KEY.length))) throw unknownHandle(text);
    return functionsOfKey(program, text.slice(KEY.length)).functions;
  }
  const id = functionRow(program, text);
  if (id === undefined) return functionsOfFileId(program, text);
  if (id < 0) throw unknownHandle(text);
  return [id];
}

/** As `rowOfHandle`. */
function functionRow(program: Program, text: string): FunctionId | undefined {
  return rowOfHandle('function', text, program.functions.length, (row) => functionSignature(program, row));
}

/** The functions that a handle or name means, as `findFunctions`. */
export function functionsMeant(program: Program, text: string): readonly FunctionId[] {
  return functionsOfHandle(program, text) ?? findFunctions(program, text);
}

/** The marks of the last pattern of each program: a scope asks for them when it is applied, and when its names are checked. */
const lastMarks = new WeakMap<Program, { readonly text: string; readonly marks: Uint8Array }>();

/** 1 for each function that a handle names or that matches a pattern, as `matchFunctions`. */
export function functionsMatching(program: Program, text: string): Uint8Array {
  const functions = functionsOfHandle(program, text);
  if (functions === undefined) {
    const last = lastMarks.get(program);
    if (last?.text === text) return last.marks;
    const marks = matchFunctions(program, text);
    lastMarks.set(program, { text, marks });
    return marks;
  }
  const marks = new Uint8Array(program.functions.length);
  for (const id of functions) marks[id] = 1;
  return marks;
}

/** Whether a text is taken as a part of names, since no name matches it as a pattern. */
export function isPartOfNames(program: Program, text: string): boolean {
  const first = functionsMatching(program, text).indexOf(1);
  if (first < 0) return false;
  const signature = functionSignature(program, first);
  if (signature === text || !signature.includes(text)) return false;
  try {
    return !new RegExp(text, 'u').test(signature);
  } catch {
    // No pattern at all.
    return true;
  }
}

/** The text that means the same function in another program: a handle, or a number of the file, becomes a key, which both understand. Other texts stay. */
export function textForOther(text: string, program: Program, other: Program): string {
  const id = program === other ? undefined : (functionRow(program, text) ?? functionsOfFileId(program, text)?.[0]);
  return id === undefined || id < 0 ? text : `${KEY}${functionKey(program, id) ?? ''}`;
}

/** The handles of the functions of one of several joined programs, by joined row; undefined where it has none or several of a row. */
export function joinedHandles(program: Program, united: United, run: number): (row: number) => string | undefined {
  const functionOf = onlyRows(united, run);
  return (row) => functionHandle(program, functionOf(row));
}
