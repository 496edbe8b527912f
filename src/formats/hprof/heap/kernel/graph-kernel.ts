/**
 * The kernels of ids and references. Their memory is shared by all threads: the index of ids, tables of the classes, and a part
 * of each thread with its window and the columns that a call fills.
 */
import {
  type Kernel,
  type KernelFunction,
  loadSharedKernel,
  type SharedMemory,
  sharedMemory,
} from '../../../../base/kernel/kernel.js';
import { Layout } from '../../../../base/kernel/layout.js';
import { type IdLayout, wordBytes } from '../../../../models/heap/object-ids.js';
import { TYPE_OF, typeSizes } from '../../tags.js';
import type { ReferenceFields } from '../passes/graph-columns.js';
import { ROOM_BYTES, type WindowRoom } from '../passes/windows.js';
import { CODE } from './kernel-code.js';
import { putId } from './put-id.js';

/** Objects and references of a call at most: the columns fit the second-level cache. */
const OBJECTS = 1 << 14;
const REFERENCES = 1 << 15;
const COLUMNS = 5;
const OUT_BYTES = (COLUMNS * OBJECTS + REFERENCES) * 4;
const THREAD_BYTES = ROOM_BYTES + OUT_BYTES;
const PLACE_BYTES = 16;
const NONE = 0xffffffff;
const HAS_REFERENT = 0x80000000;

/** What a thread needs for the kernel. */
export interface GraphMemory {
  readonly memory: SharedMemory;
  /** Address of the tables, and of the part of the first thread. */
  readonly tables: number;
  readonly threads: number;
  /** Address of the words of the index. */
  readonly words: number;
}

/** Memory for kernels that find ids of this layout, with tables; undefined where they cannot run. */
export async function graphMemory(
  idSize: number,
  ids: IdLayout,
  fields: ReferenceFields,
  threads: number,
): Promise<GraphMemory | undefined> {
  const { base, slotBytes, pageWords, directory } = ids;
  const pageBytes = pageWords * 32 * slotBytes;
  // The kernel has ids as integers, where others have the nearest double.
  if (base + directory.length * pageBytes > 2 ** 53) return undefined;
  const slots = 2 ** Math.ceil(Math.log2(fields.id.length * 2 + 2));
  const layout = new Layout();
  const tables = layout.take(64);
  const id = layout.take(8);
  const pages = layout.take(directory.length * 4);
  const codes = layout.take(256 * 8);
  const classes = layout.take(slots * PLACE_BYTES);
  const first = layout.take(fields.first.length * 4);
  const offsets = layout.take(fields.offset.length * 4);
  const parts = layout.take(threads * (THREAD_BYTES + 64));
  const words = layout.take(wordBytes(ids));
  const memory = sharedMemory(layout.length);
  const kernel = memory && (await loadSharedKernel(CODE, memory));
  if (memory === undefined || kernel === undefined) return undefined;
  const { buffer } = memory;
  const numbers = [pageBytes, slotBytes, pageWords].map(Math.log2);
  const header = [...numbers, directory.length, pages, words, codes, slots - 1, classes, first, offsets];
  new Uint32Array(buffer, tables, 2).set([base >>> 0, Math.floor(base / 2 ** 32)]);
  new Uint32Array(buffer, tables + 8, header.length).set(header);
  new Int32Array(buffer, pages, directory.length).set(directory);
  const types = new Uint32Array(buffer, codes, 512);
  typeSizes(idSize).forEach((size, code) => {
    const heapClass = fields.primitiveClass[TYPE_OF[code]];
    types[code * 2] = size;
    types[code * 2 + 1] = heapClass < 0 ? NONE : heapClass + 1;
  });
  const view = new DataView(buffer);
  const addClass = kernel.function('addClass');
  fields.id.forEach((one, i) => {
    putId(view, id, idSize, one);
    const ofArrays = fields.arrayClass[i];
    addClass(classes, slots - 1, idSize, id, fields.heapClass[i] + 1, ofArrays < 0 ? NONE : ofArrays + 1);
  });
  const firsts = new Uint32Array(buffer, first, fields.first.length);
  fields.first.forEach((place, heapClass) => {
    firsts[heapClass] = fields.referent[heapClass] === 1 ? place + HAS_REFERENT : place;
  });
  new Int32Array(buffer, offsets, fields.offset.length).set(fields.offset);
  return { memory, tables, threads: parts, words };
}

export class GraphKernel {
  readonly room: WindowRoom;
  readonly #kernel: Kernel<SharedArrayBuffer>;
  readonly #tables: number;
  readonly #out: number;
  readonly #ids: KernelFunction;
  readonly #references: KernelFunction;
  /** Columns of the objects that the last call found: class and start plus 1; start is 0 without references. */
  readonly rows: Uint32Array;
  readonly classes: Uint32Array;
  readonly elements: Uint32Array;
  readonly starts: Uint32Array;
  readonly traces: Int32Array;
  readonly targets: Uint32Array;
  /** What the last call found. */
  objects = 0;
  references = 0;
  missing = 0;
  /** Whether it ended because the columns were full. */
  isFull = false;

  private constructor(kernel: Kernel<SharedArrayBuffer>, idSize: number, tables: number, part: number) {
    const { buffer } = kernel;
    const out = part + Math.ceil(ROOM_BYTES / 64) * 64;
    const column = (i: number): Uint32Array => new Uint32Array(buffer, out + i * OBJECTS * 4, OBJECTS);
    this.#kernel = kernel;
    this.#tables = tables;
    this.#out = out;
    this.#ids = kernel.function(`ids${idSize}`);
    this.#references = kernel.function(`references${idSize}`);
    this.room = { buffer, at: part };
    [this.rows, this.classes, this.elements, this.starts] = [0, 1, 2, 3].map(column);
    this.traces = new Int32Array(buffer, out + 4 * OBJECTS * 4, OBJECTS);
    this.targets = new Uint32Array(buffer, out + COLUMNS * OBJECTS * 4, REFERENCES);
  }

  /** The kernel of one thread, by its number. */
  static async load(
    { memory, tables, threads }: GraphMemory,
    idSize: number,
    thread: number,
  ): Promise<GraphKernel | undefined> {
    const kernel = await loadSharedKernel(CODE, memory);
    return kernel && new GraphKernel(kernel, idSize, tables, threads + thread * (THREAD_BYTES + 64));
  }

  /** Marks usual objects from place `from` of the window on; returns where another sub-record begins, or one that is cut. */
  ids(from: number, end: number): number {
    const { at } = this.room;
    return from + this.#ids(at + from, at + end, this.#tables);
  }

  /** Reads usual objects and their references likewise. */
  readReferences(from: number, end: number): number {
    const { at } = this.room;
    const next = from + this.#references(at + from, at + end, this.#tables, this.#out, OBJECTS, REFERENCES);
    this.objects = this.#kernel.variable('objects');
    this.references = this.#kernel.variable('references');
    this.missing = this.#kernel.variable('missing');
    this.isFull = this.#kernel.variable('full') !== 0;
    return next;
  }
}
