/** Event tables of a recording, from those of its chunks. */
import { NONE } from '../../../base/flavor.js';
import { defineEvents } from '../../../models/events/event-kind.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { Table } from '../../../models/table.js';
import type { ChunkTable } from '../chunk/chunk-data.js';
import type { MetaType } from '../chunk/metadata.js';
import type { KindOfEvents, KindSource } from '../kinds/kind-source.js';
import type { EventColumns, Values } from './event-columns.js';

export interface FinishedRows {
  readonly table: Table;
  readonly metrics: readonly Metric[];
}

/** Collects events of all chunks into one table. */
export interface RowsOfEvents {
  /** Adds the events of a type of a chunk, if they belong to the table. */
  add(type: MetaType, table: ChunkTable, columns: EventColumns): void;
  /** The table and its metrics; undefined if there are no rows. */
  finish(): FinishedRows | undefined;
}

/** Rows of a kind. */
export class KindRows implements RowsOfEvents {
  readonly #kind: KindOfEvents;
  readonly #parts: Record<string, Values>[] = [];
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
    const part: Record<string, Values> = {};
    for (const { key } of this.#kind.kind.fields) {
      const from = source.columns[key];
      const values = typeof from === 'string' ? columns.values(table, from) : undefined;
      if (from === undefined) continue;
      part[key] = values ?? new Int32Array(table.length).fill(typeof from === 'number' ? from : NONE);
    }
    this.#parts.push(part);
    this.#length += table.length;
  }

  finish(): FinishedRows | undefined {
    if (this.#length === 0) return undefined;
    const { kind, metrics, complete } = this.#kind;
    const columns: Record<string, Values> = {};
    for (const { key, wide, optional, nature } of kind.fields) {
      if (optional === true && this.#parts.every((part) => part[key] === undefined)) continue;
      const values = wide === true ? new Float64Array(this.#length) : new Int32Array(this.#length);
      let at = 0;
      for (const part of this.#parts) {
        const length = Object.values(part)[0]?.length ?? 0;
        const own = part[key];
        // What is summed gets 0 in events that are not about it.
        if (own === undefined) values.fill(nature === undefined ? NONE : 0, at, at + length);
        else values.set(own, at);
        at += length;
      }
      columns[key] = values;
    }
    complete?.(columns);
    return {
      table: defineEvents(kind.kind, kind.title, kind.fields).table(columns),
      metrics: metrics.filter(({ field }) => field === undefined || columns[field] !== undefined),
    };
  }
}
