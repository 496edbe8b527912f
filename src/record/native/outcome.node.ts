/** What a recording that was just made contains, and whether its clock profiling can be trusted. */
import { MissingError } from '../../base/errors.js';
import type { Work } from '../../base/progress.js';
import { directWorkspace } from '../../session/workspace/direct.node.js';
import type { Workspace } from '../../session/workspace/workspace.js';
import type { ResultOf } from '../../views/index.js';

/** The sum of a metric, in its unit. */
export interface MetricSum {
  readonly title: string;
  readonly unit: string;
  readonly sum: number;
}

/** What was recorded. Times in nanoseconds. */
export interface RecordingOutcome {
  readonly processes: number;
  readonly threads: number;
  /** Of the first process. */
  readonly duration: number;
  /** Whether every process ended in order. */
  readonly ended: boolean;
  /** Numbers of events by kind, in the words of the recording. */
  readonly events: Readonly<Record<string, number>>;
  readonly metrics: readonly MetricSum[];
  /** Absent if there is no clock profiling, or the system's count is not recorded. */
  readonly clock?: ClockCheck;
  /** Messages of `check` that are errors or that the recorder wrote. */
  readonly problems: readonly string[];
}

/** The sum of clock profiling beside the CPU time that the system counted. */
export interface ClockCheck {
  readonly recorded: number;
  readonly counted: number;
  /** Present if less than half was recorded. */
  readonly low?: LowClock;
}

/** Why clock profiling has too little. `timer`: the profiling timer never ran; `paused`: recording was paused; `interval`: samples are shorter than a tick of the kernel; `short`: processes ended within an interval. */
export type LowClock = 'timer' | 'paused' | 'interval' | 'short' | 'unknown';

const HALF = 0.5;
/** The recorder asked for a timer and got one of 0: `10007 -> 0`. */
const NO_TIMER = /\d+ -> 0\b/;
/** Below it, a signal a tick of the kernel cannot keep up. */
const SHORT_INTERVAL = 4e6;
/** Less says nothing: a tick or two. */
const LEAST_CPU = 50e6;

/** Opens an experiment and asks it. Throws as opening does. */
export function recordingOutcome(path: string, work: Work): Promise<RecordingOutcome> {
  return askRecorded(path, work, (workspace, events) => outcomeOf(workspace, events, work));
}

/** The metrics of any recording with their sums. Throws as opening does. */
export function metricSums(path: string, work: Work): Promise<readonly MetricSum[]> {
  return askRecorded(path, work, async (workspace) => sumsOf(await workspace.ask({ view: 'summary' }, work)));
}

async function askRecorded<Value>(
  path: string,
  work: Work,
  ask: (workspace: Workspace, events: Readonly<Record<string, number>>) => Promise<Value>,
): Promise<Value> {
  const workspace = directWorkspace({ cache: false, announce: () => undefined });
  try {
    const [facts] = await workspace.open({ names: [path] }, work);
    if (facts === undefined) throw new Error(`${path} has no recording`);
    return await ask(workspace, facts.events);
  } finally {
    await workspace.end();
  }
}

function sumsOf({ metrics }: ResultOf<'summary'>): MetricSum[] {
  return metrics.map(({ title, unit, sum }) => ({ title, unit, sum: sum ?? 0 }));
}

async function outcomeOf(
  workspace: Workspace,
  events: Readonly<Record<string, number>>,
  work: Work,
): Promise<RecordingOutcome> {
  const all = { limit: 0 };
  const summary = await workspace.ask({ view: 'summary' }, work);
  const processes = await workspace.ask({ view: 'processes', page: all }, work);
  const threads = await orMissing(() => workspace.ask({ view: 'threads', page: { limit: 1 } }, work));
  const { rows: findings } = await workspace.ask({ view: 'check', page: all }, work);
  const recorder = findings.filter(({ code }) => code === 'experiment-recorder').map(({ message }) => message);
  const [first] = processes.rows;
  const interval = processes.data.find(({ kind }) => kind === 'clock')?.interval ?? undefined;
  const cpu = summary.metrics.find(({ id }) => id === 'cpu');
  const counted = await countedTime(workspace, work);
  const low = {
    interval,
    messages: recorder,
    isPaused: processes.pauses.length > 0,
    isPerf: summary.metadata.collector === 'perf',
  };
  return {
    processes: processes.total,
    threads: threads?.total ?? 0,
    duration: first?.duration ?? 0,
    ended: processes.rows.every(({ ended }) => ended),
    events,
    metrics: sumsOf(summary),
    ...(interval === undefined || counted === undefined ? {} : { clock: clockCheck(cpu?.sum ?? 0, counted, low) }),
    problems: findings.filter(({ severity }) => severity === 'error').map(({ message }) => message),
  };
}

/** CPU time that the system counted of all processes; undefined if no process has any. */
async function countedTime(workspace: Workspace, work: Work): Promise<number | undefined> {
  const usage = await orMissing(() => workspace.ask({ view: 'usage', page: { limit: 0 } }, work));
  return usage?.rows.reduce((sum, { user, system }) => sum + user + system, 0);
}

/** The answer; undefined where the recording lacks what it is about. */
async function orMissing<Value>(answer: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof MissingError) return undefined;
    throw error;
  }
}

interface ClockFacts {
  readonly interval: number | undefined;
  readonly messages: readonly string[];
  readonly isPaused: boolean;
  readonly isPerf: boolean;
}

function clockCheck(recorded: number, counted: number, facts: ClockFacts): ClockCheck {
  if (counted < LEAST_CPU || recorded >= counted * HALF) return { recorded, counted };
  return { recorded, counted, low: causeOf(facts) };
}

function causeOf({ interval, messages, isPaused, isPerf }: ClockFacts): LowClock {
  if (isPaused) return 'paused';
  // Each process begins an interval of its own.
  if (isPerf) return 'short';
  if (messages.some((message) => NO_TIMER.test(message))) return 'timer';
  return interval !== undefined && interval < SHORT_INTERVAL ? 'interval' : 'unknown';
}
