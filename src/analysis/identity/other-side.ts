/** The steps of a scope about one recording, for another one that is asked beside it: handles mean what is the same there. */

import { exactPattern } from '../../base/parsing/exact-pattern.js';
import { isHandle } from '../../models/handle.js';
import type { Profile } from '../../models/profile/profile.js';
import { threadLabel, threadOfHandle } from '../../models/profile/thread-label.js';
import type { Program } from '../../models/program/program.js';
import type { ScopeStep } from '../../models/scope.js';
import { eventsTextForOther } from '../handles/named-events.js';
import { isOfRecording, stackTextForOther } from '../handles/named-stacks.js';
import { applyScope } from '../scope/scope.js';
import { textForOther } from './named-functions.js';

/** What handles of a recording name. */
export interface HandleHolder {
  readonly program: Program;
  readonly profile?: Profile | undefined;
}

/**
 * The steps for `other`: functions and stacks by their keys, threads and events by their names. A handle that is none of `holder` stays. `earlierSteps`: steps that
 * come before them in `holder`, since some change its stacks.
 */
export function stepsForOther(
  steps: readonly ScopeStep[],
  holder: HandleHolder,
  other: HandleHolder,
  earlierSteps: readonly ScopeStep[] = [],
): readonly ScopeStep[] {
  if (holder.program === other.program && holder.profile === other.profile) return steps;
  return steps.map((step, i) => {
    if (!('pattern' in step)) return step;
    const { pattern } = step;
    if (step.kind === 'thread') return { ...step, pattern: threadForOther(pattern, holder) };
    // A context has numbers of functions, not of stacks.
    if (isOfRecording(pattern) && (isHandle('stack', pattern) || holder.program !== other.program))
      return { ...step, pattern: stackForOther(pattern, holder, [...earlierSteps, ...steps.slice(0, i)]) };
    return { ...step, pattern: textForOther(eventsTextForOther(pattern), holder.program, other.program) };
  });
}

/** A handle of stacks is of those that the steps before it left. */
function stackForOther(text: string, { profile, program }: HandleHolder, earlierSteps: readonly ScopeStep[]): string {
  if (profile === undefined) return text;
  const changes = earlierSteps.filter(({ kind }) => CHANGING_STACKS.has(kind));
  const { stacks } = changes.length === 0 ? profile : applyScope(program, profile, changes).profile;
  return stackTextForOther(text, program, stacks);
}

/** Steps that change stacks; all others leave each stack its number. */
const CHANGING_STACKS: ReadonlySet<ScopeStep['kind']> = new Set(['depth', 'hide', 'show', 'view-mode']);

function threadForOther(text: string, { profile, program }: HandleHolder): string {
  const id = threadOfHandle(profile, program, text);
  if (id === undefined || id < 0 || profile === undefined) return text;
  return exactPattern(threadLabel(profile, program, id) ?? '');
}
