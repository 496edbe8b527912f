/**
 * Kernel of the JFR reader: the walk over the events of a window, and constants. The walk counts events by type, and decodes the
 * wanted fields of types whose values are compressed integers, numbers of fixed size and skipped strings, into columns. It stops before any other
 * event, and before one whose columns are full: `src/formats/jfr/kernel/walk-kernel.ts` lays out the memory, `chunk/walk.ts` and `chunk/rows.ts` are the
 * same loops in TypeScript.
 *
 * Nothing here allocates. Up to 16 bytes behind the window are read.
 */
import { decode, decodeUsual, endsAt } from './jfr/values';

export { constants, index, rowsOf, skip, tableOf } from './jfr/constants';

/** Heads of events are read whole; longer ones are the caller's. */
const LONGEST_HEAD: usize = 18;
/** Events have sizes of at most two bytes here, ids of types at most three. */
const MOST_IDS: u32 = 1 << 16;
/** `FLR`, NUL: another chunk. */
const MAGIC: u32 = 0x00524c46;

// At `state`.
const IDS: usize = 0;
const TYPES: usize = 4;
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
/** Numbers of keys and of numbers of a usual program; no keys if it is another one. */
const USUAL_KEYS: usize = 56;
const USUAL_NUMBERS: usize = 58;
/** Rows that its columns have room for. */
const ROOM: usize = 60;
/** The program of types that are only counted. */
const COUNTED: u32 = 0;

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
      if (row === <usize>load<u32>(type, ROOM)) break;
      const ends = endsAt(payload);
      const keys = hasEarly ? 0 : <u32>load<u16>(type, USUAL_KEYS);
      let stop: usize = 0;
      if (keys !== 0) stop = decodeUsual(payload, ends, next, program, keys, load<u16>(type, USUAL_NUMBERS), row, start, perNano);
      if (stop === 0) stop = decode(payload, ends, next, program, row, start, perNano);
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
