/**
 * What must stay if some methods are to stay: the entries, and a path to each of them on which as few others as possible must stay. A search
 * in which a step to a method that stays anyway costs nothing, O(calls).
 */
import { NONE } from '../../../base/flavor.js';
import type { ReachedGraph } from '../shortest-paths.js';

/** By number: 1 if it must stay. `isNeeded`: by number. */
export function keptMethods({ first, callees, distance }: ReachedGraph, isNeeded: Uint8Array): Uint8Array {
  const count = distance.length;
  const cost = new Int32Array(count).fill(NONE);
  const parent = new Int32Array(count).fill(NONE);
  const isDone = new Uint8Array(count);
  // Methods of the present cost, and of the next one.
  let present: number[] = [];
  for (let id = 0; id < count; id++)
    if (distance[id] === 0) {
      cost[id] = 0;
      present.push(id);
    }
  while (present.length > 0) {
    const later: number[] = [];
    for (const caller of present) {
      if (isDone[caller] === 1) continue;
      isDone[caller] = 1;
      for (let at = first[caller]; at < first[caller + 1]; at++) {
        const callee = callees[at];
        const sum = cost[caller] + 1 - isNeeded[callee];
        if (cost[callee] !== NONE && cost[callee] <= sum) continue;
        cost[callee] = sum;
        parent[callee] = caller;
        (isNeeded[callee] === 1 ? present : later).push(callee);
      }
    }
    present = later;
  }
  const stays = new Uint8Array(count);
  for (let id = 0; id < count; id++)
    if (isNeeded[id] === 1 || distance[id] === 0)
      for (let at = id; at >= 0 && stays[at] === 0; at = parent[at]) stays[at] = 1;
  return stays;
}
