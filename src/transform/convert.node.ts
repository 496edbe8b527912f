/** Writes a recording again: all or a scope of it, in its own or another format; or its undamaged part. */
import { withinScope } from '../analysis/scope/scoped.js';
import { defined } from '../base/defined.js';
import { UsageError } from '../base/errors.js';
import type { Note } from '../base/note.js';
import type { Phrase } from '../base/phrase.js';
import type { Problem } from '../base/problems.js';
import { eventCount } from '../models/profile/profile.js';
import type { Recording } from '../models/recording.js';
import type { ScopeStep } from '../models/scope.js';
import { allProblems } from '../session/opened.js';
import { type FileWriteOptions, outputPath, writeRecording } from './write.node.js';

export interface ConvertOptions
  extends Pick<
    FileWriteOptions,
    'announce' | 'expansion' | 'format' | 'heaps' | 'inputs' | 'lines' | 'metric' | 'version' | 'work'
  > {
  /** Only data within these steps is written. */
  readonly scope?: readonly ScopeStep[];
}

export interface Converted {
  /** Where it was written: in a directory, under the name of a report. */
  readonly path: string;
  /** Notes on the scope. */
  readonly notes: readonly Note[];
  /** Notes on data that the format cannot contain. */
  readonly dropped: readonly Phrase[];
}

/**
 * Writes a recording to `path` as `writeRecording` does. Throws `UsageError` if there are events and none of them is
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
    throw new UsageError(`the scope selects nothing in ${output.inputs?.[0] ?? whole.name}`, {
      code: 'scope-empty',
      advice: 'Nothing was written.',
    });
  const written = await outputPath(whole, path, output);
  const format = written === path ? output.format : (output.format ?? whole.format);
  return {
    path: written,
    notes,
    dropped: await writeRecording(recording, written, { ...output, ...defined({ format }) }),
  };
}

export interface Salvaged {
  /** Notes on omitted data. */
  readonly dropped: readonly Phrase[];
  /** Errors of the damaged recording. */
  readonly errors: readonly Problem[];
  /** Entries that could be read. */
  readonly entries: number;
}

/** Writes the undamaged part of a damaged recording to `path`, as a valid file. */
export async function salvageRecording(
  recording: Recording,
  path: string,
  options: Pick<FileWriteOptions, 'inputs' | 'work'> = {},
): Promise<Salvaged> {
  const dropped = await writeRecording(recording, path, { ...options, salvage: true });
  return {
    dropped,
    errors: allProblems(recording).list.filter(({ severity }) => severity === 'error'),
    entries: recording.sections.reduce((sum, { entries }) => sum + entries, 0),
  };
}
