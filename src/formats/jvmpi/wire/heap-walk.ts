/** What the agent found on a walk over the heap (docs/jvmpi-wire.md), by the ids of objects. */
import type { JVMPI_CallTrace } from '../document/types.js';
import { WireError, WireReader } from './frames.js';
import { readTrace } from './records.js';

/** A field, in the order in which JVMTI numbers them: the first letter of its descriptor. */
export interface WalkField {
  readonly isStatic: boolean;
  readonly letter: string;
}

export interface WalkClass {
  readonly id: number;
  /** 0 for none. */
  readonly above: number;
  /** `Ljava/lang/String;` */
  readonly signature: string;
  readonly interfaces: readonly number[];
  readonly fields: readonly WalkField[];
}

export interface WalkObject {
  readonly id: number;
  readonly class: number;
  /** Bytes. */
  readonly size: number;
  /** Of arrays; -1 for others. */
  readonly length: number;
  /** Referenced ids by the number of the field, or of the element. */
  readonly references: Map<number, number>;
  /** Eight bytes of values by the number of the field, in the order of bytes of the VM. */
  readonly values: Map<number, Uint8Array>;
  /** Of arrays of a primitive type, in the order of bytes of the VM. */
  elements: Uint8Array | undefined;
  /** Of classes: what else they refer to, by JVMTI's kind of the reference. */
  readonly others: Map<number, number>;
}

export interface WalkRoot {
  /** JVMTI's kind. */
  readonly kind: number;
  readonly object: number;
  /** The object of the thread; 0. */
  readonly thread: number;
  /** 0 is the innermost frame; -1 for none. */
  readonly depth: number;
}

export interface HeapWalk {
  readonly threads: readonly (JVMPI_CallTrace & { readonly object: number })[];
  readonly classes: ReadonlyMap<number, WalkClass>;
  /** In the order in which they were found. */
  readonly objects: ReadonlyMap<number, WalkObject>;
  readonly roots: readonly WalkRoot[];
}

/** Kinds of records. */
const [ROOT, OBJECT, REFERENCE, FIELD_VALUE, ARRAY_VALUES] = [1, 2, 3, 4, 5];
/** JVMTI's kinds of references: of a field, an element, a static field. */
const [FIELD, ELEMENT, STATIC_FIELD] = [2, 3, 8];
/** Bytes of values by letter. */
export const LETTER_BYTES: Readonly<Record<string, number>> = { Z: 1, B: 1, C: 2, S: 2, I: 4, F: 4, J: 8, D: 8 };

/** Reads the parts of a result, each of which ends behind a record. Throws WireError where the bytes are not as described. */
export function readWalk(parts: readonly WireReader[]): HeapWalk {
  const [from = new WireReader(new Uint8Array(0))] = parts;
  const threads = readThreads(from);
  const classes = new Map<number, WalkClass>();
  for (let left = from.count(); left > 0; left--) {
    const read = readShape(from);
    classes.set(read.id, read);
  }
  const objects = new Map<number, WalkObject>();
  const roots: WalkRoot[] = [];
  for (const part of parts) while (part.left > 0) readRecord(part, objects, roots);
  return { threads, classes, objects, roots };
}

function readThreads(from: WireReader): HeapWalk['threads'][number][] {
  const threads = [];
  for (let env_id = from.varint(); env_id !== 0; env_id = from.varint()) {
    const object = from.varint();
    const frames = readTrace(from);
    threads.push({ env_id, object, num_frames: frames.length, frames });
  }
  return threads;
}

function readShape(from: WireReader): WalkClass {
  const [id, above, signature = ''] = [from.varint(), from.varint(), from.text()];
  const interfaces = Array.from({ length: from.count() }, () => from.varint());
  const fields = Array.from({ length: from.count() }, () => {
    const isStatic = from.u8() === 1;
    return { isStatic, letter: String.fromCharCode(from.u8()) };
  });
  return { id, above, signature, interfaces, fields };
}

function readRecord(from: WireReader, objects: Map<number, WalkObject>, roots: WalkRoot[]): void {
  const kind = from.u8();
  const known = (id: number): WalkObject => {
    const object = objects.get(id);
    if (object === undefined) throw new WireError(`object ${id} was not described, at ${from.at}`);
    return object;
  };
  if (kind === ROOT) {
    const [of, object, thread, depth] = [from.u8(), from.varint(), from.varint(), from.signed()];
    roots.push({ kind: of, object, thread, depth });
  } else if (kind === OBJECT) {
    const [id, type, size, length] = [from.varint(), from.varint(), from.varint(), from.signed()];
    const empty = { references: new Map(), values: new Map(), others: new Map(), elements: undefined };
    objects.set(id, { id, class: type, size, length, ...empty });
  } else if (kind === REFERENCE) {
    const [how, referrer, to, index] = [from.u8(), known(from.varint()), from.varint(), from.varint()];
    if (how === FIELD || how === ELEMENT || how === STATIC_FIELD) referrer.references.set(index, to);
    else referrer.others.set(how, to);
  } else if (kind === FIELD_VALUE) {
    from.u8();
    const [object, index] = [known(from.varint()), from.varint()];
    from.u8();
    object.values.set(index, from.part(8));
  } else if (kind === ARRAY_VALUES) {
    const object = known(from.varint());
    const bytes = LETTER_BYTES[String.fromCharCode(from.u8())] ?? 0;
    object.elements = from.part(bytes * from.varint());
  } else throw new WireError(`record ${kind} of a heap at ${from.at - 1}`);
}
