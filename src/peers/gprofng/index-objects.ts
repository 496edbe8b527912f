/** Values by index objects: threads, CPUs, samples, seconds, processes. */
import {
  eventBytes,
  eventDuration,
  eventEnds,
  SIZE_STEPS,
  stepOf,
  TIME_STEPS,
} from '../../analysis/index-objects/event-values.js';
import { spanAt } from '../../analysis/processes/usage.js';
import type { EventFacts } from '../../formats/experiment/index.js';
import { IO_EVENTS } from '../../models/events/io.js';
import { STACK } from '../../models/events/shared-fields.js';
import { eventTable, metricColumn } from '../../models/profile/profile.js';
import { columnOf, type Table } from '../../models/table.js';
import { heapLives } from './facts/heap-lives.js';
import { javaThreads } from './facts/java-threads.js';
import type { IndexType } from './index-type.js';
import { type BaseMetric, metricKey, type ShownMetric, titleIn } from './metrics.js';
import { byBytes } from './numbers.js';
import { factsOf, isHeap, processorOf, recordedField } from './peer/event-columns.js';
import type { Experiment, PrintedProcess } from './peer/experiment.js';
import { pidOf, programOf } from './peer/process-names.js';
import { comparableId } from './several/comparable.js';
import type { PrintState } from './state.js';
import { headLines, type Row, rowLine, shapeOf } from './table.js';

/** Numbers of threads are below the process. */
const PROCESS = 2 ** 32;
const MICROSECOND = 1000;

/** `(x<=a?a:(x<=b?b:…` as gprofng writes it. */
const SIZES = `(IOHEAPBYTES==0?0:${SIZE_STEPS.map((_, i) => `((IOHEAPBYTES<=(1<<${2 * i})?(1<<${2 * i}):`).join('')}(IOHEAPBYTES==-1?-1:(1<<50|1))${'))'.repeat(SIZE_STEPS.length)})`;
const DURATIONS = `((TSTAMP_HI-TSTAMP_LO)==0?0:${TIME_STEPS.map((step) => `(((TSTAMP_HI-TSTAMP_LO)<=${step}?${step}:`).join('')}(10000000000001)${'))'.repeat(TIME_STEPS.length)})`;

export const INDEX_TYPES: readonly IndexType[] = [
  {
    name: 'Threads',
    formula: '((EXPID_CMP<<32) | THRID)',
    of: ({ process, facts, row }, experiment) => comparableId(experiment, process) * PROCESS + facts.thread[row],
    label: (index, experiment) => threadLabel(Math.floor(index / PROCESS), index % PROCESS, experiment),
  },
  {
    name: 'CPUs',
    formula: '(CPUID)',
    of: ({ table, row }) => processorOf(table)(row),
    label: (index) => `CPU ${index}`,
  },
  {
    name: 'Samples',
    formula: '(SAMPLE_MAP)',
    of: ({ process, time }) => {
      if (process.recorded.usage.length === 0) return -1;
      return spanAt(process.samples, time - process.shift);
    },
    label: (index) => (index === 0 ? 'Not in any Sample' : `Sample ${index}`),
  },
  {
    name: 'GCEvents',
    formula: '(GCEVENT_MAP)',
    of: ({ process, time }) => spanAt(process.recorded.collections, time - process.shift),
    label: (index) => (index === 0 ? 'Not in any GCEvent' : `GCEvent ${index}`),
  },
  {
    name: 'Seconds',
    formula: '(TSTAMP/1000000000)',
    of: ({ time }) => Math.floor(time / 1e9),
    label: (index) => `Second of execution ${index}`,
  },
  {
    name: 'Processes',
    formula: '(EXPID_CMP)',
    of: ({ process }, experiment) => comparableId(experiment, process),
    sortsByLabel: true,
    label: (index, experiment) => processLabel(index, experiment),
  },
  {
    name: 'Experiment_IDs',
    formula: '((EXPGRID<<60) | (EXPID<<32))',
    of: ({ process }) => process.id,
    label: (index, { processes, compared }) => {
      const process = processes.find(({ id }) => id === index);
      const program = process === undefined ? '' : `, PID ${pidOf(process)}, ${programOf(process)}`;
      const founder = processes.find(({ part }) => part === process?.part)?.id ?? 1;
      const role = compared === undefined ? '' : roleOf(process?.group ?? 0);
      return `${role}Base Experiment ${founder}, Process ${index}${program}`;
    },
  },
  {
    name: 'Datasize',
    formula: SIZES,
    of: ({ table, row }, experiment) => stepOf(bytesOf(table, experiment)?.(row) ?? 0, SIZE_STEPS),
    label: (index) => (index === 1 ? '    1 Byte' : rangeLabel(index, SIZE_STEPS, sizeText, ' Bytes')),
  },
  {
    name: 'Duration',
    formula: DURATIONS,
    of: ({ table, facts, row }, experiment) => stepOf(durationOf(table, facts, experiment)?.(row) ?? 0, TIME_STEPS),
    label: (index) => rangeLabel(index, TIME_STEPS, durationText, ''),
  },
];

/** What a group is in a comparison. */
function roleOf(group: number): string {
  const role = group === 0 ? '[Baseline]' : group === 1 ? '[Comparison]' : `[Comparison-${group}]`;
  return role.padEnd('[Comparison-2] '.length);
}

/** The bytes of an event; with `strict`, calls that failed have what they returned, -1. */
function bytesOf(table: Table, { strict }: Experiment): ((row: number) => number) | undefined {
  const returned = strict && table.kind === IO_EVENTS.kind ? recordedField(table, 'returned') : undefined;
  return returned === undefined ? eventBytes(table) : (row) => returned[row] ?? 0;
}

const lives = new WeakMap<Table, Float64Array>();

/** How long an event lasted: of an allocation, how long the block lived. */
function durationOf(table: Table, facts: EventFacts, { processes, profile, details }: Experiment) {
  if (!isHeap(table)) return eventDuration(table);
  const durations = lives.get(table) ?? heapLives(table, facts, lastEvents({ processes, profile, details }));
  lives.set(table, durations);
  return (row: number) => durations[row] ?? 0;
}

/** By process, when its last event was, or its recording ended. */
function lastEvents({
  processes,
  profile,
  details,
}: Pick<Experiment, 'processes' | 'profile' | 'details'>): (process: number) => number {
  const last = new Map(processes.map(({ index, recorded, shift }) => [index, recorded.end + shift]));
  for (const table of profile.events) {
    const facts = factsOf(details, table.kind);
    if (facts === undefined) continue;
    const ends = eventEnds(table);
    for (let row = 0; row < table.length; row++) {
      const process = facts.process[row];
      if (ends[row] > (last.get(process) ?? 0)) last.set(process, ends[row]);
    }
  }
  return (process) => last.get(process) ?? 0;
}

/** `    4 < n <=    16 Bytes`; of a step that is 0, the step alone. */
function rangeLabel(index: number, steps: readonly number[], text: (step: number) => string, unit: string): string {
  const padded = (step: number): string => text(step).padStart(5);
  const at = steps.indexOf(index);
  if (at < 0) return index === 0 ? `${padded(0)}${unit}` : `${padded(steps.at(-1) ?? 0)} < n`;
  const both = `${padded(at === 0 ? 0 : (steps[at - 1] ?? 0))} < n <= ${padded(index)}`;
  return /\d$/.test(both) ? `${both}${unit}` : both;
}

function sizeText(bytes: number): string {
  const step = ['', 'KB', 'MB', 'GB', 'TB', 'PB'].findLastIndex((_, i) => bytes >= 1024 ** i);
  return step <= 0 ? String(bytes) : `${bytes / 1024 ** step}${['', 'KB', 'MB', 'GB', 'TB', 'PB'][step]}`;
}

function durationText(nanos: number): string {
  if (nanos >= 1e9 || nanos === 0) return `${nanos / 1e9}s`;
  return nanos >= 1e6 ? `${nanos / 1e6}ms` : `${nanos / 1e3}us`;
}

/** `cpuwork, Process   1, PID 19589`. */
function processLabel(id: number, { processes, compared }: Experiment): string {
  const process = processes.find((each) => each.id === id);
  if (process === undefined) return `Process ${id}`;
  const [, ...others] = compared?.processes.get(id) ?? [];
  const texts = others.map((each) => ` [ Group ${each.group},  Process ${each.id}, PID ${pidOf(each)} ]`);
  return `${programOf(process)}, Process ${String(id).padStart(3)}, PID ${pidOf(process)}${texts.join('')}`;
}

function threadLabel(process: number, thread: number, { processes, compared }: Experiment): string {
  const [, ...others] = compared?.processes.get(process) ?? [];
  const texts = others.map(({ group, id }) => ` [ Group ${group}  Process ${id} ]`);
  const plain = `Process ${process}, Thread ${thread}${texts.join('')}`;
  const of = processes.find(({ id }) => id === process);
  const java = of && javaThreads(of)[thread - 1];
  if (java === undefined) return plain;
  const [name, group, parent] = [java.get('name'), java.get('grpname'), java.get('prntname')];
  return `${plain}, JThread ${thread - 1} '${name}', Group '${group}', Parent '${parent}'`;
}

/** The list of an index type as text. */
export function indexText(experiment: Experiment, state: PrintState, type: IndexType): string {
  const listMetrics = exclusiveOnce(state.metrics);
  const columns = listMetrics.filter(({ base }) => base.id !== 'name');
  const sums = new Map<number, Float64Array>();
  const totals = new Float64Array(columns.length);
  for (const index of type.always ?? []) sums.set(index, new Float64Array(columns.length));
  const processes: PrintedProcess[] = [];
  for (const process of experiment.processes) processes[process.index] = process;
  for (const { table, facts, values } of tablesOf(experiment, columns)) {
    const ends = eventEnds(table);
    // Events near each other are mostly of one object.
    let last = Number.NaN;
    let sum: Float64Array = totals;
    const columnsWithValues = values.flatMap((value, column) => (value === NOTHING ? [] : [{ value, column }]));
    // One object for all rows: there are millions.
    const [first] = experiment.processes;
    if (first === undefined) break;
    const event = { process: first, facts, table, row: 0, time: 0 };
    for (let row = 0; row < table.length; row++) {
      const process = processes[facts.process[row]];
      if (process === undefined) continue;
      event.process = process;
      event.row = row;
      event.time = ends[row];
      const index = type.of(event, experiment);
      if (index !== last) {
        last = index;
        sum = sums.get(index) ?? new Float64Array(columns.length);
        sums.set(index, sum);
      }
      for (const { value, column } of columnsWithValues) {
        const amount = value(row);
        sum[column] += amount;
        totals[column] += amount;
      }
    }
  }
  const { order = (a, b) => a - b } = type;
  const isBefore = type.sortsByLabel === true ? labelOrder((index) => type.label(index, experiment)) : order;
  const rows: Row[] = [...sums]
    .sort(([a, one], [b, other]) => sorted(state, columns, one, other) || isBefore(a, b))
    .map(([index, values]) => ({ name: index < 0 ? '<Unknown>' : type.label(index, experiment), values: [...values] }));
  const all = [{ name: '<Total>', values: [...totals] }, ...rows];
  const shape = shapeOf(listMetrics, all, [...totals]);
  const lines = (state.limit > 0 ? all.slice(0, state.limit) : all).map((row) => rowLine(shape, row));
  const title = `Objects sorted by metric: ${titleIn(state.sorting.metric, 'e')}`;
  return `${[title, '', ...headLines(shape), ...lines].join('\n')}\n\n`;
}

/** By name; names in parentheses, of what is unknown, come last. */
function labelOrder(labelOf: (index: number) => string): (a: number, b: number) => number {
  return (a, b) => {
    const [one, other] = [labelOf(a), labelOf(b)];
    const last = Number(one.startsWith('(')) - Number(other.startsWith('('));
    return last !== 0 ? last : byBytes(one, other) || a - b;
  };
}

function sorted(
  { sorting }: PrintState,
  columns: readonly ShownMetric[],
  one: Float64Array,
  other: Float64Array,
): number {
  const i = columns.findIndex(({ base }) => base.id === sorting.metric.base.id);
  return i < 0 ? 0 : other[i] - one[i];
}

/** Each metric once: these objects have no inclusive values. */
export function exclusiveOnce(metrics: readonly ShownMetric[]): ShownMetric[] {
  const seen = new Set<string>();
  return metrics.flatMap((metric): ShownMetric[] => {
    if (metric.base.id === 'name') return [metric];
    if (metric.flavour === undefined || seen.has(metricKey(metric.base))) return [];
    seen.add(metricKey(metric.base));
    return [{ ...metric, flavour: 'e' }];
  });
}

interface TableOf {
  readonly table: Table;
  readonly facts: EventFacts;
  /** By column of the list. */
  readonly values: readonly ((row: number) => number)[];
}

/** The tables that have metrics of the list, with their values. */
export function tablesOf({ profile, details, processes }: Experiment, columns: readonly ShownMetric[]): TableOf[] {
  return profile.events.flatMap((table): TableOf[] => {
    const facts = factsOf(details, table.kind);
    if (facts === undefined || columnOf(table, STACK) === undefined) return [];
    return [
      {
        table,
        facts,
        values: columns.map(({ base }) => ofGroup(base, facts, processes, valueIn(table, base, profile))),
      },
    ];
  });
}

/** The values of the events of the group that a metric is of. */
function ofGroup(
  { compared }: BaseMetric,
  { process }: EventFacts,
  processes: readonly PrintedProcess[],
  value: (row: number) => number,
): (row: number) => number {
  if (compared === undefined) return value;
  const members = new Set(processes.flatMap(({ index, group }) => (group === compared.group ? [index] : [])));
  return (row) => (members.has(process[row]) ? value(row) : 0);
}

/** The values of events that a metric is not of. */
const NOTHING = (): number => 0;

function valueIn(table: Table, base: BaseMetric, profile: Experiment['profile']): (row: number) => number {
  const metric = profile.metrics.find(({ id }) => id === base.own[0]);
  if (metric === undefined || eventTable(profile, metric.table) !== table) return NOTHING;
  const column = metricColumn(metric, table);
  if (column === undefined) return () => 1;
  return base.kind === 'time' ? (row) => column[row] / MICROSECOND : (row) => column[row];
}
