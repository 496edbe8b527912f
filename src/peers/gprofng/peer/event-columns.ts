/** Columns of the events of an experiment: those of their kinds, and those that its reader adds. */
import type { EventFacts, ExperimentDetails } from '../../../formats/experiment/index.js';
import { NATIVE_MEMORY_EVENTS } from '../../../models/events/memory.js';
import { PROCESSOR } from '../../../models/events/shared-fields.js';
import { CPU_SAMPLE_EVENTS } from '../../../models/events/thread-samples.js';
import { WAIT_EVENTS } from '../../../models/events/wait.js';
import { STACK_ENDINGS, type StackTable } from '../../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../../models/profile/stack-builder.js';
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

/** The number of the processor of each event, -1 unknown. */
export function processorOf(table: Table): (row: number) => number {
  const processors = columnOf(table, PROCESSOR);
  return (row) => processors?.[row] ?? -1;
}

/** The stacks of a profile in a builder that takes more. */
export interface CopiedStacks {
  readonly builder: StackBuilder;
  /** By stack of the profile. */
  readonly moved: Int32Array;
}

/** The same stacks in a builder. */
export function copiedStacks({ length, parent, location, ending }: StackTable): CopiedStacks {
  const builder = new StackBuilder(length);
  const moved = new Int32Array(length);
  for (let id = 0; id < length; id++) {
    const above = parent[id] >= 0 ? moved[parent[id]] : rootOf(STACK_ENDINGS[ending[id]]);
    moved[id] = builder.add(above, location[id]);
  }
  return { builder, moved };
}
