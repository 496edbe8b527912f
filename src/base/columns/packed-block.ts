/**
 * Blocks of packed columns. The values of a block are kept as their differences to the smallest one, or where that takes fewer bits, as
 * steps from one to the next, in as many bits each as the largest needs; as doubles where nothing narrower is exact.
 *
 * The bits are in four lanes, so that vectors of four values are packed at once: value i is in lane i % 4, and the words of the lanes
 * take turns. With the kernel `kernels/packing.ts`, packing costs 1 to 3 ns a value and unpacking 1 ns; the loops here are the same.
 */
import { type Kernel, type KernelFunction, loadKernel } from '../kernel/kernel.js';
import { Layout } from '../kernel/layout.js';

export type PackedValues = Int32Array | Float64Array;

/** Plain data. */
export interface PackedBlock {
  readonly length: number;
  /** The smallest value; 0 of doubles. */
  readonly base: number;
  /** Of each value: 0 to 32; 64 for doubles, which are the values themselves. */
  readonly bits: number;
  /** Where steps are kept: the difference of the first value to `base`, and the smallest step, to which each is added. */
  readonly steps?: { readonly first: number; readonly least: number };
  /** Undefined if there are no bits. */
  readonly values: Uint32Array | Float64Array | undefined;
}

/** Values of a block: an unpacked one fits the second-level cache. */
export const BLOCK = 1 << 16;
const LANES = 4;
const WORD = 32;
export const DOUBLE = 64;
/** Steps are taken where they save so many bits. */
const LEAST_SAVED = 2;
/** Doubles up to here have exact differences. */
const LARGEST = 2 ** 53;

/** As in `kernels/packing.ts`. */
const STEPS = 64;
const AS_THEY_ARE = 128;
/** Shorter blocks are packed before a call of the kernel is made. */
const FROM_KERNEL = 1 << 8;
/** What the kernel reads and writes beside the values. */
const SPARE_BYTES = 64;
/** Longest table that is looked up in the kernel. */
const MOST_KNOWN = 1 << 18;
const layout = new Layout();
const HEAD = layout.take(64);
const VALUES = layout.take(8 * BLOCK + 2 * SPARE_BYTES) + SPARE_BYTES;
const SPARE = layout.take(4 * BLOCK + 2 * SPARE_BYTES) + SPARE_BYTES;
const RESULT = layout.take(4 * BLOCK + SPARE_BYTES);
const KNOWN = layout.take(4 * MOST_KNOWN);
/** Groups whose values the kernel adds up. */
const MOST_GROUPS = 1 << 16;
/** Doubles: as in `kernels/packing.ts`. */
export const PLACES_OF_SUMS = 5;
const SUMS = layout.take(8 * PLACES_OF_SUMS);
const BY_GROUP = layout.take(8 * MOST_GROUPS);

class PackingKernel {
  readonly #packIntegers: KernelFunction;
  readonly #packDoubles: KernelFunction;
  readonly #unpackIntegers: KernelFunction;
  readonly #unpackSteps: KernelFunction;
  readonly #toDoubles: KernelFunction;
  readonly #look: KernelFunction;
  readonly #addIntegers: KernelFunction;
  readonly #addDoubles: KernelFunction;
  readonly #integers: Int32Array;
  readonly #doubles: Float64Array;
  readonly #spare: Int32Array;
  readonly #result: Uint32Array;
  readonly #known: Int32Array;
  readonly #base: Float64Array;
  readonly #steps: Int32Array;
  readonly #sums: Float64Array;
  readonly #byGroup: Float64Array;

  constructor(kernel: Kernel) {
    const { buffer } = kernel;
    this.#packIntegers = kernel.function('packIntegers');
    this.#packDoubles = kernel.function('packDoubles');
    this.#unpackIntegers = kernel.function('unpackIntegers');
    this.#unpackSteps = kernel.function('unpackSteps');
    this.#toDoubles = kernel.function('toDoubles');
    this.#look = kernel.function('look');
    this.#addIntegers = kernel.function('addIntegers');
    this.#addDoubles = kernel.function('addDoubles');
    this.#integers = new Int32Array(buffer, VALUES, BLOCK);
    this.#doubles = new Float64Array(buffer, VALUES, BLOCK);
    this.#spare = new Int32Array(buffer, SPARE, BLOCK);
    this.#result = new Uint32Array(buffer, RESULT, BLOCK);
    this.#known = new Int32Array(buffer, KNOWN, MOST_KNOWN);
    this.#base = new Float64Array(buffer, HEAD, 1);
    this.#steps = new Int32Array(buffer, HEAD + 8, 2);
    this.#sums = new Float64Array(buffer, SUMS, PLACES_OF_SUMS);
    this.#byGroup = new Float64Array(buffer, BY_GROUP, MOST_GROUPS);
  }

  pack(values: PackedValues): PackedBlock {
    const { length } = values;
    if (values instanceof Int32Array) {
      this.#integers.set(values);
      return this.#block(length, this.#packIntegers(VALUES, length, RESULT, HEAD));
    }
    this.#doubles.set(values);
    const packed = this.#packDoubles(VALUES, length, RESULT, HEAD, SPARE);
    return packed === AS_THEY_ARE ? asTheyAre(values) : this.#block(length, packed);
  }

  #block(length: number, packed: number): PackedBlock {
    const bits = packed % STEPS;
    const [first, least] = this.#steps;
    return {
      length,
      base: this.#base[0],
      bits,
      ...(packed >= STEPS && { steps: { first, least } }),
      values: bits === 0 ? undefined : this.#result.slice(0, wordsOf(length, bits)),
    };
  }

  unpack({ length, base, bits, steps, values }: PackedBlock, target: PackedValues): void {
    if (values !== undefined) this.#result.set(values);
    const isWide = target instanceof Float64Array;
    const offset = isWide ? 0 : base;
    if (steps === undefined) this.#unpackIntegers(RESULT, length, bits, offset, SPARE);
    else this.#unpackSteps(RESULT, length, bits, steps.least, (offset + steps.first - steps.least) | 0, SPARE);
    if (isWide) {
      this.#toDoubles(SPARE, length, base, VALUES);
      target.set(this.#doubles.subarray(0, length));
    } else target.set(this.#spare.subarray(0, length));
  }

  look(rows: Int32Array, knownValues: Int32Array, find: (row: number) => number, target: Int32Array): void {
    this.#integers.set(rows);
    this.#known.set(knownValues);
    const end = VALUES + 4 * rows.length;
    for (let at = VALUES; ; ) {
      at = this.#look(at, end, KNOWN, knownValues.length);
      if (at === end) break;
      const row = rows[(at - VALUES) / 4];
      this.#known[row] = find(row);
    }
    target.set(this.#integers.subarray(0, rows.length));
  }

  /** Sums of values by so many groups; one at a time. */
  groupSums(groups: number): GroupSumsKernel {
    this.#sums.fill(0);
    const byGroup = this.#byGroup.subarray(0, groups).fill(0);
    return {
      add: (rows, values, length) => {
        for (let start = 0; start < length; start += BLOCK) {
          const end = Math.min(length, start + BLOCK);
          this.#spare.set(rows.subarray(start, end));
          const isWide = values instanceof Float64Array;
          const room = isWide ? this.#doubles : this.#integers;
          room.set(values.subarray(start, end));
          const add = isWide ? this.#addDoubles : this.#addIntegers;
          add(SPARE, VALUES, end - start, BY_GROUP, groups, SUMS);
        }
      },
      finish: (sums, target) => {
        for (let i = 0; i < sums.length; i++) sums[i] += this.#sums[i];
        if (target !== undefined) for (let i = 0; i < groups; i++) target[i] += byGroup[i];
      },
    };
  }
}

/** Adds up values by the kernel; for `addUp` in `group-sums.ts`. */
export interface GroupSumsKernel {
  /** Adds so many rows: their groups, and their values. */
  add(groups: Int32Array, values: PackedValues, length: number): void;
  /** Adds what was added up to the sums of all, and of each group. */
  finish(sums: Float64Array, byGroup: Float64Array | undefined): void;
}

/** Undefined where the kernel is not loaded, or lacks room for so many groups. */
export function groupSumsKernel(groups: number): GroupSumsKernel | undefined {
  return groups > MOST_GROUPS ? undefined : kernel?.groupSums(groups);
}

let kernel: PackingKernel | undefined;
let loading: Promise<void> | undefined;

/** Packs with the kernel from now on, where it can run: for whoever packs millions of values. */
export function loadPacking(): Promise<void> {
  loading ??= (async () => {
    const { CODE } = await import('./packing-code.js');
    const loaded = await loadKernel(CODE, layout.length);
    kernel = loaded && new PackingKernel(loaded);
  })();
  return loading;
}

/** The words of the bits of some values. */
function wordsOf(length: number, bits: number): number {
  return LANES * Math.ceil((Math.ceil(length / LANES) * bits) / WORD);
}

/** Packs values, at most `BLOCK`. */
export function packedBlock(values: PackedValues): PackedBlock {
  if (kernel !== undefined && values.length >= FROM_KERNEL) return kernel.pack(values);
  const range = values instanceof Float64Array ? rangeOfDoubles(values) : rangeOf(values);
  if (range === undefined || range.most - range.least >= 2 ** WORD) return asTheyAre(values);
  const { least: base, most } = range;
  const differences = new Int32Array(values.length);
  if (values instanceof Float64Array) subtractDoubles(values, base, differences);
  else subtract(values, base, differences);
  return { length: values.length, base, ...packed(differences, bitsOf(most - base)) };
}

function asTheyAre(values: PackedValues): PackedBlock {
  return { length: values.length, base: 0, bits: DOUBLE, values: Float64Array.from(values) };
}

function bitsOf(width: number): number {
  return WORD - Math.clz32(width);
}

function packed(differences: Int32Array, bits: number): Pick<PackedBlock, 'bits' | 'steps' | 'values'> {
  if (bits > LEAST_SAVED && differences.length > 1) {
    const steps = new Int32Array(differences.length);
    for (let i = 1; i < steps.length; i++) steps[i] = differences[i] - differences[i - 1];
    const [first] = differences;
    steps[0] = steps[1];
    const { least, most } = rangeOf(steps);
    const bitsOfSteps = bitsOf(most - least);
    if (bitsOfSteps + LEAST_SAVED <= bits) {
      subtract(steps, least, steps);
      steps[0] = 0;
      return { bits: bitsOfSteps, steps: { first, least }, values: packedBits(steps, bitsOfSteps) };
    }
  }
  return { bits, values: packedBits(differences, bits) };
}

function packedBits(values: Int32Array, bits: number): Uint32Array | undefined {
  if (bits === 0) return undefined;
  const words = new Uint32Array(wordsOf(values.length, bits));
  for (let i = 0; i < values.length; i++) {
    const bit = (i >> 2) * bits;
    const word = (bit >>> 5) * LANES + (i & 3);
    const filled = bit & 31;
    words[word] |= values[i] << filled;
    if (filled + bits > WORD) words[word + LANES] = values[i] >>> (WORD - filled);
  }
  return words;
}

/** Writes all values of a block. */
export function unpackBlock(block: PackedBlock, target: PackedValues): void {
  const { length, base, bits, steps, values } = block;
  if (bits === DOUBLE) target.set(values ?? []);
  else if (bits === 0 && steps === undefined) target.fill(base);
  else if (kernel !== undefined && length >= FROM_KERNEL) kernel.unpack(block, target);
  else {
    const differences = new Int32Array(length);
    if (values instanceof Uint32Array) unpackBits(values, bits, differences);
    if (steps !== undefined) {
      let value = steps.first - steps.least;
      for (let i = 0; i < length; i++) differences[i] = value = (value + steps.least + differences[i]) | 0;
    }
    if (target instanceof Float64Array) addToDoubles(differences, base, target);
    else add(differences, base, target);
  }
}

function unpackBits(words: Uint32Array, bits: number, values: Int32Array): void {
  const mask = bits === WORD ? -1 : (1 << bits) - 1;
  for (let i = 0; i < values.length; i++) {
    const bit = (i >> 2) * bits;
    const word = (bit >>> 5) * LANES + (i & 3);
    const filled = bit & 31;
    let value = words[word] >>> filled;
    if (filled + bits > WORD) value |= words[word + LANES] << (WORD - filled);
    values[i] = value & mask;
  }
}

/**
 * Writes what rows stand for, by a table that has -2 for what is not looked up yet: `find` looks a row up, and keeps it in the table. Rows
 * that the table lacks become -1.
 */
export function lookUp(
  rows: Int32Array,
  knownValues: Int32Array,
  find: (row: number) => number,
  target: Int32Array,
): void {
  // The kernel copies the table.
  if (
    kernel !== undefined &&
    knownValues.length <= MOST_KNOWN &&
    knownValues.length <= 8 * rows.length &&
    rows.length <= BLOCK
  )
    kernel.look(rows, knownValues, find, target);
  else
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i];
      const value = row >= 0 && row < knownValues.length ? knownValues[row] : -1;
      target[i] = value === -2 ? find(row) : value;
    }
}

// Each of these loops sees arrays of one type only, and those over integers stay in 32 bits, which makes them several times faster.

interface Range {
  readonly least: number;
  readonly most: number;
}

function rangeOf(values: Int32Array): Range {
  let least = values[0];
  let most = least;
  for (let i = 1; i < values.length; i++) {
    const value = values[i];
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  return { least, most };
}

/** Undefined if not all are integers whose differences are exact, or one is the negative zero. */
function rangeOfDoubles(values: Float64Array): Range | undefined {
  let least = values[0];
  let most = least;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (Math.floor(value) !== value || (value === 0 && 1 / value < 0)) return undefined;
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  return most <= LARGEST && least >= -LARGEST ? { least, most } : undefined;
}

function subtract(values: Int32Array, base: number, differences: Int32Array): void {
  const offset = base | 0;
  for (let i = 0; i < differences.length; i++) differences[i] = (values[i] - offset) | 0;
}

function subtractDoubles(values: Float64Array, base: number, differences: Int32Array): void {
  for (let i = 0; i < differences.length; i++) differences[i] = (values[i] - base) | 0;
}

function add(differences: Int32Array, base: number, target: Int32Array): void {
  const offset = base | 0;
  for (let i = 0; i < differences.length; i++) target[i] = (differences[i] + offset) | 0;
}

function addToDoubles(differences: Int32Array, base: number, target: Float64Array): void {
  for (let i = 0; i < differences.length; i++) target[i] = (differences[i] >>> 0) + base;
}
