/**
 * Columns kept with the fewest bytes a value. A column is a row of blocks, of 65,536 values mostly; a block keeps the differences to its
 * smallest value with 1, 2 or 4 bytes each, none if all values are the same, and doubles where nothing narrower is exact. So the times of
 * a second's events take 4 bytes each, and ids of a small table 1 or 2.
 *
 * Packing and unpacking are exact. With the kernel `kernels/packing.ts`, packing costs 1 to 2 ns a value; unpacking does without it.
 */
import { type Kernel, type KernelFunction, loadKernel } from '../kernel/kernel.js';
import { Layout } from '../kernel/layout.js';

type Values = Int32Array | Float64Array;

/** Of a block: the differences to `base`; undefined if there are none. Doubles are the values themselves, and `base` is 0. */
interface PackedBlock {
  readonly length: number;
  readonly base: number;
  readonly values: Uint8Array | Uint16Array | Uint32Array | Float64Array | undefined;
}

/** Plain data. */
export interface PackedColumn {
  readonly length: number;
  /** Doubles; otherwise integers of 32 bits. */
  readonly wide: boolean;
  readonly blocks: readonly PackedBlock[];
}

/** Values of a block: an unpacked one fits the second-level cache. */
export const BLOCK = 1 << 16;
const FIRST = 256;
/** Shorter blocks are not made in the middle of a column: each costs some 200 bytes. */
const SHORTEST = 1 << 10;

/** The values of a packed column. */
export function unpacked(column: PackedColumn): Values {
  return new PackedReader(column, column.length).next(column.length);
}

/** Reads the values of a packed column from its beginning on, some at a time. */
export class PackedReader {
  readonly #blocks: readonly PackedBlock[];
  readonly #target: Values;
  #block = 0;
  /** Values of the block that were read. */
  #read = 0;

  /** `most`: how many are read at a time. */
  constructor({ wide, blocks }: PackedColumn, most: number) {
    this.#blocks = blocks;
    this.#target = wide ? new Float64Array(most) : new Int32Array(most);
  }

  /** The next `count` values, which the column must have; valid until the next call. */
  next(count: number): Values {
    for (let at = 0; at < count; ) {
      const block = this.#blocks[this.#block];
      const step = Math.min(block.length - this.#read, count - at);
      const part = this.#target.subarray(at, at + step);
      unpackBlock(block, this.#read, part);
      at += step;
      this.#read += step;
      if (this.#read < block.length) break;
      this.#block++;
      this.#read = 0;
    }
    return this.#target.subarray(0, count);
  }
}

function unpackBlock({ base, values }: PackedBlock, from: number, part: Values): void {
  if (values === undefined) part.fill(base);
  else if (part instanceof Float64Array) unpackDoubles(values.subarray(from, from + part.length), base, part);
  else unpackIntegers(values.subarray(from, from + part.length), base, part);
}

/** A growing packed column. What `finish` returned stays as it is when more is appended. */
export class PackedBuilder {
  readonly #missing: number;
  readonly #blocks: PackedBlock[] = [];
  #wide: boolean;
  /** Values of full blocks. */
  #packed = 0;
  #pending: Values;
  #pendingLength = 0;

  /** `missing`: the value of rows that nobody wrote. */
  constructor(wide: boolean, missing: number) {
    this.#wide = wide;
    this.#missing = missing;
    this.#pending = wide ? new Float64Array(FIRST) : new Int32Array(FIRST);
  }

  get length(): number {
    return this.#packed + this.#pendingLength;
  }

  /** Whether its values are doubles. */
  get wide(): boolean {
    return this.#wide;
  }

  /** As doubles from now on. */
  widen(): void {
    if (this.#wide) return;
    this.#wide = true;
    this.#pending = resized(this.#pending, this.#pending.length, this.#pendingLength, true);
  }

  /**
   * Appends `count` values, in steps: `write(target, at, from, to)` writes the values `from` to before `to` of them into `target` from `at` on.
   * It has doubles if the column has.
   */
  append(count: number, write: (target: Values, at: number, from: number, to: number) => void): void {
    for (let from = 0; from < count; ) {
      const step = Math.min(count - from, BLOCK - this.#pendingLength);
      this.#reserve(this.#pendingLength + step);
      write(this.#pending, this.#pendingLength, from, from + step);
      this.#pendingLength += step;
      from += step;
      if (this.#pendingLength === BLOCK) this.#flush();
    }
  }

  /** The next value begins a block, unless that before it would be short. */
  endBlock(): void {
    if (this.#pendingLength >= SHORTEST) this.#flush();
  }

  /** Number of its blocks; undefined if some values are in none yet. */
  get blocks(): number | undefined {
    return this.#pendingLength === 0 ? this.#blocks.length : undefined;
  }

  /** Appends the blocks of another column from a number on, which both have then; false if one of them has values in no block. */
  appendBlocks(other: PackedBuilder, from: number): boolean {
    if (this.blocks === undefined || other.blocks === undefined || this.#wide !== other.#wide) return false;
    for (const block of other.#blocks.slice(from)) {
      this.#blocks.push(block);
      this.#packed += block.length;
    }
    return true;
  }

  /** Appends the same value several times. */
  appendSame(count: number, value: number): void {
    if (this.#pendingLength === 0 && count >= SHORTEST) {
      this.#blocks.push({ length: count, base: this.#wide ? value : value | 0, values: undefined });
      this.#packed += count;
      return;
    }
    this.append(count, (target, at, from, to) => target.fill(value, at, at + to - from));
  }

  /** Appends missing values up to this length. */
  padTo(length: number): void {
    if (length > this.length) this.appendSame(length - this.length, this.#missing);
  }

  finish(): PackedColumn {
    const rest = this.#pendingLength === 0 ? [] : [packedBlock(this.#pending, this.#pendingLength)];
    return { length: this.length, wide: this.#wide, blocks: [...this.#blocks, ...rest] };
  }

  #reserve(length: number): void {
    if (length <= this.#pending.length) return;
    const room = Math.min(BLOCK, Math.max(length, 4 * this.#pending.length));
    this.#pending = resized(this.#pending, room, this.#pendingLength, this.#wide);
  }

  #flush(): void {
    this.#blocks.push(packedBlock(this.#pending, this.#pendingLength));
    this.#packed += this.#pendingLength;
    this.#pendingLength = 0;
  }
}

/** Shorter blocks are packed before a call of the kernel is made. */
const FROM_KERNEL = 1 << 8;
const layout = new Layout();
const LEAST = layout.take(8);
const VALUES = layout.take(8 * (BLOCK + 16));
const SPARE = layout.take(4 * (BLOCK + 16));
const RESULT = layout.take(4 * (BLOCK + 16));

class PackingKernel {
  readonly #buffer: ArrayBuffer;
  readonly #packIntegers: KernelFunction;
  readonly #packDoubles: KernelFunction;
  readonly #integers: Int32Array;
  readonly #doubles: Float64Array;

  constructor(kernel: Kernel) {
    this.#buffer = kernel.buffer;
    this.#packIntegers = kernel.function('packIntegers');
    this.#packDoubles = kernel.function('packDoubles');
    this.#integers = new Int32Array(kernel.buffer, VALUES, BLOCK);
    this.#doubles = new Float64Array(kernel.buffer, VALUES, BLOCK);
  }

  pack(values: Values, length: number): PackedBlock {
    if (values instanceof Float64Array) {
      this.#doubles.set(values.subarray(0, length));
      const bytes = this.#packDoubles(VALUES, length, RESULT, LEAST, SPARE);
      if (bytes === 8) return { length, base: 0, values: doubles(values, length) };
      return { length, base: new Float64Array(this.#buffer, LEAST, 1)[0], values: this.#result(bytes, length) };
    }
    this.#integers.set(values.subarray(0, length));
    const bytes = this.#packIntegers(VALUES, length, RESULT, LEAST);
    return { length, base: new Int32Array(this.#buffer, LEAST, 1)[0], values: this.#result(bytes, length) };
  }

  #result(bytes: number, length: number): Narrow | undefined {
    if (bytes === 0) return undefined;
    const Column = bytes === 1 ? Uint8Array : bytes === 2 ? Uint16Array : Uint32Array;
    return new Column(this.#buffer, RESULT, length).slice();
  }
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

function resized(values: Values, length: number, used: number, wide: boolean): Values {
  const room = wide ? new Float64Array(length) : new Int32Array(length);
  room.set(values.subarray(0, used));
  return room;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

function packedBlock(values: Values, length: number): PackedBlock {
  if (kernel !== undefined && length >= FROM_KERNEL && length <= BLOCK) return kernel.pack(values, length);
  const range = values instanceof Float64Array ? rangeOfDoubles(values, length) : rangeOf(values, length);
  const width = range === undefined ? Infinity : range.most - range.least;
  if (range === undefined || width >= 2 ** 32) return { length, base: 0, values: doubles(values, length) };
  const { least } = range;
  if (width === 0) return { length, base: least, values: undefined };
  const narrow =
    width < 2 ** 8 ? new Uint8Array(length) : width < 2 ** 16 ? new Uint16Array(length) : new Uint32Array(length);
  if (values instanceof Float64Array) subtractDoubles(values, least, narrow);
  else subtract(values, least, narrow);
  return { length, base: least, values: narrow };
}

function doubles(values: Values, length: number): Float64Array {
  const copy = new Float64Array(length);
  copy.set(values.subarray(0, length));
  return copy;
}

// Each of these loops sees arrays of one type only, and those over integers stay in 32 bits, which makes them several times faster.

function rangeOf(values: Int32Array, length: number): Range {
  let least = values[0];
  let most = least;
  for (let i = 1; i < length; i++) {
    const value = values[i];
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  return { least, most };
}

/** Undefined if not all are integers whose differences are exact, or one is the negative zero. */
function rangeOfDoubles(values: Float64Array, length: number): Range | undefined {
  let least = values[0];
  let most = least;
  for (let i = 0; i < length; i++) {
    const value = values[i];
    if (Math.floor(value) !== value || (value === 0 && 1 / value < 0)) return undefined;
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  return most <= 2 ** 53 && least >= -(2 ** 53) ? { least, most } : undefined;
}

type Narrow = Uint8Array | Uint16Array | Uint32Array;

function subtract(values: Int32Array, base: number, narrow: Narrow): void {
  const from = base | 0;
  if (narrow instanceof Uint8Array) for (let i = 0; i < narrow.length; i++) narrow[i] = (values[i] - from) | 0;
  else if (narrow instanceof Uint16Array) for (let i = 0; i < narrow.length; i++) narrow[i] = (values[i] - from) | 0;
  else for (let i = 0; i < narrow.length; i++) narrow[i] = (values[i] - from) | 0;
}

function subtractDoubles(values: Float64Array, base: number, narrow: Narrow): void {
  if (narrow instanceof Uint8Array) for (let i = 0; i < narrow.length; i++) narrow[i] = values[i] - base;
  else if (narrow instanceof Uint16Array) for (let i = 0; i < narrow.length; i++) narrow[i] = values[i] - base;
  else for (let i = 0; i < narrow.length; i++) narrow[i] = values[i] - base;
}

function unpackIntegers(narrow: Narrow | Float64Array, base: number, values: Int32Array): void {
  const from = base | 0;
  if (narrow instanceof Uint8Array) for (let i = 0; i < narrow.length; i++) values[i] = (narrow[i] + from) | 0;
  else if (narrow instanceof Uint16Array) for (let i = 0; i < narrow.length; i++) values[i] = (narrow[i] + from) | 0;
  else if (narrow instanceof Uint32Array) for (let i = 0; i < narrow.length; i++) values[i] = (narrow[i] + from) | 0;
  else values.set(narrow);
}

function unpackDoubles(narrow: Narrow | Float64Array, base: number, values: Float64Array): void {
  if (narrow instanceof Float64Array) values.set(narrow);
  else if (narrow instanceof Uint8Array) for (let i = 0; i < narrow.length; i++) values[i] = narrow[i] + base;
  else if (narrow instanceof Uint16Array) for (let i = 0; i < narrow.length; i++) values[i] = narrow[i] + base;
  else for (let i = 0; i < narrow.length; i++) values[i] = narrow[i] + base;
}
