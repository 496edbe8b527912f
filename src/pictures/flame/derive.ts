/**
 * Other flame graphs of the samples of one: inverted, of some threads, in the order of time. They are made where they are
 * shown, so that a page carries each sample once.
 *
 * The source is a whole tree from the roots (nothing left out); `callTree` makes the inverted one of it as of a recording,
 * with its nodes as stacks. Memory: 60 bytes a node of the result.
 */
import { nodeColumns, placesOf, ranks } from '../../analysis/flame/flame-nodes.js';
import { callTree } from '../../analysis/stacks/call-tree.js';
import { joinTrees, keptNodes, type LabelledTree, levelOrder } from '../../analysis/stacks/level-order.js';
import { float64Values, int8Values, int32Values } from '../../base/base64.js';
import { Float64Builder, Int32Builder, sumOf } from '../../base/columns/columns.js';
import { taken } from '../../base/columns/marks.js';
import { UsageError } from '../../base/errors.js';
import { note } from '../../base/note.js';
import { formatCount } from '../../base/units.js';
import { packedNodes } from '../../views/flame/node-columns.js';
import { threadsMatching } from '../thread-choices.js';
import type { FlameResult } from './picture.js';

export interface PictureSelection {
  readonly inverted: boolean;
  /** Pattern of names of threads, as `--thread` takes it; undefined for all threads. */
  readonly thread: string | undefined;
  /** In the order of time, thread by thread; not inverted, and without base. */
  readonly inTime: boolean;
}

/** What the nodes of a flame graph are; the rest of a result stays as it is. */
export interface DerivedNodes {
  readonly nodes: FlameResult['nodes'];
  /** In the order of time: where each node begins, in units of the metric. */
  readonly start: Float64Array | undefined;
  readonly sum: number;
  /** 0 without base. */
  readonly baseSum: number;
}

/** Boxes in the order of time beyond which a page would not open. */
const MOST_BOXES = 8_000_000;

/** Whether other graphs can be made of a result. */
export function isSource(result: FlameResult): boolean {
  return !result.inverted && result.left_out === 0 && result.metric.nature !== 'site';
}

/** Throws `UsageError` if the result would be too large, or no thread matches. */
export function derive(source: FlameResult, selection: PictureSelection): DerivedNodes {
  const tree = sourceTree(source);
  if (selection.inTime) return inTime(source, tree, selection.thread);
  const own = { now: tree.self, base: tree.base?.self };
  const self = selection.thread === undefined ? own : selfOf(source, selection.thread);
  const turned = selection.inverted ? inverted(tree, self) : self === own ? tree : restricted(tree, self);
  const kept = keptNodes(turned, 0, 0, 0);
  const order = levelOrder(turned, kept, ranks(source.functions.name));
  return {
    nodes: packedNodes(nodeColumns(turned, order, placesOf(order, turned.length))),
    start: undefined,
    sum: sumOf(self.now),
    baseSum: self.base === undefined ? 0 : sumOf(self.base),
  };
}

function sourceTree({ nodes }: FlameResult): LabelledTree {
  const { base_self: baseSelf, base_total: baseTotal } = nodes;
  return {
    length: nodes.length,
    parent: int32Values(nodes.parent),
    label: int32Values(nodes.function),
    ending: Int32Array.from(int8Values(nodes.begins)),
    mode: nodes.mode === null ? undefined : Int32Array.from(int8Values(nodes.mode)),
    self: float64Values(nodes.self),
    total: float64Values(nodes.total),
    ...(baseSelf === null || baseTotal === null
      ? {}
      : { base: { self: float64Values(baseSelf), total: float64Values(baseTotal) } }),
  };
}

/** What nodes have themselves. */
interface Self {
  readonly now: Float64Array;
  readonly base: Float64Array | undefined;
}

type Samples = NonNullable<FlameResult['samples']>;

/** What each node has itself in the threads that a pattern means. */
function selfOf({ nodes, samples, base }: FlameResult, pattern: string): Self {
  const chosen = threadsMatching(samples?.threads ?? [], pattern);
  const sums = (rows: Pick<Samples, 'length' | 'node' | 'thread' | 'value'> | null | undefined): Float64Array => {
    const self = new Float64Array(nodes.length);
    if (rows === null || rows === undefined || rows.thread === null) return self;
    const [of, node, value] = [int32Values(rows.thread), int32Values(rows.node), float64Values(rows.value)];
    for (let row = 0; row < rows.length; row++) if (chosen[of[row]] === 1) self[node[row]] += value[row];
    return self;
  };
  return { now: sums(samples), base: base === null ? undefined : sums(samples?.base) };
}

/** The nodes with a value of their own or below them. */
function restricted(tree: LabelledTree, { now, base }: Self): LabelledTree {
  const { length, parent } = tree;
  const total = now.slice();
  const baseTotal = base?.slice();
  const used = Uint8Array.from(now, (value, node) => (value !== 0 || (base !== undefined && base[node] !== 0) ? 1 : 0));
  for (let node = length - 1; node >= 0; node--) {
    if (parent[node] < 0) continue;
    total[parent[node]] += total[node];
    if (baseTotal !== undefined) baseTotal[parent[node]] += baseTotal[node];
    if (used[node] === 1) used[parent[node]] = 1;
  }
  const rows = tree.parent.map((_, node) => node).filter((node) => used[node] === 1);
  const place = new Int32Array(length).fill(-1);
  rows.forEach((node, row) => {
    place[node] = row;
  });
  return {
    length: rows.length,
    parent: rows.map((node) => (parent[node] < 0 ? -1 : place[parent[node]])),
    label: rows.map((node) => tree.label[node]),
    ending: rows.map((node) => tree.ending[node]),
    mode: tree.mode === undefined ? undefined : rows.map((node) => tree.mode?.[node] ?? 0),
    self: taken(now, rows),
    total: taken(total, rows),
    ...(base === undefined || baseTotal === undefined
      ? {}
      : { base: { self: taken(base, rows), total: taken(baseTotal, rows) } }),
  };
}

function inverted(tree: LabelledTree, self: Self): LabelledTree {
  const { length, parent, label, mode } = tree;
  const ending = new Uint8Array(length);
  for (let node = 0; node < length; node++) ending[node] = parent[node] < 0 ? tree.ending[node] : ending[parent[node]];
  const location = parent.map((_, node) => node);
  const program = { locations: { function: label, ...(mode === undefined ? {} : { mode: Uint8Array.from(mode) }) } };
  const turn = (values: Float64Array) =>
    callTree({ stacks: { length, parent, location, ending } }, program, values, { inverted: true, bySite: false });
  const now = turn(self.now);
  if (self.base === undefined) return { ...now, label: now.function, mode: signed(now.mode) };
  const base = turn(self.base);
  const identity = new Int32Array(label.reduce((most, id) => Math.max(most, id), 0) + 1).map((_, id) => id);
  const joined = joinTrees(now, identity, base, identity, true);
  return { ...joined, mode: signed(joined.mode) };
}

/** Modes of several ways came as bytes: 255. */
function signed(mode: Int32Array | undefined): Int32Array | undefined {
  return mode?.map((value) => (value === 255 ? -1 : value));
}

/** Each sample in its turn; frames that go on from one sample to the next are one box. */
function inTime({ samples }: FlameResult, tree: LabelledTree, pattern: string | undefined): DerivedNodes {
  if (samples === null) throw new UsageError('the samples have no order of time', { code: 'no-times' });
  const thread = samples.thread === null ? undefined : int32Values(samples.thread);
  const chosen = pattern === undefined ? undefined : threadsMatching(samples.threads, pattern);
  const boxes = new TimeBoxes(tree);
  const [node, value] = [int32Values(samples.node), float64Values(samples.value)];
  for (let row = 0; row < samples.length; row++)
    if (chosen === undefined || chosen[thread?.[row] ?? 0] === 1)
      boxes.add(thread?.[row] ?? 0, node[row], Math.max(0, value[row]));
  return boxes.finish();
}

class TimeBoxes {
  readonly #tree: LabelledTree;
  readonly #depth: Int32Array;
  readonly #parent = new Int32Builder();
  readonly #node = new Int32Builder();
  readonly #start = new Float64Builder();
  readonly #self = new Float64Builder();
  /** The boxes that are open, and the nodes they show, by depth. */
  #open: number[] = [];
  #thread = -1;
  #now = 0;

  constructor(tree: LabelledTree) {
    this.#tree = tree;
    this.#depth = new Int32Array(tree.length);
    for (let node = 0; node < tree.length; node++)
      this.#depth[node] = tree.parent[node] < 0 ? 0 : this.#depth[tree.parent[node]] + 1;
  }

  add(thread: number, node: number, value: number): void {
    if (thread !== this.#thread) this.#open = [];
    this.#thread = thread;
    const path: number[] = [];
    let above = node;
    const isOpen = (): boolean => {
      const box = this.#open[this.#depth[above]];
      return box !== undefined && this.#node.values[box] === above;
    };
    for (; above >= 0 && !isOpen(); above = this.#tree.parent[above]) path.push(above);
    this.#open.length = above < 0 ? 0 : this.#depth[above] + 1;
    for (const next of path.reverse()) this.#open.push(this.#box(next));
    this.#self.values[this.#open.at(-1) ?? 0] += value;
    this.#now += value;
  }

  #box(node: number): number {
    if (this.#node.length >= MOST_BOXES)
      throw new UsageError(`the order of time would have more than ${formatCount(MOST_BOXES)} boxes`, {
        code: 'picture-too-large',
      });
    this.#parent.push(this.#open.at(-1) ?? -1);
    this.#start.push(this.#now);
    this.#self.push(0);
    this.#node.push(node);
    return this.#node.length - 1;
  }

  finish(): DerivedNodes {
    const [parent, node, self] = [this.#parent.finish(), this.#node.finish(), this.#self.finish()];
    const total = self.slice();
    for (let box = total.length - 1; box >= 0; box--) if (parent[box] >= 0) total[parent[box]] += total[box];
    const of = (column: Int32Array): Int32Array => node.map((id) => column[id]);
    const boxes: LabelledTree = {
      length: node.length,
      parent,
      label: of(this.#tree.label),
      ending: of(this.#tree.ending),
      mode: this.#tree.mode && of(this.#tree.mode),
      self,
      total,
    };
    // One rank for all: siblings stay in the order of time.
    const one = new Int32Array(this.#tree.label.reduce((most, id) => Math.max(most, id), 0) + 1);
    const order = levelOrder({ ...boxes, label: boxes.label.map(() => 0) }, new Uint8Array(node.length).fill(1), one);
    const start = this.#start.finish();
    return {
      nodes: packedNodes(nodeColumns(boxes, order, placesOf(order, boxes.length))),
      start: Float64Array.from(order, (box) => start[box]),
      sum: this.#now,
      baseSum: 0,
    };
  }
}

/** The source with the derived nodes in place of its own. */
export function derivedResult(source: FlameResult, selection: PictureSelection, made: DerivedNodes): FlameResult {
  const { inverted, inTime } = selection;
  const { sum, samples } = source.metric;
  const samplesMade = samples === null ? 0 : (samples * made.sum) / sum;
  const metric = { ...source.metric, sum: made.sum, samples: samplesMade > 0 ? samplesMade : null };
  const { nodes } = made;
  const result = { ...source, inverted, metric, nodes, stacks: null, samples: null };
  if (source.base === null) return result;
  if (!inTime) return { ...result, base: { ...source.base, sum: made.baseSum } };
  const alone = note(
    'without-base',
    `In the order of time: without ${source.base.recording}, which has times of its own.`,
  );
  return { ...result, base: null, notes: [alone, ...source.notes] };
}
