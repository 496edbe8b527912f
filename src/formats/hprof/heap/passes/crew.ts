/** Runs the passes over a dump, in several threads if the file is large and there are threads. */
import type { Work } from '../../../../base/progress.js';
import type { ByteSource } from '../../../../bytes/byte-source.js';
import type { FilePass } from '../../../capabilities/file-pass.js';
import { mergeParts } from '../merge.js';
import type { TakenIds } from './first-objects.js';
import type { ScanPart } from './scan-part.js';
import {
  COUNTERS,
  DONE,
  type Pass,
  type PassTask,
  PROGRESS_UNIT,
  type RangeRows,
  type Ranges,
  runPass,
  type Scanned,
} from './tasks.js';
import { MARK_STEP, type ReadAt } from './windows.js';

/** Name of the pass, among those of all formats. */
export const PASS_TASK = 'heap-pass';

/** Dumps with fewer bytes are read sooner than threads start. */
const LEAST_FOR_THREADS = 48 << 20;

/** Smaller dumps are read sooner than kernels are made. */
export const LEAST_FOR_KERNELS = 4 << 20;

/** Starts the threads if a file may need them. */
export function prepareThreads({ path, size }: Pick<ByteSource, 'path' | 'size'>, { threads }: Work): void {
  if (path !== undefined && (size ?? 0) >= LEAST_FOR_THREADS) threads?.prepare();
}

/** Where a dump is read from. */
export interface DumpInput {
  readonly open: () => Promise<OpenDump>;
  /** Bytes of a dump from which kernels read it. */
  readonly kernelsFrom: number;
}

/** A source that is read: at ascending offsets only, if it is a stream. */
export interface OpenDump {
  readonly readAt: ReadAt;
  readonly close: () => Promise<void>;
  /** A file with its bytes, where there is one: threads open it. */
  readonly path: string | undefined;
}

export class Crew {
  readonly idSize: number;
  /** Of all ranges. */
  readonly bytes: number;
  /** Whether kernels take the usual objects. */
  readonly kernels: boolean;
  readonly #input: DumpInput;
  readonly from: Float64Array;
  readonly to: Float64Array;

  /** `from`, `to`: ranges of whole sub-records, ascending. */
  constructor(input: DumpInput, idSize: number, from: Float64Array, to: Float64Array) {
    this.idSize = idSize;
    this.#input = input;
    this.from = from;
    this.to = to;
    this.bytes = from.reduce((sum, start, i) => sum + to[i] - start, 0);
    this.kernels = this.bytes >= input.kernelsFrom;
  }

  /** The first pass. `chunkClass`: id of the class of stacks, or -1. `reached`: where each range ended; `marks`: where long ranges can be split. */
  async scan(chunkClass: number, work: Work): Promise<{ part: ScanPart; reached: Float64Array; marks: Float64Array }> {
    const ranges = this.#ranges();
    const found = await this.#run({ kind: 'scan', kernels: this.kernels, chunkClass }, ranges, 'reading', false, work);
    const scanned = found.filter((one): one is Scanned => one !== undefined);
    const marks = Float64Array.from(scanned.flatMap((one) => [...one.marks])).sort();
    return { part: mergeParts(scanned.map(({ part }) => part)), reached: ranges.reached, marks };
  }

  /** The first pass once more, in order, without objects that have the id of one before them or of a class. */
  async scanFirsts(chunkClass: number, firsts: TakenIds, work: Work): Promise<ScanPart> {
    const pass: Pass = { kind: 'scan', kernels: false, chunkClass, firsts };
    const scans = await this.#run(pass, this.#ranges(), 'reading', true, work);
    return mergeParts(scans.flatMap((scan) => scan?.part ?? []));
  }

  /** A further pass. `inOrder`: the ranges one after the other. */
  async pass(pass: Exclude<Pass, { kind: 'scan' }>, phase: string, inOrder: boolean, work: Work): Promise<void> {
    await this.#run(pass, this.#ranges(), phase, inOrder, work);
  }

  /** Columns for the rows of each range. */
  rangeRows(): RangeRows {
    const { length } = this.from;
    return {
      least: new Uint32Array(new SharedArrayBuffer(length * 4)),
      most: new Uint32Array(new SharedArrayBuffer(length * 4)),
    };
  }

  #ranges(): Ranges {
    return {
      from: this.from,
      to: this.to,
      reached: new Float64Array(new SharedArrayBuffer(this.from.length * 8)),
      counters: new Int32Array(new SharedArrayBuffer(COUNTERS * 4)),
    };
  }

  async #run(
    pass: Pass,
    ranges: Ranges,
    phase: string,
    inOrder: boolean,
    work: Work,
  ): Promise<(Scanned | undefined)[]> {
    const task: PassTask = { idSize: this.idSize, ranges, pass };
    const { readAt, path, close } = await this.#input.open();
    const stop = reportProgress(ranges, phase, this.bytes, work);
    try {
      const { threads } = work;
      if (threads === undefined || path === undefined || this.bytes < (threads.least ?? LEAST_FOR_THREADS))
        return [await runPass(task, readAt, work)];
      const count = inOrder ? 1 : Math.min(threads.count, Math.ceil(this.bytes / MARK_STEP));
      const argument: FilePass = { path, task };
      // This thread is one of them: it begins while the others start. Reads of whole windows let it answer signals.
      const others = Array.from({ length: count - 1 }, () => threads.run(PASS_TASK, argument, work.signal));
      const running = [runPass(task, readAt, work), ...others];
      return (await Promise.all(running)).map((found) => (isScanned(found) ? found : undefined));
    } finally {
      stop();
      await close();
    }
  }
}

/** What a thread returns for a scan. */
function isScanned(found: unknown): found is Scanned {
  return typeof found === 'object' && found !== null && 'part' in found && 'marks' in found;
}

/** Reports the shared counter now and then. */
function reportProgress({ counters }: Ranges, phase: string, total: number, { progress }: Work): () => void {
  if (progress === undefined) return () => undefined;
  const report = (): void => {
    const done = Math.min(total, Atomics.load(counters, DONE) * PROGRESS_UNIT);
    progress({ phase, done, total, unit: 'bytes' });
  };
  report();
  const timer = setInterval(report, 100);
  return () => clearInterval(timer);
}
