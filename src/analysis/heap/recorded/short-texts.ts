/** Objects as short texts, as the reports of GraalVM Native Image show them: `null:"first char..."`, `app:Kind:NAME`, `null:int[2]{1, 2}`. */
import { OBJECT_TYPE } from '../../../models/heap/heap.js';
import { BOOT_LOADER, loaderNameOf, simpleName } from '../../../models/heap/jvmci-names.js';
import { idOfRow, type ObjectId, rowOfId } from '../../../models/heap/object-ids.js';
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

/** Elements of an array that are shown. */
export const SHOWN_ELEMENTS = 5;
const SHOWN_CHARACTERS = 10;
const MOST_NAME = 1000;
const BOXES: ReadonlySet<string> = new Set(
  ['Boolean', 'Byte', 'Character', 'Short', 'Integer', 'Float', 'Long', 'Double'].map((name) => `java.lang.${name}`),
);
/** Super classes that are followed; more are damage. */
const DEEPEST = 256;

/** The texts of objects. `values`: of these objects, as far as they were read. Two passes, for the characters of strings. */
export async function shortTexts(
  named: NamedHeap,
  read: ReadValues,
  rows: readonly ObjectId[],
  values: ReadonlyMap<ObjectId, Uint8Array>,
): Promise<ReadonlyMap<ObjectId, string>> {
  const types = new Types(named);
  const enums = new Map<ObjectId, ObjectId>();
  for (const row of rows)
    if (types.isEnum(heapClassOf(named, row))) enums.set(row, new Fields(named, row, values.get(row)).object('name'));
  const strings = rows.filter((row) => isString(named, row));
  const names = await readTexts(named, read, enums.values(), MOST_NAME);
  const texts = await readTexts(named, read, strings, SHOWN_CHARACTERS + 1);
  const found = new Map<ObjectId, string>();
  for (const row of rows) {
    const name = names.get(enums.get(row) ?? -1)?.text;
    const own = name === undefined ? undefined : `${simpleName(types.name(heapClassOf(named, row)))}:${name}`;
    found.set(row, types.prefix(row) + (own ?? quoted(texts.get(row)?.text) ?? types.plain(row, values.get(row))));
  }
  return found;
}

/** The first characters of a string. */
function quoted(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}...` : text;
  return `"${shown.replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`;
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

  /** Other objects: a class, a boxed value, the first elements of an array; else class and id. */
  plain(row: ObjectId, bytes: Uint8Array | undefined): string {
    const { heap, graph } = this.#named;
    const mirror = indexIn(graph.mirrorRow, row);
    if (mirror >= 0) return `Class:${this.name(graph.mirrorClass[mirror])}`;
    const of = heapClassOf(this.#named, row);
    const view = bytes && new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (of >= 0 && heap.classes.element[of] !== 0) return this.#array(row, of, view);
    const [value] = BOXES.has(this.name(of)) ? fieldsOf(this.#named, row) : [];
    if (value !== undefined && view !== undefined && value.type !== OBJECT_TYPE && value.at < view.byteLength)
      return primitiveText(view, value.at, value.type);
    return this.#reference(row);
  }

  #array(row: ObjectId, of: number, view: DataView | undefined): string {
    const { heap, graph } = this.#named;
    const type = heap.classes.element[of];
    const width = recordedBytes(type, heap.idSize);
    const length = graph.elements[row];
    const there = Math.min(length, SHOWN_ELEMENTS, view === undefined ? 0 : Math.floor(view.byteLength / width));
    const shown = Array.from({ length: there }, (_, i) => {
      if (view === undefined) return '';
      if (type !== OBJECT_TYPE) return primitiveText(view, i * width, type);
      const id = idAt(view, i * width, heap.idSize);
      const object = id === 0 ? -1 : rowOfId(graph.ids, id);
      return id === 0 ? 'null' : object < 0 ? `<not in the dump>@0x${id.toString(16)}` : this.#reference(object);
    });
    const more = length > there ? [...shown, '...'] : shown;
    return `${simpleName(this.name(of).replace(/\[\]$/, ''))}[${length}]{${more.join(', ')}}`;
  }

  #reference(row: ObjectId): string {
    const { graph } = this.#named;
    return `${simpleName(this.name(heapClassOf(this.#named, row)))}@0x${idOfRow(graph.ids, row).toString(16)}`;
  }
}
