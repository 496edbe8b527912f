/**
 * Lines of collapsed stacks → rows of one event table, in the order of the file.
 *
 * Lines that follow each other mostly share their first frames (tools write them sorted), so of each line only the part
 * that differs from the line before is hashed and looked up. Memory: the distinct frames and stacks, 12 bytes per line
 * (16 with threads, 8 more in differential files).
 */
import { Float64Builder, Int32Builder } from '../../base/columns.js';
import { NONE } from '../../base/flavor.js';
import { ByteInterner, HASH_PRIME, HASH_SEED } from '../../base/hash.js';
import { decodeUtf8, encodeUtf8, isLegible, type StringId } from '../../base/text.js';
import type { Profile, StackId } from '../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { THREADS } from '../../models/profile/tables.js';
import type { Program } from '../../models/program/program.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Table } from '../../models/table.js';
import { FrameReader, NO_STACK } from '../shared/frame-text.js';
import { BASE_METRIC, COLLAPSED_SAMPLES, SAMPLES_METRIC } from './vocabulary.js';

const SEMICOLON = 0x3b;
const OPEN = 0x5b;

/** A thread as async-profiler names it in the first frame: `[main tid=4711]`, `[tid=4711]` if it has no name. */
const THREAD = /^\[(?:(.*) )?tid=(0|[1-9]\d{0,14})\]$/su;

export class StackReader {
  readonly #illegible: (offset: number, text: string) => void;
  readonly #program = new ProgramBuilder();
  readonly #reader = new FrameReader(this.#program);
  readonly #frames = new ByteInterner();
  readonly #locations = new Int32Builder();
  readonly #stacks = new StackBuilder();

  readonly #threadFrames = new ByteInterner();
  /** Row of the thread that a bracketed first frame names, -1 if it is a normal frame. */
  readonly #threadOf = new Int32Builder(16);
  readonly #threadNames: StringId[] = [];
  readonly #threadIds: number[] = [];

  readonly #rowStack = new Int32Builder();
  readonly #rowThread = new Int32Builder();
  readonly #rowCount = new Float64Builder();
  readonly #rowBase = new Float64Builder();

  /** The line before, while it lies in the same window: its bytes, and where its frames end with the stacks there. */
  #window: Uint8Array | undefined;
  #windowBase = 0;
  #lineFrom = 0;
  #lineTo = 0;
  #lineThread = NONE;
  readonly #ends = new Int32Builder();
  readonly #stacksAt = new Int32Builder();

  /** `illegible` is called for each distinct frame that is not valid text, with the offset of its first occurrence. */
  constructor(illegible: (offset: number, text: string) => void) {
    this.#illegible = illegible;
  }

  get rows(): number {
    return this.#rowStack.length;
  }

  /**
   * Adds a line whose stack is `bytes[from .. to)`; `offset` is that of `from` in the decoded text, different for each
   * byte.
   */
  add(bytes: Uint8Array, from: number, to: number, offset: number, count: number, base: number): void {
    let depth = this.#sharedDepth(bytes, from, to, offset);
    let stack: StackId = depth === 0 ? rootOf('whole') : this.#stacksAt.values[depth - 1];
    let at = depth === 0 ? from : from + this.#ends.values[depth - 1] + 1;
    if (depth === 0) {
      this.#lineThread = NONE;
      if (bytes[from] === OPEN) at = this.#threadFrame(bytes, from, to);
      if (this.#lineThread !== NONE) depth = this.#push(0, at - 1 - from, stack);
    }
    for (; at <= to; at++) {
      const start = at;
      let hash = HASH_SEED;
      let byte = at < to ? bytes[at] : SEMICOLON;
      while (byte !== SEMICOLON) {
        hash = Math.imul(hash ^ byte, HASH_PRIME);
        byte = ++at < to ? bytes[at] : SEMICOLON;
      }
      stack = this.#stacks.add(stack, this.#locationOf(bytes, start, at, hash, offset - from));
      depth = this.#push(depth, at - from, stack);
    }
    if (stack < 0) stack = this.#stacks.add(stack, this.#program.location(this.#program.pseudo(NO_STACK)));
    this.#window = bytes;
    this.#windowBase = offset - from;
    this.#lineFrom = from;
    this.#lineTo = to;
    this.#rowStack.push(stack);
    this.#rowThread.push(this.#lineThread);
    this.#rowCount.push(count);
    this.#rowBase.push(base);
  }

  finish(differential: boolean): { readonly program: Program; readonly profile: Profile } {
    const threaded = this.#threadNames.length > 0;
    const stacks = this.#stacks.finish();
    const sample = COLLAPSED_SAMPLES.table({
      stack: this.#rowStack.finish(),
      thread: threaded ? this.#rowThread.finish() : undefined,
      count: this.#rowCount.finish(),
      base: differential ? this.#rowBase.finish() : undefined,
    });
    const metrics = differential ? [SAMPLES_METRIC, BASE_METRIC] : [SAMPLES_METRIC];
    const profile: Profile = { stacks, events: [sample], metrics, ...(threaded ? { threads: this.#threads() } : {}) };
    return { program: this.#program.finish(), profile };
  }

  /** Frames at the beginning of the line that are those of the line before; sets only the depth to continue from. */
  #sharedDepth(bytes: Uint8Array, from: number, to: number, offset: number): number {
    if (this.#window !== bytes || this.#windowBase !== offset - from) return 0;
    const before = this.#lineFrom;
    const length = Math.min(to - from, this.#lineTo - before);
    let same = 0;
    while (same < length && bytes[before + same] === bytes[from + same]) same++;
    const whole = same === to - from && same === this.#lineTo - before;
    const ends = this.#ends.values;
    let depth = this.#ends.length;
    while (depth > 0 && ends[depth - 1] >= same && !(whole && ends[depth - 1] === same)) depth--;
    this.#ends.length = depth;
    this.#stacksAt.length = depth;
    return depth;
  }

  #push(depth: number, end: number, stack: StackId): number {
    this.#ends.length = depth;
    this.#stacksAt.length = depth;
    this.#ends.push(end);
    this.#stacksAt.push(stack);
    return depth + 1;
  }

  #locationOf(bytes: Uint8Array, from: number, to: number, hash: number, base: number): number {
    const id = this.#frames.addHashed(bytes, from, to, hash);
    if (id < this.#locations.length) return this.#locations.values[id];
    this.#locations.push(this.#reader.location(bytes, from, to));
    if (!isLegible(bytes, from, to)) this.#illegible(base + from, decodeUtf8(bytes, from, to));
    return this.#locations.values[id];
  }

  /** Reads a thread frame at the start of a line; returns the start of the next frame. */
  #threadFrame(bytes: Uint8Array, from: number, to: number): number {
    let end = from;
    while (end < to && bytes[end] !== SEMICOLON) end++;
    const id = this.#threadFrames.add(bytes, from, end);
    if (id === this.#threadOf.length) this.#threadOf.push(this.#newThread(bytes, from, end));
    this.#lineThread = this.#threadOf.values[id];
    return this.#lineThread === NONE ? from : end + 1;
  }

  #newThread(bytes: Uint8Array, from: number, to: number): number {
    const text = decodeUtf8(bytes, from, to);
    const [, name, number] = THREAD.exec(text) ?? [];
    // A thread that would not be written back unchanged stays a frame.
    if (number === undefined || !isLegible(bytes, from, to) || name === '' || name === `tid=${number}`) return NONE;
    if (encodeUtf8(text).length !== to - from) return NONE;
    this.#threadIds.push(Number(number));
    return this.#threadNames.push(this.#program.name(name ?? `tid=${number}`)) - 1;
  }

  #threads(): Table {
    return THREADS.table({ name: Int32Array.from(this.#threadNames), tid: Float64Array.from(this.#threadIds) });
  }
}
