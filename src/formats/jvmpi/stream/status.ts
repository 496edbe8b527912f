/** The status of a thread (§4.5 of the document): a state, and bits beside it. */
import type { ThreadState } from '../../../models/events/state.js';
import {
  JVMPI_THREAD_CONDVAR_WAIT,
  JVMPI_THREAD_INTERRUPTED,
  JVMPI_THREAD_MONITOR_WAIT,
  JVMPI_THREAD_SUSPENDED,
} from '../document/constants.js';

/** Those of the state. */
const STATE_BITS = 0xfff;

export function stateOf(status: number): ThreadState {
  const state = status & STATE_BITS;
  if (state === JVMPI_THREAD_MONITOR_WAIT) return 'blocked';
  if (state === JVMPI_THREAD_CONDVAR_WAIT) return 'waiting';
  return state === 0 ? 'unknown' : 'runnable';
}

/** `blocked`, `waiting, interrupted`. */
export function statusText(status: number): string {
  const beside = [
    ...((status & JVMPI_THREAD_SUSPENDED) === 0 ? [] : ['suspended']),
    ...((status & JVMPI_THREAD_INTERRUPTED) === 0 ? [] : ['interrupted']),
  ];
  return [stateOf(status), ...beside].join(', ');
}
