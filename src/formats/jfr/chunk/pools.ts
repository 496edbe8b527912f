/**
 * Pools: the constants of a chunk by type and key. Checkpoint events have parts of them, in any order; a constant may come after
 * what refers to it, and several times, so all is kept by key until the chunk ends. The first constant of a key counts.
 */

import { IntTable } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import type { Metadata, MetaType } from './metadata.js';
import { planOf } from './plan.js';
import { type ChunkState, Rows } from './rows.js';

export class Pool {
  readonly type: MetaType;
  readonly rows: Rows;
  /** Which of its constants, in the order of the chunk, have the key of an earlier one. */
  readonly skipped: number[] = [];
  /** By row: the code of its key. */
  readonly #keys = new IntTable(16);
  /** Rows by key, if all keys are small numbers; made when first needed. */
  #rowsOfKeys: Int32Array | undefined;

  constructor(type: MetaType, rows: Rows) {
    this.type = type;
    this.rows = rows;
  }

  /** Reads the constant of a key; returns where it ends, -1 if it is not whole. */
  take(key: number, bytes: Uint8Array, at: number, end: number): number {
    const { rows } = this;
    const known = rows.length;
    const next = rows.take(bytes, at, end);
    if (next >= 0 && this.#keys.add(key) !== known) {
      rows.drop();
      this.skipped.push(known + this.skipped.length);
    }
    return next;
  }

  /** The row of the constant with a code of a key; -1 if there is none. */
  rowOf(code: number): number {
    return this.#keys.find(code);
  }

  /** Turns codes of keys into rows, in place; -1 for keys without a constant. */
  toRows(keys: Int32Array, length: number): void {
    this.#rowsOfKeys ??= this.#direct(Math.min(8 * (this.rows.length + length), 1 << 24));
    const direct = this.#rowsOfKeys;
    for (let i = 0; i < length; i++) {
      const key = keys[i];
      keys[i] = key >= 0 && key < direct.length ? direct[key] : this.#keys.find(key);
    }
  }

  /** Whether some codes of keys, but 0, have no constant. */
  lacks(keys: Int32Array, length: number): boolean {
    for (let i = 0; i < length; i++) if (keys[i] !== 0 && this.rowOf(keys[i]) < 0) return true;
    return false;
  }

  /** Rows by codes of keys, -1 for none; undefined if a code is negative, or `most` or more. */
  direct(most: number): Int32Array | undefined {
    const keys = this.#keys.column(0);
    return keys.every((key) => key >= 0 && key < most) ? this.#direct(most) : undefined;
  }

  /** Rows by keys below `limit`. */
  #direct(limit: number): Int32Array {
    const keys = this.#keys.column(0);
    let largest = 0;
    for (const key of keys) if (key > largest && key < limit) largest = key;
    const direct = new Int32Array(largest + 1).fill(NONE);
    for (let row = 0; row < keys.length; row++) if (keys[row] >= 0 && keys[row] <= largest) direct[keys[row]] = row;
    return direct;
  }
}

/** Gives rows of the chunk before, by type, whose columns may be written over. */
interface RowsBefore {
  rowsBefore(name: string): Rows | undefined;
}

export class Pools {
  readonly #metadata: Metadata;
  readonly #state: ChunkState;
  readonly #pools = new Map<number, Pool | undefined>();
  readonly #shared: RowsBefore;

  constructor(metadata: Metadata, state: ChunkState, shared: RowsBefore) {
    this.#metadata = metadata;
    this.#state = state;
    this.#shared = shared;
  }

  get all(): readonly Pool[] {
    return [...this.#pools.values()].filter((pool) => pool !== undefined);
  }

  of(type: number): Pool | undefined {
    return this.#pools.get(type);
  }

  /** The pool of a type of this name. */
  named(name: string): Pool | undefined {
    return this.all.find(({ type }) => type.name === name);
  }

  /**
   * Reads the payload of a checkpoint: start, duration, distance to the one before, a byte of flags, then the pools. Returns -1, or
   * the place of the first pool that cannot be read: the rest is lost, since pools have no size.
   */
  checkpoint(bytes: Uint8Array, from: number, end: number): number {
    const { cursor } = this.#state;
    cursor.set(bytes, from, end);
    for (let i = 0; i < 3; i++) cursor.long();
    cursor.byte();
    const pools = cursor.int();
    for (let i = 0; i < pools && !cursor.isBehind; i++) {
      const start = cursor.at;
      const type = cursor.long();
      const count = cursor.int();
      if (cursor.isBehind) return start;
      if (count === 0) continue;
      const pool = this.#pool(type);
      if (pool === undefined || count < 0 || count > end - cursor.at) return start;
      if (!this.#constants(pool, count, bytes, end)) return start;
    }
    return cursor.isBehind ? from : NONE;
  }

  #constants(pool: Pool, count: number, bytes: Uint8Array, end: number): boolean {
    const { cursor } = this.#state;
    for (let i = 0; i < count; i++) {
      cursor.long();
      if (cursor.isBehind) return false;
      const next = pool.take(this.#state.keyCode(cursor.low, cursor.high), bytes, cursor.at, end);
      if (next < 0) return false;
      cursor.set(bytes, next, end);
    }
    return true;
  }

  #pool(type: number): Pool | undefined {
    if (this.#pools.has(type)) return this.#pools.get(type);
    const known = this.#metadata.types.get(type);
    const plan = known && planOf(this.#metadata, known);
    const pool = known && plan && new Pool(known, new Rows(plan, this.#state, this.#shared.rowsBefore(known.name)));
    this.#pools.set(type, pool);
    return pool;
  }
}
