/** `tree` and `callers` of reports of calls: their own options, and the ones that only values along stacks have. */
import type { Command } from 'commander';
import { UsageError } from '../../base/errors.js';
import { CATALOGUE, type RecordingTraits } from '../../questions/catalogue.js';
import {
  type BaseOptions,
  type CodeOptions,
  type DurationOptions,
  type ErrorOptions,
  repeated,
} from '../invocation/options.js';

const COUNTS = 'of reports of calls: show how often each call was made, by this PGO profile';

export interface ReportOptions extends CodeOptions, BaseOptions {
  readonly counts?: string;
  readonly from?: string;
}

/** Options that mean nothing for calls without values. */
interface StackOptions extends Partial<ErrorOptions>, Partial<DurationOptions> {
  readonly metric?: string;
  readonly inverted?: true;
}

export function addCounts(command: Command): Command {
  return command
    .option('--counts <profile>', COUNTS)
    .option('--classes <path>', 'with --counts: class path, for receiver types that inherit a method', repeated);
}

/** Whether the question is one about reported calls. Throws `UsageError` for options of the other kind of recordings. */
export function isReport(traits: readonly RecordingTraits[], options: ReportOptions & StackOptions): boolean {
  const { counts, classes, from, base } = options;
  if (classes !== undefined && counts === undefined) throw new UsageError('--classes is for --counts');
  // The profile is the last recording.
  if (CATALOGUE.tree(counts === undefined ? traits : traits.slice(0, -1)) === 'calls-tree') {
    if (base !== undefined) throw new UsageError('reports of calls are compared by `diff BASE FILE`');
    refuseStackOptions(options);
    return true;
  }
  if (counts !== undefined) throw new UsageError('--counts is for reports of calls, such as call trees');
  if (from !== undefined)
    throw new UsageError('--from is for reports of calls, such as call trees', 'Select stacks with --focus.');
  return false;
}

function refuseStackOptions({ inverted, error, durations, metric }: StackOptions): void {
  const given = [
    ...(inverted === true ? ['--inverted'] : []),
    ...(error === true ? ['--error'] : []),
    ...(durations === true ? ['--durations'] : []),
    ...(metric === undefined ? [] : ['--metric']),
  ];
  if (given.length > 0)
    throw new UsageError(
      `${given.join(' and ')}: reports of calls have no values along stacks`,
      '`callers` shows the callers of a method, --counts how often each call was made.',
    );
}

/** The options with the profile of `--counts` as base of the question. */
export function withCounts<Options extends ReportOptions>({ counts, ...options }: Options) {
  return { ...options, ...(counts !== undefined && { base: counts }) };
}
