/** Event tables of a recording, from those of its chunks. */
import { NONE } from '../../../base/flavor.js';
import { defineEvents } from '../../../models/events/event-kind.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { Column, Table } from '../../../models/table.js';
import type { ChunkTable } from '../chunk/chunk-data.js';
import type { MetaType } from '../chunk/metadata.js';
import type { Facts } from '../kinds/facts.js';
import type { KindColumns, KindOfEvents, KindSource } from '../kinds/kind-source.js';
import type { Values } from './constant-rows.js';
import type { EventColumns } from './event-columns.js';

export interface FinishedRows {
  readonly table: Table;
  readonly metrics: readonly Metric[];
}

/** Collects events of all chunks into one table. */
export interface RowsOfEvents {
  /** Adds the events of a type of a chunk, if they belong to the table. */
  add(type: MetaType, table: ChunkTable, columns: EventColumns): void;
  /** The table and its metrics; undefined if there are no rows. `others`: tables that were finished before. */
  finish(facts: Facts, others: readonly Table[]): FinishedRows | undefined;
}

/** A column that grows by many values at once; rows that nobody wrote are `missing`: -1, and 0 for values that are summed. */
export class GrowingColumn {
  #values: Values;
  readonly #missing: number;
  /** Rows that have a value. */
  #length = 0;

  constructor(wide: boolean, missing = NONE) {
    this.#missing = missing;
    this.#values = wide ? new Float64Array() : new Int32Array();
  }

  /**
   * Room for the rows `from` to before `to`, to be written at `from`; rows before that lack values are `missing`. `expected`: about
   * how many rows there will be; room that stays unused takes no memory.
   */
  rows(from: number, to: number, expected = 0): Values {
    if (to > this.#values.length)
      this.#values = copied(this.#values, Math.max(to, 2 * this.#values.length, expected), this.#length);
    if (from > this.#length) this.#values.fill(this.#missing, this.#length, from);
    this.#length = to;
    return this.#values;
  }

  /** As doubles from now on. */
  widen(): void {
    if (this.#values instanceof Float64Array) return;
    this.#values = copied(this.#values, this.#values.length, this.#length, true);
  }

  finish(length: number): Values {
    return this.rows(length, length).subarray(0, length);
  }
}

function copied(values: Values, length: number, used: number, wide = values instanceof Float64Array): Values {
  const grown = wide ? new Float64Array(length) : new Int32Array(length);
  grown.set(values.subarray(0, used));
  return grown;
}

/** Rows of a kind. */
export class KindRows implements RowsOfEvents {
  readonly #kind: KindOfEvents;
  readonly #columns = new Map<string, GrowingColumn>();
  #length = 0;

  constructor(kind: KindOfEvents) {
    this.#kind = kind;
  }

  add(type: MetaType, table: ChunkTable, columns: EventColumns): void {
    for (const source of this.#kind.sources)
      if (source.type === type.name) this.#add(this.#present(source, table, columns), table, columns);
  }

  /** The source without optional fields that the events lack. */
  #present(source: KindSource, table: ChunkTable, columns: EventColumns): KindSource {
    const lacking = this.#kind.kind.fields.filter(({ key, optional }) => {
      const path = source.columns[key];
      return optional === true && typeof path === 'string' && !columns.has(table, path);
    });
    const present = Object.entries(source.columns).filter(([name]) => lacking.every(({ key }) => key !== name));
    return { ...source, columns: Object.fromEntries(present) };
  }

  #add(source: KindSource, table: ChunkTable, columns: EventColumns): void {
    const { complete } = this.#kind;
    const from = this.#length;
    const to = from + table.length;
    for (const { key, wide, holds, nature } of this.#kind.kind.fields) {
      const given = source.columns[key];
      if (given === undefined) continue;
      const missing = nature === undefined ? NONE : 0;
      const column = this.#columns.get(key) ?? new GrowingColumn(wide === true && complete !== undefined, missing);
      this.#columns.set(key, column);
      // Sizes and counts mostly fit integers, which take half the memory.
      if (wide === true && typeof given === 'string' && !columns.isNarrow(table, given)) column.widen();
      const values = column.rows(from, to, columns.expectedRows(to));
      if (typeof given === 'number') values.fill(given, from, to);
      else if (typeof given === 'object') values.fill(columns.name(given.text), from, to);
      else if (!columns.write(table, given, holds, values, from)) values.fill(missing, from, to);
    }
    this.#length = to;
  }

  finish(facts: Facts, others: readonly Table[]): FinishedRows | undefined {
    if (this.#length === 0) return undefined;
    const { kind, metrics, complete } = this.#kind;
    const columns: KindColumns = {};
    for (const { key, wide, optional } of kind.fields) {
      const column = this.#columns.get(key) ?? (optional === true ? undefined : new GrowingColumn(wide === true));
      if (column !== undefined) columns[key] = column.finish(this.#length);
    }
    const columnsOf = ({ columns: of }: Table): KindColumns =>
      Object.fromEntries(Object.entries(of).flatMap(([key, values]) => (isValues(values) ? [[key, values]] : [])));
    complete?.(columns, facts, (name) => {
      const table = others.find((other) => other.kind === name);
      return table && columnsOf(table);
    });
    return {
      table: defineEvents(kind.kind, kind.title, kind.fields).table(columns),
      metrics: metrics.filter(({ field }) => field === undefined || columns[field] !== undefined),
    };
  }
}

function isValues(values: Column): values is Values {
  return values instanceof Int32Array || values instanceof Float64Array;
}
