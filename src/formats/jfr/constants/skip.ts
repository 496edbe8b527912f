/** Steps over values that nobody wants. */
import type { Cursor } from '../chunk/cursor.js';
import type { DecodePlan } from '../chunk/plan.js';
import * as op from '../chunk/plan.js';
import { CHARS, EMPTY, LATIN1, POOLED } from '../chunk/strings.js';

const LONGEST_INTEGER = 9;

/** Moves a cursor behind so many constants, each with its key; behind its end if they are not whole. */
export function skipConstants(cursor: Cursor, plan: DecodePlan, count: number): void {
  if (areIntegers(cursor, plan)) skipIntegers(cursor, count * (1 + plan.operations.length));
  else
    for (let i = 0; i < count && !cursor.isBehind; i++) {
      cursor.long();
      skipRows(cursor, plan, 1);
    }
}

function areIntegers({ compressed }: Cursor, { isIntegers }: DecodePlan): boolean {
  return compressed && isIntegers;
}

/** Moves a cursor behind so many rows of values; behind its end if they are not whole. */
export function skipRows(cursor: Cursor, plan: DecodePlan, count: number): void {
  if (areIntegers(cursor, plan)) {
    skipIntegers(cursor, count * plan.operations.length);
    return;
  }
  for (let row = 0; row < count && !cursor.isBehind; row++)
    for (let i = 0; i < plan.operations.length && !cursor.isBehind; i++) skip(cursor, plan, i);
}

/** The hot loop: constants are mostly frames. */
function skipIntegers(cursor: Cursor, count: number): void {
  const { bytes, end } = cursor;
  let { at } = cursor;
  let from = at;
  let left = count;
  while (left > 0 && at < end) {
    // The ninth byte is whole.
    if (bytes[at++] < 0x80 || at - from === LONGEST_INTEGER) {
      left--;
      from = at;
    }
  }
  cursor.at = left > 0 ? end + 1 : at;
}

function skip(cursor: Cursor, { operations, slots, arrays }: DecodePlan, i: number): void {
  const operation = operations[i];
  if (operation === op.ROWS) {
    const count = cursor.int();
    const elements = arrays[slots[i]];
    if (op.isCount(count, elements, cursor.end - cursor.at)) skipRows(cursor, elements, count);
    else cursor.at = cursor.end + 1;
  } else if (operation === op.STRING) skipString(cursor);
  else if (operation === op.INT) cursor.int();
  else if (operation === op.SHORT || operation === op.CHAR) cursor.char();
  else if (operation < op.BYTE) cursor.long();
  else cursor.at += operation === op.FLOAT ? 4 : operation === op.DOUBLE ? 8 : 1;
}

function skipString(cursor: Cursor): void {
  const encoding = cursor.byte();
  if (encoding <= EMPTY) return;
  if (encoding === POOLED) cursor.long();
  else if (encoding > LATIN1) cursor.at = cursor.end + 1;
  else {
    const length = cursor.int();
    if (length < 0 || length > cursor.end - cursor.at) cursor.at = cursor.end + 1;
    else if (encoding !== CHARS) cursor.at += length;
    else for (let unit = 0; unit < length; unit++) cursor.char();
  }
}
