/** Event tables that have the fields of the file, for types of any name. */
import { PackedBuilder, type PackedColumn } from '../../../base/columns/packed.js';
import { NONE } from '../../../base/flavor.js';
import { defineEvents } from '../../../models/events/event-kind.js';
import { STACK, THREAD, TIME } from '../../../models/events/shared-fields.js';
import { lazyColumns } from '../../../models/packed-columns.js';
import type { Field } from '../../../models/table.js';
import type { ChunkTable } from '../chunk/chunk-data.js';
import type { MetaType } from '../chunk/metadata.js';
import type { EventColumns, EventField } from './event-columns.js';
import type { RowsOfEvents, RowsSoFar } from './event-tables.js';
import { RestsOfField } from './rests-of-field.js';

/** The rows of the events with this name; `kindNames`: names of their fields in the house's kinds, by path. */
export function rawRows(name: string, kindNames: ReadonlyMap<string, readonly string[]>): RowsOfEvents {
  return new RawRows(name, kindNames);
}

interface RawField {
  readonly field: Field;
  readonly column: PackedBuilder;
  readonly rests: RestsOfField;
  /** What it holds is unknown so far. */
  readonly isMissing: boolean;
}

class RawRows implements RowsOfEvents {
  readonly isDerived = false;
  readonly #name: string;
  readonly #kindNames: ReadonlyMap<string, readonly string[]>;
  #title = '';
  /** By path; types of one name may have different fields in other chunks. */
  readonly #fields = new Map<string, RawField>();
  #length = 0;

  constructor(name: string, kindNames: ReadonlyMap<string, readonly string[]>) {
    this.#name = name;
    this.#kindNames = kindNames;
  }

  add(type: MetaType, table: ChunkTable, columns: EventColumns): void {
    if (type.name !== this.#name) return;
    this.#title = type.label || this.#title;
    for (const found of columns.fields(table)) {
      const { path, isMissing = false } = found;
      const known = this.#fields.get(path);
      const isOther = known !== undefined && known.field.holds !== found.holds;
      // A column holds one kind of values: the first one that is known.
      if (isOther && !known.isMissing) continue;
      const wide = columns.isWide(table, path) || known?.field.wide === true;
      const column = known?.column ?? new PackedBuilder(wide, isSpan(found) ? Number.NaN : NONE);
      const rests = known?.rests ?? new RestsOfField();
      if (wide) column.widen();
      this.#fields.set(path, {
        field: toField(found, wide, this.#kindNames.get(path)),
        column,
        rests,
        isMissing: isMissing && known?.isMissing !== false,
      });
      column.padTo(this.#length);
      columns.append(table, path, found.holds, column);
      rests.append(columns.rests(table, path), this.#length);
    }
    this.#length += table.length;
  }

  finish(): RowsSoFar | undefined {
    if (this.#length === 0) return undefined;
    const all = [...this.#fields.values()];
    const packed = new Map<string, PackedColumn>();
    for (const { field, column } of all) {
      column.padTo(this.#length);
      packed.set(field.key, column.finish());
    }
    const fields = all.map(({ field, rests }) => rests.finish(field, this.#length, packed));
    const columns = lazyColumns(Object.fromEntries(packed));
    const kind = defineEvents(this.#name, this.#title || this.#name, fields);
    // Of events without any of the wanted fields, the number remains.
    const table = { ...kind.table(columns), length: this.#length, shared: sharedIn(columns) };
    return () => ({ table: STOPS.has(this.#name) ? { ...table, isOfAllThreads: true } : table, metrics: [] });
  }
}

/** Events of the VM as a whole: collections and their pauses, safepoints, and its operations, most of which need one. */
const STOPS: ReadonlySet<string> = new Set(
  [
    ...['GarbageCollection', 'GCPhasePause', 'ExecuteVMOperation'],
    ...['SafepointBegin', 'SafepointStateSynchronization', 'SafepointCleanup', 'SafepointCleanupTask', 'SafepointEnd'],
  ].map((name) => `jdk.${name}`),
);

/** The shared fields of JFR's events. Samples have the thread that was sampled, events about a thread only that one. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  [TIME.key]: ['startTime'],
  [THREAD.key]: ['eventThread', 'sampledThread', 'thread'],
  [STACK.key]: ['stackTrace'],
};

/** Where events have these fields. */
export function pathsOf(shared: readonly Field[]): readonly string[] {
  return shared.flatMap(({ key }) => SHARED[key] ?? []);
}

function sharedIn(columns: Readonly<Record<string, unknown>>): Record<string, string> {
  const found = Object.entries(SHARED).flatMap(([key, names]) => {
    const name = names.find((candidate) => Object.hasOwn(columns, candidate));
    return name === undefined ? [] : [[key, name] as const];
  });
  return Object.fromEntries(found);
}

/** Of times and spans, which are doubles, unknown ones are no numbers. */
function isSpan({ holds, column }: EventField): boolean {
  return holds === 'number' && column.unit === 'ns';
}

function toField({ path, holds, column }: EventField, wide: boolean, otherNames?: readonly string[]): Field {
  const { label, description, unit } = column;
  return {
    key: path,
    // Structures have fields of the same labels: used, of several spaces.
    title: path.includes('.') ? path : label || path,
    holds,
    unit: holds === 'number' ? unit : 'none',
    meaning: description,
    ...(wide && { wide }),
    ...(otherNames && { otherNames }),
  };
}
