/**
 * The fewest calls whose removal frees so many bytes of code. A *call* is a pair of caller and callee, a *cut* a set F of methods that may go: all
 * calls into F from other methods are removed, so that F can no longer be reached, and nothing else is lost.
 *
 *        calls │         ·  · any cut                Cuts on the lower hull of this figure are minimum cuts of a network: of all F, one with the
 *              │      ·   ╱                           least  calls · a - bytes · b.  Between two neighbours on the hull, the line says how many
 *              │    ·   ╱●  hull                      calls a cut needs at least. Between them lie cuts that dominators give: a method with all
 *              │    ●╱                                that only it leads to. The best of both is the proposal.
 *              └──●──────────── bytes
 *
 * O(cuts on the hull · minimum cut).
 */
import { Int32Builder } from '../../../base/columns/columns.js';
import { rowsWhere, taken } from '../../../base/columns/marks.js';
import { NONE } from '../../../base/flavor.js';
import type { Work } from '../../../base/progress.js';
import type { CallDominators } from '../call-dominators.js';
import type { ReachedGraph } from '../shortest-paths.js';
import { FlowNetwork } from './minimum-cut.js';

/** Methods by their number in the graph. */
export interface WeightedGraph {
  readonly graph: ReachedGraph;
  /** Bytes of code, whole numbers; 0 if unknown. */
  readonly bytes: Float64Array;
  /** 1 for those that must stay. An entry, or called by another one that must stay: so they can stay without the others. */
  readonly stays: Uint8Array;
  readonly dominators: CallDominators;
}

export interface Cut {
  /** By number: 1 if it goes. */
  readonly freed: Uint8Array;
  readonly bytes: number;
  readonly calls: number;
}

export interface SmallestCut {
  /** Undefined if so much cannot be freed. */
  readonly cut: Cut | undefined;
  /** Bytes of all methods that need not stay. */
  readonly most: number;
  /** No cut that frees as much has fewer calls. */
  readonly leastCalls: number;
}

/** Throws the signal's reason if `work` is aborted. */
export async function smallestCut(weighted: WeightedGraph, goal: number, work: Work = {}): Promise<SmallestCut> {
  const all = cutOf(weighted, complement(weighted.stays));
  if (goal > all.bytes) return { cut: undefined, most: all.bytes, leastCalls: 0 };
  const { below, above } = await new Hull(weighted).around(goal, all, work);
  const share = (goal - below.bytes) * (above.calls - below.calls);
  const leastCalls = below.calls + Math.ceil(share / (above.bytes - below.bytes));
  const cuts = [trimmed(weighted, above, goal)];
  const completion = new Completion(weighted);
  for (const start of [below, nothing(weighted.stays.length)]) {
    const completed = completion.upTo(goal, start);
    if (completed !== undefined) cuts.push(trimmed(weighted, completed, goal));
  }
  const [cut] = cuts.sort((a, b) => a.calls - b.calls || a.bytes - b.bytes);
  return { cut, most: all.bytes, leastCalls };
}

function complement(marks: Uint8Array): Uint8Array {
  return marks.map((mark) => 1 - mark);
}

/** What goes if these do: they and what only they lead to. With its bytes and calls. */
function cutOf({ graph, bytes, stays }: WeightedGraph, goes: Uint8Array): Cut {
  const { first, callees } = graph;
  const freed = new Uint8Array(goes.length).fill(1);
  // Every method that stays has a path of others that stay, so a search from these finds all that stays.
  const queue = new Int32Array(goes.length);
  let end = 0;
  for (let id = 0; id < stays.length; id++)
    if (stays[id] === 1) {
      freed[id] = 0;
      queue[end++] = id;
    }
  for (let at = 0; at < end; at++)
    for (let place = first[queue[at]]; place < first[queue[at] + 1]; place++) {
      const callee = callees[place];
      if (goes[callee] === 1 || freed[callee] === 0) continue;
      freed[callee] = 0;
      queue[end++] = callee;
    }
  let calls = 0;
  for (let at = 0; at < end; at++)
    for (let place = first[queue[at]]; place < first[queue[at] + 1]; place++) calls += freed[callees[place]];
  let sum = 0;
  for (let id = 0; id < freed.length; id++) if (freed[id] === 1) sum += bytes[id];
  return { freed, bytes: sum, calls };
}

/** Cuts on the hull, by minimum cuts. All that must stay is the source. */
class Hull {
  readonly #weighted: WeightedGraph;
  readonly #network: FlowNetwork;
  /** By number: the node. */
  readonly #nodes: Int32Array;
  /** By arc: the calls, or the bytes, that it stands for; the other number is 0. */
  readonly #calls: Int32Array;
  readonly #bytes: Float64Array;

  constructor(weighted: WeightedGraph) {
    const { stays } = weighted;
    this.#weighted = weighted;
    this.#nodes = new Int32Array(stays.length);
    let count = SINK + 1;
    for (let id = 0; id < stays.length; id++) this.#nodes[id] = stays[id] === 1 ? SOURCE : count++;
    const [tail, head, calls] = [new Int32Builder(), new Int32Builder(), new Int32Builder()];
    const add = (start: number, end: number, weight: number): void => {
      tail.push(start);
      head.push(end);
      calls.push(weight);
    };
    this.#addCalls(add);
    const weighing = rowsWhere(stays.length, (id) => stays[id] === 0 && weighted.bytes[id] > 0);
    const callArcs = tail.length;
    for (const id of weighing) add(this.#nodes[id], SINK, 0);
    this.#network = new FlowNetwork({ nodes: count, tail: tail.finish(), head: head.finish() }, SOURCE, SINK);
    this.#calls = calls.finish();
    this.#bytes = new Float64Array(this.#calls.length);
    this.#bytes.set(taken(weighted.bytes, weighing), callArcs);
  }

  /** An arc for each call of a method that may go; those of all that must stay are one arc. */
  #addCalls(add: (start: number, end: number, weight: number) => void): void {
    const { graph, stays } = this.#weighted;
    const { first, callees } = graph;
    const outside = new Int32Array(stays.length);
    for (let caller = 0; caller < stays.length; caller++)
      for (let at = first[caller]; at < first[caller + 1]; at++) {
        const callee = callees[at];
        if (stays[callee] === 1 || callee === caller) continue;
        if (stays[caller] === 1) outside[callee]++;
        else add(this.#nodes[caller], this.#nodes[callee], 1);
      }
    for (let id = 0; id < stays.length; id++) if (outside[id] > 0) add(SOURCE, this.#nodes[id], outside[id]);
  }

  /** Two neighbours on the hull: the second frees at least `goal` bytes, the first fewer. `all`: the cut that frees most. */
  async around(goal: number, all: Cut, work: Work): Promise<{ readonly below: Cut; readonly above: Cut }> {
    let below = nothing(all.freed.length);
    let above = all;
    for (;;) {
      const [a, b] = [above.bytes - below.bytes, above.calls - below.calls];
      const capacity = Float64Array.from(this.#calls, (calls, arc) => calls * a + this.#bytes[arc] * b);
      const side = await this.#network.sourceSide(capacity, work);
      const cut = cutOf(this.#weighted, complement(taken(side, this.#nodes)));
      if (cut.calls * a - cut.bytes * b >= below.calls * a - below.bytes * b) return { below, above };
      if (cut.bytes >= goal) above = cut;
      else below = cut;
    }
  }
}

const [SOURCE, SINK] = [0, 1];

function nothing(methods: number): Cut {
  return { freed: new Uint8Array(methods), bytes: 0, calls: 0 };
}

/** Adds methods with all that only they lead to, until enough is freed. */
class Completion {
  readonly #weighted: WeightedGraph;
  /** By number: that of the immediate dominator, -1 for none; the methods of a subtree are numbered `place[n] .. place[n] + size[n]`. */
  readonly #above: Int32Array;
  readonly #place: Int32Array;
  readonly #size: Int32Array;

  constructor(weighted: WeightedGraph) {
    const { graph, dominators } = weighted;
    const { functions, numbers } = graph;
    this.#weighted = weighted;
    this.#above = Int32Array.from(functions, (id) => (dominators.above[id] < 0 ? NONE : numbers[dominators.above[id]]));
    this.#size = taken(dominators.methods, functions);
    this.#place = new Int32Array(functions.length);
    const next = new Int32Array(functions.length);
    let top = 0;
    // A dominator is on the shortest path from an entry, so its number is smaller.
    for (let id = 0; id < functions.length; id++) {
      const above = this.#above[id];
      this.#place[id] = above < 0 ? top : next[above];
      if (above < 0) top += this.#size[id];
      else next[above] += this.#size[id];
      next[id] = this.#place[id] + 1;
    }
  }

  /** A cut with `start` that frees `goal` bytes; undefined if there is none of so few steps. */
  upTo(goal: number, start: Cut): Cut | undefined {
    let cut = start;
    for (let step = 0; step < MOST_STEPS && cut.bytes < goal; step++) {
      const best = this.#bestMethod(cut.freed, goal - cut.bytes);
      if (best < 0) return undefined;
      const goes = cut.freed.map((mark, id) => (mark === 1 || this.#isBelow(id, best) ? 1 : 0));
      cut = cutOf(this.#weighted, goes);
    }
    return cut.bytes < goal ? undefined : cut;
  }

  #isBelow(id: number, dominator: number): boolean {
    const offset = this.#place[id] - this.#place[dominator];
    return offset >= 0 && offset < this.#size[dominator];
  }

  /** The method with the fewest calls that frees what is missing, else the one with the most bytes a call; -1 if none is left. */
  #bestMethod(freed: Uint8Array, missing: number): number {
    const { stays } = this.#weighted;
    const gain = this.#gains(freed);
    const calls = this.#callsInto(freed);
    let best = NONE;
    const isBetter = (id: number): boolean => {
      if (best < 0) return true;
      const [isEnough, wasEnough] = [gain[id] >= missing, gain[best] >= missing];
      if (isEnough !== wasEnough) return isEnough;
      const [mine, other] = isEnough ? [calls[best], calls[id]] : [gain[id] * calls[best], gain[best] * calls[id]];
      return mine === other ? isEnough && gain[id] < gain[best] : mine > other;
    };
    for (let id = 0; id < stays.length; id++)
      if (stays[id] === 0 && freed[id] === 0 && gain[id] > 0 && isBetter(id)) best = id;
    return best;
  }

  /** By number: bytes of what only it leads to and what is not freed yet. */
  #gains(freed: Uint8Array): Float64Array {
    const gain = this.#weighted.bytes.map((bytes, id) => (freed[id] === 1 ? 0 : bytes));
    for (let id = gain.length - 1; id >= 0; id--) if (this.#above[id] >= 0) gain[this.#above[id]] += gain[id];
    return gain;
  }

  /** By number: calls from methods that stay if it goes. */
  #callsInto(freed: Uint8Array): Int32Array {
    const { first, callees } = this.#weighted.graph;
    const calls = new Int32Array(freed.length);
    for (let caller = 0; caller < freed.length; caller++) {
      if (freed[caller] === 1) continue;
      for (let at = first[caller]; at < first[caller + 1]; at++)
        if (!this.#isBelow(caller, callees[at])) calls[callees[at]]++;
    }
    return calls;
  }
}

/** A cut of so many methods is none that a person makes. */
const MOST_STEPS = 100;

/** The parts of a cut that do not call each other: each frees its methods by itself. By number: the least number of its part, -1 if it stays. */
export function partsOfCut({ first, callees }: ReachedGraph, freed: Uint8Array): Int32Array {
  const part = Int32Array.from(freed, (mark, id) => (mark === 1 ? id : NONE));
  const root = (id: number): number => {
    let top = id;
    while (part[top] !== top) top = part[top];
    for (let at = id; at !== top; ) [at, part[at]] = [part[at], top];
    return top;
  };
  for (let caller = 0; caller < freed.length; caller++) {
    if (freed[caller] === 0) continue;
    for (let at = first[caller]; at < first[caller + 1]; at++) {
      if (freed[callees[at]] === 0) continue;
      const [a, b] = [root(caller), root(callees[at])];
      part[Math.max(a, b)] = Math.min(a, b);
    }
  }
  return part.map((_, id) => (part[id] < 0 ? NONE : root(id)));
}

/** The cut without parts that the goal does not need, those with the most calls first. */
function trimmed(weighted: WeightedGraph, cut: Cut, goal: number): Cut {
  const part = partsOfCut(weighted.graph, cut.freed);
  const sums = new Map<number, { bytes: number; calls: number }>();
  for (let id = 0; id < part.length; id++) {
    if (part[id] < 0) continue;
    const sum = sums.get(part[id]) ?? { bytes: 0, calls: 0 };
    sum.bytes += weighted.bytes[id];
    sums.set(part[id], sum);
  }
  const { first, callees } = weighted.graph;
  for (let caller = 0; caller < part.length; caller++)
    if (cut.freed[caller] === 0)
      for (let at = first[caller]; at < first[caller + 1]; at++) {
        const sum = sums.get(part[callees[at]]);
        if (sum !== undefined) sum.calls++;
      }
  let spare = cut.bytes - goal;
  const needless = new Set<number>();
  for (const [id, { bytes }] of [...sums].sort(([, a], [, b]) => b.calls - a.calls || a.bytes - b.bytes))
    if (bytes <= spare) {
      needless.add(id);
      spare -= bytes;
    }
  return needless.size === 0
    ? cut
    : cutOf(
        weighted,
        Uint8Array.from(part, (id) => (id >= 0 && !needless.has(id) ? 1 : 0)),
      );
}
