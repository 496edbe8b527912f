/** At which depth recordings can be compared whose recorders cut stacks at different ones. */
import { depthLimit } from '../stacks/cut-stacks.js';
import type { ScopedRecording } from './scoped.js';

/**
 * The least depth limit of several recordings; `undefined` where all have the same or none. A stack is as deep in one as in the
 * other then, so what one recorder cut away does not pass for a difference.
 */
export function commonDepth(of: readonly Pick<ScopedRecording, 'profile' | 'recording'>[]): number | undefined {
  const limits = of.map(({ profile, recording }) =>
    profile === undefined ? Infinity : (depthLimit(profile, recording.program) ?? Infinity),
  );
  const least = Math.min(...limits);
  return limits.every((limit) => limit === least) || least < 1 ? undefined : least;
}
