/** What the passes over the sub-records of a heap dump share: which of them there are, and how long each is. */
import { CLASS_DUMP, HEAP_DUMP_INFO, PRIMITIVE_ARRAY_NODATA, typeSizes } from '../../tags.js';
import { ClassDumps } from '../class-dumps.js';
import { isTypeCode, rootLengths } from './scan.js';
import type { WindowReader, WindowRoom } from './windows.js';

/** Walks over all sub-records; the passes say what to do with each kind. */
export abstract class SubRecords implements WindowReader {
  protected readonly idSize: number;
  protected readonly sizes: Uint8Array;
  protected readonly roots: Int16Array;
  readonly #dumps: ClassDumps;
  unknown: number | undefined;
  readonly room: WindowRoom | undefined;

  constructor(idSize: number, room?: WindowRoom) {
    this.room = room;
    this.idSize = idSize;
    this.sizes = typeSizes(idSize);
    this.roots = rootLengths(idSize);
    this.#dumps = new ClassDumps(idSize, this.sizes);
  }

  abstract window(view: DataView, from: number, end: number, base: number): number;

  /** The type that an array of objects has in place of its class; else 0. */
  protected typeCode(view: DataView, at: number): number {
    const high = this.idSize === 8 ? view.getUint32(at + 17) : 0;
    const low = view.getUint32(at + 5 + 2 * this.idSize);
    return isTypeCode(high, low) ? low : 0;
  }

  /** Length of a sub-record that is no object, with its tag; 0 if it is not whole, or unknown. */
  protected other(view: DataView, at: number, end: number, tag: number): number {
    const root = this.roots[tag];
    if (root >= 0) return within(1 + this.idSize + root, at, end);
    if (tag === HEAP_DUMP_INFO) return within(5 + this.idSize, at, end);
    if (tag === PRIMITIVE_ARRAY_NODATA) return within(10 + this.idSize, at, end);
    if (tag === CLASS_DUMP) {
      const length = this.#dumps.lengthAt(view, at + 1, end);
      if (length === -2) this.unknown = tag;
      return length < 0 ? 0 : length + 1;
    }
    this.unknown = tag;
    return 0;
  }
}

function within(length: number, at: number, end: number): number {
  return at + length > end ? 0 : length;
}
