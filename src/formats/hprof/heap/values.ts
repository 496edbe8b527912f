/** Reads the values of single objects: a pass over the ranges of a dump that may have one of them. */
import type { Work } from '../../../base/progress.js';
import type { ByteSpan, HeapObjects } from '../../../models/heap/heap.js';
import { idOfRow, type ObjectId } from '../../../models/heap/object-ids.js';
import { idAt } from '../../../models/heap/values.js';
import { INSTANCE_DUMP, OBJECT_ARRAY_DUMP, PRIMITIVE_ARRAY_DUMP } from '../tags.js';
import type { GraphPlan } from './graph.js';
import type { DumpInput } from './passes/crew.js';
import { SubRecords } from './passes/sub-records.js';
import { eachWindow, WindowBuffer } from './passes/windows.js';

interface Wanted {
  readonly row: ObjectId;
  readonly span: ByteSpan;
}

/** Copies the wanted bytes of each object out of the windows. The first object of an id counts. */
class ValuePass extends SubRecords {
  readonly found = new Map<ObjectId, Uint8Array>();
  readonly #wanted = new Map<number, Wanted>();
  /** End of the range that is read. */
  limit = 0;
  /** The object whose bytes are copied, how many are there, and where the next one begins in the file. */
  #open: { readonly row: ObjectId; readonly target: Uint8Array; readonly next: number } | undefined;
  #filled = 0;

  constructor(idSize: number, graph: HeapObjects, wanted: ReadonlyMap<ObjectId, ByteSpan>) {
    super(idSize);
    for (const [row, span] of wanted) this.#wanted.set(idOfRow(graph.ids, row), { row, span });
  }

  window(view: DataView, from: number, end: number, base: number): number {
    const { idSize, sizes } = this;
    let at = from;
    while (at < end) {
      if (this.#open !== undefined) {
        at = this.#fill(view, at, end, base);
        continue;
      }
      if (this.found.size === this.#wanted.size) return this.limit - base;
      const tag = view.getUint8(at);
      if (tag !== INSTANCE_DUMP && tag !== OBJECT_ARRAY_DUMP && tag !== PRIMITIVE_ARRAY_DUMP) {
        const length = this.other(view, at, end, tag);
        if (length === 0) return at;
        at += length;
        continue;
      }
      const head = tag === PRIMITIVE_ARRAY_DUMP ? 10 + idSize : 9 + 2 * idSize;
      if (at + head > end) return at;
      const each = tag === OBJECT_ARRAY_DUMP ? idSize : sizes[view.getUint8(at + head - 1)];
      const bytes = tag === INSTANCE_DUMP ? view.getUint32(at + head - 4) : view.getUint32(at + 5 + idSize) * each;
      const wanted = this.#wanted.get(idAt(view, at + 1, idSize));
      at += head;
      at = wanted === undefined || this.found.has(wanted.row) ? at + bytes : this.#begin(wanted, at, bytes, base);
    }
    return at;
  }

  /** Begins to copy; returns where the wanted bytes are, or the next object. */
  #begin({ row, span }: Wanted, values: number, bytes: number, base: number): number {
    // No more than the file has: a damaged length allocates nothing.
    const end = Math.min(span.to, bytes, this.limit - base - values);
    const length = Math.max(0, end - span.from);
    const target = new Uint8Array(length);
    this.found.set(row, target);
    if (length === 0) return values + bytes;
    this.#open = { row, target, next: base + values + bytes };
    this.#filled = 0;
    return values + span.from;
  }

  #fill(view: DataView, at: number, end: number, base: number): number {
    if (this.#open === undefined) return at;
    const { target, next } = this.#open;
    const count = Math.min(target.length - this.#filled, end - at);
    target.set(new Uint8Array(view.buffer, view.byteOffset + at, count), this.#filled);
    this.#filled += count;
    if (this.#filled < target.length) return at + count;
    this.#open = undefined;
    return next - base;
  }

  /** Ends an object that the file does not have whole. Call it after each range. */
  endRange(): void {
    if (this.#open !== undefined) this.found.set(this.#open.row, this.#open.target.subarray(0, this.#filled));
    this.#open = undefined;
  }
}

/** The objects whose values are read, and their positions. */
export interface ValuesTask {
  readonly idSize: number;
  readonly plan: Pick<GraphPlan, 'from' | 'to'>;
  readonly graph: HeapObjects;
  readonly wanted: ReadonlyMap<ObjectId, ByteSpan>;
}

/** Reads forward only, so that streams can be read, too. Cost: the ranges that may have an object not found yet. */
export async function readValues(
  input: DumpInput,
  { idSize, plan: { from, to }, graph, wanted }: ValuesTask,
  work: Work,
): Promise<ReadonlyMap<ObjectId, Uint8Array>> {
  const pass = new ValuePass(idSize, graph, wanted);
  if (wanted.size === 0) return pass.found;
  const rows = Uint32Array.from(wanted.keys()).sort();
  const { readAt, close } = await input.open();
  try {
    const buffer = new WindowBuffer();
    for (let i = 0; i < from.length && pass.found.size < wanted.size; i++) {
      const mayHave = (row: number): boolean =>
        graph.ranges === undefined || (row >= graph.ranges.least[i] && row <= graph.ranges.most[i]);
      if (!rows.some((row) => mayHave(row) && !pass.found.has(row))) continue;
      pass.limit = to[i];
      pass.unknown = undefined;
      await eachWindow(readAt, from[i], to[i], pass, buffer, { work });
      pass.endRange();
    }
    return pass.found;
  } finally {
    await close();
  }
}
