/**
 * Joins the stacks of several profiles into one trie, independent of the order of the profiles: sorted by the path from
 * the root. Stacks without events are left out. Cost: 12 bytes a stack of each profile, 40 a distinct one while it
 * runs.
 */
import { mapped } from '../../base/columns/marks.js';
import { NONE } from '../../base/flavor.js';
import { type Profile, STACK_ENDINGS, type StackTable } from '../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { usedStacks } from '../../models/profile/used-stacks.js';
import type { LocationTable } from '../../models/program/program.js';
import type { Table } from '../../models/table.js';
import { columnsOf, JoinedPlaces, type PlaceInput } from './join-places.js';
import { trieOrder } from './trie-order.js';

export interface StackInput extends PlaceInput {
  readonly profile: Profile;
  /** Event tables with the stacks to join. */
  readonly tables: readonly Table[];
}

export interface JoinedStacks {
  readonly stacks: StackTable;
  readonly locations: LocationTable;
  /** For each profile: its stacks → joined stacks; -1 for stacks without events or with a frame that cannot be joined. */
  readonly rows: readonly Int32Array[];
}

export function joinStacks(inputs: readonly StackInput[]): JoinedStacks {
  const places = new JoinedPlaces();
  const builder = new StackBuilder(Math.max(0, ...inputs.map(({ profile }) => profile.stacks.length)));
  const moved = inputs.map((input) => addStacks(input, places, builder));
  const { table, rank } = places.finish(columnsOf(inputs));
  const grown = builder.finish();
  const key = new Float64Array(grown.length);
  // Siblings have the same ending; the endings of roots may differ.
  for (let id = 0; id < key.length; id++) key[id] = grown.ending[id] * table.length + rank[grown.location[id]];
  const order = trieOrder(grown.parent, key);
  const stacks = {
    length: grown.length,
    parent: new Int32Array(grown.length),
    location: new Int32Array(grown.length),
    ending: new Uint8Array(grown.length),
  };
  for (let id = 0; id < grown.length; id++) {
    const above = grown.parent[id];
    stacks.parent[order[id]] = above < 0 ? NONE : order[above];
    stacks.location[order[id]] = rank[grown.location[id]];
    stacks.ending[order[id]] = grown.ending[id];
  }
  return { stacks, locations: table, rows: moved.map((ids) => mapped(ids, order)) };
}

/** Adds the stacks of events; returns the number of each stack in the builder. */
function addStacks(input: StackInput, places: JoinedPlaces, builder: StackBuilder): Int32Array {
  const { stacks } = input.profile;
  const wanted = usedStacks(stacks, input.tables);
  const moved = new Int32Array(stacks.length).fill(NONE);
  const placeOf = places.of(input);
  for (let id = 0; id < stacks.length; id++) {
    const parent = stacks.parent[id];
    const location = stacks.location[id];
    if (wanted[id] === 0 || location < 0 || (parent >= 0 && moved[parent] < 0)) continue;
    const place = placeOf(location);
    if (place < 0) continue;
    const above = parent >= 0 ? moved[parent] : rootOf(STACK_ENDINGS[stacks.ending[id]] ?? 'whole');
    moved[id] = builder.add(above, place);
  }
  return moved;
}
