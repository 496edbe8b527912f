/** Types of index objects: numbers of events. */
import type { EventFacts } from '../../formats/experiment/index.js';
import type { Table } from '../../models/table.js';
import type { Experiment, PrintedProcess } from './peer/experiment.js';

/** Where an event happened. */
export interface Place {
  readonly process: PrintedProcess;
  readonly facts: EventFacts;
  readonly table: Table;
  readonly row: number;
  /** Nanoseconds since the start of the whole recording. */
  readonly time: number;
}

export interface IndexType {
  readonly name: string;
  readonly formula: string;
  /** The number of an event, and the name of a number. */
  readonly of: (place: Place, experiment: Experiment) => number;
  readonly label: (index: number, experiment: Experiment) => string;
  /** Numbers that are shown without an event. */
  readonly always?: readonly number[];
  /** The order of numbers with the same values; rising if absent. */
  readonly order?: (a: number, b: number) => number;
  /** Numbers with the same values are in the order of their names. */
  readonly sortsByLabel?: boolean;
}
