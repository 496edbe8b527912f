/**
 * `diff`: what changed from a base to a recording: classes by the objects at one moment, functions by a metric. Rows are
 * joined by `analysis/identity`.
 */
import { z } from 'zod';
import { byIdentity, type Joined } from '../analysis/identity/spelling.js';
import { UsageError } from '../base/errors.js';
import { formatCount, plural } from '../base/units.js';
import { type DiffSide, diffSides } from './diff-sides.js';
import {
  columnsOf,
  common,
  defineView,
  listingShape,
  METRIC_SHAPE,
  maybe,
  number,
  pageOf,
  share,
  text,
  usingPattern,
} from './view.js';

const STATES = ['new', 'gone', 'changed', 'same'] as const;
type State = (typeof STATES)[number];

const row = z.object({
  base: number('Base', 'count', 'value in the base, scaled where that was asked for'),
  value: number('Value', 'count', 'value in the recording'),
  delta: number('Delta', 'count', 'value minus base'),
  delta_share: maybe('Delta %', 'ratio', 'of all changes, taken without their signs'),
  ratio: maybe('Ratio', 'none', 'value over base'),
  base_total: maybe('Base total', 'count', 'with everything below the function, in the base'),
  total: maybe('Total', 'count', 'with everything below the function'),
  delta_total: maybe('Delta total', 'count', 'total minus base total'),
  state: text('State', 'new, gone, changed or same'),
  names: number('Names', 'count', 'names of one side that differ in run-time numbers only and are one row here'),
  name: text('Name', 'class, or function with parameters'),
});

export const diffView = defineView({
  name: 'diff',
  version: 1,
  title: 'Difference',
  options: z.object({
    by: z.enum(['class', 'function']).optional(),
    metric: z.string().optional(),
    normalise: z.boolean().default(false),
    same: z.boolean().default(false),
    match: z.string().optional(),
  }),
  shape: {
    ...listingShape(row),
    base: z.object({ recording: z.string(), sum: z.number() }),
    by: z.enum(['class', 'function']),
    metric: z.object(METRIC_SHAPE),
    sum: z.number(),
    scale: z.number().describe('what the values of the base were multiplied by'),
    states: z.object({ new: z.number(), gone: z.number(), changed: z.number(), same: z.number() }),
    ambiguous: z.number().describe('rows that put several names of one side together'),
  },
  answer: (input, options) => {
    if (input.base === undefined) throw new UsageError('diff needs a base to compare with', 'kansoku diff BASE FILE');
    const { by, metric, now, before, flow, notes } = diffSides(input, input.base, options);
    const scale = options.normalise ? scaleOf(now, before) : 1;
    const all = changes(now, before, scale);
    const wanted = nameFilter(options.match);
    const matching = all.filter((change) => wanted(change.name));
    const shown = matching.filter((change) => options.same || change.state !== 'same');
    const moved = all.reduce((sum, change) => sum + Math.abs(change.delta), 0);
    const keys = {
      change: (i: number) => Math.abs(shown[i].delta),
      base: (i: number) => shown[i].base,
      value: (i: number) => shown[i].value,
      delta: (i: number) => shown[i].delta,
      delta_share: (i: number) => share(shown[i].delta, moved),
      ratio: (i: number) => ratio(shown[i]),
      ...(flow ? totalKeys(shown) : {}),
      state: (i: number) => shown[i].state,
      names: (i: number) => shown[i].names,
      name: (i: number) => shown[i].name,
    };
    const order = pageOf(shown.length, keys, input.page, 'change');
    const result = common(input, [...notes, ...remarks(all, matching, shown, scale)]);
    return {
      ...result,
      complete: result.complete && input.base.recording.complete,
      base: { recording: input.base.recording.name, sum: before.sum },
      by,
      metric,
      sum: now.sum,
      scale,
      states: countStates(matching),
      ambiguous: all.filter((change) => change.names > 1).length,
      columns: columnsFor(shown, flow, metric.unit),
      total: shown.length,
      offset: input.page.offset,
      rows: order.map((i) => ({
        base: shown[i].base,
        value: shown[i].value,
        delta: shown[i].delta,
        delta_share: share(shown[i].delta, moved),
        ratio: ratio(shown[i]),
        base_total: flow ? shown[i].baseTotal : null,
        total: flow ? shown[i].total : null,
        delta_total: flow ? shown[i].total - shown[i].baseTotal : null,
        state: shown[i].state,
        names: shown[i].names,
        name: shown[i].name,
      })),
    };
  },
});

/** What makes the base's total that of the recording. */
function scaleOf(now: DiffSide, before: DiffSide): number {
  if (now.sum > 0 && before.sum > 0) return now.sum / before.sum;
  throw new UsageError('the base cannot be scaled: one of the two has no total', 'Compare without --normalise.');
}

interface Change {
  readonly name: string;
  readonly base: number;
  readonly value: number;
  readonly delta: number;
  readonly baseTotal: number;
  readonly total: number;
  readonly names: number;
  readonly state: State;
}

/** Every name of either side. */
function changes(now: DiffSide, before: DiffSide, scale: number): Change[] {
  const values = byIdentity(now.entries);
  const bases = byIdentity(before.entries);
  const names = new Set([...values.keys(), ...bases.keys()]);
  return [...names].map((name) => change(name, values.get(name), bases.get(name), scale));
}

function change(name: string, one: Joined | undefined, other: Joined | undefined, scale: number): Change {
  const value = one?.value ?? 0;
  const total = one?.total ?? 0;
  const base = (other?.value ?? 0) * scale;
  const baseTotal = (other?.total ?? 0) * scale;
  const equal = near(value, base, scale) && near(total, baseTotal, scale);
  const state = other === undefined ? 'new' : one === undefined ? 'gone' : equal ? 'same' : 'changed';
  const names = Math.max(one?.names ?? 0, other?.names ?? 0);
  return { name, base, value, delta: value - base, baseTotal, total, names, state };
}

/** Scaling rounds: what is equal to nine digits is equal then. */
function near(value: number, base: number, scale: number): boolean {
  return value === base || (scale !== 1 && Math.abs(value - base) <= 1e-9 * Math.max(value, base));
}

function ratio(change: Change): number | null {
  return change.base === 0 ? null : change.value / change.base;
}

function totalKeys(shown: readonly Change[]) {
  return {
    base_total: (i: number) => shown[i].baseTotal,
    total: (i: number) => shown[i].total,
    delta_total: (i: number) => shown[i].total - shown[i].baseTotal,
  };
}

function countStates(all: readonly Change[]) {
  const count = (state: State): number => all.filter((change) => change.state === state).length;
  return { new: count('new'), gone: count('gone'), changed: count('changed'), same: count('same') };
}

function nameFilter(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined) return () => true;
  const expression = usingPattern(`not a regular expression: ${pattern}`, () => new RegExp(pattern, 'u'));
  return (name) => expression.test(name);
}

/** Columns of values have the unit of the metric. */
function columnsFor(shown: readonly Change[], flow: boolean, unit: DiffUnit) {
  return columnsOf(row)
    .filter(({ key }) => (key === 'names' ? shown.some((one) => one.names > 1) : flow || !key.includes('total')))
    .map((column) => (column.unit === 'count' && column.key !== 'names' ? { ...column, unit } : column));
}

type DiffUnit = ReturnType<typeof diffSides>['metric']['unit'];

function remarks(all: readonly Change[], matching: readonly Change[], shown: readonly Change[], scale: number) {
  const said: string[] = [];
  if (scale !== 1) said.push(`The base is scaled by ${Number(scale.toPrecision(4))} to the same total.`);
  if (matching.length < all.length)
    said.push(`${formatCount(matching.length)} of ${plural(all.length, 'name')} match; shares are of all.`);
  const hidden = matching.length - shown.length;
  if (hidden > 0) said.push(`${formatCount(hidden)} did not change and are not shown (--same shows them).`);
  const ambiguous = all.filter((change) => change.names > 1).length;
  if (ambiguous > 0)
    said.push(
      `${plural(ambiguous, 'row')} put together names that differ in numbers made at run time (lambdas, proxies, accessors).`,
    );
  return said;
}
