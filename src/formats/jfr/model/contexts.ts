/**
 * Fields that an application marks as context (`jdk.jfr.Contextual`, JDK 25): they hold for every event that begins on the thread of their event
 * while that lasts. Each becomes a field of the tables of such events, `Order.orderId`; of nested events of one type the innermost holds.
 */
import { inTimeOrder } from '../../../base/columns/order.js';
import { PackedBuilder, unpacked } from '../../../base/columns/packed.js';
import { NONE } from '../../../base/flavor.js';
import { THREAD, TIME } from '../../../models/events/shared-fields.js';
import { withColumns } from '../../../models/packed-columns.js';
import { type Column, columnOf, type Field, type Table } from '../../../models/table.js';
import type { ChunkTable } from '../chunk/chunk-data.js';
import { unitOf } from '../chunk/chunk-data.js';
import type { EventSelection } from '../chunk/chunk-options.js';
import type { MetaField, MetaType } from '../chunk/metadata.js';
import type { EventColumns } from './event-columns.js';

const PLACE = { thread: 'eventThread', time: 'startTime', duration: 'duration' } as const;

/** The fields that are read of a type for its context; none if it has no context. */
export function contextFields({ fields }: Pick<MetaType, 'fields'>): readonly string[] {
  const names = fields.filter(isContext).map(({ name }) => name);
  return names.length === 0 ? [] : [...Object.values(PLACE), ...names];
}

/** These types, and of those with a context that. */
export function contextsBeside(isWanted: (type: string) => boolean): EventSelection {
  return (name, type) => {
    const context = isWanted(name) ? [] : contextFields(type);
    return isWanted(name) || (context.length > 0 && context);
  };
}

function isContext({ isContextual, array }: MetaField): boolean {
  return isContextual === true && !array;
}

/** Values of a field of the events of a type. */
interface ContextValues {
  readonly field: Field;
  readonly path: string;
  readonly column: PackedBuilder;
}

/** The events of a type with a context. */
interface ContextType {
  readonly name: string;
  readonly thread: PackedBuilder;
  readonly time: PackedBuilder;
  readonly duration: PackedBuilder;
  readonly values: ContextValues[];
  length: number;
}

export class Contexts {
  readonly #types = new Map<string, ContextType>();

  add(type: MetaType, table: ChunkTable, columns: EventColumns): void {
    if (!type.fields.some(isContext)) return;
    let entry = this.#types.get(type.name);
    if (entry === undefined) {
      const place = () => new PackedBuilder(true, NONE);
      entry = { name: type.name, thread: place(), time: place(), duration: place(), values: [], length: 0 };
      this.#types.set(type.name, entry);
    }
    for (const { path, holds, column } of columns.fields(table)) {
      const field = type.fields.find((one) => one.name === path && isContext(one));
      if (field === undefined || entry.values.some((one) => one.path === path)) continue;
      const unit = holds === 'number' ? unitOf(field) : 'none';
      const described = { key: this.#keyOf(type.name, path), holds, unit, meaning: MEANING, extension: true } as const;
      const title = described.key;
      const wide = holds === 'number';
      const missing = wide ? Number.NaN : NONE;
      if (column.holds !== 'time')
        entry.values.push({ field: { ...described, title, wide }, path, column: new PackedBuilder(wide, missing) });
    }
    const fill = (column: PackedBuilder, path: string, holds: Field['holds']): void => {
      column.padTo(entry.length);
      columns.append(table, path, holds, column);
      column.padTo(entry.length + table.length);
    };
    fill(entry.thread, PLACE.thread, 'thread');
    fill(entry.time, PLACE.time, 'number');
    fill(entry.duration, PLACE.duration, 'number');
    for (const { path, field, column } of entry.values) fill(column, path, field.holds);
    entry.length += table.length;
  }

  /** The last part of the name of a type, as the JDK's own printer shows it; the whole name if another type has that. */
  #keyOf(type: string, path: string): string {
    const last = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
    const isShared = [...this.#types.keys()].some((other) => other !== type && last(other) === last(type));
    return `${isShared ? type : last(type)}.${path}`;
  }

  /** The tables with the contexts of their events. */
  finish(): (table: Table) => Table {
    const types = [...this.#types.values()].filter(({ length, values }) => length > 0 && values.length > 0);
    const contexts = types.map((type) => ({
      name: type.name,
      spans: spansOf(type),
      values: type.values.map(({ field, column }) => ({ field, values: unpacked(column.finish()) })),
    }));
    return (table) => contexts.reduce((now, each) => (each.name === table.kind ? now : extended(now, each)), table);
  }
}

const MEANING = 'of the event around it on its thread';

/** When events began and ended, by thread in the order of their begin. */
type Spans = ReadonlyMap<number, readonly Span[]>;

interface Span {
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

function spansOf({ thread, time, duration, length }: ContextType): Spans {
  const [threads, starts, durations] = [thread, time, duration].map((column) => unpacked(column.finish()));
  const spans = new Map<number, Span[]>();
  for (let row = 0; row < length; row++) {
    const start = starts[row];
    if (threads[row] < 0 || !(durations[row] >= 0)) continue;
    const span = { row, start, end: start + durations[row] };
    const list = spans.get(threads[row]);
    if (list === undefined) spans.set(threads[row], [span]);
    else list.push(span);
  }
  // Of events that begin at once, the longest is around the others.
  for (const each of spans.values()) each.sort((a, b) => a.start - b.start || b.end - a.end);
  return spans;
}

function extended(
  table: Table,
  context: {
    readonly spans: Spans;
    readonly values: readonly { readonly field: Field; readonly values: Column }[];
  },
): Table {
  const [threads, times] = [columnOf(table, THREAD), columnOf(table, TIME)];
  if (threads === undefined || times === undefined) return table;
  const rows = contextRows(threads, times, context.spans);
  const columns = context.values.map(({ field, values }) => {
    const none = field.holds === 'number' ? Number.NaN : NONE;
    const column = field.holds === 'number' ? new Float64Array(rows.length) : new Int32Array(rows.length);
    for (let row = 0; row < rows.length; row++) column[row] = rows[row] < 0 ? none : values[rows[row]];
    return [field.key, column] as const;
  });
  return {
    ...table,
    fields: [...table.fields, ...context.values.map(({ field }) => field)],
    columns: withColumns(table.columns, Object.fromEntries(columns)),
  };
}

interface SpansOfThread {
  readonly list: readonly Span[];
  next: number;
  readonly open: Span[];
}

function beginning(list: readonly Span[]): SpansOfThread {
  return { list, next: 0, open: [] };
}

/** By event: the row of the innermost event around it, -1 if there is none. */
function contextRows(threads: Column, times: Column, spans: Spans): Int32Array {
  const rows = new Int32Array(threads.length).fill(NONE);
  const order = inTimeOrder(times);
  const states = new Map([...spans].map(([thread, list]) => [thread, beginning(list)]));
  for (let i = 0; i < rows.length; i++) {
    const row = order === undefined ? i : order[i];
    const state = states.get(threads[row]);
    const time = times[row];
    if (state === undefined || Number.isNaN(time)) continue;
    for (; state.next < state.list.length && state.list[state.next].start <= time; state.next++)
      state.open.push(state.list[state.next]);
    while (state.open.length > 0 && (state.open.at(-1)?.end ?? 0) < time) state.open.pop();
    rows[row] = state.open.at(-1)?.row ?? NONE;
  }
  return rows;
}
