/**
 * A small graph of calls as a static SVG 1.1 picture: callers left of the methods asked for, callees right of them, a column a distance.
 * Within its column a method stands near those it is connected with.
 */
import type { z } from 'zod';
import { plainText } from '../../base/phrase.js';
import { printable } from '../../base/text.js';
import { formatCount, plural } from '../../base/units.js';
import type { graphView } from '../../views/calls/graph.js';
import { escapeMarkup, svgFile, svgText } from '../markup.js';

export type CallGraphResult = z.output<typeof graphView.result>;

const CHARACTER = 6.7;
const BOX = 22;
const GAP = 10;
const COLUMN_GAP = 90;
const MARGIN = 12;
const HEAD = 52;
const LONGEST = 44;
const SWEEPS = 8;

interface Box {
  readonly column: number;
  readonly label: string;
  x: number;
  y: number;
  width: number;
}

const ARROW =
  '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#5a5f6b"/></marker></defs>';

const REPORTED_WORDS =
  'Callers are left, callees right. Solid: direct calls, dashed: virtual only; a number counts several calls. Thick frame: entry.';
const OBSERVED_WORDS =
  'Callers are left, callees right. Bytecode index and counted calls of each; dashed: seen but not counted. Thick frame: compiled on its own, callers not recorded.';

/** Whether calls are those of a profile, which have counts. */
export function hasCounts({ columns }: CallGraphResult): boolean {
  return columns.some(({ key }) => key === 'count');
}

/** What stands beside an edge: of profiles the place and its counted calls, of reports how many calls there are, if several. */
export function edgeLabel(row: CallGraphResult['rows'][number], isObserved: boolean): string {
  if (!isObserved) return row.calls > 1 ? String(row.calls) : '';
  return `BCI ${row.at}${row.count === null ? '' : `: ${formatCount(row.count)}`}`;
}

/** What stands below the name of a method: its number in the file, and its counted calls. */
export function nodeWords({ file_id: id, count }: CallGraphResult['nodes'][number], isObserved: boolean): string {
  if (!isObserved) return '';
  return [...(id === null ? [] : [`ID ${id}`]), ...(count === null ? [] : [plural(count, 'call')])].join(', ');
}

/** The text of an SVG file; `notes` are the texts of the result's notes. Pure. */
export function drawGraph(result: CallGraphResult, notes: readonly string[]): string {
  const { nodes, rows, headlines, recording } = result;
  const boxes = placed(result);
  const width = Math.max(700, ...boxes.map((box) => box.x + box.width + 60));
  const bottom = Math.max(HEAD, ...boxes.map((box) => box.y + BOX)) + GAP;
  const height = bottom + notes.length * 15 + MARGIN;
  const title = `Calls around ${plainText(headlines[0] ?? '')}`;
  const isObserved = hasCounts(result);
  const words = isObserved ? OBSERVED_WORDS : REPORTED_WORDS;
  const frame = { width: round(width), height: round(height), title, font: 'monospace' } as const;
  return svgFile({ ...frame, description: [recording, words, ...notes].join(' '), definitions: [ARROW] }, [
    svgText(MARGIN, 20, title, ' font-size="14" font-weight="bold"'),
    svgText(MARGIN, 37, words),
    ...rows.map((row) =>
      line(boxes[row.from], boxes[row.to], {
        label: edgeLabel(row, isObserved),
        isDashed: isObserved ? row.count === null : !row.kind.includes('direct'),
      }),
    ),
    ...boxes.map((box, i) => {
      const node = nodes[i];
      const { method = '', distance = 0, entry = false } = node ?? {};
      const fill = distance === 0 ? '#ffe08a' : distance < 0 ? '#e3ecfb' : '#e8f3e2';
      const frame = entry ? 'stroke="#1a1a1a" stroke-width="2.5"' : 'stroke="#8a8f9b"';
      return `<g><title>${escapeMarkup(printable([entry ? `${method} (entry)` : method, ...(node === undefined ? [] : [nodeWords(node, isObserved)])].filter((part) => part !== '').join(', ')))}</title><rect x="${round(box.x)}" y="${round(box.y)}" width="${round(box.width)}" height="${BOX}" rx="3" fill="${fill}" ${frame}/>${svgText(round(box.x + 6), round(box.y + 15), box.label)}</g>`;
    }),
    ...notes.map((note, i) => svgText(MARGIN, round(bottom + (i + 1) * 15), note)),
  ]);
}

/** `HashMap.put` of `java.util.HashMap.put(java.lang.Object)`; the ends of long ones. */
function shortName(method: string): string {
  const bare = method.replace(/\([^()]*\)$/, '');
  const type = bare.lastIndexOf('.', bare.lastIndexOf('.') - 1);
  const short = bare.slice(type + 1);
  return short.length > LONGEST ? `…${short.slice(-LONGEST + 1)}` : short;
}

function placed({ nodes, rows }: CallGraphResult): Box[] {
  const first = Math.min(...nodes.map(({ distance }) => distance));
  const boxes: Box[] = nodes.map(({ method, distance }) => {
    const label = shortName(method);
    return { column: distance - first, label, x: 0, y: 0, width: label.length * CHARACTER + 12 };
  });
  const columns: Box[][] = [];
  for (const box of boxes) {
    const column = columns[box.column] ?? [];
    columns[box.column] = column;
    column.push(box);
  }
  const besides = new Map<Box, Box[]>(boxes.map((box) => [box, []]));
  for (const { from, to } of rows) {
    const [a, b] = [boxes[from], boxes[to]];
    if (a === undefined || b === undefined || a.column === b.column) continue;
    besides.get(a)?.push(b);
    besides.get(b)?.push(a);
  }
  for (const column of columns) stack(column ?? []);
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (const column of sweep % 2 === 0 ? columns : [...columns].reverse()) {
      const wanted = new Map((column ?? []).map((box) => [box, mean(besides.get(box) ?? [], box.y)]));
      column?.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
      stack(column ?? []);
    }
  const tallest = Math.max(...columns.map((column) => column?.length ?? 0));
  const down = HEAD + ((tallest - 1) / 2) * (BOX + GAP);
  let x = MARGIN;
  for (const column of columns) {
    const width = Math.max(40, ...(column ?? []).map((box) => box.width));
    for (const box of column ?? []) Object.assign(box, { x, width, y: box.y + down });
    x += width + COLUMN_GAP;
  }
  return boxes;
}

function stack(column: readonly Box[]): void {
  // All columns have their middle at 0.
  const middle = (column.length - 1) / 2;
  column.forEach((box, i) => {
    box.y = (i - middle) * (BOX + GAP);
  });
}

function mean(boxes: readonly Box[], otherwise: number): number {
  return boxes.length === 0 ? otherwise : boxes.reduce((sum, { y }) => sum + y, 0) / boxes.length;
}

function line(
  from: Box | undefined,
  to: Box | undefined,
  { label: words, isDashed }: { readonly label: string; readonly isDashed: boolean },
): string {
  if (from === undefined || to === undefined) return '';
  const [y1, y2] = [from.y + BOX / 2, to.y + BOX / 2];
  const forward = to.column > from.column;
  const x1 = forward || to.column === from.column ? from.x + from.width : from.x;
  const x2 = forward ? to.x : to.x + to.width;
  const bend = to.column === from.column ? 40 : (x2 - x1) / 2;
  const end = to.column === from.column ? x2 + bend : x2 - bend;
  const self = from === to ? 14 : 0;
  const path = `M${round(x1)} ${round(y1 - self / 3)}C${round(x1 + bend)} ${round(y1 - self)} ${round(end)} ${round(y2 + self)} ${round(x2)} ${round(y2 + self / 3)}`;
  const dash = isDashed ? ' stroke-dasharray="5 3"' : '';
  const label =
    words !== ''
      ? `<text x="${round((x1 + x2 + (to.column === from.column ? bend * 1.5 : 0)) / 2)}" y="${round((y1 + y2) / 2 - 3)}" font-size="9" text-anchor="middle" fill="#3a3f4b">${escapeMarkup(words)}</text>`
      : '';
  return `<path d="${path}" fill="none" stroke="#5a5f6b" stroke-opacity="0.75"${dash} marker-end="url(#arrow)"/>${label}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
