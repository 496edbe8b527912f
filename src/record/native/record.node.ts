/** Records a native program with the chosen recorder, and says what was recorded. */
import { existsSync } from 'node:fs';
import { UsageError } from '../../base/errors.js';
import type { Work } from '../../base/progress.js';
import { openInputs } from '../../session/open.node.js';
import { archiveExperiment } from '../archive/archive.node.js';
import { recordWithGprofng } from './gprofng.node.js';
import type { Copies, NativeOptions, NativeRecorder } from './options.js';
import { type RecordingOutcome, recordingOutcome } from './outcome.node.js';
import { experimentPath } from './output.node.js';
import type { RuntimeSamples } from './perf/stack-writer.js';
import type { RecordingHost } from './program.node.js';

export interface NativeRecording {
  readonly recorder: NativeRecorder;
  /** The directory of the experiment. */
  readonly path: string;
  /** Of the program; 128 and the signal if one ended it. */
  readonly exitCode: number;
  readonly outcome: RecordingOutcome;
  /** Of recorders that join samples with code made at run time afterwards. */
  readonly runtimeCode?: RuntimeSamples;
}

/**
 * Runs `command`, a program and its words, or takes the process `options.pid`, which perf alone can record, and records it. Throws UsageError for options that the recorder lacks and where it is not installed, and as
 * opening does where it wrote nothing that can be read.
 */
export async function recordNative(
  command: readonly string[],
  options: NativeOptions,
  host: RecordingHost,
  work: Work,
): Promise<NativeRecording> {
  const path = experimentPath(options.output, options.overwrite === true);
  const { pid, recorder = pid === undefined ? 'gprofng' : 'perf' } = options;
  if ((pid === undefined) === (command.length === 0))
    throw new UsageError('name one: a program to run, or a process that runs', 'record native -- PROGRAM, or -p PID.');
  if (pid !== undefined && recorder !== 'perf')
    throw new UsageError(`${recorder} cannot record a process that runs already`, 'Leave out --with: perf can.');
  const { exitCode, runtimeCode } = await run(command, path, { ...options, recorder }, host);
  if (!existsSync(path))
    throw new UsageError(`${recorder} wrote no experiment; the program ended with exit code ${exitCode}`);
  if (recorder !== 'gprofng') await copyFiles(path, options.copies ?? 'objects', work);
  return { recorder, path, exitCode, outcome: await recordingOutcome(path, work), ...(runtimeCode && { runtimeCode }) };
}

/** What gprofng does itself. */
async function copyFiles(path: string, copies: Copies, work: Work): Promise<void> {
  const choice = { objects: /objects|all/.test(copies), sources: /sources|all/.test(copies) };
  if (!choice.objects && !choice.sources) return;
  const session = await openInputs([path], { cache: false, announce: () => undefined, work });
  try {
    await archiveExperiment(session, path, choice, work);
  } finally {
    await session.close();
  }
}

type Run = Pick<NativeRecording, 'exitCode' | 'runtimeCode'>;

async function run(
  command: readonly string[],
  path: string,
  options: NativeOptions,
  host: RecordingHost,
): Promise<Run> {
  if (options.recorder === 'gprofng') return { exitCode: await recordWithGprofng(command, path, options, host) };
  if (options.recorder === 'valgrind') {
    const { recordWithValgrind } = await import('./callgrind/record-valgrind.node.js');
    return { exitCode: await recordWithValgrind(command, path, options, host) };
  }
  const { recordProcess, recordWithPerf } = await import('./perf/record-perf.node.js');
  const { pid } = options;
  return pid === undefined ? recordWithPerf(command, path, options, host) : recordProcess(pid, path, options, host);
}
