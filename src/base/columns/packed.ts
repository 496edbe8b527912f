/**
 * Columns kept with few bits a value: a column is a row of blocks (`packed-block.ts`), of 65,536 values at most. So ids of a small table
 * take a byte or less, and times in their order 2 or 3. Packing and unpacking are exact.
 */
import { BLOCK, DOUBLE, type PackedBlock, type PackedValues, packedBlock, unpackBlock } from './packed-block.js';
import { lowerBound } from './search.js';

export { BLOCK, loadPacking } from './packed-block.js';

/** Plain data. */
export interface PackedColumn {
  readonly length: number;
  /** Doubles; otherwise integers of 32 bits. */
  readonly wide: boolean;
  readonly blocks: readonly PackedBlock[];
}

const FIRST = 256;
/** Shorter blocks are not made in the middle of a column: each costs some 200 bytes. */
const SHORTEST = 1 << 10;
/** Integers of 32 bits are below it. */
const LIMIT = 2 ** 31;
/** Doubles up to here have exact sums. */
const LARGEST = 2 ** 53;

/** The values of a packed column. */
export function unpacked({ length, wide, blocks }: PackedColumn): PackedValues {
  const values = arrayOf(wide, length);
  let at = 0;
  for (const block of blocks) {
    unpackBlock(block, values.subarray(at, at + block.length));
    at += block.length;
  }
  return values;
}

/** The integers from `first` on: steps of 1, without bits. */
export function sequence(first: number, length: number): PackedColumn {
  const blocks: PackedBlock[] = [];
  for (let at = 0; at < length; at += BLOCK) {
    const steps = { first: 0, least: 1 };
    blocks.push({ length: Math.min(BLOCK, length - at), base: first + at, bits: 0, steps, values: undefined });
  }
  return { length, wide: false, blocks };
}

function arrayOf(wide: boolean, length: number): PackedValues {
  return wide ? new Float64Array(length) : new Int32Array(length);
}

/** Whether all values are the same: such a block may be longer than others. */
function isConstant({ bits, steps }: PackedBlock): boolean {
  return bits === 0 && steps === undefined;
}

/** Reads the values of a packed column from its beginning on, some at a time. */
export class PackedReader {
  readonly #blocks: readonly PackedBlock[];
  readonly #target: PackedValues;
  /** The values of a block. */
  readonly #room: PackedValues;
  #unpacked: PackedBlock | undefined;
  #block = 0;
  /** Values of the block that were read. */
  #read = 0;

  /** `most`: how many are read at a time. */
  constructor({ wide, blocks }: PackedColumn, most: number) {
    this.#blocks = blocks;
    this.#target = arrayOf(wide, most);
    const longest = blocks.reduce(
      (longestLength, block) => Math.max(longestLength, isConstant(block) ? 0 : block.length),
      0,
    );
    this.#room = arrayOf(wide, longest);
  }

  /** The next `count` values, which the column must have; valid until the next call. */
  next(count: number): PackedValues {
    for (let at = 0; at < count; ) {
      const block = this.#blocks[this.#block];
      const start = this.#read;
      const step = Math.min(block.length - start, count - at);
      this.#read += step;
      if (this.#read === block.length) {
        this.#block++;
        this.#read = 0;
      }
      if (isConstant(block)) this.#target.fill(block.base, at, at + step);
      else {
        const values = this.#valuesOf(block).subarray(start, start + step);
        if (step === count) return values;
        this.#target.set(values, at);
      }
      at += step;
    }
    return this.#target.subarray(0, count);
  }

  #valuesOf(block: PackedBlock): PackedValues {
    if (this.#unpacked !== block) {
      unpackBlock(block, this.#room.subarray(0, block.length));
      this.#unpacked = block;
    }
    return this.#room;
  }
}

/** Reads single values of a packed column; a block stays unpacked until a value of another one is read. */
export class PackedBlocks {
  /** How often a block was unpacked. */
  unpacked = 0;
  readonly #column: PackedColumn;
  /** By block: the first row behind it. */
  readonly #ends: Int32Array;
  #values: PackedValues = new Int32Array(0);
  #from = 0;

  constructor(column: PackedColumn) {
    this.#column = column;
    this.#ends = new Int32Array(column.blocks.length);
    for (let block = 0, end = 0; block < this.#ends.length; block++)
      this.#ends[block] = end += column.blocks[block]?.length ?? 0;
  }

  at(row: number): number {
    const place = row - this.#from;
    if (place >= 0 && place < this.#values.length) return this.#values[place];
    const number = lowerBound(this.#ends, row + 1);
    const block = this.#column.blocks[number];
    if (block === undefined) return NaN;
    if (isConstant(block)) return block.base;
    this.unpacked++;
    this.#from = this.#ends[number] - block.length;
    this.#values = arrayOf(this.#column.wide, block.length);
    unpackBlock(block, this.#values);
    return this.#values[row - this.#from];
  }
}

/** A growing packed column. What `finish` returned stays as it is when more is appended. */
export class PackedBuilder {
  readonly #missing: number;
  readonly #blocks: PackedBlock[] = [];
  #wide: boolean;
  /** Values of full blocks. */
  #packed = 0;
  #pending: PackedValues;
  #pendingLength = 0;
  /** Blocks of pending values that were finished, for later snapshots. */
  #parts: PackedBlock[] = [];
  #partsLength = 0;
  #isFinished = false;

  /** `missing`: the value of rows that nobody wrote. */
  constructor(wide: boolean, missing: number) {
    this.#wide = wide;
    this.#missing = missing;
    this.#pending = arrayOf(wide, FIRST);
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

  /** Appends values, and adds a number to each. The column becomes wide where they are no integers of 32 bits then. */
  append(values: PackedValues, plus = 0): void {
    // Many values are packed from where they are.
    if (values.length >= SHORTEST) this.endBlock(1);
    let start = 0;
    for (; values.length - start >= SHORTEST; start += BLOCK) {
      const some = values.subarray(start, start + BLOCK);
      const block = blockOf(some, plus);
      if (!this.#wide && !isOfIntegers(block, some, plus)) this.widen();
      this.#push(block);
    }
    if (start >= values.length) return;
    const rest = values.subarray(start);
    if (!this.#wide && !areIntegers(rest, plus)) this.widen();
    this.#write(rest.length, (target, at, first, last) => {
      const part = rest.subarray(first, last);
      if (plus === 0) target.set(part, at);
      else for (let i = 0; i < part.length; i++) target[at + i] = part[i] + plus;
    });
  }

  /** The next value begins a block, unless that before it would be shorter than `least`. */
  endBlock(least = SHORTEST): void {
    if (this.#pendingLength < least) return;
    const length = this.#pendingLength;
    this.#pendingLength = 0;
    this.#parts = [];
    this.#partsLength = 0;
    this.#push(packedBlock(this.#pending.subarray(0, length)));
  }

  /** Number of its blocks; undefined if some values are in none yet. */
  get blocks(): number | undefined {
    return this.#pendingLength === 0 ? this.#blocks.length : undefined;
  }

  /** Appends the blocks of another column from a number on, which both have then; false if one of them has values in no block. */
  appendBlocks(other: PackedBuilder, firstBlock: number): boolean {
    if (this.blocks === undefined || other.blocks === undefined || this.#wide !== other.#wide) return false;
    for (const block of other.#blocks.slice(firstBlock)) this.#push(block);
    return true;
  }

  /** Appends the same value several times. */
  appendSame(count: number, value: number): void {
    if (this.#pendingLength === 0 && count >= SHORTEST)
      this.#push({ length: count, base: this.#wide ? value : value | 0, bits: 0, values: undefined });
    else this.#write(count, (target, at, from, to) => target.fill(value, at, at + to - from));
  }

  /** Appends missing values up to this length. */
  padTo(length: number): void {
    if (length > this.length) this.appendSame(length - this.length, this.#missing);
  }

  /** The values so far. What is finished again and again packs what was added, and fewer than `SHORTEST` values of before. */
  finish(): PackedColumn {
    if (this.#isFinished) this.#packParts();
    this.#isFinished = true;
    const rest = this.#pending.subarray(this.#partsLength, this.#pendingLength);
    const last = rest.length === 0 ? [] : [packedBlock(rest)];
    return { length: this.length, wide: this.#wide, blocks: [...this.#blocks, ...this.#parts, ...last] };
  }

  #packParts(): void {
    for (; this.#pendingLength - this.#partsLength >= SHORTEST; this.#partsLength += SHORTEST)
      this.#parts.push(packedBlock(this.#pending.subarray(this.#partsLength, this.#partsLength + SHORTEST)));
  }

  /** `write(target, at, from, to)` writes some of `count` values, those `from` to before `to`, into `target` from `at` on. */
  #write(count: number, write: (target: PackedValues, at: number, from: number, to: number) => void): void {
    for (let written = 0; written < count; ) {
      const step = Math.min(count - written, BLOCK - this.#pendingLength);
      this.#reserve(this.#pendingLength + step);
      write(this.#pending, this.#pendingLength, written, written + step);
      this.#pendingLength += step;
      written += step;
      if (this.#pendingLength === BLOCK) this.endBlock(BLOCK);
    }
  }

  #push(block: PackedBlock): void {
    this.#blocks.push(block);
    this.#packed += block.length;
  }

  #reserve(length: number): void {
    if (length <= this.#pending.length) return;
    const room = Math.min(BLOCK, Math.max(length, 4 * this.#pending.length));
    this.#pending = resized(this.#pending, room, this.#pendingLength, this.#wide);
  }
}

/** Whether the values of a block are integers of 32 bits: these, after a number was added to each. */
function isOfIntegers({ base, bits, steps }: PackedBlock, values: PackedValues, plus: number): boolean {
  if (bits === DOUBLE) return areIntegers(values, plus);
  // They are integers, from `base` on.
  if (base < -LIMIT) return false;
  return (steps === undefined && base + 2 ** bits <= LIMIT) || areBelow(values, plus);
}

function areBelow(values: PackedValues, plus: number): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] + plus >= LIMIT) return false;
  return true;
}

function areIntegers(values: PackedValues, plus: number): boolean {
  if (values instanceof Int32Array && plus === 0) return true;
  // Nothing is added to the negative zero, which is none.
  for (let i = 0; i < values.length; i++) {
    const value = plus === 0 ? values[i] : values[i] + plus;
    if (!Object.is(value, value | 0)) return false;
  }
  return true;
}

/** The block of some values, after a number was added to each. */
function blockOf(values: PackedValues, plus: number): PackedBlock {
  if (plus === 0) return packedBlock(values);
  if (Number.isSafeInteger(plus)) {
    const block = packedBlock(values);
    const base = block.base + plus;
    // Sums up to there are exact.
    if (block.bits <= 32 && Math.abs(base) < LARGEST - 2 ** 32) return { ...block, base };
  }
  return packedBlock(Float64Array.from(values, (value) => value + plus));
}

function resized(values: PackedValues, length: number, used: number, wide: boolean): PackedValues {
  const room = arrayOf(wide, length);
  room.set(values.subarray(0, used));
  return room;
}
