/**
 * One pass over ranges of a dump, as a task of a thread. Threads take the next range from a shared counter until none is left,
 * so a slow one does less.
 */
import type { Work } from '../../../../base/progress.js';
import type { IdBuilder, ObjectIds } from '../../../../models/heap/object-ids.js';
import { GraphKernel, type GraphMemory } from '../kernel/graph-kernel.js';
import { ScanKernel } from '../kernel/scan-kernel.js';
import { FieldPass, type WantedFields } from './field-pass.js';
import { FirstObjects, type TakenIds } from './first-objects.js';
import type { GraphColumns, ReferenceFields } from './graph-columns.js';
import { IdPass } from './ids.js';
import { type PartColumns, PartPass } from './part-pass.js';
import { ReferencePass } from './references.js';
import { HeapScan } from './scan.js';
import type { ScanPart } from './scan-part.js';
import { eachWindow, type ReadAt, WindowBuffer, type WindowReader } from './windows.js';

/** Ranges of the file, in shared memory: from, to, and how far they were read. */
export interface Ranges {
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Where reading a range ended: see `eachWindow`. */
  readonly reached: Float64Array;
  /** The next range; bytes that were read, in units of `PROGRESS_UNIT`; threads that began. */
  readonly counters: Int32Array;
}

export const NEXT = 0;
export const DONE = 1;
export const THREADS = 2;
export const COUNTERS = 3;
export const PROGRESS_UNIT = 1 << 16;

/** What a pass reads, and where it puts it. With `kernels`, or the memory of some, kernels take the usual objects. */
export type Pass =
  | { readonly kind: 'scan'; readonly kernels: boolean; readonly chunkClass: number; readonly firsts?: TakenIds }
  | { readonly kind: 'ids'; readonly ids: IdBuilder; readonly memory: GraphMemory | undefined }
  | {
      readonly kind: 'references';
      readonly ids: ObjectIds;
      readonly fields: ReferenceFields;
      readonly columns: GraphColumns;
      readonly rows: RangeRows;
      readonly memory: GraphMemory | undefined;
    }
  | {
      readonly kind: 'part';
      readonly ids: ObjectIds;
      readonly fields: ReferenceFields;
      readonly columns: PartColumns;
    }
  | { readonly kind: 'fields'; readonly wanted: WantedFields };

/** The smallest and largest row of the objects in each range, in shared memory: where to look for an object. */
export interface RangeRows {
  readonly least: Uint32Array;
  readonly most: Uint32Array;
}

export interface PassTask {
  readonly idSize: number;
  readonly ranges: Ranges;
  readonly pass: Pass;
}

/** Result of a scan: also places between sub-records, about every `MARK_STEP` bytes, at which long ranges can be split. */
export interface Scanned {
  readonly part: ScanPart;
  readonly marks: Float64Array;
}

/** Runs a pass with this thread. The result is a `Scanned` for scans. */
export async function runPass(
  { idSize, ranges, pass }: PassTask,
  readAt: ReadAt,
  work: Work = {},
): Promise<Scanned | undefined> {
  const { from, to, reached, counters } = ranges;
  const reader = await readerOf(pass, idSize, Atomics.add(counters, THREADS, 1));
  const longest = from.reduce((most, start, i) => Math.max(most, to[i] - start), 0);
  const buffer = new WindowBuffer(longest, reader.room);
  const marks: number[] = [];
  const mark = pass.kind === 'scan' ? (offset: number) => marks.push(offset) : undefined;
  for (let i = Atomics.add(counters, NEXT, 1); i < from.length; i = Atomics.add(counters, NEXT, 1)) {
    if (reader instanceof ReferencePass) reader.limit = to[i];
    if (reader instanceof PartPass) reader.range = i;
    reader.unknown = undefined;
    reached[i] = await eachWindow(readAt, from[i], to[i], reader, buffer, { work, counters, ...(mark && { mark }) });
    if (reader instanceof HeapScan) reader.endRange();
    if (!(reader instanceof ReferencePass) || pass.kind !== 'references') continue;
    reader.endRange();
    const { least, most } = reader.takeRows();
    pass.rows.least[i] = least;
    pass.rows.most[i] = most;
  }
  return reader instanceof HeapScan ? { part: reader.finish(), marks: Float64Array.from(marks) } : undefined;
}

/** Runs what another thread asks for. */
export function runPassOf(task: unknown, readAt: ReadAt): Promise<Scanned | undefined> {
  if (!isPassTask(task)) throw new Error('this is no pass over a dump');
  return runPass(task, readAt);
}

/** `Crew` makes them, in this program. */
function isPassTask(task: unknown): task is PassTask {
  return typeof task === 'object' && task !== null && 'idSize' in task && 'ranges' in task && 'pass' in task;
}

async function scanOf(
  { kernels, chunkClass, firsts }: Extract<Pass, { kind: 'scan' }>,
  idSize: number,
): Promise<HeapScan> {
  if (firsts !== undefined) return new HeapScan(idSize, chunkClass, undefined, new FirstObjects(firsts));
  return new HeapScan(idSize, chunkClass, kernels ? await ScanKernel.load(idSize) : undefined);
}

async function readerOf(pass: Pass, idSize: number, thread: number): Promise<WindowReader> {
  if (pass.kind === 'scan') return scanOf(pass, idSize);
  if (pass.kind === 'part') return new PartPass(idSize, pass.ids, pass.fields, pass.columns);
  if (pass.kind === 'fields') return new FieldPass(idSize, pass.wanted);
  const kernel = pass.memory && (await GraphKernel.load(pass.memory, idSize, thread));
  if (pass.kind === 'ids') return new IdPass(idSize, pass.ids, kernel);
  return new ReferencePass(idSize, pass.ids, pass.fields, pass.columns, kernel);
}
