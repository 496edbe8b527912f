/**
 * Lines of collapsed stacks → rows of one event table, in the order of the file.
 *
 * After a frame mostly comes the one that came last time: most stacks below a certain depth have one continuation, and
 * lines that follow each other share their first frames (tools write them sorted). So each frame is first compared with
 * that one; only if it differs, it is hashed and looked up. Memory: the distinct frames and stacks, with 8 bytes a stack
 * for this, 12 bytes per line (16 with threads, 8 more in differential files).
 */
import { Float64Builder, Int32Builder } from '../../base/columns/columns.js';
import { ByteInterner, HASH_PRIME, HASH_SEED } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import { decodeUtf8, encodeUtf8, isLegible, type StringId } from '../../base/text.js';
import type { Profile, StackId } from '../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { THREADS } from '../../models/profile/tables.js';
import type { Program } from '../../models/program/program.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Table } from '../../models/table.js';
import { FrameReader, NO_STACK } from '../shared/frame-text.js';
import { sameBytes, viewOf } from './bytes.js';
import { RepeatedLines } from './repeated-lines.js';
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

  /** Lines that may occur again, with their stacks and threads. */
  readonly #lines = new RepeatedLines();
  readonly #stackOfLine = new Int32Builder();
  readonly #threadOfLine = new Int32Builder();

  /** Thread of the current line. */
  #lineThread = NONE;
  readonly #rowStack = new Int32Builder();
  readonly #rowThread = new Int32Builder();
  readonly #rowCount = new Float64Builder();
  readonly #rowBase = new Float64Builder();

  /** The stack that the last frame after a stack led to, of the empty one and of each by its id, and its frame's text. */
  #lastRoot: StackId = NONE;
  readonly #lastChild = new Int32Builder();
  readonly #textOf = new Int32Builder();

  /** The last window, and the texts of frames, to load four bytes at once. */
  #window: Uint8Array = new Uint8Array();
  #windowView: DataView = viewOf(this.#window);
  #textView: DataView = viewOf(this.#frames.bytes.bytes);

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
    if (this.#window !== bytes) {
      this.#window = bytes;
      this.#windowView = viewOf(bytes);
    }
    const repeated = this.#lines.find(this.#windowView, from, to);
    if (repeated >= 0) {
      this.#rowStack.push(this.#stackOfLine.values[repeated]);
      this.#rowThread.push(this.#threadOfLine.values[repeated]);
    } else {
      const stack = this.#stackOf(bytes, from, to, offset - from);
      this.#rowStack.push(stack);
      this.#rowThread.push(this.#lineThread);
      if (this.#lines.add(bytes, from, to) >= 0) {
        this.#stackOfLine.push(stack);
        this.#threadOfLine.push(this.#lineThread);
      }
    }
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

  /** The stack of a line; `#lineThread` is its thread. `base`: offset in the file minus index in `bytes`. */
  #stackOf(bytes: Uint8Array, from: number, to: number, base: number): StackId {
    let stack: StackId = rootOf('whole');
    let at = from;
    this.#lineThread = NONE;
    if (bytes[from] === OPEN) at = this.#threadFrame(bytes, from, to);
    while (at <= to) {
      const known = stack < 0 ? this.#lastRoot : this.#lastChild.values[stack];
      const after = known < 0 ? NONE : this.#afterText(this.#textOf.values[known], at, to);
      if (after >= 0) {
        stack = known;
        at = after;
        continue;
      }
      const start = at;
      let hash = HASH_SEED;
      let byte = at < to ? bytes[at] : SEMICOLON;
      while (byte !== SEMICOLON) {
        hash = Math.imul(hash ^ byte, HASH_PRIME);
        byte = ++at < to ? bytes[at] : SEMICOLON;
      }
      stack = this.#child(stack, this.#textIdOf(bytes, start, at, hash, base));
      at++;
    }
    return stack >= 0 ? stack : this.#stacks.add(stack, this.#program.location(this.#program.pseudo(NO_STACK)));
  }

  /** The start of the next frame if the frame at `at` of the window has this text, else -1. */
  #afterText(text: number, at: number, to: number): number {
    const offsets = this.#frames.offsets.values;
    const start = offsets[text];
    const length = offsets[text + 1] - start;
    const end = at + length;
    if (end > to || (end < to && this.#window[end] !== SEMICOLON)) return -1;
    return sameBytes(this.#windowView, at, this.#textView, start, length) ? end + 1 : -1;
  }

  /** The stack of `parent` and a frame with this text. */
  #child(parent: StackId, text: number): StackId {
    const stack = this.#stacks.add(parent, this.#locations.values[text]);
    while (this.#lastChild.length <= stack) {
      this.#lastChild.push(NONE);
      this.#textOf.push(text);
    }
    this.#textOf.values[stack] = text;
    if (parent < 0) this.#lastRoot = stack;
    else this.#lastChild.values[parent] = stack;
    return stack;
  }

  #textIdOf(bytes: Uint8Array, from: number, to: number, hash: number, base: number): number {
    const id = this.#frames.addHashed(bytes, from, to, hash);
    if (id < this.#locations.length) return id;
    this.#locations.push(this.#reader.location(bytes, from, to));
    if (!isLegible(bytes, from, to)) this.#illegible(base + from, decodeUtf8(bytes, from, to));
    this.#textView = viewOf(this.#frames.bytes.bytes);
    return id;
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
