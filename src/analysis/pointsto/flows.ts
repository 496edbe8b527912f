/**
 * Flows of types: nodes (a parameter, a field, a result, the elements of an array …) with the types of the objects that may be there,
 * and edges along which these move. All in integers; a step adds one type to one node.
 *
 *   {A} ──► field f ──► parameter ──► {A, B}         a type passes where it is below the node's own type
 *   {B} ──────────────────┘
 *
 * Saturation (Wimmer et al., "Scaling Type-Based Points-to Analysis with Saturation", PLDI 2024): a node with more types than the cut-off
 * stands for all instantiated types below its own. What it flows into gets these from one list by type, and its own edges are no longer followed.
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import type { Flavor } from '../../base/flavor.js';
import { NONE } from '../../base/flavor.js';
import type { TypeId, TypeTable } from './types.js';

export type NodeId = Flavor<number, 'flow node'>;

/** What happens when a type arrives at a node, or all types that may. */
export interface FlowListener {
  /** `hook`: what the node was made with. */
  arrived(hook: number, type: TypeId): void;
  saturated(hook: number, node: NodeId): void;
}

/** Numbers at a place before it stands for all. */
const MOST_NUMBERS = 4;

export class Flows {
  readonly #types: TypeTable;
  readonly #cutoff: number;
  readonly #listener: FlowListener;
  /** By node: its type; -1 for Object. */
  readonly #filter = new Int32Builder();
  /** By node: what listens to it; -1 for nothing. */
  readonly #hook = new Int32Builder();
  /** By node: number of its types; negative once it is saturated. */
  readonly #count = new Int32Builder();
  readonly #firstState = new Int32Builder();
  readonly #firstEdge = new Int32Builder();
  /** (node, type): the order of arrival. */
  readonly #states = new IntTable(1 << 16);
  readonly #nextState = new Int32Builder();
  /** (source, target). */
  readonly #edges = new IntTable(1 << 16);
  readonly #nextEdge = new Int32Builder();
  /** Arrivals before this one are done. */
  #done = 0;
  readonly #saturated: NodeId[] = [];
  /** By type: instantiated types below it, and nodes that get them. */
  readonly #instantiated = new Map<TypeId, Instantiated>();
  readonly #isInstantiated = new Set<TypeId>();

  constructor(types: TypeTable, cutoff: number, listener: FlowListener) {
    this.#types = types;
    this.#cutoff = cutoff;
    this.#listener = listener;
  }

  /** A node for objects below a type. */
  node(type: TypeId, hook: number = NONE): NodeId {
    this.#hook.push(hook);
    this.#count.push(0);
    this.#firstState.push(NONE);
    this.#firstEdge.push(NONE);
    return this.#filter.push(type === this.#types.object ? NONE : type);
  }

  filterOf(node: NodeId): TypeId {
    const filter = this.#filter.values[node];
    return filter < 0 ? this.#types.object : filter;
  }

  /** Whether numbers flow to a node, not objects. */
  isNumber(node: NodeId): boolean {
    return this.#filter.values[node] === this.#types.number;
  }

  /** Whether anything arrived at a node, or may. */
  hasAny(node: NodeId): boolean {
    return this.#firstState.values[node] >= 0 || this.#count.values[node] < 0;
  }

  isSaturated(node: NodeId): boolean {
    return this.#count.values[node] < 0;
  }

  /** The types of a node that is not saturated. */
  typesOf(node: NodeId): TypeId[] {
    const types: TypeId[] = [];
    for (let state = this.#firstState.values[node]; state >= 0; state = this.#nextState.values[state])
      types.push(this.#states.key(state, 1));
    return types;
  }

  /** A type that may be at a node, if it is below the node's own. */
  add(node: NodeId, type: TypeId): void {
    const filter = this.#filter.values[node];
    const isUnknown = type === this.#types.unknown;
    if (!isUnknown && (this.#count.values[node] < 0 || (filter >= 0 && !this.#types.isSubtype(type, filter)))) return;
    const state = this.#states.add(node, type);
    if (state < this.#nextState.length) return;
    this.#nextState.push(this.#firstState.values[node]);
    this.#firstState.values[node] = state;
    if (isUnknown) return;
    const most = filter === this.#types.number ? MOST_NUMBERS : this.#cutoff;
    if (++this.#count.values[node] > most) this.#saturate(node);
  }

  edge(source: NodeId, target: NodeId): void {
    if (source === target) return;
    const edge = this.#edges.add(source, target);
    if (edge < this.#nextEdge.length) return;
    this.#nextEdge.push(this.#firstEdge.values[source]);
    this.#firstEdge.values[source] = edge;
    if (this.#count.values[source] < 0) {
      this.all(target);
      this.#passUnknown(source, target);
    } else
      for (let state = this.#firstState.values[source]; state >= 0; state = this.#nextState.values[state])
        if (state < this.#done) this.add(target, this.#states.key(state, 1));
  }

  #passUnknown(source: NodeId, target: NodeId): void {
    const state = this.#states.find(source, this.#types.unknown);
    if (state >= 0 && state < this.#done) this.add(target, this.#types.unknown);
  }

  #saturate(node: NodeId): void {
    this.#count.values[node] = -1;
    this.#saturated.push(node);
  }

  /** A node gets all instantiated types below its own, now and later. */
  all(node: NodeId): void {
    if (this.#count.values[node] < 0) return;
    if (this.isNumber(node)) {
      this.#saturate(node);
      return;
    }
    const { nodes, types } = this.#listOf(this.filterOf(node));
    if (types.length > this.#cutoff) {
      this.#saturate(node);
      return;
    }
    if (nodes.has(node)) return;
    nodes.add(node);
    for (const type of types) this.add(node, type);
  }

  /** As `all`, and of classes that nobody knows: what native code returns need not be of a class that code creates. */
  any(node: NodeId): void {
    this.all(node);
    const filter = this.#filter.values[node];
    if (filter >= 0 && filter !== this.#types.number) this.add(node, this.#types.unknown);
  }

  /** Calls back with each instantiated type below one, now and later. */
  eachBelow(type: TypeId, visit: (type: TypeId) => void): void {
    const list = this.#listOf(type);
    list.visitors.push(visit);
    for (const each of list.types.slice()) visit(each);
  }

  #listOf(type: TypeId): Instantiated {
    let list = this.#instantiated.get(type);
    if (list === undefined) {
      list = { types: [], nodes: new Set(), visitors: [] };
      this.#instantiated.set(type, list);
    }
    return list;
  }

  /** An object of exactly this type may exist. */
  instantiate(type: TypeId): void {
    if (this.#isInstantiated.has(type)) return;
    this.#isInstantiated.add(type);
    for (const above of this.#types.above(type)) {
      const list = this.#listOf(above);
      list.types.push(type);
      for (const node of list.nodes) {
        this.add(node, type);
        if (this.#count.values[node] < 0) list.nodes.delete(node);
      }
      for (const visit of list.visitors) visit(type);
    }
  }

  /** Moves types until nothing changes any more, or `budget` arrivals were handled; whether it has finished. */
  run(budget: number): boolean {
    const end = this.#done + budget;
    for (;;) {
      for (let node = this.#saturated.pop(); node !== undefined; node = this.#saturated.pop()) this.#spread(node);
      if (this.#done >= this.#states.length) return true;
      if (this.#done >= end) return false;
      this.#move(this.#done++);
    }
  }

  #move(state: number): void {
    const node = this.#states.key(state, 0);
    const type = this.#states.key(state, 1);
    if (this.#count.values[node] < 0 && type !== this.#types.unknown) return;
    const hook = this.#hook.values[node];
    if (hook !== NONE) this.#listener.arrived(hook, type);
    for (let edge = this.#firstEdge.values[node]; edge >= 0; edge = this.#nextEdge.values[edge])
      this.add(this.#edges.key(edge, 1), type);
  }

  #spread(node: NodeId): void {
    const hook = this.#hook.values[node];
    if (hook !== NONE) this.#listener.saturated(hook, node);
    for (let edge = this.#firstEdge.values[node]; edge >= 0; edge = this.#nextEdge.values[edge])
      this.all(this.#edges.key(edge, 1));
  }
}

/** The instantiated types below one, and who learns of them. */
interface Instantiated {
  readonly types: TypeId[];
  readonly nodes: Set<NodeId>;
  readonly visitors: ((type: TypeId) => void)[];
}
