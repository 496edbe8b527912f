/** Scope steps that change stacks: frames are removed, or stacks are cut; events are assigned to the new stacks. */
import type { Steps } from '../../base/progress.js';
import { STACK } from '../../models/events/shared-fields.js';
import { type Metric, mapTables, type Profile, STACK_ENDINGS, type StackTable } from '../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import type { Program } from '../../models/program/program.js';
import { type Column, columnOf, type Field, keyIn, selectRows, type Table } from '../../models/table.js';
import { depthsOf } from '../stacks/cut-stacks.js';
import { functionByStack } from '../stacks/stack-values.js';

/** Stacks between two yields. */
const STACKS_A_STEP = 1 << 14;

/**
 * Stacks without the hidden frames. Values move to the nearest remaining frame; values of site metrics belong to their
 * own frame only, so they are removed with it.
 */
export function* rewriteStacks(
  program: Program,
  profile: Profile,
  chosen: Uint8Array,
  hide: boolean,
  unscoped: Set<string>,
): Steps<Profile> {
  const old = profile.stacks;
  const functions = functionByStack(old, program);
  const builder = new StackBuilder(old.length);
  const moved = new Int32Array(old.length);
  const hidden = new Uint8Array(old.length);
  for (let begin = 0; begin < old.length; begin += STACKS_A_STEP) {
    yield begin;
    hideFrames(
      { old, functions, builder, moved, hidden, chosen, hide },
      begin,
      Math.min(old.length, begin + STACKS_A_STEP),
    );
  }
  return moveStacks(profile, builder, { moved, hidden, bare: false, metrics: profile.metrics }, unscoped);
}

interface Hiding {
  readonly old: StackTable;
  readonly functions: Int32Array;
  readonly builder: StackBuilder;
  readonly moved: Int32Array;
  readonly hidden: Uint8Array;
  readonly chosen: Uint8Array;
  readonly hide: boolean;
}

function hideFrames(
  { old, functions, builder, moved, hidden, chosen, hide }: Hiding,
  begin: number,
  end: number,
): void {
  for (let id = begin; id < end; id++) {
    const parent = old.parent[id];
    const above = parent >= 0 ? moved[parent] : rootOf(STACK_ENDINGS[old.ending[id]]);
    hidden[id] = (chosen[functions[id]] === 1) === hide ? 1 : 0;
    // The frame after the hidden root of a compilation is not such a root, and must not look like one.
    if (hidden[id] === 1) moved[id] = above === rootOf('partial') ? rootOf('hidden') : above;
    else moved[id] = builder.add(above, old.location[id]);
  }
}

/**
 * Stacks of at most `frames` frames, the innermost ones, as a recorder with this depth limit would write them, without
 * a mark for the cut. Time: one step a frame, and one more a frame of a cut stack for each stack with events.
 */
export function* cutStacks(program: Program, profile: Profile, frames: number, unscoped: Set<string>): Steps<Profile> {
  const { stacks } = profile;
  const builder = new StackBuilder(stacks.length);
  const depth = depthsOf(stacks, program);
  const moved = new Int32Array(stacks.length);
  const isLeaf = new Uint8Array(stacks.length);
  for (const table of [...profile.events, ...(profile.traces === undefined ? [] : [profile.traces])])
    for (const stack of columnOf(table, STACK) ?? []) if (stack >= 0) isLeaf[stack] = 1;
  for (let begin = 0; begin < stacks.length; begin += STACKS_A_STEP) {
    yield begin;
    const end = Math.min(stacks.length, begin + STACKS_A_STEP);
    cutFrames({ stacks, depth, builder, moved, isLeaf, frames }, begin, end);
  }
  const hidden = new Uint8Array(stacks.length);
  return moveStacks(profile, builder, { moved, hidden, bare: true, metrics: profile.metrics }, unscoped);
}

interface Cutting {
  readonly stacks: StackTable;
  readonly depth: Int32Array;
  readonly builder: StackBuilder;
  readonly moved: Int32Array;
  readonly isLeaf: Uint8Array;
  readonly frames: number;
}

function cutFrames({ stacks, depth, builder, moved, isLeaf, frames }: Cutting, begin: number, end: number): void {
  for (let id = begin; id < end; id++) {
    const above = stacks.parent[id];
    const below = above >= 0 ? moved[above] : rootOf(STACK_ENDINGS[stacks.ending[id]]);
    if (depth[id] === 0) moved[id] = rootOf('cut');
    else if (depth[id] <= frames) moved[id] = builder.add(below, stacks.location[id]);
    else if (isLeaf[id] === 1) moved[id] = innermost(stacks, id, frames, builder);
  }
}

/** The stack of the innermost frames of a stack. */
function innermost({ parent, location }: StackTable, leaf: number, frames: number, builder: StackBuilder): number {
  const places: number[] = [];
  for (let id = leaf; places.length < frames; id = parent[id]) places.push(location[id]);
  return places.reduceRight((stack, place) => builder.add(stack, place), rootOf('cut'));
}

/** The values of a field, if the table has any (counts of synchronisation may have a stack column without stacks). */
export function filterColumn(table: Table, field: Field): Column | undefined {
  const values = columnOf(table, field);
  return table.length === 0 || values?.some((value) => value >= 0) ? values : undefined;
}

/** Stack → its replacement, and 1 for stacks whose own frame is hidden. */
interface Moved {
  readonly moved: Int32Array;
  readonly hidden: Uint8Array;
  /** Whether events without a stack stay. */
  readonly bare: boolean;
  readonly metrics: readonly Metric[];
}

function moveRows(table: Table, stack: Column, { moved, hidden, bare, metrics }: Moved): Table {
  const site = metrics.some((metric) => metric.table === table.kind && metric.nature === 'site');
  const rows = new Int32Array(table.length);
  let count = 0;
  for (let row = 0; row < table.length; row++) {
    const id = stack[row];
    if (id < 0 ? !bare : moved[id] < 0 || (site && hidden[id] === 1)) continue;
    rows[count++] = row;
  }
  const stacks = new Int32Array(count);
  for (let i = 0; i < count; i++) stacks[i] = stack[rows[i]] < 0 ? -1 : moved[stack[rows[i]]];
  const key = keyIn(table, STACK);
  return selectRows(table, rows.subarray(0, count), key === undefined ? {} : { [key]: stacks });
}

function moveStacks(profile: Profile, builder: StackBuilder, moves: Moved, unscoped: Set<string>): Profile {
  const scoped = mapTables(profile, (table) => {
    const stack = filterColumn(table, STACK);
    if (stack !== undefined) return moveRows(table, stack, moves);
    unscoped.add(table.kind);
    return table;
  });
  return { ...scoped, stacks: builder.finish() };
}
