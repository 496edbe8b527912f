/**
 * Stacks that a recorder cut at its depth limit: which part of a metric is in them, and to whose totals they may belong
 * although the function is not in them. One pass over the stacks each.
 */
import { type Profile, STACK_ENDINGS, type StackTable } from '../../models/profile/profile.js';
import { FUNCTION_KINDS, type Program } from '../../models/program/program.js';
import { inclusiveByFunction, inclusiveByStack } from './stack-values.js';

const CUT = STACK_ENDINGS.indexOf('cut');
const PSEUDO = FUNCTION_KINDS.indexOf('pseudo');
/** The relative difference that sums of the same numbers in another order may have. */
const ROUNDING = 1e-9;

/** The number of frames of each stack; marks for cut frames do not count. */
export function depthsOf({ length, parent, location, ending }: StackTable, program: Program): Int32Array {
  const depth = new Int32Array(length);
  const { functions, locations } = program;
  for (let id = 0; id < length; id++) {
    const above = parent[id];
    const place = location[id];
    // A pseudo function in a load object is code of an unknown function: it counts as a frame.
    const isMark = functions.kind[locations.function[place]] === PSEUDO && (locations.loadObject?.[place] ?? -1) < 0;
    const stands = above < 0 && ending[id] === CUT && isMark;
    depth[id] = stands ? 0 : 1 + (above >= 0 ? depth[above] : 0);
  }
  return depth;
}

/** The depth at which a profile's stacks were cut: that of the deepest cut stack; undefined if none was cut. */
export function depthLimit({ stacks }: Profile, program: Program): number | undefined {
  if (!stacks.ending.includes(CUT)) return undefined;
  const depth = depthsOf(stacks, program);
  let limit = 0;
  for (let id = 0; id < stacks.length; id++) if (stacks.ending[id] === CUT) limit = Math.max(limit, depth[id]);
  return limit;
}

/** What a metric has in stacks that were cut to so many frames. */
export interface CutPart {
  readonly frames: number;
  readonly value: number;
}

/** The parts of a metric in cut stacks, the largest first. `exclusive`: its value by stack. */
export function cutParts({ stacks }: Profile, program: Program, exclusive: Float64Array): CutPart[] {
  if (!stacks.ending.includes(CUT)) return [];
  const depth = depthsOf(stacks, program);
  const values = new Map<number, number>();
  for (let id = 0; id < exclusive.length; id++)
    if (stacks.ending[id] === CUT && exclusive[id] !== 0)
      values.set(depth[id], (values.get(depth[id]) ?? 0) + exclusive[id]);
  return [...values].map(([frames, value]) => ({ frames, value })).sort((a, b) => b.value - a.value);
}

/**
 * Functions whose total may be larger, 1 by function: they are missing in some cut stack, and call its outermost frame,
 * directly or through others, in the calls that the profile's stacks show. Calls that no stack shows are unknown.
 * Undefined if no stack with a value was cut. `functions` may be other groups of code, `count` of them.
 */
export function mayBeLarger(
  profile: Profile,
  program: Program,
  functions: Int32Array,
  exclusive: Float64Array,
  count = program.functions.length,
): Uint8Array | undefined {
  const { stacks } = profile;
  const sum = cutParts(profile, program, exclusive).reduce((all, { value }) => all + value, 0);
  if (sum <= 0) return undefined;
  const ofCut = inclusiveByStack(
    stacks,
    exclusive.map((value, id) => (stacks.ending[id] === CUT ? value : 0)),
  );
  const shown = inclusiveByFunction(stacks, functions, ofCut, count);
  const depth = depthsOf(stacks, program);
  const outermost: number[] = [];
  for (let id = 0; id < stacks.length; id++)
    if (depth[id] === 1 && stacks.ending[id] === CUT && ofCut[id] > 0) outermost.push(functions[id]);
  const callers = callersOf(stacks, functions, count, outermost);
  return callers.map((calls, id) => (calls === 1 && shown[id] < sum * (1 - ROUNDING) ? 1 : 0));
}

/** 1 for each function that calls one of `called`, directly or through others. */
function callersOf(stacks: StackTable, functions: Int32Array, count: number, called: readonly number[]): Uint8Array {
  // The stacks of each function, as lists.
  const first = new Int32Array(count).fill(-1);
  const next = new Int32Array(stacks.length);
  for (let id = 0; id < stacks.length; id++) {
    next[id] = first[functions[id]];
    first[functions[id]] = id;
  }
  const callers = new Uint8Array(count);
  const met = new Uint8Array(count);
  const waiting = [...new Set(called)];
  for (const id of waiting) met[id] = 1;
  for (let of = waiting.pop(); of !== undefined; of = waiting.pop()) {
    for (let id = first[of]; id >= 0; id = next[id]) {
      const above = stacks.parent[id];
      if (above < 0) continue;
      const caller = functions[above];
      callers[caller] = 1;
      if (met[caller] === 1) continue;
      met[caller] = 1;
      waiting.push(caller);
    }
  }
  return callers;
}
