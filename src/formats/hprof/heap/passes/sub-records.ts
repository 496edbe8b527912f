/** What the passes over the sub-records of a heap dump share: which of them there are, and how long each is. */
import {
  CLASS_DUMP,
  HEAP_DUMP_INFO,
  INSTANCE_DUMP,
  OBJECT_ARRAY_DUMP,
  PRIMITIVE_ARRAY_DUMP,
  PRIMITIVE_ARRAY_NODATA,
  typeSizes,
} from '../../tags.js';
import { ClassDumps } from '../class-dumps.js';
import { rootLengths } from './root-builder.js';
import { isTypeCode } from './scan.js';
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

  /** Takes an object whose head, of `head` bytes, is there. False if it needs values that are cut. */
  protected object(_view: DataView, _at: number, _tag: number, _head: number, _end: number): boolean {
    return true;
  }

  /** Takes a sub-record that is no object, or an array without data. */
  protected small(_view: DataView, _at: number, _tag: number): void {}

  /** Walks over at most so many sub-records: see `WindowReader.window`. */
  protected walk(view: DataView, from: number, end: number, most: number): number {
    const { idSize, sizes } = this;
    let at = from;
    for (let count = 0; count < most && at < end; count++) {
      const tag = view.getUint8(at);
      if (tag !== INSTANCE_DUMP && tag !== OBJECT_ARRAY_DUMP && tag !== PRIMITIVE_ARRAY_DUMP) {
        const length = this.other(view, at, end, tag);
        if (length === 0) return at;
        this.small(view, at, tag);
        at += length;
        continue;
      }
      const head = tag === PRIMITIVE_ARRAY_DUMP ? 10 + idSize : 9 + 2 * idSize;
      if (at + head > end || !this.object(view, at, tag, head, end)) return at;
      if (tag === INSTANCE_DUMP) at += head + view.getUint32(at + head - 4);
      else if (tag === OBJECT_ARRAY_DUMP)
        at += head + view.getUint32(at + 5 + idSize) * (sizes[this.typeCode(view, at)] || idSize);
      else at += head + view.getUint32(at + 5 + idSize) * sizes[view.getUint8(at + head - 1)];
    }
    return at;
  }

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
