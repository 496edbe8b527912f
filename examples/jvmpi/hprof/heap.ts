/** heap=dump: the objects of HEAP_DUMP, with the names of their fields and where they were made. */
import {
  type AgentSetup,
  type DumpForm,
  type HeapRecord,
  JVMPI_DUMP_LEVEL_2,
  JVMPI_EVENT_HEAP_DUMP,
  type JVMPI_Field,
  readRecords,
} from 'kansoku/jvmpi';
import type { Allocations } from './allocations.ts';
import type { Dumped, Heap, Root, Value } from './output.ts';
import type { Class, Profile } from './profile.ts';

const FORM: DumpForm = { idSize: 8, byteOrder: 'little' };
const REFERENCE = 2;
const TYPES: Readonly<Record<string, number>> = { Z: 4, C: 5, F: 6, D: 7, B: 8, S: 9, I: 10, J: 11 };
const SIZES = [0, 0, FORM.idSize, 0, 1, 2, 4, 8, 1, 2, 4, 8];
const ROOTS: Readonly<Record<number, Root['kind']>> = {
  255: 'unknown',
  1: 'global',
  2: 'local',
  3: 'frame',
  4: 'stack',
  5: 'class',
  6: 'thread',
  7: 'monitor',
};

type ClassRecord = Extract<HeapRecord, { tag: 0x20 }>;
type RootRecord = Exclude<HeapRecord, { tag: 0x20 | 0x21 | 0x22 | 0x23 }>;

const typeOf = (signature: string): number => TYPES[signature] ?? REFERENCE;
const isClass = (record: HeapRecord): record is ClassRecord => record.tag === 0x20;
const isRoot = (record: HeapRecord): record is RootRecord => ROOTS[record.tag] !== undefined;

/** Fields with their values; ids become big-endian. */
function valuesOf(fields: readonly JVMPI_Field[], bytes: Uint8Array): Value[] {
  let at = 0;
  return fields.map(({ field_name: name, field_signature }) => {
    const type = typeOf(field_signature);
    const value = bytes.slice(at, at + (SIZES[type] ?? 0));
    at += value.length;
    return { name, type, bytes: type === REFERENCE ? value.reverse() : value };
  });
}

export class HeapDump {
  readonly #profile: Profile;
  readonly #setup: AgentSetup;
  readonly #allocations: Allocations;
  /** Sizes of objects that were not seen when they were made, by class, or by kind and length. */
  readonly #sizes = new Map<string, number>();
  #data: Uint8Array | undefined;

  constructor(profile: Profile, setup: AgentSetup, allocations: Allocations) {
    this.#profile = profile;
    this.#setup = setup;
    this.#allocations = allocations;
    setup.onRequested('HEAP_DUMP', ({ data }) => {
      this.#data = data;
    });
  }

  #request(): Uint8Array | undefined {
    this.#data = undefined;
    this.#setup.jvmpi.RequestEvent(JVMPI_EVENT_HEAP_DUMP, { heap_dump_level: JVMPI_DUMP_LEVEL_2 });
    return this.#data;
  }

  /** The heap of this moment; undefined if the VM gives none. The GC must be disabled. */
  read(): Heap | undefined {
    const data = this.#request();
    if (data === undefined) return undefined;
    const records = readRecords(data, FORM, 2, (id) => {
      const { interfaces = 0, statics = [] } = this.#profile.classOf(id) ?? {};
      return { interfaces, statics: statics.map(({ field_signature }) => typeOf(field_signature)) };
    });
    const classes = new Map(records.filter(isClass).map((record) => [record.class, record]));
    const arrays = this.#arrays(classes);
    return {
      roots: records.filter(isRoot).map((record) => this.#root(record)),
      objects: records.flatMap((record) => (isRoot(record) ? [] : (this.#object(record, classes, arrays) ?? []))),
    };
  }

  /** Classes of arrays by the name and the loader of their elements' class. */
  #arrays(classes: ReadonlyMap<number, ClassRecord>): Map<string, number> {
    const arrays = new Map<string, number>();
    for (const { class: id, loader } of classes.values()) {
      const name = this.#profile.classes.get(id)?.name ?? '';
      if (name.endsWith('[]')) arrays.set(`${name.slice(0, -2)} ${loader}`, id);
    }
    return arrays;
  }

  #root(record: RootRecord): Root {
    // HotSpot's loaders also hold other objects in the way of classes.
    const isOther = record.tag === 5 && !this.#profile.classes.has(record.object);
    return {
      kind: isOther ? 'unknown' : (ROOTS[record.tag] ?? 'unknown'),
      object: record.object,
      thread: 'thread' in record ? this.#profile.threadSerial(record.thread) : 0,
      handle: 'handle' in record ? record.handle : 0,
      frame: 'frame' in record ? record.frame : -1,
    };
  }

  #object(
    record: Exclude<HeapRecord, RootRecord>,
    classes: ReadonlyMap<number, ClassRecord>,
    arrays: ReadonlyMap<string, number>,
  ): Dumped | undefined {
    if (record.tag === 0x20) return this.#class(record);
    const { object: id } = record;
    if (record.tag === 0x23) {
      const { type: element, length, elements } = record;
      return { kind: 'primitives', ...this.#made(id, `${element} ${length}`), element, length, elements };
    }
    if (record.tag === 0x22) {
      const { elements } = record;
      const element = this.#profile.classOf(record.class)?.name ?? '<Unknown>';
      const classId = arrays.get(`${element} ${classes.get(record.class)?.loader ?? 0}`) ?? record.class;
      return { kind: 'objects', ...this.#made(id, `2 ${elements.length}`), classId, element, elements };
    }
    const type = this.#profile.classOf(record.class);
    if (type === undefined) return undefined;
    const values = valuesOf(this.#fields(record.class, classes), record.fields);
    return { kind: 'object', ...this.#made(id, `class ${record.class}`), type, values };
  }

  #class(record: ClassRecord): Dumped | undefined {
    const type = this.#profile.classOf(record.class);
    if (type === undefined) return undefined;
    const { super: above, loader, signers, domain, instanceSize: bytes } = record;
    const statics = valuesOf(type.statics, record.statics);
    return { kind: 'class', type, super: above, loader, signers, domain, bytes, statics };
  }

  /** Fields of a class, then of those above it. */
  #fields(id: number, classes: ReadonlyMap<number, ClassRecord>): JVMPI_Field[] {
    const chain: Class[] = [];
    for (let at = id; at !== 0; at = classes.get(at)?.super ?? 0) {
      const type = this.#profile.classOf(at);
      if (type === undefined || chain.includes(type)) break;
      chain.push(type);
    }
    return chain.flatMap(({ instances }) => instances);
  }

  #made(id: number, key: string): { id: number; size: number; trace: Profile['noTrace'] } {
    const seen = this.#allocations.of(id);
    if (seen !== undefined) return { id, ...seen };
    let size = this.#sizes.get(key);
    if (size === undefined) {
      size = this.#profile.describe(id)?.size ?? 0;
      this.#sizes.set(key, size);
    }
    return { id, size, trace: this.#profile.noTrace };
  }
}
