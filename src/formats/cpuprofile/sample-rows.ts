/** The samples of a profile as rows: stack, time since the start, and the time until the next one. */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { NONE } from '../../base/flavor.js';
import type { ProblemLog } from '../../base/problems.js';
import { plural } from '../../base/units.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { placeOf } from '../shared/scripts/call-frames.js';
import type { CpuProfileContents } from './contents.js';

const NS_PER_US = 1e3;
/** Old profiles have times in seconds beside timestamps in microseconds. */
const US_PER_S = 1e6;
const IDLE = '(idle)';

export class SampleRows {
  readonly stacks = new StackBuilder();
  readonly stack = new Int32Builder();
  readonly time = new Float64Builder();
  readonly spent = new Float64Builder();
  readonly count = new Float64Builder();
  /** Ids of nodes that the file lacks. */
  missing = 0;
  idle = 0;
  samples = 0;
  readonly #contents: CpuProfileContents;
  readonly #problems: ProblemLog;
  /** Whether the text of the file is whole: what lacks then is an error of its own. */
  readonly #isWhole: boolean;

  constructor(contents: CpuProfileContents, problems: ProblemLog, isWhole: boolean) {
    this.#contents = contents;
    this.#problems = problems;
    this.#isWhole = isWhole;
  }

  /** Whether samples have times; else only their number by node is known. */
  get isTimed(): boolean {
    const { samples, deltas, timestamps } = this.#contents;
    return samples.length > 0 && deltas.length + timestamps.length > 0;
  }

  make(): void {
    const { missing, taken: doubled } = this.#contents.tree.connect();
    this.#lack(missing, 'children', 'are of no node');
    this.#lack(doubled, 'children', 'have two callers');
    if (this.isTimed) this.#timed();
    else this.#untimed();
    this.#lack(this.#contents.tree.circles, 'nodes', 'call themselves in a circle');
  }

  #lack(count: number, noun: string, lack: string): void {
    if (count === 0) return;
    this.missing += count;
    this.#problems.add({
      code: 'cpuprofile-dangling',
      severity: this.#isWhole ? 'error' : 'warning',
      message: `${count} ${noun} ${lack}; they are left out`,
      ...(this.#isWhole ? { offset: 0 } : {}),
    });
  }

  #timed(): void {
    const { samples, tree, frames } = this.#contents;
    const times = this.#times();
    const length = Math.min(samples.length, times.length);
    if (length < samples.length)
      this.#lack(samples.length - length, 'samples', `have no time: there are ${samples.length} samples`);
    const lines = new LinesOfSamples(this.#contents);
    let unknown = 0;
    for (let i = 0; i < length; i++) {
      const row = this.#rowOf(samples.values[i]);
      if (row < 0) {
        unknown++;
        continue;
      }
      const line = lines.next(row);
      const { program } = this.#contents;
      const stack =
        line > 0 ? tree.stackAt(row, placeOf(program, frames[row], line), this.stacks) : tree.stackOf(row, this.stacks);
      if (stack < 0) continue;
      if (frames[row].name === IDLE) this.idle++;
      this.samples++;
      this.stack.push(stack);
      this.time.push(times[i] * NS_PER_US);
      this.spent.push(((times[i + 1] ?? times[i]) - times[i]) * NS_PER_US);
    }
    this.#lack(unknown, 'samples', 'are of no node');
  }

  #rowOf(id: number): number {
    const { tree, treeIds, isTree } = this.#contents;
    return tree.rowOf(isTree ? (treeIds.get(id) ?? NONE) : id);
  }

  /** By sample, microseconds since the start. Times that go back, as some versions of V8 write them, count as the latest before. */
  #times(): Float64Array {
    const { deltas, timestamps, startTime, samples, isTree } = this.#contents;
    const hasDeltas = deltas.length > 0;
    const times = new Float64Array(Math.min(samples.length, hasDeltas ? deltas.length : timestamps.length));
    const start = hasDeltas ? 0 : (startTime ?? 0) * (isTree ? US_PER_S : 1);
    const first = hasDeltas ? 0 : Math.min(start === 0 ? Infinity : start, timestamps.values[0]);
    let [elapsed, latest, back] = [0, 0, 0];
    for (let i = 0; i < times.length; i++) {
      const value = hasDeltas ? deltas.values[i] : timestamps.values[i] - first;
      if (Number.isFinite(value)) elapsed = hasDeltas ? elapsed + value : value;
      if (elapsed < latest) back++;
      else latest = elapsed;
      times[i] = latest;
    }
    if (back > 0)
      this.#problems.add({
        code: 'cpuprofile-order',
        severity: 'warning',
        message: `${plural(back, 'sample')} before an earlier one: counted as if at the same time`,
      });
    return times;
  }

  #untimed(): void {
    const { tree, hits } = this.#contents;
    for (let row = 0; row < tree.length; row++) {
      const stack = tree.stackOf(row, this.stacks);
      if (hits[row] === 0 || stack < 0) continue;
      this.stack.push(stack);
      this.count.push(hits[row]);
    }
  }
}

/**
 * Lines of samples: a node says how often each line ran, not which sample was of which. So samples take the lines in the order of the file: numbers
 * of samples by line are exact, times by line an estimate.
 */
class LinesOfSamples {
  readonly #contents: CpuProfileContents;
  readonly #next = new Map<number, { at: number; left: number }>();

  constructor(contents: CpuProfileContents) {
    this.#contents = contents;
  }

  /** The line of the next sample of a node; 0 if unknown. */
  next(row: number): number {
    const ticks = this.#contents.ticks[row];
    if (ticks.length === 0) return 0;
    const state = this.#next.get(row) ?? { at: 0, left: ticks[0]?.ticks ?? 0 };
    this.#next.set(row, state);
    while (state.left === 0 && state.at < ticks.length) state.left = ticks[++state.at]?.ticks ?? 0;
    if (state.left === 0) return 0;
    state.left--;
    return ticks[state.at]?.line ?? 0;
  }
}
