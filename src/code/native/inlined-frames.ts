/**
 * Stacks with a frame for each call that a compiler inlined: a step of its own between resolving and the scope, so that every question sees the same
 * frames. Events move to the stack with the innermost frame.
 */
import { mapTables, type Profile, STACK_ENDINGS, type StackId } from '../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import type { LocationId, LocationTable } from '../../models/program/program.js';
import { withMovedRows } from '../../models/table.js';

/** Frames that places imply. */
export interface ImpliedFrames {
  /** By place with inlined calls, the innermost one. */
  readonly innermost: ReadonlyMap<LocationId, LocationId>;
  /** By place of outlined code, the place that calls it. */
  readonly origins: ReadonlyMap<LocationId, LocationId>;
}

/** The profile with the calls inlined at its places as frames, and with those that outlined code is called from. */
export function withInlinedFrames(
  profile: Profile,
  locations: LocationTable,
  { innermost, origins }: ImpliedFrames,
): Profile {
  if (innermost.size === 0 && origins.size === 0) return profile;
  const old = profile.stacks;
  const builder = new StackBuilder(old.length);
  const moved = new Int32Array(old.length);
  const chains = chainsOf(locations, innermost);
  for (let id = 0; id < old.length; id++) {
    const parent = old.parent[id];
    const above = parent >= 0 ? moved[parent] : rootOf(STACK_ENDINGS[old.ending[id]]);
    const chain = chains.get(old.location[id]) ?? [old.location[id]];
    let stack: StackId = above;
    const origin = origins.get(old.location[id]);
    if (origin !== undefined) stack = builder.add(stack, origin);
    for (const location of chain) stack = builder.add(stack, location);
    moved[id] = stack;
  }
  const changed = mapTables(profile, (table) => withMovedRows(table, 'stack', moved));
  return { ...changed, stacks: builder.finish() };
}

/** The profile with events in stubs of the dynamic linker moved to the calls. A stub without a caller stays. */
export function withoutStubs(profile: Profile, stubs: ReadonlySet<LocationId>): Profile {
  if (stubs.size === 0) return profile;
  const { length, location, parent } = profile.stacks;
  const moved = Int32Array.from({ length }, (_, id) => (stubs.has(location[id]) && parent[id] >= 0 ? parent[id] : id));
  return mapTables(profile, (table) => withMovedRows(table, 'stack', moved));
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
