/**
 * Results as text. Every format shows the same result; only `table` and `md` round numbers, for people.
 * The libraries of a format are loaded when it is asked for: starting up is most of the time of a small question.
 */
import { printable } from '../../base/text.js';
import { formatCount, formatValue, type Unit } from '../../base/units.js';
import { stateLetter } from '../../models/events/state.js';
import type { ResultColumn } from '../../views/listing.js';

export const OUTPUT_FORMATS = ['table', 'csv', 'tsv', 'json', 'ndjson', 'md'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Any result, as far as rendering is concerned. */
export type AnyResult = Readonly<Record<string, unknown>> & { readonly type: string };
type Row = Readonly<Record<string, unknown>>;
interface Listing {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly Row[];
}

export interface RenderOptions {
  readonly format: OutputFormat;
  readonly colour: boolean;
  /** Text of a result that is no listing, for `table`. */
  readonly page?: ((result: AnyResult) => string) | undefined;
}

/** The text of a result, with its last line feed. */
export async function render(result: AnyResult, options: RenderOptions): Promise<string> {
  if (options.format === 'json') return `${JSON.stringify(result, null, 2)}\n`;
  const listing = asListing(result);
  if (options.format !== 'table') return data(listing, options.format);
  return options.page === undefined ? table(result, listing, options.colour) : options.page(result);
}

/** The results of several recordings as one document: an array, or one listing that says whose each row is. */
export async function renderTogether(
  results: readonly AnyResult[],
  format: Exclude<OutputFormat, 'table'>,
): Promise<string> {
  if (format === 'json') return `${JSON.stringify(results, null, 2)}\n`;
  const columns = new Map<string, ResultColumn>([
    ['recording', { key: 'recording', title: 'Recording', unit: 'text' }],
  ]);
  const rows: Row[] = [];
  for (const result of results) {
    const listing = asListing(result);
    for (const column of listing.columns) if (!columns.has(column.key)) columns.set(column.key, column);
    for (const row of listing.rows) rows.push({ recording: result.recording, ...row });
  }
  return data({ columns: [...columns.values()], rows }, format);
}

async function data(listing: Listing, format: Exclude<OutputFormat, 'table' | 'json'>): Promise<string> {
  switch (format) {
    case 'ndjson':
      return listing.rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    case 'csv':
      return separated(listing, ',');
    case 'tsv':
      return separated(listing, '\t');
    case 'md':
      return markdown(listing);
  }
}

/** Notes of a result and what of it is not shown; printed on standard error, so that data can be piped. */
export function remarks(result: AnyResult): string[] {
  const notes = Array.isArray(result.notes) ? result.notes.map((note) => readable(String(note))) : [];
  const rows = result.rows;
  const total = result.total;
  const offset = Number(result.offset ?? 0);
  if (!Array.isArray(rows) || typeof total !== 'number' || rows.length + offset >= total) return notes;
  const first = offset === 0 ? '' : `from row ${offset + 1} on `;
  return [...notes, `${rows.length} of ${total} rows ${first}are shown (--limit 0 shows all).`];
}

function asListing(result: AnyResult): Listing {
  const { columns, rows } = result;
  if (Array.isArray(columns) && Array.isArray(rows)) return { columns, rows };
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
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, path === '' ? key : `${path}.${key}`));
}

async function separated(listing: Listing, delimiter: string): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  const header = listing.columns.map((column) => column.key);
  const rows = listing.rows.map((row) => listing.columns.map((column) => plainCell(row[column.key])));
  return stringify([header, ...rows], { delimiter });
}

/** A cell for machines: exact numbers, nothing for what is not known. */
function plainCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value))
    return value.map((part) => (isPart(part) ? `${part.name}=${part.count}` : String(part ?? ''))).join('; ');
  return String(value);
}

async function markdown(listing: Listing): Promise<string> {
  const { markdownTable } = await import('markdown-table');
  const cells = listing.rows.map((row) =>
    listing.columns.map((column) => peopleCell(row, column).replaceAll('|', '\\|')),
  );
  const align = listing.columns.map((column) => (isText(column.unit) ? 'l' : 'r'));
  return `${markdownTable([listing.columns.map((column) => column.title), ...cells], { align })}\n`;
}

/** Columns two spaces apart. Each cell is measured once: time grows with the rows, not with their square. */
async function table(result: AnyResult, listing: Listing, colour: boolean): Promise<string> {
  const { default: stringWidth } = await import('string-width');
  const pico = (await import('picocolors')).default.createColors(colour);
  const cells = [
    listing.columns.map((column) => column.title),
    ...listing.rows.map((row) => listing.columns.map((column) => peopleCell(row, column))),
  ];
  const widths = cells.map((line) => line.map((cell) => (PLAIN.test(cell) ? cell.length : stringWidth(cell))));
  const columnWidths = listing.columns.map((_, k) => widths.reduce((most, line) => Math.max(most, line[k] ?? 0), 0));
  const lines = cells.map((line, i) => {
    const padded = line.map((cell, k) => {
      const gap = ' '.repeat((columnWidths[k] ?? 0) - (widths[i]?.[k] ?? 0));
      const shown = i === 0 ? pico.bold(cell) : cell;
      return isText(listing.columns[k]?.unit ?? 'none') ? shown + gap : gap + shown;
    });
    return `${padded.join('  ').trimEnd()}\n`;
  });
  const title = pico.dim(`# ${readable(String(result.recording ?? ''))}`);
  return `${title}\n${lines.join('')}`;
}

/** Text whose width is its length. */
const PLAIN = /^[\x20-\x7e]*$/;

/** A cell for people. Names in a tree are indented by the depth of their row. */
function peopleCell(row: Row, column: ResultColumn): string {
  const value = row[column.key];
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return formatValue(value, column.unit);
  if (Array.isArray(value)) return column.unit === 'states' ? statesCell(value) : listCell(value, column.unit);
  const depth = row.depth;
  const indent = typeof depth === 'number' && TREE_KEYS.has(column.key) ? treeIndent(depth) : '';
  return indent + readable(String(value));
}

/** Deeper levels have a number instead: 20,000 levels of indentation are a gigabyte of spaces. */
const DEEPEST_INDENT = 60;

function treeIndent(depth: number): string {
  return depth <= DEEPEST_INDENT ? '  '.repeat(depth) : `${'  '.repeat(DEEPEST_INDENT)}[${depth}] `;
}

/** Characters of a name or remark that people are shown; a damaged file can hold one of many megabytes. */
const LONGEST_TEXT = 400;

/** What stands between the parts of a cell, and how many characters of it are shown. */
const LISTS: Readonly<Partial<Record<Unit, readonly [separator: string, longest: number]>>> = {
  list: [' < ', LONGEST_TEXT],
  names: [', ', 60],
};

/** As many parts as are readable in one cell, at least one, and how many more there are. */
function listCell(value: readonly unknown[], unit: Unit): string {
  const [separator, longest] = LISTS[unit] ?? ['  ', LONGEST_TEXT];
  const shown: string[] = [];
  let length = 0;
  for (const part of value) {
    const text = isPart(part) ? partText(part) : readable(String(part));
    length += text.length + separator.length;
    if (shown.length > 0 && length > longest) break;
    shown.push(text);
  }
  const more = value.length - shown.length;
  return shown.join(separator) + (more === 0 ? '' : `${separator}… and ${formatCount(more)} more`);
}

/** States of a thread that are shown, the last ones. */
const MOST_STATES = 20;

/** `R R B B`: a letter a state. */
function statesCell(states: readonly unknown[]): string {
  const letters = states.slice(-MOST_STATES).map((state) => stateLetter(typeof state === 'string' ? state : null));
  return (states.length > MOST_STATES ? '… ' : '') + letters.join(' ');
}

/** Columns whose text shows the tree. */
const TREE_KEYS = new Set(['function', 'method']);

interface Part {
  readonly name: string;
  readonly count: number;
  readonly share: number | null;
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && 'name' in value && 'share' in value && 'count' in value;
}

function partText(part: Part): string {
  return `${readable(part.name)} ${part.share === null ? formatValue(part.count, 'count') : formatValue(part.share, 'ratio')}`;
}

/** `printable` text of bearable length, with the number of characters that are left out. */
export function readable(text: string): string {
  if (text.length <= LONGEST_TEXT) return printable(text);
  // Half of a character beyond the basic plane is none.
  const shown = text.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, '');
  return `${printable(shown)}… (${formatCount(text.length - shown.length)} more characters)`;
}

function isText(unit: Unit): boolean {
  return unit === 'text' || unit === 'parts' || unit === 'list' || unit === 'names' || unit === 'states';
}
