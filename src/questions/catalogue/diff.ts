/** What differs between recordings of any kind, and call trees as pictures. */
import { defined } from '../../base/defined.js';
import { UsageError } from '../../base/errors.js';
import { ANY_DIFF_OPTIONS, CALL_DIFF_BY, DIFF_BY } from '../options/diff.js';
import { FLAME_OPTIONS } from '../options/recording.js';
import { BASE, defineQuestion, ONE_RECORDING } from './entry.js';
import { allCountStates, allReportCalls } from './traits.js';

/** The value if it is one of `values`. */
function among<Value extends string>(values: readonly Value[], value: string): Value | undefined {
  return values.find((each) => each === value);
}

export const diff = defineQuestion({
  id: 'diff',
  title: 'compare two recordings, or several runs with several others',
  recordings: { description: 'recordings; several are runs of one program', several: true },
  options: ANY_DIFF_OPTIONS,
  compared: [{ ...BASE, description: 'recording to compare with; repeat it for several runs', several: true }],
  takesRuns: true,
  view: ({ by, ...options }, { traits }) => {
    const { metric, match, noise, normalise, same, all } = options;
    const hasNumbers = metric !== undefined || noise !== undefined || normalise || same || all;
    const hasRows = hasNumbers || match !== undefined;
    const rowsOfCalls = by && among(CALL_DIFF_BY, by);
    if (allReportCalls(traits) && (by === undefined || rowsOfCalls !== undefined)) {
      if (hasNumbers)
        throw new UsageError('reports of calls are compared without --metric, --normalise, --noise, --same and --all');
      return { view: 'calls-diff', options: defined({ by: rowsOfCalls, match }) };
    }
    if (allCountStates(traits) && !allReportCalls(traits) && (by === 'thread' || (by === undefined && !hasRows))) {
      if (hasRows)
        throw new UsageError(
          '--by thread of thread dumps takes none of --metric, --match, --normalise, --noise, --same and --all',
          'Choose threads with --thread RE.',
        );
      return { view: 'threads', options: { order: 'given' } };
    }
    const rows = by && among(DIFF_BY, by);
    if (by !== undefined && rows === undefined)
      throw new UsageError(
        `--by ${by} is for reports of calls, such as call trees`,
        `Choose one of ${DIFF_BY.join(', ')}.`,
      );
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
      throw new UsageError('--normalise needs a recording to compare with', 'Name it with --base.');
    return { view: 'flame', options };
  },
  examples: [
    `flame ${EXAMPLE} --inverted -o /tmp/binary-tree.html`,
    `flame ${EXAMPLE} --inverted --focus shootouts -o /tmp/binary-tree.svg`,
  ],
});
