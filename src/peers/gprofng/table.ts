/** Tables of metrics as gprofng lays them out: heads of three lines, numbers under their units, names where the metrics have them, usually last. */
import { type BaseMetric, headOf, type ShownMetric } from './metrics.js';
import { fixed, seconds } from './numbers.js';

/** One row: a number for each column in the order of the columns, microseconds for times; facts as text. */
export interface Row {
  readonly values: readonly (number | string)[];
  readonly name: string;
}

export interface TableShape {
  readonly columns: readonly ShownMetric[];
  /** Number of columns before the name. */
  readonly nameAt: number;
  /** Width of the longest name; 0 if no column follows it. */
  readonly nameWidth: number;
  /** By column: what is 100 %. */
  readonly wholes: readonly number[];
  /** By column: the width of the longest value. */
  readonly widths: readonly number[];
}

/** Width of a share, `100.00`, before which a value has a blank. */
const SHARE = 6;

/** How a table is laid out for these rows; `wholes` by column. */
export function shapeOf(all: readonly ShownMetric[], rows: readonly Row[], wholes: readonly number[]): TableShape {
  const columns = all.filter(({ base }) => base.id !== 'name');
  const place = all.findIndex(({ base }) => base.id === 'name');
  const nameAt = place < 0 ? columns.length : place;
  const nameWidth = nameAt < columns.length ? rows.reduce((most, { name }) => Math.max(most, name.length), 0) : 0;
  const widths = columns.map((metric, i) =>
    rows.reduce((most, { values }) => Math.max(most, comparedText(metric, values, i).length), comparedWidth(metric)),
  );
  return { columns, nameAt, nameWidth, wholes, widths };
}

/** The lines above the rows. */
export function headLines(shape: TableShape, name = shape.nameAt === 0 ? 'Name' : ' Name'): string[] {
  const { columns, nameWidth, widths } = shape;
  const heads = columns.map((metric, i) => headOfColumn(metric, widths[i] ?? 0));
  const lineOfHeads = (text: (i: number) => string, title: string): string => {
    const cells = heads.map(({ width }, i) => text(i).padEnd(width));
    return lineOf(shape, cells, title.padEnd(nameWidth === 0 ? 0 : nameWidth + 1));
  };
  const isCompared = columns.some(({ base }) => base.compared !== undefined);
  return [
    ...(isCompared ? [lineOfHeads((i) => columns[i]?.base.compared?.name ?? '', '')] : []),
    ...[0, 1, 2].map((line) => lineOfHeads((i) => heads[i]?.lines[line] ?? '', line === 0 ? name : '')),
  ];
}

/** A row; `mark` comes before the name. */
export function rowLine(shape: TableShape, row: Row, mark = ' '): string {
  return lineOf(shape, cellsOf(shape, row), `${mark}${row.name.padEnd(shape.nameWidth)}`);
}

/** Two blanks lie between columns, one behind a name. */
function lineOf({ nameAt }: TableShape, cells: readonly string[], name: string): string {
  const before = cells.slice(0, nameAt).map((cell) => `${cell}  `);
  const after = cells.slice(nameAt).join('  ');
  return `${before.join('')}${name}${after === '' ? '' : ` ${after}`}`.trimEnd();
}

/** The cells of a row without its name. */
export function cellsOf(
  { columns, wholes, widths }: Omit<TableShape, 'nameAt' | 'nameWidth'>,
  { values }: Row,
): string[] {
  return columns.map((metric, i) => {
    const value = values[i] ?? 0;
    const { width } = headOfColumn(metric, widths[i] ?? 0);
    const text = comparedText(metric, values, i);
    return cellText(metric, value, { text, width: widths[i] ?? 0, whole: wholes[i] ?? 0 }).padEnd(width);
  });
}

function cellText(
  metric: ShownMetric,
  value: number | string,
  { text, width, whole }: { readonly text: string; readonly width: number; readonly whole: number },
): string {
  const shown = metric.value ? padded(metric, text, width) : '';
  if (!metric.share) return shown;
  const share = typeof value === 'number' ? shareText(value, whole) : '';
  return `${shown}${metric.value ? ' ' : ''}${share.padStart(SHARE)}`;
}

/** A share of the whole in percent: `0.` with room for two digits if it is zero. */
export function shareText(value: number, whole: number): string {
  return value === 0 || whole === 0 ? '0.  ' : fixed((100 * value) / whole, 2);
}

/** A value without alignment. */
export function valueText({ base }: Pick<ShownMetric, 'base'>, value: number | string | undefined): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  if (base.kind === 'time') return seconds(value);
  if (base.kind === 'ratio') return value === 0 ? '0.' : fixed(value, 3);
  return String(value);
}

/** Points of numbers with three decimals are below each other. */
function alignedText(metric: ShownMetric, value: number | string | undefined): string {
  const text = valueText(metric, value);
  return text.endsWith('.') ? `${text}   ` : text;
}

const RATIO = 'x ';
/** Larger ratios are not written. */
const MOST_RATIO = 99.999;

/** The value of a column of a row; of a comparison, what it is beside the value of the first group. */
function comparedText(metric: ShownMetric, values: Row['values'], column: number): string {
  const { compared } = metric.base;
  const value = values[column];
  if (compared === undefined || compared.group === 0 || compared.how === 'on' || typeof value === 'string')
    return alignedText(metric, value);
  const first = Number(values[column - compared.group] ?? 0);
  const number = value ?? 0;
  if (compared.how === 'delta') {
    const text = alignedText(metric, Math.abs(number - first));
    return `${number < first ? '-' : '+'}${text}`;
  }
  const ratio = first === 0 ? (number === 0 ? 1 : Infinity) : number / first;
  const text = ratio > MOST_RATIO ? `>${MOST_RATIO}` : ratio === 0 ? '0.   ' : fixed(ratio, 3);
  return RATIO + text;
}

/** Values are as wide as their unit at least. */
function comparedWidth({ base, value }: ShownMetric): number {
  const { compared } = base;
  return value && base.kind !== 'static' && compared !== undefined && compared.group > 0 && compared.how !== 'on'
    ? compared.how.length
    : 0;
}

/** Marks of ratios are below each other. */
function padded({ base: { compared } }: ShownMetric, text: string, width: number): string {
  return compared?.how === 'ratio' && text.startsWith(RATIO)
    ? RATIO + text.slice(RATIO.length).padStart(width - RATIO.length)
    : text.padStart(width);
}

interface Head {
  readonly lines: readonly string[];
  readonly width: number;
}

/** The words of a head in the narrowest three lines, filled from above; units are under the numbers. */
function headOfColumn(metric: ShownMetric, valueWidth: number): Head {
  if (metric.flavour === undefined) {
    const { short } = metric.base;
    return { lines: [short], width: Math.max(short.length, valueWidth, metric.base.compared?.name.length ?? 0) };
  }
  const words = headOf(metric).split(' ');
  const unit = unitOf(metric, valueWidth);
  // Above shares the last line has the units only.
  const most = metric.share ? 2 : 3;
  const numbers = (metric.value ? valueWidth : 0) + shareWidth(metric);
  for (let width = Math.max(numbers, unit.length, metric.base.compared?.name.length ?? 0); ; width++) {
    const lines = filled(words, width);
    const last = lines[2] ?? '';
    const third = last === '' ? unit : `${last}${unit === '' ? '' : unit.replace(/^ */, ' ')}`;
    if (lines.length <= most && third.length <= width) return { lines: [lines[0] ?? '', lines[1] ?? '', third], width };
  }
}

function shareWidth({ value, share }: Pick<ShownMetric, 'value' | 'share'>): number {
  return share ? SHARE + (value ? 1 : 0) : 0;
}

/** ` sec.      %`. */
function unitOf({ base, value, share }: ShownMetric, valueWidth: number): string {
  const unit = value ? unitWord(base).padStart(valueWidth) : '';
  return share ? `${unit}${'%'.padStart(shareWidth({ value, share }))}` : unit.trimEnd();
}

function unitWord({ kind, compared }: BaseMetric): string {
  if (compared !== undefined && compared.group > 0 && compared.how !== 'on') return compared.how;
  return kind === 'time' ? 'sec.' : '';
}

function filled(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.some((line) => line.length > width) ? [...lines, '', '', ''] : lines;
}
