/**
 * The calls of a V8 profile: nodes with ids, in any order, that name their children or their parent. Memory: 100 bytes a node.
 */
import { Int32Builder } from '../../../base/columns/columns.js';
import { NONE } from '../../../base/flavor.js';
import { rootOf, type StackBuilder } from '../../../models/profile/stack-builder.js';
import type { LocationId } from '../../../models/program/program.js';

/** A place that is not in stacks: the root of all calls. */
export const ROOT_PLACE = -1;
const UNKNOWN = -2;
const VISITED = -3;

export class NodeTree {
  readonly #rows = new Map<number, number>();
  readonly #location = new Int32Builder();
  readonly #parent = new Int32Builder();
  /** Ids of parents and children that are looked up when all nodes are there. */
  readonly #pending: { readonly parent: number; readonly child: number }[] = [];
  /** Row → its stack; those of later nodes are unknown. */
  readonly #stack = new Int32Builder();

  /** Nodes that are their own callers, of those whose stacks were asked for. */
  circles = 0;

  get length(): number {
    return this.#location.length;
  }

  /** Adds a node; false if there is one of this id. `location` may be `ROOT_PLACE`. */
  add(id: number, location: LocationId, parent?: number): boolean {
    if (this.#rows.has(id)) return false;
    this.#rows.set(id, this.#location.length);
    this.#location.push(location);
    this.#parent.push(NONE);
    this.#stack.push(UNKNOWN);
    if (parent !== undefined) this.child(parent, id);
    return true;
  }

  child(parent: number, child: number): void {
    this.#pending.push({ parent, child });
  }

  /** The row of a node; -1 if there is none. */
  rowOf(id: number): number {
    return this.#rows.get(id) ?? NONE;
  }

  /** Connects nodes with their children; how many of these there are not, or have a parent already. */
  connect(): { readonly missing: number; readonly taken: number } {
    let [missing, doubled] = [0, 0];
    for (const { parent, child } of this.#pending) {
      const [above, below] = [this.rowOf(parent), this.rowOf(child)];
      if (above < 0 || below < 0) missing++;
      else if (this.#parent.values[below] >= 0 && this.#parent.values[below] !== above) doubled++;
      else this.#parent.values[below] = above;
    }
    this.#pending.length = 0;
    return { missing, taken: doubled };
  }

  /** The stack of a node's callers and its own place, after `connect`; -1 of the root. Nodes in a circle are roots. */
  stackOf(row: number, stacks: StackBuilder): number {
    const path: number[] = [];
    const stack = this.#stack.values;
    let at = row;
    while (at >= 0 && stack[at] === UNKNOWN) {
      path.push(at);
      stack[at] = VISITED;
      at = this.#parent.values[at];
    }
    if (at >= 0 && stack[at] === VISITED) this.circles++;
    for (let i = path.length - 1; i >= 0; i--) stack[path[i]] = this.#add(path[i], stacks);
    return stack[row];
  }

  /** The stack that a place has in a node's callers, for places that are more exact than that of the node. */
  stackAt(row: number, location: LocationId, stacks: StackBuilder): number {
    const nodeStack = this.stackOf(row, stacks);
    return nodeStack < 0 ? nodeStack : stacks.add(this.#above(row), location);
  }

  #add(row: number, stacks: StackBuilder): number {
    const location = this.#location.values[row];
    return location === ROOT_PLACE ? NONE : stacks.add(this.#above(row), location);
  }

  #above(row: number): number {
    const parent = this.#parent.values[row];
    const stack = parent < 0 ? NONE : this.#stack.values[parent];
    return stack < 0 ? rootOf('whole') : stack;
  }
}
