/** Several recordings written as one. */
import { mergeRecordings } from '../analysis/merge/merge.js';
import type { Rational } from '../analysis/merge/rational.js';
import type { Phrase } from '../base/phrase.js';
import type { Recording } from '../models/recording.js';
import { type FileWriteOptions, writeRecording } from './write.node.js';

export interface MergeOptions
  extends Pick<FileWriteOptions, 'announce' | 'format' | 'inputs' | 'lines' | 'metric' | 'version' | 'work'> {
  /** One for each recording, in order; 1 each if not given. */
  readonly weights?: readonly Rational[];
}

export interface MergedFile {
  /** The written recording. Its problems report omitted data. */
  readonly recording: Recording;
  /** Notes on data that the format cannot contain. */
  readonly dropped: readonly Phrase[];
  /** Whether some metric is in all recordings: otherwise a file with one number per stack covers only some of them. */
  readonly commonMetric: boolean;
}

/**
 * Adds recordings up and writes the sum to `path`, as `writeRecording` does. Throws `UsageError` like
 * `mergeRecordings`.
 */
export async function mergeToFile(
  recordings: readonly Recording[],
  path: string,
  options: MergeOptions = {},
): Promise<MergedFile> {
  const { weights, ...output } = options;
  const recording = mergeRecordings(recordings, weights);
  const dropped = await writeRecording(recording, path, { ...output, made: true });
  return { recording, dropped, commonMetric: haveCommonMetric(recordings) };
}

function haveCommonMetric(recordings: readonly Recording[]): boolean {
  const [first, ...others] = recordings.map(({ profile }) => new Set(profile?.metrics.map(({ id }) => id)));
  return first === undefined || [...first].some((id) => others.every((of) => of.has(id)));
}
