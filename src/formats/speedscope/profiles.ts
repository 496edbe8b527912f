/**
 * The profiles of a speedscope file as rows: a sample with its weight, or, in an evented profile, the time between two
 * events in the open stack. Stacks are made of the file's frame numbers, since their names may come later.
 *
 *   events  O a   O b   C b   C a        rows  a;b  2..5   (self time of the stack that was open)
 *   at      0     2     5     6                a    0..2, 5..6
 *
 * Memory: 12 bytes per frame of a distinct stack, 24 bytes per row, and 12 bytes per sample while its profile is read.
 */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { plural } from '../../base/units.js';
import type { StackId } from '../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';

/** Marks an unusable sample, which only keeps its place beside the weights. */
const UNUSABLE = -2;
const IDLE = -1;

/** Reports a problem of a profile: code, severity, message. */
export type Complain = (code: string, severity: 'error' | 'warning', message: string) => void;

export interface ProfileKeys {
  name: string | undefined;
  type: string | undefined;
  unit: string | undefined;
  startValue: number | undefined;
  endValue: number | undefined;
}

/** A profile of the file and its rows. */
export interface ReadProfile extends ProfileKeys {
  readonly from: number;
  readonly to: number;
}

export class ProfileRows {
  readonly stacks = new StackBuilder();
  readonly stack = new Int32Builder();
  /** In the unit of the profile, counted from 0 of its clock. */
  readonly time = new Float64Builder();
  readonly value = new Float64Builder();
  readonly profiles: ReadProfile[] = [];
  /** Largest used frame number plus one. */
  frames = 0;

  keys: ProfileKeys = noKeys();
  /** Whether the profile has these keys. */
  hasWeights = false;
  hasSamples = false;

  readonly #samples = new Int32Builder();
  readonly #weights = new Float64Builder();
  #from = 0;
  /** The previous sample: its frames and the stack of each. */
  readonly #frames = new Int32Builder();
  readonly #stacks = new Int32Builder();
  /** Open frames and stacks of an evented profile, and the time of the last event. */
  readonly #openFrames = new Int32Builder();
  readonly #openStacks = new Int32Builder();
  #now = Number.NaN;

  begin(): void {
    this.keys = noKeys();
    this.hasWeights = false;
    this.hasSamples = false;
    this.#samples.length = 0;
    this.#weights.length = 0;
    this.#openFrames.length = 0;
    this.#openStacks.length = 0;
    this.#now = Number.NaN;
    this.#from = this.stack.length;
  }

  /** A sample with `count` frames, root first; none for idle time. */
  sample(frames: Int32Array, count: number): void {
    const before = this.#frames;
    let depth = 0;
    while (depth < count && depth < before.length && before.values[depth] === frames[depth]) depth++;
    before.length = depth;
    this.#stacks.length = depth;
    let stack = depth === 0 ? rootOf('whole') : this.#stacks.values[depth - 1];
    for (; depth < count; depth++) {
      stack = this.#add(stack, frames[depth]);
      before.push(frames[depth]);
      this.#stacks.push(stack);
    }
    this.#samples.push(count === 0 ? IDLE : stack);
  }

  unusableSample(): void {
    this.#samples.push(UNUSABLE);
  }

  weight(value: number): void {
    this.#weights.push(value);
  }

  /** An opening or closing of a frame. */
  event(opens: boolean, frame: number, at: number, complain: Complain): void {
    this.#advance(at, complain);
    const open = this.#openFrames;
    if (opens) {
      const above = open.length === 0 ? rootOf('whole') : this.#openStacks.values[open.length - 1];
      this.#openStacks.push(this.#add(above, frame));
      open.push(frame);
      return;
    }
    let depth = open.length - 1;
    while (depth >= 0 && open.values[depth] !== frame) depth--;
    if (depth < 0) {
      complain('speedscope-unbalanced', 'error', `frame ${frame} is closed but was not open`);
      return;
    }
    const inner = open.length - 1 - depth;
    if (inner > 0)
      complain(
        'speedscope-unbalanced',
        'error',
        `frame ${frame} is closed while ${plural(inner, 'inner frame')} ${inner === 1 ? 'is' : 'are'} open`,
      );
    open.length = depth;
    this.#openStacks.length = depth;
  }

  /** Ends the profile; `whole` is false if the file does not. */
  end(whole: boolean, complain: Complain): void {
    if (this.hasSamples || this.hasWeights || this.keys.type === 'sampled') this.#endSampled(whole, complain);
    const { type, unit } = this.keys;
    if (whole && (type === undefined || unit === undefined))
      complain('speedscope-schema', 'error', `a profile has no ${type === undefined ? 'type' : 'unit'}`);
    const open = this.#openFrames.length;
    if (open > 0 && whole)
      complain(
        'speedscope-unclosed',
        'error',
        `${plural(open, 'frame')} still open at the end; time after the last event is not counted`,
      );
    this.profiles.push({ ...this.keys, from: this.#from, to: this.stack.length });
    this.begin();
  }

  #endSampled(whole: boolean, complain: Complain): void {
    const samples = this.#samples;
    const weights = this.#weights;
    const count = Math.min(samples.length, weights.length);
    if (whole && samples.length !== weights.length)
      complain(
        'speedscope-weights',
        'error',
        `${plural(samples.length, 'sample')} but ${plural(weights.length, 'weight')}: only the first ${count} are read`,
      );
    let time = this.keys.startValue ?? 0;
    let negative = 0;
    for (let i = 0; i < count; i++) {
      const weight = weights.values[i];
      // An invalid weight was already reported.
      if (Number.isNaN(weight)) continue;
      if (weight < 0) negative++;
      if (samples.values[i] >= 0) this.#row(samples.values[i], time, weight);
      time += weight;
    }
    if (negative > 0)
      complain('speedscope-negative-weight', 'warning', `${plural(negative, 'negative weight')}, as in a difference`);
  }

  #advance(at: number, complain: Complain): void {
    if (at < this.#now) {
      complain(
        'speedscope-order',
        'error',
        `an event at ${at} follows one at ${this.#now}; it counts as if at ${this.#now}`,
      );
      return;
    }
    const depth = this.#openStacks.length;
    if (depth > 0 && at > this.#now) this.#row(this.#openStacks.values[depth - 1], this.#now, at - this.#now);
    this.#now = at;
  }

  #row(stack: StackId, time: number, value: number): void {
    this.stack.push(stack);
    this.time.push(time);
    this.value.push(value);
  }

  #add(above: StackId, frame: number): StackId {
    if (frame >= this.frames) this.frames = frame + 1;
    return this.stacks.add(above, frame);
  }
}

function noKeys(): ProfileKeys {
  return { name: undefined, type: undefined, unit: undefined, startValue: undefined, endValue: undefined };
}
