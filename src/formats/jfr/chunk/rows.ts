/**
 * Values of a type as columns: each event, or constant, is a row. Cost: 2 to 6 ns of CPU a number where all of a type are compressed
 * integers, which those of nearly all frequent types are.
 */
import { NONE } from '../../../base/flavor.js';
import type { ChunkState } from './chunk-state.js';
import type { EarlyRows } from './early-rows.js';
import type { DecodePlan } from './plan.js';
import * as op from './plan.js';
import { Rests, SAFE_HIGH } from './rests.js';

const FIRST_ROWS = 16;
/** Memory that is not used yet costs nothing, copies and their pages do. */
const GROWTH = 8;

/** Columns of some rows, in the order of the slots of a plan. */
export interface Batch {
  readonly ints: readonly Int32Array[];
  readonly doubles: readonly Float64Array[];
  readonly arrays?: readonly BatchArray[];
}

/** First row and number of rows of each array, and the rows. */
interface BatchArray {
  readonly firsts: Int32Array;
  readonly counts: Int32Array;
  readonly rows: Batch;
  readonly length: number;
}

/** Constants that were read before what refers to them, by id of their type. */
export interface PoolsOfKeys {
  of(type: number): RowsOfKeys | undefined;
}

/** Rows of the constants of a type by codes of their keys. */
interface RowsOfKeys {
  rowOf(code: number): number;
  direct(most: number): Int32Array | undefined;
}

export class Rows {
  readonly plan: DecodePlan;
  readonly ints: Int32Array[];
  readonly doubles: Float64Array[];
  readonly rests = new Rests();
  /** First row and number of rows of each array. */
  readonly firsts: Int32Array[];
  readonly counts: Int32Array[];
  readonly arrays: readonly Rows[];
  length = 0;
  /** Where keys become rows of pools when they are read; otherwise columns have their codes. */
  pools: PoolsOfKeys | undefined;
  /** Which rows stay, if not all do; the first column of doubles is their time. */
  early: EarlyRows | undefined;
  /** Nobody needs its rows after the next ones are read, so its columns may be those of the kernel. */
  isInParts = false;
  /** Called before columns grow: may remove rows, so that they need not. */
  full: (() => void) | undefined;
  readonly #state: ChunkState;
  readonly #operations: Uint8Array;
  readonly #slots: Int32Array;
  readonly #isFast: boolean;
  readonly #ticksHigh: number;
  readonly #ticksLow: number;
  readonly #ticksPerNano: number;
  /** By slot. */
  readonly #typesOfKeys: number[] = [];
  #capacity: number;
  /** Its columns belong to this batch. */
  #lent: Batch | undefined;

  /** `before`: rows of the same type that nobody needs any more; their columns are used again, since new memory costs as much as decoding. */
  constructor(plan: DecodePlan, state: ChunkState, before?: Rows) {
    const same = before?.isLike(plan) && before.#lent === undefined ? before : undefined;
    const capacity = same?.capacity ?? FIRST_ROWS;
    this.#capacity = capacity;
    this.plan = plan;
    this.#state = state;
    this.#operations = plan.operations;
    this.#slots = plan.slots;
    this.#isFast = plan.isPlain && state.header.compressed;
    this.#ticksHigh = state.header.ticksHigh;
    this.#ticksLow = state.header.ticksLow >>> 0;
    this.#ticksPerNano = state.header.ticksPerSecond / 1e9;
    const columns = (count: number): Int32Array[] => Array.from({ length: count }, () => new Int32Array(capacity));
    this.ints = same?.ints ?? columns(plan.ints);
    this.firsts = same?.firsts ?? columns(plan.arrays.length);
    this.counts = same?.counts ?? columns(plan.arrays.length);
    this.doubles = same?.doubles ?? Array.from({ length: plan.doubles }, () => new Float64Array(capacity));
    this.arrays = plan.arrays.map((elements, i) => new Rows(elements, state, same?.arrays[i]));
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** Whether it has as many columns of each kind as a plan. */
  isLike({ ints, doubles, arrays }: DecodePlan): boolean {
    return this.ints.length === ints && this.doubles.length === doubles && this.arrays.length === arrays.length;
  }

  /** From now on its columns are those of a batch with room for so many rows, until they are full. It must have no rows, and no arrays. */
  borrow(batch: Batch, room: number): void {
    for (const [slot, values] of batch.ints.entries()) this.ints[slot] = values;
    for (const [slot, values] of batch.doubles.entries()) this.doubles[slot] = values;
    this.rests.forget();
    this.#capacity = room;
    this.#lent = batch;
  }

  /** Whether its columns are those of a batch. */
  borrows(batch: Batch): boolean {
    return this.#lent === batch;
  }

  /** Reads a row at `at`; returns where it ends, or -1 and adds no row if it does not end before `end`. */
  take(bytes: Uint8Array, at: number, end: number): number {
    if (this.length === this.#capacity) this.makeRoom(1);
    const next = this.#isFast ? this.#takeIntegers(bytes, at, end) : this.#takeAny(bytes, at, end);
    if (next < 0) {
      this.rests.clear(this.length, this.length + 1);
      return -1;
    }
    this.length++;
    if (this.early?.keeps(this.doubles[0][this.length - 1]) === false) this.drop();
    return next;
  }

  /** Adds the first `length` rows of a batch. */
  append({ ints, doubles, arrays = [] }: Batch, length: number): void {
    if (this.length + length > this.#capacity) this.makeRoom(length);
    for (const [slot, { firsts, counts, rows, length: added }] of arrays.entries()) {
      const elements = this.arrays[slot];
      const before = elements.length;
      for (let i = 0; i < length; i++) this.firsts[slot][this.length + i] = before + firsts[i];
      this.counts[slot].set(counts.subarray(0, length), this.length);
      elements.append(rows, added);
    }
    for (let slot = 0; slot < ints.length; slot++) this.ints[slot].set(ints[slot].subarray(0, length), this.length);
    for (let slot = 0; slot < doubles.length; slot++)
      this.doubles[slot].set(doubles[slot].subarray(0, length), this.length);
    this.length += length;
  }

  /** From now on, keys become rows of these pools. */
  lookUp(pools: PoolsOfKeys): void {
    this.pools = pools;
    for (const { operation, slot, field } of this.plan.columns)
      if (operation === op.KEY) this.#typesOfKeys[slot] = field.type;
    for (const elements of this.arrays) elements.lookUp(pools);
  }

  /** Removes all rows. */
  clear(): void {
    this.cut(0);
    this.early?.clear();
    for (const elements of this.arrays) elements.clear();
  }

  /** Of the rows from `from` on, only these stay, in this order, which rises; elements of arrays stay all. */
  keep(from: number, chosen: ArrayLike<number>): void {
    for (const columns of [this.ints, this.doubles, this.firsts, this.counts])
      for (const values of columns) for (let i = 0; i < chosen.length; i++) values[from + i] = values[chosen[i]];
    this.rests.choose(from, chosen);
    this.cut(from + chosen.length);
  }

  /** Removes the last row. */
  drop(): void {
    this.cut(this.length - 1);
    for (let i = 0; i < this.arrays.length; i++) this.arrays[i].cut(this.firsts[i][this.length]);
  }

  /** Only so many rows stay; elements of arrays stay all. */
  cut(length: number): void {
    this.rests.clear(length, this.length);
    this.length = length;
  }

  /** The hot loop: nearly all of the time of reading a recording is spent here. */
  #takeIntegers(bytes: Uint8Array, from: number, end: number): number {
    const operations = this.#operations;
    const row = this.length;
    let at = from;
    for (let i = 0; i < operations.length; i++) {
      if (at >= end) return -1;
      const operation = operations[i];
      let byte = bytes[at++];
      if (operation >= op.BYTE) {
        const slot = this.#slots[i];
        if (slot >= 0) this.ints[slot][row] = operation === op.BYTE ? (byte << 24) >> 24 : byte === 0 ? 0 : 1;
        continue;
      }
      let low = byte;
      let high = 0;
      if (byte >= 0x80) {
        byte = bytes[at++];
        low = (low & 0x7f) | ((byte & 0x7f) << 7);
        if (byte >= 0x80) {
          byte = bytes[at++];
          low |= (byte & 0x7f) << 14;
          if (byte >= 0x80) {
            byte = bytes[at++];
            low |= (byte & 0x7f) << 21;
            if (byte >= 0x80) {
              byte = bytes[at++];
              low |= byte << 28;
              high = (byte & 0x7f) >> 4;
              for (let shift = 3; byte >= 0x80 && shift < 24; shift += 7) {
                byte = bytes[at++];
                high |= (byte & 0x7f) << shift;
              }
              // The ninth byte is whole.
              if (byte >= 0x80) high |= bytes[at++] << 24;
            }
          }
        }
      }
      if (this.#slots[i] >= 0) this.#store(operation, this.#slots[i], row, low, high);
    }
    return at <= end ? at : -1;
  }

  #store(operation: number, slot: number, row: number, low: number, high: number): void {
    switch (operation) {
      case op.KEY:
        this.ints[slot][row] = this.#key(slot, high === 0 && low >= 0 ? low : this.#state.keyCode(low, high));
        break;
      case op.INT:
        this.ints[slot][row] = low;
        break;
      case op.LONG:
        this.doubles[slot][row] = high * 0x1_0000_0000 + (low >>> 0);
        if (high + SAFE_HIGH < 0 || high >= SAFE_HIGH) this.#keepRest(slot, low, high);
        break;
      case op.TICKS:
        // Ticks since the machine started may have more digits than a double; those since the start of the chunk fit.
        this.doubles[slot][row] = this.#time(low, high);
        break;
      case op.UNSIGNED_LONG:
        this.doubles[slot][row] = (high >>> 0) * 0x1_0000_0000 + (low >>> 0);
        if (high < 0 || high >= SAFE_HIGH) this.#keepRest(slot, low, high >>> 0);
        break;
      case op.SHORT:
        this.ints[slot][row] = (low << 16) >> 16;
        break;
      case op.CHAR:
        this.ints[slot][row] = low & 0xffff;
        break;
    }
  }

  /** Nanoseconds since the start of the chunk; the least number of ticks is no time. */
  #time(low: number, high: number): number {
    if (low === 0 && high === -0x8000_0000) return Number.NaN;
    return Math.trunc(((high - this.#ticksHigh) * 0x1_0000_0000 + ((low >>> 0) - this.#ticksLow)) / this.#ticksPerNano);
  }

  #keepRest(slot: number, low: number, high: number): void {
    this.rests.keep(slot, this.length, this.doubles[slot][this.length], low, high, this.#capacity);
  }

  /** The row of a key, where its constants are known. */
  #key(slot: number, code: number): number {
    if (this.pools === undefined) return code;
    const row = this.pools.of(this.#typesOfKeys[slot])?.rowOf(code) ?? NONE;
    return row >= 0 || code === 0 ? row : this.#state.missing(code);
  }

  #takeAny(bytes: Uint8Array, from: number, end: number): number {
    const { cursor } = this.#state;
    cursor.set(bytes, from, end);
    for (let i = 0; i < this.#operations.length; i++) {
      const operation = this.#operations[i];
      const slot = this.#slots[i];
      if (operation === op.ROWS) {
        if (!this.#takeRows(slot)) return this.#undo();
      } else if (operation < op.BYTE) this.#takeInteger(operation, slot);
      else this.#takeOther(operation, slot);
      if (cursor.isBehind) return this.#undo();
    }
    return cursor.at;
  }

  #takeInteger(operation: number, slot: number): void {
    const { cursor } = this.#state;
    if (operation === op.INT) cursor.int();
    else if (operation === op.SHORT || operation === op.CHAR) cursor.char();
    else cursor.long();
    if (slot >= 0) this.#store(operation, slot, this.length, cursor.low, cursor.high);
  }

  #takeOther(operation: number, slot: number): void {
    const { cursor, strings, pooledString } = this.#state;
    const row = this.length;
    if (operation === op.STRING) {
      const string = strings.read(pooledString);
      if (slot >= 0) this.ints[slot][row] = string;
      return;
    }
    if (operation === op.FLOAT || operation === op.DOUBLE) {
      const value = cursor.real(operation === op.FLOAT ? 4 : 8);
      if (slot >= 0) this.doubles[slot][row] = value;
      return;
    }
    const byte = cursor.byte();
    if (slot >= 0) this.ints[slot][row] = operation === op.BYTE ? (byte << 24) >> 24 : byte === 0 ? 0 : 1;
  }

  #takeRows(array: number): boolean {
    const { cursor } = this.#state;
    const elements = this.arrays[array];
    const count = cursor.int();
    const { bytes, end } = cursor;
    if (!op.isCount(count, elements.plan, end - cursor.at)) return false;
    this.firsts[array][this.length] = elements.length;
    this.counts[array][this.length] = count;
    let at = cursor.at;
    for (let i = 0; i < count; i++) {
      at = elements.take(bytes, at, end);
      if (at < 0) return false;
    }
    cursor.set(bytes, at, end);
    return true;
  }

  /** Removes the elements of a row that is not whole. */
  #undo(): number {
    for (const [i, elements] of this.arrays.entries()) {
      const last = this.length - 1;
      elements.cut(last < 0 ? 0 : this.firsts[i][last] + this.counts[i][last]);
    }
    return -1;
  }

  /** Makes room for so many rows more. */
  makeRoom(rows: number): void {
    this.full?.();
    while (this.length + rows > this.#capacity) this.#grow();
  }

  /** Moves what it has to larger columns of its own. */
  #grow(): void {
    this.#lent = undefined;
    this.#capacity *= GROWTH;
    const grown = (values: Int32Array): Int32Array => {
      const room = new Int32Array(this.#capacity);
      room.set(values);
      return room;
    };
    for (const columns of [this.ints, this.firsts, this.counts])
      for (const [i, values] of columns.entries()) columns[i] = grown(values);
    for (const [i, values] of this.doubles.entries()) {
      const room = new Float64Array(this.#capacity);
      room.set(values);
      this.doubles[i] = room;
    }
    this.rests.grow(this.#capacity);
  }
}
