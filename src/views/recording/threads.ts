/** `threads`: one row a thread: what it is, when it lived, what it did when somebody looked. */
import { z } from 'zod';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { MissingError } from '../../base/errors.js';
import { share } from '../../base/share.js';
import { stringAt } from '../../base/text.js';
import { THREAD } from '../../models/events/shared-fields.js';
import { STATE_EVENTS, type StateEvents, THREAD_STATES } from '../../models/events/state.js';
import { WAIT_EVENTS, type WaitEvents } from '../../models/events/wait.js';
import { momentOf } from '../../models/profile/moment.js';
import { eventTable, type Metric, metricColumn, type Profile } from '../../models/profile/profile.js';
import { THREADS, type ThreadRows } from '../../models/profile/tables.js';
import { locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { type Column, columnOf } from '../../models/table.js';
import {
  columnsOf,
  common,
  detail,
  listingShape,
  maybe,
  maybeText,
  metricColumns,
  number,
  pageOf,
  type ResultColumn,
  text,
} from '../listing.js';
import { chooseMetric, dumpsOf, METRIC_SHAPE, metricOf, sumNotes } from '../metric-choice.js';
import { defineView, type ViewInput } from '../question.js';

const row = z.object({
  id: detail(2, maybe('Id', 'none', "the recording's own number of it")),
  native: detail(3, maybe('Native id', 'none', 'in the operating system')),
  kind: detail(2, maybeText('Kind', 'daemon or virtual')),
  group: detail(3, maybeText('Group', 'thread group or container')),
  started: detail(3, maybe('Started at byte', 'none', 'of the recording: its order, since the file tells no time')),
  ended: detail(3, maybe('Ended at byte', 'none', 'of the recording')),
  waits: detail(1, maybe('Waits', 'count', 'times it is told to have begun to wait for a notification or to sleep')),
  waited: detail(1, maybe('Waited', 'ns', 'in the waits for a notification whose end is told')),
  cpu: maybe('CPU', 'ns', 'that it used until the last dump that shows it'),
  dumps: detail(2, number('Dumps', 'count', 'that show it')),
  blocked_share: detail(
    1,
    maybe('Blocked %', 'ratio', 'of the dumps that show it, those in which it was blocked by a monitor or lock'),
  ),
  state: maybeText('State', 'in the last dump that shows it'),
  name: text('Thread', 'its name'),
  frame: maybeText('Top frame', 'where it was in that dump'),
  value: maybe('Value', 'count', 'of the metric, in its stacks'),
  value_share: detail(1, maybe('Value %', 'ratio', 'of all')),
});
type Row = z.input<typeof row>;

export const threadsView = defineView({
  name: 'threads',
  version: 1,
  title: 'Threads',
  options: z.object({ metric: z.string().optional() }),
  shape: {
    ...listingShape(row),
    metric: z.object(METRIC_SHAPE).nullable().describe('what value counts; null where no metric knows its threads'),
    states: z.record(z.string(), z.number()).describe('threads in each state, by the last dump that shows them'),
  },
  answer: (input, options) => {
    const profile = requireProfile(input);
    const { program } = input.recording;
    const threads = profile.threads && THREADS.rows(profile.threads);
    if (threads === undefined || threads.length === 0)
      throw new MissingError(`${input.recording.name} names no threads`);
    const states = STATE_EVENTS.of(profile);
    const metric = threadMetric(profile, input.recording, options.metric);
    const values = metric === undefined ? undefined : valuesByThread(profile, metric, threads.length);
    const sum = values?.reduce((all, value) => all + value, 0) ?? 0;
    const waits = waitsOf(WAIT_EVENTS.of(profile), threads.length);
    const last = states === undefined ? undefined : lastStates(states, threads.length);
    const shown = shownThreads(profile, threads.length, profile !== input.recording.profile);
    const rows = shown.map((id) => ({
      ...rowOf({ profile, program, threads, states, last }, id),
      waits: waits?.count[id] ?? null,
      waited: waits?.time[id] ?? null,
      value: values?.[id] ?? null,
      value_share: values === undefined ? null : share(values[id], sum),
    }));
    const keys = Object.fromEntries(columnsOf(row).map(({ key }) => [key, (i: number) => plain(rows[i], key)]));
    const order = pageOf(rows.length, { ...keys, order: (i) => -i }, input.page, 'order', shownColumns(metric));
    return {
      ...common(input, [...notesOf(input), ...(metric === undefined ? [] : sumNotes(dumpsOf(metric, profile)))]),
      metric: metric === undefined ? null : metricOf(metric),
      states: countStates(rows),
      columns: shownColumns(metric).filter(({ key }) => {
        if (key.startsWith('value')) return values !== undefined;
        return key.startsWith('wait') ? waits !== undefined : isTold(key, threads, states);
      }),
      total: rows.length,
      offset: input.page.offset,
      rows: order.map((i) => rows[i]),
    };
  },
});

/** How often and how long each thread waited, where the recording tells every wait. */
function waitsOf(
  waits: WaitEvents | undefined,
  threads: number,
): { count: Int32Array; time: Float64Array } | undefined {
  if (waits === undefined) return undefined;
  const count = new Int32Array(threads);
  const time = new Float64Array(threads);
  const { length, thread, timeout, waited } = waits;
  for (let row = 0; row < length; row++) {
    if (thread[row] < 0) continue;
    if (timeout === undefined || timeout[row] >= 0) count[thread[row]]++;
    if (waited[row] !== -1) time[thread[row]] += waited[row];
  }
  return { count, time };
}

/** The metric that is asked for, else the first whose events know their threads; states have columns of their own. */
function threadMetric(profile: Profile, recording: Recording, id: string | undefined): Metric | undefined {
  const known = (metric: Metric): boolean => {
    const table = eventTable(profile, metric.table);
    return hasAny(table && columnOf(table, THREAD));
  };
  if (id === undefined) return profile.metrics.find((metric) => metric.table !== STATE_EVENTS.kind && known(metric));
  const metric = chooseMetric(profile, recording, id);
  if (known(metric)) return metric;
  throw new MissingError(`${recording.name} does not tell whose ${metric.title.toLowerCase()} were`);
}

/** Levels of several dumps are those of the last one, as everywhere. */
function valuesByThread(profile: Profile, metric: Metric, threads: number): Float64Array {
  const values = new Float64Array(threads);
  const table = eventTable(profile, metric.table);
  const thread = table && columnOf(table, THREAD);
  if (table === undefined || thread === undefined) return values;
  const value = metricColumn(metric, table);
  const moment = momentOf(metric, table);
  for (let row = 0; row < table.length; row++)
    if (thread[row] >= 0 && (moment === undefined || moment.dumps[row] === moment.last))
      values[thread[row]] += value?.[row] ?? 1;
  return values;
}

/** The value's column is called after its metric and in its unit. */
function shownColumns(metric: Metric | undefined): ResultColumn[] {
  if (metric === undefined) return columnsOf(row);
  return metricColumns(row, metric, ['value']).map((shown) =>
    shown.key.startsWith('value') ? { ...shown, title: shown.title.replace('Value', metric.title) } : shown,
  );
}

function notesOf({ recording }: ViewInput): string[] {
  const several = (recording.locks?.snapshots.length ?? 0) > 1;
  return several
    ? ['State and top frame are those of the last dump that shows the thread (--dump N for another).']
    : [];
}

function plain(of: Row, key: string): number | string | null {
  const value = Object.entries(of).find(([name]) => name === key)?.[1];
  return value ?? null;
}

interface LastStates {
  /** Row of the table of states, -1 where a thread has none. */
  readonly row: Int32Array;
  readonly dumps: Int32Array;
  readonly blocked: Int32Array;
}

const BLOCKED = THREAD_STATES.indexOf('blocked');

function lastStates(states: StateEvents, count: number): LastStates {
  const last = { row: new Int32Array(count).fill(-1), dumps: new Int32Array(count), blocked: new Int32Array(count) };
  const { length, thread, state } = states;
  for (let i = 0; i < length; i++) {
    const id = thread[i];
    if (id < 0) continue;
    last.row[id] = i;
    last.dumps[id]++;
    if (state[i] === BLOCKED) last.blocked[id]++;
  }
  return last;
}

/** All threads; within a scope, those that have events in it. */
function shownThreads(profile: Profile, count: number, scoped: boolean): number[] {
  const all = Array.from({ length: count }, (_, id) => id);
  if (!scoped) return all;
  const there = new Uint8Array(count);
  for (const table of profile.events) for (const id of columnOf(table, THREAD) ?? []) if (id >= 0) there[id] = 1;
  return all.filter((id) => there[id] === 1);
}

interface Told {
  readonly profile: Profile;
  readonly program: Program;
  readonly threads: ThreadRows;
  readonly states: StateEvents | undefined;
  readonly last: LastStates | undefined;
}

function rowOf(
  { profile, program, threads, states, last }: Told,
  id: number,
): Omit<Row, 'waits' | 'waited' | 'value' | 'value_share'> {
  const textAt = (string: number | null): string | null => (string === null ? null : stringAt(program.names, string));
  const seen = last?.row[id] ?? -1;
  const then = (values: Column | undefined): number | null => (seen < 0 ? null : toldIn(values, seen));
  const stack = then(states?.stack);
  const state = then(states?.state);
  return {
    id: toldIn(threads.number, id) ?? toldIn(threads.tid, id),
    native: toldIn(threads.native, id),
    kind: kindOf(toldIn(threads.virtual, id), toldIn(threads.daemon, id)),
    group: textAt(toldIn(threads.group, id)),
    started: toldIn(threads.started, id),
    ended: toldIn(threads.ended, id),
    cpu: then(states?.cpu),
    dumps: last?.dumps[id] ?? 0,
    blocked_share: last === undefined || last.dumps[id] === 0 ? null : last.blocked[id] / last.dumps[id],
    state: state === null ? null : (THREAD_STATES[state] ?? null),
    name: textAt(toldIn(threads.name, id)) ?? '',
    frame: stack === null ? null : locationName(program, profile.stacks.location[stack]),
  };
}

/** The value of a row, null where the table lacks the column or the row does not tell it. */
function toldIn(values: Column | undefined, at: number): number | null {
  const value = values?.[at] ?? -1;
  return value < 0 ? null : value;
}

function hasAny(values: Column | undefined): boolean {
  return values?.some((value) => value >= 0) === true;
}

function kindOf(virtual: number | null, daemon: number | null): string | null {
  if (virtual === 1) return 'virtual';
  return daemon === 1 ? 'daemon' : virtual === null && daemon === null ? null : '';
}

/** Columns that the recording has anything for. */
function isTold(key: string, threads: ThreadRows, states: StateEvents | undefined): boolean {
  switch (key) {
    case 'id':
      return hasAny(threads.number) || hasAny(threads.tid);
    case 'kind':
      return hasAny(threads.daemon) || hasAny(threads.virtual);
    case 'native':
    case 'group':
    case 'started':
    case 'ended':
      return hasAny(threads[key]);
    case 'cpu':
      return hasAny(states?.cpu);
    case 'frame':
      return hasAny(states?.stack);
    case 'dumps':
    case 'blocked_share':
    case 'state':
      return states !== undefined;
    default:
      return true;
  }
}

function countStates(rows: readonly Row[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of rows) if (state !== null) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
