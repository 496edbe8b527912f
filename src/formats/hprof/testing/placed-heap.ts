/**
 * A heap that is written while it is made: objects get addresses as in a real heap, ascending and touching, and sizes by
 * HotSpot's rule. Counts objects and references.
 *
 *   const heap = new PlacedHeap(sink);
 *   const object = heap.define('java/lang/Object');
 *   const node = heap.define('a/Node', {parent: object, fields: [['next', TYPE_OBJECT]]});
 *   const [first, second] = [heap.take(node), heap.take(node)];
 *   heap.writeClasses();
 *   heap.reference(heap.instance(first, node), second);
 *   heap.reference(heap.instance(second, node), 0);
 *   heap.writer.root(ROOT_UNKNOWN, first);
 *   heap.writer.end();
 */
import { ROOT_STICKY_CLASS, TYPE_BYTE, TYPE_OBJECT, typeSizes } from '../tags.js';
import type { DumpBytes, Sink } from '../write/bytes.js';
import { type HprofOptions, HprofWriter } from '../write/records.js';
import {
  arrayBytes,
  CLASS_BYTES,
  type FieldSpace,
  HeapSpace,
  instanceBytes,
  LAYOUTS,
  type Layout,
  placeFields,
} from './heap-layout.js';

/** A class, and how many instances or arrays it has. */
export interface JavaClass {
  readonly id: number;
  readonly name: string;
  readonly parent: JavaClass | undefined;
  readonly loader: number;
  readonly fields: readonly (readonly [name: string, type: number])[];
  readonly statics: readonly (readonly [name: string, value: number])[];
  readonly space: FieldSpace;
  /** Bytes of an instance in the heap and in the file. */
  readonly bytes: number;
  readonly valueBytes: number;
  objects: number;
  /** Bytes of all of them in the heap. */
  heapBytes: number;
}

interface Definition {
  readonly parent?: JavaClass;
  readonly loader?: number;
  readonly fields?: JavaClass['fields'];
  /** References. */
  readonly statics?: JavaClass['statics'];
}

export interface PlacedOptions extends Partial<Omit<HprofOptions, 'idSize'>> {
  /** HotSpot with compressed references if left out. */
  readonly layout?: Layout;
}

export class PlacedHeap {
  readonly writer: HprofWriter;
  readonly space: HeapSpace;
  readonly classes: JavaClass[] = [];
  /** References of fields, elements and statics that are not null. */
  references = 0;
  readonly #layout: Layout;
  readonly #sizes: Uint8Array;
  readonly #names = new Map<string, number>();

  constructor(sink: Sink, options: PlacedOptions = {}) {
    const { layout = LAYOUTS.compressed, ...rest } = options;
    this.#layout = layout;
    this.#sizes = typeSizes(layout.idSize);
    this.space = new HeapSpace(layout.idSize === 8 ? 0x6_8000_0000 : 0x6800_0000);
    this.writer = new HprofWriter({ version: '1.0.2', ...rest, idSize: layout.idSize }, sink);
  }

  /** Id of a name, which is written when it is new: before the heap. */
  name(text: string): number {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const id = 16 * (this.#names.size + 1);
    this.#names.set(text, id);
    this.writer.utf8(id, text);
    return id;
  }

  /** Adds a class and writes its name and LOAD CLASS: before the heap. */
  define(name: string, { parent, loader = 0, fields = [], statics = [] }: Definition = {}): JavaClass {
    const types = fields.map(([, type]) => type);
    const space = placeFields(this.#layout, types, parent?.space);
    const valueBytes = types.reduce((sum, type) => sum + (this.#sizes[type] ?? 0), parent?.valueBytes ?? 0);
    const id = this.space.take(CLASS_BYTES);
    const bytes = instanceBytes(space);
    const defined = { id, name, parent, loader, fields, statics, space, bytes, valueBytes, objects: 0, heapBytes: 0 };
    this.classes.push(defined);
    for (const [field] of [...fields, ...statics]) this.name(field);
    this.writer.loadClass({ serial: this.classes.length, id, name: this.name(name) });
    return defined;
  }

  /** Class dumps of all classes. */
  writeClasses(): void {
    for (const { id, parent, loader, fields, statics, valueBytes } of this.classes) {
      this.references += statics.filter(([, value]) => value !== 0).length;
      this.writer.classDump({
        id,
        parent: parent?.id ?? 0,
        loader,
        instanceBytes: valueBytes,
        statics: statics.map(([name, value]) => ({ name: this.name(name), type: TYPE_OBJECT, value })),
        fields: fields.map(([name, type]) => ({ name: this.name(name), type })),
      });
    }
  }

  /** Those of the boot loader are roots. */
  writeClassRoots(): void {
    for (const { id, loader } of this.classes) if (loader === 0) this.writer.root(ROOT_STICKY_CLASS, id);
  }

  /** Address of the next instance. */
  take(type: JavaClass): number {
    return this.space.take(type.bytes);
  }

  takeArray(type: number, length: number): number {
    return this.space.take(arrayBytes(this.#layout, type, length));
  }

  /** Writes an instance; its values follow: those of the class, then those of its superclass. */
  instance(at: number, type: JavaClass): DumpBytes {
    type.objects++;
    type.heapBytes += type.bytes;
    return this.writer.instance(at, type.id, type.valueBytes);
  }

  reference(out: DumpBytes, to: number): void {
    if (to !== 0) this.references++;
    out.id(to);
  }

  objects(at: number, type: JavaClass, elements: readonly number[]): void {
    type.objects++;
    type.heapBytes += arrayBytes(this.#layout, TYPE_OBJECT, elements.length);
    const out = this.writer.objectArray(at, type.id, elements.length);
    for (const element of elements) this.reference(out, element);
  }

  /** An array of primitives whose values the caller puts into the result; `type`: its class. */
  primitives(at: number, type: JavaClass, code: number, length: number): DumpBytes {
    type.objects++;
    type.heapBytes += arrayBytes(this.#layout, code, length);
    return this.writer.primitiveArray(at, code, length);
  }

  /** A string and its bytes, both new. Returns its address. */
  string(types: { readonly string: JavaClass; readonly bytes: JavaClass }, text: string): number {
    const at = this.take(types.string);
    const value = this.takeArray(TYPE_BYTE, text.length);
    const out = this.instance(at, types.string);
    this.reference(out, value);
    out.u4(0);
    out.u2(0);
    this.primitives(value, types.bytes, TYPE_BYTE, text.length).text(text);
    return at;
  }
}
