/** Small heaps as plain lists, and their dumps in all variants that producers write. */
import { typeSizes } from '../tags.js';
import { MemorySink, putValue } from '../write/bytes.js';
import { type HprofOptions, HprofWriter, type TypedValue } from '../write/records.js';

export interface PlainClass {
  readonly id: number;
  /** As HotSpot spells it: `java/lang/String`, `[B`. */
  readonly name: string;
  /** Ids; 0 for none. */
  readonly parent: number;
  readonly loader: number;
  readonly statics: readonly (TypedValue & { readonly name: string })[];
  readonly fields: readonly { readonly name: string; readonly type: number }[];
  /** Of an array of objects: id of the class of its elements. */
  readonly element?: number;
}

/** `values`: of the class, then of its superclass, and so on; ids are the addresses of objects, 0 for null. */
export type PlainObject = { readonly id: number; readonly bytes: number; readonly values: readonly number[] } & (
  | { readonly kind: 'instance'; readonly class: number }
  | { readonly kind: 'object-array'; readonly class: number }
  | { readonly kind: 'primitive-array'; readonly type: number }
);

export interface PlainRoot {
  readonly tag: number;
  readonly object: number;
  /** Serial of the thread, then depth or serial of the trace; of a global reference its id. */
  readonly numbers: readonly number[];
}

export interface PlainHeap {
  readonly classes: readonly PlainClass[];
  readonly objects: readonly PlainObject[];
  readonly roots: readonly PlainRoot[];
}

type Part = 'classes' | 'objects' | 'roots';

export interface DumpOptions extends HprofOptions {
  readonly order?: readonly Part[];
  /** As JVMPI: the class of an array of objects is that of its elements. */
  readonly elementClasses?: boolean;
  /** As HotSpot 17: LOAD CLASS of arrays comes twice, with two serials. */
  readonly arraysTwice?: boolean;
  /** Android: heaps alternate, so that each object has a HEAP DUMP INFO before it. */
  readonly heaps?: boolean;
}

/** Heap dumps in one file, each a dump of its own. */
export function dumpBytes(options: DumpOptions, ...heaps: readonly PlainHeap[]): Uint8Array {
  const sink = new MemorySink();
  const writer = new HprofWriter(options, sink);
  const names = new Names(writer);
  for (const heap of heaps) writeHeap(writer, names, heap, options);
  writer.end();
  return sink.bytes();
}

/** Ids of names, which are written when they are first needed. */
class Names {
  readonly #ids = new Map<string, number>();
  readonly #writer: HprofWriter;

  constructor(writer: HprofWriter) {
    this.#writer = writer;
  }

  id(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#ids.size + 1;
    this.#ids.set(name, id);
    this.#writer.utf8(id, name);
    return id;
  }
}

function writeHeap(writer: HprofWriter, names: Names, heap: PlainHeap, options: DumpOptions): void {
  let serial = 1;
  for (const { id, name, fields, statics } of heap.classes) {
    for (const field of [...fields, ...statics]) names.id(field.name);
    const times = options.arraysTwice && name.startsWith('[') ? 2 : 1;
    for (let i = 0; i < times; i++) writer.loadClass({ serial: serial++, id, name: names.id(name) });
  }
  names.id('app');
  names.id('zygote');
  const parts = {
    classes: () => writeClasses(writer, names, heap, options.idSize),
    objects: () => writeObjects(writer, names, heap, options),
    roots: () => {
      for (const { tag, object, numbers } of heap.roots) writer.root(tag, object, numbers);
    },
  };
  for (const part of options.order ?? ['classes', 'objects', 'roots']) parts[part]();
  writer.endDump();
}

function writeClasses(writer: HprofWriter, names: Names, heap: PlainHeap, idSize: number): void {
  const sizes = typeSizes(idSize);
  const byId = new Map(heap.classes.map((type) => [type.id, type]));
  for (const { id, parent, loader, statics, fields } of heap.classes) {
    const types = typesOf(byId, id);
    writer.classDump({
      id,
      parent,
      loader,
      instanceBytes: types.reduce((sum, type) => sum + (sizes[type] ?? 0), 0),
      statics: statics.map((field) => ({ ...field, name: names.id(field.name) })),
      fields: fields.map((field) => ({ ...field, name: names.id(field.name) })),
    });
  }
}

function writeObjects(writer: HprofWriter, names: Names, heap: PlainHeap, options: DumpOptions): void {
  const byId = new Map(heap.classes.map((type) => [type.id, type]));
  const sizes = typeSizes(options.idSize);
  for (const [i, object] of heap.objects.entries()) {
    const { id, values } = object;
    if (options.heaps) writer.heapInfo(i % 2 ? 0x5a : 0x41, names.id(i % 2 ? 'zygote' : 'app'));
    if (object.kind === 'instance') {
      const types = typesOf(byId, object.class);
      const bytes = types.reduce((sum, type) => sum + (sizes[type] ?? 0), 0);
      const out = writer.instance(id, object.class, bytes);
      for (const [field, type] of types.entries()) putValue(out, type, values[field] ?? 0);
    } else if (object.kind === 'object-array') {
      const type = options.elementClasses ? (byId.get(object.class)?.element ?? 0) : object.class;
      const out = writer.objectArray(id, type, values.length);
      for (const value of values) out.id(value);
    } else {
      const out = writer.primitiveArray(id, object.type, values.length);
      for (const value of values) putValue(out, object.type, value);
    }
  }
}

/** Types of the values of an instance: the class's own fields come first. */
export function typesOf(byId: ReadonlyMap<number, PlainClass>, id: number): number[] {
  const types: number[] = [];
  for (let type = byId.get(id); type !== undefined; type = byId.get(type.parent))
    types.push(...type.fields.map((field) => field.type));
  return types;
}
