/** The functions of a flame graph, and what is around one of them: as `functions` and `callers` count. */
import { type Attributed, attributedAround, inclusiveByFunction } from '../../../src/analysis/stacks/stack-values.js';
import { float64Values, int32Values } from '../../../src/base/base64.js';
import { printable } from '../../../src/base/text.js';
import type { Unit } from '../../../src/base/units.js';
import type { StackTable } from '../../../src/models/profile/profile.js';
import type { FlameResult } from '../../../src/views/flame/picture.js';

export interface FunctionValues {
  readonly names: readonly string[];
  readonly self: Float64Array;
  /** A stack counts once, however often the function is on it. */
  readonly total: Float64Array;
  readonly sum: number;
  readonly unit: Unit;
  readonly resolution: number | undefined;
  readonly around: (id: number) => Attributed;
}

/** Of a graph from the roots. O(nodes); `around`, too. */
export function functionValues({ nodes, functions, metric }: FlameResult): FunctionValues {
  const of = int32Values(nodes.function);
  const own = float64Values(nodes.self);
  const parent = int32Values(nodes.parent);
  const stacks: StackTable = { length: nodes.length, parent, location: of, ending: new Uint8Array(nodes.length) };
  const count = functions.name.length;
  const self = new Float64Array(count);
  for (let node = 0; node < nodes.length; node++) self[of[node]] += own[node];
  return {
    names: functions.name.map(printable),
    self,
    total: inclusiveByFunction(stacks, of, float64Values(nodes.total), count),
    sum: metric.sum,
    unit: metric.unit,
    resolution: metric.resolution,
    around: (id) => {
      const chosen = new Uint8Array(count);
      chosen[id] = 1;
      return attributedAround(stacks, of, own, chosen);
    },
  };
}
