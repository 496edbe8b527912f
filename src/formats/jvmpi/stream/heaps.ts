/** Heap dumps of a recorded stream as heaps of the recording: objects have the ids of events. */
import { Int32Builder } from '../../../base/columns/columns.js';
import { NONE } from '../../../base/flavor.js';
import { type Heap, OBJECT_KINDS } from '../../../models/heap/heap.js';
import { type HeapGraph, REFERENCE_KINDS, type ReferenceKind, ROOTS } from '../../../models/heap/heap-graph.js';
import { recordedHeap } from '../../../models/heap/recorded-heap.js';
import { ROOT_KINDS, type RootKind } from '../../../models/heap/root-kinds.js';
import type { ClassId } from '../../../models/program/program.js';
import { type HeapWalk, LETTER_BYTES, type WalkObject } from '../wire/heap-walk.js';
import { Slots } from '../wire/walk-records.js';
import type { StreamNames } from './names.js';

/** JVMTI's kinds of references, of roots and others. */
const ROOT_OF: Readonly<Record<number, RootKind>> = {
  21: 'jni-global',
  22: 'system-class',
  23: 'busy-monitor',
  24: 'java-frame',
  25: 'jni-local',
  26: 'thread',
};
const OTHER_OF: Readonly<Record<number, ReferenceKind>> = {
  4: 'loader',
  5: 'signers',
  6: 'domain',
  9: 'constant',
  10: 'super',
};

/** `[Ljava/lang/String;` as `[Ljava.lang.String;`, `Ljava/lang/String;` as `java.lang.String`. */
function nameOf(signature: string): string {
  const name = signature.startsWith('[') ? signature : signature.replace(/^L|;$/g, '');
  return name.replaceAll('/', '.').replace(/\.(?=0x[0-9a-f]+;?$)/, '/');
}

/** The heap of a dump. `dump`: its number in the recording. */
export function heapOfWalk(walk: HeapWalk, dump: number, names: StreamNames): Heap {
  const { objects, roots } = walk;
  const rows = new Map([...objects.keys()].map((id, row) => [id, row]));
  const classes = new Map<number, ClassId>();
  const classOf = (id: number): ClassId => {
    const known = classes.get(id);
    if (known !== undefined) return known;
    const signature = walk.classes.get(id)?.signature;
    const found = signature === undefined ? NONE : names.program.class(names.text(nameOf(signature)));
    classes.set(id, found);
    return found;
  };
  const list = [...objects.values()];
  const references = new ReferenceRows(walk, names, rows);
  const first = Int32Array.from([...list.map((object) => references.add(object)), references.length]);
  const all = ROOTS.builder();
  for (const { kind, object, thread, depth } of roots) {
    const env = walk.threads.find((each) => each.object === (kind === 26 ? object : thread))?.env_id;
    all.add({
      object: rows.get(object) ?? NONE,
      kind: ROOT_KINDS.indexOf(ROOT_OF[kind] ?? 'unknown'),
      thread: env === undefined ? NONE : names.thread(env),
      frame: depth,
    });
  }
  const kindOf = ({ id, class: type, length: elements }: WalkObject): number => {
    if (walk.classes.has(id)) return OBJECT_KINDS.indexOf('class');
    if (elements < 0) return OBJECT_KINDS.indexOf('instance');
    const letter = walk.classes.get(type)?.signature[1] ?? '';
    return OBJECT_KINDS.indexOf(LETTER_BYTES[letter] === undefined ? 'object-array' : 'primitive-array');
  };
  const graph: HeapGraph = {
    dump,
    objects: {
      length: list.length,
      address: Float64Array.from(list, ({ id }) => id),
      class: Int32Array.from(list, ({ id, class: type }) => classOf(walk.classes.has(id) ? id : type)),
      kind: Uint8Array.from(list, kindOf),
      size: Float64Array.from(list, ({ size }) => size),
      elements: Int32Array.from(list, ({ length: elements }) => elements),
      trace: new Int32Array(list.length).fill(NONE),
      first,
    },
    references: references.finish(),
    missing: new Float64Array(0),
    roots: all.finish(),
    numbered: true,
  };
  return recordedHeap(graph);
}

/** The references of objects, one object after another. */
class ReferenceRows {
  readonly #walk: HeapWalk;
  readonly #names: StreamNames;
  readonly #rows: ReadonlyMap<number, number>;
  readonly #slots: Slots;
  readonly #target = new Int32Builder();
  readonly #kind = new Int32Builder();
  readonly #name = new Int32Builder();
  /** By class: the name of each field by its number. */
  readonly #fields = new Map<number, ReadonlyMap<number, { readonly name: number; readonly kind: number }>>();

  constructor(walk: HeapWalk, names: StreamNames, rows: ReadonlyMap<number, number>) {
    this.#walk = walk;
    this.#names = names;
    this.#rows = rows;
    this.#slots = new Slots(walk);
  }

  get length(): number {
    return this.#target.length;
  }

  #push(to: number, kind: number, name: number): void {
    this.#target.push(this.#rows.get(to) ?? NONE);
    this.#kind.push(kind);
    this.#name.push(name);
  }

  /** Adds those of an object; gives the row of the first one. */
  add({ id, class: type, length, references, others }: WalkObject): number {
    const from = this.length;
    const element = REFERENCE_KINDS.indexOf('element');
    const fields = length >= 0 ? undefined : this.#fieldsOf(this.#walk.classes.has(id) ? id : type);
    for (const [index, to] of references) {
      const field = fields?.get(index);
      if (fields === undefined) this.#push(to, element, index);
      else this.#push(to, field?.kind ?? REFERENCE_KINDS.indexOf('field'), field?.name ?? NONE);
    }
    for (const [how, to] of others) {
      const kind = OTHER_OF[how];
      if (kind !== undefined) this.#push(to, REFERENCE_KINDS.indexOf(kind), NONE);
    }
    return from;
  }

  #fieldsOf(type: number): ReadonlyMap<number, { readonly name: number; readonly kind: number }> {
    const known = this.#fields.get(type);
    if (known !== undefined) return known;
    const found = new Map<number, { readonly name: number; readonly kind: number }>();
    const seen = new Map<string, number>();
    for (const { declaring, index, isStatic } of this.#slots.of(type)) {
      // CLASS_LOAD has the names, static ones apart, in the same order.
      const key = `${declaring} ${isStatic}`;
      const place = seen.get(key) ?? 0;
      seen.set(key, place + 1);
      const kind = REFERENCE_KINDS.indexOf(isStatic ? 'static' : 'field');
      found.set(index, { name: this.#names.field(declaring, isStatic, place), kind });
    }
    this.#fields.set(type, found);
    return found;
  }

  finish(): HeapGraph['references'] {
    return {
      length: this.length,
      target: this.#target.finish(),
      kind: Uint8Array.from(this.#kind.finish()),
      name: this.#name.finish(),
    };
  }
}
