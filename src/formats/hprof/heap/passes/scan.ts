/**
 * The first pass over the sub-records of a heap dump: what fills it. Counts by class, roots, class dumps, and how close
 * objects lie together, which bounds their sizes. No object a record; 100 bytes a class, 33 a root.
 */
import { ByteBuilder, Float64Builder } from '../../../../base/columns/columns.js';
import { idAt } from '../../../../models/heap/values.js';
import {
  CLASS_DUMP,
  HEAP_DUMP_INFO,
  INSTANCE_DUMP,
  OBJECT_ARRAY_DUMP,
  PRIMITIVE_ARRAY_DUMP,
  PRIMITIVE_ARRAY_NODATA,
  ROOT_JAVA_FRAME,
  ROOT_JNI_GLOBAL,
  ROOT_JNI_LOCAL,
  ROOT_JNI_MONITOR,
  ROOT_NATIVE_STACK,
  ROOT_THREAD_BLOCK,
  ROOT_THREAD_OBJECT,
  TYPE_OF,
  typeSizes,
} from '../../tags.js';
import { ClassDumps } from '../class-dumps.js';
import { ClassSlots } from '../class-slots.js';
import { MOST_CLASSES, type ScanKernel } from '../kernel/scan-kernel.js';
import { StackChunkBuilder } from '../stack-chunks.js';
import { ARRAY_GAPS, BLOCK_BYTES, GAP_LENGTHS, PRIMITIVE_RESIDUES, RESIDUES, type ScanPart } from './scan-part.js';
import { ALL, alternate, type WindowReader, type WindowRoom } from './windows.js';

/** More blocks than this mean that ids are no addresses of one heap. */
const MOST_BLOCKS = 1 << 20;
/** Ids from here on have no exact double. */
const LARGEST_ID_HIGH = 2 ** 21;

/** Version 1.0: arrays of primitives are arrays of objects whose class is a type. No class has such an id. */
export function isTypeCode(high: number, low: number): boolean {
  return high === 0 && low >= 4 && low <= 11;
}

/** Bytes after the tag of a root, beside its id; by tag; -1 for tags that are no root. */
export function rootLengths(idSize: number): Int16Array {
  const lengths = new Int16Array(256).fill(-1);
  for (const tag of [0xff, 0x05, 0x07, 0x89, 0x8a, 0x8b, 0x8c, 0x8d, 0x90]) lengths[tag] = 0;
  lengths[ROOT_JNI_GLOBAL] = idSize;
  for (const tag of [ROOT_JNI_LOCAL, ROOT_JAVA_FRAME, ROOT_JNI_MONITOR, ROOT_THREAD_OBJECT]) lengths[tag] = 8;
  for (const tag of [ROOT_NATIVE_STACK, ROOT_THREAD_BLOCK]) lengths[tag] = 4;
  return lengths;
}

/** Reads a part of a dump, window by window: see `eachWindow`. */
export class HeapScan implements WindowReader {
  readonly room: WindowRoom | undefined;
  /** Undefined with more classes than it has room for; what it counted before still counts. */
  #kernel: ScanKernel | undefined;
  readonly #counted: ScanKernel | undefined;
  readonly #idSize: number;
  readonly #sizes: Uint8Array;
  readonly #roots: Int16Array;
  readonly #dumps: ClassDumps;
  readonly #slots = new ClassSlots();
  readonly #chunks = new StackChunkBuilder();
  /** Id of their class; -1 if there is none. The kernel leaves its instances to `#plain`. */
  readonly #chunkClass: number;
  #instances = new Float64Array(1 << 11);
  #valueBytes = new Float64Array(1 << 11);
  #arrays = new Float64Array(1 << 11);
  #elements = new Float64Array(1 << 11);
  #residues = new Float64Array(RESIDUES << 11);
  #gaps = new Float64Array(ARRAY_GAPS + (1 << 11)).fill(Number.POSITIVE_INFINITY);
  readonly #primitiveArrays = new Float64Array(12);
  readonly #primitiveElements = new Float64Array(12);
  readonly #primitiveResidues = new Float64Array(12 * PRIMITIVE_RESIDUES);
  readonly #root = {
    offset: new Float64Builder(),
    tag: new ByteBuilder(),
    object: new Float64Builder(),
    thread: new Float64Builder(),
    detail: new Float64Builder(),
  };
  #blocks: Set<number> | undefined = new Set();
  #block = -1;
  #bits = 0;
  #trace = -1;
  #traced = false;
  #huge = 0;
  #objects = 0;
  /** Id of the object before this one, and the place of its gap. */
  #before = Number.POSITIVE_INFINITY;
  #beforeGap = 0;
  /** Of the object that was counted last. */
  #gap = 0;
  /** A sub-record that cannot be read: the tag, or the tag of a class dump with an unknown type. */
  unknown: number | undefined;

  /** `chunkClass`: id of the class of stacks, or -1. `kernel`: takes usual objects, if there is one. */
  constructor(idSize: number, chunkClass = -1, kernel?: ScanKernel) {
    this.#idSize = idSize;
    this.#chunkClass = chunkClass;
    this.#kernel = kernel;
    this.#counted = kernel;
    this.room = kernel?.room;
    this.#sizes = typeSizes(idSize);
    this.#roots = rootLengths(idSize);
    this.#dumps = new ClassDumps(idSize, this.#sizes);
  }

  /**
   * Reads the sub-records of `view` from `at` to `end`, whose first byte is at `base` in the file. Returns where the first
   * one begins that is not whole, or a place behind `end` if the values of the last one go on; at an unknown one sets `unknown`.
   */
  window(view: DataView, from: number, end: number, base: number): number {
    if (this.#kernel === undefined) return this.#plain(view, from, end, base, ALL);
    return alternate(
      from,
      end,
      (at) => this.#usual(at, end),
      (at) => this.#plain(view, at, end, base, 1),
    );
  }

  /** Counts objects with the kernel: those behind the first one, of classes that it knows. */
  #usual(from: number, end: number): number {
    const kernel = this.#kernel;
    if (kernel === undefined || this.#trace < 0) return from;
    const next = kernel.scan(from, end, { before: this.#before, gap: this.#beforeGap, trace: this.#trace });
    const { before, gap, trace } = kernel.last();
    this.#before = before;
    this.#beforeGap = gap;
    this.#trace = trace;
    this.#traced ||= kernel.traced;
    this.#objects += kernel.objects;
    kernel.eachBlock((block) => this.#note(block));
    return next;
  }

  /** Reads at most so many sub-records. */
  #plain(view: DataView, from: number, end: number, base: number, most: number): number {
    const idSize = this.#idSize;
    const wide = idSize === 8;
    let at = from;
    let before = this.#before;
    let beforeGap = this.#beforeGap;
    let block = this.#block;
    let bits = 0;
    for (let count = 0; count < most && at < end; count++) {
      const tag = view.getUint8(at);
      if (tag === INSTANCE_DUMP || tag === OBJECT_ARRAY_DUMP || tag === PRIMITIVE_ARRAY_DUMP) {
        if (at + (tag === PRIMITIVE_ARRAY_DUMP ? 10 : 9 + idSize) + idSize > end) break;
        if (tag === INSTANCE_DUMP && this.#chunkClass >= 0 && !this.#chunk(view, at, end)) break;
        const high = wide ? view.getUint32(at + 1) : 0;
        const low = view.getUint32(at + idSize - 3);
        const trace = view.getUint32(at + 1 + idSize);
        if (trace !== this.#trace) this.#noteTrace(trace);
        const id = high * 2 ** 32 + low;
        bits |= low;
        const gap = id - before;
        if (gap > 0 && gap < this.#gaps[beforeGap]) this.#gaps[beforeGap] = gap;
        before = id;
        this.#objects++;
        if (high >= LARGEST_ID_HIGH) this.#huge++;
        const inBlock = Math.floor(id / BLOCK_BYTES);
        if (inBlock !== block) {
          block = inBlock;
          this.#note(block);
        }
        const next = this.#body(view, at + 5 + idSize, tag);
        if (next < 0) {
          this.unknown = tag;
          break;
        }
        at = next;
        beforeGap = this.#gap;
        continue;
      }
      const next = this.#small(view, at, end, base);
      if (next === at) break;
      if (tag === CLASS_DUMP) before = Number.POSITIVE_INFINITY;
      at = next;
    }
    this.#before = before;
    this.#beforeGap = beforeGap;
    this.#block = block;
    this.#bits |= bits;
    return at;
  }

  /** Keeps the values of the instance at `at` if it is a stack; false if they are cut. */
  #chunk(view: DataView, at: number, end: number): boolean {
    const idSize = this.#idSize;
    if (idAt(view, at + 5 + idSize, idSize) !== this.#chunkClass) return true;
    const length = view.getUint32(at + 5 + 2 * idSize);
    const values = at + 9 + 2 * idSize;
    if (values + StackChunkBuilder.reach(length) > end) return false;
    this.#chunks.add(idAt(view, at + 1, idSize), view, values, length);
    return true;
  }

  /** Counts an object from behind its trace on. Returns the place behind it; -1 if its type does not exist. */
  #body(view: DataView, rest: number, tag: number): number {
    const idSize = this.#idSize;
    const wide = idSize === 8;
    if (tag === INSTANCE_DUMP) {
      const slot = this.#slot(wide ? view.getUint32(rest) : 0, view.getUint32(rest + idSize - 4));
      const length = view.getUint32(rest + idSize);
      this.#instances[slot]++;
      this.#valueBytes[slot] += length;
      this.#gap = ARRAY_GAPS + slot;
      return rest + idSize + 4 + length;
    }
    const count = view.getUint32(rest);
    if (tag === PRIMITIVE_ARRAY_DUMP) {
      const code = view.getUint8(rest + 4);
      const size = this.#sizes[code];
      if (size === 0) return -1;
      this.#primitiveArray(TYPE_OF[code], count);
      return rest + 5 + count * size;
    }
    const high = wide ? view.getUint32(rest + 4) : 0;
    const low = view.getUint32(rest + idSize);
    const next = rest + 4 + idSize;
    if (isTypeCode(high, low)) {
      this.#primitiveArray(low, count);
      return next + count * this.#sizes[low];
    }
    const slot = this.#slot(high, low);
    this.#arrays[slot]++;
    this.#elements[slot] += count;
    this.#residues[slot * RESIDUES + (count & 7)]++;
    this.#gap = count < GAP_LENGTHS ? 2 * GAP_LENGTHS + count : 0;
    return next + count * idSize;
  }

  /** The number of a class, for which there is room. */
  #slot(high: number, low: number): number {
    const { length } = this.#slots;
    const slot = this.#slots.add(high, low);
    if (slot < length) return slot;
    if (slot >= this.#instances.length) this.#grow();
    const id = high * 2 ** 32 + low;
    if (id === this.#chunkClass) return slot;
    if (slot < MOST_CLASSES) this.#kernel?.addClass(slot, id);
    else this.#kernel = undefined;
    return slot;
  }

  #primitiveArray(type: number, count: number): void {
    this.#primitiveArrays[type]++;
    this.#primitiveElements[type] += count;
    this.#primitiveResidues[type * PRIMITIVE_RESIDUES + (count & 255)]++;
    this.#gap = count < GAP_LENGTHS ? type * GAP_LENGTHS + count : 0;
  }

  /** The next object is not behind the last one. */
  endRange(): void {
    this.#before = Number.POSITIVE_INFINITY;
  }

  /** Reads a sub-record that is no usual object. Returns `at` if it is not whole or unknown. */
  #small(view: DataView, at: number, end: number, base: number): number {
    const idSize = this.#idSize;
    const tag = view.getUint8(at);
    const length = this.#roots[tag];
    if (length >= 0) {
      const next = at + 1 + idSize + length;
      if (next > end) return at;
      this.#addRoot(view, at, tag, length, base);
      return next;
    }
    switch (tag) {
      case CLASS_DUMP: {
        const size = this.#dumps.lengthAt(view, at + 1, end);
        if (size === -2) this.unknown = tag;
        if (size < 0) return at;
        const address = this.#dumps.add(view, at + 1, base + at);
        this.#bits |= address % 2 ** 32;
        this.#note(Math.floor(address / BLOCK_BYTES));
        return at + 1 + size;
      }
      case HEAP_DUMP_INFO:
        return at + 5 + idSize > end ? at : at + 5 + idSize;
      case PRIMITIVE_ARRAY_NODATA:
        return this.#noData(view, at, end);
      default:
        this.unknown = tag;
        return at;
    }
  }

  /** Android, obsolete: an array of primitives without its values. */
  #noData(view: DataView, at: number, end: number): number {
    const next = at + 10 + this.#idSize;
    if (next > end) return at;
    const id = idAt(view, at + 1, this.#idSize);
    this.#bits |= id % 2 ** 32;
    this.#note(Math.floor(id / BLOCK_BYTES));
    this.#primitiveArray(TYPE_OF[view.getUint8(next - 1)], view.getUint32(next - 5));
    this.#objects++;
    return next;
  }

  #addRoot(view: DataView, at: number, tag: number, length: number, base: number): void {
    const idSize = this.#idSize;
    const root = this.#root;
    root.offset.push(base + at);
    root.tag.push(tag);
    root.object.push((idSize === 8 ? view.getUint32(at + 1) * 2 ** 32 : 0) + view.getUint32(at + idSize - 3));
    const numbers = tag !== ROOT_JNI_GLOBAL && length > 0;
    root.thread.push(numbers ? view.getUint32(at + 1 + idSize) : -1);
    root.detail.push(numbers && length === 8 ? view.getUint32(at + 5 + idSize) : -1);
  }

  #noteTrace(trace: number): void {
    if (this.#trace >= 0) this.#traced = true;
    this.#trace = trace;
  }

  #note(block: number): void {
    this.#blocks?.add(block);
    if (this.#blocks !== undefined && this.#blocks.size > MOST_BLOCKS) this.#blocks = undefined;
  }

  #grow(): void {
    const length = this.#instances.length * 2;
    this.#instances = grown(this.#instances, length);
    this.#valueBytes = grown(this.#valueBytes, length);
    this.#arrays = grown(this.#arrays, length);
    this.#elements = grown(this.#elements, length);
    this.#residues = grown(this.#residues, length * RESIDUES);
    const gaps = new Float64Array(ARRAY_GAPS + length).fill(Number.POSITIVE_INFINITY);
    gaps.set(this.#gaps);
    this.#gaps = gaps;
  }

  /** Adds what the kernel counted. */
  #join(kernel: ScanKernel): void {
    this.#bits |= kernel.bits;
    for (let place = 0; place < ARRAY_GAPS; place++)
      this.#gaps[place] = Math.min(this.#gaps[place], kernel.arrayGap(place));
    for (let slot = 0; slot < Math.min(this.#slots.length, MOST_CLASSES); slot++) {
      const { instances, valueBytes, arrays, elements } = kernel.class(slot);
      this.#instances[slot] += instances;
      this.#valueBytes[slot] += valueBytes;
      this.#arrays[slot] += arrays;
      this.#elements[slot] += elements;
      if (arrays > 0)
        kernel.residues(slot).forEach((count, i) => {
          this.#residues[slot * RESIDUES + i] += count;
        });
      this.#gaps[ARRAY_GAPS + slot] = Math.min(this.#gaps[ARRAY_GAPS + slot], kernel.classGap(slot));
    }
    for (let type = 0; type < this.#primitiveArrays.length; type++) {
      const [arrays, elements, ...residues] = kernel.type(type);
      this.#primitiveArrays[type] += arrays;
      this.#primitiveElements[type] += elements;
      residues.forEach((count, i) => {
        this.#primitiveResidues[type * PRIMITIVE_RESIDUES + i] += count;
      });
    }
  }

  /** What all windows had. Call it once. */
  finish(): ScanPart {
    if (this.#counted !== undefined) this.#join(this.#counted);
    const { length } = this.#slots;
    const root = this.#root;
    return {
      classes: this.#dumps.finish(),
      id: this.#slots.ids(),
      instances: this.#instances.slice(0, length),
      valueBytes: this.#valueBytes.slice(0, length),
      arrays: this.#arrays.slice(0, length),
      elements: this.#elements.slice(0, length),
      residues: this.#residues.slice(0, length * RESIDUES),
      primitiveArrays: this.#primitiveArrays,
      primitiveElements: this.#primitiveElements,
      primitiveResidues: this.#primitiveResidues,
      gaps: this.#gaps.slice(0, ARRAY_GAPS + length),
      chunks: this.#chunks.finish(),
      roots: {
        offset: root.offset.finish(),
        tag: root.tag.finish(),
        object: root.object.finish(),
        thread: root.thread.finish(),
        detail: root.detail.finish(),
      },
      blocks: this.#blocks && Float64Array.from(this.#blocks),
      bits: this.#bits,
      traced: this.#traced,
      trace: this.#trace,
      huge: this.#huge,
      objects: this.#objects,
    };
  }
}

function grown(values: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  const copy = new Float64Array(length);
  copy.set(values);
  return copy;
}
