/** What an object has: fields, elements, statics, a page at a time. */
import { stringAt } from '../../base/text.js';
import { type ByteSpan, OBJECT_TYPE, VALUE_TYPES } from '../../models/heap/heap.js';
import { type HeapGraph, REFERENCE_KINDS } from '../../models/heap/heap-graph.js';
import { idOfRow, NO_OBJECT, type ObjectId, rowOfId } from '../../models/heap/object-ids.js';
import { idAt, primitiveText, recordedBytes, staticBytes } from '../../models/heap/values.js';
import { className } from '../../models/program/names.js';
import { indexIn } from './object-sizes.js';
import { fieldsOf, heapClassOf, type NamedHeap, WHOLE } from './object-values.js';

/** A field, element or static field with its value. */
export interface Member {
  readonly name: string;
  /** Type of the value: `int`, `object`; `static` fields are those of a class object. */
  readonly type: string;
  /** Heap class that declares it; -1 of elements. */
  readonly owner: number;
  /** A primitive value as Java prints it; null of references, and where the value was lost. */
  readonly value: string | null;
  /** Id that a reference has; 0 without a target for null; undefined of other values. */
  readonly id: number | undefined;
  /** The object it refers to; `NO_OBJECT`. */
  readonly target: ObjectId;
}

export interface ObjectMembers {
  readonly total: number;
  readonly shown: readonly Member[];
}

/** Rows `from .. to` of a list. */
export type MemberRange = ByteSpan;

/** Bytes that hold these members of an object. */
export function spanOfMembers(named: NamedHeap, row: ObjectId, part: MemberRange): ByteSpan {
  const type = elementType(named, row);
  if (type === 0) return WHOLE;
  const width = recordedBytes(type, named.heap.idSize);
  return { from: part.from * width, to: part.to * width };
}

/** Type of the elements; 0 of objects that are no arrays. */
function elementType(named: NamedHeap, row: ObjectId): number {
  const of = heapClassOf(named, row);
  return of < 0 ? 0 : named.heap.classes.element[of];
}

/** The members of a part. `bytes`: of `spanOfMembers`, as far as they were read. */
export function membersOf(
  named: NamedHeap,
  row: ObjectId,
  bytes: Uint8Array | undefined,
  part: MemberRange,
): ObjectMembers {
  const mirror = indexIn(named.graph.mirrorRow, row);
  if (named.heap.recorded !== undefined) return recordedMembers(named, row, part);
  if (mirror >= 0) return staticMembers(named, named.graph.mirrorClass[mirror], part);
  const type = elementType(named, row);
  const view = bytes && new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type !== 0) {
    const total = named.graph.elements[row];
    const width = recordedBytes(type, named.heap.idSize);
    return paged(total, part, (i) =>
      memberAt(named, view, { name: `[${i}]`, type, owner: -1, at: (i - part.from) * width }),
    );
  }
  const fields = fieldsOf(named, row);
  return paged(fields.length, part, (i) => {
    const { name, ...place } = fields[i];
    return memberAt(named, view, { name: nameText(named, name), ...place });
  });
}

function paged(total: number, { from, to }: MemberRange, member: (i: number) => Member): ObjectMembers {
  const end = Math.min(total, to);
  return { total, shown: Array.from({ length: Math.max(0, end - from) }, (_, i) => member(from + i)) };
}

function nameText({ program }: NamedHeap, name: number): string {
  return name < 0 ? '<unknown>' : stringAt(program.names, name);
}

interface Place {
  readonly name: string;
  readonly type: number;
  readonly owner: number;
  readonly at: number;
}

function memberAt(named: NamedHeap, view: DataView | undefined, { name, type, owner, at }: Place): Member {
  const { idSize } = named.heap;
  const isThere = view !== undefined && at + recordedBytes(type, idSize) <= view.byteLength;
  const member = { name, type: VALUE_TYPES[type] ?? '<unknown>', owner };
  if (type !== OBJECT_TYPE)
    return { ...member, value: isThere ? primitiveText(view, at, type) : null, id: undefined, target: NO_OBJECT };
  const id = isThere ? idAt(view, at, idSize) : undefined;
  return {
    ...member,
    value: null,
    id,
    target: id === undefined || id === 0 ? NO_OBJECT : rowOfId(named.graph.ids, id),
  };
}

function staticMembers(named: NamedHeap, heapClass: number, part: MemberRange): ObjectMembers {
  const { classes, idSize } = named.heap;
  const first = classes.staticFirst[heapClass];
  return paged(classes.staticFirst[heapClass + 1] - first, part, (i) => {
    const type = classes.staticType[first + i];
    const name = nameText(named, classes.staticName[first + i]);
    return memberAt(named, staticBytes(classes, first + i, idSize), { name, type, owner: heapClass, at: 0 });
  });
}

/** Texts list references by name; other values only as texts, if at all. */
function recordedMembers({ program, heap, graph }: NamedHeap, row: ObjectId, part: MemberRange): ObjectMembers {
  const { recorded } = heap;
  const object = graph.listed?.[row] ?? -1;
  if (recorded === undefined || object < 0) return { total: 0, shown: [] };
  const { objects, references, missing } = recorded;
  const first = objects.first[object];
  const typeOf = (declared: number): string => (declared < 0 ? 'object' : className(program, declared));
  return paged(objects.first[object + 1] - first, part, (i) => {
    const to = references.target[first + i];
    const kind = REFERENCE_KINDS[references.kind[first + i]] ?? 'field';
    const name = references.name[first + i];
    const isNumbered = kind === 'element' || kind === 'constant';
    const isNamed = kind === 'field' || kind === 'static';
    const member = {
      name: isNumbered ? indexText(name) : isNamed ? nameText({ program, heap, graph }, name) : `<${kind}>`,
      type: typeOf(references.declared?.[first + i] ?? -1),
      owner: -1,
    };
    if (to === NO_OBJECT) return { ...member, value: recordedValue(recorded, first + i), id: undefined, target: to };
    const id = to >= 0 ? objects.address[to] : missing[-2 - to];
    return { ...member, value: null, id, target: rowOfId(graph.ids, id) };
  });
}

function indexText(index: number): string {
  return index < 0 ? '[?]' : `[${index}]`;
}

/** Value of an element that the file does not show. */
export const UNKNOWN_VALUE = '<unknown>';

/** A value that is no object of the file: its text, or null. */
function recordedValue({ references, texts }: HeapGraph, reference: number): string {
  const text = references.text?.[reference] ?? -1;
  if (text >= 0 && texts !== undefined) return stringAt(texts, text);
  return references.name[reference] < 0 ? UNKNOWN_VALUE : 'null';
}

/** The object as text, where the file has such; undefined. */
export function recordedText(
  { heap: { recorded }, graph }: Pick<NamedHeap, 'heap' | 'graph'>,
  row: ObjectId,
): string | undefined {
  const object = graph.listed?.[row] ?? -1;
  const text = object < 0 ? -1 : (recorded?.objects.text?.[object] ?? -1);
  return text < 0 || recorded?.texts === undefined ? undefined : stringAt(recorded.texts, text);
}

/** The names of the members that refer to an object; undefined if it takes too long to find out. */
export function namesOfReferences(
  named: NamedHeap,
  row: ObjectId,
  bytes: Uint8Array | undefined,
  target: ObjectId,
): string[] | undefined {
  const mirror = indexIn(named.graph.mirrorRow, row);
  if (bytes === undefined && mirror < 0 && named.heap.recorded === undefined) return undefined;
  const { shown } = membersOf(named, row, bytes, { from: 0, to: 2 ** 32 });
  const names = shown.filter((member) => member.target === target).map(({ name }) => name);
  if (mirror < 0 || named.heap.recorded !== undefined) return names;
  const { classes } = named.heap;
  const of = named.graph.mirrorClass[mirror];
  const id = idOfRow(named.graph.ids, target);
  if (classes.loader[of] === id) names.push('<loader>');
  if (classes.parent[of] >= 0 && classes.address[classes.parent[of]] === id) names.push('<super>');
  return names;
}

/** Bytes of an array that is searched for a reference, at most. */
const MOST_SEARCHED = 1 << 20;

/** Whether an object's values are read to name its references. */
export function isSearched(named: NamedHeap, row: ObjectId): boolean {
  return named.graph.elements[row] * named.heap.idSize <= MOST_SEARCHED;
}
