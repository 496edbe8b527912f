/** Properties that events of many kinds have: when they ended, how long they took, how many bytes they were about. */
import { IO_EVENTS } from '../../models/events/io.js';
import { NATIVE_MEMORY_EVENTS } from '../../models/events/memory.js';
import { TIME } from '../../models/events/shared-fields.js';
import { CPU_SAMPLE_EVENTS } from '../../models/events/thread-samples.js';
import { WAIT_EVENTS } from '../../models/events/wait.js';
import { columnOf, type Table } from '../../models/table.js';

const ends = new WeakMap<Table, Float64Array>();

/** When events ended, in nanoseconds: waits have the time of their request. */
export function eventEnds(table: Table): Float64Array {
  const cachedEnds = ends.get(table);
  if (cachedEnds !== undefined) return cachedEnds;
  const time = columnOf(table, TIME);
  const waited = table.kind === WAIT_EVENTS.kind ? WAIT_EVENTS.rows(table).waited : undefined;
  const endTimes = time instanceof Float64Array && waited === undefined ? time : new Float64Array(table.length);
  if (endTimes !== time)
    for (let row = 0; row < table.length; row++) endTimes[row] = (time?.[row] ?? 0) + (waited?.[row] ?? 0);
  ends.set(table, endTimes);
  return endTimes;
}

/** The bytes of each event of native memory and of input and output; undefined of kinds without. */
export function eventBytes(table: Table): ((row: number) => number) | undefined {
  if (table.kind === NATIVE_MEMORY_EVENTS.kind) {
    const { bytes } = NATIVE_MEMORY_EVENTS.rows(table);
    return (row) => bytes[row];
  }
  if (table.kind !== IO_EVENTS.kind) return undefined;
  const { read, written } = IO_EVENTS.rows(table);
  return (row) => (read?.[row] ?? 0) + (written?.[row] ?? 0);
}

/** Nanoseconds of waits, calls, and of the ticks before the last one of a sample of several; undefined of kinds without. */
export function eventDuration(table: Table): ((row: number) => number) | undefined {
  if (table.kind === WAIT_EVENTS.kind) {
    const { waited } = WAIT_EVENTS.rows(table);
    return (row) => waited[row];
  }
  if (table.kind === CPU_SAMPLE_EVENTS.kind) {
    const { count, cpu } = CPU_SAMPLE_EVENTS.rows(table);
    return (row) => (count[row] > 1 ? (cpu[row] / count[row]) * (count[row] - 1) : 0);
  }
  if (table.kind !== IO_EVENTS.kind) return undefined;
  const { spent } = IO_EVENTS.rows(table);
  return (row) => spent[row];
}

/** Largest sizes of the groups of events by size, and largest durations in nanoseconds, rising. */
export const SIZE_STEPS: readonly number[] = Array.from({ length: 26 }, (_, i) => 4 ** i);
export const TIME_STEPS: readonly number[] = Array.from({ length: 11 }, (_, i) => 10 ** (i + 3));

/** The first step that is not below the value; the last one and 1 above all, 0 of nothing, -1 below 0. */
export function stepOf(value: number, steps: readonly number[]): number {
  if (value <= 0) return value < 0 ? -1 : 0;
  return steps.find((step) => value <= step) ?? (steps.at(-1) ?? 0) + 1;
}
