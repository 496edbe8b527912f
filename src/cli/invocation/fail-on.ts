/** `diff --fail-on`: the conditions that make a difference fail, for builds that stop at them. */
import { InvalidArgumentError } from 'commander';
import { UsageError } from '../../base/errors.js';
import { formatValue, plural } from '../../base/units.js';
import { readable } from '../../pictures/cells.js';
import type { ResultOf } from '../../views/index.js';
import { EXIT, type ExitCode } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { listOf, percentage } from './options.js';

const OF_CALLS = ['new-entry', 'new-package'] as const;
const OF_HEAPS = ['new-root', 'new-class'] as const;
const EXPECTED = 'new-entry, new-package, new-root, new-class or growth=PERCENT';

export interface Conditions {
  /** Words of `OF_CALLS` and `OF_HEAPS`. */
  readonly words: ReadonlySet<string>;
  /** Share of the methods, or of the metric of a heap. */
  readonly growth: number | undefined;
}

/** The conditions of an option. */
export function conditions(text: string): Conditions {
  let growth: number | undefined;
  const words = new Set<string>();
  for (const word of listOf(text)) {
    if (word.startsWith('growth=')) growth = percentage(1000)(word.slice('growth='.length)) / 100;
    else if ([...OF_CALLS, ...OF_HEAPS].some((condition) => condition === word)) words.add(word);
    else throw new InvalidArgumentError(`${word} is unknown; expected ${EXPECTED}.`);
  }
  if (words.size === 0 && growth === undefined) throw new InvalidArgumentError(`${EXPECTED} is expected.`);
  return { words, growth };
}

/** Throws `UsageError` for conditions of heaps on reports of calls. */
export function checkOfCalls({ words }: Conditions): void {
  const [wrong] = OF_HEAPS.filter((word) => words.has(word));
  if (wrong !== undefined)
    throw new UsageError(
      `--fail-on ${wrong} is for heaps, such as object trees`,
      `Choose ${OF_CALLS.join(', ')} or growth.`,
    );
}

/** The rows of heaps that the conditions need: `by` if it was chosen. Throws `UsageError` if these or other recordings have no such rows. */
export function rowsOfHeaps<By extends string>(
  { words }: Conditions,
  by: By | undefined,
): By | 'root' | 'class' | undefined {
  const [wrong] = OF_CALLS.filter((word) => words.has(word));
  if (wrong !== undefined) throw new UsageError(`--fail-on ${wrong} is for reports of calls, such as call trees`);
  const needed = OF_HEAPS.filter((word) => words.has(word)).map((word) => (word === 'new-root' ? 'root' : 'class'));
  const [rows] = needed;
  if (needed.length > 1 || (by !== undefined && rows !== undefined && by !== rows))
    throw new UsageError('new-root needs --by root, new-class --by class', 'Ask for one at a time.');
  return by ?? rows;
}

/** Reports the conditions that hold for reports of calls, with the exit code; undefined if none does. */
export function judgeCalls(
  invocation: Invocation,
  { entries, methods, packages, new_packages: names, growth }: ResultOf<'calls-diff'>,
  failOn: Conditions,
): ExitCode | undefined {
  if (failOn.words.has('new-entry') && entries === null)
    throw new UsageError('--fail-on new-entry needs entries, and one of the reports has none');
  return failed(invocation, [
    ...(failOn.words.has('new-entry') && entries !== null && entries.new > 0
      ? [`new-entry: ${plural(entries.new, 'new entry', 'new entries')} (--by entry lists them)`]
      : []),
    ...(failOn.words.has('new-package') && packages.new > 0
      ? [
          `new-package: ${plural(packages.new, 'new package')}: ${names.slice(0, 5).join(', ')}${packages.new > 5 ? ', ...' : ''}`,
        ]
      : []),
    ...grown(failOn, growth, growth === null && methods.new > 0 ? 'the base has no methods' : undefined),
  ]);
}

/** As `judgeCalls`, for differences of heaps by root or class: their rows of the state `new`, and the sum of their metric. */
export function judgeHeaps(
  invocation: Invocation,
  { by, states, base, sum, metric }: ResultOf<'diff'>,
  failOn: Conditions,
): ExitCode | undefined {
  if (by !== 'root' && by !== 'class')
    throw new UsageError(
      '--fail-on is for reports of calls and for heaps',
      'Heaps are compared --by root or --by class.',
    );
  const growth = base.sum > 0 ? (sum - base.sum) / base.sum : null;
  return failed(invocation, [
    ...(failOn.words.size > 0 && states.new > 0
      ? [`new-${by}: ${plural(states.new, `new ${by}`, by === 'root' ? 'new roots' : 'new classes')}`]
      : []),
    ...grown(failOn, growth, growth === null && sum > 0 ? `the base has no ${metric.title.toLowerCase()}` : undefined),
  ]);
}

/** `unknown`: why there is no growth although there is more. */
function grown({ growth: most }: Conditions, growth: number | null, unknown: string | undefined): string[] {
  if (most === undefined) return [];
  if (unknown !== undefined) return [`growth: ${unknown}`];
  return growth !== null && growth > most
    ? [`growth: ${formatValue(growth, 'ratio')}, more than ${formatValue(most, 'ratio')}`]
    : [];
}

function failed(invocation: Invocation, lines: readonly string[]): ExitCode | undefined {
  for (const line of lines) note(invocation, readable(`failed: ${line}`));
  return lines.length === 0 ? undefined : EXIT.no;
}
