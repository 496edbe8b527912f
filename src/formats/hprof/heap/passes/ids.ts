/** The pass over a heap dump that finds the ids of its objects. */
import { type IdBuilder, IdSink } from '../../../../models/heap/object-ids.js';
import { idAt } from '../../../../models/heap/values.js';
import { CLASS_DUMP, PRIMITIVE_ARRAY_NODATA } from '../../tags.js';
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
    if (kernel === undefined) return this.walk(view, from, end, ALL);
    return alternate(
      from,
      end,
      (at) => kernel.ids(at, end),
      (at) => this.walk(view, at, end, 1),
    );
  }

  protected override object(view: DataView, at: number): boolean {
    this.#ids.add(idAt(view, at + 1, this.idSize));
    return true;
  }

  protected override small(view: DataView, at: number, tag: number): void {
    if (tag === CLASS_DUMP || tag === PRIMITIVE_ARRAY_NODATA) this.#ids.add(idAt(view, at + 1, this.idSize));
  }
}
