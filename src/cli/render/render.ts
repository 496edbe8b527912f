/**
 * Results as text. Every format shows the same result; only `table` and `md` round numbers, for people. The libraries
 * of a format are loaded on demand: starting up takes most of the time of a small question.
 */
import { someNames } from '../../base/some-names.js';
import { formatCount, plural } from '../../base/units.js';
import {
  isPart,
  isPlainUnit,
  isText,
  peopleCell,
  type ResultRow,
  readable,
  readableNote,
} from '../../pictures/cells.js';
import type { ResultColumn } from '../../views/listing.js';
import { cellReader, tableOf } from '../../views/row-table.js';
import { withTexts } from './spelling.js';
import { type RenderedTable, type ResultListing, table } from './table.js';

export const OUTPUT_FORMATS = ['table', 'csv', 'tsv', 'json', 'ndjson', 'md'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Any result, as rendering needs it. */
export type AnyResult = Readonly<Record<string, unknown>> & { readonly type: string };
export interface RenderOptions {
  readonly format: OutputFormat;
  readonly colour: boolean;
  /** Characters of a line of a table; 0 (the default) for any number. */
  readonly width?: number;
  /** Whether the column names of csv and tsv have the unit. */
  readonly units?: boolean;
  /** Whether rows of the same listing precede: csv and tsv have no line of names then, tables no line of the recording. */
  readonly continued?: boolean;
  /** Renders a result that is not a listing, for `table`. */
  readonly page?: ((options: RenderOptions) => Promise<string>) | undefined;
}

/** Whether `render` writes bold and dim text. */
export function isStyled({ format, colour }: RenderOptions): boolean {
  return format === 'table' && colour;
}

/** The text of a result, with its last line feed, and the titles of omitted columns. */
export async function render(answer: AnyResult, options: RenderOptions): Promise<RenderedTable> {
  const { format, colour, width = 0, page } = options;
  const result = withTexts(answer);
  if (format === 'json') return whole(`${JSON.stringify(result, null, 2)}\n`);
  const listing = asListing(result);
  if (format !== 'table') return whole(await data(listing, format, options));
  return page === undefined
    ? table(options.continued === true ? undefined : String(result.recording ?? ''), listing, colour, width)
    : whole(await page(options));
}

/** Answers of a result that are not in a row. */
function headlinesOf({ headlines }: AnyResult): string[] {
  return Array.isArray(headlines) ? headlines.map((line) => readableNote(String(line))) : [];
}

function whole(text: string): RenderedTable {
  return { text, leftOut: [] };
}

/** The results of several recordings as one document: an array, or one listing with a column for the recording. */
export async function renderTogether(
  answers: readonly AnyResult[],
  format: Exclude<OutputFormat, 'table'>,
  units?: boolean,
): Promise<string> {
  const results = answers.map(withTexts);
  if (format === 'json') return `${JSON.stringify(results, null, 2)}\n`;
  const columns = new Map<string, ResultColumn>([
    ['recording', { key: 'recording', title: 'Recording', unit: 'text' }],
  ]);
  const rows: ResultRow[] = [];
  for (const result of results) {
    const listing = asListing(result);
    for (const column of listing.columns) if (!columns.has(column.key)) columns.set(column.key, column);
    for (const row of listing.rows) rows.push({ recording: result.recording, ...row });
  }
  return data({ columns: [...columns.values()], rows }, format, { ...(units !== undefined && { units }) });
}

async function data(
  listing: ResultListing,
  format: Exclude<OutputFormat, 'table' | 'json'>,
  options: Pick<RenderOptions, 'units' | 'continued'>,
): Promise<string> {
  switch (format) {
    case 'ndjson':
      return listing.rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    case 'csv':
      return separated(listing, ',', options);
    case 'tsv':
      return separated(listing, '\t', options);
    case 'md':
      return markdown(listing);
  }
}

/** The number of notes shown without `--notes`. */
const USUAL_NOTES = 3;

/**
 * The lines below a result: its headlines, if the rendered text does not have them, its notes, and what is not shown. They
 * go to standard error, so that data can be piped. `leftOut` are titles of columns that had no room.
 */
export function remarks(
  answer: AnyResult,
  allNotes: boolean,
  { leftOut = [], headlines = true }: { readonly leftOut?: readonly string[]; readonly headlines?: boolean } = {},
): string[] {
  const result = withTexts(answer);
  const notes = Array.isArray(result.notes) ? result.notes.map((note) => readableNote(String(note))) : [];
  const shownNotes = allNotes ? notes : notes.slice(0, USUAL_NOTES);
  const hidden = notes.length - shownNotes.length;
  const missing = [
    ...missingRows(result),
    ...(leftOut.length === 0
      ? []
      : [`Columns hidden: ${someNames(leftOut.map(readable), MOST_TITLES)} (--width 0 shows all).`]),
    ...(hidden === 0 ? [] : [`${plural(hidden, 'more note')} (--notes shows all).`]),
  ];
  return [
    ...(headlines ? headlinesOf(result) : []),
    ...shownNotes,
    ...(missing.length === 0 ? [] : [missing.join(' ')]),
  ];
}

function missingRows({ rows, total, offset: skipped }: AnyResult): string[] {
  const offset = Number(skipped ?? 0);
  if (!Array.isArray(rows) || typeof total !== 'number' || rows.length + offset >= total) return [];
  const shownRows =
    offset === 0 ? formatCount(rows.length) : `rows ${formatCount(offset + 1)} to ${formatCount(offset + rows.length)}`;
  return [`Showing ${shownRows} of ${formatCount(total)}${offset === 0 ? ' rows' : ''} (--limit 0 shows all).`];
}

/** The columns and rows of a listing; of other results a row for each value. */
export function asListing(result: AnyResult): ResultListing {
  const { columns, rows } = result;
  if (Array.isArray(columns) && Array.isArray(rows)) return { columns, rows, headlines: headlinesOf(result) };
  const entries = flatten(result, '');
  return {
    columns: [
      { key: 'key', title: 'Key', unit: 'text' },
      { key: 'value', title: 'Value', unit: 'none' },
    ],
    rows: entries.map(([key, value]) => ({ key, value })),
  };
}

/** A nested result as pairs of path and value. */
function flatten(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  // Handles are for programs, which read JSON.
  const entries = Object.entries(value).filter(([key]) => key !== 'handle');
  return entries.flatMap(([key, inner]) => flatten(inner, path === '' ? key : `${path}.${key}`));
}

async function separated(
  listing: ResultListing,
  delimiter: string,
  { units = false, continued = false }: Pick<RenderOptions, 'units' | 'continued'>,
): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  const header = listing.columns.map(({ key, unit }) => (units && !isPlainUnit(unit) ? `${key} [${unit}]` : key));
  const cells = listing.columns.map(({ key }) => cellsOf(listing.rows, key));
  const rows = Array.from({ length: listing.rows.length }, (_, row) => cells.map((cell) => plainCell(cell(row))));
  return stringify(continued ? rows : [header, ...rows], { delimiter });
}

/** The cells of a column, without an object for each row where the rows are columns. */
function cellsOf(rows: ResultListing['rows'], key: string): (row: number) => unknown {
  const table = tableOf(rows);
  const column = table?.columns[key];
  if (table === undefined) return (row) => rows[row]?.[key];
  return column === undefined ? () => undefined : cellReader(column);
}

/** A cell for programs: exact numbers, empty if unknown. */
function plainCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value))
    return value.map((part) => (isPart(part) ? `${part.name}=${part.count}` : String(part ?? ''))).join('; ');
  return String(value);
}

async function markdown(listing: ResultListing): Promise<string> {
  const { markdownTable } = await import('markdown-table');
  const cells = listing.rows.map((row) =>
    listing.columns.map((column) => peopleCell(row, column).replaceAll('|', '\\|')),
  );
  const align = listing.columns.map((column) => (isText(column.unit) ? 'l' : 'r'));
  const paragraphs = (listing.headlines ?? []).map((line) => `${line}\n\n`).join('');
  return `${paragraphs}${markdownTable([listing.columns.map(({ title }) => readable(title).replaceAll('|', '\\|')), ...cells], { align })}\n`;
}

/** Titles of columns that a remark names. */
const MOST_TITLES = 6;
