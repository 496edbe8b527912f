/**
 * The events of a recorded stream as the kinds that all views know: time by stack from METHOD_ENTRY and METHOD_EXIT, allocations, waits,
 * collections, lives of threads, and the stacks that the agent asked for, which are samples.
 */
import { IntTable } from '../../../base/columns/hash.js';
import { NONE } from '../../../base/flavor.js';
import { OBJECT_ALLOCATION_EVENTS } from '../../../models/events/allocation.js';
import { GC_EVENTS, GC_PHASE_EVENTS } from '../../../models/events/gc.js';
import { SAMPLE_EVENTS } from '../../../models/events/sample.js';
import { LIFE_STEPS, THREAD_LIFE_EVENTS } from '../../../models/events/state.js';
import { TIME_EVENTS } from '../../../models/events/time.js';
import { WAIT_EVENTS, WAIT_REASONS, type WaitReason } from '../../../models/events/wait.js';
import type { Metric, StackId } from '../../../models/profile/profile.js';
import { rootOf } from '../../../models/profile/stack-builder.js';
import { NO_LINE } from '../../../models/program/program.js';
import type { Table } from '../../../models/table.js';
import type { EventContents, JVMPI_CallFrame, VmEvent } from '../document/types.js';
import type { HeapWalk } from '../wire/heap-walk.js';
import type { StreamNames } from './names.js';

/** Where an event happened: rows of the recording. */
export interface StreamPlace {
  readonly thread: number;
  readonly stack: StackId;
  /** Ns since the recording began. */
  readonly time: number;
}

/** A thread in code whose calls and returns are recorded. */
interface Running {
  readonly methods: number[];
  readonly stacks: StackId[];
  last: number;
}

/** Time by stack, and returns of its innermost method. */
class CallTimes {
  readonly #names: StreamNames;
  readonly #threads = new Map<number, Running>();
  readonly #rows = new IntTable();
  /** By row. */
  #sums: { calls: Float64Array; spent: Float64Array } = { calls: new Float64Array(256), spent: new Float64Array(256) };

  constructor(names: StreamNames) {
    this.#names = names;
  }

  #row(stack: StackId, thread: number): number {
    const row = this.#rows.add(stack, thread);
    if (row >= this.#sums.calls.length) {
      const grown = (values: Float64Array): Float64Array => {
        const more = new Float64Array(values.length * 2);
        more.set(values);
        return more;
      };
      this.#sums = { calls: grown(this.#sums.calls), spent: grown(this.#sums.spent) };
    }
    return row;
  }

  #spend(thread: number, running: Running, time: number): void {
    const stack = running.stacks.at(-1);
    if (stack !== undefined) {
      const row = this.#row(stack, thread);
      this.#sums.spent[row] = (this.#sums.spent[row] ?? 0) + Math.max(0, time - running.last);
    }
    running.last = time;
  }

  entry(method: number, { thread, time }: StreamPlace): void {
    const running = this.#threads.get(thread) ?? { methods: [], stacks: [], last: time };
    this.#threads.set(thread, running);
    this.#spend(thread, running, time);
    const above = running.stacks.at(-1) ?? rootOf('whole');
    running.methods.push(method);
    running.stacks.push(this.#names.stacks.add(above, method, NO_LINE));
  }

  /** Returns of methods that were entered before the recording are not counted. */
  exit(method: number, { thread, time }: StreamPlace): void {
    const running = this.#threads.get(thread);
    const at = running?.methods.lastIndexOf(method) ?? -1;
    if (running === undefined || at < 0) return;
    this.#spend(thread, running, time);
    const row = this.#row(running.stacks[at] ?? NONE, thread);
    this.#sums.calls[row] = (this.#sums.calls[row] ?? 0) + 1;
    running.methods.length = at;
    running.stacks.length = at;
  }

  finish(): Table | undefined {
    const { length } = this.#rows;
    if (length === 0) return undefined;
    return TIME_EVENTS.table({
      stack: this.#rows.column(0),
      thread: this.#rows.column(1),
      calls: this.#sums.calls.slice(0, length),
      spent: this.#sums.spent.slice(0, length),
    });
  }
}

const ALLOCATIONS = OBJECT_ALLOCATION_EVENTS.having(['thread', 'time']);
const SAMPLES = SAMPLE_EVENTS.having(['thread', 'time']);
const WAITS = WAIT_EVENTS.having([
  'stack',
  'time',
  'class',
  'address',
  'timeout',
  'contended',
  'blocked',
  'unnotified',
]);

const NS_PER_MS = 1e6;

export class KindTables {
  readonly #names: StreamNames;
  readonly #times: CallTimes;
  readonly #allocations = ALLOCATIONS.builder();
  readonly #waits = WAITS.builder();
  readonly #samples = SAMPLES.builder();
  readonly #collections = GC_EVENTS.builder();
  readonly #pauses = GC_PHASE_EVENTS.builder();
  readonly #lives = THREAD_LIFE_EVENTS.builder();
  /** By thread: when it began to wait to enter, or to be notified. */
  readonly #entering = new Map<number, StreamPlace>();
  readonly #waiting = new Map<number, StreamPlace & { readonly timeout: number }>();
  #collection: number | undefined;

  constructor(names: StreamNames) {
    this.#names = names;
    this.#times = new CallTimes(names);
  }

  /** Adds an event of the VM. */
  add(name: string, { u }: VmEvent, place: StreamPlace): void {
    if ('method' in u) {
      if (name === 'METHOD_ENTRY') this.#times.entry(u.method.method_id, place);
      else this.#times.exit(u.method.method_id, place);
    } else if ('method_entry2' in u) this.#times.entry(u.method_entry2.method_id, place);
    else if ('obj_alloc' in u) this.#allocation(u.obj_alloc, place);
    else if ('monitor' in u) this.#contended(name, u.monitor.object, place);
    else if ('monitor_wait' in u) this.#waited(name, u.monitor_wait, place);
    else if ('thread_start' in u)
      this.#lives.add({ ...this.#life(place), step: LIFE_STEPS.indexOf('start'), started: 1 });
    else if (name === 'THREAD_END')
      this.#lives.add({ ...this.#life(place), step: LIFE_STEPS.indexOf('end'), started: 0 });
    else if (name === 'GC_START') this.#collection = place.time;
    else if (name === 'GC_FINISH') this.#collected(place.time);
  }

  /** A stack that the agent asked for. */
  addTrace(trace: readonly JVMPI_CallFrame[], depth: number, { thread, time }: Omit<StreamPlace, 'stack'>): void {
    this.#samples.add({ stack: this.#names.stack(trace, depth), thread, time, count: 1 });
  }

  #life({ thread, time, stack }: StreamPlace): StreamPlace {
    return { thread, time, stack };
  }

  #allocation(content: EventContents['OBJECT_ALLOC']['obj_alloc'], place: StreamPlace): void {
    this.#allocations.add({ ...place, class: this.#names.allocated(content), bytes: content.size });
  }

  #contended(name: string, object: number, place: StreamPlace): void {
    if (name === 'MONITOR_CONTENDED_ENTER') this.#entering.set(place.thread, place);
    if (name !== 'MONITOR_CONTENDED_ENTERED') return;
    const began = this.#entering.get(place.thread);
    this.#entering.delete(place.thread);
    if (began === undefined) return;
    const waited = place.time - began.time;
    this.#wait('enter', began.stack >= 0 ? began : { ...began, stack: place.stack }, object, waited, {
      contended: waited,
      blocked: waited,
    });
  }

  #waited(name: string, { object, timeout }: EventContents['MONITOR_WAIT']['monitor_wait'], place: StreamPlace): void {
    if (name === 'MONITOR_WAIT') {
      this.#waiting.set(place.thread, { ...place, timeout });
      return;
    }
    const began = this.#waiting.get(place.thread);
    this.#waiting.delete(place.thread);
    if (began === undefined) return;
    const waited = place.time - began.time;
    const from = began.stack >= 0 ? began : { ...began, stack: place.stack };
    // The document has no object for Thread.sleep.
    if (object === 0) this.#wait('sleep', from, object, waited, { timeout: began.timeout * NS_PER_MS });
    else this.#wait('object-wait', from, object, waited, { timeout: began.timeout * NS_PER_MS, unnotified: waited });
  }

  #wait(
    reason: WaitReason,
    { thread, time, stack }: StreamPlace,
    object: number,
    waited: number,
    more: Readonly<Partial<Record<'contended' | 'blocked' | 'unnotified' | 'timeout', number>>>,
  ): void {
    const parts = { class: NONE, contended: 0, blocked: 0, unnotified: 0, timeout: 0, ...more };
    this.#waits.add({ thread, time, stack, reason: WAIT_REASONS.indexOf(reason), address: object, waited, ...parts });
  }

  #collected(time: number): void {
    const from = this.#collection;
    this.#collection = undefined;
    if (from === undefined) return;
    const collection = this.#collections.length;
    const row = { time: from, collection, name: this.#names.text('GC'), duration: time - from };
    this.#collections.add({ ...row, part: 0 });
    // The events are sent at the start and the end of a pause.
    this.#pauses.add({ ...row, level: 0, concurrent: 0 });
  }

  /** `walks`: dumps of the heap, which have the classes of objects. */
  finish(walks: readonly HeapWalk[] = []): { readonly events: Table[]; readonly metrics: Metric[] } {
    const allocations = this.#allocations.finish();
    const { class: classes } = ALLOCATIONS.rows(allocations);
    for (let row = 0; row < classes.length; row++) classes[row] = this.#names.class(classes[row] ?? NONE);
    const waits = this.#waits.finish();
    const { class: waitClasses, address } = WAITS.rows(waits);
    for (let row = 0; row < waits.length; row++)
      waitClasses[row] = this.#names.objectClass(address[row] ?? 0, walks)?.row ?? NONE;
    const times = this.#times.finish();
    const tables = [
      ...(times === undefined ? [] : [times]),
      this.#samples.finish(),
      allocations,
      waits,
      this.#collections.finish(),
      this.#pauses.finish(),
      this.#lives.finish(),
    ].filter(({ length }) => length > 0);
    const has = (kind: string): boolean => tables.some((table) => table.kind === kind);
    return { events: tables, metrics: METRICS.filter(({ table }) => has(table)) };
  }
}

const METRICS: readonly Metric[] = [
  TIME_EVENTS.metric('spent', { id: 'time', title: 'Time' }),
  TIME_EVENTS.metric('calls', { id: 'calls', title: 'Calls' }),
  SAMPLE_EVENTS.metric('count', { id: 'samples', title: 'Stacks asked for' }),
  OBJECT_ALLOCATION_EVENTS.metric('bytes', { id: 'allocated', title: 'Allocated bytes' }),
  OBJECT_ALLOCATION_EVENTS.rowMetric({ id: 'allocations', title: 'Allocations', unit: 'count', nature: 'flow' }),
  WAIT_EVENTS.metric('blocked', { id: 'blocked', title: 'Time blocked by monitors' }),
  WAIT_EVENTS.metric('unnotified', { id: 'object-wait', title: 'Time in Object.wait' }),
];
