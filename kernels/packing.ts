/**
 * Kernel of packed columns: values of a block to the bits of their differences, and back; rows to what they stand for.
 * `src/base/columns/packed-block.ts` is the same in TypeScript, describes the layout of the bits, and lays out the memory.
 *
 * Nothing here allocates. Up to 4 values behind the last one are read and written, and 16 bytes behind the bits; the 4 bytes before the
 * values are written.
 */

/** What packing returns beside the number of bits. */
const STEPS: u32 = 64;
const AS_THEY_ARE: u32 = 128;
/** Doubles up to here have exact differences. */
const LARGEST: f64 = 9007199254740992;
/** Steps are taken where they save so many bits. */
const LEAST_SAVED: u32 = 2;

// At `head`: the smallest value; with steps the difference of the first value to it, and the smallest step.
const FIRST: usize = 8;
const STEP: usize = 12;

@inline
function bitsOf(width: u32): u32 {
  return 32 - clz(width);
}

@inline
function smallest(lanes: v128): i32 {
  const half = i32x4.min_s(lanes, v128.shuffle<i32>(lanes, lanes, 2, 3, 0, 1));
  return min(i32x4.extract_lane(half, 0), i32x4.extract_lane(half, 1));
}

@inline
function largest(lanes: v128): i32 {
  const half = i32x4.max_s(lanes, v128.shuffle<i32>(lanes, lanes, 2, 3, 0, 1));
  return max(i32x4.extract_lane(half, 0), i32x4.extract_lane(half, 1));
}

/** Packs integers of 32 bits at `from` into `to`; fills `head`, and returns the bits a value. */
export function packIntegers(from: usize, length: i32, to: usize, head: usize): u32 {
  const end = from + (<usize>length << 2);
  // The last value once more does not change the range.
  pad(end, load<i32>(end - 4), 0);
  let lows = v128.load(from);
  let highs = lows;
  for (let at = from + 16; at < end; at += 16) {
    const values = v128.load(at);
    lows = i32x4.min_s(lows, values);
    highs = i32x4.max_s(highs, values);
  }
  const low = smallest(lows);
  store<f64>(head, <f64>low);
  return pack(from, end, <u32>largest(highs) - <u32>low, low, to, head);
}

/** Packs doubles, as `packIntegers` does. `spare`: room for half of their bytes. */
export function packDoubles(from: usize, length: i32, to: usize, head: usize, spare: usize): u32 {
  const end = from + (<usize>length << 3);
  const negativeZero = i64x2.splat(0x8000000000000000);
  let lows = v128.load64_splat(from);
  let highs = lows;
  // Lanes that hold no integer, or the negative zero.
  let others = i64x2.splat(0);
  let at = from;
  for (; at < end; at += 16) {
    // An odd last value is taken twice.
    const values = at + 16 <= end ? v128.load(at) : v128.load64_splat(at);
    others = v128.or(others, v128.or(f64x2.ne(f64x2.floor(values), values), i64x2.eq(values, negativeZero)));
    lows = f64x2.pmin(lows, values);
    highs = f64x2.pmax(highs, values);
  }
  if (v128.any_true(others)) return AS_THEY_ARE;
  const low = min(f64x2.extract_lane(lows, 0), f64x2.extract_lane(lows, 1));
  const high = max(f64x2.extract_lane(highs, 0), f64x2.extract_lane(highs, 1));
  if (high > LARGEST || low < -LARGEST || high - low >= 4294967296) return AS_THEY_ARE;
  store<f64>(head, low);
  const base = f64x2.splat(low);
  let out = spare;
  for (at = from; at < end; at += 32, out += 16) {
    const first = i32x4.trunc_sat_f64x2_u_zero(f64x2.sub(v128.load(at), base));
    const second = i32x4.trunc_sat_f64x2_u_zero(f64x2.sub(v128.load(at, 16), base));
    v128.store(out, v128.shuffle<i32>(first, second, 0, 1, 4, 5));
  }
  return pack(spare, spare + (<usize>length << 2), <u32>(high - low), 0, to, head);
}

/** Writes values up to a multiple of 4: `value`, and more by a step each. */
function pad(end: usize, value: i32, step: i32): void {
  for (let i = 0; i < 4; i++) {
    value += step;
    store<i32>(end + (<usize>i << 2), value);
  }
}

/** Packs the differences of integers to `base`, the largest of which is `width`, or those of their steps to the smallest step. */
function pack(from: usize, end: usize, width: u32, base: i32, to: usize, head: usize): u32 {
  const bits = bitsOf(width);
  if (bits <= LEAST_SAVED) return packed(from, end, bits, base, false, to);
  const first = load<i32>(from);
  // The first step is to be one of the others.
  store<i32>(from - 4, 2 * first - load<i32>(from, 4));
  pad(end, load<i32>(end - 4), load<i32>(end - 4) - load<i32>(end - 8));
  let lows = i32x4.sub(v128.load(from), v128.load(from - 4));
  let highs = lows;
  for (let at = from + 16; at < end; at += 16) {
    const steps = i32x4.sub(v128.load(at), v128.load(at - 4));
    lows = i32x4.min_s(lows, steps);
    highs = i32x4.max_s(highs, steps);
  }
  const step = smallest(lows);
  const bitsOfSteps = bitsOf(<u32>largest(highs) - <u32>step);
  if (bitsOfSteps + LEAST_SAVED > bits) return packed(from, end, bits, base, false, to);
  store<i32>(head, first - base, FIRST);
  store<i32>(head, step, STEP);
  store<i32>(from - 4, first - step);
  return packed(from, end, bitsOfSteps, step, true, to) | STEPS;
}

/** Writes the bits of each value, or step, less `base`. */
function packed(from: usize, end: usize, bits: u32, base: i32, steps: bool, to: usize): u32 {
  if (bits === 0) return 0;
  pad(end, steps ? load<i32>(end - 4) : base, steps ? base : 0);
  const less = i32x4.splat(base);
  let word = i32x4.splat(0);
  let filled: i32 = 0;
  for (let at = from; at < end; at += 16) {
    let values = i32x4.sub(v128.load(at), less);
    if (steps) values = i32x4.sub(values, v128.load(at - 4));
    word = v128.or(word, i32x4.shl(values, filled));
    filled += bits;
    if (filled < 32) continue;
    v128.store(to, word);
    to += 16;
    filled -= 32;
    word = filled === 0 ? i32x4.splat(0) : i32x4.shr_u(values, bits - filled);
  }
  v128.store(to, word);
  return bits;
}

/** Unpacks the differences of integers to `base`, to a multiple of 4; not for no bits. */
export function unpackIntegers(from: usize, length: i32, bits: u32, base: i32, to: usize): void {
  const mask = i32x4.splat(<i32>(0xffffffff >> (32 - bits)));
  const more = i32x4.splat(base);
  const end = to + (<usize>length << 2);
  let word = v128.load(from);
  let filled: i32 = 0;
  for (; to < end; to += 16) {
    let values = i32x4.shr_u(word, filled);
    filled += bits;
    if (filled >= 32) {
      from += 16;
      filled -= 32;
      word = v128.load(from);
      if (filled > 0) values = v128.or(values, i32x4.shl(word, bits - filled));
    }
    v128.store(to, i32x4.add(v128.and(values, mask), more));
  }
}

/** Unpacks steps, the smallest of which is `step`; `before`: the value before the first one. */
export function unpackSteps(from: usize, length: i32, bits: u32, step: i32, before: i32, to: usize): void {
  const end = to + (<usize>length << 2);
  if (bits !== 0) unpackIntegers(from, length, bits, step, to);
  for (; to < end; to += 4) {
    before += bits === 0 ? step : load<i32>(to);
    store<i32>(to, before);
  }
}

/** Unsigned integers plus `base`. */
export function toDoubles(from: usize, length: i32, base: f64, to: usize): void {
  const more = f64x2.splat(base);
  const end = to + (<usize>length << 3);
  for (; to < end; to += 16, from += 8)
    v128.store(to, f64x2.add(f64x2.convert_low_i32x4_u(v128.load64_zero(from)), more));
}

/** Not looked up yet. */
const UNKNOWN: i32 = -2;

/**
 * Replaces rows by the values of a table of some length, other rows by -1, from `from` on; returns where the first row is whose value is
 * unknown, or `end`.
 */
export function look(from: usize, end: usize, table: usize, length: u32): usize {
  for (; from < end; from += 4) {
    const row = load<u32>(from);
    let value: i32 = -1;
    if (row < length) {
      value = load<i32>(table + (<usize>row << 2));
      if (value === UNKNOWN) return from;
    }
    store<i32>(from, value);
  }
  return end;
}

// At `sums`: of the values of rows with a group, and of their squares; rows without one that have a value, and the sum of these; rows whose value is
// negative or none.
const SQUARES: usize = 8;
const ROWS: usize = 16;
const UNGROUPED: usize = 24;
const WITHOUT_VALUE: usize = 32;

/** Adds values to the sums, and to that of their group in a table of some length. */
export function addIntegers(groups: usize, values: usize, length: i32, table: usize, tableLength: u32, sums: usize): void {
  addUp(groups, values, length, table, tableLength, sums, false);
}

export function addDoubles(groups: usize, values: usize, length: i32, table: usize, tableLength: u32, sums: usize): void {
  addUp(groups, values, length, table, tableLength, sums, true);
}

@inline
function addUp(groups: usize, values: usize, length: i32, table: usize, tableLength: u32, sums: usize, wide: bool): void {
  let total = load<f64>(sums);
  let squares = load<f64>(sums, SQUARES);
  for (let row: usize = 0; row < <usize>length; row++) {
    const group = load<i32>(groups + (row << 2));
    const value = wide ? load<f64>(values + (row << 3)) : <f64>load<i32>(values + (row << 2));
    if (<u32>group < tableLength) {
      const sum = table + (<usize>group << 3);
      store<f64>(sum, load<f64>(sum) + value);
    }
    if (!(value >= 0)) store<f64>(sums, load<f64>(sums, WITHOUT_VALUE) + 1, WITHOUT_VALUE);
    else if (group >= 0) {
      total += value;
      squares += value * value;
    } else if (value > 0) {
      store<f64>(sums, load<f64>(sums, ROWS) + 1, ROWS);
      store<f64>(sums, load<f64>(sums, UNGROUPED) + value, UNGROUPED);
    }
  }
  store<f64>(sums, total);
  store<f64>(sums, squares, SQUARES);
}
