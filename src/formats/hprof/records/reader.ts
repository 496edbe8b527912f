/** Takes the records of a file: names, classes, frames, traces, threads and tables. */
import { ByteBuilder, Int32Builder } from '../../../base/columns/columns.js';
import type { ProblemLog, Severity } from '../../../base/problems.js';
import { formatCount } from '../../../base/units.js';
import { ProgramBuilder } from '../../../models/program/program-builder.js';
import { ITEM_KINDS } from '../../shared/hprof/residue.js';
import { ThreadTable } from '../../shared/hprof/threads.js';
import { TraceTable } from '../../shared/hprof/traces.js';
import {
  ALLOC_SITES,
  CONTROL_SETTINGS,
  CPU_SAMPLES,
  END_THREAD,
  FRAME,
  HEAP_SUMMARY,
  LOAD_CLASS,
  START_THREAD,
  TRACE,
  UTF8,
} from '../tags.js';
import { ctime } from './dates.js';
import { NameTable } from './names.js';
import type { RecordSink } from './outline.js';
import { type FileHead, recordName } from './record-heads.js';
import { ClassTable, FrameTable } from './symbols.js';
import { RecordTables, type RowCount } from './tables.js';

/** What the agent was asked for. */
export interface Settings {
  readonly allocations: boolean;
  readonly samples: boolean;
  /** Most frames of a trace. */
  readonly depth: number;
}

/** Totals of the heap, which only the socket's command asks for. */
export interface HeapSummary {
  readonly liveBytes: number;
  readonly liveObjects: number;
  readonly allocatedBytes: number;
  readonly allocatedObjects: number;
}

export class RecordReader implements RecordSink {
  readonly #head: FileHead;
  readonly #problems: ProblemLog;
  readonly program = new ProgramBuilder();
  readonly names = new NameTable(this.program);
  readonly classes = new ClassTable(this.program, this.names);
  readonly frames = new FrameTable(this.program, this.names, this.classes);
  readonly threads = new ThreadTable(this.program);
  readonly traces = new TraceTable(this.program, this.threads);
  readonly tables = new RecordTables(this.traces);
  readonly summaries: HeapSummary[] = [];
  settings: Settings | undefined;
  #bytes: Uint8Array = new Uint8Array();
  /** By row of the threads: references of name and group. */
  readonly #threadName = new Int32Builder();
  readonly #threadGroup = new Int32Builder();
  readonly #threadRow = new Int32Builder();
  /** As in `HprofResidue`: without heap dumps. */
  readonly itemKind = new ByteBuilder();
  readonly itemRow = new Int32Builder();

  constructor(head: FileHead, problems: ProblemLog) {
    this.#head = head;
    this.#problems = problems;
  }

  record(tag: number, view: DataView, at: number, length: number, offset: number): void {
    switch (tag) {
      case UTF8:
        this.#name(view, at, length, offset);
        break;
      case LOAD_CLASS:
        this.#loadClass(view, at, offset);
        break;
      case FRAME:
        this.#frame(view, at, offset);
        break;
      case TRACE:
        this.#trace(view, at, length, offset);
        break;
      case START_THREAD:
        this.#startThread(view, at, offset);
        break;
      case END_THREAD:
        this.#item('thread-end', this.threads.done(view.getUint32(at), offset));
        break;
      case ALLOC_SITES:
      case CPU_SAMPLES:
        this.#table(tag, view, at, length, offset);
        break;
      case HEAP_SUMMARY:
        this.#summary(view, at);
        break;
      case CONTROL_SETTINGS:
        this.settings ??= settingsAt(view, at);
        break;
      default:
    }
  }

  dump(_: number, offset: number): void {
    this.tables.begin('heap-dump', { offset, date: '' });
  }

  /** The halves of an id: the upper one is 0 for ids of 4 bytes. */
  #high(view: DataView, at: number): number {
    return this.#head.idSize === 8 ? view.getInt32(at) : 0;
  }

  #low(view: DataView, at: number): number {
    return view.getInt32(at + this.#head.idSize - 4);
  }

  #refer(view: DataView, at: number): number {
    return this.names.refer(this.#high(view, at), this.#low(view, at));
  }

  #name(view: DataView, at: number, length: number, offset: number): void {
    const from = at + this.#head.idSize;
    // A view stands for many records.
    if (this.#bytes.buffer !== view.buffer) this.#bytes = new Uint8Array(view.buffer);
    const added = this.names.define(this.#high(view, at), this.#low(view, at), this.#bytes, from, at + length);
    if (added === 'twice') this.#twice(UTF8, offset);
    if (added === 'full') this.#note('hprof-names', 'error', offset, 'names of more than 1 GiB are not read');
  }

  #loadClass(view: DataView, at: number, offset: number): void {
    const { idSize } = this.#head;
    const id = at + 4;
    const trace = view.getUint32(id + idSize);
    const name = this.#refer(view, id + idSize + 4);
    if (!this.classes.load(view.getUint32(at), this.#high(view, id), this.#low(view, id), trace, name))
      this.#twice(LOAD_CLASS, offset);
  }

  #frame(view: DataView, at: number, offset: number): void {
    const { idSize } = this.#head;
    const reference = this.frames.refer(this.#high(view, at), this.#low(view, at));
    const isNew = this.frames.define(reference, {
      method: this.#refer(view, at + idSize),
      signature: this.#refer(view, at + 2 * idSize),
      source: this.#refer(view, at + 3 * idSize),
      of: view.getUint32(at + 4 * idSize),
      line: view.getInt32(at + 4 * idSize + 4),
    });
    if (!isNew) this.#twice(FRAME, offset);
  }

  /** u4 serial, u4 thread (0 none), u4 n, n × id of a frame, innermost first. */
  #trace(view: DataView, at: number, length: number, offset: number): void {
    const { idSize } = this.#head;
    const row = this.traces.length;
    const thread = view.getUint32(at + 4);
    const added = this.traces.start(view.getUint32(at), thread === 0 ? -1 : thread, offset);
    if (added === 'twice')
      this.#note(
        'hprof-trace-twice',
        'warning',
        offset,
        'an earlier trace has this number: references point to that one',
      );
    const announced = view.getUint32(at + 8);
    const there = (length - 12) / idSize;
    for (let i = 0; i < Math.min(announced, there); i++) {
      const frame = at + 12 + i * idSize;
      this.traces.frames.push(this.frames.refer(this.#high(view, frame), this.#low(view, frame)));
    }
    this.#checkCount(TRACE, { announced, there }, offset);
    this.#item('trace', row);
  }

  /** u4 thread, id object, u4 trace, id name, id group, id parent of the group. */
  #startThread(view: DataView, at: number, offset: number): void {
    const { idSize } = this.#head;
    const object = (this.#high(view, at + 4) >>> 0) * 2 ** 32 + (this.#low(view, at + 4) >>> 0);
    const row = this.threads.begun(view.getUint32(at), object, offset);
    const name = at + 8 + idSize;
    this.#threadRow.push(row);
    this.#threadName.push(this.#refer(view, name));
    this.#threadGroup.push(this.#refer(view, name + idSize));
    this.#item('thread-start', row);
  }

  #table(tag: number, view: DataView, at: number, length: number, offset: number): void {
    this.#item('section', this.tables.sections.length);
    const date = ctime(this.#head.created + view.getUint32(at - 8) / 1000);
    const read = tag === CPU_SAMPLES ? 'samples' : 'sites';
    this.#checkCount(tag, this.tables[read](view, at, length, offset, date), offset);
  }

  #summary(view: DataView, at: number): void {
    this.summaries.push({
      liveBytes: view.getUint32(at),
      liveObjects: view.getUint32(at + 4),
      allocatedBytes: view.getUint32(at + 8) * 2 ** 32 + view.getUint32(at + 12),
      allocatedObjects: view.getUint32(at + 16) * 2 ** 32 + view.getUint32(at + 20),
    });
  }

  /** Gives the threads their names, after all names were read. */
  nameThreads(): void {
    for (let i = 0; i < this.#threadRow.length; i++) {
      const row = this.#threadRow.values[i];
      this.threads.name.values[row] = this.names.name(this.#threadName.values[i]);
      this.threads.group.values[row] = this.names.name(this.#threadGroup.values[i]);
    }
  }

  #checkCount(tag: number, { announced, there }: RowCount, offset: number): void {
    if (announced === there) return;
    const found = `${recordName(tag)} announces ${formatCount(announced)} elements, but has room for ${formatCount(there)}`;
    this.#note('hprof-count', 'error', offset, found);
  }

  #twice(tag: number, offset: number): void {
    this.#note(
      'hprof-twice',
      'warning',
      offset,
      `an earlier ${recordName(tag)} has this number: references point to that one`,
    );
  }

  #item(kind: (typeof ITEM_KINDS)[number], row: number): void {
    this.itemKind.push(ITEM_KINDS.indexOf(kind));
    this.itemRow.push(row);
  }

  #note(code: string, severity: Severity, offset: number, message: string): void {
    this.#problems.add({ code, severity, offset, message });
  }
}

/** u4 flags, u2 depth. */
function settingsAt(view: DataView, at: number): Settings {
  const flags = view.getUint32(at);
  return { allocations: (flags & 1) !== 0, samples: (flags & 2) !== 0, depth: view.getUint16(at + 4) };
}
