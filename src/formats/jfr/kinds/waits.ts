/** Waiting for monitors, locks, notifications and time. */
import { WAIT_EVENTS, WAIT_REASONS, type WaitReason } from '../../../models/events/wait.js';
import type { KindOfEvents, KindSource } from './kind-source.js';
import { LABELLED, LABELS } from './labels.js';

const waits = (type: string, reason: WaitReason, more: KindSource['columns']): KindSource => ({
  type,
  columns: {
    stack: 'stackTrace',
    thread: 'eventThread',
    time: 'startTime',
    reason: WAIT_REASONS.indexOf(reason),
    waited: 'duration',
    ...LABELLED,
    ...more,
  },
});

export const WAITS: readonly KindOfEvents[] = [
  {
    kind: WAIT_EVENTS.extended(LABELS),
    sources: [
      waits('jdk.JavaMonitorEnter', 'enter', {
        class: 'monitorClass',
        address: 'address',
        other: 'previousOwner',
        contended: 'duration',
        blocked: 'duration',
      }),
      waits('jdk.JavaMonitorWait', 'object-wait', {
        class: 'monitorClass',
        address: 'address',
        other: 'notifier',
        timeout: 'timeout',
        unnotified: 'duration',
      }),
      waits('jdk.ThreadPark', 'park', {
        class: 'parkedClass',
        address: 'address',
        timeout: 'timeout',
        contended: 'duration',
        parked: 'duration',
      }),
      waits('jdk.ThreadSleep', 'sleep', { timeout: 'time', slept: 'duration' }),
      waits('profiler.NativeLock', 'mutex', {
        stack: { field: 'stackTrace', isWithoutHook: true },
        address: 'address',
        native: 'duration',
      }),
    ],
    metrics: [
      WAIT_EVENTS.metric('contended', { id: 'contention', title: 'Time blocked or parked' }),
      WAIT_EVENTS.metric('blocked', { id: 'blocked', title: 'Time blocked by monitors' }),
      WAIT_EVENTS.metric('parked', { id: 'parked', title: 'Time parked' }),
      WAIT_EVENTS.metric('unnotified', { id: 'object-wait', title: 'Time in Object.wait' }),
      WAIT_EVENTS.metric('slept', { id: 'slept', title: 'Time asleep' }),
      WAIT_EVENTS.metric('native', { id: 'native-locks', title: 'Time blocked by native locks' }),
    ],
    // Entering a monitor cannot time out, and a park without timeout has none; both are -1 so far.
    complete: ({ timeout }) => {
      for (let row = 0; row < (timeout?.length ?? 0); row++) timeout[row] = Math.max(0, timeout[row]);
    },
  },
];
