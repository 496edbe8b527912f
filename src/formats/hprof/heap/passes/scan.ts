/**
 * The first pass over the sub-records of a heap dump: what fills it. Counts by class, roots, class dumps, and how close
 * objects lie together, which bounds their sizes. No object a record; 100 bytes a class, 33 a root.
 */
import { idAt } from '../../../../models/heap/values.js';
import {
  CLASS_DUMP,
  HEAP_DUMP_INFO,
  INSTANCE_DUMP,
  OBJECT_ARRAY_DUMP,
  PRIMITIVE_ARRAY_DUMP,
  PRIMITIVE_ARRAY_NODATA,
  TYPE_OF,
  typeSizes,
} from '../../tags.js';
import { ClassDumps } from '../class-dumps.js';
import { ClassSlots } from '../class-slots.js';
import { MOST_CLASSES, type ScanKernel } from '../kernel/scan-kernel.js';
import { ClassCounts, grown } from './class-counts.js';
import type { FirstObjects } from './first-objects.js';
import { IdRunBuilder } from './id-runs.js';
import { RootBuilder, rootLengths } from './root-builder.js';
import { ARRAY_GAPS, BLOCK_BYTES, GAP_LENGTHS, PRIMITIVE_RESIDUES, RESIDUES, type ScanPart } from './scan-part.js';
import { StackChunkBuilder } from './stack-chunks.js';
import { ALL, alternate, type WindowReader, type WindowRoom } from './windows.js';

/** More blocks than this mean that ids are no addresses of one heap. */
const MOST_BLOCKS = 1 << 20;
/** Ids from here on have no exact double. */
const LARGEST_ID_HIGH = 2 ** 21;
/** In place of the bytes of instances: none was met. */
const NO_LENGTH = 2 ** 32 - 2;

/** Version 1.0: arrays of primitives are arrays of objects whose class is a type. No class has such an id. */
export function isTypeCode(high: number, low: number): boolean {
  return high === 0 && low >= 4 && low <= 11;
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
  readonly #counts = new ClassCounts();
  #gaps = new Float64Array(ARRAY_GAPS + (1 << 11)).fill(Number.POSITIVE_INFINITY);
  readonly #primitiveArrays = new Float64Array(12);
  readonly #primitiveElements = new Float64Array(12);
  readonly #primitiveResidues = new Float64Array(12 * PRIMITIVE_RESIDUES);
  readonly #root: RootBuilder;
  readonly #runs = new IdRunBuilder();
  /** In a further scan: objects that are not the first with their id are left out. */
  readonly #firsts: FirstObjects | undefined;
  #twice = 0;
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

  /**
   * `chunkClass`: id of the class of stacks, or -1. `kernel`: takes usual objects, if there is one. `firsts`: leaves others out, without
   * a kernel.
   */
  constructor(idSize: number, chunkClass = -1, kernel?: ScanKernel, firsts?: FirstObjects) {
    this.#idSize = idSize;
    this.#chunkClass = chunkClass;
    this.#firsts = firsts;
    this.#root = new RootBuilder(idSize);
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
    const last = { before: this.#before, gap: this.#beforeGap, trace: this.#trace };
    const next = kernel.scan(from, end, last, !this.#runs.isCut);
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
        if (this.#firsts !== undefined && high < LARGEST_ID_HIGH && !this.#firsts.take(id)) {
          const next = this.#skip(view, at + 5 + idSize, tag);
          if (next < 0) break;
          at = next;
          continue;
        }
        const gap = id - before;
        // The first of a run, too: it has no object before it.
        if (!(gap > 0)) this.#runs.begin(before, high >= LARGEST_ID_HIGH ? Number.POSITIVE_INFINITY : id);
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
      if (tag === CLASS_DUMP) {
        this.#runs.end(before);
        before = Number.POSITIVE_INFINITY;
      }
      at = next;
    }
    this.#before = before;
    this.#beforeGap = beforeGap;
    this.#block = block;
    this.#bits |= bits;
    return at;
  }

  /** The place behind an object that is left out, from behind its trace on; -1 if its type does not exist. */
  #skip(view: DataView, rest: number, tag: number): number {
    const idSize = this.#idSize;
    this.#objects++;
    this.#twice++;
    if (tag === INSTANCE_DUMP) return rest + idSize + 4 + view.getUint32(rest + idSize);
    const count = view.getUint32(rest);
    if (tag === OBJECT_ARRAY_DUMP) {
      const high = idSize === 8 ? view.getUint32(rest + 4) : 0;
      const low = view.getUint32(rest + idSize);
      return rest + 4 + idSize + count * (isTypeCode(high, low) ? this.#sizes[low] : idSize);
    }
    const size = this.#sizes[view.getUint8(rest + 4)];
    if (size === 0) this.unknown = tag;
    return size === 0 ? -1 : rest + 5 + count * size;
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
      const high = wide ? view.getUint32(rest) : 0;
      const low = view.getUint32(rest + idSize - 4);
      const slot = this.#slot(high, low);
      const length = view.getUint32(rest + idSize);
      if (this.#counts.lengths[slot] < 0) this.#setLength(slot, high * 2 ** 32 + low, length);
      else if (this.#counts.lengths[slot] !== length) this.#counts.others[slot]++;
      this.#counts.instances[slot]++;
      this.#counts.valueBytes[slot] += length;
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
    this.#counts.arrays[slot]++;
    this.#counts.elements[slot] += count;
    this.#counts.residues[slot * RESIDUES + (count & 7)]++;
    this.#gap = count < GAP_LENGTHS ? 2 * GAP_LENGTHS + count : 0;
    return next + count * idSize;
  }

  /** The number of a class, for which there is room. */
  #slot(high: number, low: number): number {
    const { length } = this.#slots;
    const slot = this.#slots.add(high, low);
    if (slot < length) return slot;
    const room = ARRAY_GAPS + this.#counts.room(slot);
    if (room > this.#gaps.length) this.#gaps = grown(this.#gaps, room, Number.POSITIVE_INFINITY);
    if (slot < MOST_CLASSES) this.#setKernelClass(slot, high * 2 ** 32 + low, NO_LENGTH);
    else this.#kernel = undefined;
    return slot;
  }

  /** Notes how long the values of the first instance of a class are. The kernel takes instances with as many bytes. */
  #setLength(slot: number, id: number, length: number): void {
    this.#counts.lengths[slot] = length;
    if (slot < MOST_CLASSES && length < NO_LENGTH) this.#setKernelClass(slot, id, length);
  }

  #setKernelClass(slot: number, id: number, length: number): void {
    if (id !== this.#chunkClass) this.#kernel?.addClass(slot, id, length);
  }

  #primitiveArray(type: number, count: number): void {
    this.#primitiveArrays[type]++;
    this.#primitiveElements[type] += count;
    this.#primitiveResidues[type * PRIMITIVE_RESIDUES + (count & 255)]++;
    this.#gap = count < GAP_LENGTHS ? type * GAP_LENGTHS + count : 0;
  }

  /** The next object is not behind the last one. */
  endRange(): void {
    this.#runs.end(this.#before);
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
      this.#root.add(view, at, length, base + at);
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
    this.#runs.add(id, id);
    this.#objects++;
    return next;
  }

  #noteTrace(trace: number): void {
    if (this.#trace >= 0) this.#traced = true;
    this.#trace = trace;
  }

  #note(block: number): void {
    this.#blocks?.add(block);
    if (this.#blocks !== undefined && this.#blocks.size > MOST_BLOCKS) this.#blocks = undefined;
  }

  /** Adds what the kernel counted. */
  #join(kernel: ScanKernel): void {
    this.#bits |= kernel.bits;
    for (let place = 0; place < ARRAY_GAPS; place++)
      this.#gaps[place] = Math.min(this.#gaps[place], kernel.arrayGap(place));
    for (let slot = 0; slot < Math.min(this.#slots.length, MOST_CLASSES); slot++) {
      const { instances, valueBytes, arrays, elements } = kernel.class(slot);
      this.#counts.instances[slot] += instances;
      this.#counts.valueBytes[slot] += valueBytes;
      this.#counts.arrays[slot] += arrays;
      this.#counts.elements[slot] += elements;
      if (arrays > 0)
        kernel.residues(slot).forEach((count, i) => {
          this.#counts.residues[slot * RESIDUES + i] += count;
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
    this.#runs.end(this.#before);
    return {
      classes: this.#dumps.finish(),
      id: this.#slots.ids(),
      ...this.#counts.columns(length),
      primitiveArrays: this.#primitiveArrays,
      primitiveElements: this.#primitiveElements,
      primitiveResidues: this.#primitiveResidues,
      gaps: this.#gaps.slice(0, ARRAY_GAPS + length),
      chunks: this.#chunks.finish(),
      roots: this.#root.finish(),
      runs: this.#runs.finish(),
      twice: this.#twice,
      blocks: this.#blocks && Float64Array.from(this.#blocks),
      bits: this.#bits,
      traced: this.#traced,
      trace: this.#trace,
      huge: this.#huge,
      objects: this.#objects,
    };
  }
}
