/**
 * Marks of rows, 1 for each that is chosen, and columns made of them. Plain loops: `Int32Array.from` with an iterator or a
 * function takes ten times as long.
 */
import { NONE } from '../flavor.js';

/** The number of marked rows. */
export function countMarked(marks: Uint8Array): number {
  let count = 0;
  for (let row = 0; row < marks.length; row++) count += marks[row];
  return count;
}

/** The marked rows, in order. */
export function markedRows(marks: Uint8Array): Int32Array {
  const rows = new Int32Array(countMarked(marks));
  for (let row = 0, at = 0; row < marks.length; row++) if (marks[row] === 1) rows[at++] = row;
  return rows;
}

/** For each marked row its number among the marked ones, -1 for the others. */
export function markNumbers(marks: Uint8Array): Int32Array {
  const numbers = new Int32Array(marks.length);
  for (let row = 0, next = 0; row < marks.length; row++) numbers[row] = marks[row] === 1 ? next++ : NONE;
  return numbers;
}

/** 1 for each row that `is` accepts. */
export function marksWhere(length: number, is: (row: number) => boolean): Uint8Array {
  const marks = new Uint8Array(length);
  for (let row = 0; row < length; row++) if (is(row)) marks[row] = 1;
  return marks;
}

/** The rows that `is` accepts, in order. */
export function rowsWhere(length: number, is: (row: number) => boolean): Int32Array {
  return markedRows(marksWhere(length, is));
}

/** The values of a column at `rows`. */
export function taken<Values extends Column>(column: Values, rows: Int32Array): Values;
export function taken(column: Column, rows: Int32Array): Column {
  const values = emptyLike(column, rows.length);
  for (let i = 0; i < rows.length; i++) values[i] = column[rows[i]];
  return values;
}

type Column = Int8Array | Uint8Array | Int32Array | Float64Array;

function emptyLike(column: Column, length: number): Column {
  if (column instanceof Float64Array) return new Float64Array(length);
  if (column instanceof Int32Array) return new Int32Array(length);
  return column instanceof Int8Array ? new Int8Array(length) : new Uint8Array(length);
}

/** Each id of a column replaced by that in `map`; -1 stays. */
export function mapped(ids: ArrayLike<number>, map: Int32Array): Int32Array {
  const values = new Int32Array(ids.length);
  for (let i = 0; i < values.length; i++) {
    const id = ids[i] ?? NONE;
    values[i] = id < 0 ? NONE : map[id];
  }
  return values;
}
