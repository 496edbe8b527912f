/** The steps of a scope about one recording, for another one that is asked beside it: handles mean what is the same there. */
import type { Profile } from '../../models/profile/profile.js';
import { threadLabel, threadOfHandle } from '../../models/profile/thread-label.js';
import type { Program } from '../../models/program/program.js';
import type { ScopeStep } from '../../models/scope.js';
import { textForOther } from './named-functions.js';

/** What handles of a recording name. */
export interface HandleHolder {
  readonly program: Program;
  readonly profile?: Profile | undefined;
}

/** The steps for `other`: functions by their keys, threads by their names. A handle that is none of `holder` stays.*/
export function stepsForOther(
  steps: readonly ScopeStep[],
  holder: HandleHolder,
  other: HandleHolder,
): readonly ScopeStep[] {
  if (holder.program === other.program && holder.profile === other.profile) return steps;
  return steps.map((step) => {
    if (!('pattern' in step)) return step;
    const pattern =
      step.kind === 'thread'
        ? threadForOther(step.pattern, holder)
        : textForOther(step.pattern, holder.program, other.program);
    return { ...step, pattern };
  });
}

function threadForOther(text: string, { profile, program }: HandleHolder): string {
  const id = threadOfHandle(profile, program, text);
  if (id === undefined || id < 0 || profile === undefined) return text;
  return `^${(threadLabel(profile, program, id) ?? '').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;
}
