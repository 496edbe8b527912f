/**
 * Pools: the constants of a chunk by type and key. Checkpoint events have parts of them, in any order; a constant may come after
 * what refers to it, and several times, so all is kept by key until the chunk ends. The first constant of a key counts.
 */

import { IntTable } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import type { ConstantPlans } from './constant-plans.js';
import type { Metadata, MetaType } from './metadata.js';
import type { Plan } from './plan.js';
import { type ChunkState, Rows } from './rows.js';
import { skipConstants } from './skip.js';

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
  readonly #plans: ConstantPlans;
  readonly #state: ChunkState;
  readonly #pools = new Map<number, Pool>();
  readonly #shared: RowsBefore;

  constructor(metadata: Metadata, plans: ConstantPlans, state: ChunkState, shared: RowsBefore) {
    this.#metadata = metadata;
    this.#plans = plans;
    this.#state = state;
    this.#shared = shared;
  }

  get all(): readonly Pool[] {
    return [...this.#pools.values()];
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
      const known = this.#metadata.types.get(type);
      const plan = known && this.#plans.of(known);
      if (known === undefined || plan === undefined || count < 0 || count > end - cursor.at) return start;
      if (!this.#plans.isNeeded(known)) skipConstants(cursor, plan, count);
      else this.#constants(this.#pool(known, plan), count, bytes, end);
      if (cursor.isBehind) return start;
    }
    return cursor.isBehind ? from : NONE;
  }

  /** Leaves the cursor behind its end if they are not whole. */
  #constants(pool: Pool, count: number, bytes: Uint8Array, end: number): void {
    const { cursor } = this.#state;
    for (let i = 0; i < count; i++) {
      cursor.long();
      if (cursor.isBehind) return;
      const next = pool.take(this.#state.keyCode(cursor.low, cursor.high), bytes, cursor.at, end);
      cursor.set(bytes, next < 0 ? end + 1 : next, end);
    }
  }

  #pool(type: MetaType, plan: Plan): Pool {
    let pool = this.#pools.get(type.id);
    if (pool === undefined) {
      pool = new Pool(type, new Rows(plan, this.#state, this.#shared.rowsBefore(type.name)));
      this.#pools.set(type.id, pool);
    }
    return pool;
  }
}
