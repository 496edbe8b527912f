/** Time of input and output by file, and by each opening of a file. */
import type { CallKind } from '../../../analysis/io/calls.js';
import { callSums, sumOfKinds } from '../../../analysis/io/sums.js';
import { IO_EVENTS } from '../../../models/events/io.js';
import type { Table } from '../../../models/table.js';
import type { Experiment } from '../peer/experiment.js';
import { fileNumbers, type IoFile, NO_FILE, OTHER_CALLS, shownFile } from '../peer/io-files.js';
import type { PrintState } from '../state.js';
import { headLines, type Row, rowLine, shapeOf } from '../table.js';
import { countedGroup, hasIo, NO_IO } from './io-statistics.js';

/** In the order of the columns. */
const KINDS: readonly CallKind[] = ['read', 'write', 'other', 'error'];
const METRICS = ['ioreadtime', 'iowritetime', 'ioothertime', 'ioerrortime'];
const NO_NAME = '<pipe(), socket(), or other fds>';
const OTHER_NAME = '<Other IO activity>';
const MICROSECOND = 1000;

/** Files by the time of reading; `each`: each opening of one. */
export function ioFilesText(experiment: Experiment, state: PrintState, each: boolean): string {
  if (!hasIo(experiment)) return NO_IO;
  const table = experiment.profile.events.find(({ kind }) => kind === IO_EVENTS.kind);
  const times = table === undefined ? [] : timesByFile(experiment, table);
  const total = KINDS.map((_, kind) => times.reduce((sum, [, values]) => sum + (values[kind] ?? 0), 0));
  const rows = each ? openingRows(times, experiment).sort(byTimes) : byName(times, experiment).sort(byFirst);
  const metrics = METRICS.flatMap((id) => {
    const base = state.bases.find((one) => one.id === id);
    return base === undefined ? [] : [{ base, flavour: 'e' as const, value: true, share: false }];
  });
  const all = [{ values: total, name: '<Total>' }, ...rows];
  const shape = shapeOf(metrics, all, total);
  return `${[...headLines(shape), ...all.map((row) => rowLine(shape, row))].join('\n')}\n\n`;
}

interface OpeningRow extends Row {
  readonly number: number;
}

function openingRows(times: readonly (readonly [number, readonly number[]])[], { files }: Experiment): OpeningRow[] {
  return times.map(([number, values]) => {
    return { values, name: openingName(number, files.get(number)), number: shownFile(number) };
  });
}

function byFirst(a: Row, b: Row): number {
  return Number(b.values[0]) - Number(a.values[0]);
}

/** Openings by their times of reading, then by their numbers; of the same number, as those of standard streams have, by their other times. */
function byTimes(a: OpeningRow, b: OpeningRow): number {
  const first = byFirst(a, b) || a.number - b.number;
  if (first !== 0) return first;
  const differing = a.values.findIndex((value, i) => value !== b.values[i]);
  return differing < 0 ? 0 : Number(b.values[differing]) - Number(a.values[differing]);
}

/** Microseconds of each kind by the number of the file, rising. */
function timesByFile(experiment: Experiment, table: Table): (readonly [number: number, times: readonly number[]])[] {
  const numbers = fileNumbers(table);
  const files = [...new Set(Array.from(numbers ?? [NO_FILE]))].sort((a, b) => shownFile(a) - shownFile(b) || a - b);
  const order = new Map(files.map((number, i) => [number, i]));
  const groupOf = countedGroup(experiment, table, (row) => order.get(numbers?.[row] ?? NO_FILE) ?? -1);
  const sums = callSums(IO_EVENTS.rows(table), files.length, groupOf);
  return files.flatMap((number, i) => {
    const hasCalls = sumOfKinds(sums, 'count', i) > 0;
    return hasCalls ? [[number, KINDS.map((kind) => sums[kind].time[i] / MICROSECOND)] as const] : [];
  });
}

function nameOf(number: number, file: IoFile | undefined): string {
  return shownFile(number) === OTHER_CALLS ? OTHER_NAME : (file?.name ?? NO_NAME);
}

function openingName(number: number, file: IoFile | undefined): string {
  const descriptor = file === undefined || file.descriptor < 0 ? '' : `, FD=${file.descriptor}`;
  return `${nameOf(number, file)} (IOVFD=${shownFile(number)}${descriptor})`;
}

/** Files of one name together, in the order of processes and openings; standard streams come first, calls without a file last. */
function byName(ordered: readonly (readonly [number, readonly number[]])[], { files }: Experiment): Row[] {
  const names = new Map<string, { readonly rank: number; readonly isCopy: boolean; readonly sums: number[] }>();
  const processOf = (number: number): number => files.get(number)?.process ?? 0;
  for (const [number, values] of [...ordered].sort(([a], [b]) => processOf(a) - processOf(b))) {
    const file = files.get(number);
    const name = nameOf(number, file);
    const rank = name === OTHER_NAME ? 1 : file?.isStandard === true ? -1 : 0;
    const sum = names.get(name) ?? { rank, isCopy: file?.isCopy === true, sums: KINDS.map(() => 0) };
    names.set(name, sum);
    for (const [i, value] of values.entries()) sum.sums[i] += value;
  }
  // Copies of standard streams have no file system.
  return [...names]
    .sort(([, a], [, b]) => a.rank - b.rank)
    .map(([name, { isCopy, sums }]) => ({ name: isCopy ? `${name} (FS=error)` : name, values: sums }));
}
