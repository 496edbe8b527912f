/** The classes that a text of a question means: a handle or a number of the file (`#2280`) one class, other texts all that match as a pattern. */
import { marksWhere } from '../../base/columns/marks.js';
import { handleOf, rowOfHandle, unknownHandle } from '../../models/handle.js';
import { className, matchClasses } from '../../models/program/names.js';
import type { ClassId, Program } from '../../models/program/program.js';
import { rowsOfFileId } from './file-ids.js';
import { onlyRows, type United } from './unite.js';

/** The handle of a class; undefined for none, and for a negative number that stands for something else. */
export function classHandle(program: Program, id: ClassId): string | undefined {
  return id < 0 ? undefined : handleOf('class', id, className(program, id));
}

/** 1 for each class that a handle or number names or that matches a pattern, as `matchClasses`. Throws `UsageError` for a handle of another recording. */
export function classesMatching(program: Program, text: string): Uint8Array {
  const id = rowOfHandle('class', text, program.classes.length, (row) => className(program, row));
  if (id !== undefined && id < 0) throw unknownHandle(text);
  const rows = id === undefined ? rowsOfFileId(program.classes, text) : [id];
  return rows === undefined
    ? matchClasses(program, text)
    : marksWhere(program.classes.length, (row) => rows.includes(row));
}

/** The handles of the classes of one of several joined programs, by joined row; undefined where it has none or several of a row. */
export function joinedClassHandles(program: Program, united: United, run: number): (row: number) => string | undefined {
  const classOf = onlyRows(united, run);
  return (row) => classHandle(program, classOf(row));
}
