/**
 * `diff`: changes from a base to a recording, each of one run or several: classes by their objects at one moment,
 * functions and paths by a metric, and for PGO profiles branches, receivers and inlining. `analysis/identity` decides
 * which functions are the same, `analysis/noise.ts` what is noise.
 */
import { z } from 'zod';
import { unitedUse } from '../../analysis/identity/united.js';
import { DEVIATIONS } from '../../analysis/noise.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { formatCount, formatValue, plural } from '../../base/units.js';
import { DIFF_BY, DIFF_OPTIONS } from '../../questions/options/diff.js';
import {
  columnsOf,
  common,
  detail,
  HANDLE,
  listed,
  listingShape,
  maybe,
  measuredIn,
  number,
  parts,
  text,
} from '../listing.js';
import { METRIC_SHAPE } from '../metric-choice.js';
import { defineView, type Side, type ViewInput } from '../question.js';
import { type Changes, changesOf, pgoChanges, pgoNotes, usualBy } from './changes.js';
import { bytesOfRows, type ListedRows, listedRows } from './listed-rows.js';
import { graphUses } from './roots.js';
import { alongUses, commonMetrics, JOINS, relationNotes, runsOf, type Sides, sidesOf } from './runs.js';
import { STATES, type VerdictState } from './verdict.js';

const row = z.object({
  base: number('Base', 'count', 'value in the base, scaled if requested; the mean of several runs'),
  value: number('Value', 'count', 'value in the recording; the mean of several runs'),
  delta: number('Delta', 'count', 'value minus base'),
  delta_share: detail(2, maybe('Of changes', 'ratio', 'share of the delta in the sum of all absolute deltas')),
  ratio: detail(1, maybe('Ratio', 'none', 'value over base')),
  base_spread: detail(2, maybe('Base ±', 'count', 'standard deviation of the runs of the base')),
  spread: detail(2, maybe('Value ±', 'count', 'standard deviation of the runs')),
  base_total: detail(2, maybe('Base total', 'count', 'the function with everything below it, in the base')),
  total: detail(1, maybe('Total', 'count', 'the function with everything below it')),
  delta_total: detail(1, maybe('Delta total', 'count', 'total minus base total')),
  shift: detail(1, maybe('Shift', 'ratio', 'change of the share that exceeds its noise most; 1 if one side has none')),
  noise: detail(2, number('Noise', 'count', 'largest difference (for sites: shift) that is noise')),
  noise_total: detail(3, maybe('Noise total', 'count', 'largest difference of totals that is noise')),
  state: text('State', 'new, gone, changed, noise or same'),
  what: text('What', 'for sites: flip, bias, shape, classes or shares; for inlining: why only one side has it'),
  before: detail(1, parts('Before', 'shares of the executions of a site in the base')),
  after: parts('After', 'shares now'),
  names: detail(
    3,
    number(
      'Names',
      'count',
      'number of names of one recording that differ only in run-time numbers, merged into this row',
    ),
  ),
  match: detail(3, text('Match', 'how names were joined: exact, by name, ambiguous, or one side (only one has it)')),
  name: text('Name', 'class, root, function with parameters, place, or path with the innermost frame first'),
  handle: HANDLE,
});

const counts = <Key extends string>(keys: readonly Key[]) => z.record(z.enum(keys), z.number());

const run = z.object({
  recording: z.string(),
  side: z.enum(['base', 'this']),
  sum: z.number().describe('sum as recorded'),
  scale: z.number().describe('factor that its values were multiplied by'),
});

const pgo = z.object({
  branches: counts(['flip', 'bias', 'shares']).nullable(),
  receivers: counts(['shape', 'classes', 'shares']).nullable(),
  inlining: counts(['inlined', 'not inlined', 'root new', 'root gone', 'method new', 'method gone']).nullable(),
});

/** Bytes of a compared row: values and states of both sides. */
const CHANGE_BYTES = 100;

export const diffView = defineView({
  name: 'diff',
  version: 2,
  title: 'Difference',
  options: DIFF_OPTIONS,
  shape: {
    ...listingShape(row),
    base: z.object({ recording: z.string(), sum: z.number().describe('scaled sum; the mean of several runs') }),
    by: z.enum(DIFF_BY),
    metric: z.object(METRIC_SHAPE),
    sum: z.number().describe('scaled sum; the mean of several runs'),
    runs: z.array(run),
    noise: z
      .object({ level: z.number(), deviations: z.number() })
      .nullable()
      .describe('noise level; null if numbers are exact and only the spread of runs is noise'),
    states: counts(STATES),
    joined: counts(JOINS).describe('number of rows by how their names were joined'),
    together: z.number().describe('number of rows that merge several names of one recording'),
    pgo: pgo.nullable().describe('by function, for PGO profiles: number of changes by branch, receiver and inlining'),
  },
  takesRuns: true,
  needs: (input, options) => {
    const runs = runsOf(input);
    const by = usualBy(runs, options.by);
    const metrics = by === 'function' || by === 'context' ? commonMetrics(runs, options.metric) : undefined;
    return {
      united: unitedUse(runs.map(({ subject }) => subject)),
      ...(metrics === undefined ? { values: [], exclusive: [], functions: [] } : alongUses(runs, metrics)),
      graphs: by === 'root' ? graphUses(runs) : [],
    };
  },
  answer: async (input, options, { united, ...along }) => {
    const sides = sidesOf(input, united, along);
    const bytesOf = ({ judged: judgement }: Changes): number => judgement.state.length * CHANGE_BYTES;
    const changes = await input.kept('changes', bytesOf, () => changesOf(sides, options));
    const { metric, comparing } = changes;
    const listing = await input.kept('rows', bytesOfRows, () => listedRows(changes, options));
    const { matching, shownRows, moved, joined, together, states } = listing;
    const cells = cellsOf(changes, moved, shownRows);
    const sorted = new Set<string>(cellKeys(changes));
    const profileChanges = changes.by === 'function' ? pgoChanges(sides, options) : null;
    const remarks = remarksOf(changes, matching, shownRows);
    const ofValues = [...changes.notes, ...noiseNotes(changes)];
    const notes = [
      ...relationNotes(sides),
      ...formatNotes(input, sides.runs[0]),
      // Why nothing is shown comes first.
      ...(shownRows.length === 0 ? [...remarks, ...ofValues] : [...ofValues, ...remarks]),
      ...joinNotes(joined, together),
      ...(profileChanges === null ? [] : pgoNotes(profileChanges)),
    ];
    const result = common(input, notes);
    return {
      ...result,
      complete: sides.runs.every(({ recording }) => recording.complete),
      ...totalsOf(sides, changes),
      by: changes.by,
      metric,
      noise: comparing.level === undefined ? null : { level: comparing.level, deviations: DEVIATIONS },
      states,
      joined,
      together,
      pgo: profileChanges,
      ...(await listed(cells, {
        columns: columnsFor(changes, listing),
        count: shownRows.length,
        input,
        usual: 'change',
        sortable: (key) => sorted.has(key),
        orders: { change: (i) => -i },
        handle: (i) => changes.handle?.(shownRows[i]),
      })),
    };
  },
});

/** All cells of a row; `shownRows` has the rows in their order. */
function cellsOf(changes: Changes, moved: number, shownRows: readonly number[]) {
  const { judged: judgement, shift, what: kindOf, names, join, name, comparing } = changes;
  const { self, totals } = judgement;
  const [bases, others] = [comparing.bases, comparing.factors.length - comparing.bases];
  const { parts } = changes;
  const cellAt =
    <Value>(cell: (id: number) => Value) =>
    (i: number): Value =>
      cell(shownRows[i]);
  const delta = (id: number): number => self.value[id] - self.base[id];
  return {
    base: cellAt((id) => self.base[id]),
    value: cellAt((id) => self.value[id]),
    delta: cellAt(delta),
    delta_share: cellAt((id) => share(delta(id), moved)),
    ratio: cellAt((id) => (self.base[id] === 0 ? null : self.value[id] / self.base[id])),
    base_spread: cellAt((id) => (bases > 1 ? self.baseSpread[id] : null)),
    spread: cellAt((id) => (others > 1 ? self.spread[id] : null)),
    base_total: cellAt((id) => totals?.base[id] ?? null),
    total: cellAt((id) => totals?.value[id] ?? null),
    delta_total: cellAt((id) => (totals === undefined ? null : totals.value[id] - totals.base[id])),
    shift: cellAt((id) => shift?.(id) ?? null),
    noise: cellAt((id) => self.noise[id]),
    noise_total: cellAt((id) => totals?.noise[id] ?? null),
    state: cellAt((id): string => STATES[judgement.state[id]]),
    what: cellAt(kindOf),
    names: cellAt(names),
    match: cellAt((id): string => join(id)),
    name: cellAt(name),
    before: cellAt((id) => parts?.(id).before ?? []),
    after: cellAt((id) => parts?.(id).after ?? []),
  };
}

type Cells = ReturnType<typeof cellsOf>;

/** Cells of a difference of this kind: the ones it can be sorted by. */
function cellKeys({ judged: judgement, shift, comparing, by }: Changes): (keyof Cells)[] {
  const several = comparing.factors.length > 2;
  return (
    [
      'base',
      'value',
      'delta',
      'delta_share',
      'ratio',
      ...(several ? (['base_spread', 'spread'] as const) : []),
      ...(judgement.totals === undefined ? [] : (['base_total', 'total', 'delta_total', 'noise_total'] as const)),
      ...(shift === undefined ? [] : (['shift'] as const)),
      'noise',
      'state',
      ...(shift === undefined && by !== 'inlining' ? [] : (['what'] as const)),
      'names',
      'match',
      'name',
    ] as const
  ).slice();
}

/** Columns that apply here; those of values have the unit of the metric. */
function columnsFor(changes: Changes, { hasNames, hasJoins }: ListedRows) {
  const { metric, comparing, shift } = changes;
  const keys = new Set<string>(cellKeys(changes));
  if (shift !== undefined) for (const key of ['before', 'after']) keys.add(key);
  // Two columns of parts leave no room for others.
  const spare = shift === undefined ? ['noise_total'] : ['delta_share', 'ratio', 'noise_total'];
  for (const key of spare) keys.delete(key);
  if (comparing.level === undefined && comparing.factors.length === 2) keys.delete('noise');
  if (!hasNames) keys.delete('names');
  if (!hasJoins) keys.delete('match');
  return columnsOf(row)
    .filter(({ key }) => keys.has(key))
    .map((column) => {
      if (column.key === 'noise' && shift !== undefined) return { ...column, unit: 'ratio' as const };
      return column.unit === 'count' && column.key !== 'names' ? { ...column, ...measuredIn(metric) } : column;
    });
}

/** The runs with their sums, and the sums of both sides. */
function totalsOf({ runs, bases }: Sides, { sums, comparing }: Changes) {
  const scaled = sums.map((sum, i) => sum * comparing.factors[i]);
  const mean = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0) / values.length;
  return {
    base: { recording: runs[0].recording.name, sum: mean(scaled.slice(0, bases)) },
    sum: mean(scaled.slice(bases)),
    runs: runs.map(({ recording }, i) => ({
      recording: recording.name,
      side: i < bases ? ('base' as const) : ('this' as const),
      sum: sums[i],
      scale: comparing.factors[i],
    })),
  };
}

function formatNotes({ recording }: ViewInput, base: Side): Note[] {
  if (base.recording.format === recording.format) return [];
  return [
    note(
      'formats-differ',
      `Different formats (base ${base.recording.format}, this ${recording.format}): counts and names may differ.`,
    ),
  ];
}

function noiseNotes({ comparing, judged: judgement }: Changes): Note[] {
  const { level, factors, bases } = comparing;
  const runs =
    factors.length > 2
      ? [note('means', `Means of ${plural(bases, 'run')} and ${plural(factors.length - bases, 'run')}.`)]
      : [];
  const sources = level === undefined ? [] : [`${formatValue(level, 'ratio')} of each number, counting error`];
  if (factors.length > 2) sources.push('spread of the runs');
  const noise = judgement.rows.some((id) => STATES[judgement.state[id]] === 'noise');
  if (!noise || sources.length === 0) return runs;
  return [
    ...runs,
    note(
      'noise',
      phrase`Noise: differences within ${DEVIATIONS} standard deviations (${sources.join(', ')}; ${theOption('noise')}, docs/noise.md).`,
      { action: { choose: ['noise'] } },
    ),
  ];
}

function remarksOf(
  { judged: judgement, comparing }: Changes,
  matching: readonly number[],
  shownRows: readonly number[],
): Note[] {
  const notes: Note[] = [];
  const scaled = comparing.factors.filter((factor) => factor !== 1);
  if (scaled.length > 0)
    notes.push(
      note(
        'scaled',
        comparing.factors.length === 2
          ? `The base is scaled by ${Number(scaled[0].toPrecision(4))} to equal totals.`
          : 'All runs are scaled to equal totals.',
      ),
    );
  if (matching.length < judgement.rows.length)
    notes.push(
      note(
        'matching',
        `${formatCount(matching.length)} of ${plural(judgement.rows.length, 'name')} ${matching.length === 1 ? 'matches' : 'match'}; shares refer to all.`,
      ),
    );
  const states = new Set(shownRows.map((id) => STATES[judgement.state[id]]));
  const count = (state: VerdictState): number =>
    states.has(state) ? 0 : matching.filter((id) => STATES[judgement.state[id]] === state).length;
  const [same, noise] = [count('same'), count('noise')];
  if (shownRows.length === 0 && same + noise > 0)
    notes.push(note('nothing-changed', noise > 0 ? 'Nothing changed beyond noise.' : 'Nothing changed.'));
  if (same > 0)
    notes.push(
      note('unchanged', phrase`Not shown: ${plural(same, 'unchanged row')} (${theOption('same')} shows them).`, {
        action: { set: { same: true } },
      }),
    );
  if (noise > 0)
    notes.push(
      note(
        'within-noise',
        phrase`Not shown: ${plural(noise, 'row')} that ${noise === 1 ? 'differs' : 'differ'} by noise only (${theOption('all')} shows them).`,
        { action: { set: { all: true } } },
      ),
    );
  return notes;
}

function joinNotes(joined: Record<(typeof JOINS)[number], number>, together: number): Note[] {
  const notes: Note[] = [];
  if (joined['by name'] > 0)
    notes.push(
      note(
        'joined-by-name',
        `${plural(joined['by name'], 'row')} joined by name: one recording has less detail, or build hashes differ.`,
      ),
    );
  if (joined.ambiguous > 0)
    notes.push(
      note('ambiguous', `${plural(joined.ambiguous, 'row')} not joined, shown as new and gone: the name is ambiguous.`),
    );
  if (together > 0)
    notes.push(
      note(
        'merged-names',
        `${plural(together, 'row')} ${together === 1 ? 'merges' : 'merge'} names that differ only in run-time numbers (lambdas, proxies, accessors).`,
      ),
    );
  return notes;
}
