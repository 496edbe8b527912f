/** Hands the objects of a dump to a sink, in the order of the file: one pass, in the memory of a window. */
import type { Work } from '../../../../base/progress.js';
import type { ClassRecordOf, HeapRecordSink } from '../../../../models/heap/heap-records.js';
import { idAt } from '../../../../models/heap/values.js';
import {
  CLASS_DUMP,
  INSTANCE_DUMP,
  OBJECT_ARRAY_DUMP,
  PRIMITIVE_ARRAY_DUMP,
  PRIMITIVE_ARRAY_NODATA,
  TYPE_OBJECT,
  TYPE_OF,
} from '../../tags.js';
import { type ClassDumpColumns, ClassDumps, CONSTANT, STATIC } from '../class-dumps.js';
import type { GraphPlan } from '../graph.js';
import type { DumpInput } from './crew.js';
import { SubRecords } from './sub-records.js';
import { eachWindow, type ReadAt, WindowBuffer } from './windows.js';

/** Takes the classes of a dump, which its objects refer to. */
export class ClassPass extends SubRecords {
  readonly #found: ClassDumps;
  #base = 0;

  constructor(idSize: number) {
    super(idSize);
    this.#found = new ClassDumps(idSize, this.sizes);
  }

  window(view: DataView, from: number, end: number, base: number): number {
    this.#base = base;
    return this.walk(view, from, end, Number.MAX_SAFE_INTEGER);
  }

  protected override small(view: DataView, at: number, tag: number): void {
    if (tag === CLASS_DUMP) this.#found.add(view, at + 1, this.#base + at);
  }

  classes(): ClassDumpColumns {
    return this.#found.finish();
  }
}

/** The classes one after another. */
export function* classRecords(columns: ClassDumpColumns): Generator<ClassRecordOf> {
  const { first, memberKind, memberName, memberType, high, low } = columns;
  for (let row = 0; row < columns.length; row++) {
    const constants: ClassRecordOf['constants'][number][] = [];
    const statics: ClassRecordOf['statics'][number][] = [];
    for (let member = first[row]; member < first[row + 1]; member++) {
      const value = { type: memberType[member], high: high[member], low: low[member] };
      if (memberKind[member] === CONSTANT) constants.push({ index: memberName[member], ...value });
      else if (memberKind[member] === STATIC) statics.push(value);
    }
    const { address, parent, loader, signers, domain } = columns;
    yield {
      address: address[row],
      parent: parent[row],
      loader: loader[row],
      signers: signers[row],
      domain: domain[row],
      constants,
      statics,
    };
  }
}

/** Reads the objects. An array may be longer than a window; its elements come in parts. */
export class RelayPass extends SubRecords {
  readonly #sink: HeapRecordSink;
  /** Bytes of elements that are still to come, and of each. */
  #left = 0;
  #each = 1;

  constructor(idSize: number, sink: HeapRecordSink) {
    super(idSize);
    this.#sink = sink;
  }

  /** True if the last array is not whole. */
  get isCut(): boolean {
    return this.#left > 0;
  }

  window(view: DataView, from: number, end: number): number {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    let at = from;
    while (at < end) {
      if (this.#left > 0) {
        const count = Math.min(this.#left, end - at - ((end - at) % this.#each));
        if (count === 0) return at;
        this.#sink.values(bytes, at, at + count);
        this.#left -= count;
        at += count;
        continue;
      }
      const next = this.#one(view, bytes, at, end);
      if (next === at) return at;
      at = next;
    }
    return at;
  }

  /** Takes the sub-record at `at`; gives the place behind what it took, which is `at` if it is not whole. */
  #one(view: DataView, bytes: Uint8Array, at: number, end: number): number {
    const { idSize, sizes } = this;
    const tag = view.getUint8(at);
    if (tag !== INSTANCE_DUMP && tag !== OBJECT_ARRAY_DUMP && tag !== PRIMITIVE_ARRAY_DUMP) {
      const length = this.other(view, at, end, tag);
      if (tag === PRIMITIVE_ARRAY_NODATA && length > 0)
        this.#sink.primitiveArray(idAt(view, at + 1, idSize), TYPE_OF[view.getUint8(at + length - 1)], 0);
      return at + length;
    }
    const head = tag === PRIMITIVE_ARRAY_DUMP ? 10 + idSize : 9 + 2 * idSize;
    if (at + head > end) return at;
    const id = idAt(view, at + 1, idSize);
    if (tag === INSTANCE_DUMP) {
      const length = view.getUint32(at + head - 4);
      if (at + head + length > end) return at;
      this.#sink.instance(id, idAt(view, at + 5 + idSize, idSize), length);
      this.#sink.values(bytes, at + head, at + head + length);
      return at + head + length;
    }
    const count = view.getUint32(at + 5 + idSize);
    const type = tag === PRIMITIVE_ARRAY_DUMP ? view.getUint8(at + head - 1) : this.typeCode(view, at) || TYPE_OBJECT;
    this.#each = sizes[type];
    this.#left = count * this.#each;
    if (TYPE_OF[type] === TYPE_OBJECT) this.#sink.objectArray(id, idAt(view, at + head - idSize, idSize), count);
    else this.#sink.primitiveArray(id, TYPE_OF[type], count);
    return at + head;
  }
}

/** Reads the ranges of a dump twice: for the classes, then for the objects. False if the last object is cut. */
export async function relay(
  input: DumpInput,
  idSize: number,
  { from, to }: Pick<GraphPlan, 'from' | 'to'>,
  sink: HeapRecordSink,
  work: Work,
): Promise<boolean> {
  const { readAt, close } = await input.open();
  try {
    const buffer = new WindowBuffer();
    const classes = new ClassPass(idSize);
    for (let i = 0; i < from.length; i++) await eachWindow(readAt, from[i], to[i], classes, buffer, { work });
    for (const record of classRecords(classes.classes())) sink.class(record);
    const objects = new RelayPass(idSize, sink);
    for (let i = 0; i < from.length; i++) {
      await eachWindow(pausing(readAt, sink), from[i], to[i], objects, buffer, { work });
      if (objects.isCut) return false;
    }
    return true;
  } finally {
    await close();
  }
}

/** Reads when the sink is ready. */
function pausing(readAt: ReadAt, sink: HeapRecordSink): ReadAt {
  return (offset, target) => {
    const pause = sink.pause?.();
    return pause === undefined ? readAt(offset, target) : pause.then(() => readAt(offset, target));
  };
}
