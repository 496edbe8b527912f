/** Writes a heap of any dump file as the bytes of JVMPI's HEAP_DUMP (docs/formats/jvmpi.md). */
import { KansokuError, UsageError } from '../../base/errors.js';
import type { Work } from '../../base/progress.js';
import {
  type DumpLevel,
  type HeapDumpClasses,
  HeapDumpSink,
  type InstanceLayout,
  writeMonitors,
} from '../../formats/jvmpi/index.js';
import { type Heap, OBJECT_KINDS, OBJECT_TYPE } from '../../models/heap/heap.js';
import { fieldPlaces, recordedBytes } from '../../models/heap/values.js';
import type { OpenRecording } from '../../models/open-recording.js';
import { binaryTypeName, className } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Recording } from '../../models/recording.js';
import { writeStream } from '../write.node.js';
import { type MonitorDumpReport, monitorRecords } from './monitors.js';

/** Bytes that are made before they are written. */
const CHUNK = 4 << 20;

export interface HeapDumpOptions {
  readonly level: DumpLevel;
  /** Number of the dump in the recording; the last one if not given. */
  readonly dump?: number;
  /** Order of bytes in ids and pointers (default: little, as on x86). */
  readonly byteOrder?: 'big' | 'little';
  readonly work?: Work;
}

/** What was made. */
export interface HeapDumpReport {
  /** False if the last object of the file is cut. */
  readonly complete: boolean;
  /** Instances whose fields the file does not describe: their references are as in the file. */
  readonly unknown: number;
}

/** Where references are in instances, and the classes of elements. */
export function dumpClasses({ classes, idSize }: Heap, program: Program): HeapDumpClasses {
  const layouts = new Map<number, InstanceLayout>();
  const byName = new Map<string, number>();
  const names: string[] = [];
  for (let row = 0; row < classes.length; row++) {
    const name = classes.class[row] < 0 ? '' : binaryTypeName(className(program, classes.class[row]));
    names.push(name);
    byName.set(`${classes.loader[row]} ${name}`, classes.address[row]);
    if (OBJECT_KINDS[classes.kind[row]] !== 'instance') continue;
    const places = fieldPlaces(classes, row, idSize);
    layouts.set(classes.address[row], {
      bytes: places.reduce((sum, { type }) => sum + recordedBytes(type, idSize), 0),
      references: Int32Array.from(places.filter(({ type }) => type === OBJECT_TYPE).map(({ at }) => at)),
    });
  }
  const elements = new Map<number, number>();
  for (let row = 0; row < classes.length; row++) {
    const element = names[row].replace(/^\[(?:L(.*);)?/, '$1');
    const own = names[row].startsWith('[') ? byName.get(`${classes.loader[row]} ${element}`) : classes.address[row];
    // The agents of JDK 1.2 to 8 have the class of the elements in place of that of the array.
    elements.set(classes.address[row], own ?? byName.get(`0 ${element}`) ?? 0);
  }
  return { layouts, elements };
}

/** The bytes in chunks; `report` is complete behind the last one. Throws UsageError if the recording has no such heap, or its file no records. */
export function heapDump(
  source: OpenRecording,
  { level, dump, byteOrder = 'little', work = {} }: HeapDumpOptions,
): { readonly chunks: AsyncGenerator<Uint8Array>; readonly sink: HeapDumpSink; readonly report: () => HeapDumpReport } {
  const { recording } = source.current();
  const heap = chosenHeap(recording, dump);
  const { heaps } = source;
  if (heaps === undefined || (heap.idSize !== 4 && heap.idSize !== 8))
    throw new UsageError(`${recording.name}: a dump of JVMPI is made from binary heap dumps and recordings of JVMPI`, {
      code: 'no-dump-of-jvmpi',
    });
  const sink = new HeapDumpSink(level, { idSize: heap.idSize, byteOrder }, dumpClasses(heap, recording.program));
  let complete = true;
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    const queue = new Handover(sink);
    const reading = heaps.records(heap.dump, queue.sink, work).then(
      (whole) => {
        complete = whole;
        queue.end();
      },
      (error: unknown) => queue.end(error),
    );
    yield* queue.chunks();
    await reading;
  };
  return { chunks: chunks(), sink, report: () => ({ complete, unknown: sink.unknown }) };
}

function chosenHeap(recording: Recording, dump: number | undefined): Heap {
  const heap = dump === undefined ? recording.heaps?.at(-1) : recording.heaps?.find((each) => each.dump === dump);
  if (heap === undefined) throw new UsageError(`${recording.name}: there is no such heap dump`, { code: 'no-dump' });
  return heap;
}

/** Lets a reader go on only while what it made is taken. */
class Handover {
  readonly sink: HeapDumpSink;
  #ended = false;
  #stopped = false;
  #error: unknown;
  #wake: () => void = () => undefined;
  #goOn: () => void = () => undefined;

  constructor(sink: HeapDumpSink) {
    this.sink = sink;
    sink.onPause = () => {
      if (this.#stopped) return Promise.reject(new KansokuError('stopped', { code: 'stopped' }));
      if (sink.length < CHUNK) return undefined;
      this.#wake();
      return new Promise((resolve) => {
        this.#goOn = resolve;
      });
    };
  }

  end(error?: unknown): void {
    this.#ended = true;
    this.#error = error;
    this.#wake();
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      while (!this.#ended) {
        if (this.sink.length < CHUNK)
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        if (this.sink.length > 0) yield this.sink.take();
        this.#goOn();
      }
    } finally {
      // Who takes the chunks may have failed.
      this.#stopped = true;
      this.#goOn();
    }
    if (this.sink.length > 0) yield this.sink.take();
    if (this.#error !== undefined) throw this.#error;
  }
}

/** Writes a heap dump of JVMPI to a file. Throws UsageError as `heapDump` does. */
export async function writeHeapDump(
  source: OpenRecording,
  path: string,
  options: HeapDumpOptions & { readonly inputs?: readonly string[] },
): Promise<HeapDumpReport> {
  const { inputs, work, level, byteOrder = 'little' } = options;
  const writing = { ...(inputs && { inputs }), ...(work && { work }) };
  if (source.heapDump !== undefined) {
    const { dump } = chosenHeap(source.current().recording, options.dump);
    await writeStream(single(await source.heapDump(dump, level, byteOrder, work)), path, writing);
    return { complete: true, unknown: 0 };
  }
  const { chunks, report } = heapDump(source, options);
  await writeStream(chunks, path, writing);
  return report();
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

export interface MonitorDumpOptions extends Pick<HeapDumpOptions, 'dump' | 'byteOrder' | 'work'> {
  readonly inputs?: readonly string[];
}

/** Writes the monitors of a dump as MONITOR_DUMP. Throws UsageError if the recording has no such dump of monitors. */
export async function writeMonitorDump(
  { current }: Pick<OpenRecording, 'current'>,
  path: string,
  { dump, byteOrder = 'little', inputs, work }: MonitorDumpOptions,
): Promise<MonitorDumpReport> {
  const { recording } = current();
  const { records, ...report } = monitorRecords(recording, dump);
  const bytes = writeMonitors(records, { idSize: 8, byteOrder });
  await writeStream(single(bytes), path, { ...(inputs && { inputs }), ...(work && { work }) });
  return report;
}
