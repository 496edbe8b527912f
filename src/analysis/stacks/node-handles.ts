/** Handles of the paths of nodes of a call tree (handles/named-stacks.ts): the next question can be about all below one. */
import type { StackTable } from '../../models/profile/profile.js';
import type { Program } from '../../models/program/program.js';
import { StackHandles } from '../handles/named-stacks.js';
import type { CallTree } from './call-tree.js';
import type { JoinedTree } from './level-order.js';

/** A tree of a profile; `joined` if its nodes are listed as those of the tree that it is joined with that of a base into. */
export interface NodesOfTree {
  readonly tree: CallTree;
  readonly joined: Pick<JoinedTree, 'length' | 'places'> | undefined;
  readonly inverted: boolean;
}

/**
 * The handle of each node: of the stacks that begin with its path, or, inverted, end with it. Undefined for nodes that only the base has, and for
 * those that several nodes of the profile became. Cost: a step a node of joined trees; else nothing until a handle is asked for.
 */
export function nodeHandles(
  program: Program,
  stacks: StackTable,
  { tree, joined, inverted }: NodesOfTree,
): (node: number) => string | undefined {
  const handles = new StackHandles(program, stacks);
  const handle = (node: number): string =>
    inverted ? handles.end(tree.stack[node], depthOf(tree, node)) : handles.beginning(tree.stack[node]);
  if (joined === undefined) return handle;
  const nodes = nodesBefore(joined);
  return (node) => (nodes[node] < 0 ? undefined : handle(nodes[node]));
}

/** Number of nodes from a root to a node. */
function depthOf({ parent }: CallTree, node: number): number {
  let depth = 0;
  for (let id = node; id >= 0; id = parent[id]) depth++;
  return depth;
}

/** By node of the joined tree the one that became it; negative for none or several. */
function nodesBefore({ length, places: [places] }: Pick<JoinedTree, 'length' | 'places'>): Int32Array {
  const nodes = new Int32Array(length).fill(NONE);
  for (let node = 0; node < places.length; node++) nodes[places[node]] = nodes[places[node]] === NONE ? node : SEVERAL;
  return nodes;
}

const NONE = -1;
const SEVERAL = -2;
