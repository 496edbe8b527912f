/**
 * The classes of a dump from its class dumps, and from the objects that name classes without one. Rows: the class dumps in
 * the order of the file, further classes that objects name, arrays of primitives that have no class.
 */
import { ByteBuilder, Int32Builder } from '../../../base/columns/columns.js';
import { NONE } from '../../../base/flavor.js';
import { type HeapClasses, OBJECT_KINDS, OBJECT_TYPE, REFERENT_KINDS } from '../../../models/heap/heap.js';
import type { ClassId } from '../../../models/program/program.js';
import { TYPE_NAMES, TYPE_OBJECT } from '../tags.js';
import { FIELD, STATIC } from './class-dumps.js';
import type { ReferenceFields } from './passes/graph-columns.js';
import type { ScanPart } from './passes/scan-part.js';

/** What the records of the file say of ids. Names are those of Java: `java.lang.String`, `[I`, `[Ljava.lang.String;`. */
export interface HeapNames {
  /** Name of the class with this id; undefined if no record names it. */
  className(id: number): string | undefined;
  /** The class of this name. */
  classNamed(name: string): ClassId;
  /** StringId of a string of the file; -1 if unknown. */
  string(id: number): number;
  /** StringId of a text. */
  named(text: string): number;
}

export interface ReadClasses {
  readonly classes: HeapClasses;
  /** Class number of the first pass → heap class of instances that name it, and of arrays that name it. */
  readonly ofInstances: Int32Array;
  readonly ofArrays: Int32Array;
  /** Names of heap classes; undefined if unknown. */
  readonly names: readonly (string | undefined)[];
  /** Heap class of `java.lang.Class`; -1. */
  readonly classClass: number;
  readonly fields: ReferenceFields;
  /** StringIds of statics that no class declares: HotSpot adds them to dumps. */
  readonly pseudoStatics: ReadonlySet<number>;
  /** StringId of a text. */
  readonly stringNamed: (text: string) => number;
  /** Class dumps of a class that has one already: they are left out. */
  readonly twice: number;
  /** Class numbers of objects whose class has no class dump. */
  readonly undefined: number;
  /** Classes that extend themselves, through others: each is one without super class. */
  readonly circular: number;
  /** Classes whose super class has no class dump. */
  readonly orphans: number;
  /** By heap class: 1 if its fields and its super class are known. */
  readonly hasFields: Uint8Array;
}

const INSTANCE = OBJECT_KINDS.indexOf('instance');
const OBJECT_ARRAY = OBJECT_KINDS.indexOf('object-array');
const PRIMITIVE_ARRAY = OBJECT_KINDS.indexOf('primitive-array');

/** Signature characters of primitive types by HPROF type. */
const LETTERS = ['', '', 'L', '', 'Z', 'C', 'F', 'D', 'B', 'S', 'I', 'J'];

const REFERENCES: ReadonlyMap<string, number> = new Map(
  (['soft', 'weak', 'phantom', 'final'] as const).map((kind) => [
    `java.lang.ref.${kind[0].toUpperCase()}${kind.slice(1)}Reference`,
    REFERENT_KINDS.indexOf(kind),
  ]),
);

const PSEUDO_STATICS = ['<resolved_references>', '<init_lock>', '<signers>'];

/** Super classes that are followed; more are damage. */
const DEEPEST = 256;

/** `bytes`: of the dump. */
export function readClasses(scan: ScanPart, names: HeapNames, idSize: number, bytes: number): ReadClasses {
  const rows = new ClassRows(scan, names);
  const found = rows.finish();
  const fields = referenceFields(rows, found, idSize, names.named('referent'), bytes);
  // Without the field, the first reference is another one.
  const classes = { ...found, referent: found.referent.map((kind, row) => (fields.referent[row] === 1 ? kind : 0)) };
  return {
    classes,
    ofInstances: rows.ofInstances,
    ofArrays: rows.ofArrays,
    names: rows.name,
    classClass: rows.named('java.lang.Class'),
    fields,
    stringNamed: (text) => names.named(text),
    pseudoStatics: new Set(PSEUDO_STATICS.map((name) => names.named(name))),
    twice: rows.twice,
    undefined: rows.undefined,
    circular: rows.circular,
    orphans: rows.orphans,
    hasFields: rows.hasFields(),
  };
}

class ClassRows {
  readonly scan: ScanPart;
  readonly #names: HeapNames;
  /** Id of a class → its row; as many entries as classes of a dump. */
  readonly #rowOf = new Map<number, number>();
  /** Class dump of each row; -1. */
  readonly dump = new Int32Builder();
  readonly #address: number[] = [];
  readonly name: (string | undefined)[] = [];
  readonly #byName = new Map<string, number>();
  readonly #element = new ByteBuilder();
  readonly ofInstances: Int32Array;
  readonly ofArrays: Int32Array;
  readonly ofPrimitives = new Int32Array(12).fill(NONE);
  twice = 0;
  undefined = 0;
  circular = 0;
  orphans = 0;

  constructor(scan: ScanPart, names: HeapNames) {
    this.scan = scan;
    this.#names = names;
    const { classes, id } = scan;
    for (let dump = 0; dump < classes.length; dump++) {
      const address = classes.address[dump];
      if (this.#rowOf.has(address)) this.twice++;
      else this.#add(address, names.className(address), dump);
    }
    this.ofInstances = new Int32Array(id.length).fill(NONE);
    this.ofArrays = new Int32Array(id.length).fill(NONE);
    id.forEach((address, number) => {
      if (scan.instances[number] > 0) this.ofInstances[number] = this.#rowFor(address);
      if (scan.arrays[number] > 0) this.ofArrays[number] = this.#arrayOf(address);
    });
    for (let type = 4; type < 12; type++) {
      const name = `[${LETTERS[type]}`;
      const spelled = this.named(name);
      const known = spelled >= 0 ? spelled : this.named(`${TYPE_NAMES[type]}[]`);
      if (known >= 0) this.#element.bytes[known] = type;
      if (known >= 0 || scan.primitiveArrays[type] > 0)
        this.ofPrimitives[type] = known >= 0 ? known : this.#add(-1, name, NONE, type);
    }
  }

  get length(): number {
    return this.dump.length;
  }

  /** The first row with this name; -1. */
  named(name: string): number {
    return this.#byName.get(name) ?? NONE;
  }

  rowOf(address: number): number {
    return this.#rowOf.get(address) ?? NONE;
  }

  #add(address: number, name: string | undefined, dump: number, element = 0): number {
    const row = this.dump.push(dump);
    this.#address.push(address);
    if (address >= 0) this.#rowOf.set(address, row);
    this.name.push(name);
    if (name !== undefined && !this.#byName.has(name)) this.#byName.set(name, row);
    this.#element.push(element > 0 || name === undefined || !isArray(name) ? element : elementOf(name));
    return row;
  }

  #rowFor(address: number): number {
    const known = this.rowOf(address);
    if (known >= 0) return known;
    this.undefined++;
    return this.#add(address, this.#names.className(address), NONE);
  }

  /** Arrays name their class; those of JVMPI agents that of their elements, or none. */
  #arrayOf(address: number): number {
    const name = this.#names.className(address);
    if (name !== undefined && isArray(name)) return this.#rowFor(address);
    const elements = name ?? (address === 0 ? 'java.lang.Object' : undefined);
    if (elements === undefined) {
      const row = this.#rowFor(address);
      if (this.#element.bytes[row] === 0) this.#element.bytes[row] = OBJECT_TYPE;
      return row;
    }
    const array = `[L${elements};`;
    const known = this.named(array);
    return known >= 0 ? known : this.#add(-1, array, NONE);
  }

  finish(): HeapClasses {
    const { length } = this;
    const { classes } = this.scan;
    const dumps = this.dump.finish();
    const column = (values: Float64Array, none: number): Float64Array =>
      Float64Array.from(dumps, (dump) => (dump < 0 ? none : values[dump]));
    const element = this.#element.finish();
    const parent = this.#parents(dumps);
    const fields = this.#members(FIELD);
    const statics = this.#members(STATIC);
    return {
      length,
      class: Int32Array.from(this.name, (name) => (name === undefined ? NONE : this.#names.classNamed(name))),
      address: Float64Array.from(this.#address),
      parent,
      loader: column(classes.loader, -1),
      kind: element.map((type) => (type === 0 ? INSTANCE : type === TYPE_OBJECT ? OBJECT_ARRAY : PRIMITIVE_ARRAY)),
      element,
      referent: this.#referents(parent),
      fieldFirst: fields.first,
      fieldName: fields.name,
      fieldType: fields.type,
      staticFirst: statics.first,
      staticName: statics.name,
      staticType: statics.type,
      staticHigh: statics.high,
      staticLow: statics.low,
      ...this.#counts(),
      recordedBytes: column(classes.instanceBytes, -1),
    };
  }

  /** Rows of super classes; a circle of them, which is damage, is cut. */
  #parents(dumps: Int32Array): Int32Array {
    const { parent: ids } = this.scan.classes;
    const parent = Int32Array.from(dumps, (dump) => (dump < 0 ? NONE : this.rowOf(ids[dump])));
    this.orphans = dumps.filter((dump, row) => dump >= 0 && parent[row] < 0 && ids[dump] !== 0).length;
    // The walk that reached a row, from 1.
    const walks = new Int32Array(parent.length);
    for (let row = 0; row < parent.length; row++) {
      let at = row;
      while (walks[at] === 0) {
        walks[at] = row + 1;
        if (parent[at] < 0) break;
        if (walks[parent[at]] === row + 1) {
          parent[at] = NONE;
          this.circular++;
          break;
        }
        at = parent[at];
      }
    }
    return parent;
  }

  hasFields(): Uint8Array {
    const { parent } = this.scan.classes;
    return Uint8Array.from(this.dump.finish(), (dump) =>
      dump >= 0 && (parent[dump] === 0 || this.rowOf(parent[dump]) >= 0) ? 1 : 0,
    );
  }

  #counts(): { objects: Float64Array; elements: Float64Array } {
    const { scan, length } = this;
    const objects = new Float64Array(length);
    const elements = new Float64Array(length);
    scan.id.forEach((_, number) => {
      if (this.ofInstances[number] >= 0) objects[this.ofInstances[number]] += scan.instances[number];
      if (this.ofArrays[number] < 0) return;
      objects[this.ofArrays[number]] += scan.arrays[number];
      elements[this.ofArrays[number]] += scan.elements[number];
    });
    this.ofPrimitives.forEach((row, type) => {
      if (row < 0) return;
      objects[row] += scan.primitiveArrays[type];
      elements[row] += scan.primitiveElements[type];
    });
    const classClass = this.named('java.lang.Class');
    // Class objects are instances of it, although the file has none.
    if (classClass >= 0) for (const dump of this.dump.finish()) if (dump >= 0) objects[classClass]++;
    return { objects, elements };
  }

  #members(kind: number) {
    const { classes } = this.scan;
    const first = new Int32Array(this.length + 1);
    const name = new Int32Builder();
    const type = new ByteBuilder();
    const high = new Int32Builder();
    const low = new Int32Builder();
    this.dump.finish().forEach((dump, row) => {
      const end = dump < 0 ? 0 : classes.first[dump + 1];
      for (let member = dump < 0 ? 0 : classes.first[dump]; member < end; member++) {
        if (classes.memberKind[member] !== kind) continue;
        name.push(this.#names.string(classes.memberName[member]));
        type.push(classes.memberType[member]);
        high.push(classes.high[member]);
        low.push(classes.low[member]);
      }
      first[row + 1] = type.length;
    });
    return {
      first,
      name: name.finish(),
      type: type.finish(),
      high: Uint32Array.from(high.finish()),
      low: Uint32Array.from(low.finish()),
    };
  }

  /** Kinds of references by the classes they extend. */
  #referents(parent: Int32Array): Uint8Array {
    const kinds = Uint8Array.from(this.name, (name) => (name === undefined ? 0 : (REFERENCES.get(name) ?? 0)));
    const known = new Uint8Array(kinds.length);
    for (let row = 0; row < kinds.length; row++) {
      let at = row;
      // As deep as classes are; a loop in damaged data ends at a row that was marked.
      const path: number[] = [];
      while (at >= 0 && known[at] === 0) {
        known[at] = 1;
        path.push(at);
        if (kinds[at] !== 0) break;
        at = parent[at];
      }
      const kind = at < 0 ? 0 : kinds[at];
      for (const one of path) if (kinds[one] === 0) kinds[one] = kind;
    }
    return kinds;
  }
}

/** Virtual machines write `[B`, agents `byte[]`. */
function isArray(name: string): boolean {
  return name.startsWith('[') || name.endsWith('[]');
}

/** The type of the elements of an array class. */
function elementOf(name: string): number {
  const spelled = name.endsWith('[]') ? TYPE_NAMES.indexOf(name.slice(0, -2)) : -1;
  if (spelled >= 0) return spelled;
  const type = name.length === 2 ? LETTERS.indexOf(name[1]) : -1;
  return type >= 4 ? type : OBJECT_TYPE;
}

/**
 * Where the references are among the values of instances: own fields first, then those of the super class. Only for classes
 * with instances: all their fields together are fewer than the bytes of the dump, unless it is damaged.
 */
function referenceFields(
  rows: ClassRows,
  classes: HeapClasses,
  idSize: number,
  referentName: number,
  bytes: number,
): ReferenceFields {
  const sizes = new Uint8Array(12);
  TYPE_NAMES.forEach((name, type) => {
    if (name !== undefined) sizes[type] = VALUE_SIZES[type];
  });
  sizes[TYPE_OBJECT] = idSize;
  const first = new Int32Array(classes.length + 1);
  const offset = new Int32Builder();
  const referent = new Uint8Array(classes.length);
  let room = bytes;
  for (let row = 0; row < classes.length; row++) {
    first[row + 1] = offset.length;
    if (classes.objects[row] === 0 || classes.kind[row] !== INSTANCE) continue;
    const own: number[] = [];
    let at = 0;
    let place = -1;
    let depth = 0;
    for (let level = row; level >= 0 && depth < DEEPEST && room > 0; level = classes.parent[level], depth++) {
      room -= classes.fieldFirst[level + 1] - classes.fieldFirst[level];
      for (let field = classes.fieldFirst[level]; field < classes.fieldFirst[level + 1]; field++) {
        const type = classes.fieldType[field];
        if (type === TYPE_OBJECT) {
          if (
            classes.referent[row] !== 0 &&
            rows.name[level] === 'java.lang.ref.Reference' &&
            classes.fieldName[field] === referentName
          )
            place = own.length;
          own.push(at);
        }
        at += sizes[type];
      }
    }
    if (place >= 0) {
      own.unshift(...own.splice(place, 1));
      referent[row] = 1;
    }
    for (const one of own) offset.push(one);
    first[row + 1] = offset.length;
  }
  return {
    id: rows.scan.id,
    heapClass: rows.ofInstances,
    arrayClass: rows.ofArrays,
    primitiveClass: rows.ofPrimitives,
    first,
    offset: offset.finish(),
    referent,
  };
}

const VALUE_SIZES = [0, 0, 0, 0, 1, 2, 4, 8, 1, 2, 4, 8];
