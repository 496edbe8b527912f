/** Values of events and constants: compressed integers, numbers of fixed size, skipped strings. Up to 16 bytes behind the end are read. */

// Operations, as in `chunk/plan.ts`; a program is pairs of an operation and the address of a column.
const INT: u32 = 1;
const LONG: u32 = 2;
const UNSIGNED_LONG: u32 = 3;
const TICKS: u32 = 4;
const KEY: u32 = 5;
const SHORT: u32 = 6;
const CHAR: u32 = 7;
const BYTE: u32 = 8;
const BOOLEAN: u32 = 9;
const FLOAT: u32 = 10;
const DOUBLE: u32 = 11;
export const END: u32 = 0;
/** So many compressed integers, instead of the address of a column. */
export const SKIP: u32 = 16;
export const SKIP_BYTES: u32 = 17;
export const SKIP_STRING: u32 = 18;
/** An array: its length, then the values of the program at an address, so often. */
export const SKIP_ARRAY: u32 = 20;
/** A key whose constants are known; a pair of address and length of the table of rows by keys follows. */
const ROW_OF_KEY: u32 = 19;

/** A bit for each operation that reads a compressed integer. */
const INTEGERS: u32 =
  (1 << INT) | (1 << LONG) | (1 << UNSIGNED_LONG) | (1 << TICKS) | (1 << KEY) | (1 << SHORT) | (1 << CHAR) | (1 << ROW_OF_KEY);

/** Encodings of strings. */
const POOLED: u32 = 2;
const UTF8: u32 = 3;
const LATIN1: u32 = 5;

/** The seven bits of each byte, closed up. */
@inline
function closeUp(bytes: u64): u64 {
  bytes = ((bytes & 0x7f007f007f007f00) >> 1) | (bytes & 0x007f007f007f007f);
  bytes = ((bytes & 0x3fff00003fff0000) >> 2) | (bytes & 0x00003fff00003fff);
  return ((bytes & 0x0fffffff00000000) >> 4) | (bytes & 0x0fffffff);
}

/** A bit for each of the 16 bytes at a place that ends a compressed integer, if one does not end at its ninth byte. */
@inline
export function endsAt(at: usize): u32 {
  return ~i8x16.bitmask(v128.load(at)) & 0xffff;
}

/** Bytes of a compressed integer, by the ends from its first byte on; 9 if there is none. */
@inline
export function lengthBy(ends: u32): usize {
  return min<usize>(<usize>ctz(ends) + 1, 9);
}

/** A compressed integer of so many bytes; the ninth byte is whole. */
@inline
export function integer(at: usize, length: usize): u64 {
  const bytes = load<u64>(at);
  if (length === 9) return closeUp(bytes) | (<u64>load<u8>(at, 8) << 56);
  return closeUp(bytes & (<u64>0xffffffffffffffff >> (<u64>(8 - length) << 3)));
}

/** Whether a number of 64 bits has more digits than a double: those with a sign of up to seven bytes never do. */
@inline
function isInexact(value: u64, length: usize): bool {
  return length > 7 && value + 0x0020_0000_0000_0000 >= 0x0040_0000_0000_0000;
}

/** Behind a string that nobody wants; 0 for those that the caller reads. */
export function behindString(at: usize, end: usize): usize {
  const encoding = <u32>load<u8>(at++);
  if (encoding < POOLED) return at;
  if (encoding !== POOLED && encoding !== UTF8 && encoding !== LATIN1) return 0;
  const length = lengthBy(endsAt(at));
  // As in TypeScript, a length has 32 bits.
  const size = <i32>integer(at, length);
  at += length;
  if (encoding === POOLED) return at;
  return at > end || size < 0 || <usize>size > end - at ? 0 : at + <usize>size;
}

/** Keeps a time as nanoseconds since the start; false if the caller has to read it. */
@inline
function keepTime(value: u64, start: i64, perNano: f64, column: usize, row: usize): bool {
  const ticks = <i64>value - start;
  if (((<i64>value ^ start) & (<i64>value ^ ticks)) < 0) return false;
  store<f64>(column + (row << 3), trunc<f64>(<f64>ticks / perNano));
  return true;
}

/** Keeps the row of a key by the table of a step; false if the caller has to read it: what has no constant is the caller's. */
@inline
function keepRowOfKey(key: u64, table: usize, column: usize, row: usize): bool {
  if (key >= <u64>load<u32>(table, 4)) return false;
  const found = load<i32>(<usize>load<u32>(table) + (<usize>key << 2));
  if (found < 0 && key !== 0) return false;
  store<i32>(column + (row << 2), found);
  return true;
}

/**
 * Decodes a row; returns where it ends, which may be behind `end`, or 0 if the caller has to read it, as numbers that no double holds. `ends`: of integers, from `from` on;
 * the lengths of all of a row come from one or two such words, so they do not wait for each other's bytes.
 */
@inline
export function decode(from: usize, ends: u32, end: usize, program: usize, row: usize, start: i64, perNano: f64): usize {
  let at = from;
  let step = program;
  let operation = load<u32>(step);
  while (operation !== END) {
    if (at >= end) return 0;
    const column = <usize>load<u32>(step, 4);
    let value: u64;
    let length: usize = 1;
    if (((INTEGERS >> operation) & 1) !== 0) {
      if (ends === 0) ends = endsAt(at);
      length = lengthBy(ends);
      value = integer(at, length);
      at += length;
      ends >>= <u32>length;
    } else value = <u64>load<u8>(at);
    switch (operation) {
      case KEY:
        if (value >> 31 !== 0) return 0;
        store<u32>(column + (row << 2), <u32>value);
        break;
      case ROW_OF_KEY:
        step += 8;
        if (!keepRowOfKey(value, step, column, row)) return 0;
        break;
      case INT:
        store<u32>(column + (row << 2), <u32>value);
        break;
      case LONG:
        if (isInexact(value, length)) return 0;
        store<f64>(column + (row << 3), <f64>(<i64>value));
        break;
      case TICKS:
        if (!keepTime(value, start, perNano, column, row)) return 0;
        break;
      case SKIP:
        for (let left = column; left !== 0; left--) {
          if (at >= end) return 0;
          if (ends === 0) ends = endsAt(at);
          const skipped = lengthBy(ends);
          at += skipped;
          ends >>= <u32>skipped;
        }
        break;
      case UNSIGNED_LONG:
        if (length > 7 && value >= 0x0020_0000_0000_0000) return 0;
        store<f64>(column + (row << 3), <f64>value);
        break;
      case SHORT:
        store<i32>(column + (row << 2), (<i32>value << 16) >> 16);
        break;
      case CHAR:
        store<u32>(column + (row << 2), <u32>value & 0xffff);
        break;
      case BYTE:
        store<i32>(column + (row << 2), (<i32>value << 24) >> 24);
        at++;
        ends >>= 1;
        break;
      case BOOLEAN:
        store<u32>(column + (row << 2), value === 0 ? 0 : 1);
        at++;
        ends >>= 1;
        break;
      case FLOAT:
        store<f64>(column + (row << 3), <f64>reinterpret<f32>(bswap<u32>(load<u32>(at))));
        at += 4;
        ends >>= 4;
        break;
      case DOUBLE:
        store<f64>(column + (row << 3), reinterpret<f64>(bswap<u64>(load<u64>(at))));
        at += 8;
        ends >>= 8;
        break;
      case SKIP_BYTES:
        at += column;
        ends >>= <u32>column;
        break;
      case SKIP_STRING:
        at = behindString(at, end);
        if (at === 0) return 0;
        ends = 0;
        break;
      default:
        return 0;
    }
    step += 8;
    operation = load<u32>(step);
  }
  return at;
}

/** The seven bits of each of four bytes, closed up: keys are half of the values, and half as many steps a key save a sixth of the walk. */
@inline
function closeUpShort(bytes: u32): u32 {
  bytes = ((bytes & 0x7f007f00) >> 1) | (bytes & 0x007f007f);
  return ((bytes & 0x3fff0000) >> 2) | (bytes & 0x00003fff);
}

/**
 * The same for the programs of nearly all frequent events: a time, so many keys whose constants are known, so many numbers of 64 bits or skipped
 * ones; where the values have at most 16 bytes. Without asking each step what it is, half of the time.
 */
@inline
export function decodeUsual(
  from: usize,
  ends: u32,
  end: usize,
  program: usize,
  keys: u32,
  numbers: u32,
  row: usize,
  start: i64,
  perNano: f64,
): usize {
  if (end - from > 16 || ends === 0) return 0;
  const length = lengthBy(ends);
  if (!keepTime(integer(from, length), start, perNano, <usize>load<u32>(program, 4), row)) return 0;
  let at = from + length;
  let left = ends >> <u32>length;
  let step = program + 8;
  for (; keys !== 0; keys--) {
    const bytes = <u32>ctz(left) + 1;
    if (bytes > 4) return 0;
    const key = closeUpShort(load<u32>(at) & (<u32>0xffffffff >> ((4 - bytes) << 3)));
    if (!keepRowOfKey(key, step + 8, <usize>load<u32>(step, 4), row)) return 0;
    at += bytes;
    left >>= bytes;
    step += 16;
  }
  for (; numbers !== 0; numbers--) {
    const bytes = <usize>ctz(left) + 1;
    // Numbers of seven bytes are the same with a sign and without, and doubles hold them.
    if (bytes > 7) return 0;
    if (load<u32>(step) !== SKIP) store<f64>(<usize>load<u32>(step, 4) + (row << 3), <f64>(<i64>integer(at, bytes)));
    at += bytes;
    left >>= <u32>bytes;
    step += 8;
  }
  return at;
}
