/**
 * Input of writers with one number per stack: the rows of one metric, and notes on the parts of the recording that such
 * a file cannot contain. Cost: one pass over the rows of the metric's table.
 */
import { UsageError } from '../../base/errors.js';
import { type Phrase, phrase, theStep } from '../../base/phrase.js';
import { plural } from '../../base/units.js';
import { DUMP, SITE, STACK, THREAD, TIME } from '../../models/events/shared-fields.js';
import { momentOf, summedDumps } from '../../models/profile/moment.js';
import { eventTable, type Metric, metricColumn, type Profile, STACK_ENDINGS } from '../../models/profile/profile.js';
import { usualMetric } from '../../models/profile/usual-metric.js';
import { UNKNOWN_BCI } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { type Column, columnOf, type Table } from '../../models/table.js';

export interface WrittenValues {
  readonly profile: Profile;
  readonly metric: Metric;
  readonly table: Table;
  /** Rows of the table to write, in order: those with a stack; of levels, those of the last dump. */
  readonly rows: Int32Array;
  /** By row of the table. */
  readonly stack: Column;
  readonly thread: Column | undefined;
  readonly value: (row: number) => number;
  /** Notes on omitted data of the metric, and on the meaning of the numbers. */
  readonly notes: readonly Phrase[];
}

/** The values of the metric `id`; if not given, of the one that views show. Throws `UsageError` if there are none. */
export function writtenValues(recording: Recording, id: string | undefined): WrittenValues {
  const { profile, name } = recording;
  const metrics = profile?.metrics ?? [];
  const stacked = metrics.filter(({ table: kind }) =>
    profile?.events.some((each) => each.kind === kind && columnOf(each, STACK) !== undefined),
  );
  const metric =
    id === undefined ? profile && usualMetric(stacked, profile) : stacked.find((candidate) => candidate.id === id);
  const table = profile === undefined || metric === undefined ? undefined : eventTable(profile, metric.table);
  const stack = table && columnOf(table, STACK);
  if (profile === undefined || metric === undefined || table === undefined || stack === undefined) {
    if (stacked.length === 0) throw new UsageError(`${name} has no stacks with values to write`, { code: 'no-stacks' });
    throw new UsageError(`${name} has no metric ${id ?? ''} with stacks`, {
      code: 'no-metric',
      advice: `Metrics with stacks: ${stacked.map((each) => each.id).join(', ')}.`,
      action: { choose: ['metric'] },
    });
  }
  const values = metricColumn(metric, table);
  const moment = momentOf(metric, table);
  const rows = new Int32Array(table.length);
  let count = 0;
  let stackless = 0;
  for (let row = 0; row < table.length; row++) {
    if (moment !== undefined && moment.dumps[row] !== moment.last) continue;
    if (stack[row] >= 0) rows[count++] = row;
    else stackless++;
  }
  const thread = columnOf(table, THREAD);
  const value = (row: number): number => (values === undefined ? 1 : values[row]);
  const notes = [
    ...(stackless === 0 ? [] : [`${plural(stackless, 'event')}: without a stack`]),
    ...natureNotes(metric, moment?.last ?? -1, summedDumps(metric, table)),
  ];
  return { profile, metric, table, rows: rows.subarray(0, count), stack, thread, value, notes };
}

/** By stack, the sum of `bytes` over its frames; 0 for stacks that no written row has. One pass: parents come before children. */
export function bytesAlongStacks(
  { profile: { stacks }, rows, stack }: WrittenValues,
  bytes: (location: number) => number,
): Float64Array {
  const used = new Uint8Array(stacks.length);
  for (const row of rows) for (let id = stack[row]; id >= 0 && used[id] === 0; id = stacks.parent[id]) used[id] = 1;
  const sums = new Float64Array(stacks.length);
  for (let id = 0; id < stacks.length; id++) {
    if (used[id] === 0) continue;
    const parent = stacks.parent[id];
    sums[id] = bytes(stacks.location[id]) + (parent < 0 ? 0 : sums[parent]);
  }
  return sums;
}

function natureNotes(metric: Metric, dump: number, dumps: number): Phrase[] {
  const title = metric.title.toLowerCase();
  const notes = (metric.notes ?? []).map(({ text }) => phrase`remark on the numbers: ${text}`);
  if (metric.nature === 'site')
    notes.push(
      `meaning of the numbers: ${title} belong only to the last frame of each stack; their sums over callers in a flame graph are meaningless`,
    );
  if (dump > 0)
    notes.push(
      phrase`other dumps: ${title} are from dump ${dump + 1}, the last one (${theStep('dump')} selects another)`,
    );
  if (dumps > 1)
    notes.push(phrase`dump numbers: ${title} are summed over ${dumps} dumps (${theStep('dump')} selects one)`);
  return notes;
}

/** What a format can contain besides stacks and one number. */
export interface FormatContent {
  readonly threads: boolean;
  readonly times: boolean;
  /** Ids of metrics that are written beside the chosen one. */
  readonly beside?: readonly string[];
  readonly units: readonly string[];
  /** Keys of fields that are written, too. */
  readonly fields?: readonly string[];
  /** Whether places in load objects are written. */
  readonly places?: boolean;
}

/** Notes on everything in the recording that the format cannot contain. */
export function notHeld(recording: Recording, written: WrittenValues, holds: FormatContent): Phrase[] {
  const { profile, metric, table } = written;
  const { program, locks, heaps } = recording;
  const lines = [...written.notes];
  const add = (isLost: boolean, line: string): void => {
    if (isLost) lines.push(line);
  };
  const others = profile.metrics
    .filter((each) => each !== metric && holds.beside?.includes(each.id) !== true)
    .map((each) => each.id);
  add(
    others.length > 0,
    `${plural(others.length, 'metric')}: the file has ${holds.fields === undefined ? `one number per stack, ${metric.id}` : `values of one kind of events, with ${metric.id}`}: ${others.join(', ')}`,
  );
  add(!holds.units.includes(metric.unit), `the unit: the numbers are ${UNIT_NAMES[metric.unit] ?? metric.unit}`);
  add(
    !holds.threads && written.thread !== undefined && (profile.threads?.length ?? 0) > 1,
    'threads: equal stacks of several threads become one line',
  );
  add(!holds.times && columnOf(table, TIME) !== undefined, 'the times of the events');
  const held = [
    ...[STACK, THREAD, TIME, DUMP, SITE].map(({ key }) => key),
    ...profile.metrics.map(({ field }) => field ?? ''),
    ...(holds.fields ?? []),
  ];
  const more = table.fields.filter(({ key }) => !held.includes(key)).map(({ key }) => key);
  add(more.length > 0, `${plural(more.length, 'field')} of the events: ${more.join(', ')}`);
  add(
    program.locations.bci !== undefined && count(program.locations.bci, (bci) => bci !== UNKNOWN_BCI) > 0,
    'bytecode indexes: only functions and lines are written',
  );
  add(
    holds.places !== true && program.locations.loadObject !== undefined,
    'offsets in load objects: only functions and lines are written',
  );
  add(
    holds.places !== true && program.functions.unit?.some((unit) => unit >= 0) === true,
    'the compile units and load objects of functions',
  );
  add(program.functions.signature.length > 0, 'parameter types: overloaded methods share one name');
  const whole = STACK_ENDINGS.indexOf('whole');
  const cut = count(profile.stacks.ending, (ending, id) => ending !== whole && profile.stacks.parent[id] < 0);
  add(cut > 0, `which stacks are incomplete: ${plural(cut, 'root lacks its callers', 'roots lack their callers')}`);
  const tables = [profile.traces, profile.arcs, profile.counters, profile.ranges].flatMap((each) =>
    each === undefined ? [] : [each.title],
  );
  add(tables.length > 0, `${plural(tables.length, 'table')}: ${tables.join(', ')}`);
  add(locks !== undefined, 'the lock tables');
  add(heaps !== undefined && heaps.length > 0, 'the heap');
  return lines;
}

function count(values: Int32Array | Uint8Array, wanted: (value: number, id: number) => boolean): number {
  let found = 0;
  for (let id = 0; id < values.length; id++) if (wanted(values[id], id)) found++;
  return found;
}

const UNIT_NAMES: Readonly<Record<string, string>> = { ns: 'nanoseconds' };

/** A number with all its digits and without exponent, which few readers support. */
export function decimalText(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign = '', first = '', rest = '', exponent = '0'] = match;
  const digits = first + rest;
  const point = 1 + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, '0');
}
