/** Samples of other clocks than `sample`: each is a kind of its own, since they must not be added up. */
import { optional, type RowsOf } from '../table-kind.js';
import { defineEvents } from './event-kind.js';
import { SAMPLE_EVENTS } from './sample.js';
import { STACK, THREAD, TIME } from './shared-fields.js';

const SAMPLES = {
  key: 'count',
  title: 'Samples',
  holds: 'number',
  unit: 'samples',
  meaning: 'times the stack was sampled',
  wide: true,
  nature: 'flow',
} as const;

/** Threads in native methods, which wait there or run. */
export const NATIVE_SAMPLE_EVENTS = defineEvents('native-sample', 'Samples in native methods', [
  STACK,
  optional(THREAD),
  optional(TIME),
  SAMPLES,
]);
export type NativeSampleEvents = RowsOf<typeof NATIVE_SAMPLE_EVENTS>;

/** Samples each of which stands for some CPU time. */
export const CPU_SAMPLE_EVENTS = defineEvents('cpu-sample', 'CPU-time samples', [
  STACK,
  optional(THREAD),
  optional(TIME),
  SAMPLES,
  {
    key: 'cpu',
    title: 'CPU',
    holds: 'number',
    unit: 'ns',
    meaning: 'CPU time that the sample stands for',
    wide: true,
    nature: 'flow',
  },
  optional({
    key: 'omp_region',
    title: 'Parallel region',
    holds: 'number',
    unit: 'none',
    meaning: 'number of the parallel region of OpenMP; 0 outside of all',
  }),
  optional({
    key: 'omp_region_stack',
    title: 'Pragmas',
    holds: 'stack',
    unit: 'none',
    meaning: 'pragmas of the parallel regions around; -1 outside of all',
  }),
  optional({
    key: 'omp_task',
    title: 'Task',
    holds: 'number',
    unit: 'none',
    meaning: 'number of the task of OpenMP; 0 for that of the region itself',
  }),
  optional({
    key: 'omp_task_stack',
    title: 'Task pragmas',
    holds: 'stack',
    unit: 'none',
    meaning: 'pragmas of the tasks around; -1 for that of the region itself',
  }),
]);
export type CpuSampleEvents = RowsOf<typeof CPU_SAMPLE_EVENTS>;

/** Samples of threads whether they run or wait. */
export const WALL_SAMPLE_EVENTS = defineEvents('wall-sample', 'Wall-clock samples', [
  STACK,
  optional(THREAD),
  optional(TIME),
  SAMPLES,
]);
export type WallSampleEvents = RowsOf<typeof WALL_SAMPLE_EVENTS>;

/** All kinds whose `count` is a number of samples. */
export const SAMPLE_KINDS: ReadonlySet<string> = new Set(
  [SAMPLE_EVENTS, CPU_SAMPLE_EVENTS, WALL_SAMPLE_EVENTS, NATIVE_SAMPLE_EVENTS].map(({ kind }) => kind),
);
