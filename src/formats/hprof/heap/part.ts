/**
 * A few objects of a dump: one pass over it that looks for their ids or their classes, in memory for these only. For dumps whose
 * graph would not fit into memory, and for questions that need no graph.
 */
import type { Work } from '../../../base/progress.js';
import { type HeapClasses, type HeapObjects, NO_ROW, noClass } from '../../../models/heap/heap.js';
import { type ObjectIds, RowLookup, sortedIds } from '../../../models/heap/object-ids.js';
import { fieldPlaces } from '../../../models/heap/values.js';
import { classObjects, type GraphPlan, rootsOf } from './graph.js';
import type { Crew } from './passes/crew.js';
import type { FieldAt, WantedFields } from './passes/field-pass.js';
import type { PartColumns } from './passes/part-pass.js';

/** Finds objects by id. Ids without an object are left out. Its traces are serials of the file. */
export async function readPart(
  crew: Crew,
  classes: HeapClasses,
  plan: GraphPlan,
  wanted: Iterable<number>,
  work: Work = {},
): Promise<HeapObjects> {
  const ids = sortedIds(Float64Array.from(wanted));
  const shared = (): SharedArrayBuffer => new SharedArrayBuffer(ids.length * 4);
  const columns: PartColumns = {
    class: new Int32Array(shared()),
    elements: new Uint32Array(shared()),
    trace: new Int32Array(shared()),
    range: new Int32Array(shared()),
  };
  await crew.pass({ kind: 'part', ids, fields: plan.fields, columns }, 'finding objects', false, work);
  const isClass = new Set(classes.address);
  const sorted = ids.sorted ?? new Float64Array(0);
  const found = sorted.filter((id, row) => columns.class[row] !== 0 || isClass.has(id));
  return finishPart(sortedIds(found), new RowLookup(ids), columns, classes, plan);
}

function finishPart(
  ids: ObjectIds,
  known: RowLookup,
  columns: PartColumns,
  heapClasses: HeapClasses,
  plan: GraphPlan,
): HeapObjects {
  const of = Uint32Array.from(ids.sorted ?? [], (id) => known.row(id));
  const classes = Uint32Array.from(of, (row) => columns.class[row] - 2);
  const none = noClass(classes);
  const mirrors = classObjects(ids, heapClasses);
  for (let row = 0; row < classes.length; row++) if (columns.class[of[row]] < 2) classes[row] = none;
  for (const row of mirrors.mirrorRow) classes[row] = plan.classClass < 0 ? none : plan.classClass;
  const least = new Uint32Array(plan.from.length).fill(NO_ROW);
  const most = new Uint32Array(plan.from.length);
  for (let row = 0; row < of.length; row++) {
    const range = columns.range[of[row]];
    least[range] = Math.min(least[range], row);
    most[range] = Math.max(most[range], row);
  }
  return {
    ids,
    class: classes,
    elements: Uint32Array.from(of, (row) => columns.elements[row]),
    ...mirrors,
    roots: rootsOf(ids, plan.roots),
    missing: 0,
    twice: 0,
    ranges: { least, most },
    ...(plan.traced && { trace: Int32Array.from(of, (row) => columns.trace[row]) }),
  };
}

/** Fields of all instances of some classes, by name; the field of the class itself if names repeat. */
export async function readFields(
  crew: Crew,
  classes: HeapClasses,
  { fields }: Pick<GraphPlan, 'fields'>,
  { heapClasses, names }: { readonly heapClasses: readonly number[]; readonly names: readonly number[] },
  work: Work,
): Promise<readonly Float64Array[]> {
  const most = heapClasses.reduce((sum, row) => sum + classes.objects[row], 0);
  const placesOf = (row: number): FieldAt[] => {
    const places = fieldPlaces(classes, row, crew.idSize);
    return names.map((name) => places.find((place) => place.name === name) ?? { at: -1, type: 0 });
  };
  const wanted: WantedFields = {
    classes: Array.from(fields.id, (id, i) => ({ id, row: fields.heapClass[i] }))
      .filter(({ row }) => heapClasses.includes(row))
      .map(({ id, row }) => ({ id, fields: placesOf(row) })),
    columns: names.map(() => new Float64Array(new SharedArrayBuffer(most * 8))),
    next: new Int32Array(new SharedArrayBuffer(4)),
  };
  await crew.pass({ kind: 'fields', wanted }, 'reading fields', false, work);
  return wanted.columns.map((column) => column.slice(0, wanted.next[0]));
}
