/** Changes of threads from dump to dump: CPU between dumps, frames that stayed, threads that are new or gone. */
import type { United } from '../identity/unite.js';
import type { Processes } from './processes.js';
import type { Timeline } from './timeline.js';

export interface ThreadChanges {
  /** CPU in nanoseconds between the first and the last dump of one process that report it, by thread; -1 unknown. */
  readonly cpu: Float64Array;
  /** Nanoseconds between those dumps; -1 unknown. */
  readonly span: Float64Array;
  /** Frames of its last stack; 0 where it has no Java frames or was not seen. */
  readonly frames: Int32Array;
  /** Innermost frames that are the same in all dumps that show it; -1 where fewer than two do. */
  readonly same: Int32Array;
  /** `STATE_CHANGED` and `STACK_CHANGED`, of the dumps that show it. */
  readonly changed: Uint8Array;
}

export const STATE_CHANGED = 1;
export const STACK_CHANGED = 2;

/** `complete`: a dump that does not show a thread did not have it, so that its CPU began with 0. */
export function threadChanges(
  timeline: Timeline,
  { process }: Processes,
  functions: United | undefined,
  complete: boolean,
): ThreadChanges {
  const { length, starts } = timeline;
  const changes = {
    cpu: new Float64Array(length).fill(-1),
    span: new Float64Array(length).fill(-1),
    frames: new Int32Array(length),
    same: new Int32Array(length).fill(-1),
    changed: new Uint8Array(length),
  };
  const frames = new Frames(timeline, functions);
  for (let t = 0; t < length; t++) {
    const [from, to] = [starts[t], starts[t + 1]];
    if (from === to) continue;
    const spent = cpuBetween(timeline, process, [from, to], complete);
    changes.cpu[t] = spent.cpu;
    changes.span[t] = spent.span;
    changes.frames[t] = frames.depth(to - 1);
    if (to - from === 1) continue;
    changes.same[t] = frames.same(from, to);
    if (stateChanges(timeline, from, to)) changes.changed[t] |= STATE_CHANGED;
    if (frames.deeper(from, to, changes.same[t])) changes.changed[t] |= STACK_CHANGED;
  }
  return changes;
}

function stateChanges({ watched, dumps, at, row }: Timeline, from: number, to: number): boolean {
  const state = (i: number): number => watched[dumps[at[i]].of].states.state[row[i]];
  for (let i = from + 1; i < to; i++) if (state(i) !== state(from)) return true;
  return false;
}

/** The CPU time of a thread in the process of the last dump that reports it. */
function cpuBetween(
  { watched, dumps, backwards, at, row }: Timeline,
  process: Int32Array,
  [from, to]: readonly [number, number],
  complete: boolean,
): { cpu: number; span: number } {
  const states = (i: number) => watched[dumps[at[i]].of].states;
  const cpu = (i: number): number => states(i).cpu?.[row[i]] ?? -1;
  const lived = (i: number): number => states(i).elapsed?.[row[i]] ?? -1;
  let last = to - 1;
  while (last >= from && cpu(last) < 0) last--;
  if (last < from) return { cpu: -1, span: -1 };
  let first = from;
  while (first < last && (cpu(first) < 0 || process[at[first]] !== process[at[last]])) first++;
  const began =
    complete && backwards < 0 && at[first] > 0 && process[at[first] - 1] === process[at[first]] && first === from;
  if (began) return { cpu: cpu(last), span: lived(last) };
  if (first === last) return { cpu: -1, span: -1 };
  if (lived(last) >= 0 && lived(last) < lived(first)) return { cpu: -1, span: -1 };
  const span = lived(first) < 0 || lived(last) < 0 ? -1 : lived(last) - lived(first);
  return { cpu: Math.max(-1, cpu(last) - cpu(first)), span };
}

/** Stacks of sightings, compared frame by frame from the innermost on. */
class Frames {
  readonly #timeline: Timeline;
  readonly #functions: United | undefined;
  /** By recording: the depth of each stack. */
  readonly #depths: readonly Int32Array[];

  /** `functions`: what is the same in several recordings; not needed for one. */
  constructor(timeline: Timeline, functions: United | undefined) {
    this.#timeline = timeline;
    this.#functions = functions;
    this.#depths = timeline.watched.map(({ profile: { stacks } }) => {
      const depths = new Int32Array(stacks.length);
      for (let id = 0; id < stacks.length; id++) depths[id] = stacks.parent[id] < 0 ? 1 : depths[stacks.parent[id]] + 1;
      return depths;
    });
  }

  depth(sighting: number): number {
    const [of, stack] = this.#stackOf(sighting);
    return stack < 0 ? 0 : this.#depths[of][stack];
  }

  /** The number of innermost frames that all sightings from `from` to before `to` have in common. */
  same(from: number, to: number): number {
    let most = this.depth(from);
    for (let i = from + 1; i < to && most > 0; i++) most = this.#common(i - 1, i, most);
    return most;
  }

  /** Whether any of these stacks has more frames than `depth`. */
  deeper(from: number, to: number, depth: number): boolean {
    for (let i = from; i < to; i++) if (this.depth(i) > depth) return true;
    return false;
  }

  /** -1 for threads without Java frames. */
  #stackOf(sighting: number): readonly [of: number, stack: number] {
    const { watched, dumps, at, row } = this.#timeline;
    const { of } = dumps[at[sighting]];
    const { stack, framed } = watched[of].states;
    const at0 = row[sighting];
    return [of, framed !== undefined && framed[at0] === 0 ? -1 : stack[at0]];
  }

  #common(before: number, after: number, most: number): number {
    const [a, first] = this.#stackOf(before);
    const [b, second] = this.#stackOf(after);
    if (a === b && first === second) return first < 0 ? 0 : Math.min(most, this.#depths[a][first]);
    const { watched } = this.#timeline;
    const [x, y] = [watched[a].profile.stacks, watched[b].profile.stacks];
    let [left, right, count] = [first, second, 0];
    while (left >= 0 && right >= 0 && count < most && this.#isSame(a, x.location[left], b, y.location[right])) {
      left = x.parent[left];
      right = y.parent[right];
      count++;
    }
    return count;
  }

  #isSame(a: number, left: number, b: number, right: number): boolean {
    if (a === b) return left === right;
    const { watched } = this.#timeline;
    const [x, y] = [watched[a].recording.program.locations, watched[b].recording.program.locations];
    const rows = this.#functions?.rows;
    if (rows === undefined || rows[a][x.function[left]] !== rows[b][y.function[right]]) return false;
    return (x.line?.[left] ?? -1) === (y.line?.[right] ?? -1) && (x.bci?.[left] ?? -1) === (y.bci?.[right] ?? -1);
  }
}
