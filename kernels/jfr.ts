/**
 * Kernel of the JFR reader: the walk over the events of a window, and the index of constants. The walk counts events by type, and decodes the
 * wanted fields of types whose values are compressed integers, numbers of fixed size and skipped strings, into columns. It stops before any other
 * event, and before one whose columns are full: `src/formats/jfr/kernel/walk-kernel.ts` lays out the memory, `chunk/walk.ts` and `chunk/rows.ts` are the
 * same loops in TypeScript.
 *
 * Nothing here allocates. Up to 16 bytes behind the window are read.
 */

/** Heads of events are read whole; longer ones are the caller's. */
const LONGEST_HEAD: usize = 18;
/** Events have sizes of at most two bytes here, ids of types at most three. */
const MOST_IDS: u32 = 1 << 16;
/** `FLR`, NUL: another chunk. */
const MAGIC: u32 = 0x00524c46;

// At `state`.
const IDS: usize = 0;
const TYPES: usize = 4;
const ROWS: usize = 8;
const TICKS_AT_START: usize = 16;
const TICKS_PER_NANO: usize = 24;

// A type: events, their bytes, its program, its rows; where only rows before a time stay, the column of the numbers of those that do among
// all, how many there are, when they are late, the column of times, compressed integers behind the time if there is nothing else, and the time
// that is late as bytes of seven bits.
const TYPE_SHIFT: usize = 6;
const COUNT: usize = 0;
const BYTES: usize = 8;
const PROGRAM: usize = 16;
const LENGTH: usize = 20;
const NUMBERS: usize = 24;
const SEEN: usize = 28;
const LIMIT: usize = 32;
const TIMES: usize = 40;
const INTEGERS_BEHIND: usize = 44;
const LATE: usize = 48;
/** The program of types that are only counted. */
const COUNTED: u32 = 0;

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
const END: u32 = 0;
/** So many compressed integers, instead of the address of a column. */
const SKIP: u32 = 16;
const SKIP_BYTES: u32 = 17;
const SKIP_STRING: u32 = 18;
/** An array: its length, then the values of the program at an address, so often. */
const SKIP_ARRAY: u32 = 20;
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
function endsAt(at: usize): u32 {
  return ~i8x16.bitmask(v128.load(at)) & 0xffff;
}

/** Bytes of a compressed integer, by the ends from its first byte on; 9 if there is none. */
@inline
function lengthBy(ends: u32): usize {
  return min<usize>(<usize>ctz(ends) + 1, 9);
}

/** A compressed integer of so many bytes; the ninth byte is whole. */
@inline
function integer(at: usize, length: usize): u64 {
  const bytes = load<u64>(at);
  if (length === 9) return closeUp(bytes) | (<u64>load<u8>(at, 8) << 56);
  return closeUp(bytes & (<u64>0xffffffffffffffff >> (<u64>(8 - length) << 3)));
}

/** Behind a string that nobody wants; 0 for those that the caller reads. */
function behindString(at: usize, end: usize): usize {
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

/**
 * Decodes a row; returns where it ends, which may be behind `end`, or 0 if the caller has to read it. `ends`: of integers, from `from` on;
 * the lengths of all of a row come from one or two such words, so they do not wait for each other's bytes.
 */
@inline
function decode(from: usize, ends: u32, end: usize, program: usize, row: usize, start: i64, perNano: f64): usize {
  let at = from;
  let step = program;
  let operation = load<u32>(step);
  while (operation !== END) {
    if (at >= end) return 0;
    const column = <usize>load<u32>(step, 4);
    let value: u64;
    if (((INTEGERS >> operation) & 1) !== 0) {
      if (ends === 0) ends = endsAt(at);
      const length = lengthBy(ends);
      value = integer(at, length);
      at += length;
      ends >>= <u32>length;
    } else value = <u64>load<u8>(at);
    switch (operation) {
      case KEY:
        if (value >> 31 !== 0) return 0;
        store<u32>(column + (row << 2), <u32>value);
        break;
      case ROW_OF_KEY: {
        step += 8;
        if (value >= <u64>load<u32>(step, 4)) return 0;
        const found = load<i32>(<usize>load<u32>(step) + (<usize>value << 2));
        // What has no constant is the caller's.
        if (found < 0 && value !== 0) return 0;
        store<i32>(column + (row << 2), found);
        break;
      }
      case INT:
        store<u32>(column + (row << 2), <u32>value);
        break;
      case LONG:
        store<f64>(column + (row << 3), <f64>(<i64>value));
        break;
      case TICKS: {
        const ticks = <i64>value - start;
        if (((<i64>value ^ start) & (<i64>value ^ ticks)) < 0) return 0;
        store<f64>(column + (row << 3), trunc<f64>(<f64>ticks / perNano));
        break;
      }
      case SKIP:
        for (let left = column; left !== 0; left--) {
          if (at >= end) return 0;
          if (ends === 0) ends = endsAt(at);
          const length = lengthBy(ends);
          at += length;
          ends >>= <u32>length;
        }
        break;
      case UNSIGNED_LONG:
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

/**
 * Whether an event of these bytes is a late one, of a time and so many compressed integers: for events of at most 16 bytes whose time has at most
 * eight. The seven bits of each byte keep the order of the times, so they need not be closed up. An integer of nine bytes may end no integer here,
 * but none ends two.
 */
@inline
function isLate(payload: usize, next: usize, type: usize): u32 {
  const length = <u32>(next - payload);
  const ends = endsAt(payload);
  const last = <u64>ctz(ends);
  const integers = <u32>popcnt(ends & ((1 << length) - 1));
  const time = load<u64>(payload) & (<u64>0x7f7f7f7f7f7f7f7f >> ((7 - last) << 3));
  // Without branches, which nobody could foresee. Of types with other values, more integers are needed than there can be.
  return (
    <u32>(length <= 16) &
    <u32>(last <= 7) &
    <u32>(integers > load<u32>(type, INTEGERS_BEHIND)) &
    <u32>(time >= load<u64>(type, LATE))
  );
}

/** Behind the values of a program of steps that skip; 0 for those that the caller reads. */
function behindValues(from: usize, end: usize, program: usize): usize {
  let at = from;
  for (let step = program; load<u32>(step) !== END; step += 8) {
    const operation = load<u32>(step);
    if (at >= end) return 0;
    const what = <usize>load<u32>(step, 4);
    if (operation === SKIP) {
      let ends: u32 = 0;
      for (let left = what; left !== 0; left--) {
        if (at >= end) return 0;
        if (ends === 0) ends = endsAt(at);
        const length = lengthBy(ends);
        at += length;
        ends >>= <u32>length;
      }
    } else if (operation === SKIP_BYTES) at += what;
    else if (operation === SKIP_STRING) {
      at = behindString(at, end);
      if (at === 0) return 0;
    } else if (operation === SKIP_ARRAY) {
      const length = lengthBy(endsAt(at));
      const count = integer(at, length);
      at += length;
      // Each element takes a byte at least.
      if (at > end || count > <u64>(end - at) || (count !== 0 && load<u32>(what) === END)) return 0;
      for (let left = <u32>count; left !== 0; left--) {
        at = behindValues(at, end, what);
        if (at === 0) return 0;
      }
    } else return 0;
    if (at > end) return 0;
  }
  return at;
}

/** Notes the keys of so many constants, and where their values begin behind `from`; returns where they end, 0 if the caller has to read them. */
export function index(from: usize, end: usize, program: usize, count: u32, keys: usize, places: usize): usize {
  let at = from;
  for (let i: u32 = 0; i < count; i++) {
    if (at >= end) return 0;
    const length = lengthBy(endsAt(at));
    const key = integer(at, length);
    if (key >> 31 !== 0) return 0;
    at += length;
    store<u32>(keys + (i << 2), <u32>key);
    store<u32>(places + (i << 2), <u32>(at - from));
    at = behindValues(at, end, program);
    if (at === 0) return 0;
  }
  return at;
}

/** Behind so many constants, each with its key; 0 if the caller has to read them. */
export function skip(from: usize, end: usize, program: usize, count: u32): usize {
  let at = from;
  for (let left = count; left !== 0; left--) {
    if (at >= end) return 0;
    at = behindValues(at + lengthBy(endsAt(at)), end, program);
    if (at === 0) return 0;
  }
  return at;
}

/** Walks over the events from `from` on; returns where the first one begins that it leaves to the caller. */
export function walk(from: usize, end: usize, state: usize): usize {
  return walkOver(from, end, state, false, false);
}

/** The same where of some types only early events stay, and few events are of these types. */
export function walkEarly(from: usize, end: usize, state: usize): usize {
  return walkOver(from, end, state, true, false);
}

/** The same where many are: whether an event is of these types cannot be foreseen, so all are asked for their time. */
export function walkManyEarly(from: usize, end: usize, state: usize): usize {
  return walkOver(from, end, state, true, true);
}

@inline
function walkOver(from: usize, end: usize, state: usize, hasEarly: bool, areMany: bool): usize {
  const ids = <usize>load<u32>(state, IDS);
  const types = <usize>load<u32>(state, TYPES);
  const rows = load<u32>(state, ROWS);
  const start = load<i64>(state, TICKS_AT_START);
  const perNano = load<f64>(state, TICKS_PER_NANO);
  let at = from;
  while (at + LONGEST_HEAD <= end) {
    let size = <u32>load<u8>(at);
    let payload = at + 1;
    if (size >= 0x80) {
      const second = <u32>load<u8>(payload++);
      if (second >= 0x80) break;
      size = (size & 0x7f) | (second << 7);
    } else if (load<u32>(at) === MAGIC) break;
    let id = <u32>load<u8>(payload++);
    if (id >= 0x80) {
      const second = <u32>load<u8>(payload++);
      id = (id & 0x7f) | ((second & 0x7f) << 7);
      if (second >= 0x80) {
        id |= <u32>load<u8>(payload++) << 14;
        if (id >= MOST_IDS) break;
      }
    }
    const next = at + <usize>size;
    if (next <= payload || next > end) break;
    const number = <usize>load<u16>(ids + (<usize>id << 1));
    if (number === 0) break;
    const type = types + (number << TYPE_SHIFT);
    const program = load<u32>(type, PROGRAM);
    const isLeft =
      hasEarly && (areMany ? (isLate(payload, next, type) | <u32>(program === COUNTED)) !== 0 : program !== COUNTED && isLate(payload, next, type) !== 0);
    if (isLeft) store<u32>(type, load<u32>(type, SEEN) + 1, SEEN);
    else if (program !== COUNTED) {
      const row = <usize>load<u32>(type, LENGTH);
      if (row === <usize>rows) break;
      const stop = decode(payload, endsAt(payload), next, program, row, start, perNano);
      if (stop === 0 || stop > next) break;
      const numbers = hasEarly ? <usize>load<u32>(type, NUMBERS) : 0;
      if (numbers === 0) store<u32>(type, <u32>row + 1, LENGTH);
      else {
        const seen = load<u32>(type, SEEN);
        store<u32>(type, seen + 1, SEEN);
        store<u32>(numbers + (row << 2), seen);
        const time = load<f64>(<usize>load<u32>(type, TIMES) + (row << 3));
        if (!(time >= load<f64>(type, LIMIT))) store<u32>(type, <u32>row + 1, LENGTH);
      }
    }
    store<u64>(type, load<u64>(type, COUNT) + 1, COUNT);
    store<u64>(type, load<u64>(type, BYTES) + size, BYTES);
    at = next;
  }
  return at;
}
