/** The threads that read a dump: each takes ranges of the file until none is left. */
import type { Work } from '../../../base/progress.js';
import type { IdBuilder, ObjectIds } from '../../../models/heap/object-ids.js';
import { type GraphColumns, IdPass, type ReferenceFields, ReferencePass } from './references.js';
import { HeapScan, type ScanPart } from './scan.js';
import { eachWindow, type ReadAt, WindowBuffer } from './windows.js';

/** Ranges of sub-records, in the order of the file. */
export interface Ranges {
  readonly from: Float64Array;
  readonly to: Float64Array;
}

export interface Crew {
  readonly idSize: number;
  /** Of all ranges. */
  readonly bytes: number;
  scan(work: Work): Promise<ScanPart>;
  collectIds(ids: IdBuilder, work: Work): Promise<void>;
  collectReferences(
    ids: ObjectIds,
    fields: ReferenceFields,
    columns: GraphColumns,
    inOrder: boolean,
    work: Work,
  ): Promise<void>;
}

/** Reads with this thread alone. */
export class LoneReader implements Crew {
  readonly idSize: number;
  readonly bytes: number;
  readonly #readAt: ReadAt;
  readonly #ranges: Ranges;
  readonly #buffer = new WindowBuffer();

  constructor(readAt: ReadAt, ranges: Ranges, idSize: number) {
    this.idSize = idSize;
    this.#readAt = readAt;
    this.#ranges = ranges;
    this.bytes = ranges.from.reduce((sum, from, i) => sum + ranges.to[i] - from, 0);
  }

  async scan(work: Work): Promise<ScanPart> {
    const scan = new HeapScan(this.idSize);
    const { from, to } = this.#ranges;
    for (let i = 0; i < from.length; i++) await eachWindow(this.#readAt, from[i], to[i], scan, this.#buffer, work);
    return scan.finish();
  }

  async collectIds(ids: IdBuilder, work: Work): Promise<void> {
    const pass = new IdPass(this.idSize, ids);
    const { from, to } = this.#ranges;
    for (let i = 0; i < from.length; i++) await eachWindow(this.#readAt, from[i], to[i], pass, this.#buffer, work);
  }

  async collectReferences(
    ids: ObjectIds,
    fields: ReferenceFields,
    columns: GraphColumns,
    _inOrder: boolean,
    work: Work,
  ): Promise<void> {
    const pass = new ReferencePass(this.idSize, ids, fields, columns);
    const { from, to } = this.#ranges;
    for (let i = 0; i < from.length; i++) {
      pass.limit = to[i];
      await eachWindow(this.#readAt, from[i], to[i], pass, this.#buffer, work);
      pass.endRange();
    }
  }
}
