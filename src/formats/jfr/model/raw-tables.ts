/** Event tables that have the fields of the file, for types of any name. */
import { NONE } from '../../../base/flavor.js';
import { defineEvents } from '../../../models/events/event-kind.js';
import type { Field } from '../../../models/table.js';
import type { ChunkTable } from '../chunk/chunk-data.js';
import type { MetaType } from '../chunk/metadata.js';
import type { EventColumns, EventField, Values } from './event-columns.js';
import type { FinishedRows, RowsOfEvents } from './event-tables.js';

/** The rows of the events with this name. */
export function rawRows(name: string): RowsOfEvents {
  return new RawRows(name);
}

class RawRows implements RowsOfEvents {
  readonly #name: string;
  #title = '';
  /** By path; types of one name may have different fields in other chunks. */
  readonly #fields = new Map<string, Field>();
  readonly #parts: { readonly length: number; readonly columns: ReadonlyMap<string, Values> }[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  add(type: MetaType, table: ChunkTable, columns: EventColumns): void {
    if (type.name !== this.#name) return;
    this.#title = type.label || this.#title;
    const values = new Map<string, Values>();
    for (const field of columns.fields(table)) {
      const own = columns.values(table, field.path);
      if (own === undefined) continue;
      values.set(field.path, own);
      const known = this.#fields.get(field.path);
      const wide = own instanceof Float64Array || known?.wide === true;
      this.#fields.set(field.path, toField(field, wide));
    }
    this.#parts.push({ length: table.length, columns: values });
  }

  finish(): FinishedRows | undefined {
    const length = this.#parts.reduce((sum, part) => sum + part.length, 0);
    if (length === 0) return undefined;
    const columns: Record<string, Values> = {};
    for (const [path, { wide }] of this.#fields) {
      const values = wide === true ? new Float64Array(length) : new Int32Array(length);
      let at = 0;
      for (const part of this.#parts) {
        const own = part.columns.get(path);
        if (own === undefined) values.fill(NONE, at, at + part.length);
        else values.set(own, at);
        at += part.length;
      }
      columns[path] = values;
    }
    const kind = defineEvents(this.#name, this.#title || this.#name, [...this.#fields.values()]);
    return { table: kind.table(columns), metrics: [] };
  }
}

function toField({ path, holds, column }: EventField, wide: boolean): Field {
  const { label, description, unit } = column;
  return {
    key: path,
    title: label || path,
    holds,
    unit: holds === 'number' ? unit : 'none',
    meaning: description,
    ...(wide && { wide }),
  };
}
