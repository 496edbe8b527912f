/** What the lines about locks of a thread mean, beyond their words: the frames and the state of the thread say more. */
import { type FrameRole, wantsLock } from './frame-role.js';
import type { LockLine, LockVerb } from './lock-line.js';

/** Whether a line says that its thread waits. */
export function isWait(verb: LockVerb): boolean {
  return verb !== 'locked' && verb !== 'owns';
}

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
 * The lines of a blocked thread. The serviceability agent shows the monitor that a thread is blocked at as held, too, if the
 * thread holds another one in its innermost frame. `top`: number of lines of this frame; `wanted`: the address of the
 * monitor according to the deadlocks. Undefined where that does not decide.
 */
export function agentLines(
  locks: readonly LockLine[],
  top: number,
  wanted: number | undefined,
): LockLine[] | undefined {
  if (!locks.slice(0, top).some(({ address }) => address === wanted)) return undefined;
  return locks.map((line, i) => (i < top && line.address === wanted ? { ...line, verb: 'enter' } : line));
}
