/**
 * The stacks of several profiles in one trie that does not depend on their order: sorted by the path from the root.
 * Stacks that no event has are left out. Cost: 12 bytes a stack of each profile, 40 a distinct one while it runs.
 */
import { NONE } from '../../base/flavor.js';
import { IntTable } from '../../base/hash.js';
import { type Profile, STACK_ENDINGS, type StackTable } from '../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { usedStacks } from '../../models/profile/used-stacks.js';
import { FRAME_MODES, type LocationTable, NO_LINE, type Program } from '../../models/program/program.js';
import type { Table } from '../../models/table.js';
import { trieOrder } from './trie-order.js';

export interface StackInput {
  readonly program: Program;
  readonly profile: Profile;
  /** Event tables whose stacks are wanted. */
  readonly tables: readonly Table[];
  /** Its functions → joined functions, -1 for those that cannot be joined. */
  readonly functionRows: Int32Array;
}

export interface JoinedStacks {
  readonly stacks: StackTable;
  readonly locations: LocationTable;
  /** For each profile: its stacks → joined stacks; -1 where no event has them or a frame cannot be joined. */
  readonly rows: readonly Int32Array[];
}

export function joinStacks(inputs: readonly StackInput[]): JoinedStacks {
  const places = new IntTable();
  const builder = new StackBuilder(Math.max(0, ...inputs.map(({ profile }) => profile.stacks.length)));
  const moved = inputs.map((input) => addStacks(input, places, builder));
  const lines = inputs.some(({ program }) => program.locations.line !== undefined);
  const modes = inputs.some(({ program }) => program.locations.mode !== undefined);
  const { table, rank } = sortedLocations(places, lines, modes);
  const grown = builder.finish();
  const key = new Float64Array(grown.length);
  // Siblings have one ending, roots may differ in it.
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
  return { stacks, locations: table, rows: moved.map((ids) => ids.map((id) => (id < 0 ? NONE : order[id]))) };
}

/** Adds the stacks that events have; returns for each stack its number in the builder. */
function addStacks(input: StackInput, places: IntTable, builder: StackBuilder): Int32Array {
  const { stacks } = input.profile;
  const { function: functions, bci, line, mode } = input.program.locations;
  const wanted = usedStacks(stacks, input.tables);
  const moved = new Int32Array(stacks.length).fill(NONE);
  for (let id = 0; id < stacks.length; id++) {
    const parent = stacks.parent[id];
    const location = stacks.location[id];
    if (wanted[id] === 0 || location < 0 || (parent >= 0 && moved[parent] < 0)) continue;
    const of = input.functionRows[functions[location]] ?? NONE;
    if (of < 0) continue;
    const detail = (line?.[location] ?? NO_LINE) * FRAME_MODES.length + (mode?.[location] ?? 0);
    const above = parent >= 0 ? moved[parent] : rootOf(STACK_ENDINGS[stacks.ending[id]] ?? 'whole');
    moved[id] = builder.add(above, places.add(of, bci[location], detail));
  }
  return moved;
}

/** Places by function, bytecode index, line and mode; `rank` tells where each went. */
function sortedLocations(places: IntTable, lines: boolean, modes: boolean): { table: LocationTable; rank: Int32Array } {
  const [of, bci, detail] = [places.column(0), places.column(1), places.column(2)];
  const order = Int32Array.from(of.keys()).sort((a, b) => of[a] - of[b] || bci[a] - bci[b] || detail[a] - detail[b]);
  const rank = new Int32Array(order.length);
  order.forEach((id, row) => {
    rank[id] = row;
  });
  const line = (id: number): number => Math.floor(detail[id] / FRAME_MODES.length);
  const table: LocationTable = {
    length: order.length,
    function: order.map((id) => of[id]),
    bci: order.map((id) => bci[id]),
    ...(lines ? { line: order.map(line) } : {}),
    ...(modes ? { mode: Uint8Array.from(order, (id) => detail[id] - line(id) * FRAME_MODES.length) } : {}),
  };
  return { table, rank };
}
