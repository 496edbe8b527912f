/**
 * Stacks merged into a tree of functions: top-down (callers above) or inverted (a function, then its callers).
 *
 *   stacks  main:3─get:7─hash:0        tree  main ── get ── hash
 *           main:9─get:2─hash:0              (places within a function are merged)
 *
 * Parents come before children. Memory: 44 bytes a node.
 */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import { UsageError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { phrase, theOption, theStep } from '../../base/phrase.js';
import { atOnce, type Steps } from '../../base/progress.js';
import { formatCount } from '../../base/units.js';
import type { Profile } from '../../models/profile/profile.js';
import type { LocationTable } from '../../models/program/program.js';
import { functionByStack } from './stack-values.js';

export interface CallTree {
  readonly length: number;
  readonly parent: Int32Array;
  readonly function: Int32Array;
  /** LocationId of the place in the caller at which the function was called; -1 for roots and if sites are merged. */
  readonly site: Int32Array;
  /** Index into `STACK_ENDINGS` of the stacks that begin (top-down) or end (inverted) in a node; -1 elsewhere. */
  readonly ending: Int32Array;
  /** Index into `FRAME_MODES`; `MIXED` if frames of a node ran in several ways. Undefined if the recording has no modes. */
  readonly mode: Int32Array | undefined;
  /** The value of the node itself (top-down), or of the stacks that begin at the root in it (inverted). */
  readonly self: Float64Array;
  /** The value of the node and all nodes below it. */
  readonly total: Float64Array;
  /**
   * The largest value at or below the node, which orders trees of metrics that must not be summed. Never smaller than a
   * child's.
   */
  readonly largest: Float64Array;
  /** A stack of each node: top-down one that ends in it, inverted one whose innermost frames are the path to it. */
  readonly stack: Int32Array;
  /** The node of each stack, at which its path ends; -1 for stacks without a value (top-down, also without one below them). */
  readonly ofStack: Int32Array;
}

/** Of a node with frames that ran in different ways. */
export const MIXED = -1;

/** The most nodes of a tree. Inverted trees of deep, different stacks have a node for each frame of each stack. */
const MOST_NODES = 1 << 24;

export interface TreeOptions {
  readonly inverted: boolean;
  /** Calls from different places of a function are different nodes. */
  readonly bySite: boolean;
  /** Only stacks for which this is 1. */
  readonly chosen?: Uint8Array;
}

type Stacks = Pick<Profile, 'stacks'>;
interface Frames {
  readonly locations: Pick<LocationTable, 'function' | 'mode'>;
}

export function callTree(profile: Stacks, program: Frames, exclusive: Float64Array, options: TreeOptions): CallTree {
  return atOnce(callTreeSteps(profile, program, exclusive, options));
}

/** `callTree` in parts; yields the stacks that are done. */
export function* callTreeSteps(
  profile: Stacks,
  program: Frames,
  exclusive: Float64Array,
  options: TreeOptions,
): Steps<CallTree> {
  const builder = new TreeBuilder(program);
  const add = options.inverted ? addInverted : addTopDown;
  const ofStack = yield* add(builder, profile, program, exclusive, options);
  return { ...builder.finish(), ofStack };
}

/** Frames between two yields. */
const FRAMES_A_STEP = 1 << 13;

class TreeBuilder {
  readonly #nodes = new IntTable();
  readonly #labels = new IntTable();
  readonly #function = new Int32Builder();
  readonly #site = new Int32Builder();
  readonly #ending = new Int32Builder();
  readonly #stack = new Int32Builder();
  readonly #modes: Uint8Array | undefined;
  readonly #mode = new Int32Builder();
  readonly #self = new Float64Builder();

  constructor(program: Frames) {
    this.#modes = program.locations.mode;
  }

  /** `parent`: a node, or -1 minus the ending for a root. `location`: of the frame. `stack`: one with the node. */
  node(parent: number, functionId: number, site: number, location: number, stack: number): number {
    const label = this.#labels.add(functionId, site);
    const nodeCount = this.#nodes.length;
    const node = this.#nodes.add(parent, label);
    const mode = this.#modes?.[location] ?? 0;
    if (node < nodeCount) {
      if (this.#modes !== undefined && this.#mode.values[node] !== mode) this.#mode.values[node] = MIXED;
      return node;
    }
    if (node >= MOST_NODES)
      throw new UsageError(`the tree would have more than ${formatCount(MOST_NODES)} nodes`, {
        code: 'tree-too-large',
        advice: phrase`Select a part of it (${theStep('focus')}, ${theStep('thread')}), or use the other direction (${theOption('inverted')}).`,
        action: { addSteps: ['focus'] },
      });
    this.#function.push(functionId);
    this.#site.push(site);
    this.#ending.push(parent < 0 ? -1 - parent : -1);
    this.#stack.push(stack);
    this.#self.push(0);
    if (this.#modes !== undefined) this.#mode.push(mode);
    return node;
  }

  get length(): number {
    return this.#nodes.length;
  }

  add(node: number, value: number): void {
    this.#self.values[node] += value;
  }

  end(node: number, ending: number): void {
    this.#ending.values[node] = ending;
  }

  finish(): Omit<CallTree, 'ofStack'> {
    const parent = this.#nodes.column(0).map((node) => Math.max(node, -1));
    const self = this.#self.finish();
    const total = self.slice();
    const largest = self.slice();
    for (let node = parent.length - 1; node >= 0; node--) {
      const above = parent[node];
      if (above < 0) continue;
      total[above] += total[node];
      largest[above] = Math.max(largest[above], largest[node]);
    }
    return {
      length: parent.length,
      parent,
      function: this.#function.finish(),
      site: this.#site.finish(),
      ending: this.#ending.finish(),
      stack: this.#stack.finish(),
      mode: this.#modes === undefined ? undefined : this.#mode.finish(),
      self,
      total,
      largest,
    };
  }
}

function* addTopDown(
  builder: TreeBuilder,
  profile: Stacks,
  program: Frames,
  exclusive: Float64Array,
  options: TreeOptions,
): Steps<Int32Array> {
  const { stacks } = profile;
  const functions = functionByStack(stacks, program);
  const used = usedStacks(profile, exclusive, options.chosen);
  const nodes = new Int32Array(stacks.length).fill(NONE);
  for (let id = 0; id < stacks.length; id++) {
    if (id % FRAMES_A_STEP === 0) yield id;
    if (used[id] === 0) continue;
    const parent = stacks.parent[id];
    const site = options.bySite && parent >= 0 ? stacks.location[parent] : NONE;
    nodes[id] = builder.node(
      parent >= 0 ? nodes[parent] : -1 - stacks.ending[id],
      functions[id],
      site,
      stacks.location[id],
      id,
    );
    if (options.chosen === undefined || options.chosen[id] === 1) builder.add(nodes[id], exclusive[id]);
  }
  return nodes;
}

/** 1 for stacks with a value, or with one below them. */
function usedStacks(profile: Stacks, exclusive: Float64Array, chosen: Uint8Array | undefined): Uint8Array {
  const { stacks } = profile;
  const used = new Uint8Array(stacks.length);
  for (let id = stacks.length - 1; id >= 0; id--) {
    if (exclusive[id] !== 0 && (chosen === undefined || chosen[id] === 1)) used[id] = 1;
    const parent = stacks.parent[id];
    if (used[id] === 1 && parent >= 0) used[parent] = 1;
  }
  return used;
}

function* addInverted(
  builder: TreeBuilder,
  profile: Stacks,
  program: Frames,
  exclusive: Float64Array,
  options: TreeOptions,
): Steps<Int32Array> {
  const { stacks } = profile;
  const functions = functionByStack(stacks, program);
  const nodes = new Int32Array(stacks.length).fill(NONE);
  let frames = 0;
  for (let id = 0; id < stacks.length; id++) {
    if (exclusive[id] === 0 || (options.chosen !== undefined && options.chosen[id] === 0)) continue;
    if (frames >= FRAMES_A_STEP) {
      yield id;
      frames = 0;
    }
    const nodeCount = builder.length;
    let node = builder.node(-1, functions[id], NONE, stacks.location[id], id);
    if (node === nodeCount) builder.end(node, -1);
    for (let frame = stacks.parent[id]; frame >= 0; frame = stacks.parent[frame]) {
      const site = options.bySite ? stacks.location[frame] : NONE;
      node = builder.node(node, functions[frame], site, stacks.location[frame], id);
      frames++;
    }
    builder.add(node, exclusive[id]);
    builder.end(node, stacks.ending[id]);
    nodes[id] = node;
  }
  return nodes;
}
