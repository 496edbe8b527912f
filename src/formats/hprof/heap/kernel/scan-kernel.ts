/** The kernel of the scan: it counts usual objects in tables of its own, which `HeapScan` adds to its columns at the end. */
import { type Kernel, type KernelFunction, loadSharedKernel, sharedMemory } from '../../../../base/kernel/kernel.js';
import { Layout } from '../../../../base/kernel/layout.js';
import { TYPE_OF, typeSizes } from '../../tags.js';
import { ROOM_BYTES, type WindowRoom } from '../passes/windows.js';
import { CODE } from './kernel-code.js';
import { putId } from './put-id.js';

/** Classes with more are counted in TypeScript. */
export const MOST_CLASSES = 1 << 15;
const TABLE = MOST_CLASSES * 2;
const PLACE_BYTES = 16;
/** Counters of a class and of a type, 8 bytes each, as in `kernels/hprof.ts`. */
const OF_CLASS = 16;
const RESIDUES = 8;
const OF_TYPE = 2 + 256;
const TYPES = 12;
const ARRAY_GAPS = TYPES * 64;
const MOST_BLOCKS = 1 << 12;
const LARGEST = 0xffffffff;

const layout = new Layout();
const STATE = layout.take(128);
const ID = layout.take(8);
const CLASS_TABLE = layout.take(TABLE * PLACE_BYTES);
const COUNTS = layout.take(MOST_CLASSES * OF_CLASS * 8);
const GAPS = layout.take(ARRAY_GAPS * 8);
const PRIMITIVES = layout.take(TYPES * OF_TYPE * 8);
const CODES = layout.take(256 * 2);
const BLOCK_LIST = layout.take(MOST_BLOCKS * 8);
const BLOCK_CACHE = layout.take(MOST_BLOCKS * 8);
const ROOM = layout.take(ROOM_BYTES);

/** Places in the state, in units of 4 bytes. */
const [BEFORE, BLOCK, GAP, TRACE, TRACED, BITS, OBJECTS, BLOCKS, TABLES, IN_ORDER] = [0, 2, 4, 5, 6, 7, 8, 9, 10, 18];

/** The object that was counted last. */
export interface LastObject {
  /** Its id; infinite if none. */
  readonly before: number;
  /** Place of its gap. */
  readonly gap: number;
  /** Serial of its trace. */
  readonly trace: number;
}

/** What the kernel counted, by class or type. */
export interface Counters {
  readonly instances: number;
  readonly valueBytes: number;
  readonly arrays: number;
  readonly elements: number;
}

export class ScanKernel {
  readonly room: WindowRoom;
  readonly #kernel: Kernel<SharedArrayBuffer>;
  readonly #scan: KernelFunction;
  readonly #idSize: number;
  readonly #words: Uint32Array;
  readonly #state: Uint32Array;
  readonly #view: DataView;
  /** Numbers below it have counters. */
  #classes = 0;

  private constructor(kernel: Kernel<SharedArrayBuffer>, idSize: number) {
    const { buffer } = kernel;
    this.#kernel = kernel;
    this.#idSize = idSize;
    this.#scan = kernel.function(idSize === 8 ? 'scan8' : 'scan4');
    this.room = { buffer, at: ROOM };
    this.#words = new Uint32Array(buffer);
    this.#state = this.#words.subarray(STATE / 4, STATE / 4 + 32);
    this.#view = new DataView(buffer);
    const codes = new Uint8Array(buffer, CODES, 512);
    typeSizes(idSize).forEach((size, code) => {
      codes[code * 2] = size;
      codes[code * 2 + 1] = TYPE_OF[code];
    });
    this.#state.set(
      [TABLE - 1, CLASS_TABLE, COUNTS, GAPS, PRIMITIVES, CODES, BLOCK_LIST, BLOCK_CACHE].map(Number),
      TABLES,
    );
    this.#state.fill(LARGEST, BLOCK, BLOCK + 2);
    this.#words.fill(LARGEST, GAPS / 4, GAPS / 4 + ARRAY_GAPS * 2);
  }

  /** A kernel for dumps with ids of 4 or 8 bytes; undefined where it cannot run. */
  static async load(idSize: number): Promise<ScanKernel | undefined> {
    const memory = sharedMemory(layout.length);
    const kernel = memory && (await loadSharedKernel(CODE, memory));
    return kernel && new ScanKernel(kernel, idSize);
  }

  /**
   * Makes a class known, by its number below `MOST_CLASSES`, or changes it. `length`: bytes of the values of its instances, below 2³² - 1;
   * instances with others are left to the caller.
   */
  addClass(number: number, id: number, length: number): void {
    putId(this.#view, ID, this.#idSize, id);
    this.#kernel.function('addClass')(CLASS_TABLE, TABLE - 1, this.#idSize, ID, number, length + 1);
    for (; this.#classes <= number; this.#classes++) {
      const gap = COUNTS / 4 + this.#classes * OF_CLASS * 2;
      this.#words.fill(LARGEST, gap, gap + 2);
    }
  }

  /** Counts usual objects from place `from` of the window on; returns where another sub-record begins, or one that is cut, or `inOrder` an id does not ascend. */
  scan(from: number, end: number, last: LastObject, inOrder: boolean): number {
    const state = this.#state;
    const { before, gap, trace } = last;
    const none = before === Number.POSITIVE_INFINITY;
    state[BEFORE] = none ? LARGEST : before >>> 0;
    state[BEFORE + 1] = none ? LARGEST : Math.floor(before / 2 ** 32);
    state[GAP] = gap;
    // As in the file.
    this.#view.setUint32(STATE + TRACE * 4, trace);
    state[TRACED] = 0;
    state[OBJECTS] = 0;
    state[IN_ORDER] = Number(inOrder);
    state[BLOCKS] = 0;
    return from + this.#scan(ROOM + from, ROOM + end, STATE);
  }

  /** What the last call found. */
  last(): LastObject {
    const state = this.#state;
    const id = this.#number(STATE / 4 + BEFORE);
    const before = state[BEFORE + 1] === LARGEST ? Number.POSITIVE_INFINITY : id;
    return { before, gap: state[GAP], trace: this.#view.getUint32(STATE + TRACE * 4) };
  }

  get traced(): boolean {
    return this.#state[TRACED] > 0;
  }

  get objects(): number {
    return this.#state[OBJECTS];
  }

  /** Of all calls. */
  get bits(): number {
    return this.#state[BITS];
  }

  /** Blocks with ids that the last call met; some of them were met before. */
  eachBlock(note: (block: number) => void): void {
    for (let i = 0; i < this.#state[BLOCKS]; i++) note(this.#number(BLOCK_LIST / 4 + i * 2));
  }

  /** Counters of a class. */
  class(number: number): Counters {
    const at = COUNTS / 4 + number * OF_CLASS * 2;
    const [instances, valueBytes, arrays, elements] = [2, 4, 6, 8].map((place) => this.#number(at + place));
    return { instances, valueBytes, arrays, elements };
  }

  /** Arrays of a class by residue of their length. */
  residues(number: number): number[] {
    return this.#numbers(COUNTS / 4 + (number * OF_CLASS + 5) * 2, RESIDUES);
  }

  /** Arrays of a primitive type, their elements, then arrays by residue. */
  type(type: number): number[] {
    return this.#numbers(PRIMITIVES / 4 + type * OF_TYPE * 2, OF_TYPE);
  }

  /** The smallest gap behind arrays, by place; infinite if none. */
  arrayGap(place: number): number {
    return this.#gap(GAPS / 4 + place * 2);
  }

  /** The same behind the instances of a class. */
  classGap(number: number): number {
    return number < this.#classes ? this.#gap(COUNTS / 4 + number * OF_CLASS * 2) : Number.POSITIVE_INFINITY;
  }

  #gap(at: number): number {
    return this.#words[at + 1] === LARGEST ? Number.POSITIVE_INFINITY : this.#number(at);
  }

  #numbers(at: number, length: number): number[] {
    return Array.from({ length }, (_, i) => this.#number(at + i * 2));
  }

  #number(at: number): number {
    return this.#words[at + 1] * 2 ** 32 + this.#words[at];
  }
}
