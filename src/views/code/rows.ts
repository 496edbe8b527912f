/** The rows of listings of code: source lines and instructions with the values of the recording. */
import { z } from 'zod';
import { type Note, note } from '../../base/note.js';
import { formatValue } from '../../base/units.js';
import type { SourceText } from '../../models/program/code.js';
import { endKeys, endsOf, errorNotes, highEnd, lowEnd, withEnds } from '../error-columns.js';
import { columnsOf, detail, maybe, measuredIn, parts, type ResultColumn, text } from '../listing.js';
import type { Page } from '../question.js';
import { tableRows } from '../row-table.js';
import type { Observed } from './observed.js';
import type { PlaceValues } from './place-values.js';

export const codeRow = z.object({
  self: maybe('Self', 'count', 'the metric at this place itself'),
  self_low: lowEnd('Self'),
  self_high: highEnd('Self'),
  self_share: detail(1, maybe('Self %', 'ratio', 'share of the whole recording')),
  total: detail(
    1,
    maybe('Total', 'count', 'the metric at this place and in everything called from it, recursion counted once'),
  ),
  total_low: lowEnd('Total'),
  total_high: highEnd('Total'),
  total_share: detail(2, maybe('Total %', 'ratio', 'share of the whole recording')),
  executed: maybe(
    'Executed',
    'count',
    'times the instruction ran, if counted; for a line, its most frequent instruction',
  ),
  kind: z
    .enum(['line', 'instruction'])
    .meta({ title: 'Kind', unit: 'text', description: 'a line of the source, or an instruction' }),
  line: maybe('Line', 'none', 'source line'),
  bci: maybe('BCI', 'bci', 'bytecode index'),
  address: maybe('Address', 'address', 'of native code: the address of the instruction as the linker gave it'),
  code: text('Code', 'the line with tabs as spaces, or the instruction as javap or objdump prints it'),
  observed: parts('Observed', 'counts at this place: branch outcomes, receiver types, calls'),
});

export type CodeRow = z.output<typeof codeRow>;

const OF_METRIC = new Set(['self', 'total', ...endKeys('self', 'total')]);

/** Columns with a value in some row; those of the metric are in its unit. `error`: with intervals. */
export function codeColumns(rows: readonly CodeRow[], values: PlaceValues | undefined, error: boolean): ResultColumn[] {
  return withEnds(columnsOf(codeRow), error, values?.sampling)
    .filter(({ key }) => key === 'code' || (key !== 'kind' && rows.some((row) => isFilled(row, key))))
    .map((column) =>
      OF_METRIC.has(column.key)
        ? { ...column, ...(values === undefined ? { unit: 'count' as const } : measuredIn(values.metric)) }
        : column,
    );
}

function isFilled(row: CodeRow, key: string): boolean {
  const value = Object.entries(row).find(([cellKey]) => cellKey === key)?.[1];
  return value !== null && (!Array.isArray(value) || value.length > 0);
}

/** The rows of a page, in the order of the code. */
export function pageRows(rows: readonly CodeRow[], { offset, limit }: Page): CodeRow[] {
  return tableRows(rows.slice(offset, limit === 0 ? rows.length : offset + limit));
}

/** The values of a place; null if it has none. */
export function measured(values: PlaceValues | undefined, place: number) {
  const self = values?.self[place] || null;
  const total = values?.total?.[place] || null;
  const sum = values?.sum ?? 0;
  const part = (value: number | null): number | null => (value === null || sum === 0 ? null : value / sum);
  const ofSelf = endsOf(self, values?.sampling);
  const ofTotal = endsOf(total, values?.sampling);
  return {
    self,
    self_low: ofSelf.low,
    self_high: ofSelf.high,
    self_share: part(self),
    total,
    total_low: ofTotal.low,
    total_high: ofTotal.high,
    total_share: part(total),
  };
}

/** The row of a source line. */
export function lineRow(line: number, code: string, measuredCells: ReturnType<typeof measured>): CodeRow {
  return { ...measuredCells, executed: null, observed: [], kind: 'line', line, bci: null, address: null, code };
}

/** `strays`: counts at the index that do not fit the instruction: they do not count as its executions. */
export function observedCells(
  observed: readonly Observed[],
  strays: readonly Observed[] = [],
): Pick<CodeRow, 'executed' | 'observed'> {
  return {
    executed: observed.length === 0 ? null : observed.reduce((most, { executed }) => Math.max(most, executed), 0),
    observed: [...observed, ...strays].flatMap((one) => one.parts),
  };
}

const TAB = 8;

/** A source line with tabs as spaces, so that it keeps its indentation in a table. */
export function sourceLine(source: SourceText | undefined, line: number): string {
  const raw = source?.lines[line - 1] ?? '';
  if (!raw.includes('\t')) return raw.trimEnd();
  let text = '';
  for (const character of raw) text += character === '\t' ? ' '.repeat(TAB - (text.length % TAB)) : character;
  return text.trimEnd();
}

/** Notes on the metric of the values. */
export function valueNotes(values: PlaceValues | undefined, error: boolean): Note[] {
  if (values === undefined) return errorNotes(error, undefined);
  const { metric, sum, sampling, remarks } = values;
  const total = formatValue(sum, metric.unit, metric.resolution);
  const metricNote = note('metric', `Metric: ${metric.title.toLowerCase()}, ${total} in the recording.`);
  return [metricNote, ...remarks, ...errorNotes(error, sampling)];
}

/** Says how much of the values is at unknown lines of a file. */
export function unknownLines(value: string, file: string): Note {
  return note('unknown-lines', `${value} are in functions of ${file}, at unknown lines.`);
}

/** Says how much of the values is on lines that the file does not have. */
export function beyondEnd(value: string, file: string): Note {
  return note('beyond-end', `${value} are on lines after the end of ${file}: it is not the recorded source.`, {
    action: { give: ['sources'] },
  });
}
