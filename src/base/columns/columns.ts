/**
 * Growable columns over typed arrays. A builder doubles its memory when it is full, so a push costs O(1) on average;
 * `finish` returns a view of the values: a snapshot that costs nothing, since later values are appended after it.
 * Unused room is only address space; it is never touched.
 */
const FIRST_CAPACITY = 64;

/** A growing column of 32-bit integers: row ids, bytecode indexes, lengths. */
export class Int32Builder {
  values: Int32Array;
  length = 0;

  constructor(capacity: number = FIRST_CAPACITY) {
    this.values = new Int32Array(Math.max(Math.ceil(capacity), 16));
  }

  push(value: number): number {
    if (this.length === this.values.length) this.reserve(1);
    this.values[this.length] = value;
    return this.length++;
  }

  /** Makes room for `more` values, so that they can be written to `values` directly. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.values.length) return;
    const grown = new Int32Array(Math.max(needed, this.values.length * 2));
    grown.set(this.values.subarray(0, this.length));
    this.values = grown;
  }

  append(values: ArrayLike<number>): void {
    this.reserve(values.length);
    this.values.set(values, this.length);
    this.length += values.length;
  }

  finish(): Int32Array {
    return this.values.subarray(0, this.length);
  }
}

/** A copy with room for as many values again. */
export function doubled(values: Int32Array): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(values.length * 2);
  grown.set(values);
  return grown;
}

/** A growing column of doubles: counts (exact to 2^53), times in nanoseconds. */
export class Float64Builder {
  values: Float64Array;
  length = 0;

  constructor(capacity: number = FIRST_CAPACITY) {
    this.values = new Float64Array(Math.max(capacity, 16));
  }

  push(value: number): number {
    if (this.length === this.values.length) this.reserve(1);
    this.values[this.length] = value;
    return this.length++;
  }

  /** Makes room for `more` values, so that they can be written to `values` directly. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.values.length) return;
    const grown = new Float64Array(Math.max(needed, this.values.length * 2));
    grown.set(this.values.subarray(0, this.length));
    this.values = grown;
  }

  append(values: ArrayLike<number>): void {
    this.reserve(values.length);
    this.values.set(values, this.length);
    this.length += values.length;
  }

  finish(): Float64Array {
    return this.values.subarray(0, this.length);
  }
}

/** A growing run of bytes. */
export class ByteBuilder {
  bytes: Uint8Array;
  length = 0;

  constructor(capacity: number = FIRST_CAPACITY) {
    this.bytes = new Uint8Array(Math.max(capacity, 16));
  }

  push(byte: number): void {
    this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  append(source: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    // A short copy by hand is several times cheaper than making a view for `set`.
    if (to - from < 64) for (let i = from; i < to; i++) this.bytes[this.length++] = source[i];
    else {
      this.bytes.set(source.subarray(from, to), this.length);
      this.length += to - from;
    }
  }

  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  finish(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}

/** Runs of bytes, one behind the other: run `id` is `bytes[offsets[id] .. offsets[id + 1])`. 4 bytes a run beside its bytes. */
export class ByteRuns {
  readonly bytes = new ByteBuilder(1 << 12);
  readonly offsets = new Int32Builder();

  constructor() {
    this.offsets.push(0);
  }

  get length(): number {
    return this.offsets.length - 1;
  }

  /** Appends a run; returns its id. */
  push(source: Uint8Array, from: number, to: number): number {
    this.bytes.append(source, from, to);
    return this.offsets.push(this.bytes.length) - 1;
  }

  equals(id: number, source: Uint8Array, from: number, to: number): boolean {
    const { values } = this.offsets;
    return sameBytes(this.bytes.bytes, values[id], values[id + 1], source, from, to);
  }
}

/** Whether `a[aFrom .. aTo)` and `b[bFrom .. bTo)` are equal. */
export function sameBytes(
  a: Uint8Array,
  aFrom: number,
  aTo: number,
  b: Uint8Array,
  bFrom: number,
  bTo: number,
): boolean {
  if (aTo - aFrom !== bTo - bFrom) return false;
  for (let i = aFrom, j = bFrom; i < aTo; i++, j++) if (a[i] !== b[j]) return false;
  return true;
}

/** Offsets into a file, one per row, ascending: the low 32 bits of each, and the rows at which 2^32 was crossed. */
export interface OffsetColumn {
  readonly low: Int32Array;
  readonly wraps: Int32Array;
}

/** Builds an `OffsetColumn`: 4 bytes per row although files may be larger than 4 GiB. */
export class OffsetBuilder {
  readonly #low: Int32Builder;
  readonly #wraps = new Int32Builder(16);
  #nextWrap = 2 ** 32;

  constructor(capacity?: number) {
    this.#low = new Int32Builder(capacity);
  }

  push(offset: number): void {
    for (; offset >= this.#nextWrap; this.#nextWrap += 2 ** 32) this.#wraps.push(this.#low.length);
    this.#low.push(offset | 0);
  }

  finish(): OffsetColumn {
    return { low: this.#low.finish(), wraps: this.#wraps.finish() };
  }
}

/** The file offset in row `row`. */
export function offsetAt(column: OffsetColumn, row: number): number {
  const low = column.low[row];
  let wraps = 0;
  for (const wrap of column.wraps) if (wrap <= row) wraps++;
  return (low >>> 0) + wraps * 2 ** 32;
}

/** The sum of a column. Iterators take twenty times as long where columns are of several types. */
export function sumOf(values: Int32Array | Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
}
