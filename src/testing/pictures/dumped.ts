/** Recordings of several dumps for tests: the values of each dump by function and kind of events. */
import { CONTENTION_EVENTS } from '../../models/events/contention.js';
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { SITE_EVENTS } from '../../models/events/site.js';
import { STATE_EVENTS, THREAD_STATES } from '../../models/events/state.js';
import { TIME_EVENTS } from '../../models/events/time.js';
import type { Heap } from '../../models/heap/heap.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { THREADS } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import type { Table } from '../../models/table.js';
import { drawnRecording } from '../recordings.js';
import { heapPicture } from './heap-picture.js';

/** By function; threads by the function that they are in. */
export interface Dumped {
  readonly samples?: Readonly<Record<string, number>>;
  readonly times?: Readonly<Record<string, number>>;
  readonly waited?: Readonly<Record<string, number>>;
  readonly live?: Readonly<Record<string, number>>;
  readonly threads?: readonly string[];
  /** As `heapPicture` draws it. */
  readonly heap?: string;
}

const METRICS: readonly Metric[] = [
  SAMPLE_EVENTS.metric('count', { id: 'samples', title: 'Samples' }),
  TIME_EVENTS.metric('spent', { id: 'time', title: 'CPU time' }),
  CONTENTION_EVENTS.metric('waited', { id: 'contention', title: 'Contention' }),
  SITE_EVENTS.metric('live_bytes', { id: 'live-bytes', title: 'Live bytes' }),
  STATE_EVENTS.rowMetric({ id: 'threads', title: 'Threads', unit: 'samples', nature: 'flow' }),
];

export function dumpedRecording(dumps: readonly Dumped[]): Recording {
  const program = new ProgramBuilder();
  const stacks = new StackBuilder(16);
  const at = (name: string): number =>
    stacks.add(rootOf('whole'), program.location(program.function(-1, program.name(name))));
  const type = program.class(program.name('Thing'));
  const samples = SAMPLE_EVENTS.having(['thread', 'dump']).builder();
  const times = TIME_EVENTS.having(['dump']).builder();
  const contention = CONTENTION_EVENTS.having(['dump']).builder();
  const sites = SITE_EVENTS.builder();
  const states = STATE_EVENTS.builder();
  const each = (told: Readonly<Record<string, number>> = {}, add: (stack: number, value: number) => void): void => {
    for (const [name, value] of Object.entries(told)) add(at(name), value);
  };
  dumps.forEach((told, dump) => {
    each(told.samples, (stack, count) => samples.add({ stack, thread: 0, dump, count }));
    each(told.times, (stack, spent) => times.add({ stack, dump, spent }));
    each(told.waited, (stack, waited) => contention.add({ stack, dump, class: type, count: 1, waited }));
    each(told.live, (stack, bytes) => sites.add({ stack, dump, class: type, live_bytes: bytes, live_objects: 1 }));
    told.threads?.forEach((name, thread) => {
      states.add({ stack: at(name), thread, dump, state: THREAD_STATES.indexOf('runnable') });
    });
  });
  const tables = [samples, times, contention, sites, states].map((table): Table => table.finish());
  const events = tables.filter(({ length }) => length > 0);
  const count = Math.max(1, ...dumps.map(({ threads = [] }) => threads.length));
  const names = Int32Array.from({ length: count }, (_, thread) => program.name(`thread ${thread}`));
  const profile: Profile = {
    stacks: stacks.finish(),
    events,
    metrics: METRICS.filter(({ table }) => events.some(({ kind }) => kind === table)),
    threads: THREADS.table({ name: names }),
  };
  const heaps: Heap[] = dumps.flatMap(({ heap }, dump) =>
    heap === undefined ? [] : [heapPicture(program, heap, dump)],
  );
  return drawnRecording({ program: program.finish(), profile, ...(heaps.length === 0 ? {} : { heaps }) });
}
