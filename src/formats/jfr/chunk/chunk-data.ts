/**
 * What was read from a chunk, as columns: plain data that can be sent between threads. Keys of constants have become rows of their
 * pools, ticks and other times nanoseconds.
 */
import { decimalOfFloat } from '../../../base/exact-integers.js';
import { NONE } from '../../../base/flavor.js';
import type { Unit } from '../../../base/units.js';
import type { Pool, Pools } from '../constants/pools.js';
import type { ChunkState } from './chunk-state.js';
import { converted, integers, type Numbers } from './conversions.js';
import type { ChunkHeader } from './header.js';
import type { MetaField, MetaType } from './metadata.js';
import { FLOAT, isWide, KEY, type PlannedColumn, ROWS, STRING, STRINGS, TICKS } from './plan.js';
import type { Rows } from './rows.js';

/** `time`: nanoseconds since the chunk began. `constant`: row in the pool of type `pool`. `string`: of the strings of the chunk. */
export type ChunkHolds = 'number' | 'time' | 'string' | 'constant';

export interface ChunkColumn extends Numbers {
  readonly key: string;
  readonly holds: ChunkHolds;
  readonly unit: Unit;
  /** Id of the type of the constants; -1 of others. */
  readonly pool: number;
  readonly label: string;
  readonly description: string;
  /** Of strings, where it was asked for: rows in the pool of strings; -1 for those that are in the event itself. */
  readonly pooled?: Int32Array;
}

/** Row `r` has the elements `first[r]` up to `first[r] + count[r]` of `elements`. */
export interface ChunkArray {
  readonly key: string;
  readonly first: Int32Array;
  readonly count: Int32Array;
  readonly elements: ChunkTable;
}

export interface ChunkTable {
  readonly length: number;
  readonly columns: readonly ChunkColumn[];
  readonly arrays: readonly ChunkArray[];
}

/** Texts, as in a `StringTable`. */
export interface ChunkTexts {
  readonly bytes: Uint8Array;
  readonly offsets: Int32Array;
}

/** The events, or constants, of a type. */
export interface ChunkRows {
  readonly type: MetaType;
  readonly table: ChunkTable;
  /** Which of them, in the order of the chunk from 0 on, have no row: events that cannot be read, constants whose key had one. */
  readonly skipped: readonly number[];
  /** Where only events before a time have rows: which of those that can be read, from 0 on, each row is, and how many there are. */
  readonly early?: { readonly numbers: Int32Array; readonly seen: number };
}

/** Finishes the columns of a chunk after all of its events were read. */
export class ChunkFinisher {
  readonly #pools: Pools;
  readonly #header: ChunkHeader;
  /** Rows in the pool of strings, and strings, by code of pooled ones. */
  readonly #poolRows: Int32Array;
  readonly #pooled: Int32Array;
  readonly #missing: Int32Array;
  readonly #keepsPooled: boolean;
  readonly #notesMissed: boolean;

  /** `keepsPooled`: columns of strings have `pooled`. `notesMissed`: keys without a constant are noted in their pools. */
  constructor(pools: Pools, state: ChunkState, keepsPooled: boolean, notesMissed = false) {
    this.#pools = pools;
    this.#header = state.header;
    this.#keepsPooled = keepsPooled;
    this.#notesMissed = notesMissed;
    this.#missing = state.missingKeys();
    const pool = this.#pools.named(STRINGS);
    this.#poolRows = state.pooledStrings();
    this.#toRows(this.#poolRows, pool, STRINGS);
    // A pooled string that refers to a pooled string is none.
    this.#pooled = this.#poolRows.map((row) => (row < 0 ? NONE : Math.max(NONE, pool?.stringIn(row) ?? NONE)));
  }

  table(rows: Rows): ChunkTable {
    const columns: ChunkColumn[] = [];
    const arrays: ChunkArray[] = [];
    for (const column of rows.plan.columns) {
      const { key, slot } = column;
      if (column.operation !== ROWS) columns.push(this.#column(rows, column));
      else
        arrays.push({
          key,
          first: rows.firsts[slot].subarray(0, rows.length),
          count: rows.counts[slot].subarray(0, rows.length),
          elements: this.table(rows.arrays[slot]),
        });
    }
    return { length: rows.length, columns, arrays };
  }

  #column(rows: Rows, { key, field, operation, slot }: PlannedColumn): ChunkColumn {
    const { ints, doubles, length } = rows;
    const { label, description } = field;
    const common = { key, label, description, unit: unitOf(field), pool: NONE };
    if (isWide(operation)) {
      const values = doubles[slot].subarray(0, length);
      if (operation === FLOAT) for (let i = 0; i < length; i++) values[i] = decimalOfFloat(values[i]);
      const rests = rows.rests.column(slot)?.subarray(0, length);
      const holds = operation === TICKS ? 'time' : 'number';
      return { ...common, holds, ...converted({ values, ...(rests && { rests }) }, field, this.#header) };
    }
    // Strings are looked up in the pool of strings for each part of a chunk, so it keeps what was read.
    const values = operation === STRING ? ints[slot].slice(0, length) : ints[slot].subarray(0, length);
    if (operation === KEY) {
      const pool = this.#pools.of(field.type);
      if (rows.pools !== undefined) this.#toFound(values, pool);
      else this.#toRows(values, pool, this.#pools.typeName(field.type));
      return { ...common, holds: 'constant', pool: field.type, values };
    }
    if (operation === STRING) {
      const pooled = this.#keepsPooled ? values.map((v) => (v < NONE ? this.#poolRows[-2 - v] : NONE)) : undefined;
      for (let i = 0; i < length; i++) if (values[i] < NONE) values[i] = this.#pooled[-2 - values[i]];
      return { ...common, holds: 'string', values, ...(pooled && { pooled }) };
    }
    return { ...common, holds: 'number', ...converted(integers(values, operation, field), field, this.#header) };
  }

  /** Turns codes of keys of a type into rows, in place. */
  #toRows(codes: Int32Array, pool: Pool | undefined, type: string): void {
    const missed = this.#notesMissed ? this.#pools.missed(type) : undefined;
    if (pool !== undefined) pool.toRows(codes, codes.length, missed);
    else {
      for (let i = 0; missed !== undefined && i < codes.length; i++) missed.add(codes[i]);
      codes.fill(NONE);
    }
  }

  /** Looks up again what had no constant when it was read, in place. */
  #toFound(values: Int32Array, pool: Pool | undefined): void {
    if (this.#missing.length === 0) return;
    for (let i = 0; i < values.length; i++)
      if (values[i] < NONE) values[i] = pool?.rowOf(this.#missing[-2 - values[i]]) ?? NONE;
  }
}

/** The unit of the numbers of a field, after conversion. */
export function unitOf({ content }: MetaField): Unit {
  switch (content.type) {
    case 'Timespan':
      return 'ns';
    case 'Timestamp':
      return content.unit === 'TICKS' ? 'ns' : 'date';
    case 'DataAmount':
      return 'bytes';
    case 'Percentage':
      return 'ratio';
    case 'MemoryAddress':
      return 'address';
    default:
      return 'none';
  }
}
