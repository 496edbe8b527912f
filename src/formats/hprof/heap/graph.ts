/** The graph of a dump: ids and references are read in two passes over the file, then class objects and roots are joined. */
import { sharedBytes } from '../../../base/columns/shared.js';
import { TooLargeError } from '../../../base/errors.js';
import type { Work } from '../../../base/progress.js';
import { formatCount } from '../../../base/units.js';
import {
  type GraphRoots,
  type HeapClasses,
  MOST_OBJECTS,
  mirrorsOf,
  NO_ROW,
  noClass,
  type ObjectGraph,
} from '../../../models/heap/heap.js';
import {
  finishIds,
  type IdRange,
  idBuilder,
  idBytes,
  layoutOf,
  type ObjectIds,
  RowLookup,
  wordBytes,
} from '../../../models/heap/object-ids.js';
import type { ReadClasses } from './heap-classes.js';
import { graphMemory } from './kernel/graph-kernel.js';
import type { Crew } from './passes/crew.js';
import { type GraphColumns, MISSING, type ReferenceFields, TARGETS } from './passes/graph-columns.js';
import type { RootColumns, ScanPart } from './passes/scan-part.js';
import { idRange } from './repeated-ids.js';
import { rootKind } from './roots.js';

/** What the first pass leaves for the graph: plain data, kept with the recording. */
export interface GraphPlan {
  readonly ids: IdRange;
  /** Ranges of whole sub-records, ascending. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** At most. */
  readonly references: number;
  /** Whether objects have different allocation traces. */
  readonly traced: boolean;
  readonly roots: RootColumns;
  readonly fields: ReferenceFields;
  /** Heap class of `java.lang.Class`; -1. */
  readonly classClass: number;
}

export function graphPlan(
  scan: ScanPart,
  read: ReadClasses,
  idSize: number,
  { from, to }: Pick<GraphPlan, 'from' | 'to'>,
): GraphPlan {
  const { traced, roots } = scan;
  const bytes = from.reduce((sum, start, i) => sum + to[i] - start, 0);
  return {
    ids: idRange(scan),
    from,
    to,
    references: mostReferences(scan, read, bytes, idSize),
    traced,
    roots,
    fields: read.fields,
    classClass: read.classClass,
  };
}

/** By fields of classes and elements of arrays, and by the bytes of the file. */
function mostReferences(
  { id, classes, instances, elements }: ScanPart,
  { fields, ofInstances, ofArrays }: ReadClasses,
  bytes: number,
  idSize: number,
): number {
  let most = classes.length * 4 + classes.memberKind.length;
  for (let number = 0; number < id.length; number++) {
    const row = ofInstances[number];
    if (row >= 0) most += instances[number] * (fields.first[row + 1] - fields.first[row]);
    if (ofArrays[number] >= 0) most += elements[number];
  }
  return Math.min(most, Math.ceil(bytes / idSize));
}

/** Memory of the graph, about: known before it is read. */
export function graphBytes({ ids, references, traced }: GraphPlan): number {
  return idBytes(ids) + ids.most * (traced ? 16 : 12) + references * 4;
}

/** Reads a graph. Its traces are serials of the file. */
export async function readGraph(
  crew: Crew,
  classes: HeapClasses,
  plan: GraphPlan,
  work: Work = {},
): Promise<ObjectGraph> {
  const layout = crew.kernels ? layoutOf(plan.ids) : undefined;
  const memory = layout && (await graphMemory(crew.idSize, layout, plan.fields, work.threads?.count ?? 1));
  const builder = idBuilder(
    plan.ids,
    memory && new Uint32Array(memory.memory.buffer, memory.words, wordBytes(layout) / 4),
  );
  await crew.pass({ kind: 'ids', ids: builder, memory }, 'finding objects', false, work);
  const ids = finishIds(builder);
  if (ids.length >= MOST_OBJECTS || plan.references >= 2 ** 32)
    throw new TooLargeError(
      `the heap has ${formatCount(ids.length)} objects and up to ${formatCount(plan.references)} references`,
      {
        code: 'heap-too-large',
        advice: `At most ${formatCount(MOST_OBJECTS)} and ${formatCount(2 ** 32)} can be followed; the histogram has no such limit.`,
      },
    );
  const columns: GraphColumns = {
    class:
      classes.length < 0xfffe
        ? new Uint16Array(sharedBytes(ids.length * 2))
        : new Uint32Array(sharedBytes(ids.length * 4)),
    elements: new Uint32Array(sharedBytes(ids.length * 4)),
    first: new Uint32Array(sharedBytes(ids.length * 4)),
    targets: new Uint32Array(sharedBytes(plan.references * 4)),
    counters: new Uint32Array(sharedBytes(8)),
    ...(plan.traced && { trace: new Int32Array(sharedBytes(ids.length * 4)) }),
  };
  const twice = plan.ids.most - ids.length;
  const rows = crew.rangeRows();
  // With two objects of one id, the first of the file counts: then the order of reading matters.
  const pass = {
    kind: 'references',
    ids,
    fields: plan.fields,
    columns,
    rows,
    // The kernel does not look whether a row is taken.
    memory: twice > 0 ? undefined : memory,
  } as const;
  await crew.pass(pass, 'reading references', twice > 0, work);
  return { ...finishGraph(ids, columns, classes, plan, twice), ranges: rows };
}

function finishGraph(
  ids: ObjectIds,
  columns: GraphColumns,
  heapClasses: HeapClasses,
  { classClass, roots }: GraphPlan,
  twice: number,
): ObjectGraph {
  const { class: classes, elements, first, targets, counters, trace } = columns;
  const none = noClass(classes);
  for (let row = 0; row < classes.length; row++) if (classes[row] !== none) classes[row]--;
  const mirrors = classObjects(ids, heapClasses);
  for (const row of mirrors.mirrorRow) classes[row] = classClass < 0 ? none : classClass;
  return {
    ids,
    class: classes,
    elements,
    ...mirrors,
    first,
    targets: targets.subarray(0, counters[TARGETS]),
    roots: rootsOf(ids, roots),
    missing: counters[MISSING],
    twice,
    ...(trace && { trace }),
  };
}

/** The rows of the class objects among these ids. */
export function classObjects(ids: ObjectIds, { address, length }: HeapClasses) {
  const classObject = new Uint32Array(length).fill(NO_ROW);
  const rows = new RowLookup(ids);
  for (let heapClass = 0; heapClass < length; heapClass++) {
    const row = address[heapClass] < 0 ? -1 : rows.row(address[heapClass]);
    if (row >= 0) classObject[heapClass] = row;
  }
  return { classObject, ...mirrorsOf(classObject) };
}

/** The roots that hold one of these objects. */
export function rootsOf(ids: ObjectIds, roots: RootColumns): GraphRoots {
  const count = roots.tag.length;
  const rows = new RowLookup(ids);
  const row = new Uint32Array(count);
  const kind = new Uint8Array(count);
  const thread = new Float64Array(count);
  const frame = new Int32Array(count);
  const trace = new Int32Array(count);
  let length = 0;
  for (let i = 0; i < count; i++) {
    const known = rows.row(roots.object[i]);
    const of = rootKind(roots.tag[i]);
    if (known < 0 || of < 0) continue;
    row[length] = known;
    kind[length] = of;
    thread[length] = roots.thread[i];
    frame[length] = of === THREAD ? -1 : roots.detail[i] | 0;
    trace[length] = of === THREAD ? roots.detail[i] | 0 : -1;
    length++;
  }
  return {
    length,
    row: row.subarray(0, length),
    kind: kind.subarray(0, length),
    thread: thread.subarray(0, length),
    frame: frame.subarray(0, length),
    trace: trace.subarray(0, length),
  };
}

const THREAD = rootKind(0x08);
