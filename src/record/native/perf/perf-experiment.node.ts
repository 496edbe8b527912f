/** The experiment of what perf recorded: a process for each program that ran. */
import { readFileSync } from 'node:fs';
import {
  descendantText,
  type NativeProcess,
  nativeParts,
  warningText,
} from '../../../formats/experiment/write/index.js';
import { architecture, originHere } from '../origin.node.js';
import { CodeBytes } from './code-bytes.node.js';
import { kernelCode, type NamedCodes, perfMapCode } from './named-code.node.js';
import type { PerfProcess, PerfRun } from './perf-script.js';
import { isFile, type RuntimeSamples, StackWriter } from './stack-writer.js';

/** What was run, and how perf found callers. */
export interface PerfTask {
  readonly command: readonly string[];
  readonly directory: string;
  /** Nanoseconds between two samples. */
  readonly interval: number;
  readonly unwound: boolean;
  readonly deepest: number;
  /** CPU time of all processes in nanoseconds; undefined if nobody counted it. */
  readonly usage: { readonly user: number; readonly system: number } | undefined;
  /** When recording began and ended, on the clock of the samples, and the first in seconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly date: number;
  /** Whether a descendant is written, by the path of its program; `(fork)` of those that execute none. */
  readonly follows: (program: string) => boolean;
}

export interface PerfExperiment {
  readonly parts: ReadonlyMap<string, Iterable<Uint8Array>>;
  readonly runtimeCode: RuntimeSamples;
  readonly samples: number;
}

/** Letters of descendants: forked, executed, others. */
const KINDS = { fork: 'f', exec: 'x', start: 'c' } as const;
const MICROSECOND = 1000;
const NO_SAMPLES: RuntimeSamples = { samples: 0, withName: 0, interpreted: 0 };

/** The files of the experiment. Reads the mapped files, perf maps and names of the kernel while its parts are taken. */
export function perfExperiment(run: PerfRun, task: PerfTask): PerfExperiment {
  const [first] = run.processes;
  if (first === undefined) throw new Error('perf recorded no process');
  const lineages = lineagesOf(run.processes);
  const kernel = kernelCode();
  const code = new CodeBytes();
  const parts = new Map<string, Iterable<Uint8Array>>();
  let runtimeCode = NO_SAMPLES;
  let samples = 0;
  for (const process of run.processes) {
    if (process !== first && (process.samples === 0 || !task.follows(commandOf(process)))) continue;
    const lineage = lineages.get(process) ?? '';
    const events = process === first ? lifeOf(run, lineages) : [];
    const writer = new StackWriter(process, readingOf(process, task, kernel, code));
    const facts = { folder: lineage === '' ? '' : `${lineage}.er`, isFirst: process === first, events };
    for (const [path, bytes] of nativeParts(nativeProcess(process, task, writer, facts))) parts.set(path, bytes);
    runtimeCode = sumOf(runtimeCode, writer.runtimeSamples());
    samples += process.samples;
  }
  code.close();
  return { parts, runtimeCode, samples };
}

function readingOf(process: PerfProcess, task: PerfTask, kernel: NamedCodes, code: CodeBytes) {
  const { unwound, deepest } = task;
  return {
    architecture: architecture(),
    unwound,
    deepest,
    kernel,
    runtimeCode: perfMapCode(process.pid, task.date),
    code,
  };
}

function sumOf(a: RuntimeSamples, b: RuntimeSamples): RuntimeSamples {
  return {
    samples: a.samples + b.samples,
    withName: a.withName + b.withName,
    interpreted: a.interpreted + b.interpreted,
  };
}

/** `_f1` for the first fork of the first process, `_f1_x1` for what that executes; empty for the first. */
function lineagesOf(processes: readonly PerfProcess[]): ReadonlyMap<PerfProcess, string> {
  const lineages = new Map<PerfProcess, string>();
  const counts = new Map<string, number>();
  for (const process of processes) {
    const { parent, how } = process;
    const prefix = parent === undefined ? '' : (lineages.get(parent) ?? '');
    const kind = `${prefix}_${KINDS[how]}`;
    const number = (counts.get(kind) ?? 0) + 1;
    if (lineages.size === 0) lineages.set(process, '');
    else {
      counts.set(kind, number);
      lineages.set(process, `${kind}${number}`);
    }
  }
  return lineages;
}

/** When descendants began, and what was lost. */
function lifeOf({ processes, lost, unknown }: PerfRun, lineages: ReadonlyMap<PerfProcess, string>): string[] {
  const [first] = processes;
  const descendants = processes.flatMap((process) => {
    const { how, start } = process;
    if (first === undefined || process === first || how === 'start') return [];
    return [descendantText(lineages.get(process) ?? '', how, Math.max(0, start - first.start))];
  });
  return [
    ...descendants,
    ...(lost === 0 ? [] : [warningText(`perf lost ${lost} events`)]),
    ...(unknown === 0 ? [] : [warningText(`${unknown} lines of perf script are of no known form`)]),
  ];
}

interface ProcessFacts {
  readonly folder: string;
  readonly isFirst: boolean;
  readonly events: readonly string[];
}

function nativeProcess(
  perf: PerfProcess,
  task: PerfTask,
  writer: StackWriter,
  { folder, isFirst, events }: ProcessFacts,
): NativeProcess {
  const { builders, samples, stacks } = perf;
  const start = perf.start > 0 ? perf.start : task.start;
  const { directory } = task;
  const date = Math.round(task.date + (start - task.start) / 1e9);
  const since = (time: number): number => Math.max(0, time - start);
  const periods = builders.period.finish();
  const stackIds = builders.stack.finish();
  const written = stacks.map((stack) => writer.stack(stack));
  return {
    folder,
    origin: originHere({ collector: 'perf', pid: perf.pid, parent: creatorOf(perf)?.pid, directory, start, date }),
    command: isFirst ? task.command.join(' ') : commandOf(perf),
    duration: since(isFirst ? task.end : perf.end),
    measure: { kind: 'clock', tick: Math.max(1, Math.round(task.interval / MICROSECOND)) },
    mappings: perf.mappings
      .filter(({ name }) => isFile(name))
      .map((mapping) => ({ ...mapping, time: since(mapping.time) })),
    functions: writer.functions(),
    stacks: written,
    samples: {
      length: samples,
      times: builders.time.finish().map(since),
      threads: builders.thread.finish(),
      cpus: builders.cpu.finish(),
      values: periods.map((period) => Math.max(1, Math.round(period / task.interval))),
      stacks: stackIds,
    },
    usage: isFirst ? task.usage : undefined,
    events,
  };
}

/** What a descendant runs, as far as its mappings say: the first file with code. */
function commandOf({ mappings, how }: PerfProcess): string {
  if (how === 'fork') return '(fork)';
  return mappings.find(({ name }) => isFile(name))?.name ?? '(unknown)';
}

/** The process that forked it, before any program that it executed. */
function creatorOf({ how, parent }: PerfProcess): PerfProcess | undefined {
  return how === 'exec' && parent !== undefined ? creatorOf(parent) : parent;
}

/** Frames that perf records of a stack by frame pointers. */
export function deepestStack(): number {
  return Number(readFileSync('/proc/sys/kernel/perf_event_max_stack', 'utf8'));
}
