/** The parts of a line that name objects, fields and roots, for the writer: texts as bytes, as the report or another dump has them. */
import { encodeUtf8, stringAt } from '../../base/text.js';
import { OBJECT_KINDS } from '../../models/heap/heap.js';
import { type HeapGraph, REFERENCE_KINDS } from '../../models/heap/heap-graph.js';
import { simpleName } from '../../models/heap/jvmci-names.js';
import { sourceTypeName } from '../../models/program/names.js';
import type { ClassId, Program } from '../../models/program/program.js';

const CLASS_OBJECT = OBJECT_KINDS.indexOf('class');
const ELEMENT = REFERENCE_KINDS.indexOf('element');
const FIELD = REFERENCE_KINDS.indexOf('field');
/** Declared type of fields that are null, where a dump has no declared types. */
const ANY_TYPE = 'java.lang.Object';

export class TreeText {
  readonly #program: Program;
  readonly #graph: HeapGraph;

  constructor(program: Program, graph: HeapGraph) {
    this.#program = program;
    this.#graph = graph;
  }

  /** `java.util.HashMap[]` */
  typeOf(id: ClassId): string {
    const { classes, names } = this.#program;
    return id < 0 ? '<unknown>' : sourceTypeName(stringAt(names, classes.name[id]));
  }

  typeOfObject(object: number): string {
    const { objects } = this.#graph;
    return objects.kind[object] === CLASS_OBJECT ? 'java.lang.Class' : this.typeOf(objects.class[object]);
  }

  /** The text of an object; without one, its class and id. */
  ofObject(object: number): Uint8Array {
    const { objects } = this.#graph;
    const text = objects.text?.[object] ?? -1;
    if (text >= 0) return this.at(text);
    const name = this.typeOf(objects.class[object]);
    if (objects.kind[object] === CLASS_OBJECT) return encodeUtf8(`Class:${name}`);
    return encodeUtf8(`${simpleName(name)}@0x${objects.address[object].toString(16)}`);
  }

  /** The text of a value that is no object of the file; undefined for null. */
  ofValue(reference: number): Uint8Array | undefined {
    const { references, missing } = this.#graph;
    const text = references.text?.[reference] ?? -1;
    if (text >= 0) return this.at(text);
    const target = references.target[reference];
    return target < -1 ? encodeUtf8(`<not in the dump>@0x${missing[-2 - target].toString(16)}`) : undefined;
  }

  /** A row of the texts of the heap. */
  at(row: number): Uint8Array {
    const { texts } = this.#graph;
    return texts === undefined ? new Uint8Array(0) : texts.bytes.subarray(texts.offsets[row], texts.offsets[row + 1]);
  }

  /** `name:declared.Type`, or `[7]` of an element. */
  ofReference(reference: number): string {
    const { references, objects } = this.#graph;
    const name = references.name[reference];
    if (references.kind[reference] === ELEMENT) return `[${name}]`;
    const own = name < 0 ? '<unknown>' : stringAt(this.#program.names, name);
    if (references.declared !== undefined) {
      const declared = references.declared[reference];
      return declared < 0 ? own : `${own}:${this.typeOf(declared)}`;
    }
    const target = references.target[reference];
    return `${own}:${target < 0 || objects.length === 0 ? ANY_TYPE : this.typeOfObject(target)}`;
  }

  /** Whether a line is printed for the reference: fields, and elements that are not null. */
  isPrinted(reference: number): boolean {
    const { references } = this.#graph;
    if (references.kind[reference] === FIELD) return true;
    if (references.kind[reference] !== ELEMENT) return false;
    return (
      references.target[reference] !== -1 || references.name[reference] < 0 || (references.text?.[reference] ?? -1) >= 0
    );
  }
}
