/** A kind of packets of an experiment: the rows and metrics they become. */
import type { Metric } from '../../../models/profile/profile.js';
import type { Field, Table } from '../../../models/table.js';
import type { PacketRun } from '../packets.js';
import type { EventSource } from './event-source.js';

/** A kind that had packets. */
export interface FinishedKind {
  readonly table: Table;
  readonly metrics: readonly Metric[];
}

export interface KindRows {
  /** Numbers of the packets in the files. */
  readonly packets: readonly number[];
  /** Whether these are no events but say more about those of other kinds. */
  readonly isBeside?: true;
  /** Takes the packets of one process, run by run. */
  reader(source: EventSource): (run: PacketRun) => void;
  /** Undefined if there were none. */
  finish(): FinishedKind | undefined;
}

/** A field that is made of the rows of a table, with its metric. */
export interface DerivedField {
  readonly field: Field;
  readonly values: Float64Array;
  readonly metric: Metric;
}

/** A table with derived fields behind its own. */
export function withDerived(table: Table, derived: readonly Omit<DerivedField, 'metric'>[]): Table {
  return {
    ...table,
    fields: [...table.fields, ...derived.map(({ field }) => field)],
    columns: { ...table.columns, ...Object.fromEntries(derived.map(({ field, values }) => [field.key, values])) },
  };
}
