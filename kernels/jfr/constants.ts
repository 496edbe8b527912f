/** Constants: where they are, or their values as columns; rows by their keys. */
import { decode, END, endsAt, integer, lengthBy, SKIP, SKIP_ARRAY, SKIP_BYTES, SKIP_STRING, behindString } from './values';

/** Whether an array that begins at a place may have so many elements of a program: each takes a byte at least. */
@inline
function isCount(count: u64, at: usize, end: usize, program: usize): bool {
  return at <= end && count <= <u64>(end - at) && (count === 0 || load<u32>(program) !== END);
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
      if (!isCount(count, at, end, what)) return 0;
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

// Parts of a constant: pairs of what comes next and where it is described.
const VALUES: u32 = 1;
const ARRAY: u32 = 2;

// An array: the program of an element, the columns of the first element and of the number of elements of each constant, elements so far, and
// how many there is room for.
const ELEMENT: usize = 0;
const FIRSTS: usize = 4;
const COUNTS: usize = 8;
const LENGTH: usize = 12;
const CAPACITY: usize = 16;

/** Decodes a row; returns where it ends, 0 if the caller has to read it. */
function row(at: usize, end: usize, program: usize, number: usize): usize {
  // Constants have no times.
  const next = decode(at, endsAt(at), end, program, number, 0, 1);
  return next > end ? 0 : next;
}

/** Decodes the elements of an array; returns where they end, 0 if the caller has to read them or there is no room. */
function elements(from: usize, end: usize, array: usize, number: usize): usize {
  if (from >= end) return 0;
  const length = lengthBy(endsAt(from));
  const count = integer(from, length);
  let at = from + length;
  const program = <usize>load<u32>(array, ELEMENT);
  const first = load<u32>(array, LENGTH);
  if (!isCount(count, at, end, program) || count > <u64>(load<u32>(array, CAPACITY) - first)) return 0;
  store<u32>(<usize>load<u32>(array, FIRSTS) + (number << 2), first);
  store<u32>(<usize>load<u32>(array, COUNTS) + (number << 2), <u32>count);
  for (let i: usize = 0; i < <usize>count; i++) {
    at = row(at, end, program, <usize>first + i);
    if (at === 0) return 0;
  }
  store<u32>(array, first + <u32>count, LENGTH);
  return at;
}

/** Decodes the values of a constant; returns where they end, 0 if the caller has to read them. */
function constant(from: usize, end: usize, parts: usize, number: usize): usize {
  let at = from;
  for (let part = parts; load<u32>(part) !== END && at !== 0; part += 8) {
    const described = <usize>load<u32>(part, 4);
    at = load<u32>(part) === VALUES ? row(at, end, described, number) : elements(at, end, described, number);
  }
  return at;
}

/**
 * Decodes constants of these parts into columns, and their keys; returns where the first one begins that it leaves to the caller. `done`: where
 * their number goes; an array may have the elements of one more.
 */
export function constants(from: usize, end: usize, parts: usize, count: u32, keys: usize, done: usize): usize {
  let at = from;
  let number: u32 = 0;
  for (; number < count && at < end; number++) {
    const length = lengthBy(endsAt(at));
    const key = integer(at, length);
    if (key >> 31 !== 0 || at + length > end) break;
    const next = constant(at + length, end, parts, number);
    if (next === 0) break;
    store<u32>(keys + (<usize>number << 2), <u32>key);
    at = next;
  }
  store<u32>(done, number);
  return at;
}

/** Slots that are tried for a key: whoever chooses keys cannot make this slow. */
const MOST_PROBES: u32 = 32;

@inline
function firstSlot(key: u32, mask: u32): u32 {
  const hash = key * 0x9e3779b1;
  return (hash ^ (hash >> 15)) & mask;
}

/**
 * Makes a table of rows by their keys, where the first row of a key counts; 0 if too many keys want the same slots. `mask`: number of slots less 1;
 * a slot is a key and its row + 1, 0 if it is free.
 */
export function tableOf(keys: usize, length: u32, table: usize, mask: u32): u32 {
  memory.fill(table, 0, (<usize>mask + 1) << 3);
  for (let number: u32 = 0; number < length; number++) {
    const key = load<u32>(keys + (<usize>number << 2));
    let slot = firstSlot(key, mask);
    for (let probes: u32 = 0; ; probes++) {
      if (probes === MOST_PROBES) return 0;
      const at = table + (<usize>slot << 3);
      if (load<u32>(at, 4) === 0) {
        store<u32>(at, key);
        store<u32>(at, number + 1, 4);
        break;
      }
      if (load<u32>(at) === key) break;
      slot = (slot + 1) & mask;
    }
  }
  return 1;
}

/** Turns keys into rows by such a table, in place; -1 for keys without a row. Returns how many of these are not 0. */
export function rowsOf(keys: usize, length: u32, table: usize, mask: u32): u32 {
  let missing: u32 = 0;
  const behind = keys + (<usize>length << 2);
  for (let at = keys; at < behind; at += 4) {
    const key = load<u32>(at);
    let slot = firstSlot(key, mask);
    let found: u32 = 0;
    for (let probes: u32 = 0; probes < MOST_PROBES; probes++) {
      const place = table + (<usize>slot << 3);
      found = load<u32>(place, 4);
      if (found === 0 || load<u32>(place) === key) break;
      found = 0;
      slot = (slot + 1) & mask;
    }
    if (found === 0 && key !== 0) missing++;
    store<u32>(at, found - 1);
  }
  return missing;
}
