/** `diff`: two recordings of any kind, or several runs of each. */
import { type Command, Option } from 'commander';
import { USUAL_LEVEL } from '../../analysis/noise.js';
import { UsageError } from '../../base/errors.js';
import { CATALOGUE, type RecordingTraits } from '../../questions/catalogue.js';
import type { Question } from '../../session/session.js';
import { CALL_DIFF_BY } from '../../views/calls/diff-rows.js';
import { DIFF_BY } from '../../views/diff/changes.js';
import type { ResultOf } from '../../views/index.js';
import type { ExitCode } from '../exit.js';
import type { Invocation } from '../host.js';
import { answer } from '../invocation/answer.js';
import {
  addExamples,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  type ListingOptions,
  percentage,
  wholeNumber,
} from '../invocation/options.js';
import { type Conditions, checkOfCalls, conditions, judgeCalls, judgeHeaps, rowsOfHeaps } from './fail-on.js';

interface DiffOptions extends ListingOptions {
  readonly by?: By;
  readonly metric?: string;
  readonly match?: string;
  readonly normalise?: true;
  readonly noise?: number;
  readonly same?: true;
  readonly all?: true;
  readonly base?: readonly string[];
  readonly baseDump?: number;
  readonly failOn?: Conditions;
}

const BY = [...new Set([...DIFF_BY, ...CALL_DIFF_BY] as const)];
type By = (typeof BY)[number];

export function registerDiff(program: Command, invocation: Invocation): void {
  const command = program
    .command('diff')
    .description('compare two recordings, or several runs with several others')
    .usage('[options] BASE FILE | --base FILE... FILE...')
    .argument('<file...>', 'base and recording; with --base, the runs of the recording')
    .addOption(
      new Option('--base <file>', 'recording to compare with; repeat it for several runs').argParser(
        (file: string, before: readonly string[] = []) => [...before, file],
      ),
    )
    .addOption(
      new Option(
        '--by <rows>',
        'rows to compare (default: class if all recordings count objects by class, thread for thread dumps, cause for reports of calls, else function); site and site-class are of allocations, monitor of contention; branch, receiver, instanceof and inlining need PGO profiles, cause, package, entry, site and target reports of calls',
      ).choices(BY),
    )
    .option('--metric <id>', 'metric to compare (default: calls for PGO profiles, else the usual metric that all have)')
    .option('--match <regex>', 'only rows with a matching name')
    .option('--normalise', 'scale the base, and each run, to the same total')
    .option(
      '--noise <percent>',
      `expected variation between runs, as a percentage of each number (default: ${USUAL_LEVEL * 100}, or 0 for objects by class)`,
      percentage(1000),
    )
    .option('--same', 'include rows without a change')
    .option('--all', 'include rows without a change and rows within noise')
    .option('--base-dump <number>', 'dump of the base, if it has several', wholeNumber)
    .option(
      '--fail-on <list>',
      'exit with code 1 on any of these, comma-separated: growth=PERCENT; of reports of calls new-entry, new-package; of heaps new-root, new-class',
      conditions,
    );
  addScopeOptions(addPageOptions(addOutputOptions(command))).action((files: string[], options: DiffOptions) => {
    const { base, now } = sidesOf(files, options.base);
    const question = questionOf(options);
    const { failOn } = options;
    return answer<Asked['view']>(
      invocation,
      now,
      question,
      { ...options, base },
      {
        runs: true,
        ...(failOn && { exit: (result) => judged(invocation, result, failOn) }),
      },
    );
  });
  addExamples(command, [
    'diff examples/histogram/before.txt examples/histogram/after.txt',
    'diff examples/histogram/before.txt examples/histogram/after.txt --metric live-objects --match ^Growing',
    'diff examples/threads/dump-1.txt examples/threads/dump-2.txt',
    'diff examples/pgo/before.iprof examples/pgo/after.iprof --by branch',
    'diff examples/points-to/call_tree_shop-1.txt examples/points-to/call_tree_shop-2.txt',
  ]);
}

function judged(invocation: Invocation, result: ResultOf<Asked['view']>, failOn: Conditions): ExitCode | undefined {
  if (result.type === 'calls-diff') return judgeCalls(invocation, result, failOn);
  return result.type === 'diff' ? judgeHeaps(invocation, result, failOn) : undefined;
}

/**
 * The question: `threads` if threads are compared, which is the default for thread dumps; `calls-diff` of reports of calls.
 */
function questionOf(options: DiffOptions): (traits: readonly RecordingTraits[]) => Asked {
  const { metric, match, noise } = options;
  const ofNumbers = [metric, noise, options.normalise, options.same, options.all].some((given) => given !== undefined);
  const ofRows = ofNumbers || match !== undefined;
  return (traits) => {
    const usual = CATALOGUE.changes(traits);
    const chosen = options.by;
    if (usual === 'calls-diff' && isOneOf(CALL_DIFF_BY, chosen)) {
      if (ofNumbers)
        throw new UsageError('reports of calls are compared without --metric, --normalise, --noise, --same and --all');
      if (options.failOn !== undefined) checkOfCalls(options.failOn);
      return { view: 'calls-diff', options: { ...(chosen && { by: chosen }), ...(match !== undefined && { match }) } };
    }
    const by = options.failOn === undefined ? chosen : rowsOfHeaps(options.failOn, chosen);
    const isThreads = (by === 'thread' || (by === undefined && !ofRows)) && usual === 'threads';
    if (isThreads && ofRows)
      throw new UsageError(
        '--by thread of thread dumps takes none of --metric, --match, --normalise, --noise, --same and --all',
        'Choose threads with --thread RE.',
      );
    if (isThreads && options.failOn !== undefined)
      throw new UsageError('--fail-on is for reports of calls and for heaps: threads are not counted');
    if (isThreads) return { view: 'threads', options: { order: 'given' } };
    if (!isOneOf(DIFF_BY, by))
      throw new UsageError(
        `--by ${by} is for reports of calls, such as call trees`,
        `Choose one of ${DIFF_BY.join(', ')}.`,
      );
    return {
      view: 'diff',
      options: {
        normalise: options.normalise === true,
        same: options.same === true,
        all: options.all === true,
        ...(by === undefined ? {} : { by }),
        ...(metric === undefined ? {} : { metric }),
        ...(match === undefined ? {} : { match }),
        ...(noise === undefined ? {} : { noise: noise / 100 }),
      },
    };
  };
}

/** Whether a choice is among those of a question; no choice is among all. */
function isOneOf<Choice extends By>(choices: readonly Choice[], by: By | undefined): by is Choice | undefined {
  return by === undefined || choices.some((choice) => choice === by);
}

type Asked =
  | (Pick<Question<'diff'>, 'options'> & { readonly view: 'diff' })
  | (Pick<Question<'calls-diff'>, 'options'> & { readonly view: 'calls-diff' })
  | (Pick<Question<'threads'>, 'options'> & { readonly view: 'threads' });

/** Two files are base and recording; if bases are named by options, all files are runs of the recording. */
function sidesOf(files: readonly string[], bases: readonly string[] | undefined) {
  if (bases !== undefined) return { base: bases, now: files };
  const [base, ...now] = files;
  if (base === undefined || now.length !== 1)
    throw new UsageError(
      `diff needs two recordings, and ${files.length === 1 ? 'one was' : `${files.length} were`} named`,
      'kansoku diff BASE FILE; of several runs: kansoku diff --base BASE1 --base BASE2 FILE1 FILE2.',
    );
  return { base: [base], now };
}
