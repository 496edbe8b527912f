/** Starts and ends of threads, and their CPU load. */
import { THREAD_ALLOCATION_EVENTS } from '../../../models/events/allocation.js';
import { LIFE_STEPS, THREAD_LIFE_EVENTS, THREAD_LOAD_EVENTS } from '../../../models/events/state.js';
import type { Facts } from './facts.js';
import type { KindColumns, KindOfEvents, KindSource } from './kind-source.js';

const life = (type: string, step: (typeof LIFE_STEPS)[number], thread: string): KindSource => ({
  type,
  columns: {
    stack: 'stackTrace',
    thread,
    time: 'startTime',
    step: LIFE_STEPS.indexOf(step),
    parent: 'parentThread',
    started: step === 'start' ? 1 : 0,
  },
});

export const THREADS: readonly KindOfEvents[] = [
  {
    kind: THREAD_LIFE_EVENTS,
    sources: [
      life('jdk.ThreadStart', 'start', 'thread'),
      life('jdk.ThreadEnd', 'end', 'thread'),
      // The thread that runs when a virtual thread starts or ends is that thread.
      life('jdk.VirtualThreadStart', 'start', 'eventThread'),
      life('jdk.VirtualThreadEnd', 'end', 'eventThread'),
    ],
    metrics: [THREAD_LIFE_EVENTS.metric('started', { id: 'threads-started', title: 'Threads started' })],
  },
  {
    kind: THREAD_LOAD_EVENTS,
    sources: [
      {
        type: 'jdk.ThreadCPULoad',
        columns: { thread: 'eventThread', time: 'startTime', user: 'user', system: 'system' },
      },
    ],
    metrics: [],
    complete: estimateCpu,
  },
  {
    kind: THREAD_ALLOCATION_EVENTS,
    sources: [
      { type: 'jdk.ThreadAllocationStatistics', columns: { thread: 'thread', time: 'startTime', total: 'allocated' } },
    ],
    metrics: [],
  },
];

/**
 * CPU time by load: HotSpot divides the CPU time of a thread by the time since its last look, which is every period and at the end of the
 * thread, and by the number of processors (`jfrThreadCPULoadEvent.cpp`). It is not filled in if that number is unknown.
 */
function estimateCpu(columns: KindColumns, facts: Facts, others: (kind: string) => KindColumns | undefined): void {
  const { thread, time, user, system } = columns;
  const { processors } = facts;
  if (processors === undefined) return;
  const period = facts.periodOf('jdk.ThreadCPULoad') ?? Number.POSITIVE_INFINITY;
  const seen = startTimes(others(THREAD_LIFE_EVENTS.kind));
  const cpu = new Float64Array(thread.length);
  const order = Int32Array.from(time, (_, row) => row).sort((a, b) => time[a] - time[b] || a - b);
  for (const row of order) {
    const since = Math.min(period, time[row] - (seen.get(thread[row]) ?? 0));
    cpu[row] = Math.max(0, user[row] + system[row]) * Math.max(0, since) * processors;
    seen.set(thread[row], time[row]);
  }
  columns.cpu = cpu;
}

function startTimes(lives: KindColumns | undefined): Map<number, number> {
  const starts = new Map<number, number>();
  const start = LIFE_STEPS.indexOf('start');
  for (let row = 0; lives !== undefined && row < lives.time.length; row++)
    if (lives.step[row] === start) starts.set(lives.thread[row], lives.time[row]);
  return starts;
}
