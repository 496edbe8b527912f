/**
 * The parts of listings: the fields of a row with titles and units, columns, sorting and paging, and the fields common
 * to all results.
 *
 * The shape of a result is one zod schema beside its view. It types the code, gives the columns their titles and units,
 * and is published as JSON Schema under docs/schema; tests validate real output against it.
 */
import { z } from 'zod';
import { UsageError } from '../base/errors.js';
import { type Note, note } from '../base/note.js';
import { type Phrase, phrase, theView } from '../base/phrase.js';
import { withPauses } from '../base/progress.js';
import { UNITS, type Unit } from '../base/units.js';
import type { Metric } from '../models/profile/profile.js';
import type { ViewInput } from './question.js';
import { allRows, firstRows, type SortKey, type SortValue } from './row-order.js';
import { type CellReader, type CellRow, rowsOfCells } from './row-table.js';

/** A column of a listing as front ends need it. */
export interface ResultColumn {
  readonly key: string;
  readonly title: string;
  readonly unit: Unit;
  /** If a table is too wide, columns with the highest number are omitted first; those without a number stay. */
  readonly detail?: number;
  /** Resolution of the numbers, in `unit`; people see one digit below it. */
  readonly resolution?: number;
  /** Key of the field that is true in rows whose number here is at least so large. */
  readonly at_least?: string;
}

/** A field of a result, with the information that front ends need. */
export function text(title: string, meaning: string) {
  return z.string().meta({ title, description: meaning, unit: 'text' });
}

export function number(title: string, unit: Unit, meaning: string) {
  return z.number().meta({ title, description: meaning, unit });
}

/** A number that may be unknown: then null, never 0. */
export function maybe(title: string, unit: Unit, meaning: string) {
  return z.number().nullable().meta({ title, description: meaning, unit });
}

/** As `maybe`; an integer beyond ±(2^53 − 1) is a text with all of its digits. */
export function maybeExact(title: string, unit: Unit, meaning: string) {
  return z
    .union([z.number(), z.string().regex(/^-?\d+$/)])
    .nullable()
    .meta({ title, description: meaning, unit });
}

/** A text that may be unknown: then null. */
export function maybeText(title: string, meaning: string) {
  return z.string().nullable().meta({ title, description: meaning, unit: 'text' });
}

/** A whole divided into named parts: outcomes of a branch, classes of a call. */
export function parts(title: string, meaning: string) {
  const part = z.object({ name: z.string(), count: z.number(), share: z.number().nullable() });
  return z.array(part).meta({ title, description: meaning, unit: 'parts' });
}

export function list(title: string, meaning: string) {
  return z.array(z.string()).meta({ title, description: meaning, unit: 'list' });
}

/** A list of texts, such as the waiting threads; null if unknown. */
export function maybeNames(title: string, meaning: string) {
  return z.array(z.string()).nullable().meta({ title, description: meaning, unit: 'names' });
}

/** A column that a narrow table can do without; those of the highest `level` go first. */
export function detail<Field extends z.ZodType>(level: 1 | 2 | 3, field: Field): Field {
  return field.meta({ ...field.meta(), detail: level });
}

/** Notes and phrases are data here; in JSON of the command line, which the published schemas describe, they are texts. */
const NOTE = z.custom<Note>().meta({ type: 'string' });

/** Fields of every result. */
export const COMMON = {
  recording: z.string().meta({ description: 'the input, as named on the command line' }),
  complete: z.boolean().meta({ description: 'false if part of the input was lost' }),
  notes: z.array(NOTE).meta({ description: 'remarks about the result' }),
};

/** Answers that are not in a row, such as a deadlock: tables show them all, above their rows. */
export const HEADLINES = z
  .array(z.custom<Phrase>().meta({ type: 'string' }))
  .describe('answers that are not in a row, in words');

const columnShape = z.object({
  key: z.string(),
  title: z.string(),
  unit: z.string(),
  detail: z
    .number()
    .int()
    .optional()
    .meta({ description: 'narrow tables omit the columns with the highest value first' }),
  resolution: z.number().optional().meta({ description: 'numbers are known in steps of this' }),
  at_least: z.string().optional().describe('key of the field that is true in rows where the number is a lower bound'),
});

/** The field of a row that marks its total as a lower bound. */
export const AT_LEAST = z.boolean().describe('whether the total is a lower bound: truncated stacks may belong to it');

/** The field of a row for the next question about exactly what the row is about; not shown. Absent where it is nothing that a question can name. */
export const HANDLE = z
  .string()
  .optional()
  .describe(
    'names what the row is about in further questions about this recording, wherever they take a name or pattern of it',
  );

/** The field of a node of a tree for questions about all that begins, or inverted ends, with its path; not shown. */
export const STACK_HANDLE = z
  .string()
  .optional()
  .describe('names the path of the node: focus and ignore select the events below it, inverted those it is the end of');

/** The field of a row that may have a handle. */
export function handleField(handle: string | undefined): { handle?: string } {
  return handle === undefined ? {} : { handle };
}

/** The field of a node that may have the handle of its path. */
export function stackField(stack: string | undefined): { stack?: string } {
  return stack === undefined ? {} : { stack };
}

/** The shape of a listing: its columns, the rows of the page, and the total number of rows. */
export function listingShape<Row extends z.ZodObject>(row: Row) {
  return {
    ...COMMON,
    columns: z.array(columnShape),
    total: z.number().int().meta({ description: 'number of rows on all pages' }),
    offset: z.number().int(),
    rows: z.array(row),
  };
}

/** The columns of a listing, from the shape of its rows. */
export function columnsOf(row: z.ZodObject): ResultColumn[] {
  const shownFields = Object.entries(row.shape).filter(([key]) => key !== 'handle');
  return shownFields.map(([key, field]) => {
    const meta = field instanceof z.ZodType ? field.meta() : undefined;
    const column = { key, title: String(meta?.title ?? key), unit: unitOf(meta?.unit) };
    return typeof meta?.detail === 'number' ? { ...column, detail: meta.detail } : column;
  });
}

/**
 * The columns of a listing of a metric: those named by `values` are in its unit. Totals are marked in rows whose field
 * `at_least` is true.
 */
export function metricColumns(row: z.ZodObject, metric: Metric, values: readonly string[]): ResultColumn[] {
  return columnsOf(row)
    .filter(({ key }) => key !== 'at_least')
    .map((column) => ({
      ...column,
      ...(column.key === 'total' && 'at_least' in row.shape ? { at_least: 'at_least' } : {}),
      ...(values.includes(column.key) ? measuredIn(metric) : {}),
    }));
}

/** The unit and resolution of a column of a metric's values. */
export function measuredIn({
  unit,
  resolution,
}: Pick<Metric, 'unit' | 'resolution'>): Pick<ResultColumn, 'unit' | 'resolution'> {
  return resolution === undefined ? { unit } : { unit, resolution };
}

function unitOf(value: unknown): Unit {
  return UNITS.find((unit) => unit === value) ?? 'none';
}

/** The parts of a result that do not depend on the view. `isPartial`: what was read for it is damaged, beside what opening found. */
export function common(input: ViewInput, notes: readonly Note[] = [], isPartial = false) {
  const recording = input.recording;
  const complete = recording.complete && !isPartial;
  return {
    recording: recording.name,
    complete,
    notes: [...(complete ? [] : [DAMAGE_NOTE]), ...input.scopeNotes, ...emptyNotes(input), ...notes],
  };
}

const DAMAGE_NOTE = note(
  'damaged',
  phrase`Part of the input could not be read; the numbers cover the rest (${theView('check')} lists the problems).`,
  { action: { ask: theView('check') } },
);

/** Says of the other recordings of a comparison that nothing of them is in scope; scope notes count the events of one. */
function emptyNotes({ empty, base, baseRuns, runs }: ViewInput): Note[] {
  const others = [...(base === undefined ? [] : [base]), ...baseRuns, ...runs].filter((side) => side.empty);
  if (empty) return [];
  return others.map(({ recording: { name } }) =>
    note('side-empty', `Nothing of ${name} is in scope.`, { about: { recording: name } }),
  );
}

/** A value less that of the base; null if one of them is. */
export function difference(value: number | null, base: number | null): number | null {
  return value === null || base === null ? null : value - base;
}

/** Sorting keys of a listing: the value of row `i` in each sortable column. */
export type SortKeys = Readonly<Record<string, SortKey>>;

/** What orders and pages of a listing need of a question. */
export type PagedInput = Pick<ViewInput, 'page' | 'kept'>;

/** Of an answer with several listings: the input of one, whose orders are its own. */
export function partOf({ page, kept: storage }: PagedInput, part: string): PagedInput {
  return { page, kept: (key, bytes, make) => storage(`${part} ${key}`, bytes, make) };
}

/** Rows of the first pages, which are found without sorting all. */
const FIRST_ROWS = 1000;

/**
 * The rows of the page, in order, out of `count` rows sorted by `page.sort`, else by `usual`. Columns may be named by
 * key or by title. Orders are kept: further pages are parts of them.
 */
export async function pageOf(
  count: number,
  keys: SortKeys,
  { page, kept: keptRows }: PagedInput,
  usual: string | undefined,
  columns: readonly ResultColumn[],
): Promise<number[]> {
  const end = page.limit === 0 ? count : Math.min(count, page.offset + page.limit);
  const sort = page.sort ?? usual;
  if (sort === undefined) return range(page.offset, end);
  const reverse = sort.startsWith('-');
  const name = keyNamed(reverse ? sort.slice(1) : sort, keys, columns);
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (key === undefined)
    throw new UsageError(`cannot sort by ${sort}`, { code: 'no-column', advice: sortHint(keys, columns) });
  const most = end <= FIRST_ROWS ? FIRST_ROWS : Infinity;
  const rows = await keptRows(
    `order ${JSON.stringify([name, reverse, most === Infinity])}`,
    ({ byteLength }: Int32Array) => byteLength,
    (work) => {
      const steps = most < count ? firstRows(count, key, reverse, most) : allRows(count, key, reverse);
      return withPauses(steps, work, 'sorting', count);
    },
  );
  return Array.from(rows.subarray(page.offset, end));
}

/** The rows from `start` up to before `end`. */
export function range(start: number, end: number): number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, i) => start + i);
}

/** How the rows of a listing are ordered and paged. */
export interface ListingOrder {
  /** The columns that are shown. */
  readonly columns: ResultColumn[];
  readonly count: number;
  readonly input: PagedInput;
  /** Default sort key. Undefined if rows are in order already: then only the page is computed. */
  readonly usual: string | undefined;
  /** Whether rows can be sorted by a cell; by default, by any. */
  readonly sortable?: (key: string) => boolean;
  /** The handle of a row. */
  readonly handle?: (row: number) => string | undefined;
  /** Orders that are no cell, or different from the cell's. */
  readonly orders?: SortKeys;
  /** Gets what the cells of these rows, those of the page, need. */
  readonly beforehand?: (rows: readonly number[]) => Promise<void>;
}

/** The page of a listing, as columns. `cells` return the value of each column in row `i`. Only cells of the page are made. */
export async function listed<Cells extends Readonly<Record<string, CellReader>>>(
  cells: Cells,
  { columns, count, input, usual, sortable = () => true, handle, orders = {}, beforehand }: ListingOrder,
): Promise<{
  columns: ResultColumn[];
  total: number;
  offset: number;
  rows: CellRow<Cells>[];
}> {
  const written = Object.entries(cells);
  const others = written.filter(([key]) => !Object.hasOwn(orders, key) && sortable(key));
  const byCell = others.map(([key, cell]) => [key, (row: number) => plain(cell(row))] as const);
  const keys: SortKeys = { ...orders, ...Object.fromEntries(byCell) };
  const rows = await pageOf(count, keys, input, usual, columns);
  await beforehand?.(rows);
  return {
    columns,
    total: count,
    offset: input.page.offset,
    rows: rowsOfCells<Cells>({ ...cells, ...(handle && { handle }) }, rows),
  };
}

function plain(value: unknown): SortValue {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'bigint' ? value : null;
}

/** The key of a column named by key or title, in any case and without the sign `≥`. */
function keyNamed(name: string, keys: SortKeys, columns: readonly ResultColumn[]): string {
  if (Object.hasOwn(keys, name)) return name;
  const titleName = bareTitle(name);
  return columns.find(({ key, title }) => bareTitle(title) === titleName && Object.hasOwn(keys, key))?.key ?? name;
}

function bareTitle(title: string): string {
  return title.replace('\u2265', '').trim().toLowerCase();
}

/** The visible titles with their keys, then the keys that are not shown. */
function sortHint(keys: SortKeys, columns: readonly ResultColumn[]): string {
  const sortableColumns = columns.filter(({ key }) => Object.hasOwn(keys, key));
  const names = sortableColumns.map(({ key, title }) =>
    bareTitle(title) === key || title === '' ? key : `${title} (${key})`,
  );
  const hidden = Object.keys(keys).filter((key) => !sortableColumns.some((column) => column.key === key));
  const rest = hidden.length === 0 ? '' : ` Not shown: ${hidden.join(', ')}.`;
  return `Columns to sort by: ${names.join(', ')}.${rest}`;
}
