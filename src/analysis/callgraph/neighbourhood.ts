/** The methods near others in a call graph: their callers and callees up to a distance, the nearest first. */
import type { FunctionId } from '../../models/program/program.js';
import { type CallIndex, callerOf } from './reach.js';

export interface Neighbourhood {
  /** The methods in the middle first, then level by level. */
  readonly methods: readonly FunctionId[];
  /** Of each: calls from the middle; negative for callers. */
  readonly distance: readonly number[];
  /** Methods within the distance that are beyond the limit. */
  readonly left: number;
}

/** At most `most` methods around `middle`, all of which are taken. A method that is caller and callee is on the nearer side. O(edges). */
export function neighbourhood(
  index: CallIndex,
  middle: readonly FunctionId[],
  { depth, most }: { readonly depth: number; readonly most: number },
): Neighbourhood {
  const seen = new Uint8Array(index.functions);
  const methods: FunctionId[] = [...new Set(middle)];
  const distance = methods.map(() => 0);
  for (const id of methods) seen[id] = 1;
  let left = 0;
  let levels: Record<Side, readonly FunctionId[]> = { callers: [...methods], callees: [...methods] };
  for (let level = 1; level <= depth; level++) {
    const next: Record<Side, FunctionId[]> = { callers: [], callees: [] };
    for (const side of SIDES)
      for (const id of levels[side])
        for (const other of besides(index, id, side)) {
          if (seen[other] === 1) continue;
          seen[other] = 1;
          next[side].push(other);
          if (methods.length >= most) left++;
          else {
            methods.push(other);
            distance.push(side === 'callers' ? -level : level);
          }
        }
    levels = next;
  }
  return { methods, distance, left };
}

const SIDES = ['callers', 'callees'] as const;
type Side = (typeof SIDES)[number];

function* besides({ graph, sites: own, callers }: CallIndex, id: FunctionId, side: Side): Iterable<FunctionId> {
  if (side === 'callers') {
    for (let at = callers.first[id]; at < callers.first[id + 1]; at++) yield callerOf(graph, callers.rows[at]);
    return;
  }
  const { sites, targets } = graph;
  for (let at = own.first[id]; at < own.first[id + 1]; at++) {
    const site = own.rows[at];
    for (let target = sites.first[site]; target < sites.first[site + 1]; target++) yield targets.callee[target];
  }
}
