/** What differs between recordings of any kind, and call trees as pictures. */
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { phrase, theInput, theOption, theStep } from '../../base/phrase.js';
import { ANY_DIFF_OPTIONS, CALL_DIFF_BY, DIFF_BY } from '../options/diff.js';
import { FLAME_OPTIONS } from '../options/recording.js';
import { BASE, defineQuestion, ONE_RECORDING } from './entry.js';
import { allCountStates, allReportCalls } from './traits.js';

/** The value if it is one of `values`. */
function among<Value extends string>(values: readonly Value[], value: string): Value | undefined {
  return values.find((each) => each === value);
}

/** Options of differences of values, which reports of calls and thread dumps do not have. */
const OF_VALUES = ['metric', 'normalise', 'noise', 'same', 'all'];

export const diff = defineQuestion({
  id: 'diff',
  title: 'compare two recordings, or several runs with several others',
  recordings: { description: 'recordings; several are runs of one program', several: true },
  options: ANY_DIFF_OPTIONS,
  compared: [{ ...BASE, description: 'recording to compare with; repeat it for several runs', several: true }],
  takesRuns: true,
  analyses: true,
  view: ({ by, ...options }, { traits }) => {
    const { metric, match, noise, normalise, same, all } = options;
    const hasNumbers = metric !== undefined || noise !== undefined || normalise || same || all;
    const hasRows = hasNumbers || match !== undefined;
    const rowsOfCalls = by && among(CALL_DIFF_BY, by);
    if (allReportCalls(traits) && (by === undefined || rowsOfCalls !== undefined)) {
      if (hasNumbers)
        throw new UsageError(
          phrase`reports of calls are compared without ${theOption('metric')}, ${theOption('normalise')}, ${theOption('noise')}, ${theOption('same')} and ${theOption('all')}`,
          { code: 'options-exclude', action: { omit: [...OF_VALUES] } },
        );
      return { view: 'calls-diff', options: defined({ by: rowsOfCalls, match }) };
    }
    if (allCountStates(traits) && !allReportCalls(traits) && (by === 'thread' || (by === undefined && !hasRows))) {
      if (hasRows)
        throw new UsageError(
          phrase`${theOption('by', { value: 'thread' })} of thread dumps takes none of ${theOption('metric')}, ${theOption('match')}, ${theOption('normalise')}, ${theOption('noise')}, ${theOption('same')} and ${theOption('all')}`,
          {
            code: 'options-exclude',
            advice: phrase`Choose threads with ${theStep('thread', { choose: 'RE' })}.`,
            action: { omit: ['match', ...OF_VALUES] },
          },
        );
      return { view: 'threads', options: { order: 'given' } };
    }
    const rows = by && among(DIFF_BY, by);
    if (by !== undefined && rows === undefined)
      throw new UsageError(phrase`${theOption('by', { value: by })} is for reports of calls, such as call trees`, {
        code: 'call-trees-only',
        advice: `Choose one of ${DIFF_BY.join(', ')}.`,
        action: { choose: ['by'] },
      });
    return { view: 'diff', options: { normalise, same, all, ...defined({ by: rows, metric, match, noise }) } };
  },
  examples: [
    'diff examples/histogram/before.txt examples/histogram/after.txt',
    'diff examples/histogram/before.txt examples/histogram/after.txt --metric live-objects --match ^Growing',
    'diff examples/threads/dump-1.txt examples/threads/dump-2.txt',
    'diff examples/pgo/before.iprof examples/pgo/after.iprof --by branch',
    'diff examples/points-to/call_tree_shop-1.txt examples/points-to/call_tree_shop-2.txt',
  ],
});

const EXAMPLE = 'examples/krisfoster-binary-tree.iprof';

export const flame = defineQuestion({
  id: 'flame',
  title: 'call tree as a picture',
  recordings: ONE_RECORDING,
  options: FLAME_OPTIONS,
  compared: [{ ...BASE, description: 'recording to compare with' }],
  namesNative: true,
  page: 'none',
  view: (options, { compared }) => {
    if (options.normalise && compared === undefined)
      throw new UsageError(phrase`${theOption('normalise')} needs a recording to compare with`, {
        code: 'needs-base',
        advice: phrase`Name it with ${theInput('base')}.`,
        action: { omit: ['normalise'] },
      });
    return { view: 'flame', options };
  },
  examples: [
    `flame ${EXAMPLE} --inverted -o /tmp/binary-tree.html`,
    `flame ${EXAMPLE} --inverted --focus shootouts -o /tmp/binary-tree.svg`,
  ],
});
