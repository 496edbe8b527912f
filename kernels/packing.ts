/**
 * Kernel of packed columns: the differences of a block's values to their smallest one, in as few bytes as hold them.
 * `src/base/columns/packed.ts` is the same in TypeScript, and lays out the memory.
 *
 * Nothing here allocates. Values behind the last one, up to a multiple of 16, are read, and their room in the result is written.
 */

/** Bytes a value in the result; values that fit none of these stay as they are. */
const SAME: u32 = 0;
const AS_THEY_ARE: u32 = 8;
/** Doubles up to here have exact differences. */
const LARGEST: f64 = 9007199254740992;

/** Packs integers of 32 bits at `from` into `to`; stores the smallest at `least`, and returns the bytes a value. */
export function packIntegers(from: usize, length: i32, to: usize, least: usize): u32 {
  let low = load<i32>(from);
  let high = low;
  let at = from;
  const end = from + (<usize>length << 2);
  let lows = i32x4.splat(low);
  let highs = lows;
  for (; at + 16 <= end; at += 16) {
    const values = v128.load(at);
    lows = i32x4.min_s(lows, values);
    highs = i32x4.max_s(highs, values);
  }
  for (; at < end; at += 4) {
    const value = load<i32>(at);
    if (value < low) low = value;
    if (value > high) high = value;
  }
  low = min(low, min(min(i32x4.extract_lane(lows, 0), i32x4.extract_lane(lows, 1)), min(i32x4.extract_lane(lows, 2), i32x4.extract_lane(lows, 3))));
  high = max(high, max(max(i32x4.extract_lane(highs, 0), i32x4.extract_lane(highs, 1)), max(i32x4.extract_lane(highs, 2), i32x4.extract_lane(highs, 3))));
  store<i32>(least, low);
  return narrow(from, end, <u32>high - <u32>low, i32x4.splat(low), to);
}

/** Packs doubles, as `packIntegers` does: `least` gets a double. `spare`: room for half of their bytes. */
export function packDoubles(from: usize, length: i32, to: usize, least: usize, spare: usize): u32 {
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
  store<f64>(least, low);
  const base = f64x2.splat(low);
  let out = spare;
  for (at = from; at < end; at += 32, out += 16) {
    const first = i32x4.trunc_sat_f64x2_u_zero(f64x2.sub(v128.load(at), base));
    const second = i32x4.trunc_sat_f64x2_u_zero(f64x2.sub(v128.load(at, 16), base));
    v128.store(out, v128.shuffle<i32>(first, second, 0, 1, 4, 5));
  }
  return narrow(spare, spare + (<usize>length << 2), <u32>(high - low), i32x4.splat(0), to);
}

/** Writes the differences of integers to `base`, the largest of which is `width`. */
function narrow(from: usize, end: usize, width: u32, base: v128, to: usize): u32 {
  if (width === 0) return SAME;
  if (width < 256) {
    for (let at = from; at < end; at += 64, to += 16) {
      const low = i16x8.narrow_i32x4_u(i32x4.sub(v128.load(at), base), i32x4.sub(v128.load(at, 16), base));
      const high = i16x8.narrow_i32x4_u(i32x4.sub(v128.load(at, 32), base), i32x4.sub(v128.load(at, 48), base));
      v128.store(to, i8x16.narrow_i16x8_u(low, high));
    }
    return 1;
  }
  if (width < 65536) {
    for (let at = from; at < end; at += 32, to += 16)
      v128.store(to, i16x8.narrow_i32x4_u(i32x4.sub(v128.load(at), base), i32x4.sub(v128.load(at, 16), base)));
    return 2;
  }
  for (let at = from; at < end; at += 16, to += 16) v128.store(to, i32x4.sub(v128.load(at), base));
  return 4;
}
