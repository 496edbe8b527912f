/** `event-groups`: events of one or several types by the values of fields, and what a number of them amounts to. */
import { z } from 'zod';
import { typesOf } from '../../analysis/events/event-types.js';
import { amountsOf, type ExactAmounts, type Groups, groupRows } from '../../analysis/events/groups.js';
import { eventsUse, type ScopedEvents } from '../../analysis/events/recorded.js';
import { requireClock } from '../../analysis/events/time-of-day.js';
import { recordedSpan } from '../../analysis/time-span.js';
import { UsageError } from '../../base/errors.js';
import { type ExactNumber, exactDifference } from '../../base/exact-integers.js';
import { type Note, withPrefix } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import type { RecordingClock } from '../../models/recording.js';
import type { Table } from '../../models/table.js';
import { EVENT_GROUPS_OPTIONS } from '../../questions/options/recording.js';
import {
  columnsOf,
  common,
  detail,
  listed,
  listingShape,
  maybe,
  maybeExact,
  measuredIn,
  number,
  type ResultColumn,
} from '../listing.js';
import { defineView, type Side } from '../question.js';
import { type CellSource, CLOCK, clockText, secretNotes, zoneNote } from './cells.js';
import { chosenTypes, rowsByTime, scopedTables, scopeNotes, unscopedNotes } from './choice.js';
import { type EventKey, keyOf, type Step, type ValueField, valueField, valuesOf } from './group-keys.js';
import { lengthsOfSteps, stepStarts } from './steps.js';

const fixed = z.object({
  events: number('Events', 'count', 'in the group'),
  rate: maybe('Per second', 'none', 'events in a second of a step of time, as far as it is in the scope'),
  base_events: maybe('Base events', 'count', 'in the group of the base'),
  share: maybe('Events %', 'ratio', 'share of the events in scope'),
  sum: maybeExact('Sum', 'none', 'of the values that are known'),
  base_sum: maybeExact('Base sum', 'none', 'in the base'),
  change: maybeExact('Change', 'none', 'sum less that of the base; without values, of the numbers of events'),
  mean: maybe('Mean', 'none', 'of the values that are known'),
  base_mean: maybe('Base mean', 'none', 'in the base'),
  max: maybeExact('Max', 'none', 'largest value'),
  base_max: maybeExact('Base max', 'none', 'in the base'),
  p50: maybeExact('p50', 'none', 'half of the values do not exceed it; between two values in proportion'),
  base_p50: detail(1, maybeExact('Base p50', 'none', 'in the base')),
  p90: maybeExact('p90', 'none', '90 per cent of the values do not exceed it, in the same way'),
  base_p90: detail(2, maybeExact('Base p90', 'none', 'in the base')),
  p99: maybeExact('p99', 'none', '99 per cent of the values do not exceed it, in the same way'),
  base_p99: detail(1, maybeExact('Base p99', 'none', 'in the base')),
});
const cell = z.union([z.string(), z.number(), z.boolean()]).nullable();
const row = fixed.catchall(cell.describe('value of a field that the events are grouped by'));
const AMOUNTS = ['sum', 'mean', 'max', 'p50', 'p90', 'p99'] as const;

export const eventGroupsView = defineView({
  name: 'event-groups',
  version: 2,
  title: 'Groups of events',
  scopesItself: true,
  options: EVENT_GROUPS_OPTIONS,
  shape: {
    ...listingShape(row),
    types: z.array(z.string()),
    by: z.array(z.string()),
    value: z.string().nullable().describe('field with the numbers; null if there is none'),
    step: z
      .number()
      .nullable()
      .describe('width of the steps of the one field, in its unit; null where groups are values'),
  },
  needs: (input, { types }) => {
    const eventsIn = (side: Side) =>
      eventsUse(
        side.subject,
        chosenTypes(side, types).map(({ name }) => name),
      );
    return { events: eventsIn(input), base: input.base && eventsIn(input.base) };
  },
  answer: async (input, options, { events, base: ofBase }) => {
    const has = (side: ScopedEvents | undefined): boolean => side !== undefined && side.profile.events.length > 0;
    const { now, base, rows, lengths } = await input.kept('groups', bytesOfGroups, () => {
      const now = groupedIn(input, options, events, has(ofBase));
      const base = input.base && ofBase && groupedIn(input.base, options, ofBase, has(events));
      const { keys } = has(events) ? now : (base ?? now);
      const step = keys.length === 1 ? keys[0].step : undefined;
      const steps = step === undefined ? [] : stepsOf(step, [now, base], [input, input.base]);
      return { now, base, rows: joined(now, base, steps), lengths: lengthsIn(input, step) };
    });
    const { keys, value } = has(events) ? now : (base ?? now);
    const step = keys.length === 1 ? keys[0].step : undefined;
    const clock = options.clock ? clockOfSteps(input, step) : undefined;
    const cells = cellsOfGroups({
      now,
      base,
      rows,
      keys,
      value,
      rateOf: (start, count) => rateOf(start, count, lengths),
    });
    const clockCells = clock && { [CLOCK.key]: (i: number) => clockText(clock, rows[i].key[0]) };
    const listing = await listed(
      { ...cells, ...clockCells },
      {
        columns: listedColumns(value, base !== undefined, keys, {
          hasRate: lengths !== undefined,
          hasClock: clock !== undefined,
        }),
        count: rows.length,
        input,
        usual: usualOrder(step, value, base),
        orders: { 'largest change': (i: number) => sizeOf(cells.change(i) ?? 0) },
      },
    );
    return {
      ...common(
        input,
        [
          ...now.notes,
          ...(base?.notes ?? []).map((each) => withPrefix('The base: ', each)),
          ...(clock === undefined ? [] : [zoneNote(clock)]),
        ],
        events.isPartial,
      ),
      types: chosenTypes(input, options.types).map(({ name }) => name),
      by: keys.map(({ key }) => key),
      value: value?.field.key ?? null,
      step: step?.width ?? null,
      ...listing,
    };
  },
});

/** What the rows of the groups are made of. */
interface ListedGroups {
  readonly now: GroupedEvents;
  readonly base: GroupedEvents | undefined;
  readonly rows: readonly JoinedGroup[];
  readonly keys: readonly EventKey[];
  readonly value: ValueField | undefined;
  /** Of so many events in the step that begins so; null for other keys. */
  readonly rateOf: (start: unknown, events: number) => number | null;
}

function cellsOfGroups({ now, base, rows, keys, value, rateOf: rateIn }: ListedGroups) {
  const amountNow = (key: keyof ExactAmounts) => (i: number) => now.amount(key, rows[i].now);
  const other = (key: keyof ExactAmounts) => (i: number) => base?.amount(key, rows[i].base) ?? null;
  const eventsOf = (i: number): number => now.groups.count[rows[i].now] ?? 0;
  const baseEventsOf = (i: number): number | null =>
    base === undefined ? null : (base.groups.count[rows[i].base] ?? 0);
  const measured = value === undefined ? [eventsOf, baseEventsOf] : [amountNow('sum'), other('sum')];
  const change = (i: number): ExactNumber | null => {
    const [one = 0, before = 0] = measured.map((amountOf) => amountOf(i) ?? 0);
    return base === undefined ? null : exactDifference(before, one);
  };
  return {
    ...Object.fromEntries(keys.map(({ key }, k) => [key, (i: number) => rows[i].key[k] ?? null])),
    events: eventsOf,
    rate: (i: number) => rateIn(rows[i].key[0], eventsOf(i)),
    base_events: baseEventsOf,
    share: (i: number) => share(eventsOf(i), now.length),
    change,
    sum: amountNow('sum'),
    base_sum: other('sum'),
    mean: (i: number) => now.mean(rows[i].now),
    base_mean: (i: number) => base?.mean(rows[i].base) ?? null,
    max: amountNow('max'),
    base_max: other('max'),
    p50: amountNow('p50'),
    base_p50: other('p50'),
    p90: amountNow('p90'),
    base_p90: other('p90'),
    p99: amountNow('p99'),
    base_p99: other('p99'),
  };
}

/** The groups of the events of one side. */
interface GroupedEvents {
  readonly keys: readonly EventKey[];
  readonly groups: Groups;
  readonly value: ValueField | undefined;
  /** Number of all events. */
  readonly length: number;
  /** What the known values of a group amount to; null without any, and for group -1. */
  readonly amount: (key: keyof ExactAmounts, group: number) => ExactNumber | null;
  readonly mean: (group: number) => number | null;
  readonly notes: readonly Note[];
}

/** A code of each event and key, and the sums of each group. */
function bytesOfGroups({ now, base }: { readonly now: GroupedEvents; readonly base: GroupedEvents | undefined }) {
  const bytes = ({ length, keys, groups }: GroupedEvents): number =>
    4 * length * (1 + keys.length) + 300 * groups.length;
  return bytes(now) + (base === undefined ? 0 : bytes(base));
}

/** `mayLack`: whether it is no error that the side has no such event. */
function groupedIn(
  side: Side,
  { types, by, value: name, secrets }: { types: string[]; by: string[]; value?: string | undefined; secrets: boolean },
  events: ScopedEvents,
  mayLack: boolean,
): GroupedEvents {
  const { program, profile, total, unscoped, absentNotes } = events;
  const rows = rowsByTime(scopedTables(side, types, events));
  const source: CellSource = { program, profile, depth: 1, secrets, hidden: false };
  const keys =
    mayLack && rows.tables.length === 0
      ? []
      : by.map((field) => keyOf(source, rows, field, { input: side, reserved: Object.keys(fixed.shape) }));
  const groups = groupRows(
    rows.length,
    keys.map(({ codes }) => codes),
  );
  const value = valueField(rows, name, side);
  const amounts = value && amountsOf(groups, ...valuesOf(profile, rows, value.of));
  return {
    keys,
    groups,
    value,
    length: rows.length,
    amount: (key, group) => {
      const amount = amounts?.exact.get(group)?.[key] ?? amounts?.[key][group];
      return amount === undefined || Number.isNaN(amount) ? null : amount;
    },
    mean: (group) => {
      const mean = amounts?.mean[group];
      return mean === undefined || Number.isNaN(mean) ? null : mean;
    },
    notes: [
      ...scopeNotes(side, rows.length, total, absentNotes),
      ...valueRemarks(side, rows.tables, value),
      ...unscopedNotes([...unscoped]),
      ...secretNotes(source),
    ],
  };
}

/** What must accompany the sums of a field. */
function valueRemarks({ subject }: Side, tables: readonly Table[], value: ValueField | undefined): Note[] {
  const types = typesOf(subject).filter(({ name }) => tables.some(({ kind }) => kind === name));
  const fields = types.flatMap((type) => type.fields.filter(({ name }) => name === value?.field.key));
  return fields.flatMap(({ remark }) => remark ?? []);
}

interface JoinedGroup {
  readonly key: readonly ReturnType<EventKey['cellOf']>[];
  /** Group of each side, -1 if it has none with this key. */
  now: number;
  base: number;
}

/** Groups with the same values of the fields, of both sides, and `empty` ones with these values of the only field. */
function joined(now: GroupedEvents, base: GroupedEvents | undefined, empty: readonly number[]): readonly JoinedGroup[] {
  const groupsByKey = new Map<string, JoinedGroup>();
  for (const [side, events] of [
    ['now', now],
    ['base', base],
  ] as const)
    for (let group = 0; group < (events?.groups.length ?? 0); group++) {
      const key = events?.keys.map(({ cellOf }) => cellOf(events.groups.first[group])) ?? [];
      const text = JSON.stringify(key.map(keyPart));
      const row = groupsByKey.get(text) ?? { key, now: -1, base: -1 };
      row[side] = group;
      groupsByKey.set(text, row);
    }
  for (const value of empty) {
    const text = JSON.stringify([value]);
    if (!groupsByKey.has(text)) groupsByKey.set(text, { key: [value], now: -1, base: -1 });
  }
  return [...groupsByKey.values()];
}

/** The starts of the steps from the first to the last that has an event, or that the time of the scope has. */
function stepsOf(
  { width, isTime }: Step,
  groups: readonly (GroupedEvents | undefined)[],
  sides: readonly (Side | undefined)[],
): readonly number[] {
  const starts = groups.flatMap((events) =>
    events === undefined ? [] : Array.from(events.groups.first, (row) => events.keys[0]?.cellOf(row)),
  );
  const spans = sides.flatMap((side) => (side && recordedSpan(side.recording, side.subject.scope)) ?? []);
  const knownStarts = [
    ...starts.filter((start) => typeof start === 'number'),
    ...(isTime ? spans.map((span) => span.from) : []),
  ];
  const ends = [...knownStarts, ...(isTime ? spans.map((span) => span.to) : [])];
  if (knownStarts.length === 0) return [];
  const smallest = knownStarts.reduce((least, value) => Math.min(least, value));
  const largest = ends.reduce((most, value) => Math.max(most, value));
  return stepStarts(smallest, largest, width);
}

/** The lengths of steps of time in the scope, ns; undefined for other groups. */
function lengthsIn({ recording, subject }: Side, step: Step | undefined): ReadonlyMap<number, number> | undefined {
  const span = step?.isTime === true ? recordedSpan(recording, subject.scope) : undefined;
  return step && span && lengthsOfSteps(span.parts, step.width);
}

/** Null for other groups than steps of time, and for those out of the scope. */
function rateOf(start: unknown, events: number, lengths: ReadonlyMap<number, number> | undefined): number | null {
  const length = typeof start === 'number' ? lengths?.get(start) : undefined;
  return length === undefined ? null : (events / length) * 1e9;
}

/** Throws `UsageError` for other groups than those by steps of time. */
function clockOfSteps({ recording }: Side, step: Step | undefined): RecordingClock {
  if (step?.isTime === true) return requireClock(recording);
  throw new UsageError(phrase`${theOption('clock')} needs groups by steps of time`, {
    code: 'needs-steps-of-time',
    advice: phrase`As in ${theOption('groupBy', { value: 'time:1s' })}.`,
  });
}

function usualOrder(step: Step | undefined, value: unknown, base: unknown): string {
  if (step !== undefined) return `-${step.key}`;
  if (base !== undefined) return 'largest change';
  return value === undefined ? 'events' : 'sum';
}

/** Steps are the first column, since they are in their order. */
function listedColumns(
  value: ValueField | undefined,
  isCompared: boolean,
  keys: readonly EventKey[],
  { hasRate, hasClock }: { readonly hasRate: boolean; readonly hasClock: boolean },
): ResultColumn[] {
  const columns = numberColumns(value, isCompared).filter(({ key }) => key !== 'rate' || hasRate);
  const steps = keys.filter(({ step }) => step !== undefined).map(({ column }) => column);
  return [
    ...steps,
    ...(hasClock ? [CLOCK] : []),
    ...columns,
    ...keys.filter(({ step }) => step === undefined).map(({ column }) => column),
  ];
}

/** A part of a key as JSON, which has neither `bigint` nor numbers that are not finite. */
function keyPart(value: unknown): unknown {
  const isSpecial = typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value));
  return isSpecial ? { number: String(value) } : value;
}

function numberColumns(value: ValueField | undefined, compared: boolean): ResultColumn[] {
  const isAmount = ({ key }: ResultColumn): boolean => AMOUNTS.some((amount) => key.replace('base_', '') === amount);
  const columns = columnsOf(fixed).filter(({ key }) => compared || (key !== 'change' && !key.startsWith('base_')));
  if (value === undefined) return columns.filter((column) => !isAmount(column));
  const { title, key, unit } = value.field;
  return columns.map((column) =>
    isAmount(column) || column.key === 'change'
      ? { ...column, ...measuredIn({ unit }), ...(column.key === 'sum' && { title: `${title || key}, sum` }) }
      : column,
  );
}

function sizeOf(value: ExactNumber): ExactNumber {
  return value < 0 ? -value : value;
}
