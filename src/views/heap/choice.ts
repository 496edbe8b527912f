/** Options that all questions about single objects have: which references and roots count, and which sizes. */
import { requireObject } from '../../analysis/heap/inspection.js';
import { recordedText } from '../../analysis/heap/members.js';
import { hasSizes } from '../../analysis/heap/object-sizes.js';
import type { HeapChoice } from '../../analysis/heap/stages.js';
import { rowsWhere } from '../../base/columns/marks.js';
import { MissingError, UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { CLASS_OBJECTS, type Heap, type HeapObjects, type HeapSizes, noClass } from '../../models/heap/heap.js';
import type { ObjectId } from '../../models/heap/object-ids.js';
import { className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { type Side, WITHOUT_STEPS } from '../question.js';
import { classFilter } from './classes.js';

/** The heap of the selected dump. Throws if there is none. */
export function requireHeap({
  heap,
  recording,
  dump,
  unscoped,
}: Pick<Side, 'heap' | 'recording' | 'dump' | 'unscoped'>): Heap {
  if (heap === undefined) {
    const which = typeof dump.moment === 'number' ? ` in dump ${dump.moment}` : '';
    throw new MissingError(`${recording.name} has no heap dump${which}`, {
      code: 'no-heap-dump',
      advice: 'Heap dumps list single objects; class histograms do not.',
    });
  }
  if (unscoped.has('heap')) throw new UsageError('objects have no stack, thread or time to select by', WITHOUT_STEPS);
  return heap;
}

const WITHOUT_SIZES = {
  code: 'no-size-rule',
  advice: phrase`Omit ${theOption('sizes')}.`,
  action: { omit: ['sizes'] },
};

/** The parameters of the stages. */
export function choiceOf(
  heap: Heap,
  { without, roots, sizes }: { without: HeapChoice['without']; roots: 'vm' | 'mat'; sizes: 'vm' | 'mat' },
): HeapChoice {
  if (heap.sizes.rule === 'unknown' && sizes === 'mat')
    throw new UsageError('this file has no sizes: no rule can be applied', WITHOUT_SIZES);
  if (heap.sizes.rule === 'recorded' && sizes === 'mat')
    throw new UsageError('the sizes of this dump are recorded: no rule applies to them', WITHOUT_SIZES);
  return { dump: heap.dump, without, roots, sizes };
}

/** The id of an address, as `0x1f` or `1f`, or of a number in decimal. Throws if the text is none. */
export function idOfAddress({ numbered }: Numbering, address: string): number {
  if (numbered === true) {
    if (/^\d{1,10}$/.test(address)) return Number(address);
    throw new UsageError(`not the id of an object: ${address}`, {
      code: 'not-an-object',
      advice: 'Ids of this file are numbers, as id=17 has it.',
    });
  }
  const digits = /^(?:0x)?([0-9a-f]{1,16})$/i.exec(address)?.[1];
  if (digits === undefined)
    throw new UsageError(`not an address: ${address}`, {
      code: 'not-an-object',
      advice: 'Addresses are hexadecimal, as 0x7f03d85c2.',
    });
  return Number.parseInt(digits, 16);
}

/** The object at an address. Throws if there is none. */
export function objectAt(graph: HeapObjects, address: string): ObjectId {
  return requireObject(graph, idOfAddress(graph, address));
}

type Numbering = Pick<HeapObjects, 'numbered'>;

/** An id as people see it: an address, or the number that the file gives. */
export function addressText({ numbered }: Numbering, id: number): string {
  return numbered === true ? String(id) : `0x${id.toString(16)}`;
}

/** The name of a heap class; rows beyond the classes are unknown, as `noClass` is. */
export function heapClassName(program: Program, { classes }: Heap, heapClass: number): string {
  const id = heapClass < classes.length ? classes.class[heapClass] : -1;
  return id >= 0 ? className(program, id) : id === CLASS_OBJECTS ? 'java.lang.Class' : '<unknown class>';
}

/** Names objects by class; class objects with the class that they represent. */
export function classNames(program: Program, heap: Heap, graph: HeapObjects): (row: ObjectId) => string {
  const represented = new Map<number, number>();
  graph.mirrorRow.forEach((row, i) => {
    represented.set(row, graph.mirrorClass[i]);
  });
  return (row) => {
    const mirror = represented.get(row);
    if (mirror !== undefined) return `class ${heapClassName(program, heap, mirror)}`;
    return heapClassName(program, heap, graph.class[row]);
  };
}

/** Names objects by class, likewise, with their texts if the file has them. */
export function objectNames(program: Program, heap: Heap, graph: HeapObjects): (row: ObjectId) => string {
  const name = classNames(program, heap, graph);
  return (row) => {
    const text = recordedText({ heap, graph }, row);
    return text === undefined ? name(row) : `${name(row)} ${shortened(text)}`;
  };
}

/** Rows of the objects whose class has a matching name. */
export function rowsOfClass(program: Program, { classes }: Heap, graph: HeapObjects, pattern: string): Int32Array {
  const isChosen = classFilter(program, pattern);
  const marks = Uint8Array.from(classes.class, (id) => (id >= 0 && isChosen(id) ? 1 : 0));
  const none = noClass(graph.class);
  return rowsWhere(graph.ids.length, (row) => graph.class[row] !== none && marks[graph.class[row]] === 1);
}

/** Characters of a text in a name. */
const MOST_TEXT = 60;

function shortened(text: string): string {
  return text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}…` : text;
}

/** Whether a column of sizes, or of objects in their place, is shown. */
export function sizeColumns(sizes: HeapSizes, key: string): boolean {
  if (key === 'retained_objects') return !hasSizes(sizes);
  return hasSizes(sizes) || (key !== 'shallow' && key !== 'retained');
}

export const NO_SIZES = note('no-sizes', 'This file has no sizes: objects are counted.');

/** How sizes were found, as a note. */
export function sizeNotes({ rule, layout, source }: HeapSizes): Note[] {
  if (rule === 'unknown') return [NO_SIZES];
  if (rule === 'recorded') return [];
  if (rule === 'mat')
    return [note('sizes-of-mat', 'Sizes follow the rule of Eclipse MAT, not those of the virtual machine.')];
  if (layout.from === 'ids')
    return [note('sizes-estimated', 'Sizes are estimated: ids of this dump are not addresses.')];
  const gaps = source.reduce((sum, sizeSource) => sum + (sizeSource === 1 ? 1 : 0), 0);
  const lengths = `header ${layout.header}, references ${layout.reference} bytes`;
  return [note('sizes', `Sizes: ${lengths}, from distances between objects (${gaps} classes) and the layout rule.`)];
}
