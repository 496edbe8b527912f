/** Statistics of input and output, and the calls of each stack. */
import type { CallKind } from '../../../analysis/io/calls.js';
import { callSizes, callSums, type SumsByKind, sumOfKinds } from '../../../analysis/io/sums.js';
import type { SizeSums } from '../../../analysis/size-sums.js';
import { processOfRow } from '../../../analysis/threads/process-of.js';
import { IntTable } from '../../../base/columns/hash.js';
import { IO_EVENTS } from '../../../models/events/io.js';
import { STACK } from '../../../models/events/shared-fields.js';
import { columnOf, type Table } from '../../../models/table.js';
import { fixed } from '../numbers.js';
import { type Experiment, hasData } from '../peer/experiment.js';
import { fileNumbers, NO_FILE } from '../peer/io-files.js';
import type { PrintState } from '../state.js';
import type { Asked } from '../values.js';
import { LARGEST_SIZE, labelled, rangeLines } from './size-text.js';
import { stackPrinter } from './stack-text.js';

const RULE = 55;
/** Blanks behind headings. */
const CALLS_PADDING = { Write: 10, Read: 9 };
export const NO_IO = 'I/O trace information was not requested when recording experiments\n\n';

/** Kinds of calls in the order in which gprofng prints them, with its names. */
const KINDS: readonly (readonly [kind: CallKind, name: string])[] = [
  ['write', 'Write'],
  ['read', 'Read'],
  ['other', 'Other I/O'],
  ['error', 'I/O Error'],
];

export function hasIo(experiment: Experiment): boolean {
  return hasData(experiment, 'iotrace');
}

/** The group of each call, for `callSums`; -1 with `strict` of those that gprofng does not count. */
export function countedGroup(
  { strict }: Pick<Experiment, 'strict'>,
  table: Table,
  groupOf: (row: number) => number,
): (row: number) => number {
  const files = strict ? fileNumbers(table) : undefined;
  return (row) => ((files?.[row] ?? 1) <= NO_FILE ? -1 : groupOf(row));
}

const secondsText = (nanoseconds: number): string => `${fixed(nanoseconds / 1e9, 6)} (secs.)`;

export function ioStatistics(experiment: Experiment): string {
  if (!hasIo(experiment)) return NO_IO;
  const { strict } = experiment;
  const table = experiment.profile.events.find(({ kind }) => kind === IO_EVENTS.kind);
  if (table === undefined) return '\n';
  const calls = IO_EVENTS.rows(table);
  const groupOf = countedGroup(experiment, table, () => 0);
  const [sums, sizes] = [callSums(calls, 1, groupOf), callSizes(calls, (row) => groupOf(row) >= 0)];
  const callsOf = (kind: CallKind): Calls => {
    return { time: sums[kind].time[0], longest: sums[kind].longest[0], sizes: sizes[kind] };
  };
  const parts = [
    // gprofng writes this range one blank narrower here.
    movedText(callsOf('write'), 'Write', { longestName: 'Longest write', rule: RULE, strict }).replace(
      /^( {2}1GB - 10GB +) (?=\d)/m,
      '$1',
    ),
    movedText(callsOf('read'), 'Read', { longestName: 'Longest time', rule: RULE - 1, strict }),
    otherText(callsOf('other'), 'Other I/O'),
    otherText(callsOf('error'), 'I/O Error'),
  ].filter((part) => part !== '');
  return `\n${parts.join('\n')}${parts.length === 0 ? '' : '\n'}`;
}

interface Calls {
  /** Nanoseconds. */
  readonly time: number;
  readonly longest: number;
  readonly sizes: SizeSums;
}

function movedText(
  { time, longest, sizes }: Calls,
  name: 'Write' | 'Read',
  { longestName, rule, strict }: { readonly longestName: string; readonly rule: number; readonly strict: boolean },
): string {
  if (sizes.count === 0) return '';
  return [
    `${name} Statistics\nI/O Size Range                    ${name} Calls${' '.repeat(CALLS_PADDING[name])}\n${'-'.repeat(rule)}\n`,
    `${rangeLines(sizes)}\n`,
    labelled(longestName, secondsText(longest)),
    labelled(`Smallest ${name.toLowerCase()} bytes`, smallestText(sizes, strict)),
    labelled(`Largest ${name.toLowerCase()} bytes`, sizes.largest),
    labelled('Total time', secondsText(time)),
    labelled('Total calls', sizes.count),
    labelled('Total bytes', sizes.bytes),
  ].join('');
}

function otherText({ time, sizes }: Calls, name: string): string {
  if (sizes.count === 0) return '';
  const head = `${name} Statistics\n${'-'.repeat(53)}\n`;
  return head + labelled('Total time', secondsText(time)) + labelled('Total calls', `${sizes.count} `);
}

/** The calls of each stack, those that spent most time reading first. */
export async function ioByStack(asked: Asked, state: PrintState): Promise<string> {
  if (!hasIo(asked.experiment)) return NO_IO;
  const profile = await asked.profile();
  const table = profile.events.find(({ kind }) => kind === IO_EVENTS.kind);
  if (table === undefined) return '<Total>\n';
  const column = columnOf(table, STACK);
  const isCounted = countedGroup(asked.experiment, table, () => 0);
  const groups = new IntTable(64);
  // gprofng has stacks of each process.
  const processOf = asked.experiment.strict ? processOfRow(profile, table) : () => 0;
  const groupByRow = Int32Array.from({ length: table.length }, (_, row) =>
    isCounted(row) < 0 ? -1 : groups.add(processOf(row), column?.[row] ?? -1),
  );
  const stacks = Array.from({ length: groups.length }, (_, group) => groups.key(group, 1));
  const groupOf = (row: number): number => groupByRow[row];
  const calls = IO_EVENTS.rows(table);
  const [all, byStack] = [callSums(calls, 1, isCounted), callSums(calls, stacks.length, groupOf)];
  const frames = await stackPrinter(asked, state, profile);
  const parts = stacks
    .map((stack, group) => ({ stack, group }))
    .filter(({ group }) => sumOfKinds(byStack, 'count', group) > 0)
    .sort((a, b) => byStack.read.time[b.group] - byStack.read.time[a.group])
    .map(({ stack, group }) => `Stack 0x${stack.toString(16)}\n${callsText(byStack, group)}${frames(stack)}`);
  return [`<Total>\n${callsText(all, 0)}`, ...parts].join('\n');
}

function callsText(sums: SumsByKind, group: number): string {
  return KINDS.map(([kind, name]) => {
    const { time, bytes, count } = sums[kind];
    if (count[group] === 0) return '';
    const moved = kind === 'read' || kind === 'write' ? `  ${name} Bytes=${bytes[group]}` : '';
    return `${name} Time=${secondsText(time[group])}${moved}  ${name} Count=${count[group]}\n`;
  }).join('');
}

/** A read at the end of a file moves nothing: gprofng begins with the largest size that it has a range for. */
function smallestText({ smallestMoved, largest }: SizeSums, strict: boolean): number {
  if (largest > 0) return smallestMoved;
  return strict ? LARGEST_SIZE : 0;
}
