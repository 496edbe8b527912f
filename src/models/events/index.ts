/**
 * All kinds of events. An event table of another kind is an error: each kind is defined once, here, and shared by all
 * formats.
 */
import type { Contract } from '../table-kind.js';
import { ALLOCATION_EVENTS, OBJECT_ALLOCATION_EVENTS, THREAD_ALLOCATION_EVENTS, TLAB_EVENTS } from './allocation.js';
import { BRANCH_EVENTS } from './branch.js';
import { CALL_EVENTS } from './call.js';
import { CLASS_EVENTS, CLASS_LOAD_EVENTS } from './class.js';
import { CONTENTION_EVENTS } from './contention.js';
import { ERROR_EVENTS, EXCEPTION_EVENTS, OTHER_EVENTS } from './exception.js';
import { GC_EVENTS, GC_PHASE_EVENTS, HEAP_USE_EVENTS, OLD_USE_EVENTS, PROMOTION_EVENTS } from './gc.js';
import { INSTANCEOF_EVENTS } from './instanceof.js';
import { IO_EVENTS } from './io.js';
import { NATIVE_MEMORY_EVENTS, OLD_OBJECT_EVENTS } from './memory.js';
import { MPI_EVENTS } from './mpi.js';
import { RECEIVER_EVENTS } from './receiver.js';
import { SAMPLE_EVENTS } from './sample.js';
import { SITE_EVENTS } from './site.js';
import { STATE_EVENTS, THREAD_LIFE_EVENTS, THREAD_LOAD_EVENTS } from './state.js';
import { SYNCHRONISATION_EVENTS } from './synchronisation.js';
import { CPU_SAMPLE_EVENTS, NATIVE_SAMPLE_EVENTS, WALL_SAMPLE_EVENTS } from './thread-samples.js';
import { METHOD_TIMING_EVENTS, METHOD_TRACE_EVENTS, TIME_EVENTS } from './time.js';
import { WAIT_EVENTS } from './wait.js';
import { BYTES_EVENTS, VALUE_EVENTS, WEIGHT_EVENTS } from './weight.js';

export const EVENT_KINDS: readonly Contract[] = [
  SAMPLE_EVENTS,
  CALL_EVENTS,
  BRANCH_EVENTS,
  RECEIVER_EVENTS,
  INSTANCEOF_EVENTS,
  SYNCHRONISATION_EVENTS,
  SITE_EVENTS,
  CONTENTION_EVENTS,
  WAIT_EVENTS,
  TIME_EVENTS,
  BYTES_EVENTS,
  WEIGHT_EVENTS,
  VALUE_EVENTS,
  CLASS_EVENTS,
  STATE_EVENTS,
  CPU_SAMPLE_EVENTS,
  WALL_SAMPLE_EVENTS,
  NATIVE_SAMPLE_EVENTS,
  ALLOCATION_EVENTS,
  OBJECT_ALLOCATION_EVENTS,
  TLAB_EVENTS,
  IO_EVENTS,
  MPI_EVENTS,
  EXCEPTION_EVENTS,
  ERROR_EVENTS,
  OLD_OBJECT_EVENTS,
  NATIVE_MEMORY_EVENTS,
  METHOD_TRACE_EVENTS,
  METHOD_TIMING_EVENTS,
  CLASS_LOAD_EVENTS,
  THREAD_LIFE_EVENTS,
  THREAD_LOAD_EVENTS,
  THREAD_ALLOCATION_EVENTS,
  GC_EVENTS,
  GC_PHASE_EVENTS,
  HEAP_USE_EVENTS,
  PROMOTION_EVENTS,
  OLD_USE_EVENTS,
  OTHER_EVENTS,
];

/** Kinds each of whose rows is one event, whatever it weighs: the more events a sum has, the surer it is. */
export const SINGLE_EVENT_KINDS: ReadonlySet<string> = new Set(
  [
    ...[OBJECT_ALLOCATION_EVENTS, ALLOCATION_EVENTS, TLAB_EVENTS, NATIVE_MEMORY_EVENTS, WAIT_EVENTS],
    ...[IO_EVENTS, CLASS_LOAD_EVENTS, METHOD_TRACE_EVENTS, OTHER_EVENTS],
  ].map(({ kind }) => kind),
);
