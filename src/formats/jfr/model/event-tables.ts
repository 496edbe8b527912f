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
    for (const source of this.#kind.sources) if (source.type === type.name) this.#add(source, table, columns);
  }

  #add(source: KindSource, table: ChunkTable, columns: EventColumns): void {
    const part: Record<string, Values> = {};
    for (const { key } of this.#kind.kind.fields) {
      const from = source.columns[key];
      if (from === undefined) continue;
      const values = typeof from === 'string' ? columns.values(table, from) : undefined;
      const same = typeof from === 'object' ? columns.name(from.text) : typeof from === 'number' ? from : NONE;
      part[key] = values ?? new Int32Array(table.length).fill(same);
    }
    this.#parts.push(part);
    this.#length += table.length;
  }

  finish(): FinishedRows | undefined {
    if (this.#length === 0) return undefined;
    const { kind, metrics } = this.#kind;
    const columns: Record<string, Values> = {};
    for (const { key, wide, optional } of kind.fields) {
      if (optional === true && this.#parts.every((part) => part[key] === undefined)) continue;
      const values = wide === true ? new Float64Array(this.#length) : new Int32Array(this.#length);
      let at = 0;
      for (const part of this.#parts) {
        const length = Object.values(part)[0]?.length ?? 0;
        const own = part[key];
        if (own === undefined) values.fill(NONE, at, at + length);
        else values.set(own, at);
        at += length;
      }
      columns[key] = values;
    }
    return { table: defineEvents(kind.kind, kind.title, kind.fields).table(columns), metrics };
  }
}
