/** `event-groups`: events of one or several types by the values of fields, and what a number of them amounts to. */
import { z } from 'zod';
import { amountsOf, groupRows } from '../../analysis/events/groups.js';
import { eventsUse, NUMBER } from '../../analysis/events/recorded.js';
import { fieldNamed } from '../../analysis/scope/filter.js';
import { UsageError } from '../../base/errors.js';
import { share } from '../../base/share.js';
import { fieldNumber, isTextual } from '../../models/profile/field-values.js';
import type { Field, Table } from '../../models/table.js';
import { columnsOf, common, listed, listingShape, maybe, measuredIn, number, type ResultColumn } from '../listing.js';
import { defineView, type ViewInput } from '../question.js';
import { type Cell, type CellSource, cellsOf, secretNotes } from './cells.js';
import { chosenTypes, type EventRows, rowsByTime, scopedTables, scopeNotes, unitOf, unscopedNotes } from './choice.js';

const fixed = z.object({
  events: number('Events', 'count', 'in the group'),
  share: maybe('Events %', 'ratio', 'share of the events in scope'),
  sum: maybe('Sum', 'none', 'of the values that are known'),
  mean: maybe('Mean', 'none', 'of the values that are known'),
  max: maybe('Max', 'none', 'largest value'),
  p50: maybe('p50', 'none', 'half of the values do not exceed it; between two values in proportion'),
  p90: maybe('p90', 'none', '90 per cent of the values do not exceed it, in the same way'),
  p99: maybe('p99', 'none', '99 per cent of the values do not exceed it, in the same way'),
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
  options: z.object({
    types: z.array(z.string()).min(1).describe('names of types, or parts of names'),
    by: z.array(z.string()).min(1).describe('fields; `type` is the type; a stack is its innermost frame'),
    value: z.string().optional().describe('field with the numbers; duration if not given'),
    secrets: z.boolean().default(false).describe('show texts that look like secrets'),
  }),
  shape: {
    ...listingShape(row),
    types: z.array(z.string()),
    by: z.array(z.string()),
    value: z.string().nullable().describe('field with the numbers; null if there is none'),
  },
  needs: (input, { types }) => ({
    events: eventsUse(
      input.subject,
      chosenTypes(input, types).map(({ name }) => name),
    ),
  }),
  answer: (input, options, { events }) => {
    const { program, profile, total, unscoped } = events;
    const rows = rowsByTime(scopedTables(input, options.types, events));
    const source: CellSource = { program, profile, depth: 1, secrets: options.secrets, hidden: false };
    const keys = options.by.map((name) => groupKey(source, rows, name, input));
    const groups = groupRows(
      rows.length,
      keys.map(({ codes }) => codes),
    );
    const value = valueField(rows, options.value, input);
    const amounts = value && amountsOf(groups, valuesOf(rows, value.of));
    const known = (values: Float64Array | undefined, id: number): number | null => {
      const amount = values?.[id];
      return amount === undefined || Number.isNaN(amount) ? null : amount;
    };
    const cells = {
      ...Object.fromEntries(keys.map(({ key, cellOf }) => [key, (id: number) => cellOf(groups.first[id])])),
      events: (id: number) => groups.count[id],
      share: (id: number) => share(groups.count[id], rows.length),
      sum: (id: number) => known(amounts?.sum, id),
      mean: (id: number) => known(amounts?.mean, id),
      max: (id: number) => known(amounts?.max, id),
      p50: (id: number) => known(amounts?.p50, id),
      p90: (id: number) => known(amounts?.p90, id),
      p99: (id: number) => known(amounts?.p99, id),
    };
    const listing = listed(cells, {
      columns: [...numberColumns(value), ...keys.map(({ column }) => column)],
      count: groups.length,
      page: input.page,
      usual: value === undefined ? 'events' : 'sum',
    });
    return {
      ...common(input, [
        ...scopeNotes(input, rows.length, total),
        ...unscopedNotes([...unscoped]),
        ...secretNotes(source),
      ]),
      types: chosenTypes(input, options.types).map(({ name }) => name),
      by: keys.map(({ key }) => key),
      value: value?.field.key ?? null,
      ...listing,
    };
  },
});

function numberColumns(value: ValueField | undefined): ResultColumn[] {
  const isAmount = ({ key }: ResultColumn): boolean => AMOUNTS.some((amount) => amount === key);
  const columns = columnsOf(fixed);
  if (value === undefined) return columns.filter((column) => !isAmount(column));
  const { title, key, unit } = value.field;
  return columns.map((column) =>
    isAmount(column)
      ? { ...column, ...measuredIn({ unit }), ...(column.key === 'sum' && { title: `${title || key}, sum` }) }
      : column,
  );
}

interface GroupKey {
  readonly key: string;
  readonly column: ResultColumn;
  /** By row: equal for equal values. */
  readonly codes: Int32Array;
  readonly cellOf: (row: number) => Exclude<Cell, readonly string[]>;
}

/** Codes of the values of a field: texts that are equal, such as names of threads, are one value. */
function groupKey(source: CellSource, rows: EventRows, name: string, input: ViewInput): GroupKey {
  const of = rows.tables.map((table) => fieldNamed(table, name));
  const field = of.find((found) => found !== undefined);
  if (field === undefined && name !== TYPE) throw noField(rows.tables, name, input);
  const key = field?.key ?? TYPE;
  const own = rows.tables.map((table, t) => {
    const found = of[t];
    return found === undefined ? () => (field === undefined ? table.kind : null) : flatCells(source, table, found);
  });
  const cellOf = (row: number) => own[rows.table?.[row] ?? 0]?.(rows.row?.[row] ?? row) ?? null;
  const codes = new Int32Array(rows.length);
  const known = new Map<unknown, number>();
  // Values are decoded once: rows of a table with the same value are in the same group.
  const decoded = rows.tables.map(() => new Map<number, number>());
  for (let row = 0; row < codes.length; row++) {
    const t = rows.table?.[row] ?? 0;
    const found = of[t];
    const value = found === undefined ? 0 : (rows.tables[t]?.columns[found.key]?.[rows.row?.[row] ?? row] ?? 0);
    let code = decoded[t]?.get(value);
    if (code === undefined) {
      const text = cellOf(row);
      code = known.get(text) ?? known.size;
      known.set(text, code);
      decoded[t]?.set(value, code);
    }
    codes[row] = code;
  }
  const title = field === undefined ? 'Type' : field.title || key;
  const unit = field === undefined ? 'text' : field.holds === 'stack' ? 'text' : unitOf({ key, field, of });
  const shown = Object.hasOwn(fixed.shape, key) ? `${key}_` : key;
  return { key: shown, column: { key: shown, title, unit }, codes, cellOf };
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

function valueField({ tables }: EventRows, name: string | undefined, input: ViewInput): ValueField | undefined {
  const of = tables.map((table) => fieldNamed(table, name ?? USUAL_VALUE));
  const field = of.find((found) => found !== undefined);
  if (field === undefined) {
    if (name === undefined || tables.length === 0) return undefined;
    throw noField(tables, name, input);
  }
  if (isTextual(field) || field.holds === 'row')
    throw new UsageError(
      `${field.key} is no number`,
      `Numbers: ${namesOf(tables, (each) => each.holds === 'number')}.`,
    );
  return { field, of: of.map((each) => (each?.unit === field.unit && !isTextual(each) ? each : undefined)) };
}

function valuesOf({ tables, table, row, length }: EventRows, of: readonly (Field | undefined)[]): Float64Array {
  const values = new Float64Array(length).fill(NaN);
  for (let at = 0; at < length; at++) {
    const t = table?.[at] ?? 0;
    const field = of[t];
    const column = field && tables[t]?.columns[field.key];
    if (field !== undefined && column !== undefined) values[at] = fieldNumber(field, column[row?.[at] ?? at]) ?? NaN;
  }
  return values;
}

function noField(tables: readonly Table[], name: string, { recording }: ViewInput): UsageError {
  if (tables.length === 0)
    return new UsageError(
      `${recording.name} has no events with a field ${name}`,
      '`events` without a type lists all types.',
    );
  return new UsageError(`the events have no field ${name}`, `Fields: ${namesOf(tables, () => true)}.`);
}

function namesOf(tables: readonly Table[], wanted: (field: Field) => boolean): string {
  const keys = tables.flatMap(({ fields }) => fields.filter(wanted).map(({ key }) => key));
  return [...new Set(keys)].filter((key) => key !== NUMBER.key).join(', ');
}
