/**
 * Counts of blocks and edges of a method from the counts in a profile. The flow into a block equals the flow out of it,
 * so an unknown edge is determined exactly if it is a bridge of the graph of unknown edges: then the whole flow between
 * its two sides goes through it. Counts that are not determined are NaN.
 *
 *   vertices   two a node, inflow and outflow, with the node's own count as the edge between; `LOST`
 *
 * O(blocks + edges) a walk. Blocks that ran 0 times settle their edges, and those the next blocks; another walk follows
 * only if that found something.
 */
import { LOST, type Network } from './flow-network.js';

export interface FlowCounts {
  /** By node of the flow; the last one is the method's calls. */
  readonly nodes: Float64Array;
  readonly edges: Float64Array;
  /**
   * The counts contradict each other, since threads update counters without synchronisation: nothing was derived from
   * them.
   */
  readonly contradictory: boolean;
}

/** Solves one flow for many contexts. */
export class FlowSolver {
  /** Walks over the graph so far. */
  walks = 0;
  readonly #edges: number;
  readonly #nodes: number;
  readonly #vertices: number;
  /** Vertices of each edge: first the edges of the flow, then those of the nodes. */
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  /** Edges at vertex `v`: `#at[#first[v] .. #first[v + 1])`. */
  readonly #first: Int32Array;
  readonly #at: Int32Array;

  constructor(flow: Network) {
    this.#edges = flow.from.length;
    this.#nodes = flow.nodes + 1;
    const lost = 2 * this.#nodes;
    this.#vertices = lost + 1;
    const all = this.#edges + this.#nodes;
    this.#from = Int32Array.from({ length: all }, (_, edge) => {
      if (edge >= this.#edges) return 2 * (edge - this.#edges);
      return flow.from[edge] === LOST ? lost : 2 * flow.from[edge] + 1;
    });
    this.#to = Int32Array.from({ length: all }, (_, edge) => {
      if (edge >= this.#edges) return 2 * (edge - this.#edges) + 1;
      return flow.to[edge] === LOST ? lost : 2 * flow.to[edge];
    });
    this.#first = new Int32Array(this.#vertices + 1);
    for (const ends of [this.#from, this.#to]) for (const vertex of ends) this.#first[vertex + 1]++;
    for (let vertex = 0; vertex < this.#vertices; vertex++) this.#first[vertex + 1] += this.#first[vertex];
    const next = this.#first.slice();
    this.#at = new Int32Array(2 * all);
    for (const ends of [this.#from, this.#to])
      for (let edge = 0; edge < all; edge++) this.#at[next[ends[edge]]++] = edge;
  }

  /** `calls`: of the method, undefined if not counted. `known`: edges with counts. */
  solve(calls: number | undefined, known: ReadonlyMap<number, number>): FlowCounts {
    const values = new Float64Array(this.#from.length).fill(Number.NaN);
    if (calls !== undefined) values[values.length - 1] = calls;
    for (const [edge, count] of known) values[edge] = count;
    const recorded = values.slice();
    const sound = this.#complete(values);
    const counts = sound ? values : recorded;
    return { nodes: counts.subarray(this.#edges), edges: counts.subarray(0, this.#edges), contradictory: !sound };
  }

  /** Returns false if a count would be negative, or if the known counts contradict each other. */
  #complete(values: Float64Array): boolean {
    if (values.some((value) => value < 0)) return false;
    do if (!this.#settleBridges(values)) return false;
    while (this.#settleZeros(values));
    return true;
  }

  /**
   * A block that never ran was neither entered nor left, and one that was not entered or not left never ran: follows this
   * from block to block, since a chain of `else if` that never ran would otherwise take one walk a block.
   */
  #settleZeros(values: Float64Array): boolean {
    const open = this.#openEdges(values);
    const waiting: number[] = [];
    for (let node = 0; node < this.#nodes; node++) if (values[this.#edges + node] === 0) waiting.push(node);
    let changed = false;
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
      for (let i = this.#first[2 * node]; i < this.#first[2 * node + 2]; i++) {
        const edge = this.#at[i];
        if (!Number.isNaN(values[edge])) continue;
        values[edge] = 0;
        changed = true;
        for (const vertex of [this.#from[edge], this.#to[edge]]) {
          const other = vertex >> 1;
          if (--open[vertex] > 0 || other === this.#nodes || !Number.isNaN(values[this.#edges + other])) continue;
          values[this.#edges + other] = 0;
          waiting.push(other);
        }
      }
    return changed;
  }

  /** For each vertex the number of its edges, except the node's own, that are not known to be 0. */
  #openEdges(values: Float64Array): Int32Array {
    const open = new Int32Array(this.#vertices);
    for (let edge = 0; edge < this.#edges; edge++) {
      if (values[edge] === 0) continue;
      open[this.#from[edge]]++;
      open[this.#to[edge]]++;
    }
    return open;
  }

  /** Outflow minus inflow of each vertex, over known edges. */
  #balance(values: Float64Array): Float64Array {
    const balance = new Float64Array(this.#vertices);
    for (let edge = 0; edge < values.length; edge++) {
      if (Number.isNaN(values[edge])) continue;
      balance[this.#from[edge]] += values[edge];
      balance[this.#to[edge]] -= values[edge];
    }
    return balance;
  }

  /**
   * Finds the bridges among the unknown edges (Tarjan), in one depth-first walk that ignores directions, and gives them
   * values.
   */
  #settleBridges(values: Float64Array): boolean {
    this.walks++;
    const balance = this.#balance(values);
    const unknown = Uint8Array.from(values, (value) => (Number.isNaN(value) ? 1 : 0));
    const order = new Int32Array(this.#vertices).fill(-1);
    const low = new Int32Array(this.#vertices);
    const by = new Int32Array(this.#vertices).fill(-1);
    const next = this.#first.slice();
    let count = 0;
    for (let start = 0; start < this.#vertices; start++) {
      if (order[start] >= 0) continue;
      order[start] = low[start] = count++;
      for (let vertex = start; ; ) {
        const way = next[vertex] < this.#first[vertex + 1] ? this.#at[next[vertex]++] : -1;
        if (way >= 0) {
          if (unknown[way] === 0 || way === by[vertex]) continue;
          const other = this.#from[way] === vertex ? this.#to[way] : this.#from[way];
          if (order[other] >= 0) low[vertex] = Math.min(low[vertex], order[other]);
          else {
            by[other] = way;
            order[other] = low[other] = count++;
            vertex = other;
          }
          continue;
        }
        const edge = by[vertex];
        if (edge < 0) break;
        const above = this.#from[edge] === vertex ? this.#to[edge] : this.#from[edge];
        if (low[vertex] === order[vertex]) {
          const value = this.#to[edge] === vertex ? balance[vertex] : 0 - balance[vertex];
          if (value < 0) return false;
          values[edge] = value;
        } else low[above] = Math.min(low[above], low[vertex]);
        balance[above] += balance[vertex];
        vertex = above;
      }
      if (balance[start] !== 0) return false;
    }
    return true;
  }
}
