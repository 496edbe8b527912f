/** `events`: the events of one or several types with all of their fields, in the order of time. */
import { z } from 'zod';
import { earliestUse, eventsUse, NUMBER, TRUTH } from '../../analysis/events/recorded.js';
import { requireClock } from '../../analysis/events/time-of-day.js';
import { rowsWhere } from '../../base/columns/marks.js';
import { STACK, TIME } from '../../models/events/shared-fields.js';
import { valueIn } from '../../models/packed-columns.js';
import { column, type Field, keyIn, selectRows, type Table } from '../../models/table.js';
import { EVENTS_OPTIONS } from '../../questions/options/recording.js';
import { idNotes } from '../file-ids.js';
import { common, listed, listingShape, type ResultColumn, text } from '../listing.js';
import { defineView, type Page } from '../question.js';
import { type CellSource, type CellValue, CLOCK, cellsOf, clockText, idsOf, secretNotes, zoneNote } from './cells.js';
import {
  type CommonField,
  chosenTypes,
  commonFields,
  type EventRows,
  rowsByTime,
  scopedTables,
  scopeNotes,
  titleOf,
  unitOf,
  unscopedNotes,
} from './choice.js';
import { firstEvents } from './first-page.js';

const cell = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).nullable();
const row = z
  .object({ event: text('Event', 'type and number in the order of time, from 1 on, as the step at takes it') })
  .catchall(cell.describe('a field of the event under its own name; null if unknown'));

/** Fields that a table of usual width has room for, and those of each level of detail after them. */
const MAIN_FIELDS = 7;
const DETAILS = 4;

export const eventsView = defineView({
  name: 'events',
  version: 2,
  title: 'Events',
  scopesItself: true,
  options: EVENTS_OPTIONS,
  shape: { ...listingShape(row), types: z.array(z.string()) },
  needs: (input, { types, after }) => {
    const names = namesOf(chosenTypes(input, types));
    const first = after === undefined ? firstEvents(input.page, input.subject.scope) : undefined;
    return { events: first === undefined ? eventsUse(input.subject, names) : earliestUse(input.subject, names, first) };
  },
  answer: async (input, options, { events }) => {
    const { program, profile, total, unscoped, absentNotes, isPartial } = events;
    const { after } = options;
    const scoped = scopedTables(input, options.types, events);
    const read = new Map(Object.entries(after ?? {}));
    const rows = rowsByTime(scoped.map((table) => newerThan(table, read.get(table.kind) ?? 0)));
    const { tables } = rows;
    const { stack_depth: depth, secrets } = options;
    const source: CellSource = { program, profile, depth, secrets, hidden: false };
    const dayTime = options.clock ? requireClock(input.recording) : undefined;
    const fields = commonFields(tables, dayTime === undefined ? ['event'] : ['event', CLOCK.key]);
    const numbers = tables.map((table) => valueIn(table.columns, NUMBER.key));
    const tableOf = (i: number): number => rows.table?.[i] ?? 0;
    const rowOf = (i: number): number => (rows.row === undefined ? i : rows.row[i]);
    const event = (i: number): string => `${tables[tableOf(i)]?.kind ?? ''}#${numbers[tableOf(i)]?.(rowOf(i)) ?? 0}`;
    const cells = new Map<string, (i: number) => CellValue>();
    const orders = new Map<string, (i: number) => number | string | null>();
    if (dayTime !== undefined) {
      const times = tables.map((table) => valueIn(table.columns, keyIn(table, TIME) ?? ''));
      cells.set(CLOCK.key, (i) => clockText(dayTime, times[tableOf(i)]?.(rowOf(i))));
    }
    for (const each of fields) {
      const { key, field } = each;
      const cellOf = joinedCells(rows, each, (table, ownField) => cellsOf(source, table, ownField));
      cells.set(key, cellOf);
      if (options.ids && isNumbered(field))
        cells.set(
          idKey(field, key),
          joinedCells(rows, each, (table, ownField) => idsOf(source, table, ownField)),
        );
      if (field.names === TRUTH) orders.set(key, (i) => String(cellOf(i)));
      if (field.holds === STACK.holds) orders.set(key, (i) => [cellOf(i)].flat().join('\n'));
    }
    const listing = await listed(
      { event, ...Object.fromEntries(cells) },
      {
        columns: columnsFor(fields, dayTime === undefined ? [] : [CLOCK], options.ids),
        count: input.subject.scope.length === 0 && after === undefined ? total : rows.length,
        // Without events, there are no fields to sort by.
        input: rows.length === 0 ? { ...input, page: unsorted(input.page) } : input,
        usual: undefined,
        orders: Object.fromEntries(orders),
      },
    );
    return {
      ...common(
        input,
        [
          ...scopeNotes(input, rows.length, total, absentNotes),
          ...(dayTime === undefined ? [] : [zoneNote(dayTime)]),
          ...unscopedNotes([...unscoped]),
          ...secretNotes(source),
          ...idNotes(options.ids, program),
        ],
        isPartial,
      ),
      types: namesOf(chosenTypes(input, options.types)),
      ...listing,
    };
  },
});

/** The cells of a field, by row of all tables. */
function joinedCells(
  { tables, table, row }: EventRows,
  { of: tableFields, field }: CommonField,
  make: (table: Table, field: Field) => (row: number) => CellValue,
): (i: number) => CellValue {
  const tableCells = tables.map((each, t) => make(each, tableFields[t] ?? { ...field, key: '' }));
  return (i) => tableCells[table?.[i] ?? 0]?.(row === undefined ? i : row[i]) ?? null;
}

function unsorted({ limit, offset }: Page): Page {
  return { limit, offset };
}

/** The events of a table with larger numbers. */
function newerThan(table: Table, number: number): Table {
  if (number === 0) return table;
  const numbers = column(table, NUMBER.key);
  return selectRows(
    table,
    rowsWhere(table.length, (row) => numbers[row] > number),
  );
}

function namesOf(types: readonly { readonly name: string }[]): string[] {
  return types.map(({ name }) => name);
}

function columnsFor(fields: readonly CommonField[], beside: readonly ResultColumn[], ids: boolean): ResultColumn[] {
  return [
    { key: 'event', title: 'Event', unit: 'text' },
    ...beside,
    ...fields.flatMap((each, i): ResultColumn[] => {
      const level = Math.ceil((i + 1 - MAIN_FIELDS) / DETAILS);
      const fieldColumn = { key: each.key, title: titleOf(each), unit: unitOf(each) };
      const shownColumn =
        level <= 0 || each.field.holds === 'stack' ? fieldColumn : { ...fieldColumn, detail: Math.min(level, 3) };
      return ids && isNumbered(each.field) ? [idColumn(each), shownColumn] : [shownColumn];
    }),
  ];
}

/** Whether the values of a field may have a number in the file. */
function isNumbered({ holds }: Field): boolean {
  return holds === 'class' || holds === 'function' || holds === 'stack';
}

/** The key of the column with the numbers of a field. */
function idKey({ holds }: Field, key: string): string {
  return `${key}_${holds === 'stack' ? 'ids' : 'id'}`;
}

function idColumn({ key, field }: CommonField): ResultColumn {
  return field.holds === 'stack'
    ? { key: idKey(field, key), title: 'Ids', unit: 'text' }
    : { key: idKey(field, key), title: 'Id', unit: 'none' };
}
