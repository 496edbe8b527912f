/**
 * Pools: the constants of a chunk by type and key. Checkpoint events have parts of them, in any order; a constant may come after
 * what refers to it, and several times, so all is kept by key until the chunk ends. The first constant of a key counts.
 */
import { Int32Builder } from '../../../base/columns/columns.js';
import { IntTable } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import type { ChunkState } from '../chunk/chunk-state.js';
import type { Metadata, MetaType } from '../chunk/metadata.js';
import { type DecodePlan, KEY, ROWS, STRINGS } from '../chunk/plan.js';
import { Rows } from '../chunk/rows.js';
import type { ConstantBatch } from '../kernel/constant-batches.js';
import type { ConstantKernel } from '../kernel/constant-kernel.js';
import { ConstantPlaces } from './constant-places.js';
import type { ConstantPlans } from './constant-plans.js';
import { largestKey, rowsByKey } from './rows-by-key.js';
import { skipConstants, skipRows } from './skip.js';

/** Look-ups are few where a table of all constants would have so many times their number. */
const FEW = 8;
const NO_ROWS = new Int32Array();

export class Pool {
  readonly type: MetaType;
  readonly rows: Rows;
  /** Which of its constants, in the order of the chunk, have the key of an earlier one. */
  readonly skipped: number[] = [];
  /** By row: the code of its key. */
  readonly #keys = new IntTable(16);
  /** Constants that are read when rows refer to them. */
  readonly places = new ConstantPlaces();
  /** Rows by key, if all keys are small numbers; made when first needed. */
  #rowsOfKeys: Int32Array | undefined;
  readonly #kernel: ConstantKernel | undefined;
  /** Codes of keys that had no constant when they were looked up; absent if nobody asks later. */
  readonly #missed: Set<number> | undefined;
  /** A constant has a key that was missed. */
  isLate = false;
  /** Constants whose rows were handed over. */
  #forgotten = 0;
  /** Of pooled strings, the strings of those. */
  readonly #strings = new Int32Builder(16);

  constructor(type: MetaType, rows: Rows, kernel?: ConstantKernel, missed?: Set<number>) {
    this.type = type;
    this.rows = rows;
    this.#kernel = kernel;
    this.#missed = missed;
  }

  /** Reads the constant of a key; returns where it ends, -1 if it is not whole. */
  take(key: number, bytes: Uint8Array, at: number, end: number): number {
    const { rows } = this;
    const row = this.#keys.length;
    const next = rows.take(bytes, at, end);
    if (next < 0) return next;
    this.#rowsOfKeys = undefined;
    if (this.#missed?.has(key) === true) this.isLate = true;
    if (this.#keys.add(key) !== row) {
      rows.drop();
      this.skipped.push(row + this.skipped.length);
    }
    return next;
  }

  /** Adds constants that the kernel read. */
  append({ keys, rows, length }: ConstantBatch): void {
    const lengthBefore = this.rows.length;
    this.rows.append(rows, length);
    this.#rowsOfKeys = undefined;
    const chosen: number[] = [];
    for (let i = 0; i < length; i++) {
      const row = this.#keys.length;
      if (this.#missed?.has(keys[i]) === true) this.isLate = true;
      if (this.#keys.add(keys[i]) === row) chosen.push(lengthBefore + i);
      else this.skipped.push(row + this.skipped.length);
    }
    if (chosen.length < length) this.rows.keep(lengthBefore, chosen);
  }

  /** Reads the constant of a key where it was noted; false if it was not, or cannot be read. */
  find(key: number): boolean {
    if (this.rowOf(key) >= 0) return true;
    const place = this.places.find(key);
    return place !== undefined && this.take(key, place.block, place.at, place.block.length) >= 0;
  }

  /** The row of the constant with a code of a key; -1 if there is none. */
  rowOf(code: number): number {
    return this.#keys.find(code);
  }

  /** The rows of the constants so far are no longer needed; those of later ones go on from them. */
  forgetRows(): void {
    if (this.type.name === STRINGS) this.#strings.append(this.rows.ints[0].subarray(0, this.rows.length));
    this.rows.clear();
    this.#forgotten = this.#keys.length;
  }

  /** The string in the row of a pool of strings. */
  stringIn(row: number): number | undefined {
    return row < this.#forgotten ? this.#strings.values[row] : this.rows.ints[0][row - this.#forgotten];
  }

  /** Turns codes of keys into rows, in place; -1 for keys without a constant, which are noted if there is a set for them. */
  toRows(keys: Int32Array, length: number, missed?: Set<number>): void {
    if (missed !== undefined) {
      for (let i = 0; i < length; i++) {
        const row = this.#keys.find(keys[i]);
        if (row < 0) missed.add(keys[i]);
        keys[i] = row;
      }
      return;
    }
    const keep = (rows: Int32Array, from: number): void => keys.set(rows, from);
    if (this.#kernel?.rows.look(this.#keys.column(0), keys.subarray(0, length), keep) !== undefined) return;
    const direct = this.#rowsFor(length);
    for (let i = 0; i < length; i++) keys[i] = this.#rowBy(direct, keys[i]);
  }

  /** Whether some codes of keys, but 0, have no constant. */
  lacks(keys: Int32Array, length: number): boolean {
    const missing = this.#kernel?.rows.look(this.#keys.column(0), keys.subarray(0, length));
    if (missing !== undefined) return missing > 0;
    const direct = this.#rowsFor(length);
    for (let i = 0; i < length; i++) if (keys[i] !== 0 && this.#rowBy(direct, keys[i]) < 0) return true;
    return false;
  }

  #rowBy(direct: Int32Array, key: number): number {
    return key >= 0 && key < direct.length ? direct[key] : this.#keys.find(key);
  }

  /** Rows by key for so many look-ups; larger keys are looked for in the table, and all of them if these are few beside the constants. */
  #rowsFor(lookUps: number): Int32Array {
    if (this.#rowsOfKeys === undefined && FEW * lookUps < this.#keys.length) return NO_ROWS;
    this.#rowsOfKeys ??= this.#direct(Math.min(8 * (this.rows.length + lookUps), 1 << 24));
    return this.#rowsOfKeys;
  }

  /** Rows by codes of keys, -1 for none; undefined if a code is negative, or `most` or more. */
  direct(most: number): Int32Array | undefined {
    const keys = this.#keys.column(0);
    return keys.every((key) => key >= 0 && key < most) ? this.#direct(most) : undefined;
  }

  /** Rows by keys below `limit`. */
  #direct(limit: number): Int32Array {
    const keys = [this.#keys.column(0)];
    return rowsByKey(keys, largestKey(keys, limit));
  }
}

interface SharedByChunks {
  /** Rows of the chunk before of a type, whose columns may be written over. */
  rowsBefore(name: string): Rows | undefined;
  readonly kernel?: { readonly constants: ConstantKernel } | undefined;
}

export class Pools {
  #metadata: Metadata;
  #plans: ConstantPlans;
  readonly #state: ChunkState;
  readonly #pools = new Map<number, Pool>();
  readonly #shared: SharedByChunks;
  /** By name of the type; undefined unless constants are handed over before all are read. */
  #missed: Map<string, Set<number>> | undefined;

  constructor(metadata: Metadata, plans: ConstantPlans, state: ChunkState, shared: SharedByChunks) {
    this.#metadata = metadata;
    this.#plans = plans;
    this.#state = state;
    this.#shared = shared;
  }

  /** Goes on with metadata that have all types of those before. */
  goOn(metadata: Metadata, plans: ConstantPlans): void {
    this.#metadata = metadata;
    this.#plans = plans;
  }

  /** Notes keys that have no constant from now on, before the first constant is read. */
  noteMissed(): void {
    this.#missed ??= new Map();
  }

  /** Codes of the keys of a type that had no constant when they were looked up; undefined if they are not noted. */
  missed(type: string): Set<number> | undefined {
    const missed = this.#missed?.get(type) ?? (this.#missed && new Set<number>());
    if (missed !== undefined) this.#missed?.set(type, missed);
    return missed;
  }

  /** Whether a constant came whose key was missed before. */
  get isLate(): boolean {
    return this.all.some(({ isLate }) => isLate);
  }

  get all(): readonly Pool[] {
    return [...this.#pools.values()];
  }

  of(type: number): Pool | undefined {
    return this.#pools.get(type);
  }

  /** The name of a type by its id; empty if the metadata lack it. */
  typeName(type: number): string {
    return this.#metadata.types.get(type)?.name ?? '';
  }

  /** The pool of a type of this name. */
  named(name: string): Pool | undefined {
    return this.all.find(({ type }) => type.name === name);
  }

  /**
   * Reads the payload of a checkpoint: start, duration, distance to the one before, a byte of flags, then the pools. Returns -1, or
   * the place of the first pool that cannot be read: the rest is lost, since pools have no size. `isBlock`: `bytes` stay as they are.
   * `isIndexed`: then constants are not read, but `readNeeded` finds them.
   */
  checkpoint(
    bytes: Uint8Array,
    from: number,
    end: number,
    { isBlock, isIndexed = false }: { readonly isBlock: boolean; readonly isIndexed?: boolean },
  ): number {
    const block = isBlock ? bytes.subarray(0, end) : undefined;
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
      if (!this.#plans.isNeeded(known)) this.#skip(plan, count, block);
      else if (block === undefined) this.#constants(this.#pool(known, plan), count, bytes, end);
      else if (isIndexed) this.#index(this.#pool(known, plan), plan, count, block);
      else this.#batches(this.#pool(known, plan), plan, count, block);
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

  /** The same by the kernel as far as it can. */
  #batches(pool: Pool, plan: DecodePlan, count: number, block: Uint8Array): void {
    const { cursor } = this.#state;
    let left = count;
    for (;;) {
      const batch = this.#kernel?.batches.read(block, cursor.at, plan, left);
      if (batch === undefined) break;
      pool.append(batch);
      cursor.at = batch.end;
      left -= batch.length;
    }
    this.#constants(pool, left, block, block.length);
  }

  get #kernel(): ConstantKernel | undefined {
    return this.#state.header.compressed ? this.#shared.kernel?.constants : undefined;
  }

  /** Leaves the cursor behind its end if they are not whole. `block`: the bytes, if they stay as they are. */
  #skip(plan: DecodePlan, count: number, block: Uint8Array | undefined): void {
    const { cursor } = this.#state;
    const end = block && this.#kernel?.index.behind(block, cursor.at, plan, count);
    if (end === undefined) skipConstants(cursor, plan, count);
    else cursor.at = end;
  }

  /** Leaves the cursor behind its end if they are not whole. */
  #index(pool: Pool, plan: DecodePlan, count: number, block: Uint8Array): void {
    const { cursor } = this.#state;
    const found = this.#kernel?.index.of(block, cursor.at, plan, count);
    if (found !== undefined) {
      cursor.set(block, found.end, block.length);
      pool.places.add(block, found);
      return;
    }
    const [keys, places] = [new Int32Builder(), new Int32Builder()];
    for (let i = 0; i < count; i++) {
      cursor.long();
      const { low, high, at } = cursor;
      skipRows(cursor, plan, 1);
      if (cursor.isBehind) break;
      keys.push(this.#state.keyCode(low, high));
      places.push(at);
    }
    pool.places.add(block, { keys: keys.finish(), places: places.finish() });
  }

  /** Reads the indexed constants that these rows refer to, through others as well; false if some were not found. */
  readNeeded(events: Iterable<Rows>): boolean {
    const search = new Search(this);
    for (const rows of events) search.follow(rows, 0, rows.length);
    const followed = new Map<Pool, number>();
    let strings = 0;
    for (let isMore = true; isMore; ) {
      isMore = false;
      for (const pool of this.all) {
        const from = followed.get(pool) ?? 0;
        const to = pool.rows.length;
        followed.set(pool, to);
        search.follow(pool.rows, from, to);
        isMore ||= to > from;
      }
      const pooled = this.#state.pooledStrings().subarray(strings);
      for (const key of pooled) search.find(this.named(STRINGS), key);
      strings += pooled.length;
      isMore ||= pooled.length > 0;
    }
    return search.isComplete;
  }

  #pool(type: MetaType, plan: DecodePlan): Pool {
    let pool = this.#pools.get(type.id);
    if (pool === undefined) {
      const rows = new Rows(plan, this.#state, this.#shared.rowsBefore(type.name));
      pool = new Pool(type, rows, this.#kernel, this.missed(type.name));
      this.#pools.set(type.id, pool);
    }
    return pool;
  }
}

/** Reads what rows refer to. */
class Search {
  isComplete = true;
  readonly #pools: Pools;

  constructor(pools: Pools) {
    this.#pools = pools;
  }

  /** Key 0 is that of a constant, or of none. */
  find(pool: Pool | undefined, key: number): void {
    if (pool?.find(key) !== true && key !== 0) this.isComplete = false;
  }

  /** The constants that the rows from one to before another have keys of. */
  follow({ plan, ints, arrays, firsts, counts }: Rows, from: number, to: number): void {
    if (from === to) return;
    for (const { operation, slot, field } of plan.columns) {
      if (operation === KEY) {
        const pool = this.#pools.of(field.type);
        for (let row = from; row < to; row++) this.find(pool, ints[slot][row]);
      } else if (operation === ROWS)
        for (let row = from; row < to; row++) {
          const first = firsts[slot][row];
          this.follow(arrays[slot], first, first + counts[slot][row]);
        }
    }
  }
}
