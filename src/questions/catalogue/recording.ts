/** Questions that recordings of any kind can answer. */
import { z } from 'zod';
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { joinedPhrases, phrase, theInput, theOption, theStep, theView } from '../../base/phrase.js';
import { optionalChoice, optionalText } from '../options/option.js';
import {
  CALLERS_OPTIONS,
  DISASM_OPTIONS,
  FUNCTIONS_OPTIONS,
  GC_GROUPS,
  MONITORS_OPTIONS,
  SITES_OPTIONS,
  SOURCE_OPTIONS,
  THREAD_GROUPINGS,
  TREE_OPTIONS,
} from '../options/recording.js';
import { METRIC, NO_OPTIONS } from '../options/shared.js';
import {
  type AskedWith,
  BASE,
  CLASSES,
  COLLECTION_STEPS,
  type CodeInput,
  type ComparedInput,
  defineQuestion,
  ONE_RECORDING,
  SOURCES,
} from './entry.js';
import { allCountStates, allReportCalls } from './traits.js';

const EXAMPLE = 'examples/krisfoster-binary-tree.iprof';
const SHOP = 'examples/jfr/shop.jfr.gz';
const CALL_TREE = 'examples/points-to/call_tree_hello.txt.gz';
const SITES = 'examples/hprof/alloc-sites.txt';
const DEADLOCK = 'examples/deadlock-jstack.txt';
const CHANGES = 'examples/threads/dump';
const LOOPS = 'examples/loops/loops.iprof';
const LOOP_CLASSES = '--classes examples/loops';
const LOOP_SOURCES = `${LOOP_CLASSES} --source-path examples/loops`;

export const summary = defineQuestion({
  id: 'summary',
  title: 'overview: format, contents, hottest functions, problems',
  options: NO_OPTIONS,
  page: 'none',
  hasScope: false,
  view: () => ({ view: 'summary' }),
  examples: [`summary ${EXAMPLE}`, `summary ${EXAMPLE} --json`],
});

export const check = defineQuestion({
  id: 'check',
  title: 'problems of a recording',
  options: NO_OPTIONS,
  analyses: true,
  namesNative: true,
  hasScope: false,
  view: () => ({ view: 'check' }),
  examples: [`check ${EXAMPLE}`, `check ${EXAMPLE} --json`],
});

export const functions = defineQuestion({
  id: 'functions',
  title: 'functions by self and total value',
  options: FUNCTIONS_OPTIONS,
  compared: [BASE],
  namesNative: true,
  view: (options, { compared }) => {
    if (compared === undefined) return { view: 'functions', options };
    const { by, also, metric } = options;
    if (by !== 'function' || also.length > 0)
      throw new UsageError(phrase`${theOption('by')} and ${theOption('also')} are for one recording`, {
        code: 'one-recording',
        advice: phrase`${theView('diff', { choose: { by: '' } })} compares in other groups.`,
        action: { omit: ['by', 'also'] },
      });
    refuseDurations(options.durations);
    return { view: 'diff', options: { by: 'function', ...defined({ metric }) } };
  },
  examples: [
    `functions ${EXAMPLE}`,
    `functions ${EXAMPLE} --focus java.util.HashMap --format csv --limit 5`,
    `functions ${SHOP} --durations`,
    `functions ${SHOP} --by line --limit 5`,
  ],
});

/** Comparisons have no durations. */
function refuseDurations(durations: boolean): void {
  if (durations)
    throw new UsageError(phrase`${theOption('durations')} is for one recording with single events`, {
      code: 'one-recording',
      action: { omit: ['durations'] },
    });
}

const COUNTS: ComparedInput = {
  key: 'counts',
  value: 'profile',
  description: 'of reports of calls: show how often each call was made, by this PGO profile',
};

const COUNTED_CLASSES: CodeInput = {
  ...CLASSES,
  description: 'with --counts: class path, for receiver types that inherit a method',
};

/** Options of values along stacks, which reports of calls do not have. */
interface StackChoice {
  readonly metric?: string | undefined;
  readonly inverted?: boolean;
  readonly error: boolean;
  readonly durations?: boolean;
}

/** Whether the question is one about reported calls. Throws `UsageError` for options of the other kind of recordings. */
function asksCalls(options: StackChoice, { traits, compared }: AskedWith): boolean {
  // The profile is the last recording.
  if (allReportCalls(compared === 'counts' ? traits.slice(0, -1) : traits)) {
    if (compared === 'base')
      throw new UsageError(
        phrase`reports of calls are compared by ${theView('diff', { choose: { base: 'BASE', recording: 'FILE' } })}`,
        {
          code: 'one-recording',
        },
      );
    refuseStackOptions(options);
    return true;
  }
  if (compared === 'counts')
    throw new UsageError(phrase`${theInput('counts')} is for reports of calls, such as call trees`, {
      code: 'call-trees-only',
    });
  if (compared === undefined) return false;
  if (options.error)
    throw new UsageError(phrase`${theOption('error')} is for one recording`, {
      code: 'one-recording',
      advice: phrase`${theView('diff')} judges differences by their noise.`,
      action: { omit: ['error'] },
    });
  refuseDurations(options.durations === true);
  return false;
}

function refuseStackOptions({ inverted, error, durations, metric }: StackChoice): void {
  const stackOptions = [
    ...(inverted === true ? ['inverted'] : []),
    ...(error ? ['error'] : []),
    ...(durations === true ? ['durations'] : []),
    ...(metric === undefined ? [] : ['metric']),
  ];
  if (stackOptions.length > 0)
    throw new UsageError(
      phrase`${joinedPhrases(
        stackOptions.map((name) => theOption(name)),
        ' and ',
      )}: reports of calls have no values along stacks`,
      {
        code: 'no-stacks',
        advice: phrase`${theView('callers')} shows the callers of a method, ${theInput('counts')} how often each call was made.`,
        action: { omit: stackOptions },
      },
    );
}

export const callers = defineQuestion({
  id: 'callers',
  title: 'callers and callees of a function',
  recordings: ONE_RECORDING,
  subject: 'function',
  options: CALLERS_OPTIONS,
  compared: [COUNTS, BASE],
  code: [COUNTED_CLASSES],
  analyses: true,
  namesNative: true,
  page: 'sorted',
  view: (options, context) =>
    asksCalls(options, context)
      ? { view: 'calls-callers', options: { method: options.function, ids: options.ids } }
      : { view: 'callers', options },
  examples: [
    `callers ${EXAMPLE} java.lang.String.hashCode`,
    `callers ${CALL_TREE} java.util.HashMap.getNode --counts ${EXAMPLE}`,
  ],
});

export const tree = defineQuestion({
  id: 'tree',
  title: 'call tree',
  options: TREE_OPTIONS.extend({
    from: optionalText('From', 'of reports of calls: the tree below these methods', {
      value: 'methods',
      usual: 'below the entries',
    }),
  }),
  compared: [COUNTS, BASE],
  code: [COUNTED_CLASSES],
  analyses: true,
  namesNative: true,
  page: 'limit',
  view: ({ from: startMethod, ...options }, context) => {
    if (asksCalls(options, context))
      return {
        view: 'calls-tree',
        options: { depth: options.depth, ids: options.ids, ...defined({ method: startMethod }) },
      };
    if (startMethod !== undefined)
      throw new UsageError(phrase`${theOption('from')} is for reports of calls, such as call trees`, {
        code: 'call-trees-only',
        advice: phrase`Select stacks with ${theStep('focus')}.`,
        action: { omit: ['from'] },
      });
    return { view: 'tree', options };
  },
  examples: [
    `tree ${EXAMPLE} --focus shootouts --limit 10`,
    `tree ${EXAMPLE} --inverted --depth 2`,
    `tree ${SHOP} --metric blocked --durations`,
    `tree ${CALL_TREE} --from java.util.HashMap.getNode --depth 3`,
  ],
});

export const threads = defineQuestion({
  id: 'threads',
  title: 'threads with their states, stacks and values, and changes from dump to dump',
  options: z.object({
    group: optionalChoice(
      THREAD_GROUPINGS,
      'Group by',
      'threads with the same stack and state pool by pool, by pool, or none',
      { value: 'by', usual: 'virtual threads of recordings without dumps, by their pool and first own method' },
    ),
    metric: METRIC,
  }),
  compared: [BASE],
  takesRuns: true,
  view: ({ group, metric }, { traits, compared }) => {
    const isOfDump = group === 'stack' || (group === 'pool' && traits.every(({ hasStates }) => hasStates));
    if (isOfDump) {
      if (compared !== undefined || metric !== undefined)
        throw new UsageError(
          phrase`${theOption('group')} counts threads of one dump: neither ${theInput('base')} nor ${theOption('metric')}`,
          {
            code: 'options-exclude',
            advice: phrase`Choose the dump with ${theStep('dump', { choose: 'N' })}.`,
            action: { omit: ['metric'] },
          },
        );
      return { view: 'thread-groups', options: { by: group } };
    }
    if (compared !== undefined && !allCountStates(traits))
      return { view: 'diff', options: { by: 'thread', ...defined({ metric }) } };
    return { view: 'threads', options: defined({ metric, group }) };
  },
  examples: [
    `threads ${DEADLOCK}`,
    `threads ${DEADLOCK} --thread teller --json`,
    `threads ${CHANGES}-2.txt --group stack`,
    `threads ${SHOP} --group pool`,
    `threads ${CHANGES}-2.txt --base ${CHANGES}-1.txt`,
  ],
});

export const monitors = defineQuestion({
  id: 'monitors',
  title: 'locks with owners and waiters; deadlocks',
  options: MONITORS_OPTIONS,
  compared: [BASE],
  view: (options, { compared }) =>
    compared === undefined ? { view: 'monitors', options } : { view: 'diff', options: { by: 'monitor' } },
  examples: [`monitors ${DEADLOCK}`, `monitors ${EXAMPLE} --limit 5`],
});

export const sites = defineQuestion({
  id: 'sites',
  title: 'allocation sites: live and allocated bytes by class and stack',
  options: SITES_OPTIONS,
  compared: [BASE],
  view: ({ by, memory }, { compared }) => {
    if (compared === undefined) return { view: 'sites', options: { by, ...defined({ memory }) } };
    if (memory !== undefined)
      throw new UsageError(phrase`${theOption('memory')} is for one recording`, {
        code: 'one-recording',
        action: { omit: ['memory'] },
      });
    if (by === 'method')
      throw new UsageError(phrase`${theOption('by', { value: 'method' })} is for one recording`, {
        code: 'one-recording',
        advice: phrase`\`functions ${theInput('base', { choose: 'FILE' })}\` compares methods by a metric.`,
        action: { omit: ['by'] },
      });
    return { view: 'diff', options: { by: by === 'class' ? 'site-class' : 'site' } };
  },
  examples: [
    `sites ${SITES}`,
    `sites ${SITES} --sort allocated_objects --limit 5`,
    `sites ${SITES} --by class`,
    'sites examples/experiment/store.er.tar.gz --sort live_bytes',
  ],
});

const CHURN = 'examples/jfr/churn-g1.jfr.gz';

export const gc = defineQuestion({
  id: 'gc',
  steps: COLLECTION_STEPS,
  title: 'garbage collections: pauses, causes, heap before and after',
  options: z.object({
    by: optionalChoice(
      GC_GROUPS,
      'Group by',
      'sums and percentiles of pauses, or of parts of them, instead of collections',
      { value: 'groups' },
    ),
  }),
  compared: [BASE],
  view: ({ by }, { compared }) =>
    by === undefined && compared === undefined ? { view: 'gc' } : { view: 'gc-groups', options: { by: by ?? 'all' } },
  examples: [
    `gc ${CHURN}`,
    `gc ${CHURN} --by cause`,
    `gc ${CHURN} --base examples/jfr/churn-serial.jfr.gz --by cause`,
    `gc ${CHURN} --sort paused --limit 5`,
  ],
});

export const source = defineQuestion({
  id: 'source',
  title: 'source lines with the numbers recorded for each',
  recordings: ONE_RECORDING,
  subject: 'name',
  options: SOURCE_OPTIONS,
  code: [CLASSES, SOURCES],
  namesNative: true,
  page: 'code',
  view: (options) => ({ view: 'source', options }),
  examples: [`source ${LOOPS} Loops.gcd ${LOOP_SOURCES}`, `source ${LOOPS} Loops ${LOOP_SOURCES} --disasm`],
});

export const disasm = defineQuestion({
  id: 'disasm',
  title: 'bytecode of a method, or native code, with the numbers recorded for each instruction',
  recordings: ONE_RECORDING,
  subject: 'method',
  options: DISASM_OPTIONS,
  code: [CLASSES, SOURCES],
  namesNative: true,
  page: 'code',
  view: (options) => ({ view: 'disasm', options }),
  examples: [`disasm ${LOOPS} Loops.gcd ${LOOP_CLASSES}`, `disasm ${LOOPS} Loops.gcd ${LOOP_SOURCES}`],
});
