/** What threads of a recording did within its scope, as stages. */
import { ALLOCATION_EVENTS, THREAD_ALLOCATION_EVENTS } from '../../models/events/allocation.js';
import { THREAD } from '../../models/events/shared-fields.js';
import { STATE_EVENTS } from '../../models/events/state.js';
import { WAIT_EVENTS, type WaitEvents } from '../../models/events/wait.js';
import { momentOf } from '../../models/profile/moment.js';
import { eventTable, type Metric, metricColumn, type Profile } from '../../models/profile/profile.js';
import { THREADS } from '../../models/profile/tables.js';
import { columnOf } from '../../models/table.js';
import { scopedPart } from '../scope/scoped-part.js';
import { type ThreadAllocations, threadAllocations } from './allocated.js';
import { ownEntries } from './entries.js';
import { type Pool, poolsOf, type ThreadGroups, threadGroups } from './groups.js';
import { loadTimes, type ThreadLives, threadLives } from './lives.js';

/** How often and how long each thread waited. */
export interface ThreadWaits {
  readonly count: Int32Array;
  readonly time: Float64Array;
}

/** Waits by thread; undefined unless the recording has every wait. */
export const threadWaitsUse = scopedPart<ThreadWaits | undefined>({
  name: 'waits of threads',
  version: 1,
  key: () => '',
  run: ({ profile }) => {
    const waits = WAIT_EVENTS.of(profile);
    return waits && waitsOf(waits, profile?.threads?.length ?? 0);
  },
  bytes: (value) => (value === undefined ? 0 : value.count.byteLength + value.time.byteLength),
});

function waitsOf({ length, thread, timeout, waited }: WaitEvents, threads: number): ThreadWaits {
  const count = new Int32Array(threads);
  const time = new Float64Array(threads);
  for (let row = 0; row < length; row++) {
    if (thread[row] < 0) continue;
    if (timeout === undefined || timeout[row] >= 0) count[thread[row]]++;
    if (waited[row] !== -1) time[thread[row]] += waited[row];
  }
  return { count, time };
}

/** The values of a metric by thread. */
export const threadValuesUse = scopedPart<Float64Array, Metric>({
  name: 'values of threads',
  version: 1,
  key: ({ id }) => id,
  run: ({ profile }, metric) => (profile === undefined ? new Float64Array() : valuesByThread(profile, metric)),
  bytes: ({ byteLength }) => byteLength,
});

/** Levels of several dumps are those of the last one, as everywhere. */
function valuesByThread(profile: Profile, metric: Metric): Float64Array {
  const values = new Float64Array(profile.threads?.length ?? 0);
  const table = eventTable(profile, metric.table);
  const thread = table && columnOf(table, THREAD);
  if (table === undefined || thread === undefined) return values;
  const value = metricColumn(metric, table);
  const moment = momentOf(metric, table);
  for (let row = 0; row < table.length; row++) {
    if (thread[row] < 0) continue;
    if (moment === undefined || moment.dumps[row] === moment.last) values[thread[row]] += value?.[row] ?? 1;
  }
  return values;
}

/** `threadAllocations` within the scope; undefined if it chose samples but not counters, as steps by stack do. */
export const threadAllocationsUse = scopedPart<ThreadAllocations | undefined>({
  name: 'allocations of threads',
  version: 1,
  key: () => '',
  run: ({ recording, profile, unscoped }) => {
    const isScoped = !unscoped.has(THREAD_ALLOCATION_EVENTS.kind) && !unscoped.has(ALLOCATION_EVENTS.kind);
    return profile === undefined || !isScoped ? undefined : threadAllocations(profile, recording.profile);
  },
  bytes: (value) => (value === undefined ? 0 : value.grown.byteLength + value.sampled.byteLength),
});

/** Lives of threads and the CPU time that their load stands for. */
export interface ThreadTimes {
  /** In the whole recording: a scope in time does not shorten them. */
  readonly lives: ThreadLives | undefined;
  /** Within the scope; ns by thread, NaN unknown. */
  readonly cpu: Float64Array | undefined;
}

/** `threadLives` and `loadTimes`; undefined where the recording does not have them. */
export const threadTimesUse = scopedPart<ThreadTimes>({
  name: 'lives of threads',
  version: 1,
  key: () => '',
  run: ({ recording, profile }) => ({
    lives: recording.profile && threadLives(recording.profile),
    cpu: profile && loadTimes(profile),
  }),
  bytes: ({ lives, cpu }) => (lives === undefined ? 0 : lives.start.length * BYTES_A_LIFE) + (cpu?.byteLength ?? 0),
});

/** Three columns of times, one of threads. */
const BYTES_A_LIFE = 28;

/** `ownEntries` within the scope: the first method of the program's own code of each thread. */
export const ownEntriesUse = scopedPart<Int32Array>({
  name: 'entries of threads',
  version: 1,
  key: () => '',
  run: ({ recording, profile }) => (profile === undefined ? new Int32Array() : ownEntries(recording.program, profile)),
  bytes: ({ byteLength }) => byteLength,
});

/** Threads of the last dump by pool, stack and state. */
export interface PooledThreads {
  readonly groups: ThreadGroups;
  readonly pools: readonly Pool[];
}

/** `threadGroups` and `poolsOf` within the scope; undefined if the recording has no states of threads. */
export const threadGroupsUse = scopedPart<PooledThreads | undefined>({
  name: 'groups of threads',
  version: 1,
  key: () => '',
  run: ({ recording, profile }) => {
    const states = STATE_EVENTS.of(profile);
    if (states === undefined || profile?.threads === undefined) return undefined;
    const groups = threadGroups(recording.program, THREADS.rows(profile.threads), states);
    return { groups, pools: poolsOf(groups) };
  },
  bytes: (value) => (value === undefined ? 0 : value.groups.length * BYTES_A_GROUP),
});

const BYTES_A_GROUP = 64;
