/**
 * The methods of each compilation unit: a unit is a method that was compiled on its own, with all methods that were inlined into it. A method is in
 * each unit that it was inlined into, so it has a node in each. Sampled stacks are of threads, and of no unit. One step a stack.
 */
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { type Profile, STACK_ENDINGS } from '../../models/profile/profile.js';
import type { Program } from '../../models/program/program.js';

export interface UnitNodes {
  readonly length: number;
  /** By stack: the node of its frame. */
  readonly ofStack: Int32Array;
  /** By node: its function, and that of the root of its unit; -1 outside of units. */
  readonly function: Int32Array;
  readonly root: Int32Array;
}

const PARTIAL = STACK_ENDINGS.indexOf('partial');

export function unitNodes({ stacks }: Profile, { locations }: Program): UnitNodes {
  const { parent, location, ending } = stacks;
  const roots = new Int32Array(stacks.length);
  const ofStack = new Int32Array(stacks.length);
  const nodes = new IntTable();
  for (let id = 0; id < stacks.length; id++) {
    const method = locations.function[location[id]];
    const isRoot = parent[id] < 0;
    roots[id] = isRoot ? (ending[id] === PARTIAL ? method : NONE) : roots[parent[id]];
    ofStack[id] = nodes.add(roots[id], method);
  }
  return { length: nodes.length, ofStack, function: nodes.column(1), root: nodes.column(0) };
}
