/** `threads`: one row a thread: what it is, when it lived, what it did when somebody looked. */
import { z } from 'zod';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { MissingError } from '../../base/errors.js';
import { share } from '../../base/share.js';
import { stringAt } from '../../base/text.js';
import { STATE_EVENTS, THREAD_STATES } from '../../models/locks/locks.js';
import { eventTable, type Metric, momentOf, type Profile } from '../../models/profile/profile.js';
import { locationName } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { column, hasField, type Table } from '../../models/table.js';
import {
  columnsOf,
  common,
  listingShape,
  maybe,
  maybeText,
  metricColumns,
  number,
  pageOf,
  type ResultColumn,
  text,
} from '../listing.js';
import { chooseMetric, METRIC_SHAPE, metricOf } from '../metric-choice.js';
import { defineView, type ViewInput } from '../question.js';

const row = z.object({
  id: maybe('Id', 'none', "the recording's own number of it"),
  native: maybe('Native id', 'none', 'in the operating system'),
  kind: maybeText('Kind', 'daemon or virtual'),
  group: maybeText('Group', 'thread group or container'),
  started: maybe('Started at byte', 'none', 'of the recording: its order, since the file tells no time'),
  ended: maybe('Ended at byte', 'none', 'of the recording'),
  waits: maybe('Waits', 'count', 'times it is told to have begun to wait for a notification or to sleep'),
  waited: maybe('Waited', 'ns', 'in the waits for a notification whose end is told'),
  cpu: maybe('CPU', 'ns', 'that it used until the last dump that shows it'),
  dumps: number('Dumps', 'count', 'that show it'),
  blocked_share: maybe('Blocked %', 'ratio', 'of the dumps that show it, those in which it was blocked by a monitor'),
  state: maybeText('State', 'in the last dump that shows it'),
  name: text('Thread', 'its name'),
  frame: maybeText('Top frame', 'where it was in that dump'),
  value: maybe('Value', 'count', 'of the metric, in its stacks'),
  value_share: maybe('Value %', 'ratio', 'of all'),
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
    const { threads } = profile;
    if (threads === undefined || threads.length === 0)
      throw new MissingError(`${input.recording.name} names no threads`);
    const states = eventTable(profile, 'state');
    const metric = threadMetric(profile, input.recording, options.metric);
    const values = metric === undefined ? undefined : valuesByThread(profile, metric, threads.length);
    const sum = values?.reduce((all, value) => all + value, 0) ?? 0;
    const waits = waitsOf(eventTable(profile, 'wait'), threads.length);
    const last = states === undefined ? undefined : lastStates(states, threads.length);
    const shown = shownThreads(profile, threads.length, profile !== input.recording.profile);
    const rows = shown.map((id) => ({
      ...rowOf(profile, program, threads, states, last, id),
      waits: waits?.count[id] ?? null,
      waited: waits?.time[id] ?? null,
      value: values?.[id] ?? null,
      value_share: values === undefined ? null : share(values[id], sum),
    }));
    const keys = Object.fromEntries(columnsOf(row).map(({ key }) => [key, (i: number) => plain(rows[i], key)]));
    const order = pageOf(rows.length, { ...keys, order: (i) => -i }, input.page, 'order');
    return {
      ...common(input, notesOf(input)),
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
function waitsOf(table: Table | undefined, threads: number): { count: Int32Array; time: Float64Array } | undefined {
  if (table === undefined) return undefined;
  const count = new Int32Array(threads);
  const time = new Float64Array(threads);
  const thread = column(table, 'thread');
  const timeout = column(table, 'timeout');
  const waited = column(table, 'waited');
  for (let row = 0; row < table.length; row++) {
    if (thread[row] < 0) continue;
    // The end of a wait tells no time limit.
    if (timeout[row] >= 0) count[thread[row]]++;
    time[thread[row]] += waited[row];
  }
  return { count, time };
}

/** The metric that is asked for, else the first whose events know their threads; states have columns of their own. */
function threadMetric(profile: Profile, recording: Recording, id: string | undefined): Metric | undefined {
  const known = (metric: Metric): boolean => {
    const table = eventTable(profile, metric.table);
    return table !== undefined && hasField(table, 'thread') && column(table, 'thread').some((thread) => thread >= 0);
  };
  if (id === undefined) return profile.metrics.find((metric) => metric.table !== STATE_EVENTS && known(metric));
  const metric = chooseMetric(profile, recording, id);
  if (known(metric)) return metric;
  throw new MissingError(`${recording.name} does not tell whose ${metric.title.toLowerCase()} were`);
}

/** Levels of several dumps are those of the last one, as everywhere. */
function valuesByThread(profile: Profile, metric: Metric, threads: number): Float64Array {
  const values = new Float64Array(threads);
  const table = eventTable(profile, metric.table);
  if (table === undefined) return values;
  const thread = column(table, 'thread');
  const value = metric.field === undefined ? undefined : column(table, metric.field);
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

function lastStates(states: Table, count: number): LastStates {
  const last = { row: new Int32Array(count).fill(-1), dumps: new Int32Array(count), blocked: new Int32Array(count) };
  const thread = column(states, 'thread');
  const state = column(states, 'state');
  for (let i = 0; i < states.length; i++) {
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
  for (const table of profile.events)
    if (hasField(table, 'thread')) for (const id of column(table, 'thread')) if (id >= 0) there[id] = 1;
  return all.filter((id) => there[id] === 1);
}

function rowOf(
  profile: Profile,
  program: Program,
  threads: Table,
  states: Table | undefined,
  last: LastStates | undefined,
  id: number,
): Omit<Row, 'waits' | 'waited' | 'value' | 'value_share'> {
  const told = (key: string): number | null => toldIn(threads, key, id);
  const textAt = (string: number | null): string | null => (string === null ? null : stringAt(program.names, string));
  const seen = last?.row[id] ?? -1;
  const then = (key: string): number | null => (states === undefined || seen < 0 ? null : toldIn(states, key, seen));
  const stack = then('stack');
  const state = then('state');
  return {
    id: told('number') ?? told('tid'),
    native: told('native'),
    kind: kindOf(told('virtual'), told('daemon')),
    group: textAt(told('group')),
    started: told('started'),
    ended: told('ended'),
    cpu: then('cpu'),
    dumps: last?.dumps[id] ?? 0,
    blocked_share: last === undefined || last.dumps[id] === 0 ? null : last.blocked[id] / last.dumps[id],
    state: state === null ? null : (THREAD_STATES[state] ?? null),
    name: textAt(told('name')) ?? '',
    frame: stack === null ? null : locationName(program, profile.stacks.location[stack]),
  };
}

/** The value of a field, null where the table has no such field or it is not told. */
function toldIn(table: Table, key: string, at: number): number | null {
  if (!hasField(table, key)) return null;
  const value = column(table, key)[at];
  return value < 0 ? null : value;
}

function kindOf(virtual: number | null, daemon: number | null): string | null {
  if (virtual === 1) return 'virtual';
  return daemon === 1 ? 'daemon' : virtual === null && daemon === null ? null : '';
}

/** Columns that the recording has anything for. */
function isTold(key: string, threads: Table, states: Table | undefined): boolean {
  const told = (table: Table | undefined, field: string): boolean =>
    table !== undefined && hasField(table, field) && column(table, field).some((value) => value >= 0);
  switch (key) {
    case 'id':
      return told(threads, 'number') || told(threads, 'tid');
    case 'kind':
      return told(threads, 'daemon') || told(threads, 'virtual');
    case 'native':
    case 'group':
    case 'started':
    case 'ended':
      return told(threads, key);
    case 'cpu':
      return told(states, 'cpu');
    case 'frame':
      return told(states, 'stack');
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
