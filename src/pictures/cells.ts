/** Cells of listings as people read them: rounded numbers, shortened lists. The command line and pages show the same text. */
import { printable } from '../base/text.js';
import { formatCount, formatInteger, formatValue, type Unit } from '../base/units.js';
import { stateLetter } from '../models/events/state.js';
import type { ResultColumn } from '../views/listing.js';

export type ResultRow = Readonly<Record<string, unknown>>;

/** A cell for people. Names in a tree are indented by the depth of their row. */
export function peopleCell(row: ResultRow, column: ResultColumn): string {
  const value = row[column.key];
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') {
    const mark = column.at_least !== undefined && row[column.at_least] === true ? '\u2265 ' : '';
    return mark + formatValue(value, column.unit, column.resolution);
  }
  if (typeof value === 'string' && !isText(column.unit) && INTEGER.test(value))
    return formatInteger(BigInt(value), column.unit);
  if (Array.isArray(value)) return column.unit === 'states' ? statesCell(value) : listCell(value, column.unit);
  const depth = row.depth;
  const indent = typeof depth === 'number' && TREE_KEYS.has(column.key) ? treeIndent(depth) : '';
  return indent + readable(String(value));
}

/** How results have integers with more digits than a double. */
const INTEGER = /^-?\d{16,}$/;

/** Deeper levels are shown as a number: 20,000 levels of indentation would be a gigabyte of spaces. */
const DEEPEST_INDENT = 60;

function treeIndent(depth: number): string {
  return depth <= DEEPEST_INDENT ? '  '.repeat(depth) : `${'  '.repeat(DEEPEST_INDENT)}[${depth}] `;
}

/** Most characters of a name or remark in a table; a damaged file can have one of many megabytes. */
const LONGEST_TEXT = 400;

/** The separator between the parts of a cell, and the most characters shown. */
const LISTS: Readonly<Partial<Record<Unit, readonly [separator: string, longest: number]>>> = {
  list: [' < ', LONGEST_TEXT],
  names: [', ', 60],
};

/** As many parts as fit into a cell, at least one, and the number of the others. */
function listCell(value: readonly unknown[], unit: Unit): string {
  const [separator, longest] = LISTS[unit] ?? ['  ', LONGEST_TEXT];
  const shownParts: string[] = [];
  let length = 0;
  for (const part of value) {
    const text = isPart(part) ? partText(part) : readable(String(part));
    length += text.length + separator.length;
    if (shownParts.length > 0 && length > longest) break;
    shownParts.push(text);
  }
  const more = value.length - shownParts.length;
  return shownParts.join(separator) + (more === 0 ? '' : `${separator}… and ${formatCount(more)} more`);
}

/** Most states of a thread that are shown: the last ones. */
const MOST_STATES = 20;

/** `R R B B`: a letter a state. */
function statesCell(states: readonly unknown[]): string {
  const letters = states.slice(-MOST_STATES).map((state) => stateLetter(typeof state === 'string' ? state : null));
  return (states.length > MOST_STATES ? '… ' : '') + letters.join(' ');
}

/** Columns that are indented by the depth in the tree. */
const TREE_KEYS = new Set(['function', 'method', 'name']);

export interface NamedShare {
  readonly name: string;
  readonly count: number;
  readonly share: number | null;
  /** Of classes, on demand: their number in the file. */
  readonly file_id?: number | null;
}

export function isPart(value: unknown): value is NamedShare {
  return typeof value === 'object' && value !== null && 'name' in value && 'share' in value && 'count' in value;
}

function partText(part: NamedShare): string {
  const id = typeof part.file_id !== 'number' ? '' : ` #${part.file_id}`;
  return `${readable(part.name)}${id} ${part.share === null ? formatValue(part.count, 'count') : formatValue(part.share, 'ratio')}`;
}

/** `printable` text, cut at the most characters shown, with the number of characters left out. */
export function readable(text: string): string {
  if (text.length <= LONGEST_TEXT) return printable(text);
  // Half of a surrogate pair is not a character.
  const beginning = text.slice(0, LONGEST_TEXT).replace(/[\ud800-\udbff]$/, '');
  return `${printable(beginning)}… (${formatCount(text.length - beginning.length)} more characters)`;
}

/** Longer notes are cut: a file can contribute any number of names. */
const LONGEST_NOTE = 2000;

/** A note with long names cut, but not its own words. */
export function readableNote(text: string): string {
  const whole = text.split(' ').map(readable).join(' ');
  if (whole.length <= LONGEST_NOTE) return whole;
  const beginning = whole.slice(0, whole.lastIndexOf(' ', LONGEST_NOTE));
  return `${beginning}… (${formatCount(whole.length - beginning.length)} more characters)`;
}

export function isText(unit: Unit): boolean {
  return unit === 'text' || unit === 'parts' || unit === 'list' || unit === 'names' || unit === 'states';
}

/** Whether the values of a column have no unit: texts, indexes. */
export function isPlainUnit(unit: Unit): boolean {
  return unit === 'none' || unit === 'bci' || unit === 'address' || unit === 'date' || isText(unit);
}
