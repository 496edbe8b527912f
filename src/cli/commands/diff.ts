/** `diff`: two recordings of any kind, or several runs of each. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { USUAL_LEVEL } from '../../analysis/noise.js';
import { UsageError } from '../../base/errors.js';
import { formatValue, plural } from '../../base/units.js';
import type { Recording } from '../../models/recording.js';
import type { Question } from '../../session/session.js';
import { CALL_DIFF_BY } from '../../views/calls/diff-rows.js';
import { DIFF_BY } from '../../views/diff/changes.js';
import type { ResultOf } from '../../views/index.js';
import { EXIT, type ExitCode } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { answer } from '../invocation/answer.js';
import { hasCalls, saysStates } from '../invocation/kinds.js';
import {
  addExamples,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  type ListingOptions,
  listOf,
  percentage,
  wholeNumber,
} from '../invocation/options.js';
import { readable } from '../render/table.js';

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

const BY = [...new Set([...DIFF_BY, 'thread', ...CALL_DIFF_BY] as const)];
type By = (typeof BY)[number];

/** What makes a difference of reports fail. */
interface Conditions {
  readonly newEntry: boolean;
  readonly newPackage: boolean;
  /** Share of the methods. */
  readonly growth: number | undefined;
}

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
        'rows to compare (default: class if all recordings count objects by class, thread for thread dumps, cause for reports of calls, else function); branch, receiver, instanceof and inlining need PGO profiles, cause, package, entry, site and target reports of calls',
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
      'of reports of calls: exit with code 1 on any of new-entry, new-package and growth=PERCENT, comma-separated',
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
        ...(failOn && {
          exit: (result) => (result.type === 'calls-diff' ? judgment(invocation, result, failOn) : undefined),
        }),
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

/**
 * The question: `threads` if threads are compared, which is the default for thread dumps; `calls-diff` of reports of calls.
 */
function questionOf(options: DiffOptions): (recordings: readonly Recording[]) => Asked {
  const { by, metric, match, noise } = options;
  const ofNumbers = [metric, noise, options.normalise, options.same, options.all].some((given) => given !== undefined);
  const ofRows = ofNumbers || match !== undefined;
  if (by === 'thread' && ofRows)
    throw new UsageError(
      '--by thread takes none of --metric, --match, --normalise, --noise, --same and --all',
      'Choose threads with --thread RE.',
    );
  return (recordings) => {
    if (hasCalls(recordings) && isOneOf(CALL_DIFF_BY, by)) {
      if (ofNumbers)
        throw new UsageError('reports of calls are compared without --metric, --normalise, --noise, --same and --all');
      return { view: 'calls-diff', options: { ...(by && { by }), ...(match !== undefined && { match }) } };
    }
    if (options.failOn !== undefined) throw new UsageError('--fail-on is for reports of calls, such as call trees');
    const isThreads = by === 'thread' || (by === undefined && !ofRows && recordings.every(saysStates));
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

function conditions(text: string): Conditions {
  let growth: number | undefined;
  const words = new Set(listOf(text));
  for (const word of words) {
    if (word.startsWith('growth=')) growth = percentage(1000)(word.slice('growth='.length)) / 100;
    else if (word !== 'new-entry' && word !== 'new-package')
      throw new InvalidArgumentError(`${word} is unknown; expected new-entry, new-package or growth=PERCENT.`);
  }
  if (words.size === 0) throw new InvalidArgumentError('new-entry, new-package or growth=PERCENT is expected.');
  return { newEntry: words.has('new-entry'), newPackage: words.has('new-package'), growth };
}

/** Reports the conditions that hold, with the exit code; undefined if none does. */
function judgment(
  invocation: Invocation,
  { entries, methods, packages, new_packages: names, growth }: ResultOf<'calls-diff'>,
  failOn: Conditions,
): ExitCode | undefined {
  if (failOn.newEntry && entries === null)
    throw new UsageError('--fail-on new-entry needs entries, and one of the reports has none');
  const failed = [
    ...(failOn.newEntry && entries !== null && entries.new > 0
      ? [`new-entry: ${plural(entries.new, 'new entry', 'new entries')} (--by entry lists them)`]
      : []),
    ...(failOn.newPackage && packages.new > 0
      ? [
          `new-package: ${plural(packages.new, 'new package')}: ${names.slice(0, 5).join(', ')}${packages.new > 5 ? ', ...' : ''}`,
        ]
      : []),
    ...(failOn.growth !== undefined && growth === null && methods.new > 0 ? ['growth: the base has no methods'] : []),
    ...(failOn.growth !== undefined && growth !== null && growth > failOn.growth
      ? [`growth: ${formatValue(growth, 'ratio')}, more than ${formatValue(failOn.growth, 'ratio')}`]
      : []),
  ];
  for (const line of failed) note(invocation, readable(`failed: ${line}`));
  return failed.length === 0 ? undefined : EXIT.no;
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
