/** Columns of the events of an experiment: those of their kinds, and those that its reader adds. */
import type { EventFacts, ExperimentDetails } from '../../../formats/experiment/index.js';
import { IO_EVENTS } from '../../../models/events/io.js';
import { NATIVE_MEMORY_EVENTS } from '../../../models/events/memory.js';
import { TIME } from '../../../models/events/shared-fields.js';
import { CPU_SAMPLE_EVENTS } from '../../../models/events/thread-samples.js';
import { WAIT_EVENTS } from '../../../models/events/wait.js';
import { type Column, columnOf, type Table } from '../../../models/table.js';

/** The column of a field of the format; undefined if the table lacks it. Fields of the kinds are read by these. */
export function recordedField(table: Table, key: string): Column | undefined {
  const field = table.fields.find((each) => each.key === key);
  return field && columnOf(table, field);
}

export function clockColumns(table: Table) {
  const { count, cpu } = CPU_SAMPLE_EVENTS.rows(table);
  return { count, cpu, microstate: recordedField(table, 'microstate') };
}

export function heapColumns(table: Table) {
  return NATIVE_MEMORY_EVENTS.rows(table);
}

export function waitColumns(table: Table) {
  const { address, waited } = WAIT_EVENTS.rows(table);
  return { address, waited };
}

export function isHeap({ kind }: Table): boolean {
  return kind === NATIVE_MEMORY_EVENTS.kind;
}

/** Kinds of packets by kinds of events. */
export const PACKETS: Readonly<Record<string, number>> = {
  'cpu-sample': 8,
  sample: 3,
  wait: 2,
  'native-memory': 5,
  io: 19,
};

/** What was recorded beside the events of a kind, row by row. */
export function factsOf({ events }: ExperimentDetails, kind: string): EventFacts | undefined {
  return events.get(PACKETS[kind] ?? -1);
}

const ends = new WeakMap<Table, Float64Array>();

/** When events ended, in nanoseconds: waits have the time of their request. */
export function endsOf(table: Table): Float64Array {
  const known = ends.get(table);
  if (known !== undefined) return known;
  const time = columnOf(table, TIME);
  const waited = table.kind === WAIT_EVENTS.kind ? waitColumns(table).waited : undefined;
  const made = time instanceof Float64Array && waited === undefined ? time : new Float64Array(table.length);
  if (made !== time) for (let row = 0; row < table.length; row++) made[row] = (time?.[row] ?? 0) + (waited?.[row] ?? 0);
  ends.set(table, made);
  return made;
}

/** Bytes of heap and I/O events; 0 of others. */
export function bytesOf(table: Table, row: number): number {
  if (isHeap(table)) return heapColumns(table).bytes[row];
  if (table.kind !== IO_EVENTS.kind) return 0;
  const { read, written } = IO_EVENTS.rows(table);
  return (read?.[row] ?? 0) + (written?.[row] ?? 0);
}

/** Nanoseconds of waits, calls, and of the ticks before the last one of a clock event; 0 of others. */
export function durationOf(table: Table, row: number): number {
  if (table.kind === WAIT_EVENTS.kind) return waitColumns(table).waited[row];
  if (table.kind === CPU_SAMPLE_EVENTS.kind) {
    const { count, cpu } = clockColumns(table);
    return count[row] > 1 ? (cpu[row] / count[row]) * (count[row] - 1) : 0;
  }
  return table.kind === IO_EVENTS.kind ? IO_EVENTS.rows(table).spent[row] : 0;
}

/** A table whose stacks have become others; `moved`: by stack. */
export function withMoved(table: Table, moved: Int32Array): Table {
  const columns: Record<string, Column> = { ...table.columns };
  for (const { key, holds } of table.fields) {
    const own = table.columns[key];
    if (holds !== 'stack' || own === undefined) continue;
    const stacks = new Int32Array(own.length);
    for (let row = 0; row < own.length; row++) stacks[row] = own[row] < 0 ? own[row] : moved[own[row]];
    columns[key] = stacks;
  }
  return { ...table, columns };
}
