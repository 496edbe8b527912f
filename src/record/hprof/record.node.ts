/** Records a Java program with the HPROF agent, and says what the file has. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.js';
import type { Work } from '../../base/progress.js';
import { hprofLibrary } from '../../live/agent/build.node.js';
import { launcherPath, withAgent } from '../../live/agent/run.node.js';
import { type MetricSum, metricSums } from '../native/outcome.node.js';
import { type RecordingHost, startProgram } from '../native/program.node.js';

/** What was recorded; `metrics` with their sums. */
export interface HprofRecording {
  readonly path: string;
  /** Of the program; 128 and the signal if one ended it. */
  readonly exitCode: number;
  readonly metrics: readonly MetricSum[];
}

const USAGE = 'kansoku record hprof -o calls.txt -- java -jar app.jar';
const DEFAULT_FILE = 'java.hprof.txt';

/**
 * Runs `command`, a program of a JDK and its words, with the agent. `options`: those of the agent but `file`. Throws UsageError for a
 * command that starts no JVM, for options that the agent refuses, and where it wrote nothing.
 */
export async function recordHprof(
  command: readonly string[],
  { options, output = DEFAULT_FILE }: { readonly options: string; readonly output?: string },
  host: RecordingHost,
  work: Work,
): Promise<HprofRecording> {
  const [program] = command;
  if (program === undefined) throw new UsageError('name a program to run', USAGE);
  if (/(?:^|,)file=/.test(options)) throw new UsageError('the file is named by --output', USAGE);
  if (output.includes(',')) throw new UsageError(`${output}: the agent ends a name at its comma`, USAGE);
  const java = launcherPath(program, host.env, USAGE);
  const before = existsSync(output) ? statSync(output).mtimeMs : undefined;
  const words = withAgent(command, hprofLibrary(java, host.env), `${options},file=${resolve(output)},verbose=n`);
  const exitCode = await startProgram(words, host).exitCode;
  if (!existsSync(output) || statSync(output).mtimeMs === before)
    throw new UsageError(`the agent wrote nothing; the program ended with exit code ${exitCode}`);
  return { path: output, exitCode, metrics: await metricSums(output, work) };
}
