/**
 * Kernel of the `.iprof` reader: elements in the usual spelling (`src/formats/iprof/usual/plain.ts` describes it) from a
 * chunk of the file to columns. It stops before the first element that is spelled otherwise, is not followed by another
 * one in the chunk, or does not fit the columns: the caller reads that one.
 *
 * The caller lays out the memory and passes addresses; nothing here allocates. The bytes after the chunk are zeros, which
 * no token accepts, for as long as the longest load.
 */

/** Texts between values have at most 16 bytes: one load compares all of them. */
const DIGITS: u64 = 0x3030303030303030;
const LOW_BITS: u64 = 0x7f7f7f7f7f7f7f7f;
const ABOVE_9: u64 = 0x7676767676767676;
const HIGH_BITS: u64 = 0x8080808080808080;

const QUOTE: u8 = 0x22;
const COMMA: u8 = 0x2c;
const MINUS: u8 = 0x2d;
const COLON: u8 = 0x3a;
const CLOSE_LIST: u8 = 0x5d;
const CLOSE_OBJECT: u8 = 0x7d;

/** As in `src/base/hash.ts`. */
const HASH_SEED: u32 = 0x811c9dc5;
const HASH_PRIME: u32 = 0x01000193;

const INT_DIGITS: i32 = 9;
const EXACT_DIGITS: i32 = 15;
const MOST_NUMBERS: i32 = 1024;

/** Results of the last call: the position of the first element left, and numbers in the variable part. */
export let stopped: i32 = 0;
export let used: i32 = 0;
export let usedFrames: i32 = 0;

/** The number read last, and the position after it. */
let value: i64 = 0;
let at: usize = 0;

/** Whether the `length` bytes at `text` stand at `place`. */
@inline
function matches(place: usize, text: v128, mask: i32): bool {
  return (i8x16.bitmask(i8x16.eq(v128.load(place), text)) & mask) === mask;
}

/** A plain number at `place`, to `value` and `at`: at least one digit, at most `most`, no leading zero. */
@inline
function number(place: usize, most: i32): bool {
  const digits = load<u64>(place) ^ DIGITS;
  const others = (((digits & LOW_BITS) + ABOVE_9) | digits) & HIGH_BITS;
  if (others === 0) return longNumber(place, most);
  const length = <i32>(ctz(others) >> 3);
  if (length === 0 || ((digits & 0xff) === 0 && length > 1)) return false;
  at = place + length;
  // The digits move to the high end: pairs, then fours, then all are added up.
  let sum = digits << ((8 - length) << 3);
  sum = ((sum & 0x0f0f0f0f0f0f0f0f) * 2561) >> 8;
  sum = ((sum & 0x00ff00ff00ff00ff) * 6553601) >> 16;
  value = <i64>(((sum & 0x0000ffff0000ffff) * 42949672960001) >> 32);
  return true;
}

function longNumber(place: usize, most: i32): bool {
  let sum: i64 = 0;
  let end = place;
  let digit = <u32>load<u8>(end) - 0x30;
  while (digit <= 9) {
    sum = sum * 10 + digit;
    digit = <u32>load<u8>(++end) - 0x30;
    if (<i32>(end - place) > most) return false;
  }
  at = end;
  value = sum;
  return load<u8>(place) !== 0x30;
}

/** The end of a plain text: the first byte at or after `place` that is a quote, a backslash, a control or beyond ASCII. */
@inline
function textEnd(place: usize): usize {
  while (true) {
    const bytes = v128.load(place);
    // Signed: bytes beyond ASCII are below the blank, too.
    const ends = v128.or(
      i8x16.lt_s(bytes, i8x16.splat(0x20)),
      v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))),
    );
    const mask = i8x16.bitmask(ends);
    if (mask !== 0) return place + ctz(mask);
    place += 16;
  }
}

@inline
function hashOf(from: usize, to: usize): u32 {
  let hash = HASH_SEED;
  for (let each = from; each < to; each++) hash = (hash ^ load<u8>(each)) * HASH_PRIME;
  return hash;
}

/**
 * Types (`signatures` is 0) or methods. Texts: before the id, before the name, after the name, 16 bytes each at `texts`.
 * Rows of six numbers at `out`: position, id, start, end and hash of the name, and of methods the first type and the
 * start of the others at `types`. Returns the number of rows.
 */
export function symbols(
  from: usize,
  end: usize,
  texts: usize,
  idLength: i32,
  nameLength: i32,
  afterLength: i32,
  signatures: bool,
  out: usize,
  rows: i32,
  types: usize,
  room: i32,
): i32 {
  const beforeId = v128.load(texts);
  const beforeName = v128.load(texts, 16);
  const afterName = v128.load(texts, 32);
  const idMask = (1 << idLength) - 1;
  const nameMask = (1 << nameLength) - 1;
  const afterMask = (1 << afterLength) - 1;
  const start = from;
  const columns = <usize>rows << 2;
  let row = 0;
  let count = 0;
  for (; row < rows; row++) {
    if (from >= end || !matches(from, beforeId, idMask) || !number(from + idLength, INT_DIGITS)) break;
    const id = <i32>value;
    if (!matches(at, beforeName, nameMask)) break;
    const nameStart = at + nameLength;
    const nameEnd = textEnd(nameStart);
    if (!matches(nameEnd, afterName, afterMask)) break;
    at = nameEnd + afterLength;
    const first = count;
    let type: i32 = 0;
    if (signatures) {
      count = signature(types, first, room);
      if (count < 0) {
        count = first;
        break;
      }
      type = firstType;
    }
    if (load<u8>(at) !== COMMA) {
      count = first;
      break;
    }
    const place = out + (<usize>row << 2);
    store<i32>(place, <i32>(from - start));
    store<i32>(place + columns, id);
    store<i32>(place + columns * 2, <i32>(nameStart - start));
    store<i32>(place + columns * 3, <i32>(nameEnd - start));
    store<u32>(place + columns * 4, hashOf(nameStart, nameEnd));
    store<i32>(place + columns * 5, type);
    store<i32>(place + columns * 6, first);
    from = at + 1;
  }
  stopped = <i32>(from - start);
  used = count;
  return row;
}

/** The first type of the signature read last. */
let firstType: i32 = 0;

/** Types up to and including `]}`: the first to `firstType`, the others from `count` on. Returns the new count or -1. */
@inline
function signature(types: usize, count: i32, room: i32): i32 {
  if (!number(at, INT_DIGITS)) return -1;
  firstType = <i32>value;
  while (true) {
    const next = load<u8>(at);
    if (next !== COMMA) {
      if (next !== CLOSE_LIST || load<u8>(at, 1) !== CLOSE_OBJECT) return -1;
      at += 2;
      return count;
    }
    if (count === room || !number(at + 1, INT_DIGITS)) return -1;
    store<i32>(types + (<usize>count << 2), <i32>value);
    count++;
  }
}

/**
 * Entries. Texts: before the quotes of the frames, and after them. Columns at `out`: position, end of
 * the frames and end of the numbers of each row. Frames go to `frames`, each a method and a BCI; numbers to `numbers`, as
 * doubles. Of each record of `arity` numbers, all but the last fit 32 bits. Returns the number of rows.
 */
export function entries(
  from: usize,
  end: usize,
  texts: usize,
  contextLength: i32,
  recordsLength: i32,
  separator: u8,
  arity: i32,
  out: usize,
  rows: i32,
  frames: usize,
  frameRoom: i32,
  numbers: usize,
  numberRoom: i32,
): i32 {
  const beforeFrames = v128.load(texts);
  const afterFrames = v128.load(texts, 16);
  const contextMask = (1 << contextLength) - 1;
  const recordsMask = (1 << recordsLength) - 1;
  const start = from;
  const columns = <usize>rows << 2;
  let row = 0;
  let frame = 0;
  let count = 0;
  for (; row < rows; row++) {
    if (from >= end || !matches(from, beforeFrames, contextMask)) break;
    at = from + contextLength;
    if (load<u8>(at++) !== QUOTE) break;
    const lastFrame = context(frames, frame, frameRoom, separator);
    if (lastFrame < 0 || !matches(at, afterFrames, recordsMask)) break;
    at += recordsLength;
    const lastNumber = records(numbers, count, numberRoom, arity);
    if (lastNumber < 0 || load<u8>(at) !== COMMA) break;
    frame = lastFrame;
    count = lastNumber;
    const place = out + (<usize>row << 2);
    store<i32>(place, <i32>(from - start));
    store<i32>(place + columns, frame);
    store<i32>(place + columns * 2, count);
    from = at + 1;
  }
  stopped = <i32>(from - start);
  used = count;
  usedFrames = frame;
  return row;
}

/** Frames up to and including the quote. Returns the count of frames after them, or -1. */
@inline
function context(frames: usize, count: i32, room: i32, separator: u8): i32 {
  while (true) {
    if (count === room || !number(at, INT_DIGITS) || load<u8>(at) !== COLON) return -1;
    const place = frames + (<usize>count << 3);
    count++;
    store<i32>(place, <i32>value);
    const negative = load<u8>(++at) === MINUS;
    if (negative) at++;
    if (!number(at, INT_DIGITS) || (negative && value === 0)) return -1;
    store<i32>(place, negative ? -(<i32>value) : <i32>value, 4);
    const next = load<u8>(at++);
    if (next === QUOTE) return count;
    if (next !== separator) return -1;
  }
}

/** Numbers up to and including `]}`. Returns the count of numbers after them, or -1. */
@inline
function records(numbers: usize, first: i32, room: i32, arity: i32): i32 {
  let count = first;
  let ofRecord = 0;
  while (true) {
    if (count === room) return -1;
    const negative = load<u8>(at) === MINUS;
    if (negative) at++;
    if (!number(at, EXACT_DIGITS)) return -1;
    if (negative) {
      if (value === 0) return -1;
      value = -value;
    }
    if (++ofRecord === arity) ofRecord = 0;
    else if (value !== <i64>(<i32>value)) return -1;
    store<f64>(numbers + (<usize>count << 3), <f64>value);
    count++;
    const next = load<u8>(at);
    if (next === COMMA) {
      at++;
      continue;
    }
    if (next !== CLOSE_LIST || load<u8>(at, 1) !== CLOSE_OBJECT) return -1;
    at += 2;
    const length = count - first;
    if (ofRecord !== 0 || length > MOST_NUMBERS || (arity === 1 && length !== 1)) return -1;
    return count;
  }
}
