/** What the lines about locks of a thread mean, beyond their words: the frames and the state of the thread say more. */
import { type FrameRole, wantsLock } from './frame-role.js';
import type { LockLine } from './lock-line.js';

/** Where a parked thread wants a lock, the verb becomes `acquire`. `roles`: of the innermost frames. */
export function parkedLines(
  locks: readonly LockLine[],
  roles: () => readonly (FrameRole | undefined)[],
): readonly LockLine[] {
  if (!locks.some(({ verb }) => verb === 'park')) return locks;
  return locks.map((line) =>
    line.verb === 'park' && wantsLock(line.class, roles()) ? { ...line, verb: 'acquire' } : line,
  );
}

/** `ThreadMXBean` does not tell parking from waiting: the state of the thread and its innermost frame do. */
export function managementLines(
  locks: readonly LockLine[],
  status: string,
  innermost: FrameRole | undefined,
): LockLine[] {
  const inWait = innermost === 'wait';
  return locks.map((line) => {
    if (line.verb !== 'enter' && line.verb !== 'notify') return line;
    if (status.startsWith('BLOCKED')) return { ...line, verb: inWait ? 're-enter' : 'enter' };
    if (inWait) return { ...line, verb: 'notify' };
    return { ...line, verb: line.owner === undefined ? 'park' : 'acquire' };
  });
}

/**
 * The lines of a blocked thread; the first `top` lines are of its innermost frame. If the thread holds a monitor in this
 * frame, too, the serviceability agent of JDK 17 shows the one that the thread wants as held, and that of JDK 25 the held
 * one as wanted. `wanted`: its address according to the deadlocks. Undefined where that does not decide.
 */
export function agentLines(
  locks: readonly LockLine[],
  top: number,
  wanted: number | undefined,
): LockLine[] | undefined {
  if (!locks.slice(0, top).some(({ address }) => address === wanted)) return undefined;
  return locks.map((line, i) => (i < top ? { ...line, verb: line.address === wanted ? 'enter' : 'locked' } : line));
}
