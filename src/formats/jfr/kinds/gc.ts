/** Garbage collection. Phases of single workers (`jdk.GCPhaseParallel`) are many, and no pauses: `events` lists them. */
import {
  GC_EVENTS,
  GC_PHASE_EVENTS,
  HEAP_USE_EVENTS,
  OLD_USE_EVENTS,
  PROMOTION_EVENTS,
} from '../../../models/events/gc.js';
import type { KindOfEvents, KindSource } from './kind-source.js';

const COLLECTED = { time: 'startTime', collection: 'gcId', duration: 'duration' };

/** The event of a generation, beside that of the whole collection or in its place. */
const part = (type: string, name: string): KindSource => ({
  type,
  columns: { ...COLLECTED, name: { text: name }, part: 1 },
});

const phase = (type: string, level: number, concurrent: 0 | 1): KindSource => ({
  type,
  columns: { ...COLLECTED, thread: 'eventThread', name: 'name', level, concurrent },
});

export const COLLECTIONS: readonly KindOfEvents[] = [
  {
    kind: GC_EVENTS,
    sources: [
      {
        type: 'jdk.GarbageCollection',
        columns: {
          ...COLLECTED,
          name: 'name',
          part: 0,
          cause: 'cause',
          paused: 'sumOfPauses',
          longest: 'longestPause',
        },
      },
      part('jdk.ZYoungGarbageCollection', 'ZGC young'),
      part('jdk.ZOldGarbageCollection', 'ZGC old'),
    ],
    metrics: [],
  },
  {
    kind: GC_PHASE_EVENTS,
    sources: [
      phase('jdk.GCPhasePause', 0, 0),
      phase('jdk.GCPhasePauseLevel1', 1, 0),
      phase('jdk.GCPhasePauseLevel2', 2, 0),
      phase('jdk.GCPhasePauseLevel3', 3, 0),
      phase('jdk.GCPhasePauseLevel4', 4, 0),
      phase('jdk.GCPhaseConcurrent', 0, 1),
      phase('jdk.GCPhaseConcurrentLevel1', 1, 1),
      phase('jdk.GCPhaseConcurrentLevel2', 2, 1),
    ],
    metrics: [],
  },
  {
    kind: HEAP_USE_EVENTS,
    sources: [
      {
        type: 'jdk.GCHeapSummary',
        columns: {
          time: 'startTime',
          collection: 'gcId',
          when: 'when',
          used: 'heapUsed',
          committed: 'heapSpace.committedSize',
        },
      },
    ],
    metrics: [],
  },
  {
    kind: PROMOTION_EVENTS,
    sources: [
      {
        type: 'jdk.G1EvacuationOldStatistics',
        columns: {
          time: 'startTime',
          collection: 'statistics.gcId',
          buffers: 'statistics.used',
          direct: 'statistics.directAllocated',
        },
      },
    ],
    metrics: [],
  },
  {
    kind: OLD_USE_EVENTS,
    sources: [
      {
        type: 'jdk.PSHeapSummary',
        columns: { time: 'startTime', collection: 'gcId', when: 'when', used: 'oldObjectSpace.used' },
      },
    ],
    metrics: [],
  },
];
