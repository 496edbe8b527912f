/**
 * Reads recorded JVMPI streams. Format: docs/formats/jvmpi.md. One pass; about 150 ns of CPU an event. Memory: 8 to 60 bytes an event, but
 * method events only one row a stack.
 */
import { ProblemLog } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import type { ByteSource } from '../../../bytes/byte-source.js';
import type { EventsRead } from '../../../models/event-types.js';
import type { MetadataEntry, Recording } from '../../../models/recording.js';
import { eventName } from '../document/events.js';
import type { EventContents, EventName, VmEvent } from '../document/types.js';
import type { DumpForm } from '../dumps/dump-bytes.js';
import type { DumpLevel } from '../dumps/heap-dump.js';
import { CALL, FRAME, type Hello, readHello, WireError, WireReader } from '../wire/frames.js';
import { type HeapWalk, readWalk } from '../wire/heap-walk.js';
import { readMonitorDump } from '../wire/monitors.js';
import { readBlock, readEvent, readTrace } from '../wire/records.js';
import { heapDumpOf } from '../wire/walk-records.js';
import { describeType, EventRows } from './event-tables.js';
import type { StreamFrame } from './file.js';
import { heapOfWalk } from './heaps.js';
import { KindTables, type StreamPlace } from './kinds.js';
import { LockTables } from './locks.js';
import { StreamNames } from './names.js';
import { readFrames, type StreamEnd } from './read-frames.js';

/** Of dumps that are made here only to be read again. */
const FORM: DumpForm = { idSize: 8, byteOrder: 'little' };

/** Reads a whole recording. Throws `FormatError` if it is none. */
export async function readStream(source: ByteSource, work: Work = {}): Promise<Recording> {
  const reading = new StreamReading();
  const kinds = new KindTables(reading.names);
  reading.onEvent = (name, event, place) => kinds.add(name, event, place);
  reading.onTrace = (trace, depth, place) => kinds.addTrace(trace, depth, place);
  const locks = new LockTables(reading.names);
  const heaps: HeapWalk[] = [];
  reading.onMonitors = (dump, time) => locks.add(dump, FORM, time);
  reading.onHeap = (walk) => heaps.push(walk);
  const end = await readFrames(source, reading.problems, (frame) => reading.add(frame), work);
  const { events, metrics } = kinds.finish(heaps);
  // Names that CLASS_LOAD gave after a dump are known now.
  const graphs = heaps.map((walk, dump) => heapOfWalk(walk, dump, reading.names));
  const seen = locks.finish(heaps);
  const states = seen === undefined ? [] : [seen.states];
  return {
    ...reading.recording(source.name, end, { events: [...events, ...states], metrics }),
    ...(graphs.length > 0 && { heaps: graphs }),
    ...(seen && { locks: seen.locks }),
    dumpsByKind: true,
  };
}

/** Reads all fields of the events of some types. */
export async function readStreamEvents(
  source: ByteSource,
  types: readonly string[],
  work: Work = {},
): Promise<EventsRead> {
  const reading = new StreamReading();
  const rows = new Map<string, EventRows<EventName>>();
  reading.onEvent = (name, event, place) => {
    if (!types.includes(name)) return;
    const own = rows.get(name) ?? new EventRows<EventName>(name, reading.names);
    rows.set(name, own);
    own.add(event, place);
  };
  await readFrames(source, reading.problems, (frame) => reading.add(frame), work);
  const events = types.flatMap((type) => rows.get(type)?.finish() ?? []);
  return reading.finish({ events, metrics: [] });
}

/** A heap dump of the recording, by its number, as bytes of HEAP_DUMP with the ids of events. Throws RangeError if there is no such dump. */
export async function readHeapDump(
  source: ByteSource,
  dump: number,
  level: DumpLevel,
  form: DumpForm,
  work: Work = {},
): Promise<Uint8Array> {
  const reading = new StreamReading();
  let found: HeapWalk | undefined;
  let next = 0;
  reading.onHeap = (walk) => {
    if (next++ === dump) found = walk;
  };
  await readFrames(source, reading.problems, (frame) => reading.add(frame), work);
  if (found === undefined) throw new RangeError(`heap dump ${dump} of ${next}`);
  return heapDumpOf(found, level, form);
}

type Tables = Pick<EventsRead['profile'], 'events' | 'metrics'>;

/** A call that waits for its reply. */
interface Asked {
  readonly call: number;
  readonly what: number;
  readonly argument: number;
  /** Of the reply, as far as they came. */
  readonly parts: Uint8Array[];
}

/** What a stream has said so far. */
class StreamReading {
  readonly problems = new ProblemLog();
  readonly names = new StreamNames();
  onEvent: (name: EventName, event: VmEvent, place: StreamPlace) => void = () => undefined;
  onTrace: (trace: ReturnType<typeof readTrace>, depth: number, place: Omit<StreamPlace, 'stack'>) => void = () =>
    undefined;
  onHeap: (walk: HeapWalk) => void = () => undefined;
  /** `time`: in ms since 1970. */
  onMonitors: (dump: EventContents['MONITOR_DUMP']['monitor_dump'], time: number) => void = () => undefined;
  #hello: Hello | undefined;
  #start = 0;
  #last = 0;
  #lost = false;
  readonly #counts = new Map<EventName, { count: number; bytes: number }>();
  readonly #dropped = new Map<number, number>();
  /** Calls that were not answered yet: for stacks with thread and depth, requests with event and argument. */
  readonly #asked = new Map<number, Asked>();

  add(frame: StreamFrame): void {
    try {
      this.#add(frame);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#lost = true;
      this.problems.add({
        code: 'jvmpi-record',
        severity: 'error',
        message: `the content of a frame is not as described: ${error.message}; its rest is left out`,
        offset: frame.offset,
      });
    }
  }

  #add({ kind, content, time }: StreamFrame): void {
    if (kind === FRAME.hello) this.#greet(readHello(content));
    else if (kind === FRAME.block) this.#block(content);
    else if (kind === FRAME.hold) this.#block(content.subarray(4));
    else if (kind === FRAME.call) this.#call(new WireReader(content));
    else if (kind === FRAME.part) this.#asked.get(new WireReader(content).u32())?.parts.push(content.slice(4));
    else if (kind === FRAME.reply) this.#reply(new WireReader(content), time);
    else if (kind === FRAME.dropped) this.#drop(new WireReader(content));
  }

  #greet(hello: Hello): void {
    this.#hello = hello;
    this.#start = Number(hello.steady);
  }

  #block(bytes: Uint8Array): void {
    const from = new WireReader(bytes);
    let before = 0;
    for (const event of readBlock(bytes, from)) {
      const name = eventName(event.event_type);
      if (name !== undefined) this.#event(name, event, from.at - before);
      before = from.at;
    }
  }

  #event(name: EventName, event: VmEvent, bytes: number): void {
    const known = this.#counts.get(name) ?? { count: 0, bytes: 0 };
    this.#counts.set(name, known);
    known.count++;
    known.bytes += bytes;
    const { u, env_id, moment } = event;
    if ('class_load' in u) this.names.addClass(u.class_load);
    if ('thread_start' in u) this.names.addThread(u.thread_start);
    const time = (moment?.time ?? this.#start) - this.#start;
    this.#last = Math.max(this.#last, time);
    this.onEvent(name, event, { thread: this.names.thread(env_id), stack: this.names.stack(moment?.trace), time });
  }

  #call(from: WireReader): void {
    const [id, call] = [from.u32(), from.u8()];
    if (call === CALL.trace || call === CALL.request)
      this.#asked.set(id, { call, what: from.varint(), argument: from.varint(), parts: [] });
  }

  #reply(from: WireReader, time: number): void {
    const id = from.u32();
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    if (asked === undefined || from.i32() !== 0) return;
    const since = Math.max(0, time - this.#start);
    const { call, what, argument, parts } = asked;
    if (call === CALL.trace) this.onTrace(readTrace(from), argument, { thread: this.names.thread(what), time: since });
    else if (eventName(what) === 'OBJECT_ALLOC') this.#described(from);
    else if (eventName(what) === 'HEAP_DUMP')
      this.onHeap(readWalk([...parts.map((part) => new WireReader(part)), from]));
    else if (eventName(what) === 'MONITOR_DUMP')
      this.onMonitors(readMonitorDump(from, FORM), Number(this.#hello?.wall ?? 0n) / 1e6 + since / 1e6);
  }

  /** What the agent asked of an object. */
  #described(from: WireReader): void {
    const { u } = readEvent('OBJECT_ALLOC', 0, from);
    if ('obj_alloc' in u) this.names.addObject(u.obj_alloc);
  }

  #drop(from: WireReader): void {
    while (from.left > 0) {
      const [event, count] = [from.u32(), from.u32()];
      this.#dropped.set(event, (this.#dropped.get(event) ?? 0) + count);
    }
  }

  /** Stacks and names come last: tables that are being finished add to them. */
  finish({ events, metrics }: Tables): EventsRead {
    const stacks = this.names.finishStacks();
    const threads = this.names.finishThreads();
    return {
      program: this.names.finishProgram(),
      profile: { stacks, events, metrics, ...(threads && { threads }) },
    };
  }

  recording(name: string, end: StreamEnd, tables: Tables): Recording {
    const lost = [...this.#dropped.values()].reduce((sum, count) => sum + count, 0);
    if (lost > 0)
      this.problems.add({
        code: 'jvmpi-dropped',
        severity: 'warning',
        message: `${lost} events were not recorded: the queue of the agent was full`,
      });
    const counts = [...this.#counts];
    return {
      name,
      format: 'jvmpi',
      metadata: this.#metadata(end),
      sections: counts.map(([type, { count }]) => ({ name: type, entries: count })),
      eventTypes: counts.map(([type, { count, bytes }]) => describeType(type, count, bytes)),
      ...this.finish(tables),
      problems: this.problems.finish(),
      complete: end.complete && !this.#lost,
      residue: undefined,
    };
  }

  #metadata({ exitCode }: StreamEnd): MetadataEntry[] {
    const hello = this.#hello;
    return [
      ...(hello === undefined
        ? []
        : [
            { key: 'started', value: isoOf(hello.wall) },
            { key: 'duration', value: `${Math.round(this.#last / 1e6) / 1e3} s` },
            { key: 'vm', value: `${hello.vmName} ${hello.vmVersion}`.trim() },
            { key: 'pid', value: String(hello.pid) },
          ]),
      ...(exitCode === undefined ? [] : [{ key: 'exit code', value: String(exitCode) }]),
    ].filter(({ value }) => value !== '');
  }
}

/** Empty for a time that is none. */
function isoOf(ns: bigint): string {
  const date = new Date(Number(ns / 1_000_000n));
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
