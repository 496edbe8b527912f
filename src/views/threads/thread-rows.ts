/** Rows of `threads` that stand for several: virtual threads by pool and where they enter own code, or all threads by pool. */
import { ThreadPools } from '../../analysis/threads/groups.js';
import { ownEntriesUse } from '../../analysis/threads/stages.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { formatCount, plural } from '../../base/units.js';
import { THREADS } from '../../models/profile/tables.js';
import { functionName } from '../../models/program/names.js';
import type { ThreadRowGroup } from '../../questions/options/recording.js';
import type { Side, ViewInput } from '../question.js';
import type { ThreadSheet } from './thread-sheet.js';

export interface RowsOfThreads {
  /** By row: its threads, as rows of the sheet. */
  readonly members: readonly (readonly number[])[];
  /** By row: what its threads have in common; undefined of a single thread. */
  readonly names: readonly (string | undefined)[];
  /** Whether some row has several threads. */
  readonly hasGroups: boolean;
  readonly notes: readonly Note[];
}

/** The stage with where virtual threads enter own code, if they are put together by that. */
export function entriesUse({ profile, subject }: ViewInput, sides: readonly Side[], group: ThreadRowGroup) {
  const virtual = profile?.threads && THREADS.rows(profile.threads).virtual;
  const isNeeded = sides.length === 1 && group === 'virtual' && virtual?.includes(1) === true;
  return isNeeded ? ownEntriesUse(subject) : undefined;
}

/** The rows of one recording without states of threads; groups are where their first thread is. Of others a row is a thread. */
export function rowsOfThreads(
  sheet: ThreadSheet,
  group: ThreadRowGroup,
  entries: Int32Array | undefined,
): RowsOfThreads {
  const isAlone = sheet.sides.length > 1 || sheet.timeline !== undefined || group === 'none';
  return isAlone ? singleRows(sheet) : groupedRows(sheet, group, entries);
}

function singleRows({ shown: threads }: ThreadSheet): RowsOfThreads {
  return { members: threads.map((_, i) => [i]), names: threads.map(() => undefined), hasGroups: false, notes: [] };
}

function groupedRows(
  sheet: ThreadSheet,
  group: Exclude<ThreadRowGroup, 'none'>,
  entries: Int32Array | undefined,
): RowsOfThreads {
  const [{ program, threads }] = sheet.sides;
  const isGrouped = (thread: number): boolean => group === 'pool' || threads.virtual?.[thread] === 1;
  const pools = new ThreadPools(program, threads);
  const members = new Map<string, number[]>();
  const names = new Map<string, string>();
  for (const [i, thread] of sheet.shown.entries()) {
    const pool = pools.of(thread);
    const key = isGrouped(thread) ? `${pool} ${entries?.[thread] ?? ''}` : `row ${i}`;
    const row = members.get(key);
    row?.push(i);
    if (row !== undefined) continue;
    members.set(key, [i]);
    const entry = entries?.[thread] ?? -1;
    names.set(key, `${pools.names[pool]}${entry < 0 ? '' : ` in ${functionName(program, entry)}`}`);
  }
  const rows = [...members.values()];
  const keys = [...members.keys()];
  return {
    members: rows,
    names: rows.map((row, i) => (row.length > 1 ? names.get(keys[i] ?? '') : undefined)),
    hasGroups: rows.some((row) => row.length > 1),
    notes: groupNotes(rows, group),
  };
}

function groupNotes(rows: readonly (readonly number[])[], group: ThreadRowGroup): Note[] {
  const groups = rows.filter((row) => row.length > 1);
  const count = groups.reduce((sum, row) => sum + row.length, 0);
  if (count === 0) return [];
  const threads = plural(count, group === 'virtual' ? 'virtual thread' : 'thread');
  const by = group === 'virtual' ? 'by pool and first own method' : 'by pool';
  return [
    note(
      'threads-in-rows',
      phrase`${threads} in ${formatCount(groups.length)} ${groups.length === 1 ? 'row' : 'rows'}, ${by} (${theOption('group', { value: 'none' })} lists each).`,
      { action: { set: { group: 'none' } } },
    ),
  ];
}

type Cells = Readonly<Record<string, (row: number) => unknown>>;

/** What threads of a row add up to. */
const SUMMED: ReadonlySet<string> = new Set([
  ...['waits', 'waited', 'allocated', 'counted', 'contended', 'cpu', 'value', 'value_share', 'dumps'],
]);
/** What a row has if all its threads have the same. */
const COMMON: ReadonlySet<string> = new Set(['kind', 'group']);
const LISTS: ReadonlySet<string> = new Set(['states', 'stack']);

/** The cells of these rows, of those of single threads. */
export function cellsOfRows<C extends Cells>(cells: C, { members, names }: RowsOfThreads): C {
  const cellOf = (key: string, cell: (row: number) => unknown) => (row: number) => {
    const [first = 0, ...others] = members[row] ?? [];
    if (others.length === 0) return cell(first);
    if (key === 'name') return names[row];
    if (SUMMED.has(key)) return sumOfCells(cell, [first, ...others]);
    if (COMMON.has(key)) return others.every((other) => cell(other) === cell(first)) ? cell(first) : null;
    return LISTS.has(key) ? [] : null;
  };
  const rowCells = Object.fromEntries(Object.entries(cells).map(([key, cell]) => [key, cellOf(key, cell)]));
  if (!hasCellsOf(rowCells, cells)) throw new Error('a cell of rows is missing');
  return rowCells;
}

function hasCellsOf<C extends Cells>(rowCells: Cells, cells: C): rowCells is C {
  return Object.keys(cells).every((key) => Object.hasOwn(rowCells, key));
}

/** Null if none is known. */
function sumOfCells(cell: (row: number) => unknown, rows: readonly number[]): number | null {
  let sum: number | null = null;
  for (const row of rows) {
    const value = cell(row);
    if (typeof value === 'number') sum = (sum ?? 0) + value;
  }
  return sum;
}
