/** `diff`: two recordings of any kind, or several runs of each. */
import { type Command, Option } from 'commander';
import { USUAL_LEVEL } from '../../analysis/noise.js';
import { UsageError } from '../../base/errors.js';
import type { Recording } from '../../models/recording.js';
import type { Question } from '../../session/session.js';
import { DIFF_BY, type DiffBy } from '../../views/diff/changes.js';
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
import { saysStates } from '../invocation/says-states.js';

interface DiffOptions extends ListingOptions {
  readonly by?: DiffBy | 'thread';
  readonly metric?: string;
  readonly match?: string;
  readonly normalise?: true;
  readonly noise?: number;
  readonly same?: true;
  readonly all?: true;
  readonly base?: readonly string[];
  readonly baseDump?: number;
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
        'rows to compare (default: class if all recordings count objects by class, thread for thread dumps, else function); branch, receiver, instanceof and inlining need PGO profiles',
      ).choices([...DIFF_BY, 'thread']),
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
    .option('--base-dump <number>', 'dump of the base, if it has several', wholeNumber);
  addScopeOptions(addPageOptions(addOutputOptions(command))).action((files: string[], options: DiffOptions) => {
    const { base, now } = sidesOf(files, options.base);
    const question = questionOf(options);
    return answer(invocation, now, question, { ...options, base }, { runs: true });
  });
  addExamples(command, [
    'diff examples/histogram/before.txt examples/histogram/after.txt',
    'diff examples/histogram/before.txt examples/histogram/after.txt --metric live-objects --match ^Growing',
    'diff examples/threads/dump-1.txt examples/threads/dump-2.txt',
    'diff examples/pgo/before.iprof examples/pgo/after.iprof --by branch',
  ]);
}

/** The question: `threads` if threads are compared, which is the default for thread dumps. */
function questionOf(options: DiffOptions): (recordings: readonly Recording[]) => Asked {
  const { by, metric, match, noise } = options;
  const ofRows = [metric, match, noise, options.normalise, options.same, options.all].some(
    (given) => given !== undefined,
  );
  if (by === 'thread' && ofRows)
    throw new UsageError(
      '--by thread takes none of --metric, --match, --normalise, --noise, --same and --all',
      'Choose threads with --thread RE.',
    );
  return (recordings) => {
    const isThreads = by === 'thread' || (by === undefined && !ofRows && recordings.every(saysStates));
    if (isThreads) return { view: 'threads', options: { order: 'given' } };
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

type Asked =
  | (Pick<Question<'diff'>, 'options'> & { readonly view: 'diff' })
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
