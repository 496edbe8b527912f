/** Records a native program with the chosen recorder, and says what was recorded. */
import { existsSync } from 'node:fs';
import { UsageError } from '../../base/errors.js';
import type { Work } from '../../base/progress.js';
import { recordWithGprofng } from './gprofng.node.js';
import type { NativeOptions } from './options.js';
import { type RecordingOutcome, recordingOutcome } from './outcome.node.js';
import { experimentPath } from './output.node.js';
import type { RecordingHost } from './program.node.js';

export interface NativeRecording {
  /** The directory of the experiment. */
  readonly path: string;
  /** Of the program; 128 and the signal if one ended it. */
  readonly exitCode: number;
  readonly outcome: RecordingOutcome;
}

/**
 * Runs `command`, a program and its words, and records it. Throws UsageError for options that the recorder lacks and where it is not installed, and as
 * opening does where it wrote nothing that can be read.
 */
export async function recordNative(
  command: readonly string[],
  options: NativeOptions,
  host: RecordingHost,
  work: Work,
): Promise<NativeRecording> {
  const path = experimentPath(options.output, options.overwrite === true);
  const exitCode = await recordWithGprofng(command, path, options, host);
  if (!existsSync(path))
    throw new UsageError(`${options.recorder} wrote no experiment; the program ended with exit code ${exitCode}`);
  return { path, exitCode, outcome: await recordingOutcome(path, work) };
}
