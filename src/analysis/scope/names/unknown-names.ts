/**
 * Names in a scope that nothing has. A condition or a time that selects nothing is an answer; a function or thread that no recording of the question
 * has is mostly misspelt, so it is an error with the closest names.
 */
import type { UsageError } from '../../../base/errors.js';
import { phrase, theStep } from '../../../base/phrase.js';
import { threadLabel, threadOfHandle } from '../../../models/profile/thread-label.js';
import { matchNames } from '../../../models/program/names.js';
import type { Recording } from '../../../models/recording.js';
import type { ScopeStep } from '../../../models/scope.js';
import { isEventsText } from '../../handles/named-events.js';
import { isStackText } from '../../handles/named-stacks.js';
import { functionNames, functionsMatching, isFunctionHandle } from '../../identity/named-functions.js';
import { unknownNameError } from '../../identity/unknown-name.js';
import { isLockStep, type PatternStep } from '../scoped-locks.js';

/** Throws `UsageError` for a step with a name of a function or thread that none of the recordings has, whatever other steps leave of them. */
export function refuseUnknownNames(steps: readonly ScopeStep[], recordings: readonly Recording[]): void {
  for (const step of steps) {
    if (step.kind === 'thread') refuseThread(step.pattern, recordings);
    else if (isFunctionStep(step)) refuseFunction(step, recordings);
  }
}

/** Whether a step chooses functions by a name or pattern. */
export function isFunctionStep(step: ScopeStep): step is PatternStep {
  if (step.kind !== 'focus' && step.kind !== 'ignore' && step.kind !== 'hide' && step.kind !== 'show') return false;
  const { pattern } = step;
  return !(isLockStep(step) || isStackText(pattern) || isEventsText(pattern) || isFunctionHandle(pattern));
}

function refuseFunction({ kind, pattern }: PatternStep, recordings: readonly Recording[]): void {
  const programs = recordings.map(({ program }) => program).filter(({ functions }) => functions.length > 0);
  if (programs.length === 0 || programs.some((program) => functionsMatching(program, pattern).includes(1))) return;
  throw unknownName('function', { kind, pattern }, programs.flatMap(functionNames));
}

function refuseThread(pattern: string, recordings: readonly Recording[]): void {
  const names: string[] = [];
  for (const { program, profile } of recordings) {
    // Recordings without threads have an error of their own.
    if (profile?.threads === undefined || threadOfHandle(profile, program, pattern) !== undefined) return;
    const { length } = profile.threads;
    const labels = Array.from({ length }, (_, id) => threadLabel(profile, program, id) ?? '');
    if (matchNames(pattern, length, (id) => labels[id] ?? '').includes(1)) return;
    names.push(...labels);
  }
  if (names.length > 0) throw unknownName('thread', { kind: 'thread', pattern }, names);
}

function unknownName(
  noun: string,
  { kind, pattern }: { readonly kind: ScopeStep['kind']; readonly pattern: string },
  names: readonly string[],
): UsageError {
  const action = { omitSteps: [kind], addSteps: [kind] };
  return unknownNameError(phrase`${theStep(kind, { value: pattern })}`, { noun, text: pattern, names, action });
}
