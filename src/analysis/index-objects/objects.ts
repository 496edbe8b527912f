/**
 * Index objects: events by something else than their code. A process, a processor, a sample of the recorder, a garbage collection, a second of the recording, a range of
 * sizes or of durations, a parallel region or a task of OpenMP. Each event belongs to one object of each kind; values are those of the events only.
 */
import { PROCESSOR, TIME } from '../../models/events/shared-fields.js';
import { CPU_SAMPLE_EVENTS } from '../../models/events/thread-samples.js';
import { type Stage, type Subject, type Use, use } from '../../models/open-recording.js';
import type { RecordedProcess } from '../../models/processes.js';
import { eventTable, type Metric, metricColumn, type Profile } from '../../models/profile/profile.js';
import { columnOf, type Table } from '../../models/table.js';
import type { IndexKind } from '../../questions/options/recording.js';
import { processSamples, spanAt } from '../processes/usage.js';
import { scopedUse } from '../scope/scoped.js';
import { processOfRow } from '../threads/process-of.js';
import { eventBytes, eventDuration, eventEnds, SIZE_STEPS, stepOf, TIME_STEPS } from './event-values.js';

const SECOND = 1e9;

/** Objects by process and number, rising. */
export interface IndexObjects {
  readonly length: number;
  /** Number of the process, from 0; 0 of kinds that do not belong to one. */
  readonly process: Int32Array;
  /** The number of a sample, a collection, a region or a task, from 1, 0 outside of all; the second; the step of a size or duration. */
  readonly number: Float64Array;
  readonly events: Float64Array;
  /** Of the metric. */
  readonly value: Float64Array;
  /** Of regions and tasks: the stack of their pragmas, -1 of others. */
  readonly pragmas: Int32Array;
}

/** What an event belongs to; undefined if the recording does not say it of its kind. */
interface IndexOf {
  readonly process: (row: number) => number;
  readonly number: (row: number) => number;
  readonly pragmas?: ArrayLike<number>;
}

const objectsStage: Stage<IndexObjects | undefined, { readonly by: IndexKind; readonly metric: Metric }> = {
  name: 'index objects',
  version: 1,
  key: ({ by, metric }) => JSON.stringify([by, metric.id]),
  needs: ([subject]) => [scopedUse(subject)],
  run: async ([subject], { by, metric }, get) => {
    const { profile, recording } = await get(scopedUse(subject));
    const table = profile && eventTable(profile, metric.table);
    const index = profile && table && indexOf(by, profile, table, recording.processes);
    return table && index && objectsOf(table, metric, index);
  },
  bytes: (value) => (value?.length ?? 0) * BYTES_AN_OBJECT,
};

const BYTES_AN_OBJECT = 32;

/** The objects of the events of a metric within the scope; undefined if the recording does not say what its events belong to. */
export function indexObjectsUse(subject: Subject, by: IndexKind, metric: Metric): Use<IndexObjects | undefined> {
  return use(objectsStage, [subject], { by, metric });
}

const ALONE = (): number => 0;

function indexOf(
  by: IndexKind,
  profile: Profile,
  table: Table,
  processes: readonly RecordedProcess[] | undefined,
): IndexOf | undefined {
  const process = processOfRow(profile, table);
  switch (by) {
    case 'process':
      return processes && { process, number: ALONE };
    case 'sample':
      return processes && { process, number: spanNumber(table, process, processes, processSamples) };
    case 'collection':
      return processes && { process, number: spanNumber(table, process, processes, ({ collections }) => collections) };
    case 'processor': {
      const processors = columnOf(table, PROCESSOR);
      return processors && { process: ALONE, number: (row) => processors[row] };
    }
    case 'second': {
      if (columnOf(table, TIME) === undefined) return undefined;
      const ends = eventEnds(table);
      return { process: ALONE, number: (row) => Math.floor(ends[row] / SECOND) };
    }
    case 'size':
      return byStep(eventBytes(table), SIZE_STEPS);
    case 'duration':
      return byStep(eventDuration(table), TIME_STEPS);
    case 'region':
    case 'task':
      return byPragma(table, by, process);
  }
}

function spanNumber(
  table: Table,
  process: (row: number) => number,
  processes: readonly RecordedProcess[],
  spansOf: (process: RecordedProcess) => Parameters<typeof spanAt>[0],
): (row: number) => number {
  const spans = processes.map(spansOf);
  const ends = eventEnds(table);
  return (row) => {
    const of = process(row);
    return spanAt(spans[of] ?? [], ends[row] - (processes[of]?.shift ?? 0));
  };
}

function byStep(value: ((row: number) => number) | undefined, steps: readonly number[]): IndexOf | undefined {
  return value && { process: ALONE, number: (row) => stepOf(value(row), steps) };
}

function byPragma(table: Table, by: 'region' | 'task', process: (row: number) => number): IndexOf | undefined {
  if (table.kind !== CPU_SAMPLE_EVENTS.kind) return undefined;
  const { omp_region, omp_region_stack, omp_task, omp_task_stack } = CPU_SAMPLE_EVENTS.rows(table);
  const [numbers, pragmas] = by === 'region' ? [omp_region, omp_region_stack] : [omp_task, omp_task_stack];
  return numbers && pragmas && { process, number: (row) => numbers[row], pragmas };
}

interface ObjectSum {
  readonly process: number;
  readonly number: number;
  events: number;
  value: number;
  pragmas: number;
}

function objectsOf(table: Table, metric: Metric, { process, number, pragmas }: IndexOf): IndexObjects {
  const column = metricColumn(metric, table);
  const sums = new Map<string, ObjectSum>();
  for (let row = 0; row < table.length; row++) {
    const [of, at] = [process(row), number(row)];
    const key = `${of} ${at}`;
    const sum = sums.get(key) ?? { process: of, number: at, events: 0, value: 0, pragmas: -1 };
    sums.set(key, sum);
    sum.events++;
    sum.value += column === undefined ? 1 : column[row];
    if (sum.pragmas < 0) sum.pragmas = pragmas?.[row] ?? -1;
  }
  const objects = [...sums.values()].sort((a, b) => a.process - b.process || a.number - b.number);
  return {
    length: objects.length,
    process: Int32Array.from(objects, (object) => object.process),
    number: Float64Array.from(objects, (object) => object.number),
    events: Float64Array.from(objects, (object) => object.events),
    value: Float64Array.from(objects, (object) => object.value),
    pragmas: Int32Array.from(objects, (object) => object.pragmas),
  };
}
