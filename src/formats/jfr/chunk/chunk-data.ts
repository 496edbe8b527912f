/**
 * What was read from a chunk, as columns: plain data that can be sent between threads. Keys of constants have become rows of their
 * pools, ticks and other times nanoseconds.
 */
import { NONE } from '../../../base/flavor.js';
import type { Unit } from '../../../base/units.js';
import type { ChunkHeader } from './header.js';
import type { MetaField, MetaType } from './metadata.js';
import { isWide, KEY, type PlannedColumn, ROWS, STRING, TICKS } from './plan.js';
import type { Pools } from './pools.js';
import type { ChunkState, Rows } from './rows.js';

/** `time`: nanoseconds since the chunk began. `constant`: row in the pool of type `pool`. `string`: of the strings of the chunk. */
export type ChunkHolds = 'number' | 'time' | 'string' | 'constant';

export interface ChunkColumn {
  readonly key: string;
  readonly holds: ChunkHolds;
  readonly unit: Unit;
  /** Id of the type of the constants; -1 of others. */
  readonly pool: number;
  readonly label: string;
  readonly description: string;
  readonly values: Int32Array | Float64Array;
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

export interface ChunkConstants {
  readonly type: MetaType;
  readonly table: ChunkTable;
}

export interface ChunkEvents {
  readonly type: MetaType;
  readonly table: ChunkTable;
}

/** Finishes the columns of a chunk after all of its events were read. */
export class ChunkFinisher {
  readonly #pools: Pools;
  readonly #header: ChunkHeader;
  /** Strings by code of pooled ones. */
  readonly #pooled: Int32Array;

  constructor(pools: Pools, state: ChunkState) {
    this.#pools = pools;
    this.#header = state.header;
    this.#pooled = this.#resolvePooled(state.pooledStrings());
  }

  /** String ids of pooled strings. A pooled string that refers to a pooled string is none. */
  #resolvePooled(keys: Int32Array): Int32Array {
    const pool = this.#pools.all.find(({ type }) => type.name === 'java.lang.String');
    if (pool === undefined) return keys.fill(NONE);
    pool.toRows(keys, keys.length);
    const [values] = pool.rows.ints;
    for (let i = 0; i < keys.length; i++) keys[i] = keys[i] < 0 ? NONE : Math.max(NONE, values[keys[i]]);
    return keys;
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

  #column({ ints, doubles, length }: Rows, { key, field, operation, slot }: PlannedColumn): ChunkColumn {
    const { label, description } = field;
    const common = { key, label, description, unit: unitOf(field), pool: NONE };
    if (isWide(operation)) {
      const values = doubles[slot].subarray(0, length);
      const isTime = this.#toNanos(values, operation, field);
      return { ...common, holds: isTime ? 'time' : 'number', values };
    }
    const values = ints[slot].subarray(0, length);
    if (operation === KEY) {
      const pool = this.#pools.of(field.type);
      if (pool === undefined) values.fill(NONE);
      else pool.toRows(values, length);
      return { ...common, holds: 'constant', pool: field.type, values };
    }
    if (operation === STRING) {
      for (let i = 0; i < length; i++) if (values[i] < NONE) values[i] = this.#pooled[-2 - values[i]];
      return { ...common, holds: 'string', values };
    }
    if (unitOf(field) !== 'ns') return { ...common, holds: 'number', values };
    const wide = Float64Array.from(values);
    const isTime = this.#toNanos(wide, operation, field);
    return { ...common, holds: isTime ? 'time' : 'number', values: wide };
  }

  /** Converts times, shares and amounts to the units of the house, in place; true for points in time. */
  #toNanos(values: Float64Array, operation: number, { content }: MetaField): boolean {
    const perNano = this.#header.ticksPerSecond / 1e9;
    if (operation === TICKS) {
      for (let i = 0; i < values.length; i++) values[i] = Math.trunc(values[i] / perNano);
      return true;
    }
    if (content.type === 'Timestamp') {
      const scale = content.unit === 'NANOSECONDS_SINCE_EPOCH' ? 1e-6 : 1;
      const { startMillis, startNanos } = this.#header;
      for (let i = 0; i < values.length; i++)
        if (values[i] > 0) values[i] = Math.round((values[i] * scale - startMillis) * 1e6) - startNanos;
        else values[i] = NaN;
      return true;
    }
    if (content.type === 'Timespan') {
      const factor = content.unit === 'TICKS' ? 1 / perNano : (NANOS[content.unit] ?? 1);
      // The smallest number stands for an unknown time.
      for (let i = 0; i < values.length; i++)
        values[i] =
          values[i] <= -(2 ** 63) ? NONE : factor === 1 ? values[i] : this.#scaled(values[i], content.unit, factor);
    } else if (content.type === 'DataAmount' && content.unit === 'BITS')
      for (let i = 0; i < values.length; i++) values[i] /= 8;
    return false;
  }

  #scaled(value: number, unit: string, factor: number): number {
    return unit === 'TICKS' ? Math.trunc(value / (this.#header.ticksPerSecond / 1e9)) : value * factor;
  }
}

const NANOS: Readonly<Record<string, number>> = {
  SECONDS: 1e9,
  MILLISECONDS: 1e6,
  MICROSECONDS: 1e3,
  NANOSECONDS: 1,
};

/** The unit of the numbers of a field, after conversion. */
export function unitOf({ content }: MetaField): Unit {
  switch (content.type) {
    case 'Timespan':
    case 'Timestamp':
      return 'ns';
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
