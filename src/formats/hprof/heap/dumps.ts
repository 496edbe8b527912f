/** The heaps of a file: each dump is scanned once, and its graph is read from the source when it is asked for. */
import type { ProblemLog } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import { formatCount, plural } from '../../../base/units.js';
import type { ByteSpan, Heap, HeapObjects, HeapReader, ObjectGraph } from '../../../models/heap/heap.js';
import type { HeapRecordSink } from '../../../models/heap/heap-records.js';
import type { ObjectId } from '../../../models/heap/object-ids.js';
import { countKinds } from '../../../models/heap/root-kinds.js';
import type { TraceRows } from '../../../models/profile/tables.js';
import { ROOT_JAVA_FRAME, ROOT_JNI_LOCAL } from '../tags.js';
import { type GraphPlan, graphBytes, graphPlan, readGraph } from './graph.js';
import { type HeapNames, type ReadClasses, readClasses } from './heap-classes.js';
import { wrongLengths } from './instance-lengths.js';
import { readFields, readPart } from './part.js';
import { Crew, type DumpInput } from './passes/crew.js';
import { relay } from './passes/relay.js';
import type { ScanPart } from './passes/scan-part.js';
import { rootKind } from './roots.js';
import { readValues } from './values.js';
import { vmSizes } from './vm-sizes.js';

/** Segments of one dump, and what the first pass found in them. */
export interface ScannedDump {
  readonly dump: number;
  readonly offset: number;
  readonly part: ScanPart;
  readonly from: Float64Array;
  readonly to: Float64Array;
}

/** Segments of a dump: where the sub-records are in the file. */
export interface DumpSegments {
  readonly from: Float64Array;
  readonly to: Float64Array;
}

/** A dump in the residue of a recording. */
export interface DumpResidue {
  readonly idSize: number;
  readonly plan: GraphPlan;
}

/** Long ranges in parts of some MiB: threads share them. */
export function splitAt({ from, to }: DumpSegments, marks: Float64Array): DumpSegments {
  const starts: number[] = [];
  const ends: number[] = [];
  let mark = 0;
  for (let i = 0; i < from.length; i++) {
    let start = from[i];
    while (mark < marks.length && marks[mark] <= start) mark++;
    for (; mark < marks.length && marks[mark] < to[i]; mark++) {
      starts.push(start);
      ends.push(marks[mark]);
      start = marks[mark];
    }
    starts.push(start);
    ends.push(to[i]);
  }
  return { from: shared(starts), to: shared(ends) };
}

/** In shared memory, so that threads need no copy. */
export function shared(values: readonly number[]): Float64Array {
  const column = new Float64Array(new SharedArrayBuffer(values.length * 8));
  column.set(values);
  return column;
}

/** The heap of a scanned dump, once all names are known. */
export function heapOf(
  scanned: ScannedDump,
  idSize: number,
  names: HeapNames,
  problems: ProblemLog,
): { heap: Heap; residue: DumpResidue } {
  const { part, dump, offset } = scanned;
  const bytes = scanned.from.reduce((sum, from, i) => sum + scanned.to[i] - from, 0);
  const read = readClasses(part, names, idSize, bytes);
  noteClasses(read, part, idSize, offset, problems);
  const plan = graphPlan(part, read, idSize, scanned);
  const heap: Heap = {
    dump,
    idSize,
    classes: read.classes,
    sizes: vmSizes(part, read, idSize),
    roots: part.roots.tag.length,
    rootKinds: countKinds(Array.from(part.roots.tag, rootKind)),
    graphBytes: graphBytes(plan),
  };
  return { heap, residue: { idSize, plan } };
}

function noteClasses(read: ReadClasses, part: ScanPart, idSize: number, offset: number, problems: ProblemLog): void {
  const note = (code: string, severity: 'error' | 'warning' | 'info', message: string): void =>
    problems.add({ code, severity, offset, message });
  if (read.twice > 0)
    note(
      'hprof-class-twice',
      'warning',
      `${plural(read.twice, 'class dump repeats', 'class dumps repeat')} the id of another class: the first is used`,
    );
  if (read.undefined > 0)
    note(
      'hprof-class-missing',
      'warning',
      `${plural(read.undefined, 'class has', 'classes have')} objects but no class dump: the fields of these objects are unknown`,
    );
  if (part.twice > 0)
    note(
      'hprof-object-twice',
      'error',
      `${plural(part.twice, 'object has', 'objects have')} the id of another object or class: only the first counts`,
    );
  if (read.circular > 0)
    note(
      'hprof-class-circle',
      'error',
      `${plural(read.circular, 'class extends', 'classes extend')} a class that extends it: this class counts as one without super class`,
    );
  if (read.orphans > 0)
    note(
      'hprof-super-missing',
      'warning',
      `${plural(read.orphans, 'class extends', 'classes extend')} a class without class dump: its fields are unknown`,
    );
  const lengths = wrongLengths(part, read, idSize);
  if (lengths.instances > 0)
    note(
      'hprof-instance-length',
      'error',
      `at least ${plural(lengths.instances, 'instance', 'instances')} of ${plural(lengths.classes, 'class', 'classes')} with more or fewer bytes than the fields of the class`,
    );
  if (part.huge > 0)
    note('hprof-id', 'warning', `${formatCount(part.huge)} objects have ids beyond 2^53 and are only counted`);
}

/** Reads graphs and values of the dumps of a file. */
export class DumpReader implements HeapReader {
  readonly #input: DumpInput;
  readonly #heaps: readonly Heap[];
  readonly #residues: readonly DumpResidue[];
  readonly #traces: TraceRows | undefined;

  constructor(input: DumpInput, heaps: readonly Heap[], residues: readonly DumpResidue[], traces?: TraceRows) {
    this.#input = input;
    this.#heaps = heaps;
    this.#residues = residues;
    this.#traces = traces;
  }

  async graph(dump: number, work: Work = {}): Promise<ObjectGraph> {
    const at = this.#at(dump);
    const { idSize, plan } = this.#residues[at];
    const crew = new Crew(this.#input, idSize, plan.from, plan.to);
    const graph = await readGraph(crew, this.#heaps[at].classes, plan, work);
    toTraceRows(graph.roots.trace, this.#traces);
    if (graph.trace !== undefined) toTraceRows(graph.trace, this.#traces);
    return graph;
  }

  async part(dump: number, ids: Iterable<number>, work: Work = {}): Promise<HeapObjects> {
    const at = this.#at(dump);
    const { idSize, plan } = this.#residues[at];
    const crew = new Crew(this.#input, idSize, plan.from, plan.to);
    const objects = await readPart(crew, this.#heaps[at].classes, plan, ids, work);
    toTraceRows(objects.roots.trace, this.#traces);
    if (objects.trace !== undefined) toTraceRows(objects.trace, this.#traces);
    return objects;
  }

  async fields(
    dump: number,
    heapClasses: readonly number[],
    names: readonly number[],
    work: Work = {},
  ): Promise<readonly Float64Array[]> {
    const at = this.#at(dump);
    const { idSize, plan } = this.#residues[at];
    const crew = new Crew(this.#input, idSize, plan.from, plan.to);
    return readFields(crew, this.#heaps[at].classes, plan, { heapClasses, names }, work);
  }

  values(
    dump: number,
    graph: HeapObjects,
    wanted: ReadonlyMap<ObjectId, ByteSpan>,
    work: Work = {},
  ): Promise<ReadonlyMap<ObjectId, Uint8Array>> {
    const { idSize, plan } = this.#residues[this.#at(dump)];
    return readValues(this.#input, { idSize, plan, graph, wanted }, work);
  }

  async records(dump: number, sink: HeapRecordSink, work: Work = {}): Promise<boolean> {
    const { idSize, plan } = this.#residues[this.#at(dump)];
    const { tag, object, thread, detail } = plan.roots;
    for (let i = 0; i < tag.length; i++) {
      const frame = tag[i] === ROOT_JAVA_FRAME || tag[i] === ROOT_JNI_LOCAL ? detail[i] : -1;
      sink.root({ kind: rootKind(tag[i]), object: object[i], thread: thread[i], frame });
    }
    return relay(this.#input, idSize, plan, sink, work);
  }

  #at(dump: number): number {
    return this.#heaps.findIndex((heap) => heap.dump === dump);
  }
}

/** Serials of traces become their rows in the profile, in place; -1 for those that are not there. */
function toTraceRows(column: Int32Array, traces: TraceRows | undefined): void {
  const rows = new Map<number, number>();
  for (let row = (traces?.length ?? 0) - 1; row >= 0; row--) rows.set((traces?.serial[row] ?? 0) | 0, row);
  // Objects of one place often follow each other.
  let serial = -1;
  let known = -1;
  for (let i = 0; i < column.length; i++) {
    if (column[i] !== serial) {
      serial = column[i];
      known = rows.get(serial) ?? -1;
    }
    column[i] = known;
  }
}
