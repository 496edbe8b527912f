/** The heaps of a file: its dumps are scanned after the walk over the records, which found their segments and all names. */
import type { ProblemLog } from '../../base/problems.js';
import type { Work } from '../../base/progress.js';
import { decodeUtf8 } from '../../base/text.js';
import { formatCount } from '../../base/units.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { Heap, HeapReader } from '../../models/heap/heap.js';
import { TRACES } from '../../models/profile/tables.js';
import { binaryTypeName } from '../../models/program/names.js';
import type { Recording } from '../../models/recording.js';
import { DumpReader, type DumpResidue, type DumpSegments, heapOf, shared, splitAt } from './heap/dumps.js';
import type { HeapNames } from './heap/heap-classes.js';
import { Crew, type DumpInput, LEAST_FOR_KERNELS, type OpenDump, prepareThreads } from './heap/passes/crew.js';
import type { RootColumns } from './heap/passes/scan-part.js';
import { STACK_CHUNK } from './heap/passes/stack-chunks.js';
import { firstObjects } from './heap/repeated-ids.js';
import { openInput } from './records/input.js';
import type { HprofRecords } from './records/records.js';
import { ROOT_THREAD_OBJECT } from './tags.js';

/** The heaps of a recording, and what its residue keeps to read their graphs. */
export interface ReadHeaps {
  readonly heaps: readonly Heap[];
  readonly dumps: readonly DumpResidue[];
}

/**
 * Scans all dumps: one pass over their bytes. Call it before the program is finished: it adds names and classes.
 * `kernelsFrom`: see `DumpInput`.
 */
export async function readHeaps(
  source: ByteSource,
  records: HprofRecords,
  work: Work,
  kernelsFrom?: number,
): Promise<ReadHeaps> {
  const { outline, moments, problems } = records;
  const { idSize } = outline.head;
  const input = dumpInput(source, kernelsFrom);
  const names = namesOf(records);
  const chunkClass = classIdNamed(records, STACK_CHUNK);
  const heaps: Heap[] = [];
  const dumps: DumpResidue[] = [];
  for (let dump = 0; dump < outline.dumps; dump++) {
    const segments = segmentsOf(records, dump);
    const crew = new Crew(input, idSize, segments.from, segments.to);
    const { part: all, reached, marks } = await crew.scan(chunkClass, work);
    noteEnds(segments, reached, outline.end, problems);
    const firsts = await firstObjects(crew, all, chunkClass, work);
    if (firsts === undefined) noteOrder(all.objects, segments.from[0], problems);
    const part = firsts ?? all;
    addThreads(part.roots, records);
    // Further passes read what the first one read.
    const ranges = splitAt(segments, marks);
    const scanned = { dump: moments[dump] ?? dump, offset: segments.from[0] - 9, part, ...ranges };
    const { heap, residue } = heapOf(scanned, idSize, names, problems);
    heaps.push(heap);
    dumps.push(residue);
  }
  return { heaps, dumps };
}

/** Reads graphs and values of a recording that was read from this source. `kernelsFrom`: see `DumpInput`. */
export function heapReader(source: ByteSource, recording: Recording, kernelsFrom?: number): HeapReader {
  const traces = recording.profile?.traces;
  return new DumpReader(
    dumpInput(source, kernelsFrom),
    recording.heaps ?? [],
    dumpsOf(recording),
    traces === undefined ? undefined : TRACES.rows(traces),
  );
}

/** What `read.ts` put into the residue. */
function dumpsOf({ residue }: Recording): readonly DumpResidue[] {
  return typeof residue === 'object' && residue !== null && 'dumps' in residue && Array.isArray(residue.dumps)
    ? residue.dumps
    : [];
}

/** Call it before the walk over the records. */
export function prepareHeaps(source: ByteSource, work: Work): void {
  prepareThreads(source, work);
}

function dumpInput(source: ByteSource, kernelsFrom = LEAST_FOR_KERNELS): DumpInput {
  const open = async (): Promise<OpenDump> => {
    const { readAt, close, path } = await openInput(source);
    return { readAt, close, path };
  };
  return { open, kernelsFrom };
}

function segmentsOf({ outline }: HprofRecords, dump: number): DumpSegments {
  const { segments } = outline;
  const rows = Array.from({ length: segments.length }, (_, i) => i).filter((i) => segments.dump[i] === dump);
  return {
    from: shared(rows.map((i) => segments.from[i])),
    // A sub-record that runs over the edge of its segment is whole before the next one begins.
    to: shared(rows.map((i) => segments.to[i])),
  };
}

/** Threads that only roots name: Android writes no other record of them. The agents have one for threads they do not know. */
function addThreads({ tag, object, thread }: RootColumns, { reader }: HprofRecords): void {
  for (let i = 0; i < tag.length; i++)
    if (tag[i] === ROOT_THREAD_OBJECT && object[i] !== 0) reader.threads.rowOf(thread[i]);
}

/** Reports that objects with one address would not be noticed. */
function noteOrder(objects: number, offset: number, problems: ProblemLog): void {
  const message = `addresses of ${formatCount(objects)} objects are in no order: whether two are the same is not checked, and the histogram counts both then`;
  problems.add({ code: 'hprof-object-order', severity: 'info', offset, message });
}

/** Reports segments whose sub-records do not end at their edge; where they run over it, the edge moves. */
function noteEnds({ from, to }: DumpSegments, reached: Float64Array, size: number, problems: ProblemLog): void {
  for (let i = 0; i < from.length; i++) {
    if (reached[i] === to[i]) continue;
    if (reached[i] > to[i]) {
      const isCut = reached[i] > size;
      const message = `an object runs over the end of its segment by ${formatCount(reached[i] - to[i])} bytes`;
      problems.add({ code: 'hprof-overrun', severity: isCut ? 'error' : 'warning', offset: to[i], message });
      to[i] = Math.min(reached[i], size, from[i + 1] ?? size);
      continue;
    }
    const left = formatCount(to[i] - reached[i]);
    const message = `the last ${left} bytes of this segment are not read: no whole object begins here`;
    problems.add({ code: 'hprof-sub-record', severity: 'error', offset: reached[i], message });
    to[i] = reached[i];
  }
}

/** The id of a class; -1 if no record has it. */
function classIdNamed({ reader }: HprofRecords, name: string): number {
  const id = reader.classes.idNamed(new TextEncoder().encode(name));
  return id === undefined ? -1 : id.high * 2 ** 32 + id.low;
}

function namesOf({ reader }: HprofRecords): HeapNames {
  const { program, names, classes } = reader;
  /** Names of arrays as the file spells them, by those of Java: one class has one name in the program. */
  const spelled = new Map<string, string>();
  return {
    className: (id) => {
      const name = names.className(classes.nameOf(classes.ofId(id)));
      if (name < 0) return undefined;
      const { bytes, offsets } = program.names;
      const text = decodeUtf8(bytes.bytes, offsets.values[name], offsets.values[name + 1]);
      const binary = binaryTypeName(text);
      if (binary !== text) spelled.set(binary, text);
      return binary;
    },
    classNamed: (name) => program.class(program.name(spelled.get(name) ?? name)),
    string: (id) => names.name(names.find(id)),
    named: (text) => program.name(text),
  };
}
