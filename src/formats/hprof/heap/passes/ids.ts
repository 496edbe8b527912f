/** The pass over a heap dump that finds the ids of its objects. */
import { type IdBuilder, IdSink } from '../../../../models/heap/object-ids.js';
import { idAt } from '../../../../models/heap/values.js';
import {
  CLASS_DUMP,
  INSTANCE_DUMP,
  OBJECT_ARRAY_DUMP,
  PRIMITIVE_ARRAY_DUMP,
  PRIMITIVE_ARRAY_NODATA,
} from '../../tags.js';
import type { GraphKernel } from '../kernel/graph-kernel.js';
import { SubRecords } from './sub-records.js';
import { ALL, alternate } from './windows.js';

/** Collects the ids of all objects. */
export class IdPass extends SubRecords {
  readonly #ids: IdSink;

  readonly #kernel: GraphKernel | undefined;

  /** `kernel`: takes usual objects, if there is one. */
  constructor(idSize: number, ids: IdBuilder, kernel?: GraphKernel) {
    super(idSize, kernel?.room);
    this.#ids = new IdSink(ids);
    this.#kernel = kernel;
  }

  window(view: DataView, from: number, end: number): number {
    const kernel = this.#kernel;
    if (kernel === undefined) return this.#plain(view, from, end, ALL);
    return alternate(
      from,
      end,
      (at) => kernel.ids(at, end),
      (at) => this.#plain(view, at, end, 1),
    );
  }

  /** Reads at most so many sub-records. */
  #plain(view: DataView, from: number, end: number, most: number): number {
    const { idSize, sizes } = this;
    let at = from;
    for (let count = 0; count < most && at < end; count++) {
      const tag = view.getUint8(at);
      const head = tag === PRIMITIVE_ARRAY_DUMP ? 10 + idSize : 9 + 2 * idSize;
      if (tag === INSTANCE_DUMP || tag === OBJECT_ARRAY_DUMP || tag === PRIMITIVE_ARRAY_DUMP) {
        if (at + head > end) return at;
        this.#ids.add(idAt(view, at + 1, idSize));
        if (tag === INSTANCE_DUMP) at += head + view.getUint32(at + head - 4);
        else if (tag === OBJECT_ARRAY_DUMP)
          at += head + view.getUint32(at + 5 + idSize) * (sizes[this.typeCode(view, at)] || idSize);
        else at += head + view.getUint32(at + 5 + idSize) * sizes[view.getUint8(at + head - 1)];
        continue;
      }
      const length = this.other(view, at, end, tag);
      if (length === 0) return at;
      if (tag === CLASS_DUMP || tag === PRIMITIVE_ARRAY_NODATA) this.#ids.add(idAt(view, at + 1, idSize));
      at += length;
    }
    return at;
  }
}
