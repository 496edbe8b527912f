/** Time of input and output by file, and by each opening of a file. */
import type { CallKind } from '../../../analysis/io/calls.js';
import { callSums, sumOfKinds } from '../../../analysis/io/sums.js';
import { IO_EVENTS } from '../../../models/events/io.js';
import type { Table } from '../../../models/table.js';
import type { Experiment } from '../peer/experiment.js';
import { fileNumbers, type IoFile, NO_FILE, OTHER_CALLS } from '../peer/io-files.js';
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
  const rows = each
    ? times.map(([number, values]): Row => ({ values, name: openingName(number, experiment.files.get(number)) }))
    : byName(times, experiment);
  const metrics = METRICS.flatMap((id) => {
    const base = state.bases.find((one) => one.id === id);
    return base === undefined ? [] : [{ base, flavour: 'e' as const, value: true, share: false }];
  });
  const all = [{ values: total, name: '<Total>' }, ...rows.sort((a, b) => Number(b.values[0]) - Number(a.values[0]))];
  const shape = shapeOf(metrics, all, total);
  return `${[...headLines(shape), ...all.map((row) => rowLine(shape, row))].join('\n')}\n\n`;
}

/** Microseconds of each kind by the number of the file, rising. */
function timesByFile(experiment: Experiment, table: Table): (readonly [number: number, times: readonly number[]])[] {
  const numbers = fileNumbers(table);
  const files = [...new Set(Array.from(numbers ?? [NO_FILE]))].sort((a, b) => a - b);
  const order = new Map(files.map((number, i) => [number, i]));
  const groupOf = countedGroup(experiment, table, (row) => order.get(numbers?.[row] ?? NO_FILE) ?? -1);
  const sums = callSums(IO_EVENTS.rows(table), files.length, groupOf);
  return files.flatMap((number, i) => {
    const hasCalls = sumOfKinds(sums, 'count', i) > 0;
    return hasCalls ? [[number, KINDS.map((kind) => sums[kind].time[i] / MICROSECOND)] as const] : [];
  });
}

function nameOf(number: number, file: IoFile | undefined): string {
  return number === OTHER_CALLS ? OTHER_NAME : (file?.name ?? NO_NAME);
}

function openingName(number: number, file: IoFile | undefined): string {
  const descriptor = file === undefined || file.descriptor < 0 ? '' : `, FD=${file.descriptor}`;
  return `${nameOf(number, file)} (IOVFD=${number}${descriptor})`;
}

/** Files of one name together, in the order of their first openings; calls without a file come last. */
function byName(ordered: readonly (readonly [number, readonly number[]])[], { files }: Experiment): Row[] {
  const found = new Map<string, number[]>();
  const last = ordered.filter(([number]) => number === OTHER_CALLS);
  for (const [number, values] of [...ordered.filter(([each]) => each !== OTHER_CALLS), ...last]) {
    const name = nameOf(number, files.get(number));
    const sums = found.get(name) ?? KINDS.map(() => 0);
    found.set(name, sums);
    for (const [i, value] of values.entries()) sums[i] += value;
  }
  return [...found].map(([name, values]) => ({ name, values }));
}
