/**
 * Stacks with a frame for each call that a compiler inlined: a step of its own between resolving and the scope, so that every question sees the same
 * frames. Events move to the stack with the innermost frame.
 */
import { mapTables, type Profile, STACK_ENDINGS, type StackId } from '../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import type { LocationId, LocationTable } from '../../models/program/program.js';
import { withMovedRows } from '../../models/table.js';

/** The profile with the calls inlined at its places as frames. `innermost`: by place with such calls, the innermost one. */
export function withInlinedFrames(
  profile: Profile,
  locations: LocationTable,
  innermost: ReadonlyMap<LocationId, LocationId>,
): Profile {
  if (innermost.size === 0) return profile;
  const old = profile.stacks;
  const builder = new StackBuilder(old.length);
  const moved = new Int32Array(old.length);
  const chains = chainsOf(locations, innermost);
  for (let id = 0; id < old.length; id++) {
    const parent = old.parent[id];
    const above = parent >= 0 ? moved[parent] : rootOf(STACK_ENDINGS[old.ending[id]]);
    const chain = chains.get(old.location[id]) ?? [old.location[id]];
    let stack: StackId = above;
    for (const location of chain) stack = builder.add(stack, location);
    moved[id] = stack;
  }
  const changed = mapTables(profile, (table) => withMovedRows(table, 'stack', moved));
  return { ...changed, stacks: builder.finish() };
}

/** By place, the place itself and the calls inlined there, outermost first. */
function chainsOf(
  { inlinedInto }: LocationTable,
  innermost: ReadonlyMap<LocationId, LocationId>,
): ReadonlyMap<LocationId, readonly LocationId[]> {
  const chains = new Map<LocationId, readonly LocationId[]>();
  for (const [place, leaf] of innermost) {
    const chain: LocationId[] = [];
    for (let at = leaf; at !== place; at = inlinedInto?.[at] ?? place) chain.push(at);
    chains.set(place, [place, ...chain.reverse()]);
  }
  return chains;
}
