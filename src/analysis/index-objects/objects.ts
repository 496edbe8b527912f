/**
 * Index objects: events by something else than their code. A process, a processor, a sample of the recorder, a garbage collection, a second of the recording, a range of
 * sizes or of durations, a parallel region or a task of OpenMP. Each event belongs to one object of each kind; values are those of the events only.
 */
import { PROCESSOR, TIME } from '../../models/events/shared-fields.js';
import { CPU_SAMPLE_EVENTS } from '../../models/events/thread-samples.js';
import { type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import type { ProcessSpan, RecordedProcess } from '../../models/processes.js';
import { eventTable, type Metric, metricColumn, type Profile } from '../../models/profile/profile.js';
import type { Recording } from '../../models/recording.js';
import { columnOf, type Table } from '../../models/table.js';
import type { IndexKind } from '../../questions/options/recording.js';
import { collectionsOf } from '../gc/collections.js';
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
  /**
   * The number of a sample, a collection, a region or a task, from 1, 0 outside of all; the second or the processor, -1 unknown; the step of a size or
   * duration.
   */
  readonly number: Float64Array;
  readonly events: Float64Array;
  /** Of the metric. */
  readonly value: Float64Array;
  /** Nanoseconds since the start of the recording, and how long it took; NaN of objects without a time. */
  readonly start: Float64Array;
  readonly duration: Float64Array;
  /** Of regions and tasks: the stack of their pragmas, -1 of others. */
  readonly pragmas: Int32Array;
}

/** What an event belongs to; undefined if the recording does not say it of its kind. */
interface IndexOf {
  readonly process: (row: number) => number;
  readonly number: (row: number) => number;
  /** The time of an object, since the start of the recording. */
  readonly span?: (process: number, number: number) => ProcessSpan | undefined;
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
    const index = profile && table && indexOf(by, recording, profile, table);
    return table && index && objectsOf(table, metric, index);
  },
  bytes: (value) => (value?.length ?? 0) * BYTES_AN_OBJECT,
};

const BYTES_AN_OBJECT = 48;

/** The objects of the events of a metric within the scope; undefined if the recording does not say what its events belong to. */
export function indexObjectsUse(subject: Subject, by: IndexKind, metric: Metric): StageUse<IndexObjects | undefined> {
  return use(objectsStage, [subject], { by, metric });
}

/** The metrics of a recording whose events belong to such objects. */
export function metricsBy(by: IndexKind, recording: Recording): Metric[] {
  const { profile } = recording;
  return (profile?.metrics ?? []).filter((metric) => {
    const table = profile && eventTable(profile, metric.table);
    return profile !== undefined && table !== undefined && indexOf(by, recording, profile, table) !== undefined;
  });
}

const ALONE = (): number => 0;

function indexOf(by: IndexKind, recording: Recording, profile: Profile, table: Table): IndexOf | undefined {
  const process = processOfRow(profile, table);
  switch (by) {
    case 'process':
      return byProcess(recording.processes, process);
    case 'sample':
    case 'collection':
      return bySpan(table, process, by === 'sample' ? samplesOf(recording) : collectionSpans(recording));
    case 'processor': {
      const processors = columnOf(table, PROCESSOR);
      return processors && { process: ALONE, number: (row) => processors[row] };
    }
    case 'second':
      return bySecond(table);
    case 'size':
      return byStep(eventBytes(table), SIZE_STEPS);
    case 'duration':
      return byStep(eventDuration(table), TIME_STEPS);
    case 'region':
    case 'task':
      return byPragma(table, by, process);
  }
}

function byProcess(
  processes: readonly RecordedProcess[] | undefined,
  process: (row: number) => number,
): IndexOf | undefined {
  const span = (id: number): ProcessSpan | undefined => {
    const recorded = processes?.[id];
    return recorded && { from: recorded.shift, to: recorded.shift + recorded.end };
  };
  return processes && { process, number: ALONE, span };
}

/** Spans by process, since the start of the recording. */
type SpansByProcess = readonly (readonly ProcessSpan[])[];

function samplesOf({ processes }: Recording): SpansByProcess | undefined {
  return processes?.map((process) => moved(processSamples(process), process.shift));
}

/** Of recordings without processes, the collections that have a time and a duration. */
function collectionSpans({ processes, program, profile }: Recording): SpansByProcess | undefined {
  if (processes !== undefined) return processes.map(({ collections, shift }) => moved(collections, shift));
  const { length, time, duration, paused } = collectionsOf(program, profile);
  const spans: ProcessSpan[] = [];
  for (let i = 0; i < length; i++) {
    const spent = Math.max(duration[i], paused[i]);
    if (spent >= 0 && !Number.isNaN(time[i])) spans.push({ from: time[i], to: time[i] + spent });
  }
  return length === 0 ? undefined : [spans];
}

function moved(spans: readonly ProcessSpan[], shift: number): ProcessSpan[] {
  return spans.map(({ from, to }) => ({ from: from + shift, to: to + shift }));
}

function bySpan(
  table: Table,
  process: (row: number) => number,
  spans: SpansByProcess | undefined,
): IndexOf | undefined {
  if (spans === undefined || columnOf(table, TIME) === undefined) return undefined;
  const ends = eventEnds(table);
  return {
    process,
    number: (row) => spanAt(spans[process(row)] ?? [], ends[row]),
    span: (id, number) => spans[id]?.[number - 1],
  };
}

function bySecond(table: Table): IndexOf | undefined {
  if (columnOf(table, TIME) === undefined) return undefined;
  const ends = eventEnds(table);
  return {
    process: ALONE,
    number: (row) => (Number.isNaN(ends[row]) ? -1 : Math.floor(ends[row] / SECOND)),
    span: (_, second) => (second < 0 ? undefined : { from: second * SECOND, to: (second + 1) * SECOND }),
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

function objectsOf(table: Table, metric: Metric, { process, number, span, pragmas }: IndexOf): IndexObjects {
  const column = metricColumn(metric, table);
  const sums = new Map<string, ObjectSum>();
  for (let row = 0; row < table.length; row++) {
    const [processId, objectNumber] = [process(row), number(row)];
    const key = `${processId} ${objectNumber}`;
    const sum = sums.get(key) ?? { process: processId, number: objectNumber, events: 0, value: 0, pragmas: -1 };
    sums.set(key, sum);
    sum.events++;
    sum.value += column === undefined ? 1 : column[row];
    if (sum.pragmas < 0) sum.pragmas = pragmas?.[row] ?? -1;
  }
  const objects = [...sums.values()].sort((a, b) => a.process - b.process || a.number - b.number);
  const spans = objects.map((object) => span?.(object.process, object.number));
  return {
    length: objects.length,
    start: Float64Array.from(spans, (time) => time?.from ?? Number.NaN),
    duration: Float64Array.from(spans, (time) => (time === undefined ? Number.NaN : time.to - time.from)),
    process: Int32Array.from(objects, (object) => object.process),
    number: Float64Array.from(objects, (object) => object.number),
    events: Float64Array.from(objects, (object) => object.events),
    value: Float64Array.from(objects, (object) => object.value),
    pragmas: Int32Array.from(objects, (object) => object.pragmas),
  };
}
