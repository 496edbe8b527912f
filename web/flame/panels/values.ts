/** The functions of a flame graph, and what is around one of them: as `functions` and `callers` count. */
import { attributedAround, inclusiveByFunction } from '../../../src/analysis/stacks/stack-values.js';
import { float64Values, int32Values } from '../../../src/base/base64.js';
import { printable } from '../../../src/base/text.js';
import { formatValue } from '../../../src/base/units.js';
import type { StackTable } from '../../../src/models/profile/profile.js';
import { isSource } from '../../../src/pictures/flame/derive.js';
import type { FlameResult } from '../../../src/pictures/flame/picture.js';
import { percent } from '../../../src/pictures/flame/words.js';

export interface PictureValues {
  readonly names: readonly string[];
  /** By function; empty for none. */
  readonly packages: readonly string[];
  readonly self: Float64Array;
  /** A stack counts once, however often the function is on it. Undefined for metrics that do not add up along stacks. */
  readonly total: Float64Array | undefined;
  readonly sum: number;
  /** A value with its share. */
  readonly text: (value: number) => string;
  readonly around: (id: number) => NeighbourValues;
}

/** `callers` and `callees` by function; -1 is what has none: a root, or the function itself. */
export interface NeighbourValues {
  readonly inclusive: number | undefined;
  readonly exclusive: number;
  readonly callers: ReadonlyMap<number, number>;
  readonly callees: ReadonlyMap<number, number>;
}

/** Whether the functions of a graph can be counted: it is whole, and from the roots if its metric adds up. */
export function isCountable(result: FlameResult): boolean {
  return isSource(result) || (isOfPlaces(result) && result.left_out === 0);
}

/** Whether the metric belongs to places, so that it must not be summed along stacks. */
function isOfPlaces({ metric }: FlameResult): boolean {
  return metric.nature === 'site' || metric.nature === 'static';
}

/** Of a countable graph. O(nodes); `around`, too. */
export function functionValues(result: FlameResult): PictureValues {
  const { nodes, functions, metric } = result;
  const { sum, unit, resolution } = metric;
  const of = int32Values(nodes.function);
  const parent = int32Values(nodes.parent);
  const names = functions.name.map(printable);
  const packages = functions.package.map((id) => printable(result.packages[id] ?? ''));
  const text = (value: number): string => `${formatValue(value, unit, resolution)} (${percent(value, sum)})`;
  if (isOfPlaces(result))
    return { names, packages, sum, text, ...valuesOfPlaces(parent, of, float64Values(nodes.total), names.length) };
  const own = float64Values(nodes.self);
  const stacks: StackTable = { length: nodes.length, parent, location: of, ending: new Uint8Array(nodes.length) };
  const count = names.length;
  const self = new Float64Array(count);
  for (let node = 0; node < nodes.length; node++) self[of[node]] += own[node];
  return {
    names,
    packages,
    self,
    total: inclusiveByFunction(stacks, of, float64Values(nodes.total), count),
    sum,
    text,
    around: (id) => {
      const chosen = new Uint8Array(count);
      chosen[id] = 1;
      return attributedAround(stacks, of, own, [chosen]);
    },
  };
}

/**
 * Of an inverted graph: its roots are the functions, the nodes below them the callers that they are inlined into. A callee of
 * a function is a root above it.
 */
function valuesOfPlaces(parent: Int32Array, of: Int32Array, total: Float64Array, count: number) {
  const self = new Float64Array(count);
  for (let node = 0; node < parent.length; node++) if (parent[node] < 0) self[of[node]] += total[node];
  const around = (id: number): NeighbourValues => {
    const callers = new Map<number, number>();
    const callees = new Map<number, number>();
    let called = 0;
    for (let node = 0; node < parent.length; node++) {
      const root = parent[node];
      if (root < 0 || parent[root] >= 0) continue;
      if (of[node] === id) callees.set(of[root], (callees.get(of[root]) ?? 0) + total[node]);
      if (of[root] !== id) continue;
      callers.set(of[node], (callers.get(of[node]) ?? 0) + total[node]);
      called += total[node];
    }
    if (called !== self[id]) callers.set(-1, self[id] - called);
    return { inclusive: undefined, exclusive: self[id], callers, callees };
  };
  return { self, total: undefined, around };
}
