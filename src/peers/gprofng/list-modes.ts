/** Lists for other programs: with delimiters, or as a page of HTML, as gprofng lays them out. */
import type { Listing } from './list.js';
import { metricKey, type ShownMetric, titleOf } from './metrics.js';
import { shareText, valueText } from './table.js';

/** `text`, `html`, or the delimiter of a list. */
export type PrintMode = string;

/** Cells of each column: its value, its share, or the name. */
interface Cell {
  readonly metric: ShownMetric;
  readonly column: number;
  readonly what: 'value' | 'share' | 'name';
}

function cellsOf({ metrics }: Listing): Cell[] {
  let column = 0;
  return metrics.flatMap((metric): Cell[] => {
    if (metric.base.id === 'name') return [{ metric, column: -1, what: 'name' }];
    const at = column++;
    return [
      ...(metric.value ? [{ metric, column: at, what: 'value' } as const] : []),
      ...(metric.share ? [{ metric, column: at, what: 'share' } as const] : []),
    ];
  });
}

/** Whether a list is sorted by a metric. */
function isSorted({ base, flavour }: ShownMetric, sorting: ShownMetric): boolean {
  return metricKey(base) === metricKey(sorting.base) && flavour === sorting.flavour;
}

/** A title in two parts, at the space nearest its middle: `Exclusive`, `Total CPU Time`. */
function titleParts(metric: ShownMetric): readonly [string, string] {
  const title = titleOf(metric);
  if (metric.base.id === 'name') return [title, ''];
  let best: readonly [string, string] = [title, ''];
  let least = Infinity;
  for (let space = title.indexOf(' '); space >= 0; space = title.indexOf(' ', space + 1)) {
    const distance = Math.abs(space - Math.floor(title.length / 2));
    if (distance >= least) break;
    best = [title.slice(0, space), title.slice(space + 1)];
    least = distance;
  }
  return best;
}

function unitOf({ base }: ShownMetric): string {
  if (base.id === 'size') return '(bytes)';
  return base.kind === 'time' ? '(sec.)' : '';
}

/** A list with a delimiter between cells in quotation marks, as the peer has them: four rows of heads, then one a row. */
export function delimitedText(list: Listing, limit: number, delimiter: string, sorting: ShownMetric): string {
  const cells = cellsOf(list);
  const line = (of: (cell: Cell) => string): string => cells.map((cell) => `"${of(cell)}"`).join(delimiter);
  const mark = ({ metric, what }: Cell): string =>
    `${isSorted(metric, sorting) && what !== 'name' ? 'V  ' : '   '}${what === 'share' ? '%%' : what === 'value' ? unitOf(metric) : ''}`;
  const heads = [
    line(({ metric }) => metric.base.compared?.name ?? ''),
    line(({ metric }) => titleParts(metric)[0]),
    line(({ metric }) => titleParts(metric)[1]),
    line(mark),
  ];
  const rows = (limit > 0 ? list.rows.slice(0, limit) : list.rows).map((row) =>
    line(({ metric, column, what }) => {
      const value = row.values[column];
      if (what === 'name') return row.name;
      return what === 'share' ? shareText(Number(value), list.wholes[column] ?? 0).trim() : valueText(metric, value);
    }),
  );
  return `${[...heads, ...rows].join('\n')}\n`;
}

const STYLE = `<style type="text/css">
<!--
BODY
.th_C   { text-align:center; background-color:lightgoldenrodyellow; }
.th_CG  { text-align:center; background-color:#ffff33; }
.th_L   { text-align:left; background-color:lightgoldenrodyellow; }
.th_LG  { text-align:left; background-color:#ffff33; }
.td_R   { text-align:right;  }
.td_RG  { text-align:right; background-color:#ffff33; }
.td_L   { text-align:left; }
.td_LG  { text-align:left;  background-color:#ffff33; }
-->
</style>`;
const SPACE = '&nbsp;';
const ZERO = `0.${SPACE.repeat(3)}`;

/** A list as a page. */
export function htmlText(list: Listing, limit: number, title: string, sorting: ShownMetric): string {
  const heads = list.metrics.map((metric) => headCell(metric, isSorted(metric, sorting)));
  const cells = cellsOf(list);
  const units = cells.map(({ metric, what }) => {
    const own = isSorted(metric, sorting) && what !== 'name' ? 'G' : '';
    const unit = what === 'share' ? `${SPACE}(%)` : what === 'value' ? unitOf(metric) || SPACE : SPACE;
    return `<th class="th_C${own}">${unit}</th>`;
  });
  const rows = (limit > 0 ? list.rows.slice(0, limit) : list.rows).map((row) => {
    const shown = cells.map((cell) => rowCell(cell, row.values[cell.column], list, isSorted(cell.metric, sorting)));
    const name = `<td class="td_L">${escaped(row.name)}</td>`;
    return `<tr>${shown.map((text) => text ?? name).join('')}</tr>`;
  });
  return `<html><title>${title}</title>
<center><h3>${title}</h3></center>
${STYLE}<center><table border=1 cellspacing=2>
<tr>${heads.join('')}</tr>
<tr>${units.join('')}</tr>
${rows.map((row) => `${row}\n`).join('')}</table></center></html>
`;
}

function headCell(metric: ShownMetric, sorted: boolean): string {
  const isName = metric.base.id === 'name';
  const columns = isName ? 1 : Number(metric.value) + Number(metric.share);
  const span = columns > 1 ? ` colspan=${columns}` : '';
  const own = sorted && !isName ? 'G' : '';
  const [first, second] = titleParts(metric);
  const mark = own === '' ? SPACE : '&nabla;';
  const group = metric.base.compared?.name ?? SPACE;
  return `<th${span} class="th_${isName ? 'L' : 'C'}${own}">${group}${SPACE}<br>${mark}${SPACE}${first}${SPACE}<br>${second || SPACE}${SPACE}</th>`;
}

/** Undefined for the name. */
function rowCell(
  { metric, what, column }: Cell,
  value: number | string | undefined,
  { wholes }: Listing,
  sorted: boolean,
): string | undefined {
  const own = sorted ? 'G' : '';
  if (what === 'name') return undefined;
  if (what === 'share') {
    const share = shareText(Number(value), wholes[column] ?? 0).trim();
    return `<td class="td_R${own}">${share === '0.' ? ZERO : share}</td>`;
  }
  const text = valueText(metric, value);
  if (text === '0.') return `<td class="td_R${own}"><tt>${ZERO}</tt></td>`;
  // Whole numbers close their elements in this order.
  const end = metric.base.kind === 'count' ? '</td></tt>' : '</tt></td>';
  return `<td  class="td_R${own}"><tt>${text}${end}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', SPACE);
}
