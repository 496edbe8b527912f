/**
 * Differences along paths: a row for each path with a number, or for each method and the compilation it was inlined
 * into.
 */
import { squaresByStack } from '../../analysis/stacks/stack-values.js';
import { IntTable } from '../../base/columns/hash.js';
import { rowsWhere } from '../../base/columns/marks.js';
import { MissingError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import { type Metric, type Profile, STACK_ENDINGS } from '../../models/profile/profile.js';
import { dumpsOf, metricOf, sumNotes } from '../metric-choice.js';
import type { Side } from '../question.js';
import { Paths, Places } from './places.js';
import {
  commonMetrics,
  JOINS,
  type Join,
  metricDifferences,
  momentNotes,
  type Sides,
  sideNotes,
  stepOf,
} from './runs.js';
import { type Counting, countingOf, type DiffMetric, type ValueRows } from './values.js';

/** Each path with its exclusive value. */
export function contextRows(sides: Sides, id: string | undefined): ValueRows {
  const { runs, bases, along } = sides;
  const metrics = commonMetrics(runs, id);
  const places = new Places(sides);
  const paths = new Paths();
  const read = runs.map(({ profile }, run) =>
    profile === undefined
      ? { paths: new Int32Array(), exclusive: new Float64Array() }
      : { paths: paths.add(run, profile.stacks, places), exclusive: along.exclusive[run] },
  );
  const byPath = ({ paths: pathOfStack }: { readonly paths: Int32Array }, byStack: Float64Array): Float64Array => {
    const sums = new Float64Array(paths.length);
    for (let stack = 0; stack < pathOfStack.length; stack++) sums[pathOfStack[stack]] += byStack[stack];
    return sums;
  };
  const values = read.map((one) => byPath(one, one.exclusive));
  const counting = runs.map(({ profile }, run): Counting | undefined => {
    const squares = profile && squaresByStack(profile, metrics[run]);
    return squares && { values: byPath(read[run], squares), totals: undefined };
  });
  const parents = paths.parents();
  const leaves = paths.places();
  const placeName = places.names();
  const joinOf = places.joins();
  return {
    metric: metricOf(metrics[bases]),
    length: paths.length,
    values,
    totals: undefined,
    sums: values.map((column) => column.reduce((sum, value) => sum + value, 0)),
    steps: metrics.map(stepOf),
    ...countingOf(counting),
    name: (row) => [...frames(row, parents)].map((node) => placeName(leaves[node])).join(' < '),
    join: (row) => weakest([...frames(row, parents)].map((node) => joinOf(leaves[node]))),
    names: () => 1,
    notes: [
      ...momentNotes(sides),
      ...metricDifferences(metrics[bases], metrics[0]),
      ...sideNotes(sumsOf(runs[0], metrics[0]), sumsOf(runs[bases], metrics[bases])),
      note('rows', 'Each row is a path, the innermost frame first.'),
    ],
  };
}

function sumsOf({ profile }: Side, metric: Metric): Note[] {
  return profile === undefined ? [] : sumNotes(dumpsOf(metric, profile));
}

function* frames(leaf: number, parents: Int32Array): Generator<number> {
  for (let node = leaf; node >= 0; node = parents[node]) yield node;
}

/** A path is joined as its least certain frame. */
function weakest(joins: readonly Join[]): Join {
  return JOINS[Math.max(0, ...joins.map((join) => JOINS.indexOf(join)))] ?? 'exact';
}

/** Why a method is inlined into a root on only one side. */
const INLINING = ['inlined', 'not inlined', 'root new', 'root gone', 'method new', 'method gone'] as const;

export interface InliningRows extends ValueRows {
  /** The reason for a row that only one side has. */
  readonly what: (row: number, inBase: boolean) => (typeof INLINING)[number];
}

/**
 * Calls of each method in the compilation of each root it was inlined into, for PGO profiles with stacks that begin at
 * the root of a compilation.
 */
export function inliningRows(sides: Sides): InliningRows {
  const { runs, bases } = sides;
  const { functions } = sides.united;
  const pairs = new IntTable();
  const read = runs.map((run, i) => inlinedCalls(run, functions.rows[i], pairs));
  const values = read.map(({ pair, calls }) => {
    const sums = new Float64Array(pairs.length);
    for (let i = 0; i < pair.length; i++) if (pair[i] >= 0) sums[pair[i]] += calls[i];
    return sums;
  });
  const [methods, roots] = [pairs.column(0), pairs.column(1)];
  const seenPairs = [new Seen(functions.length), new Seen(functions.length)];
  read.forEach(({ method, root, calls }, run) => {
    seenPairs[run < bases ? 0 : 1].add(method, root, calls);
  });
  const joins = sides.functionJoins;
  return {
    metric: CALLS,
    length: pairs.length,
    values,
    totals: undefined,
    sums: read.map(({ calls }) => calls.reduce((sum, value) => sum + value, 0)),
    steps: runs.map(() => 1),
    name: (row) => `${functions.name(methods[row])} into ${functions.name(roots[row])}`,
    join: (row) => weakest([methods[row], roots[row]].map((functionRow) => JOINS[joins[functionRow]] ?? 'exact')),
    names: () => 1,
    notes: [note('rows', 'Each row is a method and a compilation root it was inlined into; counts are not compared.')],
    what: (row, inBase) => {
      const without = seenPairs[inBase ? 1 : 0];
      if (without.root[roots[row]] === 0) return inBase ? 'root gone' : 'root new';
      if (without.method[methods[row]] === 0) return inBase ? 'method gone' : 'method new';
      return inBase ? 'not inlined' : 'inlined';
    },
  };
}

const CALLS: DiffMetric = { id: 'calls', title: 'Calls', unit: 'count', nature: 'site' };

/** The methods that ran, and the roots with calls in their compilation, on one side. */
class Seen {
  readonly method: Uint8Array;
  readonly root: Uint8Array;

  constructor(functions: number) {
    this.method = new Uint8Array(functions);
    this.root = new Uint8Array(functions);
  }

  add(methods: Int32Array, roots: Int32Array, calls: Float64Array): void {
    for (let i = 0; i < calls.length; i++) {
      if (calls[i] === 0) continue;
      this.method[methods[i]] = 1;
      this.root[roots[i]] = 1;
    }
  }
}

export function hasInlining(profile: Profile | undefined): boolean {
  return CALL_EVENTS.of(profile) !== undefined;
}

/** By row of the call counts: joined method and root, the pair (-1: the root itself), and the calls. */
function inlinedCalls({ profile, recording }: Side, rows: Int32Array, pairs: IntTable) {
  const counted = CALL_EVENTS.of(profile);
  if (profile === undefined || counted === undefined)
    throw new MissingError(`${recording.name} has no call counts`, {
      code: 'no-call-counts',
      advice: 'Inlining is read from them: PGO profiles (.iprof).',
    });
  const { stacks } = profile;
  const functions = recording.program.locations.function;
  const rootOf = new Int32Array(stacks.length);
  for (let id = 0; id < stacks.length; id++) rootOf[id] = stacks.parent[id] >= 0 ? rootOf[stacks.parent[id]] : id;
  const { stack: leaves, count } = counted;
  const partial = STACK_ENDINGS.indexOf('partial');
  const partialRows = rowsWhere(leaves.length, (row) => stacks.ending[leaves[row]] === partial);
  const [method, root, pair] = [0, 1, 2].map(() => new Int32Array(partialRows.length));
  const calls = new Float64Array(partialRows.length);
  for (let i = 0; i < partialRows.length; i++) {
    const stack = leaves[partialRows[i]];
    method[i] = rows[functions[stacks.location[stack]]];
    root[i] = rows[functions[stacks.location[rootOf[stack]]]];
    pair[i] = rootOf[stack] === stack ? -1 : pairs.add(method[i], root[i]);
    calls[i] = count[partialRows[i]];
  }
  return { method, root, pair, calls };
}
