/** Questions about the calls that a points-to analysis reported. */
import { z } from 'zod';
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { phrase, theInput, theOption } from '../../base/phrase.js';
import {
  ANY_CUT_OPTIONS,
  CALLS_CHECK_OPTIONS,
  ENTRIES_BY,
  GRAPH_OPTIONS,
  METHODS_BY,
  UNREACHED_BY,
  WHY_OPTIONS,
} from '../options/calls.js';
import { optionalText } from '../options/option.js';
import { CLASSES, defineQuestion } from './entry.js';

const EXAMPLE = 'examples/points-to/call_tree_hello.txt.gz';
const TRACE = 'examples/points-to/trace_types_shop.txt';
const PROFILE = 'examples/krisfoster-binary-tree.iprof';
const SHOP = 'examples/points-to/call_tree_shop-2.txt';
const OBSERVED = '--observed examples/points-to/shop.collapsed';
const REPORT = 'call tree report of GraalVM Native Image, or class files of a program';
const ONE_REPORT = { description: REPORT, several: false };

export const why = defineQuestion({
  id: 'calls why',
  title: 'why a method is reachable: shortest paths from entries; for a trace, chains of its reasons',
  recordings: { description: `reachability trace, ${REPORT}`, several: false },
  subject: 'method',
  options: WHY_OPTIONS.extend({
    method: optionalText(
      'Method',
      'name, Class.method, method filter or regular expression; of traces also a type or field',
      { value: 'method' },
    ),
  }),
  analyses: true,
  hasScope: false,
  view: ({ method, via, notVia, paths }, { traits }) => {
    if (traits.some(({ givesReasons }) => givesReasons)) {
      if (via !== undefined || notVia !== undefined)
        throw new UsageError(
          phrase`${theOption('via')} and ${theOption('notVia')} are for call trees: a trace has chosen its reasons already`,
          { code: 'call-trees-only', action: { omit: ['via', 'notVia'] } },
        );
      return { view: 'calls-reasons', options: { chains: paths, ...defined({ element: method }) } };
    }
    if (method === undefined)
      throw new UsageError('missing method', {
        code: 'needs-method',
        advice: 'Name the method behind the file.',
        action: { choose: ['method'] },
      });
    return { view: 'calls-why', options: { method, paths, ...defined({ via, notVia }) } };
  },
  examples: [
    `calls why ${EXAMPLE} java.io.PrintStream.println`,
    `calls why ${EXAMPLE} java.util.HashMap.put --paths 3`,
    `calls why ${TRACE}`,
    `calls why ${TRACE} demo.Pool.get`,
    'calls why examples/points-to/shop.jar shop.Toy.price --main shop.Main',
  ],
});

export const graph = defineQuestion({
  id: 'calls graph',
  title: 'the calls around a method',
  recordings: { description: `PGO profile, ${REPORT}`, several: false },
  subject: 'method',
  options: GRAPH_OPTIONS,
  analyses: true,
  hasScope: false,
  view: (options) => ({ view: 'calls-graph', options }),
  examples: [
    `calls graph ${PROFILE} java.util.HashMap.resize`,
    `calls graph ${EXAMPLE} java.util.HashMap.resize`,
    `calls graph ${EXAMPLE} java.util.HashMap.resize --depth 2 --most 25 -o /tmp/resize.svg`,
  ],
});

export const entries = defineQuestion({
  id: 'calls entries',
  title: 'entries with their reasons, and the methods that only they lead to',
  recordings: { description: REPORT, several: true },
  options: z.object({ by: ENTRIES_BY }),
  code: [CLASSES],
  analyses: true,
  hasScope: false,
  view: ({ by }) =>
    by === undefined ? { view: 'calls-entries' } : { view: 'calls-groups', options: { show: 'entries', by } },
  examples: [`calls entries ${EXAMPLE} --limit 5`, `calls entries ${EXAMPLE} --by reason --limit 5`],
});

export const methods = defineQuestion({
  id: 'calls methods',
  title: 'methods of the report by package, class, module or loader',
  recordings: { description: `list of methods, reachability dump, ${REPORT}`, several: true },
  options: z.object({ by: METHODS_BY }),
  code: [CLASSES],
  analyses: true,
  hasScope: false,
  view: ({ by }) => ({ view: 'calls-groups', options: { show: 'methods', by } }),
  examples: [`calls methods ${EXAMPLE} --limit 5`, `calls methods ${EXAMPLE} --by loader`],
});

/** What the recordings of `--observed` are, in the words of a help. */
function observedInput(description: string) {
  return [{ key: 'observed', value: 'profile', description, several: true }] as const;
}

export const cut = defineQuestion({
  id: 'calls cut',
  title:
    'methods that would no longer be reachable without some methods or calls; the fewest calls to remove for an amount of code',
  recordings: ONE_REPORT,
  subject: 'cut',
  options: ANY_CUT_OPTIONS,
  compared: observedInput('with an amount of bytes: methods that this recording saw must stay; repeat it for several'),
  takesRuns: true,
  code: [CLASSES],
  analyses: true,
  hasScope: false,
  view: ({ bytes, keep, ...options }, { compared }) => {
    if (bytes === undefined) {
      if (keep === undefined && compared === undefined) return { view: 'calls-cut', options };
      throw new UsageError(
        phrase`${theOption('keep')} and ${theInput('observed')} are for a search of the smallest cut`,
        {
          code: 'needs-amount',
          advice: phrase`Say how much code it frees: ${theOption('bytes', { value: '20MB' })}.`,
          action: { choose: ['bytes'] },
        },
      );
    }
    const { cut, class: type, package: name } = options;
    if (cut !== undefined || type !== undefined || name !== undefined || options.by !== 'method')
      throw new UsageError(phrase`${theOption('bytes')} searches the cut: none can be named, and it has no groups`, {
        code: 'options-exclude',
        action: { omit: ['cut', 'class', 'package', 'by'] },
      });
    return { view: 'calls-smallest-cut', options: { bytes, ...defined({ keep }) } };
  },
  examples: [
    `calls cut ${EXAMPLE} --limit 5`,
    `calls cut ${EXAMPLE} --package java.util.regex --by class`,
    `calls cut ${SHOP} --bytes 60 --classes examples/points-to/shop.jar ${OBSERVED}`,
  ],
});

export const check = defineQuestion({
  id: 'calls check',
  title: 'whether methods are reachable that must not be, with the shortest path to them',
  recordings: { description: `list of methods, reachability dump, ${REPORT}`, several: true },
  options: CALLS_CHECK_OPTIONS,
  page: 'rows',
  analyses: true,
  hasScope: false,
  view: (options) => ({ view: 'calls-check', options }),
  examples: [
    `calls check ${EXAMPLE} --forbid 'java.awt.**' --forbid sun.misc.Unsafe`,
    `calls check ${SHOP} --forbid 'shop.tax.*' --allow shop.tax.Rate.parent`,
  ],
});

export const unreached = defineQuestion({
  id: 'calls unreached',
  title: 'methods of the class path, or those that a profile saw, that are not reachable',
  recordings: ONE_REPORT,
  options: z.object({ by: UNREACHED_BY }),
  compared: observedInput(
    'methods that this recording saw and the report lacks: any profile, thread dump or heap dump with stacks; repeat it for several',
  ),
  takesRuns: true,
  code: [CLASSES],
  analyses: true,
  hasScope: false,
  view: ({ by }, { compared }) => ({
    view: 'calls-unreached',
    options: { show: compared === undefined ? 'unreached' : 'missed', by },
  }),
  examples: [
    `calls unreached ${SHOP} ${OBSERVED} --by method`,
    `calls unreached ${SHOP} --classes examples/points-to/shop.jar`,
  ],
});

export const unobserved = defineQuestion({
  id: 'calls unobserved',
  title: 'reachable methods that no profile saw, with the size of what could go',
  recordings: ONE_REPORT,
  options: z.object({ by: UNREACHED_BY }),
  compared: observedInput('recording that saw methods run: any profile; repeat it for several (required)'),
  takesRuns: true,
  code: [CLASSES],
  analyses: true,
  hasScope: false,
  view: ({ by }, { compared }) => {
    if (compared === undefined)
      throw new UsageError('unobserved methods need a profile', {
        code: 'needs-profile',
        advice: phrase`Name it: ${theInput('observed', { choose: 'FILE' })}.`,
        action: { give: ['observed'] },
      });
    return { view: 'calls-unreached', options: { show: 'unobserved', by } };
  },
  examples: [`calls unobserved ${SHOP} ${OBSERVED}`],
});
