/** Values over time, and spans of time that belong to no kind of events. */
import { COUNTERS, RANGES } from '../../../models/profile/tables.js';
import { COUNTER_TRACKS, type CounterTrack, RANGE_TRACKS } from '../../../models/profile/tracks.js';
import type { KindOfEvents, KindSource } from './kind-source.js';

const counter = (type: string, { name }: CounterTrack, value: string): KindSource => ({
  type,
  columns: { track: { text: name }, time: 'startTime', value },
});

const range = (type: string, track: string): KindSource => ({
  type,
  columns: { track: { text: track }, thread: 'eventThread', time: 'startTime', duration: 'duration' },
});

export const TRACKS: readonly KindOfEvents[] = [
  {
    kind: COUNTERS,
    sources: [
      counter('jdk.GCHeapSummary', COUNTER_TRACKS.heapUsed, 'heapUsed'),
      counter('jdk.CPULoad', COUNTER_TRACKS.jvmUser, 'jvmUser'),
      counter('jdk.CPULoad', COUNTER_TRACKS.jvmSystem, 'jvmSystem'),
      counter('jdk.CPULoad', COUNTER_TRACKS.machine, 'machineTotal'),
      counter('jdk.ResidentSetSize', COUNTER_TRACKS.resident, 'size'),
      counter('jdk.JavaThreadStatistics', COUNTER_TRACKS.threads, 'activeCount'),
      counter('jdk.ClassLoadingStatistics', COUNTER_TRACKS.classes, 'loadedClassCount'),
      counter('jdk.ExceptionStatistics', COUNTER_TRACKS.exceptions, 'throwables'),
    ],
    metrics: [],
  },
  {
    kind: RANGES,
    sources: [range('jdk.Compilation', RANGE_TRACKS.compilation), range('jdk.ZAllocationStall', RANGE_TRACKS.stall)],
    metrics: [],
  },
];
