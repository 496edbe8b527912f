/**
 * Makes the bytes of a HEAP_DUMP (§4.2) from the records of a heap dump of any format. Ids stay those of the file, numbers of threads stand for
 * JNIEnv pointers, and objects for JNI references. Files do not say the interfaces of classes, so class records have none.
 */
import type { ClassRecordOf, ClassValue, HeapRecordSink, RootRecord } from '../../../models/heap/heap-records.js';
import { ROOT_KINDS, type RootKind } from '../../../models/heap/root-kinds.js';
import { type DumpForm, DumpWriter, isReference, valueBytes } from './dump-bytes.js';
import { type ClassShape, type DumpLevel, writeRecord } from './heap-dump.js';

/** Where the values of the instances of a class are. */
export interface InstanceLayout {
  /** Of all values. */
  readonly bytes: number;
  /** Offsets of references, ascending. */
  readonly references: Int32Array;
}

/** What a dump is made with beside its records. */
export interface HeapDumpClasses {
  /** By id of the class. */
  readonly layouts: ReadonlyMap<number, InstanceLayout>;
  /** The class of the elements of arrays, by id of their class. */
  readonly elements: ReadonlyMap<number, number>;
}

/** Tags of roots; of all others JVMPI does not know why they are roots. */
const ROOT_TAGS: Partial<Record<RootKind, 0x01 | 0x02 | 0x03 | 0x04 | 0x05 | 0x06 | 0x07>> = {
  'jni-global': 0x01,
  'jni-local': 0x02,
  'java-frame': 0x03,
  'native-stack': 0x04,
  'system-class': 0x05,
  thread: 0x06,
  'thread-block': 0x06,
  'busy-monitor': 0x07,
};

export class HeapDumpSink implements HeapRecordSink {
  readonly form: DumpForm;
  readonly #level: DumpLevel;
  readonly #classes: HeapDumpClasses;
  readonly #to: DumpWriter;
  /** What the values of the object are: elements, or the layout of an instance; undefined: they are copied, or left out. */
  #mode: 'references' | 'instance' | 'primitive' | 'none' = 'none';
  #layout: InstanceLayout | undefined;
  /** Static fields of each class that was written, for those who read the dump. */
  readonly shapes = new Map<number, ClassShape>();
  /** Instances whose class is not in the dump, or has other fields: their references are not known as such. */
  unknown = 0;
  /** See `HeapRecordSink.pause`. */
  onPause: () => Promise<void> | undefined = () => undefined;

  constructor(level: DumpLevel, form: DumpForm, classes: HeapDumpClasses) {
    this.#level = level;
    this.form = form;
    this.#classes = classes;
    this.#to = new DumpWriter(form);
  }

  /** Bytes that are made, and not taken yet. */
  get length(): number {
    return this.#to.length;
  }

  pause(): Promise<void> | undefined {
    return this.onPause();
  }

  /** Takes what is made. */
  take(): Uint8Array {
    return this.#to.take();
  }

  /** The depth of the thread is not known here, so frames have no number: -1. */
  root({ kind, object, thread }: RootRecord): void {
    const name = ROOT_KINDS[kind];
    if (this.#level === 0 || name === undefined) return;
    const tag = ROOT_TAGS[name] ?? 0xff;
    const env = Math.max(0, thread);
    if (tag === 0x01) writeRecord(this.#to, { tag, object, handle: object });
    else if (tag === 0x02 || tag === 0x03) writeRecord(this.#to, { tag, object, thread: env, frame: -1 });
    else if (tag === 0x04 || tag === 0x06) writeRecord(this.#to, { tag, object, thread: env });
    else writeRecord(this.#to, { tag, object });
  }

  class({ address, parent, loader, signers, domain, constants, statics }: ClassRecordOf): void {
    if (this.#level === 0) {
      this.#kind(0, address);
      return;
    }
    this.shapes.set(address, { interfaces: 0, statics: statics.map(({ type }) => type) });
    const kept = this.#level === 2 ? statics : statics.filter(({ type }) => isReference(type));
    const values = new DumpWriter(this.form);
    for (const value of kept) putValue(values, value);
    writeRecord(this.#to, {
      tag: 0x20,
      class: address,
      super: parent,
      loader,
      signers,
      domain,
      name: 0,
      reserved: 0,
      instanceSize: this.#classes.layouts.get(address)?.bytes ?? 0,
      interfaces: [],
      constants: constants.map(({ index, ...value }) => {
        const bytes = new DumpWriter(this.form);
        putValue(bytes, value);
        return { index, type: value.type, bytes: bytes.take() };
      }),
      statics: values.take(),
    });
  }

  #kind(kind: number, object: number): void {
    this.#to.u1(kind);
    this.#to.id(object);
    this.#mode = 'none';
  }

  instance(id: number, classId: number, bytes: number): void {
    if (this.#level === 0) {
      this.#kind(0, id);
      return;
    }
    const found = this.#classes.layouts.get(classId);
    this.#layout = found?.bytes === bytes ? found : undefined;
    if (this.#layout === undefined) this.unknown++;
    const to = this.#to;
    to.u1(0x21);
    to.id(id);
    to.id(classId);
    to.u4(this.#level === 2 ? bytes : (this.#layout?.references.length ?? 0) * this.form.idSize);
    this.#mode = 'instance';
  }

  objectArray(id: number, classId: number, length: number): void {
    if (this.#level === 0) {
      this.#kind(2, id);
      return;
    }
    const to = this.#to;
    to.u1(0x22);
    to.id(id);
    to.u4(length);
    to.id(this.#classes.elements.get(classId) ?? 0);
    this.#mode = 'references';
  }

  primitiveArray(id: number, type: number, length: number): void {
    if (this.#level === 0) {
      this.#kind(type, id);
      return;
    }
    const to = this.#to;
    to.u1(0x23);
    to.id(id);
    to.u4(length);
    to.u1(type);
    this.#mode = this.#level === 2 ? 'primitive' : 'none';
  }

  values(bytes: Uint8Array, from: number, to: number): void {
    if (this.#mode === 'none') return;
    if (this.#mode === 'primitive') this.#to.range(bytes, from, to);
    else if (this.#mode === 'references') this.#to.references(bytes, from, to);
    else this.#fields(bytes, from, to);
  }

  #fields(bytes: Uint8Array, from: number, to: number): void {
    const { references } = this.#layout ?? { references: [] };
    if (this.#level === 1) {
      for (const at of references) this.#to.references(bytes, from + at, from + at + this.form.idSize);
      return;
    }
    const start = this.#to.length;
    this.#to.range(bytes, from, to);
    for (const at of references) this.#to.turnId(start + at);
  }
}

/** A value of a class: references are ids, all others big-endian. */
function putValue(to: DumpWriter, { type, high, low }: ClassValue): void {
  const size = valueBytes(type, to.form);
  if (isReference(type)) to.id(high * 2 ** 32 + low);
  else if (size === 8) {
    to.u4(high);
    to.u4(low);
  } else if (size === 4) to.u4(low);
  else if (size === 2) to.u2(low);
  else to.u1(low);
}
