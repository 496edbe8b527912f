/**
 * Minimum cuts of a network whose capacities change and whose arcs do not: Dinic's algorithm, without recursion. Capacities are whole numbers,
 * so sums up to 2^53 are exact. 12 bytes an arc and as much for its way back, 20 a node.
 */
import { membersOf } from '../../../base/columns/lists.js';
import { NONE } from '../../../base/flavor.js';
import { pause, type Work } from '../../../base/progress.js';

/** Arcs by row, from tail to head, between nodes from 0 on. */
export interface Arcs {
  readonly nodes: number;
  readonly tail: Int32Array;
  readonly head: Int32Array;
}

export class FlowNetwork {
  readonly #nodes: number;
  readonly #source: number;
  readonly #sink: number;
  /** Arc `a` is that of row `a >> 1`, or for odd numbers its way back; by node: its arcs `order[first[n] .. first[n + 1])`. */
  readonly #head: Int32Array;
  readonly #first: Int32Array;
  readonly #order: Int32Array;
  readonly #room: Float64Array;
  readonly #level: Int32Array;
  readonly #queue: Int32Array;
  readonly #next: Int32Array;

  constructor({ nodes, tail, head }: Arcs, source: number, sink: number) {
    const arcs = 2 * tail.length;
    this.#nodes = nodes;
    this.#source = source;
    this.#sink = sink;
    this.#head = new Int32Array(arcs);
    this.#room = new Float64Array(arcs);
    this.#level = new Int32Array(nodes);
    this.#queue = new Int32Array(nodes);
    this.#next = new Int32Array(nodes);
    for (let row = 0; row < tail.length; row++) {
      this.#head[2 * row] = head[row];
      this.#head[2 * row + 1] = tail[row];
    }
    const tails = this.#head.map((_, arc) => this.#head[arc ^ 1]);
    const { start, members } = membersOf(tails, nodes);
    this.#first = start;
    this.#order = members;
  }

  /**
   * By node: 1 on the side of the source in the minimum cut with the fewest nodes there. `capacity`: by row of the arcs. Throws the signal's
   * reason if `work` is aborted.
   */
  async sourceSide(capacity: Float64Array, work: Work = {}): Promise<Uint8Array> {
    for (let row = 0; row < capacity.length; row++) {
      this.#room[2 * row] = capacity[row];
      this.#room[2 * row + 1] = 0;
    }
    for (let phase = 0; this.#layer(); phase++) {
      await pause(work, 'minimum cut: phases', phase, this.#nodes);
      this.#next.set(this.#first.subarray(0, this.#nodes));
      this.#block();
    }
    return Uint8Array.from(this.#level, (level) => (level === NONE ? 0 : 1));
  }

  /** Levels by arcs from the source over those with room; false if none leads to the sink. */
  #layer(): boolean {
    const level = this.#level.fill(NONE);
    const [queue, order, first, head, room] = [this.#queue, this.#order, this.#first, this.#head, this.#room];
    level[this.#source] = 0;
    queue[0] = this.#source;
    let end = 1;
    for (let at = 0; at < end; at++) {
      const node = queue[at];
      for (let place = first[node]; place < first[node + 1]; place++) {
        const arc = order[place];
        if (room[arc] <= 0 || level[head[arc]] !== NONE) continue;
        level[head[arc]] = level[node] + 1;
        queue[end++] = head[arc];
      }
    }
    return level[this.#sink] !== NONE;
  }

  /** Fills paths along the levels until each has an arc without room. */
  #block(): void {
    const [level, order, first, head, room, next] = [
      this.#level,
      this.#order,
      this.#first,
      this.#head,
      this.#room,
      this.#next,
    ];
    const path = this.#queue;
    let depth = 0;
    let node = this.#source;
    for (;;) {
      if (node === this.#sink) {
        let least = Number.POSITIVE_INFINITY;
        for (let i = 0; i < depth; i++) least = Math.min(least, room[path[i]]);
        let full = depth;
        for (let i = depth - 1; i >= 0; i--) {
          room[path[i]] -= least;
          room[path[i] ^ 1] += least;
          if (room[path[i]] === 0) full = i;
        }
        depth = full;
        node = head[path[full] ^ 1];
        continue;
      }
      const end = first[node + 1];
      while (next[node] < end) {
        const arc = order[next[node]];
        if (room[arc] > 0 && level[head[arc]] === level[node] + 1) break;
        next[node]++;
      }
      if (next[node] < end) {
        path[depth++] = order[next[node]];
        node = head[path[depth - 1]];
      } else if (depth === 0) return;
      else {
        depth--;
        node = head[path[depth] ^ 1];
        next[node]++;
      }
    }
  }
}
