/**
 * Counts of blocks and edges of a method from those that a profile has: what flows into a block flows out of it. A count
 * that does not follow is NaN. O(edges) a step, each step finds a count.
 */
import { type CodeFlow, LOST } from './code-flow.js';

export interface FlowCounts {
  /** By node of the flow, the last one being the method's calls. */
  readonly nodes: Float64Array;
  readonly edges: Float64Array;
  /** The counts do not add up, as where threads counted at once without care: nothing was derived from them. */
  readonly contradictory: boolean;
}

export class FlowSolver {
  readonly #flow: CodeFlow;
  /** Edges into and out of each node. */
  readonly #in: number[][];
  readonly #out: number[][];

  constructor(flow: CodeFlow) {
    this.#flow = flow;
    this.#in = Array.from({ length: flow.nodes + 1 }, () => []);
    this.#out = Array.from({ length: flow.nodes + 1 }, () => []);
    for (let edge = 0; edge < flow.from.length; edge++) {
      if (flow.from[edge] !== LOST) this.#out[flow.from[edge]].push(edge);
      if (flow.to[edge] !== LOST) this.#in[flow.to[edge]].push(edge);
    }
  }

  /** `calls`: of the method, undefined where they are not counted. `known`: edges that were counted. */
  solve(calls: number | undefined, known: ReadonlyMap<number, number>): FlowCounts {
    const nodes = new Float64Array(this.#flow.nodes + 1).fill(Number.NaN);
    const edges = new Float64Array(this.#flow.from.length).fill(Number.NaN);
    if (calls !== undefined) nodes[this.#flow.nodes] = calls;
    for (const [edge, count] of known) edges[edge] = count;
    const recorded = { nodes: nodes.slice(), edges: edges.slice() };
    if (this.#derive(nodes, edges)) return { nodes, edges, contradictory: false };
    return { ...recorded, contradictory: true };
  }

  /** False where a count would be negative, or differ from what is there. */
  #derive(nodes: Float64Array, edges: Float64Array): boolean {
    const waiting = Array.from(nodes.keys());
    const queued = new Uint8Array(nodes.length).fill(1);
    const found = (edge: number, count: number): boolean => {
      edges[edge] = count;
      for (const node of [this.#flow.from[edge], this.#flow.to[edge]]) {
        if (node === LOST || queued[node] === 1) continue;
        queued[node] = 1;
        waiting.push(node);
      }
      return count >= 0;
    };
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      queued[node] = 0;
      const sides = [this.#in[node], this.#out[node]];
      for (const side of sides) {
        const { sum, open } = sumOf(side, edges);
        if (open.length > 0) continue;
        if (Number.isNaN(nodes[node])) nodes[node] = sum;
        else if (nodes[node] !== sum) return false;
      }
      if (Number.isNaN(nodes[node])) continue;
      for (const side of sides) {
        const { sum, open } = sumOf(side, edges);
        const rest = nodes[node] - sum;
        const [only] = open;
        if (only === undefined) {
          if (rest !== 0) return false;
        } else if (open.length === 1) {
          if (!found(only, rest)) return false;
        } else if (rest === 0) {
          for (const edge of open) found(edge, 0);
        } else if (rest < 0) return false;
      }
    }
    return true;
  }
}

function sumOf(side: readonly number[], edges: Float64Array): { sum: number; open: number[] } {
  let sum = 0;
  const open: number[] = [];
  for (const edge of side) {
    if (Number.isNaN(edges[edge])) open.push(edge);
    else sum += edges[edge];
  }
  return { sum, open };
}
