/** References from attributes into the pool: the index in the file and its meaning. */
import type { Cursor } from './cursor.js';

export interface Named {
  /** Pool index. */
  readonly index: number;
  readonly text: string;
}

/** A Utf8 entry. */
export function named(cursor: Cursor): Named {
  const index = cursor.u2();
  return { index, text: cursor.pool.utf8(index) };
}

/** A Utf8 entry, or undefined for index 0. */
export function namedOrNone(cursor: Cursor): Named | undefined {
  const index = cursor.u2();
  return index === 0 ? undefined : { index, text: cursor.pool.utf8(index) };
}

/** A Class entry: its internal name. */
export function classNamed(cursor: Cursor): Named {
  const index = cursor.u2();
  return { index, text: cursor.pool.className(index) };
}

/** A Class entry, or undefined for index 0. */
export function classOrNone(cursor: Cursor): Named | undefined {
  const index = cursor.u2();
  return index === 0 ? undefined : { index, text: cursor.pool.className(index) };
}
