/**
 * Records a program with `perf record`. The program waits behind a gate until perf samples it, so it is a child of this process: it has the terminal, its
 * exit code is exact, and the system counts its CPU time for us.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Duplex } from 'node:stream';
import { UsageError } from '../../../base/errors.js';
import { programOf } from '../../../code/java/jdk-home.node.js';
import { givenFlags, type NativeOptions } from '../options.js';
import { programPath, type RecordingHost, startProgram } from '../program.node.js';
import { type PerfRun, PerfScript, PRINTED_FIELDS } from './perf-script.js';

/** How perf samples. */
export interface PerfSampling {
  readonly interval: number;
  readonly unwound: boolean;
}

const USUAL_INTERVAL = 2e6;
const LACKING = ['counters', 'sync', 'heap', 'io', 'usagePeriod', 'sampleSignal', 'pauseSignal'] as const;
/** Reads a line from file descriptor 3, then becomes the program. */
const GATE = 'read -r go <&3 || exit 126; exec 3<&-; exec "$@"';
/** perf prints no more frames unless it is told. */
export const DEEPEST_UNWOUND = 1024;

/** Throws UsageError for options that perf lacks. */
export function perfSampling(options: NativeOptions): PerfSampling {
  const flags = givenFlags(options, LACKING);
  if (flags !== '')
    throw new UsageError(
      `perf records samples of the clock only: no ${flags}`,
      'Leave it out, or record --with gprofng.',
    );
  const { interval = USUAL_INTERVAL, unwinding = 'dwarf' } = options;
  if (interval === 'off') throw new UsageError('perf records nothing else than samples of the clock');
  return { interval, unwound: unwinding === 'dwarf' };
}

/** The path of perf. Throws UsageError if it is not installed. */
export function perfProgram({ env }: RecordingHost): string {
  const perf = programOf('perf', env);
  if (perf !== undefined) return perf;
  throw new UsageError(
    'perf is not installed',
    'Install it (Debian: linux-perf; Fedora: perf), or record --with gprofng.',
  );
}

/** A program behind a gate. */
export interface GatedProgram {
  readonly pid: number;
  readonly exitCode: Promise<number>;
  readonly open: () => void;
  /** Ends it before its program began. */
  readonly cancel: () => Promise<void>;
}

/** Starts a program that runs when the gate opens. */
export function gatedProgram([program = '', ...words]: readonly string[], host: RecordingHost): GatedProgram {
  const command = ['/bin/sh', '-c', GATE, 'sh', programPath(program, host.env), ...words];
  const { child, exitCode } = startProgram(command, host, ['inherit', 'inherit', 'inherit', 'pipe']);
  const gate = streamOf(child, 3);
  const cancel = async (): Promise<void> => {
    gate.destroy();
    await exitCode;
  };
  return { pid: child.pid ?? 0, exitCode, open: () => void gate.end('go\n'), cancel };
}

/** A pipe to a process; those of Node go both ways. */
function streamOf(child: ChildProcess, number: number): Duplex {
  const stream = child.stdio[number];
  if (stream instanceof Duplex) return stream;
  throw new Error(`no stream ${number}`);
}

/** A process that waits until it is ended. */
export interface WaitingProcess {
  readonly pid: number;
  readonly end: () => Promise<void>;
}

/** While it is sampled, too, perf does not end with the program: else the system might count perf's CPU time before we ask for that of the program. */
export function waitingProcess({ env }: RecordingHost): WaitingProcess {
  const child = spawn('/bin/sh', ['-c', 'read -r go <&3'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: { ...env },
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const pipe = streamOf(child, 3);
  return {
    pid: child.pid ?? 0,
    end: async () => {
      pipe.destroy();
      await ended;
    },
  };
}

/** A perf that samples a process. */
export interface RunningPerf {
  /** Ends when perf has written all. Throws UsageError if it failed. */
  readonly stop: () => Promise<void>;
  readonly ended: Promise<void>;
}

/** Starts perf; it samples when the promise resolves. Throws UsageError with its message if it cannot. */
export async function startPerf(
  perf: string,
  pids: readonly number[],
  output: string,
  { interval, unwound }: PerfSampling,
  host: RecordingHost,
): Promise<RunningPerf> {
  const words = [
    'record',
    '-q',
    '-N',
    '-B',
    '-k',
    'CLOCK_MONOTONIC',
    '-e',
    'cpu-clock',
    '-c',
    String(Math.round(interval)),
  ];
  const more = ['--sample-cpu', '--call-graph', unwound ? 'dwarf' : 'fp', '-p', pids.join(','), '-o', output];
  const control = ['-D', '-1', '--control', 'fd:3,4'];
  // A group of its own: Ctrl-C is for the program.
  const child = spawn(perf, [...words, ...more, ...control], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...host.env },
    detached: true,
  });
  let message = '';
  child.stderr?.on('data', (part) => (message += String(part)));
  const code = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  const [orders, answers] = [streamOf(child, 3), streamOf(child, 4)];
  const isReady = new Promise<boolean>((resolve) => {
    answers.once('data', () => resolve(true));
    code.then(
      () => resolve(false),
      () => resolve(false),
    );
  });
  orders.on('error', () => undefined);
  orders.write('enable\n');
  if (!(await isReady))
    throw new UsageError(`perf cannot record: ${reasonOf(message, await code)}`, permission(message));
  const ended = code.then((status) => {
    if (status !== 0 && !child.killed) throw new UsageError(`perf failed: ${reasonOf(message, status)}`);
  });
  return {
    ended,
    stop: async () => {
      child.kill('SIGINT');
      await ended;
    },
  };
}

function reasonOf(message: string, status: number): string {
  return message.split('\n').find((line) => line.trim() !== '') ?? `exit code ${status}`;
}

function permission(message: string): string | undefined {
  return /paranoid|[Pp]ermission|No permission|EPERM|EACCES/.test(message)
    ? 'Set kernel.perf_event_paranoid to 1 by sysctl, run as root, or record --with gprofng or valgrind.'
    : undefined;
}

/** What perf recorded. `fromExec`: what the process was before its program began is left out. */
export async function readPerf(
  perf: string,
  data: string,
  { pid, fromExec }: { readonly pid: number; readonly fromExec: boolean },
  host: RecordingHost,
): Promise<PerfRun> {
  const words = ['script', '-i', data, ...PRINTED_FIELDS, '--max-stack', String(DEEPEST_UNWOUND)];
  const child = spawn(perf, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...host.env } });
  let message = '';
  child.stderr.on('data', (part) => (message += String(part)));
  const status = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  const script = new PerfScript(pid, fromExec);
  for await (const line of createInterface({ input: child.stdout })) script.line(line);
  const code = await status;
  if (code !== 0) throw new UsageError(`perf script failed: ${reasonOf(message, code)}`);
  return script.finish();
}
