/** Commands for recordings of any kind. */
import { type Command, Option } from 'commander';
import { SITE_GROUPS, SITE_MEMORIES, type SiteGroup, type SiteMemory } from '../../analysis/sites.js';
import { FUNCTION_GROUPS, type FunctionGroup } from '../../analysis/stacks/code-groups.js';
import { UsageError } from '../../base/errors.js';
import { plural } from '../../base/units.js';
import { CATALOGUE, type RecordingTraits } from '../../questions/catalogue.js';
import type { ResultOf } from '../../views/index.js';
import { EXIT } from '../exit.js';
import { type Invocation, note } from '../host.js';
import { answer } from '../invocation/answer.js';
import { addDebugOptions } from '../invocation/debug-options.js';
import {
  addBaseOptions,
  addDurationsOption,
  addErrorOption,
  addExamples,
  addFollow,
  addLimitOption,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  addSortOption,
  type BaseOptions,
  type DurationOptions,
  type ErrorOptions,
  type FollowOption,
  type LimitOptions,
  type ListingOptions,
  listOf,
  type OutputOptions,
  type SortedOptions,
  wholeNumber,
} from '../invocation/options.js';
import { addCounts, isReport, type ReportOptions, withCounts } from './report-options.js';

const EXAMPLE = 'examples/krisfoster-binary-tree.iprof';
const SITES = 'examples/hprof/alloc-sites.txt';
const NATIVE_SITES = 'examples/experiment/store.er.tar.gz';
const DEADLOCK = 'examples/deadlock-jstack.txt';
const CHANGES = 'examples/threads/dump';
const FILES = 'recordings; - is standard input, archive.zip!/inner/path a member';

interface MetricOptions {
  readonly metric?: string;
}

interface GroupOptions {
  readonly by?: FunctionGroup;
  readonly also?: readonly string[];
}

export function registerRecordingViews(program: Command, invocation: Invocation): void {
  registerSummary(program, invocation);
  registerCheck(program, invocation);
  registerFunctions(program, invocation);
  registerCallers(program, invocation);
  registerTree(program, invocation);
  registerThreads(program, invocation);
  registerMonitors(program, invocation);
  registerSites(program, invocation);
}

function registerSummary(program: Command, invocation: Invocation): void {
  const command = program
    .command('summary')
    .description('overview: format, contents, hottest functions, problems')
    .argument('<file...>', FILES);
  addFollow(addOutputOptions(command)).action(async (files: string[], options: OutputOptions & FollowOption) => {
    const page = async (result: ResultOf<'summary'>) => (await import('../render/summary.js')).summaryPage(result);
    if (options.follow !== true) return answer(invocation, files, { view: 'summary' }, options, { page });
    const { follow } = await import('../invocation/follow.js');
    return follow(invocation, files, options, { question: () => ({ view: 'summary' }), page });
  });
  addExamples(command, [`summary ${EXAMPLE}`, `summary ${EXAMPLE} --json`]);
}

function registerCheck(program: Command, invocation: Invocation): void {
  const command = program
    .command('check')
    .description('list problems of a recording; exit code 1 if it has errors')
    .argument('<file...>', FILES)
    .option('--salvage <out>', 'write the intact part of a damaged file');
  addDebugOptions(addPageOptions(addOutputOptions(command))).action(
    async (files: string[], options: ListingOptions & { salvage?: string }) => {
      if (options.salvage !== undefined)
        return (await import('./convert.js')).salvage(invocation, files, options.salvage, options);
      return answer(invocation, files, { view: 'check' }, options, {
        exit: (result) => {
          const counted = result.codes.reduce((sum, code) => sum + code.count, 0);
          if (counted > result.total)
            note(invocation, `${plural(counted, 'problem')} in total; the first 20 of each code are listed.`);
          if (result.sound && counted === 0) note(invocation, `${result.recording}: no problems found.`);
          return result.sound && result.complete ? EXIT.done : EXIT.no;
        },
      });
    },
  );
  addExamples(command, [`check ${EXAMPLE}`, `check ${EXAMPLE} --json`]);
}

function registerFunctions(program: Command, invocation: Invocation): void {
  const command = program
    .command('functions')
    .description('functions by self and total value')
    .argument('<file...>', FILES)
    .addOption(new Option('--by <what>', 'lines, places or load objects instead').choices(FUNCTION_GROUPS))
    .option('--also <metrics>', 'columns of further metrics, joined by commas; IPC, CPI of hardware counters', listOf);
  addScopeOptions(
    addDebugOptions(
      addPageOptions(addBaseOptions(addOutputOptions(addDurationsOption(addErrorOption(addMetric(command)))))),
    ),
  ).action(
    (
      files: string[],
      options: ListingOptions & MetricOptions & ErrorOptions & DurationOptions & BaseOptions & GroupOptions,
    ) => {
      const { base, by = 'function', also = [], error, durations } = options;
      const metric = metricOf(options);
      if (base === undefined) {
        const asked = { error: error === true, durations: durations === true, by, also: [...also], ...metric };
        return answer(invocation, files, { view: 'functions', options: asked }, options);
      }
      if (by !== 'function' || also.length > 0)
        throw new UsageError('--by and --also are for one recording', '`diff --by` compares in other groups.');
      return answer(invocation, files, { view: 'diff', options: { by: 'function', ...metric } }, single(options));
    },
  );
  addExamples(command, [
    `functions ${EXAMPLE}`,
    `functions ${EXAMPLE} --focus java.util.HashMap --format csv --limit 5`,
    `functions examples/jfr/shop.jfr.gz --durations`,
    'functions examples/jfr/shop.jfr.gz --by line --limit 5',
  ]);
}

interface CallersOptions extends SortedOptions, MetricOptions, ErrorOptions, BaseOptions, ReportOptions {}

function registerCallers(program: Command, invocation: Invocation): void {
  const command = program
    .command('callers')
    .description('callers and callees of a function')
    .argument('<file>', FILES)
    .argument('<function>', 'name, Class.method, or a regular expression; a fragment of stacks as "caller -> callee"');
  addScopeOptions(
    addDebugOptions(
      addSortOption(addLimitOption(addBaseOptions(addOutputOptions(addErrorOption(addMetric(addCounts(command))))))),
    ),
  ).action((file: string, name: string, options: CallersOptions) =>
    answer<'callers' | 'calls-callers'>(
      invocation,
      [file],
      (traits) =>
        isReport(traits, options)
          ? { view: 'calls-callers', options: { method: name } }
          : { view: 'callers', options: { function: name, error: options.error === true, ...metricOf(options) } },
      withCounts(comparable(options)),
    ),
  );
  addExamples(command, [
    `callers ${EXAMPLE} java.lang.String.hashCode`,
    `callers examples/points-to/call_tree_hello.txt.gz java.util.HashMap.getNode --counts ${EXAMPLE}`,
  ]);
}

/** Options of a comparison, which has no durations. */
function single<Options extends DurationOptions>(options: Options): Options {
  if (options.durations === true) throw new UsageError('--durations is for one recording with single events');
  return options;
}

interface TreeCommandOptions
  extends LimitOptions,
    MetricOptions,
    ErrorOptions,
    DurationOptions,
    BaseOptions,
    ReportOptions {
  readonly inverted?: true;
  readonly depth: number;
}

/** Options that a comparison with a base may have. */
function comparable<Options extends ErrorOptions & DurationOptions & BaseOptions & ReportOptions>(
  options: Options,
): Options {
  const { base, counts, error } = options;
  if (base === undefined) return options;
  if (counts !== undefined) throw new UsageError('--counts and --base exclude each other');
  if (error === true) throw new UsageError('--error is for one recording', '`diff` judges differences by their noise.');
  return single(options);
}

function registerTree(program: Command, invocation: Invocation): void {
  const command = program
    .command('tree')
    .description('call tree')
    .argument('<file...>', FILES)
    .option('--inverted', 'bottom-up: functions first, their callers below')
    .option('--from <methods>', 'of reports of calls: the tree below these methods (default: below the entries)')
    .option('--depth <levels>', 'number of levels; 0 for all', wholeNumber, 0);
  addScopeOptions(
    addDebugOptions(
      addLimitOption(
        addBaseOptions(addOutputOptions(addDurationsOption(addErrorOption(addMetric(addCounts(command)))))),
      ),
    ),
  ).action((files: string[], options: TreeCommandOptions) => {
    const { from } = options;
    const question = {
      inverted: options.inverted === true,
      depth: options.depth,
      error: options.error === true,
      durations: options.durations === true,
      ...metricOf(options),
    };
    return answer<'tree' | 'calls-tree'>(
      invocation,
      files,
      (traits) =>
        isReport(traits, options)
          ? { view: 'calls-tree', options: { depth: options.depth, ...(from !== undefined && { method: from }) } }
          : { view: 'tree', options: question },
      withCounts(comparable(options)),
    );
  });
  addExamples(command, [
    `tree ${EXAMPLE} --focus shootouts --limit 10`,
    `tree ${EXAMPLE} --inverted --depth 2`,
    `tree examples/jfr/shop.jfr.gz --metric blocked --durations`,
    'tree examples/points-to/call_tree_hello.txt.gz --from java.util.HashMap.getNode --depth 3',
  ]);
}

function registerThreads(program: Command, invocation: Invocation): void {
  const command = program
    .command('threads')
    .description('threads with their states, stacks and values, and changes from dump to dump')
    .argument('<file...>', FILES);
  command.addOption(
    new Option('--group <by>', 'threads with the same stack and state pool by pool, or by pool').choices([
      'stack',
      'pool',
    ]),
  );
  addScopeOptions(addPageOptions(addBaseOptions(addOutputOptions(addMetric(command))))).action(
    (files: string[], options: ListingOptions & MetricOptions & BaseOptions & { group?: 'stack' | 'pool' }) => {
      const { group, base, metric } = options;
      if (group === undefined) return answerThreads(invocation, files, options);
      if (base !== undefined || metric !== undefined)
        throw new UsageError(
          '--group counts threads of one dump: neither --base nor --metric',
          'Choose the dump with --dump N.',
        );
      return answer(invocation, files, { view: 'thread-groups', options: { by: group } }, options);
    },
  );
  addExamples(command, [
    `threads ${DEADLOCK}`,
    `threads ${DEADLOCK} --thread teller --json`,
    `threads ${CHANGES}-2.txt --group stack`,
    `threads ${CHANGES}-2.txt --base ${CHANGES}-1.txt`,
  ]);
}

/** The threads of each file, or of the dumps of all files together if there is a base. */
async function answerThreads(
  invocation: Invocation,
  files: string[],
  options: ListingOptions & MetricOptions & BaseOptions,
): Promise<void> {
  let dumps = 0;
  const question = (traits: readonly RecordingTraits[]) => {
    const view = CATALOGUE.threadChanges(traits);
    if (options.base !== undefined && view === 'diff')
      return { view, options: { by: 'thread', ...metricOf(options) } } as const;
    if (view === 'threads') dumps = traits.length;
    return { view: 'threads', options: metricOf(options) } as const;
  };
  await answer<'threads' | 'diff'>(invocation, files, question, options, { runs: options.base !== undefined });
  if (dumps > 1 && options.base === undefined)
    note(invocation, 'To see changes from dump to dump: kansoku threads --base FIRST OTHERS…');
}

interface MonitorOptions extends ListingOptions, BaseOptions {
  readonly contention?: true;
  readonly failOnDeadlock?: true;
}

function registerMonitors(program: Command, invocation: Invocation): void {
  const command = program
    .command('monitors')
    .description('locks with owners and waiters; deadlocks')
    .argument('<file...>', FILES)
    .option('--contention', 'contention: where threads were blocked and for how long, if recorded')
    .option('--fail-on-deadlock', 'exit with code 1 if there is a deadlock');
  addScopeOptions(addPageOptions(addBaseOptions(addOutputOptions(command)))).action(
    (files: string[], options: MonitorOptions) => {
      if (options.base !== undefined) {
        if (options.failOnDeadlock === true) throw new UsageError('--fail-on-deadlock is for one recording');
        return answer(invocation, files, { view: 'diff', options: { by: 'monitor' } }, options);
      }
      const question = { contention: options.contention === true };
      return answer(invocation, files, { view: 'monitors', options: question }, options, {
        exit: (result) => {
          if (options.failOnDeadlock === true && result.deadlocks.length > 0) return EXIT.no;
          return result.complete ? EXIT.done : EXIT.partial;
        },
      });
    },
  );
  addExamples(command, [`monitors ${DEADLOCK}`, `monitors ${EXAMPLE} --limit 5`]);
}

function registerSites(program: Command, invocation: Invocation): void {
  const command = program
    .command('sites')
    .description('allocation sites: live and allocated bytes by class and stack')
    .argument('<file...>', FILES)
    .addOption(new Option('--by <rows>', 'rows of the table').choices(SITE_GROUPS).default('site'))
    .addOption(
      new Option(
        '--memory <kind>',
        'objects of the VM, or native memory (default: objects, if the recording has their allocations)',
      ).choices(SITE_MEMORIES),
    );
  addScopeOptions(addPageOptions(addBaseOptions(addOutputOptions(command)))).action(
    (files: string[], options: ListingOptions & BaseOptions & { by: SiteGroup; memory?: SiteMemory }) => {
      const { base, by, memory } = options;
      if (base === undefined)
        return answer(
          invocation,
          files,
          { view: 'sites', options: { by, ...(memory === undefined ? {} : { memory }) } },
          options,
        );
      if (memory !== undefined) throw new UsageError('--memory is for one recording');
      if (by === 'method')
        throw new UsageError(
          '--by method is for one recording',
          '`functions --base FILE` compares methods by a metric.',
        );
      return answer(
        invocation,
        files,
        { view: 'diff', options: { by: by === 'class' ? 'site-class' : 'site' } },
        options,
      );
    },
  );
  addExamples(command, [
    `sites ${SITES}`,
    `sites ${SITES} --sort allocated_objects --limit 5`,
    `sites ${SITES} --by class`,
    `sites ${NATIVE_SITES} --sort live_bytes`,
  ]);
}

function addMetric(command: Command): Command {
  return command.option('--metric <id>', 'metric to show (default: the usual one; summary lists them)');
}

function metricOf(options: MetricOptions): { metric?: string } {
  return options.metric === undefined ? {} : { metric: options.metric };
}
