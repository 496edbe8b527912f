/** `event-groups`: events of one or several types by the values of fields, and what a number of them amounts to. */
import { z } from 'zod';
import { typesOf } from '../../analysis/events/event-types.js';
import { amountsOf, type ExactAmounts, type Groups, groupRows } from '../../analysis/events/groups.js';
import { eventsUse, NUMBER, type ScopedEvents } from '../../analysis/events/recorded.js';
import { fieldNamed } from '../../analysis/scope/filter.js';
import { UsageError } from '../../base/errors.js';
import { type ExactNumber, exactDifference } from '../../base/exact-integers.js';
import { type Note, withPrefix } from '../../base/note.js';
import { phrase, theView } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { doubleOf, isTextual, isUnknown } from '../../models/profile/field-values.js';
import type { Profile } from '../../models/profile/profile.js';
import type { Field, Table } from '../../models/table.js';
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
import { type CellSource, type CellValue, cellsOf, secretNotes } from './cells.js';
import { chosenTypes, type EventRows, rowsByTime, scopedTables, scopeNotes, unitOf, unscopedNotes } from './choice.js';

const fixed = z.object({
  events: number('Events', 'count', 'in the group'),
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

/** The value that is usual, where events have it. */
const USUAL_VALUE = 'duration';
/** Stands for the type of events, where none has such a field. */
const TYPE = 'type';

export const eventGroupsView = defineView({
  name: 'event-groups',
  version: 1,
  title: 'Groups of events',
  scopesItself: true,
  options: EVENT_GROUPS_OPTIONS,
  shape: {
    ...listingShape(row),
    types: z.array(z.string()),
    by: z.array(z.string()),
    value: z.string().nullable().describe('field with the numbers; null if there is none'),
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
    const { now, base, rows } = await input.kept('groups', bytesOfGroups, () => {
      const now = groupedIn(input, options, events, has(ofBase));
      const base = input.base && ofBase && groupedIn(input.base, options, ofBase, has(events));
      return { now, base, rows: joined(now, base) };
    });
    const { keys, value } = has(events) ? now : (base ?? now);
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
    const cells = {
      ...Object.fromEntries(keys.map(({ key }, k) => [key, (i: number) => rows[i].key[k] ?? null])),
      events: eventsOf,
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
    const listing = await listed(cells, {
      columns: [...numberColumns(value, base !== undefined), ...keys.map(({ column }) => column)],
      count: rows.length,
      input,
      usual: base !== undefined ? 'largest change' : value === undefined ? 'events' : 'sum',
      orders: { 'largest change': (i: number) => sizeOf(change(i) ?? 0) },
    });
    return {
      ...common(
        input,
        [...now.notes, ...(base?.notes ?? []).map((each) => withPrefix('The base: ', each))],
        events.isPartial,
      ),
      types: chosenTypes(input, options.types).map(({ name }) => name),
      by: keys.map(({ key }) => key),
      value: value?.field.key ?? null,
      ...listing,
    };
  },
});

/** The groups of the events of one side. */
interface GroupedEvents {
  readonly keys: readonly GroupKey[];
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
  const { program, profile, total, unscoped } = events;
  const rows = rowsByTime(scopedTables(side, types, events));
  const source: CellSource = { program, profile, depth: 1, secrets, hidden: false };
  const keys = mayLack && rows.tables.length === 0 ? [] : by.map((field) => groupKey(source, rows, field, side));
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
      ...scopeNotes(side, rows.length, total),
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
  readonly key: readonly ReturnType<GroupKey['cellOf']>[];
  /** Group of each side, -1 if it has none with this key. */
  now: number;
  base: number;
}

/** Groups with the same values of the fields, of both sides. */
function joined(now: GroupedEvents, base: GroupedEvents | undefined): readonly JoinedGroup[] {
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
  return [...groupsByKey.values()];
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

interface GroupKey {
  readonly key: string;
  readonly column: ResultColumn;
  /** By row: equal for equal values. */
  readonly codes: Int32Array;
  readonly cellOf: (row: number) => Exclude<CellValue, readonly string[]>;
}

/** Codes of the values of a field: texts that are equal, such as names of threads, are one value. */
function groupKey(source: CellSource, rows: EventRows, name: string, input: Side): GroupKey {
  const tableFields = rows.tables.map((table) => fieldNamed(table, name));
  const field = tableFields.find((candidate) => candidate !== undefined);
  if (field === undefined && name !== TYPE) throw noField(rows.tables, name, input);
  const key = field?.key ?? TYPE;
  const tableCells = rows.tables.map((table, t) => {
    const tableField = tableFields[t];
    return tableField === undefined
      ? () => (field === undefined ? table.kind : null)
      : flatCells(source, table, tableField);
  });
  const cellOf = (row: number) => tableCells[rows.table?.[row] ?? 0]?.(rows.row?.[row] ?? row) ?? null;
  const codes = new Int32Array(rows.length);
  const valueCodes = new Map<unknown, number>();
  // Values are decoded once: rows of a table with the same value are in the same group.
  const decoded = rows.tables.map(() => new Map<number, number>());
  for (let row = 0; row < codes.length; row++) {
    const t = rows.table?.[row] ?? 0;
    const tableField = tableFields[t];
    const value =
      tableField === undefined ? 0 : (rows.tables[t]?.columns[tableField.key]?.[rows.row?.[row] ?? row] ?? 0);
    // Of doubles with rests, several values are the same.
    let code = tableField?.rest === undefined ? decoded[t]?.get(value) : undefined;
    if (code === undefined) {
      const text = cellOf(row);
      code = valueCodes.get(text) ?? valueCodes.size;
      valueCodes.set(text, code);
      decoded[t]?.set(value, code);
    }
    codes[row] = code;
  }
  const title = field === undefined ? 'Type' : field.title || key;
  const unit =
    field === undefined ? 'text' : field.holds === 'stack' ? 'text' : unitOf({ key, field, of: tableFields });
  const columnKey = Object.hasOwn(fixed.shape, key) ? `${key}_` : key;
  return { key: columnKey, column: { key: columnKey, title, unit }, codes, cellOf };
}

function flatCells(source: CellSource, table: Table, field: Field): GroupKey['cellOf'] {
  const cells = cellsOf(source, table, field);
  return (row) => {
    const value = cells(row);
    return typeof value === 'object' ? (value?.[0] ?? null) : value;
  };
}

interface ValueField {
  readonly field: Field;
  readonly of: readonly (Field | undefined)[];
}

function valueField({ tables }: EventRows, name: string | undefined, input: Side): ValueField | undefined {
  const tableFields = tables.map((table) => fieldNamed(table, name ?? USUAL_VALUE));
  const field = tableFields.find((candidate) => candidate !== undefined);
  if (field === undefined) {
    if (name === undefined || tables.length === 0) return undefined;
    throw noField(tables, name, input);
  }
  if (isTextual(field) || field.holds === 'row')
    throw new UsageError(`${field.key} is no number`, {
      code: 'not-a-number',
      advice: `Numbers: ${namesOf(tables, (each) => each.holds === 'number')}.`,
    });
  return { field, of: tableFields.map((each) => (each?.unit === field.unit && !isTextual(each) ? each : undefined)) };
}

/** The values, NaN where they are unknown, and what is added to them, if any field has that. */
function valuesOf(
  profile: Profile,
  { tables, table, row, length }: EventRows,
  tableFields: readonly (Field | undefined)[],
): [Float64Array, Float64Array?] {
  const values = new Float64Array(length).fill(NaN);
  const rests = tableFields.some((field) => field?.rest !== undefined) ? new Float64Array(length) : undefined;
  for (let at = 0; at < length; at++) {
    const t = table?.[at] ?? 0;
    const field = tableFields[t];
    const columns = tables[t]?.columns;
    const column = field && columns?.[field.key];
    if (field === undefined || column === undefined) continue;
    const rowOfTable = row?.[at] ?? at;
    if (isUnknown(field, column[rowOfTable])) continue;
    values[at] = doubleOf(profile, field, column[rowOfTable]);
    if (rests !== undefined && field.rest !== undefined) rests[at] = columns?.[field.rest]?.[rowOfTable] ?? 0;
  }
  return rests === undefined ? [values] : [values, rests];
}

function sizeOf(value: ExactNumber): ExactNumber {
  return value < 0 ? -value : value;
}

function noField(tables: readonly Table[], name: string, { recording }: Side): UsageError {
  if (tables.length === 0)
    return new UsageError(`${recording.name} has no events with a field ${name}`, {
      code: 'no-field',
      advice: phrase`${theView('event-types')} without a type lists all types.`,
      action: { ask: theView('event-types') },
    });
  return new UsageError(`the events have no field ${name}`, {
    code: 'no-field',
    advice: `Fields: ${namesOf(tables, () => true)}.`,
  });
}

function namesOf(tables: readonly Table[], isListed: (field: Field) => boolean): string {
  const keys = tables.flatMap(({ fields }) => fields.filter(isListed).map(({ key }) => key));
  return [...new Set(keys)].filter((key) => key !== NUMBER.key).join(', ');
}
