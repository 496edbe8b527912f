/** Stacks of location numbers → stacks of places: most locations are one frame, those with inlined calls are several. */
import type { StackTable } from '../../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../../models/profile/stack-builder.js';
import type { LocationId } from '../../../models/program/program.js';

export interface PlacedStacks {
  readonly stacks: StackTable;
  /** By stack of location numbers. */
  readonly placed: Int32Array;
}

/**
 * `frames`: those of a location, that of the caller first, by the two halves of its number; the same array each time it is asked for. `prune`:
 * whether a stack ends above a frame (as `drop_frames` of pprof means it); stacks that do keep what is above.
 */
export function placedStacks(numbers: StackBuilder, frames: FramesOf, prune?: Prune): PlacedStacks {
  const { length } = numbers;
  const raw = numbers.finish((low, high) => frames.rowOf(low, high));
  if (prune === undefined && hasSingleFrames(raw.location, frames)) {
    const location = raw.location.map((row) => frames.at(row)[0] ?? -1);
    return { stacks: { ...raw, location }, placed: Int32Array.from({ length }, (_, id) => id) };
  }
  const builder = new StackBuilder(length);
  const placed = new Int32Array(length);
  /** Of rules for frames: 1 below a frame of the program's own, 2 in what was cut off. */
  const marks = prune === undefined ? undefined : new Uint8Array(length);
  for (let id = 0; id < length; id++) {
    const parent = raw.parent[id];
    let stack = parent < 0 ? rootOf('whole') : placed[parent];
    const row = raw.location[id];
    const above = marks === undefined || parent < 0 ? 0 : marks[parent];
    const rule = prune?.[row] ?? 0;
    const isCut = above === 2 || (rule === 2 && above === 1);
    if (!isCut) for (const location of frames.at(row)) stack = builder.add(stack, location);
    placed[id] = stack;
    if (marks !== undefined) marks[id] = isCut || (rule === 1 && above === 1) ? 2 : above === 1 || rule === 0 ? 1 : 0;
  }
  return { stacks: builder.finish(), placed };
}

/** By row of a location: 0 if it stays, 1 if what it calls is dropped, 2 if it is dropped, too. */
export type Prune = Uint8Array;

export interface FramesOf {
  /** A dense number of a location, by the halves of its number in the file. */
  rowOf(low: number, high: number): number;
  at(row: number): readonly LocationId[];
}

/** Whether each location is one frame: then stacks of locations are stacks of places. */
function hasSingleFrames(rows: Int32Array, frames: FramesOf): boolean {
  for (const row of rows) if (frames.at(row).length !== 1) return false;
  return true;
}
