/**
 * Listings as text for people: rounded numbers in columns of the available width. If it is too narrow, columns of
 * details are omitted first, then texts are shortened in the middle, their least informative part.
 */
import type { Unit } from '../../base/units.js';
import { isText, peopleCell, type ResultRow, readable } from '../../pictures/cells.js';
import type { ResultColumn } from '../../views/listing.js';

export interface ResultListing {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly ResultRow[];
  /** Lines above the heads of the columns; they are never shortened. */
  readonly headlines?: readonly string[];
}

/** A listing as text, and the titles of omitted columns. */
export interface RenderedTable {
  readonly text: string;
  readonly leftOut: readonly string[];
}

/** Width that each text column gets before a column of details is shown. */
const LEAST_TEXT = 24;
/** Width that each text column keeps if even that is too wide. */
const LEAST_OF_ALL = 12;
const GAP = 2;

/** A table of at most `width` characters a line, if the main columns fit; 0 for any width. */
export async function table(
  name: string | undefined,
  listing: ResultListing,
  colour: boolean,
  width: number,
): Promise<RenderedTable> {
  const { default: stringWidth } = await import('string-width');
  const pico = (await import('picocolors')).default.createColors(colour);
  const measure = (cell: string): number => (PLAIN.test(cell) ? cell.length : stringWidth(cell));
  const all = listing.columns.map((column) => drawnColumn(column, listing.rows, measure));
  const columns = width === 0 ? all : shortened(fitting(all, width), width, measure);
  const lines = Array.from({ length: listing.rows.length + 1 }, (_, i) => {
    const padded = columns.map(({ cells, widths, widest, text }) => {
      const gap = ' '.repeat(widest - (widths[i] ?? 0));
      const cell = i === 0 ? pico.bold(cells[i] ?? '') : (cells[i] ?? '');
      return text ? cell + gap : gap + cell;
    });
    return `${padded.join(' '.repeat(GAP)).trimEnd()}\n`;
  });
  return {
    text: `${name === undefined ? '' : `${pico.dim(`# ${readable(name)}`)}\n`}${(listing.headlines ?? []).map((line) => `${line}\n`).join('')}${lines.join('')}`,
    leftOut: all.flatMap(({ column }) =>
      columns.some((shownColumn) => shownColumn.column === column) ? [] : [column.title],
    ),
  };
}

/** A column with its title and cells, each measured once: time is linear in the rows. */
interface DrawnColumn {
  readonly column: ResultColumn;
  readonly cells: readonly string[];
  readonly widths: readonly number[];
  readonly widest: number;
  readonly text: boolean;
}

function drawnColumn(column: ResultColumn, rows: readonly ResultRow[], measure: (cell: string) => number): DrawnColumn {
  return measured(column, [readable(column.title), ...rows.map((row) => peopleCell(row, column))], measure);
}

function measured(column: ResultColumn, cells: readonly string[], measure: (cell: string) => number): DrawnColumn {
  const widths = cells.map(measure);
  const widest = widths.reduce((most, each) => Math.max(most, each), 0);
  return { column, cells, widths, widest, text: isText(column.unit) };
}

/**
 * The columns that fit into `width` if texts are cut: those without any cell in these rows are omitted first, then those with the highest level
 * of detail, from the right.
 */
function fitting(columns: readonly DrawnColumn[], width: number): DrawnColumn[] {
  const left = [...columns];
  const least = ({ widest, text }: DrawnColumn): number => (text ? Math.min(widest, LEAST_TEXT) : widest);
  while (left.reduce((sum, each) => sum + least(each) + GAP, -GAP) > width) {
    const empty = left.findLastIndex(isEmpty);
    if (empty >= 0) {
      left.splice(empty, 1);
      continue;
    }
    const finest = left.reduce((most, { column }) => Math.max(most, column.detail ?? 0), 0);
    if (finest === 0) break;
    left.splice(
      left.findLastIndex(({ column }) => column.detail === finest),
      1,
    );
  }
  return left;
}

/** Whether no row has a cell; without rows, heads are all there is. */
function isEmpty({ widths }: DrawnColumn): boolean {
  return widths.length > 1 && widths.every((width, i) => i === 0 || width === 0);
}

/** The same columns with the widest texts shortened until the line fits, none more than necessary. */
function shortened(
  columns: readonly DrawnColumn[],
  width: number,
  measure: (cell: string) => number,
): readonly DrawnColumn[] {
  let over = columns.reduce((sum, { widest }) => sum + widest + GAP, -GAP) - width;
  if (over <= 0) return columns;
  const limits = columns.map(({ widest }) => widest);
  const byWidth = columns.map((_, k) => k).filter((k) => columns[k]?.text === true);
  byWidth.sort((a, b) => (limits[b] ?? 0) - (limits[a] ?? 0));
  for (const least of [2 * LEAST_TEXT, LEAST_TEXT, LEAST_OF_ALL])
    for (const k of byWidth) {
      const cutWidth = Math.min(over, Math.max(0, (limits[k] ?? 0) - least));
      limits[k] = (limits[k] ?? 0) - cutWidth;
      over -= cutWidth;
    }
  return columns.map((drawn, k) =>
    drawn.widest === limits[k]
      ? drawn
      : measured(
          drawn.column,
          drawn.cells.map((cell, i) =>
            (drawn.widths[i] ?? 0) > (limits[k] ?? 0) ? cut(cell, limits[k] ?? 0, measure, drawn.column.unit) : cell,
          ),
          measure,
        ),
  );
}

/**
 * Shortens a text to `width`: its beginning and, twice as much, its end, where names differ most. Of parts the first ones matter
 * most: they lose their end.
 */
function cut(cell: string, width: number, measure: (cell: string) => number, unit: Unit): string {
  const letters = [...cell];
  if (unit === 'parts') return `${fitFront(letters, width - 1, measure).trimEnd()}…`;
  const front = letters.slice(0, Math.max(Math.floor((width - 1) / 3), leading(letters, width)));
  let room = width - 1 - measure(front.join(''));
  let start = letters.length;
  while (start > front.length && room >= measure(letters[start - 1] ?? '')) room -= measure(letters[--start] ?? '');
  return `${front.join('')}…${letters.slice(start).join('')}`;
}

/** The first letters that fit. */
function fitFront(letters: readonly string[], width: number, measure: (cell: string) => number): string {
  let room = width;
  const end = letters.findIndex((letter) => {
    room -= measure(letter);
    return room < 0;
  });
  return letters.slice(0, end < 0 ? letters.length : end).join('');
}

/** The width of a tree's indentation to keep: at most half of the column. */
function leading(letters: readonly string[], width: number): number {
  const indent = letters.findIndex((letter) => letter !== ' ');
  return Math.min(Math.max(indent, 0), Math.floor(width / 2));
}

/** Text with a width equal to its length. */
const PLAIN = /^[\x20-\x7e]*$/;
