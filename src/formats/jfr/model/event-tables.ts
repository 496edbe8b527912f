/** Event tables of a recording, from those of its chunks. */
import { PackedBuilder, type PackedColumn, unpacked } from '../../../base/columns/packed.js';
import { NONE } from '../../../base/flavor.js';
import { defineEvents } from '../../../models/events/event-kind.js';
import { STACK } from '../../../models/events/shared-fields.js';
import { WAIT_EVENTS } from '../../../models/events/wait.js';
import { lazyColumns } from '../../../models/packed-columns.js';
import type { Metric } from '../../../models/profile/profile.js';
import type { Table } from '../../../models/table.js';
import type { ChunkTable } from '../chunk/chunk-data.js';
import type { MetaType } from '../chunk/metadata.js';
import type { Facts } from '../kinds/facts.js';
import {
  type ColumnSource,
  fieldOf,
  type KindColumns,
  type KindOfEvents,
  type KindSource,
} from '../kinds/kind-source.js';
import { withVirtualWaits } from '../kinds/virtual-waits.js';
import type { ConstantValues } from './constant-rows.js';
import type { EventColumns } from './event-columns.js';
import { RestsOfField } from './rests-of-field.js';

export interface FinishedRows {
  readonly table: Table;
  readonly metrics: readonly Metric[];
}

/** Collects events of all chunks into one table. */
export interface RowsOfEvents {
  /** Whether some values follow from other rows, maybe of other tables. */
  readonly isDerived: boolean;
  /** Adds the events of a type of a chunk, if they belong to the table. */
  add(type: MetaType, table: ChunkTable, columns: EventColumns): void;
  /** The rows so far; undefined if there are none. */
  finish(): RowsSoFar | undefined;
}

/** Makes a table and its metrics of rows, to which none are added any more. `others`: tables that were made before, threads among them. */
export type RowsSoFar = (facts: Facts, others: readonly Table[]) => FinishedRows;

/** The blocks of a column from a number on. */
interface ColumnBlocks {
  readonly column: PackedBuilder;
  readonly from: number;
}

/** Rows of a kind. */
export class KindRows implements RowsOfEvents {
  readonly #kind: KindOfEvents;
  readonly #columns = new Map<string, PackedBuilder>();
  readonly #rests = new Map<string, RestsOfField>();
  #length = 0;

  constructor(kind: KindOfEvents) {
    this.#kind = kind;
  }

  get isDerived(): boolean {
    return this.#kind.complete !== undefined;
  }

  add(type: MetaType, table: ChunkTable, columns: EventColumns): void {
    const { sources, sourceOf } = this.#kind;
    for (const source of sources)
      if (source.type === type.name) this.#add(this.#present(source, table, columns), table, columns);
    const other = sourceOf?.(type);
    // The recorder leaves all stacks of a type out, or none.
    if (other !== undefined && columns.isSet(table, fieldOf(other.columns[STACK.key]) ?? ''))
      this.#add(this.#present(other, table, columns), table, columns);
  }

  /** The source without optional fields that the events lack, and with the numbers that stand for others. */
  #present(source: KindSource, table: ChunkTable, columns: EventColumns): KindSource {
    const lacking = this.#kind.kind.fields.filter(({ key, optional }) => {
      const path = source.columns[key];
      const field = path === undefined ? undefined : fieldOf(path);
      return optional === true && field !== undefined && !columns.has(table, field);
    });
    const present = Object.entries(source.columns).filter(([name]) => lacking.every(({ key }) => key !== name));
    const settled = present.map(([key, column]) => [key, settledColumn(column, table, columns)]);
    return { ...source, columns: Object.fromEntries(settled) };
  }

  #add(source: KindSource, table: ChunkTable, columns: EventColumns): void {
    const { complete, sources, sourceOf } = this.#kind;
    // Events of several types differ in what they lack: blocks of one type are narrower.
    const isMixed = sources.length > 1 || sourceOf !== undefined;
    const blocks = new Map<string, ColumnBlocks>();
    for (const { key, wide, holds, nature } of this.#kind.kind.fields) {
      const given = source.columns[key];
      if (given === undefined) continue;
      const missing = nature === undefined ? NONE : 0;
      // Sizes and counts mostly fit integers.
      const column = this.#columns.get(key) ?? new PackedBuilder(wide === true && complete !== undefined, missing);
      this.#columns.set(key, column);
      column.padTo(this.#length);
      if (isMixed) column.endBlock();
      // Measures are summed as doubles.
      if (typeof given === 'string' && holds === 'number' && nature === undefined)
        this.#restsOf(key).append(columns.rests(table, given), this.#length);
      const known = typeof given === 'string' ? blocks.get(given) : undefined;
      if (known !== undefined && column.appendBlocks(known.column, known.from)) continue;
      const from = column.blocks;
      if (typeof given === 'string') columns.append(table, given, holds, column, NONE);
      else if (typeof given === 'object' && 'words' in given)
        columns.appendWords(table, given.field, given.words, column);
      else if (typeof given === 'object' && 'isWithoutHook' in given) columns.appendCallers(table, given.field, column);
      else if (typeof given === 'number') column.appendSame(table.length, given);
      else if ('text' in given) column.appendSame(table.length, columns.name(given.text));
      // Those that the events lack.
      const isWhole = column.length === this.#length + table.length;
      column.padTo(this.#length + table.length);
      if (!isMixed) continue;
      column.endBlock();
      if (typeof given === 'string' && from !== undefined && isWhole) blocks.set(given, { column, from });
    }
    this.#length += table.length;
  }

  #restsOf(key: string): RestsOfField {
    const rests = this.#rests.get(key) ?? new RestsOfField();
    this.#rests.set(key, rests);
    return rests;
  }

  /** The table with the names that its fields have in the file, where these differ. */
  #described(table: Table): Table {
    const { sources } = this.#kind;
    const fields = table.fields.map((field) => {
      const names = sources.flatMap(({ columns }) => {
        const source = columns[field.key];
        return source === undefined ? [] : (fieldOf(source) ?? []);
      });
      const otherNames = [...new Set(names)].filter((name) => name !== field.key);
      return otherNames.length === 0 ? field : { ...field, otherNames };
    });
    return { ...table, fields };
  }

  finish(): RowsSoFar | undefined {
    if (this.#length === 0) return undefined;
    const { kind, metrics, complete } = this.#kind;
    const packed = new Map<string, PackedColumn>();
    for (const { key, wide, optional } of kind.fields) {
      const known = this.#columns.get(key);
      if (known === undefined && optional === true) continue;
      const column = known ?? new PackedBuilder(wide === true, NONE);
      column.padTo(this.#length);
      packed.set(key, column.finish());
    }
    const fields = kind.fields.map((field) => this.#rests.get(field.key)?.finish(field, this.#length, packed) ?? field);
    const all = Object.fromEntries(packed);
    return (facts, others) => {
      const columns = complete === undefined ? lazyColumns(all) : completed(all, complete, facts, others);
      return {
        table: this.#described(defineEvents(kind.kind, kind.title, fields).table(columns)),
        metrics: metrics.filter(({ field }) => field === undefined || Object.hasOwn(columns, field)),
      };
    };
  }
}

/** The tables of a recording so far. */
export interface FinishedTables {
  /** Those of kinds whose rows follow from no others. */
  readonly direct: readonly FinishedRows[];
  /** Makes all in the order of their kinds, with what follows from other rows. */
  readonly all: () => readonly FinishedRows[];
}

/** `facts`: those up to these rows. */
export function finishedTables(
  rows: readonly RowsOfEvents[],
  facts: Facts,
  threads: Table | undefined,
): FinishedTables {
  const parts = rows.map((each) => ({ isDerived: each.isDerived, toTable: each.finish() }));
  const first = threads === undefined ? [] : [threads];
  const results = parts.map(({ isDerived, toTable }) => (isDerived ? undefined : toTable?.(facts, first)));
  const direct = results.flatMap((result) => result ?? []);
  const all = (): readonly FinishedRows[] => {
    const tables = [...first, ...direct.map(({ table }) => table)];
    for (const [i, { isDerived, toTable }] of parts.entries()) {
      if (!isDerived || toTable === undefined) continue;
      const result = toTable(facts, tables);
      results[i] = result;
      tables.push(result.table);
    }
    return results.flatMap((result) => result ?? []);
  };
  return { direct, all };
}

/** A field whose events may lack it: that field, or the number that stands for it. */
function settledColumn(source: ColumnSource, table: ChunkTable, columns: EventColumns): ColumnSource {
  if (typeof source !== 'object' || !('otherwise' in source)) return source;
  return columns.isNumber(table, source.field) ? source.field : source.otherwise;
}

/** The columns after the kind filled in what follows from several rows; those that it does not look at stay packed. */
function completed(
  packed: Readonly<Record<string, PackedColumn>>,
  complete: NonNullable<KindOfEvents['complete']>,
  facts: Facts,
  others: readonly Table[],
): Readonly<KindColumns> {
  const columns: KindColumns = {};
  const untouched = new Map(Object.entries(packed));
  for (const [key, column] of untouched) {
    const set = (value: ConstantValues): void => {
      untouched.delete(key);
      Object.defineProperty(columns, key, { value, enumerable: true, writable: true });
    };
    const get = (): ConstantValues => {
      const values = unpacked(column);
      set(values);
      return values;
    };
    Object.defineProperty(columns, key, { enumerable: true, configurable: true, get, set });
  }
  complete(columns, facts, (name) => others.find((other) => other.kind === name)?.columns);
  return lazyColumns(Object.fromEntries(Object.keys(columns).map((key) => [key, untouched.get(key) ?? columns[key]])));
}

/** The metrics of a table with what the recorder says of them. */
export function describedMetrics(
  { table, metrics }: FinishedRows,
  facts: Facts,
  threads: Table | undefined,
): readonly Metric[] {
  const described = metrics.map((metric) => facts.described(metric, table.length));
  return table.kind === WAIT_EVENTS.kind ? withVirtualWaits(described, table, threads, facts) : described;
}
