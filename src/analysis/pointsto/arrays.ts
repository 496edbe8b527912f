/** The elements of arrays: one node for all arrays of a type. */
import { NONE } from '../../base/flavor.js';
import type { Flows, NodeId } from './flows.js';
import type { TypeId, TypeTable } from './types.js';

/** What elements are followed with: the engine. */
interface ArrayContext {
  readonly types: TypeTable;
  readonly flows: Flows;
  watch(
    source: NodeId,
    watcher: { readonly arrived: (type: TypeId) => void; readonly saturated: (node: NodeId) => void },
  ): void;
}

export class ArrayNodes {
  readonly #engine: ArrayContext;
  readonly #nodes: (NodeId | undefined)[] = [];
  #anyElement: NodeId = NONE;

  constructor(engine: ArrayContext) {
    this.#engine = engine;
  }

  /** The elements of all arrays of a type. */
  elements(array: TypeId): NodeId {
    const existing = this.#nodes[array];
    if (existing !== undefined) return existing;
    const component = this.#engine.types.component(array);
    const node = this.#engine.flows.node(component < 0 ? this.#engine.types.object : component);
    this.#nodes[array] = node;
    if (component >= 0) this.#engine.flows.edge(this.anyElement(), node);
    return node;
  }

  /** What is stored into arrays of unknown types. */
  anyElement(): NodeId {
    if (this.#anyElement < 0) this.#anyElement = this.#engine.flows.node(this.#engine.types.object);
    return this.#anyElement;
  }

  /** The node of what is loaded from an array. */
  load(array: NodeId): NodeId {
    const value = this.#engine.flows.node(this.#engine.types.object);
    this.#engine.watch(array, {
      arrived: (type) => {
        if (this.#engine.types.component(type) >= 0) this.#engine.flows.edge(this.elements(type), value);
      },
      saturated: (node) => this.#loadAny(node, value),
    });
    return value;
  }

  store(array: NodeId, value: NodeId): void {
    this.#engine.watch(array, {
      arrived: (type) => {
        if (this.#engine.types.component(type) >= 0) this.#engine.flows.edge(value, this.elements(type));
      },
      saturated: () => this.#engine.flows.edge(value, this.anyElement()),
    });
  }

  /** An element of any array below the type of a node. */
  #loadAny(node: NodeId, value: NodeId): void {
    const component = this.#engine.types.component(this.#engine.flows.filterOf(node));
    const any = this.#engine.flows.node(component < 0 ? this.#engine.types.object : component);
    this.#engine.flows.all(any);
    this.#engine.flows.edge(any, value);
  }
}
