/** Statistics of input and output, and the calls of each stack. */
import { IO_EVENTS } from '../../../models/events/io.js';
import { STACK } from '../../../models/events/shared-fields.js';
import { columnOf, type Table } from '../../../models/table.js';
import { fixed } from '../numbers.js';
import { recordedField } from '../peer/event-columns.js';
import { type Experiment, hasData } from '../peer/experiment.js';
import { fileNumbers, NO_FILE } from '../peer/io-files.js';
import type { PrintState } from '../state.js';
import type { Asked } from '../values.js';
import { labelled, SizeStatistics } from './size-statistics.js';
import { stackPrinter } from './stack-text.js';

const RULE = 55;
/** Blanks behind headings. */
const CALLS_PADDING = { Write: 10, Read: 9 };
export const NO_IO = 'I/O trace information was not requested when recording experiments\n\n';

/** Kinds of calls as gprofng adds them; a call that failed counts only as such. */
const CALLS = ['write', 'read', 'other', 'error'] as const;
export type Call = (typeof CALLS)[number];
const NAMES: Readonly<Record<Call, string>> = { write: 'Write', read: 'Read', other: 'Other I/O', error: 'I/O Error' };

interface Calls {
  /** Nanoseconds. */
  time: number;
  longest: number;
  readonly sizes: SizeStatistics;
}

type CallsByKind = Readonly<Record<Call, Calls>>;

function noCalls(): CallsByKind {
  const none = (): Calls => ({ time: 0, longest: 0, sizes: new SizeStatistics() });
  return { write: none(), read: none(), other: none(), error: none() };
}

export function hasIo(experiment: Experiment): boolean {
  return hasData(experiment, 'iotrace');
}

/** Gives each call to `visit`; `strict`: those that gprofng counts. */
export function eachCall(
  { strict }: Experiment,
  table: Table,
  visit: (row: number, call: Call, spent: number, bytes: number) => void,
): void {
  const files = strict ? fileNumbers(table) : undefined;
  const { spent, read, written } = IO_EVENTS.rows(table);
  const [reads, writes, errors] = ['reads', 'writes', 'errors'].map((key) => recordedField(table, key));
  for (let row = 0; row < table.length; row++) {
    if (files?.[row] === NO_FILE) continue;
    const failed = errors?.[row] === 1;
    const call = failed ? 'error' : reads?.[row] === 1 ? 'read' : writes?.[row] === 1 ? 'write' : 'other';
    visit(row, call, spent[row], call === 'read' ? (read?.[row] ?? 0) : call === 'write' ? (written?.[row] ?? 0) : 0);
  }
}

function add(calls: CallsByKind, call: Call, spent: number, bytes: number): void {
  const own = calls[call];
  own.time += spent;
  own.longest = Math.max(own.longest, spent);
  own.sizes.add(bytes);
}

const secondsText = (nanoseconds: number): string => `${fixed(nanoseconds / 1e9, 6)} (secs.)`;

export function ioStatistics(experiment: Experiment): string {
  if (!hasIo(experiment)) return NO_IO;
  const { strict } = experiment;
  const all = noCalls();
  const table = experiment.profile.events.find(({ kind }) => kind === IO_EVENTS.kind);
  if (table !== undefined) eachCall(experiment, table, (_, call, spent, bytes) => add(all, call, spent, bytes));
  const parts = [
    // gprofng writes this range one blank narrower here.
    movedText(all.write, 'Write', { longestName: 'Longest write', rule: RULE, strict }).replace(
      /^( {2}1GB - 10GB +) (?=\d)/m,
      '$1',
    ),
    movedText(all.read, 'Read', { longestName: 'Longest time', rule: RULE - 1, strict }),
    otherText(all.other, 'Other I/O'),
    otherText(all.error, 'I/O Error'),
  ].filter((part) => part !== '');
  return `\n${parts.join('\n')}${parts.length === 0 ? '' : '\n'}`;
}

function movedText(
  { time, longest, sizes }: Calls,
  name: 'Write' | 'Read',
  { longestName, rule, strict }: { readonly longestName: string; readonly rule: number; readonly strict: boolean },
): string {
  if (sizes.count === 0) return '';
  return [
    `${name} Statistics\nI/O Size Range                    ${name} Calls${' '.repeat(CALLS_PADDING[name])}\n${'-'.repeat(rule)}\n`,
    `${sizes.ranges()}\n`,
    labelled(longestName, secondsText(longest)),
    // A read at the end of a file moves nothing.
    labelled(`Smallest ${name.toLowerCase()} bytes`, strict || sizes.largest > 0 ? sizes.smallestMoved : 0),
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
  const stacks = table && columnOf(table, STACK);
  const all = noCalls();
  const byStack = new Map<number, CallsByKind>();
  if (table !== undefined)
    eachCall(asked.experiment, table, (row, call, spent, bytes) => {
      const stack = stacks?.[row] ?? -1;
      const own = byStack.get(stack) ?? noCalls();
      byStack.set(stack, own);
      for (const calls of [all, own]) add(calls, call, spent, bytes);
    });
  const frames = await stackPrinter(asked, state, profile);
  const parts = [...byStack]
    .sort(([, a], [, b]) => b.read.time - a.read.time)
    .map(([stack, calls]) => `Stack 0x${stack.toString(16)}\n${callsText(calls)}${frames(stack)}`);
  return [`<Total>\n${callsText(all)}`, ...parts].join('\n');
}

function callsText(calls: CallsByKind): string {
  return CALLS.map((call) => {
    const { time, sizes } = calls[call];
    if (sizes.count === 0) return '';
    const name = NAMES[call];
    const bytes = call === 'read' || call === 'write' ? `  ${name} Bytes=${sizes.bytes}` : '';
    return `${name} Time=${secondsText(time)}${bytes}  ${name} Count=${sizes.count}\n`;
  }).join('');
}
