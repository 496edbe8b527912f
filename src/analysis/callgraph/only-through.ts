/** What only entries of one group reach: a label a function, which goes from none to a group to several. O(targets), 13 bytes a function. */
import { NONE } from '../../base/flavor.js';
import type { FunctionId } from '../../models/program/program.js';
import type { CallIndex } from './reach.js';

/** By group: number of the functions that starts of other groups do not lead to. `groups`: of each start, from 0 to `count - 1`. */
export function reachedOnlyThrough(
  { graph, functions, sites: own }: CallIndex,
  starts: ArrayLike<FunctionId>,
  groups: ArrayLike<number>,
  count: number,
): Int32Array {
  const { sites, targets } = graph;
  const several = count;
  const label = new Int32Array(functions).fill(NONE);
  // A label changes twice at most, and a function waits once at a time.
  const queue = new Int32Array(functions + 1);
  const waits = new Uint8Array(functions);
  let from = 0;
  let to = 0;
  const give = (id: FunctionId, group: number): void => {
    if (label[id] === group || label[id] === several) return;
    label[id] = label[id] === NONE ? group : several;
    if (waits[id] === 1) return;
    waits[id] = 1;
    queue[to] = id;
    to = (to + 1) % queue.length;
  };
  for (let i = 0; i < starts.length; i++) give(starts[i] ?? NONE, groups[i] ?? several);
  while (from !== to) {
    const caller = queue[from];
    from = (from + 1) % queue.length;
    waits[caller] = 0;
    for (let at = own.first[caller]; at < own.first[caller + 1]; at++) {
      const site = own.rows[at];
      for (let target = sites.first[site]; target < sites.first[site + 1]; target++)
        give(targets.callee[target], label[caller]);
    }
  }
  const only = new Int32Array(count);
  for (let id = 0; id < functions; id++) if (label[id] >= 0 && label[id] < count) only[label[id]]++;
  return only;
}
