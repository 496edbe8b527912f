/**
 * Results as text. Every format shows the same result; only `table` and `md` round numbers, for people.
 * The libraries of a format are loaded when it is asked for: starting up is most of the time of a small question.
 */
import { formatValue, type Unit } from '../base/units.js';
import type { ResultColumn } from '../views/view.js';

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
  readonly page?: (result: AnyResult) => string;
}

/** The text of a result, with its last line feed. */
export async function render(result: AnyResult, options: RenderOptions): Promise<string> {
  const listing = asListing(result);
  switch (options.format) {
    case 'json':
      return `${JSON.stringify(result, null, 2)}\n`;
    case 'ndjson':
      return listing.rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    case 'csv':
      return separated(listing, ',');
    case 'tsv':
      return separated(listing, '\t');
    case 'md':
      return markdown(listing);
    case 'table':
      return options.page === undefined ? table(result, listing, options.colour) : options.page(result);
  }
}

/** Notes of a result and what of it is not shown; printed on standard error, so that data can be piped. */
export function remarks(result: AnyResult): string[] {
  const notes = Array.isArray(result.notes) ? result.notes.map(String) : [];
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
    return value.map((part) => (isPart(part) ? `${part.name}=${part.count}` : String(part))).join('; ');
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

async function table(result: AnyResult, listing: Listing, colour: boolean): Promise<string> {
  const { default: CliTable } = await import('cli-table3');
  const pico = (await import('picocolors')).default.createColors(colour);
  const none = {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
  };
  const lines = new CliTable({
    chars: {
      ...none,
      'bottom-right': '',
      left: '',
      'left-mid': '',
      mid: '',
      'mid-mid': '',
      right: '',
      'right-mid': '',
      middle: '  ',
    },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    colAligns: listing.columns.map((column) => (isText(column.unit) ? 'left' : 'right')),
    head: listing.columns.map((column) => pico.bold(column.title)),
  });
  for (const row of listing.rows) lines.push(listing.columns.map((column) => peopleCell(row, column)));
  const title = pico.dim(`# ${String(result.recording ?? '')}`);
  const text = lines
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
  return `${title}\n${text.join('\n')}\n`;
}

/** A cell for people. Names in a tree are indented by the depth of their row. */
function peopleCell(row: Row, column: ResultColumn): string {
  const value = row[column.key];
  const depth = row.depth;
  const indent = typeof depth === 'number' && TREE_KEYS.has(column.key) ? '  '.repeat(depth) : '';
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return formatValue(value, column.unit);
  if (!Array.isArray(value)) return indent + printable(String(value));
  return value
    .map((part) => (isPart(part) ? partText(part) : printable(String(part))))
    .join(column.unit === 'list' ? ' < ' : '  ');
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
  return `${printable(part.name)} ${part.share === null ? formatValue(part.count, 'count') : formatValue(part.share, 'ratio')}`;
}

/** Names come from files: control characters and changes of writing direction must not reach the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function isText(unit: Unit): boolean {
  return unit === 'text' || unit === 'parts' || unit === 'list';
}
