/** Records a program or a running process with perf, and writes the experiment. */
import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { UnreadableError, UsageError } from '../../../base/errors.js';
import type { NativeOptions } from '../options.js';
import type { RecordingHost } from '../program.node.js';
import { writeParts } from '../write-parts.node.js';
import { withPerfMap } from './java-command.js';
import { perfMapPath } from './named-code.node.js';
import {
  DEEPEST_UNWOUND,
  gatedProgram,
  type PerfSampling,
  perfProgram,
  perfSampling,
  type RunningPerf,
  readPerf,
  startPerf,
  waitingProcess,
} from './perf.node.js';
import { deepestStack, type PerfTask, perfExperiment } from './perf-experiment.node.js';
import type { PerfRun } from './perf-script.js';
import type { RuntimeSamples } from './stack-writer.js';

/** How a recording by perf ended. */
export interface PerfResult {
  readonly exitCode: number;
  readonly runtimeCode: RuntimeSamples;
}

/** CPU time in nanoseconds. */
interface CpuTime {
  readonly user: number;
  readonly system: number;
}

/** Ticks of a second in /proc. */
const TICKS = 100;
const SECOND = 1e9;
/** Places behind the name in `stat`: CPU time of the process, and of its children that ended. */
const [OWN, CHILDREN] = [11, 13];

/** Now, on the clock of the samples. */
const monotonic = (): number => Number(process.hrtime.bigint());

/** Runs a program to its end. Throws UsageError where perf is missing or may not sample. */
export async function recordWithPerf(
  words: readonly string[],
  output: string,
  options: NativeOptions,
  host: RecordingHost,
): Promise<PerfResult> {
  const java = withPerfMap(words, options);
  const sampling = perfSampling({ ...(java.isJava && { unwinding: 'frame-pointers' as const }), ...options });
  const scope = scopeOf(options);
  const perf = perfProgram(host);
  return inFolder(async (data) => {
    const program = gatedProgram(java.command, host);
    const companion = waitingProcess(host);
    const pids = [program.pid, companion.pid];
    const running = await startPerf(perf, pids, data, sampling, host).catch(async (error: unknown) => {
      await program.cancel();
      await companion.end();
      throw error;
    });
    const [start, date, before] = [monotonic(), Date.now() / 1000, cpuTime('self', CHILDREN)];
    program.open();
    const cut = await firstOf(program.exitCode, options.duration);
    const usage = cut ? cpuTime(program.pid, OWN) : difference(cpuTime('self', CHILDREN), before);
    const end = monotonic();
    await running.stop();
    await companion.end();
    const exitCode = await program.exitCode;
    const run = await readPerf(perf, data, { pid: program.pid, fromExec: true }, host);
    if (run.processes.length === 0) throw new UsageError(`perf saw no program; it ended with exit code ${exitCode}`);
    const facts = { command: java.command, directory: process.cwd(), usage, start, end, date };
    const runtimeCode = writePerfExperiment(run, output, sampling, { ...facts, ...scope });
    if (java.isJava) rmSync(perfMapPath(program.pid), { force: true });
    return { exitCode, runtimeCode };
  });
}

/** Records a process that runs already, until it ends, the time is over or this process is interrupted. Throws as `recordWithPerf`. */
export async function recordProcess(
  pid: number,
  output: string,
  options: NativeOptions,
  host: RecordingHost,
): Promise<PerfResult> {
  const sampling = perfSampling(options);
  const scope = scopeOf(options);
  const perf = perfProgram(host);
  const command = procText(pid, 'cmdline').split('\0').slice(0, -1);
  const directory = readlinkSync(`/proc/${pid}/cwd`);
  return inFolder(async (data) => {
    const running = await startPerf(perf, [pid], data, sampling, host);
    const [start, date, before] = [monotonic(), Date.now() / 1000, cpuTime(pid, OWN)];
    const counted = await untilStopped(pid, running, options.duration, host);
    const end = monotonic();
    await running.stop();
    const run = await readPerf(perf, data, { pid, fromExec: false }, host);
    const usage = counted && difference(counted, before);
    const facts = { command, directory, usage, start, end, date };
    return { exitCode: 0, runtimeCode: writePerfExperiment(run, output, sampling, { ...facts, ...scope }) };
  });
}

/** Runs with the path of a file that is gone afterwards. */
async function inFolder<Value>(run: (data: string) => Promise<Value>): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-perf-'));
  try {
    return await run(join(folder, 'perf.data'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits for the end of a program, or for a time; true if the time was over first. */
async function firstOf(ended: Promise<unknown>, duration: number | undefined): Promise<boolean> {
  if (duration === undefined) {
    await ended;
    return false;
  }
  const over = timer(duration);
  const cut = await Promise.race([ended.then(() => false), over.ended.then(() => true)]);
  over.clear();
  return cut;
}

function timer(nanos: number): { readonly ended: Promise<void>; readonly clear: () => void } {
  let clear = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    const timeout = setTimeout(resolve, nanos / 1e6);
    clear = () => clearTimeout(timeout);
  });
  return { ended, clear };
}

/** Waits; the CPU time of the process then, undefined if it ended itself. */
async function untilStopped(
  pid: number,
  { ended }: RunningPerf,
  duration: number | undefined,
  host: RecordingHost,
): Promise<CpuTime | undefined> {
  const isInterrupted = new Promise<void>((resolve) => host.onSignal?.(() => resolve()));
  const over = duration === undefined ? undefined : timer(duration);
  try {
    const isStopped = Promise.race([isInterrupted, ...(over ? [over.ended] : [])]).then(() => true);
    return (await Promise.race([ended.then(() => false), isStopped])) ? cpuTime(pid, OWN) : undefined;
  } finally {
    over?.clear();
    host.onSignal?.(undefined);
  }
}

/** Which processes are written, and what the user wrote. */
function scopeOf({
  descendants = 'on',
  comments = [],
}: NativeOptions): Pick<PerfTask, 'follows'> & { readonly comments: readonly string[] } {
  const pattern = descendants.startsWith('=') ? patternOf(descendants.slice(1)) : undefined;
  if (pattern === undefined && descendants !== 'on' && descendants !== 'off')
    throw new UsageError(`${descendants}: descendants are on, off or =REGEX`);
  const follows = (program: string): boolean => pattern?.test(basename(program)) ?? descendants === 'on';
  return { follows, comments };
}

function patternOf(text: string): RegExp {
  try {
    return new RegExp(`^(?:${text})$`, 'u');
  } catch (error) {
    throw new UsageError(`not a regular expression: ${text} (${error instanceof Error ? error.message : ''})`);
  }
}

/** Writes the experiment; a directory of that name is replaced. */
export function writePerfExperiment(
  run: PerfRun,
  output: string,
  { interval, unwound }: PerfSampling,
  facts: Omit<PerfTask, 'interval' | 'unwound' | 'deepest'> & { readonly comments: readonly string[] },
): RuntimeSamples {
  const deepest = unwound ? DEEPEST_UNWOUND : deepestStack();
  const { parts, runtimeCode } = perfExperiment(run, { ...facts, interval, unwound, deepest });
  writeParts(parts, output, facts.comments);
  return runtimeCode;
}

/** A file of a process in /proc. Throws UnreadableError if there is no such process. */
function procText(pid: number | 'self', name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    throw new UnreadableError(`there is no process ${pid} of yours`);
  }
}

/** Two fields of `stat` behind the name, which may contain anything. */
function cpuTime(pid: number | 'self', place: number): CpuTime {
  const text = procText(pid, 'stat');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const nanos = (at: number): number => (Number(fields[at]) / TICKS) * SECOND;
  return { user: nanos(place), system: nanos(place + 1) };
}

function difference(after: CpuTime, before: CpuTime): CpuTime {
  return { user: after.user - before.user, system: after.system - before.system };
}
