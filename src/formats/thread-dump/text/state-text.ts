/** The states of threads in the words of the VM. */
import { dictionary } from '../../../base/dictionary.js';
import type { ThreadState } from '../../../models/events/state.js';
import type { LockLine } from './lock-line.js';

const STATES = dictionary<ThreadState>({
  NEW: 'new',
  RUNNABLE: 'runnable',
  BLOCKED: 'blocked',
  WAITING: 'waiting',
  TIMED_WAITING: 'timed-waiting',
  TERMINATED: 'terminated',
  runnable: 'runnable',
  // JDK 5 and older have no other word for the state.
  'waiting for monitor entry': 'blocked',
  'in Object.wait()': 'waiting',
});

/**
 * The constant of `Thread.State` at the start, and what the VM says in brackets; parked also where a lock line says so. A
 * thread that is parked until it gets a lock is blocked, as it is at a monitor. `innermost`: the method in which the
 * thread is, which decides where the dump has no state of Java: JDK 5 and older, `jstack -F`; empty if unknown.
 */
export function stateOf(status: string, locks: readonly LockLine[], innermost: string): ThreadState {
  const [word = '', detail = ''] = status.split(/ (?=\()/);
  const state = STATES[word] ?? stateIn(innermost, status);
  if (state !== 'waiting' && state !== 'timed-waiting') return state;
  if (detail === '(sleeping)') return 'sleeping';
  if (locks.some((line) => line.verb === 'acquire')) return 'blocked';
  return detail === '(parking)' || (detail === '' && locks.some((line) => line.verb === 'park')) ? 'parked' : state;
}

/** Whether the text is a state as the VM writes it behind `java.lang.Thread.State:`. */
export function isState(text: string): boolean {
  return /^(?:NEW|RUNNABLE|BLOCKED|WAITING|TIMED_WAITING|TERMINATED)(?: \([a-z ]{1,40}\))?$/.test(text);
}

const ASLEEP = /^java\.lang\.Thread\.sleep(?:0|Nanos0)?$/;
const PARKED = /^(?:sun\.misc|jdk\.internal\.misc)\.Unsafe\.park$/;
const IN_WAIT = /^java\.lang\.Object\.wait0?$/;
/** States of the VM in which a thread runs or is in native code. */
const RUNS = /^\(state = IN_(?:JAVA|NATIVE|VM)(?:_TRANS)?\)$/;

function stateIn(innermost: string, status: string): ThreadState {
  if (innermost === '') return 'unknown';
  if (ASLEEP.test(innermost)) return 'sleeping';
  if (PARKED.test(innermost)) return 'parked';
  if (IN_WAIT.test(innermost)) return 'waiting';
  return RUNS.test(status) ? 'runnable' : 'unknown';
}
