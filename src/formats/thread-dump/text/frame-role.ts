/**
 * Roles of the frames of a waiting thread, for what the line about its lock does not say: HotSpot does not report the
 * object of a compiled `Object.wait`, and a parked thread names the object that it is parked for, be it a lock or an
 * empty queue.
 */
import type { DumpFrame } from './frame.js';

/**
 * `wait`: in `Object.wait`. `exclusive`, `shared`, `queue`: of a queued synchronizer that acquires in this mode, or
 * does its own work.
 */
export type FrameRole = 'wait' | 'exclusive' | 'shared' | 'queue';

const SYNCHRONIZER = /^java\.util\.concurrent\.locks\.AbstractQueued(?:Long)?Synchronizer$/;
const EXCLUSIVE = /^(?:acquire(?:Queued|Interruptibly)?|doAcquire(?:Interruptibly|Nanos)|tryAcquireNanos)$/;

/** `Object.wait` is native until JDK 18, and calls the native `wait0` since. */
export function roleOf({ class: type, method }: DumpFrame): FrameRole | undefined {
  if (type === 'java.lang.Object') return method === 'wait' || method === 'wait0' ? 'wait' : undefined;
  if (!SYNCHRONIZER.test(type)) return undefined;
  if (method.includes('Shared')) return 'shared';
  return EXCLUSIVE.test(method) ? 'exclusive' : 'queue';
}

/** Number of frames examined from the top: parking takes at most five. */
export const TOP_FRAMES = 12;

const LOCKS = /^java\.util\.concurrent\.locks\.(?:Reentrant(?:ReadWrite)?Lock\$(?:Nonf|F)airSync|StampedLock)$/;

/**
 * Whether a thread that is parked for an object of class `blocker` wants a lock: one of java.util.concurrent, or
 * another synchronizer that it acquires exclusively. Shared ones (latches, semaphores), conditions, queues and pools
 * are not locks. `roles`: of the frames, the innermost first.
 */
export function wantsLock(blocker: string, roles: readonly (FrameRole | undefined)[]): boolean {
  if (LOCKS.test(blocker)) return true;
  const from = roles.findIndex((role) => role !== undefined);
  if (from < 0) return false;
  const end = roles.indexOf(undefined, from);
  const run = roles.slice(from, end < 0 ? roles.length : end);
  return run.includes('exclusive') && !run.includes('shared');
}
