/** Objects as short texts, as the reports of GraalVM Native Image show them: `null:"first char..."`, `app:Kind:NAME`, `null:int[2]{1, 2}`. */
import { OBJECT_TYPE } from '../../../models/heap/heap.js';
import { javaNumber } from '../../../models/heap/java-numbers.js';
import { BOOT_LOADER, loaderNameOf, simpleName } from '../../../models/heap/jvmci-names.js';
import { idOfRow, type ObjectId, rowOfId } from '../../../models/heap/object-ids.js';
import { runtimeName } from '../../../models/heap/runtime-names.js';
import { idAt, primitiveText, recordedBytes } from '../../../models/heap/values.js';
import { className } from '../../../models/program/names.js';
import { indexIn } from '../object-sizes.js';
import {
  Fields,
  fieldsOf,
  heapClassOf,
  isString,
  type NamedHeap,
  type ReadValues,
  readTexts,
} from '../object-values.js';
import { ARRAY_LEVELS, SHOWN_ELEMENTS, withElements } from './element-values.js';

const SHOWN_CHARACTERS = 10;
/** Of strings in arrays: longer ones are cut to the second number. */
const LONGEST_ELEMENT = 50;
const CUT_ELEMENT = 30;
/** Types of values in dumps. */
const FLOAT = 6;
const DOUBLE = 7;
const MOST_NAME = 1000;
const BOXES: ReadonlySet<string> = new Set(
  ['Boolean', 'Byte', 'Character', 'Short', 'Integer', 'Float', 'Long', 'Double'].map((name) => `java.lang.${name}`),
);
/** Super classes that are followed; more are damage. */
const DEEPEST = 256;

/**
 * The texts of objects. `values`: of these objects, as far as they were read. Two passes for the characters of strings, and one for each level of
 * arrays in arrays.
 */
export async function shortTexts(
  named: NamedHeap,
  read: ReadValues,
  rows: readonly ObjectId[],
  values: ReadonlyMap<ObjectId, Uint8Array>,
): Promise<ReadonlyMap<ObjectId, string>> {
  const types = new Types(named);
  const all = await withElements(named, read, { rows, values }, (row) => types.needsValue(row));
  const enums = new Map<ObjectId, ObjectId>();
  for (const [row, bytes] of all)
    if (types.isEnum(heapClassOf(named, row))) enums.set(row, new Fields(named, row, bytes).object('name'));
  const strings = [...all.keys()].filter((row) => isString(named, row));
  const names = await readTexts(named, read, enums.values(), MOST_NAME);
  const texts = await readTexts(named, read, strings, LONGEST_ELEMENT + 1);
  const writer = new TextWriter(named, types, all, {
    nameOf: (row) => names.get(enums.get(row) ?? -1)?.text,
    textOf: (row) => texts.get(row)?.text,
  });
  return new Map(rows.map((row) => [row, writer.whole(row)]));
}

/** Line feeds would end the line. */
function inOneLine(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

/** The first characters of a string. */
function quoted(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
  return `"${inOneLine(shown)}"`;
}

class Types {
  readonly #named: NamedHeap;
  readonly #enums = new Map<number, boolean>();

  constructor(named: NamedHeap) {
    this.#named = named;
  }

  name(heapClass: number): string {
    const { heap, program } = this.#named;
    return heapClass < 0 ? '<unknown>' : className(program, heap.classes.class[heapClass]);
  }

  /** Whether instances are constants of an enum. */
  isEnum(heapClass: number): boolean {
    const known = this.#enums.get(heapClass);
    if (known !== undefined) return known;
    let at = heapClass;
    for (let depth = 0; at >= 0 && depth < DEEPEST && this.name(at) !== 'java.lang.Enum'; depth++)
      at = this.#named.heap.classes.parent[at];
    const is = at >= 0 && at !== heapClass && this.name(at) === 'java.lang.Enum';
    this.#enums.set(heapClass, is);
    return is;
  }

  /** `app:`; empty where the loader is unknown. */
  prefix(row: ObjectId): string {
    const { heap, graph } = this.#named;
    const of = heapClassOf(this.#named, row);
    const loader = of < 0 ? -1 : heap.classes.loader[of];
    if (loader < 0) return '';
    const object = loader === 0 ? -1 : rowOfId(graph.ids, loader);
    if (object < 0) return loader === 0 ? `${BOOT_LOADER}:` : '';
    return `${loaderNameOf(this.name(heapClassOf(this.#named, object)))}:`;
  }

  /** Whether the text of an element of this kind needs its value. */
  needsValue(row: ObjectId): boolean {
    const type = heapClassOf(this.#named, row);
    if (type < 0 || indexIn(this.#named.graph.mirrorRow, row) >= 0) return false;
    const isArray = this.#named.heap.classes.element[type] !== 0;
    return isArray || isString(this.#named, row) || this.isEnum(type) || this.isBox(type);
  }

  /** Whether instances are boxed values. */
  isBox(heapClass: number): boolean {
    return BOXES.has(this.name(heapClass));
  }
}

interface Strings {
  /** The name of a constant of an enum. */
  readonly nameOf: (row: ObjectId) => string | undefined;
  /** The first characters of a string. */
  readonly textOf: (row: ObjectId) => string | undefined;
}

/** Writes texts from values that were read. */
class TextWriter {
  readonly #named: NamedHeap;
  readonly #types: Types;
  readonly #values: ReadonlyMap<ObjectId, Uint8Array>;
  readonly #strings: Strings;

  constructor(named: NamedHeap, types: Types, values: ReadonlyMap<ObjectId, Uint8Array>, strings: Strings) {
    this.#named = named;
    this.#types = types;
    this.#values = values;
    this.#strings = strings;
  }

  /** The text of an object itself. */
  whole(row: ObjectId): string {
    return this.#types.prefix(row) + (quoted(this.#strings.textOf(row)) ?? this.#plain(row, 1));
  }

  /** An element of an array, as JVMCI's `JavaKind.format` writes it; strings with their kind and more characters. */
  #element(row: ObjectId, level: number): string {
    const text = this.#strings.textOf(row);
    if (text === undefined) return this.#plain(row, level);
    const shown = text.length > LONGEST_ELEMENT ? `${text.slice(0, CUT_ELEMENT)}...` : text;
    return `String:"${inOneLine(shown)}"`;
  }

  /** A constant of an enum, a class, a boxed value, the first elements of an array; else class and id. */
  #plain(row: ObjectId, level: number): string {
    const { heap, graph } = this.#named;
    const mirror = indexIn(graph.mirrorRow, row);
    if (mirror >= 0) return `Class:${runtimeName(this.#types.name(graph.mirrorClass[mirror]))}`;
    const type = heapClassOf(this.#named, row);
    const name = this.#strings.nameOf(row);
    if (name !== undefined) return `${simpleName(this.#types.name(type))}:${name}`;
    const bytes = this.#values.get(row);
    const view = bytes && new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (type >= 0 && heap.classes.element[type] !== 0)
      return level > ARRAY_LEVELS ? this.#reference(row) : this.#array(row, type, view, level);
    const [value] = this.#types.isBox(type) ? fieldsOf(this.#named, row) : [];
    if (value !== undefined && view !== undefined && value.type !== OBJECT_TYPE && value.at < view.byteLength)
      return javaText(view, value.at, value.type);
    return this.#reference(row);
  }

  #array(row: ObjectId, heapClass: number, view: DataView | undefined, level: number): string {
    const { heap, graph } = this.#named;
    const type = heap.classes.element[heapClass];
    const width = recordedBytes(type, heap.idSize);
    const length = graph.elements[row];
    const there = Math.min(length, SHOWN_ELEMENTS, view === undefined ? 0 : Math.floor(view.byteLength / width));
    const shown = Array.from({ length: there }, (_, i) => {
      if (view === undefined) return '';
      if (type !== OBJECT_TYPE) return javaText(view, i * width, type);
      const id = idAt(view, i * width, heap.idSize);
      const object = id === 0 ? -1 : rowOfId(graph.ids, id);
      return id === 0
        ? 'null'
        : object < 0
          ? `<not in the dump>@0x${id.toString(16)}`
          : this.#element(object, level + 1);
    });
    const more = length > there ? [...shown, '...'] : shown;
    return `${simpleName(this.#types.name(heapClass).replace(/\[\]$/, ''))}[${length}]{${more.join(', ')}}`;
  }

  #reference(row: ObjectId): string {
    const { graph } = this.#named;
    return `${simpleName(this.#types.name(heapClassOf(this.#named, row)))}@0x${idOfRow(graph.ids, row).toString(16)}`;
  }
}

/** A primitive value as Java writes it. */
function javaText(view: DataView, at: number, type: number): string {
  const text = primitiveText(view, at, type);
  if (type === FLOAT) return javaNumber(view.getFloat32(at), text);
  return type === DOUBLE ? javaNumber(view.getFloat64(at), text) : text;
}
