/** The depth at which recordings with different depth limits can be compared. */
import { depthLimit } from '../stacks/cut-stacks.js';
import type { ScopedRecording } from './scoped.js';

/**
 * The smallest depth limit of the recordings with stacks; `undefined` if all have the same or none. With stacks cut at this
 * depth, frames that one recorder cut do not appear as differences.
 */
export function commonDepth(of: readonly Pick<ScopedRecording, 'profile' | 'recording'>[]): number | undefined {
  const limits = of.flatMap(({ profile, recording }) =>
    profile === undefined ? [] : [depthLimit(profile, recording.program) ?? Infinity],
  );
  const least = Math.min(...limits);
  return limits.every((limit) => limit === least) || least < 1 ? undefined : least;
}
