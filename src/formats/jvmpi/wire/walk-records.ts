/** A walk over the heap as the records of a dump (§4.2, §4.3). Ids are those of events; there are no JNI handles. */
import type { DumpForm } from '../dumps/dump-bytes.js';
import { type DumpLevel, type HeapRecord, writeKinds, writeRecords } from '../dumps/heap-dump.js';
import { type HeapWalk, LETTER_BYTES, type WalkClass, type WalkObject, type WalkRoot } from './heap-walk.js';

/** JVMPI's codes of types by the first letter of their descriptor; all others are references. */
const TYPES: Readonly<Record<string, number>> = { Z: 4, C: 5, F: 6, D: 7, B: 8, S: 9, I: 10, J: 11 };
/** JVMTI's kinds of references that classes have. */
const [LOADER, SIGNERS, DOMAIN] = [4, 5, 6];
/** JVMTI's kinds of roots. */
const ROOTS = { global: 21, system: 22, monitor: 23, frame: 24, local: 25, thread: 26 };

/** A field of a class or of those above it, with its number in JVMTI. */
export interface Slot {
  readonly declaring: number;
  readonly index: number;
  readonly isStatic: boolean;
  readonly letter: string;
}

/** The fields of classes as JVMTI numbers them: those of all interfaces first, then from the topmost class down. */
export class Slots {
  readonly #walk: HeapWalk;
  readonly #known = new Map<number, readonly Slot[]>();

  constructor(walk: HeapWalk) {
    this.#walk = walk;
  }

  of(id: number): readonly Slot[] {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const chain = this.chain(id);
    const interfaces = new Set<number>();
    const add = (type: WalkClass): void => {
      for (const each of type.interfaces) {
        const found = this.#walk.classes.get(each);
        if (interfaces.has(each) || found === undefined) continue;
        interfaces.add(each);
        add(found);
      }
    };
    for (const type of chain) add(type);
    let index = [...interfaces].reduce((sum, each) => sum + (this.#walk.classes.get(each)?.fields.length ?? 0), 0);
    const slots = [...chain]
      .reverse()
      .flatMap(({ id: declaring, fields }) => fields.map((field) => ({ declaring, index: index++, ...field })));
    this.#known.set(id, slots);
    return slots;
  }

  /** The class and those above it. */
  chain(id: number): WalkClass[] {
    const chain: WalkClass[] = [];
    for (let type = this.#walk.classes.get(id); type !== undefined; type = this.#walk.classes.get(type.above)) {
      if (chain.includes(type)) break;
      chain.push(type);
    }
    return chain;
  }
}

/** The bytes of a HEAP_DUMP. */
export function heapDumpOf(walk: HeapWalk, level: DumpLevel, form: DumpForm): Uint8Array {
  if (level === 0)
    return writeKinds(
      [...walk.objects.values()].map((object) => kindOf(walk, object)),
      form,
    );
  return writeRecords(recordsOf(walk, level, form), form);
}

/** The bytes of an OBJECT_DUMP; undefined if the walk has no such object. */
export function objectDumpOf(walk: HeapWalk, id: number, form: DumpForm): Uint8Array | undefined {
  const object = walk.objects.get(id);
  return object && writeRecords([recordOf(walk, new Slots(walk), object, 2, form)], form);
}

/** The records of a dump: all roots first, each once. */
export function recordsOf(walk: HeapWalk, level: 1 | 2, form: DumpForm): HeapRecord[] {
  const slots = new Slots(walk);
  const roots = new Map(walk.roots.map((root) => [Object.values(root).join(), rootOf(walk, root)]));
  return [...roots.values(), ...[...walk.objects.values()].map((object) => recordOf(walk, slots, object, level, form))];
}

function kindOf({ classes }: HeapWalk, { id, class: type }: WalkObject): { kind: number; object: number } {
  const signature = classes.get(type)?.signature ?? '';
  return { kind: signature.startsWith('[') ? (TYPES[signature[1] ?? ''] ?? 2) : 0, object: id };
}

/** Frames count from the outermost one, which is 1, as HotSpot counted them; -1 for a thread without frames. */
function rootOf({ threads }: HeapWalk, { kind, object, thread, depth }: WalkRoot): HeapRecord {
  const own = threads.find((each) => each.object === thread);
  const place = {
    object,
    thread: own?.env_id ?? 0,
    frame: own === undefined ? -1 : Math.max(1, own.num_frames - depth),
  };
  switch (kind) {
    case ROOTS.global:
      return { tag: 0x01, object, handle: object };
    case ROOTS.system:
      return { tag: 0x05, object };
    case ROOTS.monitor:
      return { tag: 0x07, object };
    case ROOTS.frame:
      return { tag: 0x03, ...place };
    case ROOTS.local:
      return { tag: 0x02, ...place };
    case ROOTS.thread:
      return { tag: 0x06, object, thread: threads.find((each) => each.object === object)?.env_id ?? 0 };
    default:
      return { tag: 0xff, object };
  }
}

function recordOf(walk: HeapWalk, slots: Slots, object: WalkObject, level: 1 | 2, form: DumpForm): HeapRecord {
  const { id, class: type, length } = object;
  const own = walk.classes.get(id);
  if (own !== undefined) return classRecord(slots, object, own, level, form);
  const { signature = '' } = walk.classes.get(type) ?? {};
  if (signature.startsWith('[')) {
    const letter = signature[1] ?? '';
    const primitive = TYPES[letter];
    if (primitive === undefined) {
      const elements = Array.from({ length }, (_, index) => object.references.get(index) ?? 0);
      return { tag: 0x22, object: id, class: elementClass(walk, signature), elements };
    }
    const bytes = object.elements ?? new Uint8Array(0);
    const elements = level === 1 ? new Uint8Array(0) : swapped(bytes, LETTER_BYTES[letter] ?? 1);
    return { tag: 0x23, object: id, length, type: primitive, elements };
  }
  const fields = slots
    .chain(type)
    .flatMap(({ id: declaring }) => slots.of(type).filter((slot) => slot.declaring === declaring && !slot.isStatic));
  return { tag: 0x21, object: id, class: type, fields: valuesOf(object, fields, level, form) };
}

function classRecord(slots: Slots, object: WalkObject, type: WalkClass, level: 1 | 2, form: DumpForm): HeapRecord {
  const statics = slots.of(type.id).filter(({ declaring, isStatic }) => declaring === type.id && isStatic);
  return {
    tag: 0x20,
    class: type.id,
    super: type.above,
    loader: object.others.get(LOADER) ?? 0,
    signers: object.others.get(SIGNERS) ?? 0,
    domain: object.others.get(DOMAIN) ?? 0,
    name: 0,
    reserved: 0,
    instanceSize: instanceBytes(slots, type, form),
    interfaces: type.interfaces,
    constants: [],
    statics: valuesOf(object, statics, level, form),
  };
}

/** Bytes of the values of an instance, as an INSTANCE_DUMP of level 2 has them. */
function instanceBytes(slots: Slots, { id }: WalkClass, { idSize }: DumpForm): number {
  return slots.of(id).reduce((sum, { isStatic, letter }) => sum + (isStatic ? 0 : (LETTER_BYTES[letter] ?? idSize)), 0);
}

/** The class of the elements of an array; 0 if it is not loaded. */
function elementClass({ classes }: HeapWalk, signature: string): number {
  for (const type of classes.values()) if (type.signature === signature.slice(1)) return type.id;
  return 0;
}

function valuesOf(object: WalkObject, slots: readonly Slot[], level: 1 | 2, form: DumpForm): Uint8Array {
  const parts = slots.flatMap(({ index, letter }): Uint8Array[] => {
    const bytes = LETTER_BYTES[letter];
    if (bytes === undefined) return [idBytes(object.references.get(index) ?? 0, form)];
    if (level === 1) return [];
    const value = object.values.get(index) ?? new Uint8Array(8);
    return [swapped(value.subarray(0, bytes), bytes)];
  });
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function idBytes(id: number, { idSize, byteOrder }: DumpForm): Uint8Array {
  const bytes = new Uint8Array(idSize);
  const view = new DataView(bytes.buffer);
  if (idSize === 4) view.setUint32(0, id, byteOrder === 'little');
  else view.setBigUint64(0, BigInt(id), byteOrder === 'little');
  return bytes;
}

/** Values of so many bytes each, little-endian to big-endian. */
function swapped(bytes: Uint8Array, size: number): Uint8Array {
  const result = bytes.slice();
  for (let at = 0; at + size <= result.length; at += size) result.subarray(at, at + size).reverse();
  return result;
}
