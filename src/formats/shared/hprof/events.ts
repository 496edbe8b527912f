/** The tables of a file as events: samples, times, allocations, contention. */
import { NONE } from '../../../base/flavor.js';
import { type Note, note } from '../../../base/note.js';
import { phrase, theStep } from '../../../base/phrase.js';
import { decodeUtf8, type StringId } from '../../../base/text.js';
import { CALL_EVENTS } from '../../../models/events/call.js';
import { CONTENTION_EVENTS } from '../../../models/events/contention.js';
import { SAMPLE_EVENTS } from '../../../models/events/sample.js';
import { DUMP } from '../../../models/events/shared-fields.js';
import { SITE_EVENTS } from '../../../models/events/site.js';
import { STATE_EVENTS } from '../../../models/events/state.js';
import { TIME_EVENTS } from '../../../models/events/time.js';
import { lastDump } from '../../../models/profile/moment.js';
import type { Metric } from '../../../models/profile/profile.js';
import { rootOf } from '../../../models/profile/stack-builder.js';
import { ARCS } from '../../../models/profile/tables.js';
import type { ProgramBuilder } from '../../../models/program/program-builder.js';
import { columnOf, type Field, type Table, type TableBuilder } from '../../../models/table.js';
import type { BuilderOf } from '../../../models/table-kind.js';
import { ownCounts } from './own-counts.js';
import { tableOf } from './residue.js';
import type { TextSection, TextSectionKind } from './sections.js';
import { partsOf } from './shares.js';
import { siteRemainder } from './site-total.js';
import type { TableColumns, TableKind } from './tables.js';
import { BELOW_CUTOFF, type FinishedTraces, NOT_IN_FILE, type TraceTable } from './traces.js';

/** What text and binary files have alike. */
export interface HprofData {
  readonly program: ProgramBuilder;
  readonly traces: TraceTable;
  readonly tables: Readonly<Record<TableKind, TableColumns>>;
  readonly sections: readonly TextSection[];
}

/** What Kansoku's agent says in the header of its file: samples that its interval asks for, and those that were taken; NaN without samples. */
export interface OwnAgent {
  readonly askedSamples: number;
  readonly deliveredSamples: number;
}

export class EventContext<Data extends HprofData = HprofData> {
  readonly lines: Data;
  readonly traces: FinishedTraces;
  /** Whether the JVMTI agent wrote the file, else that of JVMPI. */
  readonly jvmti: boolean;
  /** How many milliseconds one of MONITOR TIME stands for. */
  readonly waitScale: number;
  readonly #counts = new Map<TableKind, Float64Array>();
  /** Whether the bytes of sites below the cutoff had to be estimated. */
  estimated = false;

  /** Of files of Kansoku's own agent, whose waits are milliseconds as they are. */
  readonly own: OwnAgent | undefined;

  constructor(lines: Data, traces: FinishedTraces, jvmti: boolean, ownAgent?: OwnAgent) {
    this.own = ownAgent;
    this.lines = lines;
    this.traces = traces;
    this.jvmti = jvmti;
    this.waitScale = jvmti && ownAgent === undefined ? JVMTI_CONTENTION : 1;
  }

  /** The counts since the previous dump, by row of the tables of `kind`. */
  counts(kind: TableKind): Float64Array {
    const { tables, sections } = this.lines;
    const counts = this.#counts.get(kind) ?? ownCounts(kind, tables[kind], sections, this.jvmti);
    this.#counts.set(kind, counts);
    return counts;
  }

  /** The stack of one pseudo frame. */
  pseudo(text: string): number {
    const { program } = this.lines;
    return this.traces.builder.add(rootOf('failed'), program.location(program.pseudo(text)));
  }

  /** The stack of a trace; if the trace is missing from the file, its innermost method if known. */
  stack(reference: number, method: StringId = NONE): number {
    const row = this.traces.rows[reference];
    if (row < this.traces.known) return this.traces.stack.values[row];
    const unknown = this.pseudo(NOT_IN_FILE);
    return method < 0 ? unknown : this.traces.builder.add(unknown, this.#method(method));
  }

  /** `java.lang.String.charAt`: class and method. */
  #method(name: StringId): number {
    const { program } = this.lines;
    const { bytes, offsets } = program.names;
    const from = offsets.values[name];
    const to = offsets.values[name + 1];
    let dot = to - 1;
    while (dot > from && bytes.bytes[dot] !== 46) dot--;
    const known = bytes.bytes.slice(from, to);
    const declaring = dot > from ? program.class(program.names.add(known, 0, dot - from)) : NONE;
    const start = dot > from ? dot + 1 - from : 0;
    return program.location(program.function(declaring, program.names.add(known, start, known.length)));
  }

  thread(reference: number): number {
    const row = this.traces.rows[reference];
    return row < this.traces.known ? this.lines.traces.thread.values[row] : NONE;
  }

  text(id: StringId): string {
    const { bytes, offsets } = this.lines.program.names;
    return decodeUtf8(bytes.bytes, offsets.values[id], offsets.values[id + 1]);
  }
}

const NS_PER_MS = 1e6;
/** The JVMTI agent measures milliseconds and prints them divided by a million, as if they were nanoseconds. */
const JVMTI_CONTENTION = 1e6;

const SAMPLES = SAMPLE_EVENTS.having(['trace', 'thread', 'dump']);
const TIMES = TIME_EVENTS.having(['trace', 'thread', 'dump', 'calls']);
const CALLS = CALL_EVENTS.having(['trace', 'thread', 'dump']);
const CONTENTION = CONTENTION_EVENTS.having(['trace', 'thread', 'dump']);
const SITES = SITE_EVENTS.having(['trace', 'thread']);

/** All tables of a kind together, in the order of the file; each row has its dump. */
export function eventsOf(context: EventContext): Table[] {
  return [
    tableFrom(context, 'cpu-samples', SAMPLES.builder('CPU samples'), addSamples),
    tableFrom(context, 'cpu-time', TIMES.builder('CPU time'), addTimes),
    tableFrom(context, 'call-counts', CALLS.builder('Call counts'), addCalls),
    tableFrom(context, 'monitor-time', CONTENTION.builder(), addContention),
    tableFrom(context, 'sites', SITES.builder(), addSites),
  ];
}

type Add<Builder> = (context: EventContext, section: TextSection, rows: TableColumns, table: Builder) => void;

function tableFrom<F extends Field>(
  context: EventContext,
  kind: TextSectionKind,
  table: TableBuilder<F>,
  add: Add<TableBuilder<F>>,
): Table {
  for (const section of context.lines.sections) {
    const rows = tableOf(section);
    if (section.kind === kind && rows !== undefined) add(context, section, context.lines.tables[rows], table);
  }
  return table.finish();
}

/** A total of more than 31 bits, which the agent prints as a negative number. */
export function totalOf(section: TextSection): number {
  return section.total < 0 ? section.total + 2 ** 32 : section.total;
}

function place(context: EventContext, section: TextSection, rows: TableColumns, row: number, named: boolean) {
  const reference = rows.trace.values[row];
  return {
    stack: context.stack(reference, named ? rows.name.values[row] : NONE),
    trace: context.traces.rows[reference],
    thread: context.thread(reference),
    dump: section.dump,
  };
}

/** The values below the cutoff as one row without a trace, so that the rows add up to the total of the file. */
function remainder(context: EventContext, section: TextSection): { stack: number; dump: number } {
  return { stack: context.pseudo(BELOW_CUTOFF), dump: section.dump };
}

type CountBuilder = BuilderOf<typeof SAMPLES> | BuilderOf<typeof CALLS>;

const addSamples: Add<BuilderOf<typeof SAMPLES>> = (context, section, rows, table) =>
  addCounts(context, section, rows, table);

const addCalls: Add<BuilderOf<typeof CALLS>> = (context, section, rows, table) =>
  addCounts(context, section, rows, table);

/** The counts of the rows, which add up to the total of the file. */
function addCounts(context: EventContext, section: TextSection, rows: TableColumns, table: CountBuilder): void {
  let left = totalOf(section);
  const counts = context.counts(rows.kind);
  for (let row = section.from; row < section.to; row++) {
    const count = counts[row];
    table.add({ ...place(context, section, rows, row, true), count });
    left -= count;
  }
  if (left > 0 && section.ended) table.add({ ...remainder(context, section), count: left });
}

/** The times of the rows in whole nanoseconds, and the remainder of the total. */
function timesOf(rows: TableColumns, section: TextSection, total: number): { times: Float64Array; left: number } {
  const times = partsOf(rows.share.values, rows.accumulated.values, section.from, section.to);
  let sum = 0;
  let before = 0;
  for (let i = 0; i < times.length; i++) {
    sum += times[i];
    const until = Math.round(sum * total);
    times[i] = until - before;
    before = until;
  }
  return { times, left: total - before };
}

const addTimes: Add<BuilderOf<typeof TIMES>> = (context, section, rows, table) => {
  const total = totalOf(section) * NS_PER_MS;
  const { times, left } = timesOf(rows, section, total);
  const counts = context.counts(rows.kind);
  for (let row = section.from; row < section.to; row++) {
    const spent = times[row - section.from];
    table.add({ ...place(context, section, rows, row, true), calls: counts[row], spent });
  }
  if (left > 0 && section.ended) table.add({ ...remainder(context, section), calls: 0, spent: left });
};

const addContention: Add<BuilderOf<typeof CONTENTION>> = (context, section, rows, table) => {
  const total = totalOf(section) * NS_PER_MS * context.waitScale;
  const { times, left } = timesOf(rows, section, total);
  const counts = context.counts(rows.kind);
  for (let row = section.from; row < section.to; row++) {
    table.add({
      ...place(context, section, rows, row, false),
      ...monitorOf(context, rows.name.values[row]),
      count: counts[row],
      waited: times[row - section.from],
    });
  }
  if (left > 0 && section.ended)
    table.add({ ...remainder(context, section), class: NONE, name: NONE, count: 0, waited: left });
};

/** `PileUpDemo$Door (Java)`, `java/lang/Object(811bd50) (Java)`, `"lock"(806d7d0) (Raw)`. */
function monitorOf(context: EventContext, spelling: StringId): { class: number; name: number } {
  const { program } = context.lines;
  const text = context.text(spelling);
  const raw = /^"(.*)"\((?:0x)?[0-9a-fA-F]+\) \(Raw\)$/s.exec(text);
  if (raw !== null) return { class: NONE, name: program.name(raw[1] ?? '') };
  const type = text.replace(/ \(Java\)$/, '').replace(/\((?:0x)?[0-9a-fA-F]+\)$/, '');
  return { class: program.class(program.name(type)), name: NONE };
}

const addSites: Add<BuilderOf<typeof SITES>> = (context, section, rows, table) => {
  const { program } = context.lines;
  for (let row = section.from; row < section.to; row++) {
    table.add({
      ...place(context, section, rows, row, false),
      class: program.class(rows.name.values[row]),
      live_bytes: rows.count.values[row],
      live_objects: rows.liveObjects.values[row],
      allocated_bytes: rows.allocatedBytes.values[row],
      allocated_objects: rows.allocatedObjects.values[row],
    });
  }
  const left = section.totals === undefined ? estimated(rows, section) : unlisted(rows, section);
  if (left.some((value) => value > 0) && section.ended) {
    if (section.totals === undefined) context.estimated = true;
    table.add({
      ...remainder(context, section),
      class: NONE,
      live_bytes: left[0],
      live_objects: left[1],
      allocated_bytes: left[2],
      allocated_objects: left[3],
    });
  }
};

type SiteValues = readonly [liveBytes: number, liveObjects: number, allocatedBytes: number, allocatedObjects: number];

function estimated(rows: TableColumns, section: TextSection): SiteValues {
  return [siteRemainder(rows, section), 0, 0, 0];
}

/** The totals of the file without its rows; 0 where damaged rows have more. */
function unlisted(rows: TableColumns, { totals = [0, 0, 0, 0], from, to }: TextSection): SiteValues {
  const left: [number, number, number, number] = [...totals];
  for (let row = from; row < to; row++) {
    left[0] -= rows.count.values[row];
    left[1] -= rows.liveObjects.values[row];
    left[2] -= rows.allocatedBytes.values[row];
    left[3] -= rows.allocatedObjects.values[row];
  }
  return [Math.max(0, left[0]), Math.max(0, left[1]), Math.max(0, left[2]), Math.max(0, left[3])];
}

const SAMPLES_NOTE = note('no-interval', 'The file does not have the sampling interval: samples are not times.');
const IDLE_NOTE = note(
  'native-waits',
  'The agent counts threads that wait in native calls (epoll, accept, read) as running.',
);
const FEW_NOTE = note(
  'few-delivered',
  'The sampler delivered less than half of the samples that its interval asks for: the header has both numbers.',
);
const TIME_NOTE = note('rounded-times', 'Times are shares of the total, which the file has with two decimal places.');
const DUMP_NOTE = note(
  'last-dump',
  phrase`By default, values are those of the last dump (${theStep('dump', { choose: 'N' })} chooses another).`,
  { action: { addSteps: ['dump'] } },
);
const LIVE_NOTE = note(
  'garbage-included',
  'Live means not seen freed: the agent forced no collection, so garbage is included.',
);
const ALLOCATED_NOTE = note('cutoff', 'Sites below the cutoff are missing: the file does not have their numbers.');
const ESTIMATED_NOTE = note(
  'cutoff-estimated',
  'Live bytes below the cutoff are estimated from the shares of the listed sites.',
);

const METRICS: readonly Metric[] = [
  SAMPLE_EVENTS.metric('count', { id: 'samples', title: 'Samples' }),
  TIME_EVENTS.metric('spent', { id: 'time', title: 'CPU time', notes: [TIME_NOTE] }),
  TIME_EVENTS.metric('calls', { id: 'calls', title: 'Calls' }),
  CALL_EVENTS.metric('count', { id: 'counted-calls', title: 'Calls' }),
  CONTENTION_EVENTS.metric('waited', { id: 'contention', title: 'Contention' }),
  CONTENTION_EVENTS.metric('count', { id: 'contended', title: 'Contended entries' }),
  SITE_EVENTS.metric('live_bytes', { id: 'live-bytes', title: 'Live bytes' }),
  SITE_EVENTS.metric('live_objects', { id: 'live-objects', title: 'Live objects' }),
  SITE_EVENTS.metric('allocated_bytes', { id: 'allocated-bytes', title: 'Allocated bytes' }),
  SITE_EVENTS.metric('allocated_objects', { id: 'allocated-objects', title: 'Allocated objects' }),
  ARCS.metric('value', { id: 'arc-time', title: 'Time', unit: 'ns' }),
  ARCS.metric('calls', { id: 'arc-calls', title: 'Calls' }),
  STATE_EVENTS.rowMetric({ id: 'threads', title: 'Thread states', unit: 'samples', nature: 'flow' }),
];

const CONTENTION_NOTE = note(
  'rounded-contention',
  'Contention is a lower bound: the agent prints multiples of 1,000 s, rounded down, as ms.',
);

/** Remarks on allocation sites: the dump, the meaning of live, the part below the cutoff. */
function siteNotes(metric: Metric, context: EventContext, sites: Table): Note[] {
  const dumps = columnOf(sites, DUMP);
  return [
    ...(dumps !== undefined && lastDump(dumps) > 0 ? [DUMP_NOTE] : []),
    ...(context.estimated ? [metric.id === 'live-bytes' ? ESTIMATED_NOTE : ALLOCATED_NOTE] : []),
    ...(metric.id.startsWith('live') ? [LIVE_NOTE] : []),
  ];
}

function sampleNotes({ jvmti, own: agent }: EventContext): Note[] {
  if (agent === undefined) return [...(jvmti ? [IDLE_NOTE] : []), SAMPLES_NOTE];
  return agent.deliveredSamples * 2 < agent.askedSamples ? [FEW_NOTE] : [];
}

/** The metrics with events in the file, each with remarks on its numbers. */
export function metricsOf(context: EventContext, events: readonly Table[]): Metric[] {
  const tables = new Map(events.map((table) => [table.kind, table]));
  return METRICS.filter((metric) => tables.has(metric.table)).map((metric) => {
    const table = tables.get(metric.table);
    if (metric.id === 'samples') return { ...metric, notes: sampleNotes(context) };
    if (metric.table === SITE_EVENTS.kind && table !== undefined)
      return withNotes(metric, siteNotes(metric, context, table));
    if (metric.id === 'contention' && context.waitScale > 1)
      return { ...metric, resolution: NS_PER_MS * context.waitScale, notes: [CONTENTION_NOTE] };
    return metric;
  });
}

function withNotes(metric: Metric, notes: readonly Note[]): Metric {
  return notes.length === 0 ? metric : { ...metric, notes };
}
