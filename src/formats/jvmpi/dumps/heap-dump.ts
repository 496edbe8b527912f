/**
 * HEAP_DUMP at the levels 0, 1 and 2, and OBJECT_DUMP (§4.2, §4.3): records to bytes and back, to the byte. Level 1 has no values of
 * primitive types. How many interfaces and static fields a class has is not in its record, but in its CLASS_LOAD event.
 */
import { type DumpForm, DumpReader, DumpWriter, isReference, valueBytes } from './dump-bytes.js';

export type DumpLevel = 0 | 1 | 2;

/** An object at level 0: the kind is 0 for objects and classes, 2 for arrays of objects, else the type of the elements. */
export interface DumpObjectKind {
  readonly kind: number;
  readonly object: number;
}

/** What CLASS_LOAD says of a class: interfaces, and the types of static fields. */
export interface ClassShape {
  readonly interfaces: number;
  readonly statics: readonly number[];
}

/** A value in the bytes of the dump: references are ids, all others big-endian. */
export interface DumpValue {
  readonly type: number;
  readonly bytes: Uint8Array;
}

export type HeapRecord =
  /** Unknown, sticky class, monitor. */
  | { readonly tag: 0xff | 0x05 | 0x07; readonly object: number }
  | { readonly tag: 0x01; readonly object: number; readonly handle: number }
  /** JNI local, Java frame; the frame is -1 if there is none. */
  | { readonly tag: 0x02 | 0x03; readonly object: number; readonly thread: number; readonly frame: number }
  /** Native stack, thread block. */
  | { readonly tag: 0x04 | 0x06; readonly object: number; readonly thread: number }
  | ClassDump
  | { readonly tag: 0x21; readonly object: number; readonly class: number; readonly fields: Uint8Array }
  | { readonly tag: 0x22; readonly object: number; readonly class: number; readonly elements: readonly number[] }
  /** At level 1, `elements` has no bytes. */
  | {
      readonly tag: 0x23;
      readonly object: number;
      readonly length: number;
      readonly type: number;
      readonly elements: Uint8Array;
    };

export interface ClassDump {
  readonly tag: 0x20;
  readonly class: number;
  readonly super: number;
  readonly loader: number;
  readonly signers: number;
  readonly domain: number;
  /** Its String; 0 if it is not known. */
  readonly name: number;
  readonly reserved: number;
  readonly instanceSize: number;
  readonly interfaces: readonly number[];
  readonly constants: readonly (DumpValue & { readonly index: number })[];
  /** Bytes of the static fields, one after another: at level 1 only those of references. */
  readonly statics: Uint8Array;
}

/** Level 0: kinds and ids. */
export function writeKinds(objects: Iterable<DumpObjectKind>, form: DumpForm): Uint8Array {
  const to = new DumpWriter(form);
  for (const { kind, object } of objects) {
    to.u1(kind);
    to.id(object);
  }
  return to.take();
}

export function readKinds(bytes: Uint8Array, form: DumpForm): DumpObjectKind[] {
  const from = new DumpReader(bytes, form);
  const objects: DumpObjectKind[] = [];
  while (from.left > 0) {
    const at = from.at;
    const kind = from.u1();
    if (valueBytes(kind, form) === undefined) from.fail(at, 'the kind of an object', `${kind}`);
    objects.push({ kind, object: from.id() });
  }
  return objects;
}

/** Levels 1 and 2, and an OBJECT_DUMP, which is one record of level 2. Roots come first, as the caller orders them. */
export function writeRecords(records: Iterable<HeapRecord>, form: DumpForm): Uint8Array {
  const to = new DumpWriter(form);
  for (const record of records) writeRecord(to, record);
  return to.take();
}

/** Appends a record. */
export function writeRecord(to: DumpWriter, record: HeapRecord): void {
  to.u1(record.tag);
  if (record.tag === 0x20) {
    writeClass(to, record);
    return;
  }
  to.id(record.object);
  if (record.tag === 0x01) to.id(record.handle);
  else if (record.tag === 0x21) {
    to.id(record.class);
    to.u4(record.fields.length);
    to.part(record.fields);
  } else if (record.tag === 0x22) {
    to.u4(record.elements.length);
    to.id(record.class);
    for (const element of record.elements) to.id(element);
  } else if (record.tag === 0x23) {
    to.u4(record.length);
    to.u1(record.type);
    to.part(record.elements);
  } else if ('thread' in record) {
    to.id(record.thread);
    if ('frame' in record) to.u4(record.frame);
  }
}

function writeClass(to: DumpWriter, record: ClassDump): void {
  const { super: above, loader, signers, domain, name, reserved } = record;
  for (const id of [record.class, above, loader, signers, domain, name, reserved]) to.id(id);
  to.u4(record.instanceSize);
  for (const id of record.interfaces) to.id(id);
  to.u2(record.constants.length);
  for (const { index, type, bytes } of record.constants) {
    to.u2(index);
    to.u1(type);
    to.part(bytes);
  }
  to.part(record.statics);
}

/** Throws FormatError with the offset of a record that is not as described, or whose class has no shape. */
export function readRecords(
  bytes: Uint8Array,
  form: DumpForm,
  level: 1 | 2,
  shapeOf: (classId: number) => ClassShape | undefined,
): HeapRecord[] {
  const from = new DumpReader(bytes, form);
  const records: HeapRecord[] = [];
  while (from.left > 0) records.push(readRecord(from, level, shapeOf));
  return records;
}

function readRecord(from: DumpReader, level: 1 | 2, shapeOf: (classId: number) => ClassShape | undefined): HeapRecord {
  const at = from.at;
  const tag = from.u1();
  switch (tag) {
    case 0xff:
    case 0x05:
    case 0x07:
      return { tag, object: from.id() };
    case 0x01:
      return { tag, object: from.id(), handle: from.id() };
    case 0x02:
    case 0x03:
      return { tag, object: from.id(), thread: from.id(), frame: from.u4() | 0 };
    case 0x04:
    case 0x06:
      return { tag, object: from.id(), thread: from.id() };
    case 0x20:
      return readClass(from, level, shapeOf);
    case 0x21: {
      const [object, type] = [from.id(), from.id()];
      return { tag, object, class: type, fields: from.part(from.u4()) };
    }
    case 0x22: {
      const object = from.id();
      const count = from.count(from.form.idSize);
      const type = from.id();
      return { tag, object, class: type, elements: Array.from({ length: count }, () => from.id()) };
    }
    case 0x23: {
      const [object, length, type] = [from.id(), from.u4(), from.u1()];
      const size = isReference(type) ? undefined : valueBytes(type, from.form);
      if (size === undefined) return from.fail(at, 'an array of a primitive type', `type ${type}`);
      return { tag, object, length, type, elements: from.part(level === 1 ? 0 : length * size) };
    }
    default:
      return from.fail(at, 'the tag of a record', `0x${tag.toString(16)}`);
  }
}

function readClass(from: DumpReader, level: 1 | 2, shapeOf: (classId: number) => ClassShape | undefined): ClassDump {
  const { at, form } = from;
  const type = from.id();
  const shape = shapeOf(type) ?? from.fail(at, 'a class with a CLASS_LOAD event', `0x${type.toString(16)}`);
  const [above, loader, signers, domain, name, reserved] = [
    from.id(),
    from.id(),
    from.id(),
    from.id(),
    from.id(),
    from.id(),
  ];
  const instanceSize = from.u4();
  if (shape.interfaces * form.idSize > from.left) from.fail(from.at, `${shape.interfaces} interfaces`, 'the end');
  const interfaces = Array.from({ length: shape.interfaces }, () => from.id());
  const constants = Array.from({ length: from.u2() }, () => {
    const [index, valueType] = [from.u2(), from.u1()];
    const size = valueBytes(valueType, form) ?? from.fail(from.at - 1, 'the type of a constant', `${valueType}`);
    return { index, type: valueType, bytes: from.part(size) };
  });
  const kept = shape.statics.filter((one) => level === 2 || isReference(one));
  const statics = from.part(kept.reduce((sum, one) => sum + (valueBytes(one, form) ?? 0), 0));
  return {
    tag: 0x20,
    class: type,
    super: above,
    loader,
    signers,
    domain,
    name,
    reserved,
    instanceSize,
    interfaces,
    constants,
    statics,
  };
}
