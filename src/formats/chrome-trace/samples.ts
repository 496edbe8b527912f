/** Samples of V8 in a trace: chunks with new nodes and samples. Times are microseconds; a sample lasts until the next one. */
import { Float64Builder } from '../../base/columns/columns.js';
import { NONE } from '../../base/flavor.js';
import type { StackBuilder } from '../../models/profile/stack-builder.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import { integerOf, listOf, member, numberOf } from '../shared/items/read-items.js';
import { type CallFrame, callFrameOf, placeOf } from '../shared/scripts/call-frames.js';
import { NodeTree, ROOT_PLACE } from '../shared/scripts/node-tree.js';

export class SampledProfile {
  /** Of the thread that it is of, not of the one that sampled. */
  thread = NONE;
  #start: number | undefined;
  readonly #program: ProgramBuilder;
  readonly #tree = new NodeTree();
  readonly #frames: CallFrame[] = [];
  readonly #node = new Float64Builder();
  readonly #delta = new Float64Builder();
  readonly #line = new Float64Builder();

  constructor(program: ProgramBuilder) {
    this.#program = program;
  }

  begin(start: number, thread: number): void {
    this.#start = start;
    this.thread = thread;
  }

  chunk(content: unknown, time: number, thread: number): void {
    this.#start ??= time;
    if (this.thread < 0) this.thread = thread;
    const profile = member(content, 'cpuProfile');
    for (const node of listOf(member(profile, 'nodes'))) this.#add(node);
    const deltas = listOf(member(content, 'timeDeltas') ?? member(profile, 'timeDeltas'));
    const lines = listOf(member(content, 'lines'));
    for (const [i, sample] of listOf(member(profile, 'samples')).entries()) {
      this.#node.push(integerOf(sample) ?? Number.NaN);
      this.#delta.push(numberOf(deltas[i]) ?? 0);
      this.#line.push(integerOf(lines[i]) ?? 0);
    }
  }

  #add(node: unknown): void {
    const id = integerOf(member(node, 'id'));
    const frame = callFrameOf(member(node, 'callFrame'));
    if (id === undefined || frame === undefined) return;
    const isRoot = frame.name === '(root)' && frame.url === '';
    const place = isRoot ? ROOT_PLACE : placeOf(this.#program, frame);
    if (!this.#tree.add(id, place, integerOf(member(node, 'parent')))) return;
    this.#frames.push(frame);
    for (const child of listOf(member(node, 'children'))) this.#tree.child(id, integerOf(child) ?? Number.NaN);
  }

  /** Rows in the order of time; how many samples are of nodes that there are not. */
  rows(stacks: StackBuilder, add: (stack: number, time: number, spent: number) => void): number {
    this.#tree.connect();
    let missing = 0;
    const times = new Float64Array(this.#node.length);
    let [elapsed, latest] = [this.#start ?? 0, Number.NEGATIVE_INFINITY];
    for (let i = 0; i < times.length; i++) {
      elapsed += this.#delta.values[i];
      latest = Math.max(latest, elapsed);
      times[i] = latest;
    }
    for (let i = 0; i < times.length; i++) {
      const row = this.#tree.rowOf(this.#node.values[i]);
      if (row < 0) {
        missing++;
        continue;
      }
      const line = this.#line.values[i];
      const stack =
        line > 0
          ? this.#tree.stackAt(row, placeOf(this.#program, this.#frames[row], line), stacks)
          : this.#tree.stackOf(row, stacks);
      if (stack >= 0) add(stack, times[i], (times[i + 1] ?? times[i]) - times[i]);
    }
    return missing;
  }
}
