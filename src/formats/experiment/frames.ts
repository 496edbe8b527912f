/**
 * data.frameinfo: stacks by 64-bit ids. A FRAME packet names the native stack and, of Java and OpenMP programs, further ones; a stack may continue
 * in another one, which its link names and which may be defined later. Memory: 8 bytes an address and about 60 bytes a stack.
 *
 *   event ──id──► frame ──► native stack   uid → addresses, leaf first, [link]
 *                      ├──► Java stack     uid → (bytecode index, method), leaf first, [link]
 *                      └──► OpenMP state, id of the user stack
 */
import { Int32Builder } from '../../base/columns/columns.js';
import { IntTable } from '../../base/columns/hash.js';
import type { ProblemLog } from '../../base/problems.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import { eachPacket, type Packet, type PacketOptions } from './packets.js';

const FRAME = 11;
const UID = 17;
const NATIVE = 1;
const JAVA = 2;
const OPENMP = 3;
const OPENMP_USER = 5;
/** The last eight bytes are the id of the rest of the stack. */
const LINKED = 0x80000000;
/** Most links that a stack follows: longer chains are loops of damaged files. */
const MOST_LINKS = 4096;
const NO_STACK = -1;
/** Tables are fastest where the first numbers of keys differ and none is negative: the upper halves of ids may all be equal. */
const LOWER_BITS = 0x7fffffff;

/** Which of the stacks of a frame. */
export type StackKind = 'native' | 'java' | 'user';

/** A stack as written: pairs of 32-bit halves, leaf first. */
export interface RawStack {
  readonly length: number;
  readonly high: Int32Array;
  readonly low: Int32Array;
}

export class Frames {
  readonly #frames = new IntTable();
  readonly #stacks = new IntTable();
  /** By frame: rows of `#stacks`, or -1; OpenMP state, or -1. */
  readonly #of: Readonly<Record<StackKind, Int32Builder>> = {
    native: new Int32Builder(),
    java: new Int32Builder(),
    user: new Int32Builder(),
  };
  readonly #state = new Int32Builder();
  /** By stack: where its values begin in `#high` and `#low`, how many; row of the stack it continues in, or -1. */
  readonly #start = new Int32Builder();
  readonly #count = new Int32Builder();
  readonly #next = new Int32Builder();
  readonly #high = new Int32Builder();
  readonly #low = new Int32Builder();

  /** Whether any frame has an OpenMP state. */
  hasStates = false;

  get length(): number {
    return this.#frames.length;
  }

  /** The row of a frame by the halves of its id, -1 if it is not defined. */
  find(high: number, low: number): number {
    return this.#frames.find(low & LOWER_BITS, high | 0, low >>> 31);
  }

  /** The OpenMP state of a frame, -1 if it has none. */
  stateOf(frame: number): number {
    return this.#state.values[frame];
  }

  has(frame: number, kind: StackKind): boolean {
    return this.#of[kind].values[frame] >= 0;
  }

  /** The values of a stack of a frame, links followed; empty if it has none. */
  stack(frame: number, kind: StackKind): RawStack {
    const parts: number[] = [];
    let length = 0;
    let row = this.#of[kind].values[frame];
    for (let links = 0; row >= 0 && links <= MOST_LINKS; links++) {
      parts.push(row);
      length += this.#count.values[row];
      row = this.#next.values[row];
    }
    const high = new Int32Array(length);
    const low = new Int32Array(length);
    let at = 0;
    for (const part of parts) {
      const from = this.#start.values[part];
      const to = from + this.#count.values[part];
      high.set(this.#high.values.subarray(from, to), at);
      low.set(this.#low.values.subarray(from, to), at);
      at += to - from;
    }
    return { length, high, low };
  }

  /** Reads a file; several files of one process add up. `word`: bytes of an address. */
  async read(source: ByteSource, word: 4 | 8, options: PacketOptions): Promise<void> {
    const reader = new FrameReader(this, word, options.littleEndian, source.name, options.problems);
    await eachPacket(source, options, (packet) => {
      if (packet.type === FRAME) reader.frame(packet);
      else if (packet.type === UID) reader.stack(packet);
    });
  }

  /** The row of a stack, which may be defined later. */
  stackRow(high: number, low: number): number {
    const row = this.#stacks.add(low & LOWER_BITS, high, low >>> 31);
    if (row === this.#start.length) {
      this.#start.push(0);
      this.#count.push(NO_STACK);
      this.#next.push(NO_STACK);
    }
    return row;
  }

  isDefined(row: number): boolean {
    return this.#count.values[row] !== NO_STACK;
  }

  /** Makes room for the values of a stack. */
  define(row: number, next: number): void {
    this.#start.values[row] = this.#high.length;
    this.#count.values[row] = 0;
    this.#next.values[row] = next;
  }

  push(row: number, high: number, low: number): void {
    this.#high.push(high);
    this.#low.push(low);
    this.#count.values[row]++;
  }

  addFrame(high: number, low: number, stacks: Readonly<Record<StackKind, number>>, state: number): void {
    const row = this.#frames.add(low & LOWER_BITS, high, low >>> 31);
    if (row < this.#state.length) return;
    for (const kind of ['native', 'java', 'user'] as const) this.#of[kind].push(stacks[kind]);
    this.#state.push(state);
    if (state >= 0) this.hasStates = true;
  }

  /** Stacks that are named but not defined are empty; their number. */
  finish(): number {
    let missing = 0;
    const counts = this.#count.values;
    for (let row = 0; row < this.#count.length; row++) {
      if (counts[row] !== NO_STACK) continue;
      counts[row] = 0;
      missing++;
    }
    return missing;
  }
}

/** Reads the packets of a file into the tables. */
class FrameReader {
  readonly #into: Frames;
  readonly #word: 4 | 8;
  readonly #little: boolean;
  readonly #name: string;
  readonly #problems: ProblemLog;

  constructor(into: Frames, word: 4 | 8, little: boolean, name: string, problems: ProblemLog) {
    this.#into = into;
    this.#word = word;
    this.#little = little;
    this.#name = name;
    this.#problems = problems;
  }

  frame(packet: Packet): void {
    const { view, at, size, offset } = packet;
    const header = size >= 16 ? view.getUint32(at + 4, this.#little) : 0;
    if (header < 16 || header > size) {
      this.#damaged(offset, 'a frame without an id');
      return;
    }
    const stacks = { native: -1, java: -1, user: -1 };
    let state = -1;
    for (let from = header; from + 8 <= size; ) {
      const length = view.getUint32(at + from, this.#little);
      const kind = view.getUint32(at + from + 4, this.#little);
      if (length < 8 || from + length > size) {
        this.#damaged(offset + from, 'a stack longer than its packet');
        return;
      }
      const type = (kind & ~LINKED) >>> 0;
      const isLinked = kind >= LINKED;
      if (type === NATIVE) stacks.native = this.#stack(packet, from + 8, from + length, isLinked, this.#word);
      else if (type === JAVA) stacks.java = this.#stack(packet, from + 8, from + length, isLinked, 8);
      else if (type === OPENMP && length >= 12) state = view.getUint32(at + from + 8, this.#little);
      else if (type === OPENMP_USER && length >= 24) {
        state = view.getUint32(at + from + 8, this.#little);
        const [high, low] = [this.#high(packet, from + 16), this.#lowOf(packet, from + 16)];
        if (high !== 0 || low !== 0) stacks.user = this.#into.stackRow(high, low);
      }
      from += length;
    }
    this.#into.addFrame(this.#high(packet, 8), this.#lowOf(packet, 8), stacks, state);
  }

  /** A UID packet: a stack without a frame. */
  stack(packet: Packet): void {
    const { view, at, size, offset } = packet;
    if (size < 16) {
      this.#damaged(offset, 'a stack without an id');
      return;
    }
    this.#stack(packet, 8, size, view.getUint32(at + 4, this.#little) >= LINKED, this.#word);
  }

  /** Defines the stack whose id is at `from`; without values it only names one. Returns its row. */
  #stack(packet: Packet, from: number, to: number, isLinked: boolean, word: 4 | 8): number {
    if (to - from < 8) {
      this.#damaged(packet.offset + from, 'a stack without an id');
      return -1;
    }
    const row = this.#into.stackRow(this.#high(packet, from), this.#lowOf(packet, from));
    const end = isLinked ? to - 8 : to;
    if (from + 8 >= to || end < from + 8 || this.#into.isDefined(row)) return row;
    const next = isLinked ? this.#link(packet, end) : -1;
    this.#into.define(row, next);
    for (let at = from + 8; at + word <= end; at += word) {
      const place = packet.at + at;
      if (word === 8) this.#into.push(row, this.#high(packet, at), this.#lowOf(packet, at));
      else this.#into.push(row, 0, packet.view.getUint32(place, this.#little));
    }
    return row;
  }

  /** Ids of links are written low byte first on all machines. */
  #link({ view, at }: Packet, from: number): number {
    return this.#into.stackRow(view.getUint32(at + from + 4, true) | 0, view.getUint32(at + from, true) | 0);
  }

  #high({ view, at }: Packet, from: number): number {
    return view.getInt32(at + from + (this.#little ? 4 : 0), this.#little);
  }

  #lowOf({ view, at }: Packet, from: number): number {
    return view.getInt32(at + from + (this.#little ? 0 : 4), this.#little);
  }

  #damaged(offset: number, what: string): void {
    this.#problems.add({
      code: 'experiment-stack',
      severity: 'error',
      message: `${this.#name}: ${what}`,
      offset,
    });
  }
}
