/** Waiting. */
import { CONTENTION_EVENTS } from '../../../models/events/contention.js';
import { WAIT_EVENTS, WAIT_REASONS, type WaitReason } from '../../../models/events/wait.js';
import type { KindOfEvents, KindSource } from './kind-source.js';

const waits = (type: string, reason: WaitReason, more: KindSource['columns'] = {}): KindSource => ({
  type,
  columns: {
    stack: 'stackTrace',
    thread: 'eventThread',
    time: 'startTime',
    reason: WAIT_REASONS.indexOf(reason),
    timeout: 0,
    waited: 'duration',
    ...more,
  },
});

export const WAITS: readonly KindOfEvents[] = [
  {
    kind: CONTENTION_EVENTS,
    sources: [
      {
        type: 'jdk.JavaMonitorEnter',
        columns: {
          stack: 'stackTrace',
          thread: 'eventThread',
          class: 'monitorClass',
          name: -1,
          count: 1,
          waited: 'duration',
        },
      },
    ],
    metrics: [
      CONTENTION_EVENTS.metric('waited', { id: 'blocked', title: 'Time blocked by monitors' }),
      CONTENTION_EVENTS.metric('count', { id: 'contentions', title: 'Times blocked by monitors' }),
    ],
  },
  {
    kind: WAIT_EVENTS,
    sources: [
      waits('jdk.JavaMonitorEnter', 'enter'),
      waits('jdk.JavaMonitorWait', 'object-wait', { timeout: 'timeout' }),
      waits('jdk.ThreadPark', 'park', { timeout: 'timeout' }),
      waits('jdk.ThreadSleep', 'sleep', { timeout: 'time' }),
    ],
    metrics: [],
  },
];
