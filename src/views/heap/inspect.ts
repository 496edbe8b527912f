/** `heap inspect`: one object: its values, sizes and loader, what dominates it, who refers to it, how roots lead to it. */
import { z } from 'zod';
import { BY_ROOTS, type Dominators, retainedOf } from '../../analysis/heap/dominators.js';
import { type Inspection, inspectUse, MOST_NAMED, type Referrer } from '../../analysis/heap/inspection.js';
import { aloneUse } from '../../analysis/heap/inspection-alone.js';
import { type Member, UNKNOWN_VALUE } from '../../analysis/heap/members.js';
import { hasSizes, objectSizes } from '../../analysis/heap/object-sizes.js';
import { heapClassOf, type NamedHeap } from '../../analysis/heap/object-values.js';
import { dominatorsUse, sizesOf } from '../../analysis/heap/stages.js';
import { type Note, note } from '../../base/note.js';
import { type Heap, NO_ROW, OBJECT_KINDS } from '../../models/heap/heap.js';
import { idOfRow, NO_OBJECT, type ObjectId } from '../../models/heap/object-ids.js';
import { ROOT_KINDS } from '../../models/heap/root-kinds.js';
import { INSPECT_OPTIONS } from '../../questions/options/heap.js';
import { columnsOf, common, detail, listingShape, maybe, maybeText, range, text } from '../listing.js';
import { defineView, type ViewInput } from '../question.js';
import { rowsOfCells, tableRows } from '../row-table.js';
import { addressText, choiceOf, heapClassName, idOfAddress, objectNames, requireHeap, sizeNotes } from './choice.js';
import { loaderName } from './groups.js';
import { rootNames } from './paths.js';
import {
  framesOfThread,
  framesOfTrace,
  localsByThread,
  objectShape,
  type ShownObject,
  stackShape,
  stackWithLocals,
} from './stack-locals.js';

const row = z.object({
  name: text('Field', 'name of the field, or index of the element'),
  type: detail(1, text('Type', 'type of the value')),
  value: maybeText('Value', 'the value, or the first characters of the text it refers to; null for other objects'),
  address: maybeText('Address', 'address of the object it refers to; null for other values and for null'),
  object: maybeText('Object', 'class of the object it refers to'),
  retained: maybe('Retained', 'bytes', 'bytes that would be freed with that object'),
  retained_objects: maybe('Retained objects', 'count', 'objects that would go with that object, if sizes are unknown'),
  declared: detail(1, maybeText('Declared in', 'class that declares the field')),
});

const referrer = objectShape.extend({
  names: z.array(z.string()).nullable().describe('fields or elements that refer to the next object; null if unknown'),
});

const textShape = z.object({
  text: z.string().describe('all of its characters'),
  length: z.number().describe('characters of the whole'),
  redacted: z.boolean().describe('whether all characters are NUL: tools that redact dumps write that'),
});

const objectDetails = objectShape.extend({
  kind: z.enum(OBJECT_KINDS),
  shallow: z.number().nullable().describe('bytes of the object itself; null if the file has no sizes'),
  elements: z.number().nullable().describe('elements of an array; null for other objects'),
  loader: z.string().nullable().describe('class loader of its class; null if unknown'),
  text: textShape.nullable().describe('characters of a string; null for other objects'),
});

export const inspectView = defineView({
  name: 'heap-inspect',
  version: 1,
  title: 'Object',
  options: INSPECT_OPTIONS,
  refuses: ['sort'],
  shape: {
    ...listingShape(row),
    object: objectDetails,
    graph: z
      .boolean()
      .describe('whether retained sizes, dominators, referrers and paths were asked for; without, they are null'),
    roots: z.array(z.string()).describe('why it is held from outside; empty if it is no root'),
    dominators: z
      .object({ total: z.number(), shown: z.array(objectShape) })
      .nullable()
      .describe('what dominates it, the nearest first; null if it is unreachable, or without the graph'),
    referrers: z
      .object({ total: z.number(), shown: z.array(referrer) })
      .nullable()
      .describe('objects that refer to it; null without the graph'),
    path: z
      .object({ total: z.number(), roots: z.array(z.string()), shown: z.array(referrer) })
      .nullable()
      .describe('shortest path from a root, whose end is shown; null if it is unreachable, or without the graph'),
    allocated: z.array(z.string()).nullable().describe('frames that allocated it, innermost first; null if unknown'),
    stack: stackShape
      .nullable()
      .describe('of a thread, innermost first; null if it is none, unknown, or without the graph'),
  },
  needs: (input, options) => {
    const heap = requireHeap(input);
    const choice = choiceOf(heap, options);
    const objectChoice = { ...choice, id: idOfAddress(heap.recorded ?? {}, options.object), members: partOf(input) };
    if (!options.graph) return { inspected: aloneUse(input.subject, objectChoice) };
    return { dominators: dominatorsUse(input.subject, choice), inspected: inspectUse(input.subject, objectChoice) };
  },
  answer: (input, options, { inspected, dominators }) => {
    const heap = requireHeap(input);
    const { objects: graph } = inspected;
    const namedHeap = { program: input.recording.program, heap, graph };
    const sizes = sizesOf(heap, graph, choiceOf(heap, options));
    const show = objectShower(namedHeap, dominators);
    const { members, texts, referrers, referrersTotal } = inspected;
    const names = (holder: Referrer) => ({ ...show(holder.row), names: holder.names && [...holder.names] });
    const { size, unit } = objectSizes(graph, sizes);
    return {
      ...common(input, [...sizeNotes(sizes), ...textNotes(heap, members.shown)]),
      graph: options.graph,
      object: { ...details(namedHeap, inspected, show), shallow: hasSizes(sizes) ? size(inspected.row) * unit : null },
      roots: rootsOf(namedHeap, inspected.row),
      dominators: dominators === undefined ? null : dominatorsOf(dominators, inspected.row, show),
      referrers: referrers === undefined ? null : { total: referrersTotal, shown: referrers.map(names).map(known) },
      path: pathOf(namedHeap, inspected, (holder) => known(names(holder))),
      allocated: allocationOf(input, namedHeap, inspected.row),
      stack: dominators === undefined ? null : stackOf(input, namedHeap, inspected.row, show),
      columns: columnsOf(row),
      total: members.total,
      offset: input.page.offset,
      rows: memberRows(namedHeap, members.shown, texts, dominators),
    };
  },
});

const THREAD = ROOT_KINDS.indexOf('thread');

function partOf({ page: { offset, limit } }: ViewInput) {
  return { from: offset, to: limit === 0 ? 2 ** 32 : offset + limit };
}

type Show = (row: ObjectId) => ShownObject;

/** Names objects, with what they retain if dominators are known. */
export function objectShower({ program, heap, graph }: NamedHeap, dominators: Dominators | undefined): Show {
  const name = objectNames(program, heap, graph);
  return (object) => ({
    address: addressText(graph, idOfRow(graph.ids, object)),
    object: name(object),
    ...(dominators === undefined
      ? { retained: null, retained_objects: null }
      : retainedOf(dominators, heap.sizes, object)),
  });
}

function known<Names extends { readonly names: string[] | undefined }>(shownObject: Names) {
  return { ...shownObject, names: shownObject.names ?? null };
}

function details(namedHeap: NamedHeap, { row: object, texts }: Inspection, show: Show) {
  const { program, heap, graph } = namedHeap;
  const isClass = graph.mirrorRow.includes(object);
  const mirror = isClass ? graph.mirrorClass[graph.mirrorRow.indexOf(object)] : -1;
  const heapClass = heapClassOf(namedHeap, object);
  const kind = isClass ? 'class' : (OBJECT_KINDS[heap.classes.kind[heapClass]] ?? 'instance');
  const loaded = isClass ? mirror : heapClass;
  return {
    ...show(object),
    kind,
    elements: kind === 'instance' || kind === 'class' ? null : graph.elements[object],
    loader: loaded < 0 || heap.classes.loader[loaded] < 0 ? null : loaderName(program, heap, graph, loaded),
    text: texts.get(object) ?? null,
  };
}

/** Says of values that are only texts why they have no fields. */
function textNotes({ recorded }: Heap, shownMembers: readonly Member[]): Note[] {
  const isText = ({ value }: Member): boolean => value !== null && value !== 'null' && value !== UNKNOWN_VALUE;
  return recorded?.references.text !== undefined && shownMembers.some(isText)
    ? [note('values-as-text', 'Values without an address were not expanded by the recorder: it gives only their text.')]
    : [];
}

function rootsOf({ program, graph }: NamedHeap, object: ObjectId): string[] {
  return graph.roots.row.includes(object) ? rootNames(program, graph, object) : [];
}

function dominatorsOf({ dominator }: Dominators, object: ObjectId, show: Show) {
  if (dominator[object] === NO_ROW) return null;
  const shownObjects: ShownObject[] = [];
  let total = 0;
  for (let at = dominator[object]; at < BY_ROOTS; at = dominator[at])
    if (total++ < MOST_NAMED) shownObjects.push(show(at));
  return { total, shown: shownObjects };
}

function pathOf<Shown>(
  namedHeap: NamedHeap,
  { path, pathLength, row: object }: Inspection,
  show: (of: Referrer) => Shown,
) {
  if (path === undefined) return null;
  const isWhole = pathLength === path.length;
  return { total: pathLength, roots: isWhole ? rootsOf(namedHeap, path[0]?.row ?? object) : [], shown: path.map(show) };
}

function allocationOf({ recording: { program, profile } }: ViewInput, { graph }: NamedHeap, object: ObjectId) {
  if (graph.trace === undefined || profile === undefined) return null;
  const frames = framesOfTrace(program, profile, graph.trace[object]);
  return frames.length === 0 ? null : frames;
}

function stackOf(
  { recording: { program, profile } }: ViewInput,
  { heap, graph }: NamedHeap,
  object: ObjectId,
  show: Show,
) {
  const { roots } = graph;
  const at = roots.row.findIndex((row, i) => row === object && roots.kind[i] === THREAD);
  if (at < 0) return null;
  const thread = { number: roots.thread[at], trace: roots.trace[at] };
  const frames = framesOfThread(program, profile, thread, heap.recorded !== undefined);
  const stack = stackWithLocals(frames, graph, localsByThread(roots).get(thread.number) ?? [], show);
  return stack.length === 0 ? null : tableRows(stack);
}

function memberRows(
  { program, heap, graph }: NamedHeap,
  members: readonly Member[],
  texts: Inspection['texts'],
  dominators: Dominators | undefined,
) {
  const name = objectNames(program, heap, graph);
  const isObject = (i: number): boolean => members[i].target !== NO_OBJECT;
  const isNull = (i: number): boolean => members[i].id === 0 && !isObject(i);
  const retained = (i: number) =>
    dominators === undefined || !isObject(i) ? undefined : retainedOf(dominators, heap.sizes, members[i].target);
  const isReference = (i: number): boolean => members[i].id !== undefined && !isNull(i);
  const cells = {
    name: (i: number) => members[i].name,
    type: (i: number) => members[i].type,
    value: (i: number) => (isNull(i) ? 'null' : (texts.get(members[i].target)?.text ?? members[i].value)),
    address: (i: number) => (isReference(i) ? addressText(graph, members[i].id ?? 0) : null),
    object: (i: number) => (isObject(i) ? name(members[i].target) : isReference(i) ? '<missing>' : null),
    retained: (i: number) => retained(i)?.retained ?? null,
    retained_objects: (i: number) => retained(i)?.retained_objects ?? null,
    declared: (i: number) => (members[i].owner < 0 ? null : heapClassName(program, heap, members[i].owner)),
  };
  return rowsOfCells(cells, range(0, members.length));
}
