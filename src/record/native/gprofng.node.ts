/** Records a program with `gprofng collect app`. */
import { spawnSync } from 'node:child_process';
import { UsageError } from '../../base/errors.js';
import { programOf } from '../../code/java/jdk-home.node.js';
import { gprofngWords, type NativeOptions } from './options.js';
import { programPath, type RecordingHost, startProgram } from './program.node.js';

/** Lines of gprofng's about itself. */
const USAGE = /^Run "|for a usage message|^Copyright|^License|^This is free|^There is NO/;

/** Runs `command` (a program and its words) until it ends; the exit code of it. Throws UsageError where gprofng is missing or refuses an option. */
export async function recordWithGprofng(
  command: readonly string[],
  output: string,
  options: NativeOptions,
  host: RecordingHost,
): Promise<number> {
  const gprofng = programOf('gprofng', host.env);
  if (gprofng === undefined)
    throw new UsageError(
      'gprofng, which records native programs, is not installed',
      'Install it (Debian: binutils; Fedora: binutils-gprofng), or record --with perf (Debian: linux-perf).',
    );
  const [program = '', ...words] = command;
  const all = [...gprofngWords(options, output), programPath(program, host.env), ...words];
  refuseBad(gprofng, all, host);
  return startProgram([gprofng, 'collect', 'app', ...all], host).exitCode;
}

/** Asks gprofng whether it takes the words, before the program runs. */
function refuseBad(gprofng: string, words: readonly string[], { env }: RecordingHost): void {
  const { status, stdout, stderr, error } = spawnSync(gprofng, ['collect', 'app', '-n', ...words], {
    encoding: 'utf8',
    env: { ...env },
  });
  if (error !== undefined) throw new UsageError(`gprofng cannot run: ${error.message}`);
  if (status === 0) return;
  const lines = `${stderr}\n${stdout}`.split('\n').filter((line) => line.trim() !== '' && !USAGE.test(line));
  const reason = lines.find((line) => !line.startsWith('GNU ')) ?? `exit code ${status}`;
  throw new UsageError(`gprofng refuses this: ${reason}`, adviceFor(reason));
}

function adviceFor(reason: string): string | undefined {
  if (/synchronization tracing threshold/.test(reason))
    return 'gprofng 2.40 takes no number: record with --sync on or all, and filter waits by their time afterwards.';
  if (/HW counter/.test(reason)) return 'The processor or the virtual machine offers no counters to programs.';
  return undefined;
}
