/** Time of input and output by file, and by each opening of a file. */
import { IO_EVENTS } from '../../../models/events/io.js';
import type { Experiment } from '../peer/experiment.js';
import { fileNumbers, type IoFile, NO_FILE, OTHER_CALLS } from '../peer/io-files.js';
import type { PrintState } from '../state.js';
import { headLines, type Row, rowLine, shapeOf } from '../table.js';
import { type Call, eachCall, hasIo, NO_IO } from './io-statistics.js';

/** In the order of the columns. */
const KINDS: readonly Call[] = ['read', 'write', 'other', 'error'];
const METRICS = ['ioreadtime', 'iowritetime', 'ioothertime', 'ioerrortime'];
const NO_NAME = '<pipe(), socket(), or other fds>';
const OTHER_NAME = '<Other IO activity>';
const MICROSECOND = 1000;

/** Files by the time of reading; `each`: each opening of one. */
export function ioFilesText(experiment: Experiment, state: PrintState, each: boolean): string {
  if (!hasIo(experiment)) return NO_IO;
  const table = experiment.profile.events.find(({ kind }) => kind === IO_EVENTS.kind);
  const numbers = table && fileNumbers(table);
  const byNumber = new Map<number, number[]>();
  const total = KINDS.map(() => 0);
  if (table !== undefined)
    eachCall(experiment, table, (row, call, spent) => {
      const number = numbers?.[row] ?? NO_FILE;
      const sums = byNumber.get(number) ?? KINDS.map(() => 0);
      byNumber.set(number, sums);
      for (const all of [sums, total]) all[KINDS.indexOf(call)] += spent / MICROSECOND;
    });
  const ordered = [...byNumber].sort(([a], [b]) => a - b);
  const rows = each
    ? ordered.map(([number, values]): Row => ({ values, name: openingName(number, experiment.files.get(number)) }))
    : byName(ordered, experiment);
  const metrics = METRICS.flatMap((id) => {
    const base = state.bases.find((one) => one.id === id);
    return base === undefined ? [] : [{ base, flavour: 'e' as const, value: true, share: false }];
  });
  const all = [{ values: total, name: '<Total>' }, ...rows.sort((a, b) => Number(b.values[0]) - Number(a.values[0]))];
  const shape = shapeOf(metrics, all, total);
  return `${[...headLines(shape), ...all.map((row) => rowLine(shape, row))].join('\n')}\n\n`;
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
