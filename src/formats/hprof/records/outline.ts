/**
 * The walk over the top-level records of a binary HPROF file: passes small ones on, and jumps over the segments of heap dumps,
 * whose places it returns. Sources: `hprof_b_spec.h` and `heapDumper.cpp` of OpenJDK; docs/formats/hprof.md has the damage it knows.
 *
 * Cost: 50 ns of CPU a record, one read of 4 KiB for each segment of more than 64 KiB; memory: a window of
 * 1 MiB, or the largest record, and 20 bytes a segment.
 */
import { Float64Builder, Int32Builder } from '../../../base/columns/columns.js';
import type { ProblemLog, Severity } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import { formatCount, plural } from '../../../base/units.js';
import { rootLengths } from '../heap/passes/root-builder.js';
import {
  CLASS_DUMP,
  HEAP_DUMP,
  HEAP_DUMP_END,
  HEAP_DUMP_INFO,
  HEAP_DUMP_SEGMENT,
  PRIMITIVE_ARRAY_DUMP,
} from '../tags.js';
import type { RecordInput } from './input.js';
import { type FileHead, isHeap, RECORD_HEAD, RecordLengths, recordName } from './record-heads.js';
import { RecordWindow } from './record-window.js';

/** Longer records, except heap dumps, are not read. */
const LONGEST_RECORD = 64 << 20;
/** A gap ends where so many plausible records follow each other, or the file ends. */
const CHAIN = 3;
/** How far the next records are looked for in one step, and how far a chain of them may reach. */
const SEARCHED = 256 << 10;
const WRAP = 2 ** 32;

/** Receives the records in the order of the file. */
export interface RecordSink {
  /** A whole record: its body is `length` bytes from `at` on. `offset`: of its tag in the file. Valid during the call only. */
  record(tag: number, view: DataView, at: number, length: number, offset: number): void;
  /** A dump begins: its number from 0 on. */
  dump?(number: number, offset: number): void;
  /** The sub-records of dumps, piece by piece, in place of jumping over them. */
  heap?(bytes: Uint8Array, offset: number, dump: number): void;
}

/** The segments of all dumps in the order of the file. */
export interface HeapSegments {
  readonly length: number;
  /**
   * Byte offsets of the sub-records: from, and to before. The end is what the file says: a sub-record may run over it, and the
   * next ones then begin behind it.
   */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Number of the dump from 0 on. A 0x0C record is a dump; so are 0x1C records up to the next 0x2C. */
  readonly dump: Int32Array;
}

export interface Outline {
  readonly head: FileHead;
  readonly segments: HeapSegments;
  readonly dumps: number;
  /** Where the walk ended: the size of the file. */
  readonly end: number;
  /** False if a part of the records was lost. */
  readonly complete: boolean;
  /** Number of records by tag. */
  readonly counts: Float64Array;
}

/** For going on where the sub-records of a segment ended that ran over its edge. */
export interface OutlineOptions {
  /** Where the first record begins; default: behind the head. */
  readonly from?: number;
  /** Number of the dump that the next segment continues; default: none. */
  readonly dump?: number;
  readonly work?: Work;
}

/** Walks over all records. */
export async function walkRecords(
  input: RecordInput,
  head: FileHead,
  sink: RecordSink,
  problems: ProblemLog,
  { from = head.length, dump = -1, work = {} }: OutlineOptions = {},
): Promise<Outline> {
  return new Walk(input, head, sink, problems, { from, dump, signal: work.signal }).run(work);
}

class Walk {
  readonly #input: RecordInput;
  readonly #head: FileHead;
  readonly #sink: RecordSink;
  readonly #problems: ProblemLog;
  readonly #lengths: RecordLengths;
  readonly #roots: Int16Array;
  readonly #window: RecordWindow;
  readonly #from = new Float64Builder();
  readonly #to = new Float64Builder();
  readonly #dump = new Int32Builder();
  readonly #counts = new Float64Array(256);
  readonly #signal: AbortSignal | undefined;
  #position: number;
  #dumps = 0;
  /** Whether the newest dump may go on in a further segment. */
  #open = false;
  #complete = true;

  constructor(
    input: RecordInput,
    head: FileHead,
    sink: RecordSink,
    problems: ProblemLog,
    { from, dump, signal }: { from: number; dump: number; signal: AbortSignal | undefined },
  ) {
    this.#input = input;
    this.#head = head;
    this.#sink = sink;
    this.#problems = problems;
    this.#lengths = new RecordLengths(head.idSize);
    this.#roots = rootLengths(head.idSize);
    this.#signal = signal;
    this.#position = from;
    this.#dumps = dump + 1;
    this.#open = dump >= 0;
    this.#window = new RecordWindow(input.readAt, from);
  }

  async run(work: Work): Promise<Outline> {
    for (;;) {
      // One await a window: most records are there already.
      if (this.#window.here(this.#position) < RECORD_HEAD) {
        this.#signal?.throwIfAborted();
        const got = await this.#window.need(this.#position, RECORD_HEAD);
        work.progress?.({ phase: 'reading', done: this.#position, total: this.#input.size(), unit: 'bytes' });
        if (got < RECORD_HEAD) {
          await this.#end(got);
          break;
        }
      }
      const stepping = this.#step();
      if (stepping !== undefined) await stepping;
    }
    return {
      head: this.#head,
      segments: {
        length: this.#from.length,
        from: this.#from.finish(),
        to: this.#to.finish(),
        dump: this.#dump.finish(),
      },
      dumps: this.#dumps,
      end: this.#position,
      complete: this.#complete,
      counts: this.#counts,
    };
  }

  /** Takes the record at the position, whose head is in the window. A promise only where bytes must be read for it. */
  #step(): Promise<void> | undefined {
    const window = this.#window;
    const at = window.at(this.#position);
    const tag = window.view.getUint8(at);
    const length = window.view.getUint32(at + 5);
    if (isHeap(tag)) return this.#heap(tag, length);
    if (!this.#lengths.fits(tag, length) || length > LONGEST_RECORD) return this.#odd(tag, length);
    const next = this.#position + RECORD_HEAD + length;
    if (window.here(next) < RECORD_HEAD || !this.#isPlausible(next)) return this.#doubtful(tag, length);
    this.#take(tag, length);
    return undefined;
  }

  #take(tag: number, length: number): void {
    const window = this.#window;
    const offset = this.#position;
    this.#counts[tag]++;
    if (tag === HEAP_DUMP_END) this.#open = false;
    else this.#sink.record(tag, window.view, window.at(offset + RECORD_HEAD), length, offset);
    this.#position = offset + RECORD_HEAD + length;
  }

  /** Whether a record may begin at an offset whose head is in the window. */
  #isPlausible(offset: number): boolean {
    const { view } = this.#window;
    const at = this.#window.at(offset);
    return this.#lengths.fits(view.getUint8(at), view.getUint32(at + 5));
  }

  /** Whether several records, or the last ones of the file, may begin at an offset; those behind the window are not looked at. */
  #isChain(offset: number): boolean {
    const window = this.#window;
    let next = offset;
    for (let count = 0; count < CHAIN; count++) {
      const here = window.here(next);
      if (here === 0 && window.ended) return count > 0;
      if (here < RECORD_HEAD) return !window.ended && (count > 1 || (count === 1 && this.#isSegment(offset)));
      if (!this.#isPlausible(next)) return false;
      next += RECORD_HEAD + window.view.getUint32(window.at(next) + 5);
    }
    return true;
  }

  /** Whether a segment as HotSpot and Android write it begins at an offset, with a root, class or object. */
  #isSegment(offset: number): boolean {
    const { view } = this.#window;
    const at = this.#window.at(offset);
    if (!isHeap(view.getUint8(at)) || view.getUint32(at + 1) !== 0 || at + RECORD_HEAD >= view.byteLength) return false;
    const tag = view.getUint8(at + RECORD_HEAD);
    return (tag >= CLASS_DUMP && tag <= PRIMITIVE_ARRAY_DUMP) || tag === HEAP_DUMP_INFO || this.#roots[tag] >= 0;
  }

  /** The first offset from `from` to before `to`, all of it in the window, where records go on; -1 if there is none. */
  #search(from: number, to: number): number {
    const window = this.#window;
    const { bytes } = window;
    const last = Math.min(to, from + window.here(from) - RECORD_HEAD + 1);
    for (let offset = from, at = window.at(from); offset < last; offset++, at++) {
      if (!this.#lengths.isKnown(bytes[at])) continue;
      if (this.#isPlausible(offset) && this.#isChain(offset)) return offset;
    }
    return -1;
  }

  /** A record after which no other can begin: it is the last one, its length is wrong, or the bytes after it are damaged. */
  async #doubtful(tag: number, length: number): Promise<void> {
    const offset = this.#position;
    const next = offset + RECORD_HEAD + length;
    const size = this.#input.size();
    const isCut = size !== undefined && next > size;
    const got = await this.#window.need(offset, isCut ? size - offset : RECORD_HEAD + length + RECORD_HEAD);
    const whole = got >= RECORD_HEAD + length;
    if (whole && (got < RECORD_HEAD + length + RECORD_HEAD || this.#isPlausible(next))) {
      this.#take(tag, length);
      return;
    }
    const found = this.#search(offset + 1, Math.min(next, offset + got));
    if (found >= 0) this.#gap(offset, found);
    else if (whole) this.#take(tag, length);
    else {
      this.#lost('hprof-cut', offset, cutWords(tag, length, got - RECORD_HEAD));
      this.#position = offset + got;
    }
  }

  /** A head that no record of this format has. */
  async #odd(tag: number, length: number): Promise<void> {
    const offset = this.#position;
    if (await this.#isRestOfDump()) return;
    const next = offset + RECORD_HEAD + length;
    if (!this.#lengths.isKnown(tag) && length <= LONGEST_RECORD) {
      const got = await this.#window.need(offset, RECORD_HEAD + length + SEARCHED);
      if (got === RECORD_HEAD + length || (got > RECORD_HEAD + length && this.#isChain(next))) {
        this.#note('hprof-tag', 'warning', offset, `a record with the unknown tag ${recordName(tag)} is skipped`);
        this.#counts[tag]++;
        this.#position = next;
        return;
      }
    }
    for (let from = offset + 1; ; ) {
      this.#signal?.throwIfAborted();
      const got = await this.#window.need(from, SEARCHED * 2);
      const found = this.#search(from, from + (got < SEARCHED * 2 ? got : SEARCHED));
      if (found >= 0 || got < SEARCHED * 2) {
        this.#gap(offset, found >= 0 ? found : from + got);
        return;
      }
      from += SEARCHED;
    }
  }

  #gap(from: number, to: number): void {
    this.#lost('hprof-gap', from, `${plural(to - from, 'byte is', 'bytes are')} no records and skipped`);
    this.#position = to;
  }

  async #heap(tag: number, length: number): Promise<void> {
    const offset = this.#position;
    const from = offset + RECORD_HEAD;
    this.#counts[tag]++;
    if (tag === HEAP_DUMP || !this.#open) {
      this.#sink.dump?.(this.#dumps, offset);
      this.#dumps++;
    }
    this.#open = tag === HEAP_DUMP_SEGMENT;
    this.#from.push(from);
    this.#dump.push(this.#dumps - 1);
    this.#to.push(from + length);
    if (length === 0 && (await this.#goesOn(from))) {
      this.#to.values[this.#to.length - 1] = await this.#input.measure();
      this.#open = false;
      const message = `the length of this ${recordName(tag)} is 0: it is read to the end of the file, and objects may be missing`;
      this.#lost('hprof-zero-length', offset, message);
    }
    await this.#jump();
    if (this.#input.size() !== undefined && tag === HEAP_DUMP) await this.#isRestOfDump();
  }

  /** Whether a segment without a length has sub-records: no record follows it. */
  async #goesOn(from: number): Promise<boolean> {
    const got = await this.#window.need(this.#position, RECORD_HEAD + SEARCHED);
    return got > RECORD_HEAD && !this.#isChain(from);
  }

  /** Whether all that follows belongs to the dump that ends here: the file has the length of a dump modulo 2^32. */
  async #isRestOfDump(): Promise<boolean> {
    const last = this.#to.length - 1;
    if (this.#open || last < 0 || this.#to.values[last] !== this.#position) return false;
    const size = await this.#input.measure();
    if (size === this.#position || (size - this.#position) % WRAP !== 0) return false;
    const message = `the dump has ${formatCount(size - this.#from.values[last])} bytes: its length is given modulo 2^32`;
    this.#note('hprof-wrapped-length', 'info', this.#from.values[last] - RECORD_HEAD, message);
    this.#to.values[last] = size;
    await this.#jump();
    return true;
  }

  /** Moves behind the newest segment, and passes its bytes on if they are wanted. */
  async #jump(): Promise<void> {
    const last = this.#to.length - 1;
    const to = this.#to.values[last];
    let from = Math.max(this.#position, this.#from.values[last]);
    this.#position = to;
    if (this.#sink.heap === undefined) return;
    while (from < to) {
      const got = Math.min(to - from, await this.#window.need(from, 1));
      if (got <= 0) return;
      const at = this.#window.at(from);
      this.#sink.heap(this.#window.bytes.subarray(at, at + got), from, this.#dump.values[last]);
      from += got;
    }
  }

  /** The file ends `got` bytes behind the position, within the head of a record or before it. */
  async #end(got: number): Promise<void> {
    const size = await this.#input.measure();
    const last = this.#to.length - 1;
    if (this.#position > size) {
      const from = this.#from.values[last];
      this.#to.values[last] = size;
      this.#lost('hprof-cut', from - RECORD_HEAD, cutWords(HEAP_DUMP_SEGMENT, this.#position - from, size - from));
    } else if (got > 0) {
      this.#lost(
        'hprof-cut',
        this.#position,
        `the file ends within the head of a record, after ${plural(got, 'byte')}`,
      );
    } else if (this.#open && this.#head.version !== '') {
      const message = 'no HEAP DUMP END follows the last segment: the virtual machine may have ended while it wrote';
      this.#lost('hprof-no-end', this.#from.values[last] - RECORD_HEAD, message);
    }
    this.#position = size;
  }

  #lost(code: string, offset: number, message: string): void {
    this.#complete = false;
    this.#note(code, 'error', offset, message);
  }

  #note(code: string, severity: Severity, offset: number, message: string): void {
    this.#problems.add({ code, severity, offset, message });
  }
}

function cutWords(tag: number, length: number, there: number): string {
  return `the file ends within this ${recordName(tag)}: ${formatCount(there)} of ${plural(length, 'byte')} are there`;
}
