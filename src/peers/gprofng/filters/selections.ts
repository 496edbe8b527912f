/** The threads, lightweight processes, CPUs and samples that commands such as `thread_select` choose, by process. */
import { UsageError } from '../../../base/errors.js';
import type { Expression } from './language.js';

export const SELECTED = ['thread', 'lwp', 'cpu', 'sample'] as const;
export type Selected = (typeof SELECTED)[number];

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Numbers of one process, rising and apart. */
export type NumberRanges = readonly Range[];

/** By number of the process, from 1 on; all of those that are missing. */
export type Selection = ReadonlyMap<number, NumberRanges>;
export type Selections = Readonly<Partial<Record<Selected, Selection>>>;

/** What commands chose. */
export interface EventFilter {
  readonly expression: Expression | undefined;
  readonly selections: Selections;
}

const RANGE = /^(\d{1,9})?(-)?(\d{1,9})?$/;

/** Reads `2,4-6`, `5-`, `all`, or these after the number of a process and a colon: then nothing of the others. Throws `UsageError`. */
export function parseSelection(text: string, processes: readonly number[]): Selection {
  const [, process, list = ''] = /^(?:(\d{1,9}):)?(.*)$/s.exec(text) ?? [];
  const ranges = list === 'all' ? undefined : rangesOf(list, text);
  const chosen = process === undefined ? processes : [Number(process)];
  const selection = new Map<number, NumberRanges>();
  for (const id of processes) if (!chosen.includes(id)) selection.set(id, []);
  if (ranges !== undefined) for (const id of chosen) selection.set(id, ranges);
  return selection;
}

function rangesOf(list: string, text: string): NumberRanges {
  const ranges = list.split(',').map((part): Range => {
    const [whole, from, dash, to] = RANGE.exec(part) ?? [];
    const first = Number(from ?? 0);
    const last = dash === undefined ? first : Number(to ?? Number.MAX_SAFE_INTEGER);
    if (!whole || (from === undefined && to === undefined) || last < first)
      throw new UsageError(`${text}: expected numbers such as 2,4-6, or all`);
    return { from: first, to: last };
  });
  const joined: Range[] = [];
  for (const range of ranges.sort((a, b) => a.from - b.from)) {
    const before = joined.at(-1);
    if (before === undefined || range.from > before.to + 1) joined.push(range);
    else joined.splice(-1, 1, { from: before.from, to: Math.max(before.to, range.to) });
  }
  return joined;
}

/** Whether a number of a process is chosen. */
export function isSelected(selection: Selection | undefined, process: number, number: number): boolean {
  const ranges = selection?.get(process);
  return ranges === undefined || ranges.some(({ from, to }) => number >= from && number <= to);
}

/** `all`, `none`, `2,4-6`: as gprofng lists what is chosen of the numbers from `first` to `last`. */
export function selectionText(
  selection: Selection | undefined,
  process: number,
  { first, last }: { readonly first: number; readonly last: number },
): string {
  const own = selection?.get(process);
  if (own === undefined) return 'all';
  const within = own
    .map(({ from, to }) => ({ from: Math.max(from, first), to: Math.min(to, last) }))
    .filter(({ from, to }) => from <= to);
  const [only] = within;
  if (only?.from === first && only.to === last) return 'all';
  const texts = within.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`));
  return texts.length === 0 ? 'none' : texts.join(',');
}
