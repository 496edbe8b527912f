/** A recording written again: all of it or what lies within a scope, in its own or another format; or what is whole of it. */

import { withinScope } from '../analysis/scope/scoped.js';
import { UsageError } from '../base/errors.js';
import type { Problem } from '../base/problems.js';
import { eventCount } from '../models/profile/profile.js';
import type { Recording } from '../models/recording.js';
import type { ScopeStep } from '../models/scope.js';
import { allProblems } from '../session/opened.js';
import { type OutputOptions, writeRecording } from './write.node.js';

export interface ConvertOptions
  extends Pick<OutputOptions, 'announce' | 'format' | 'inputs' | 'lines' | 'metric' | 'version' | 'work'> {
  /** Only what passes these is written. */
  readonly scope?: readonly ScopeStep[];
}

export interface Converted {
  /** What is to be known of the scope, in words. */
  readonly notes: readonly string[];
  /** What the written format could not hold, in words. */
  readonly dropped: readonly string[];
}

/**
 * Writes a recording to `path` as `writeRecording` does. Throws `UsageError` where there are events and none of them lies
 * within the scope.
 */
export async function convertRecording(
  whole: Recording,
  path: string,
  options: ConvertOptions = {},
): Promise<Converted> {
  const { scope = [], ...output } = options;
  const { recording, notes } = withinScope(whole, scope);
  if (eventCount(whole.profile) > 0 && eventCount(recording.profile) === 0)
    throw new UsageError(
      `nothing of ${output.inputs?.[0] ?? whole.name} lies within the scope`,
      'Nothing was written.',
    );
  return { notes, dropped: await writeRecording(recording, path, output) };
}

export interface Salvaged {
  /** What was left out, in words. */
  readonly dropped: readonly string[];
  /** Errors of the damaged recording. */
  readonly errors: readonly Problem[];
  /** Entries that could be read. */
  readonly entries: number;
}

/** Writes what is whole of a damaged recording to `path`, as a file without faults. */
export async function salvageRecording(
  recording: Recording,
  path: string,
  options: Pick<OutputOptions, 'inputs' | 'work'> = {},
): Promise<Salvaged> {
  const dropped = await writeRecording(recording, path, { ...options, salvage: true });
  return {
    dropped,
    errors: allProblems(recording).list.filter(({ severity }) => severity === 'error'),
    entries: recording.sections.reduce((sum, { entries }) => sum + entries, 0),
  };
}
