/**
 * The robustness harness: runs damaged files through a reader on the worker pool and adds up what happened. A batch that
 * overstays its time or fills its heap is blamed on the one mutation that was being tried, after that one has done it again alone.
 */
import { TaskEndedError, WorkerPool } from '../pool.node.js';
import { type BatchResult, emptyTally, type Failure, type Plan, type Tally } from './fuzz-worker.js';

export type FuzzTasks = typeof import('./fuzz-worker.js');

/** A pool of workers that try mutations. The heap limit ends readers that hold on to what hostile input makes them ask for. */
export function fuzzPool(concurrency?: number, heapMegabytes = 1024): WorkerPool<FuzzTasks> {
  return new WorkerPool<FuzzTasks>(new URL('./fuzz-worker.js', import.meta.url), {
    heapMegabytes,
    ...(concurrency === undefined ? {} : { concurrency }),
  });
}

export interface FuzzOptions {
  readonly reader: string;
  readonly plan: Plan;
  /** Mutations `from` to before `to`. */
  readonly from: number;
  readonly to: number;
  readonly batch: number;
  /** Milliseconds after which a batch, and then a single mutation, counts as hanging. */
  readonly timeLimit: number;
  readonly onBatch?: (done: number) => void;
}

export interface FuzzResult {
  readonly tallies: Map<string, Tally>;
  readonly failures: Failure[];
  readonly counts: Map<string, number>;
}

export function emptyResult(): FuzzResult {
  return { tallies: new Map(), failures: [], counts: new Map() };
}

/** Tries the mutations of a plan and adds what happened to `result`. */
export async function fuzz(pool: WorkerPool<FuzzTasks>, options: FuzzOptions, result: FuzzResult): Promise<void> {
  const { to } = options;
  let next = options.from;
  let done = 0;
  const lane = async (): Promise<void> => {
    while (next < to) {
      const from = next;
      next = Math.min(to, from + options.batch);
      const end = next;
      await runRange(pool, options, from, end, result);
      done += end - from;
      options.onBatch?.(done);
    }
  };
  await Promise.all(Array.from({ length: pool.concurrency }, lane));
}

async function runRange(
  pool: WorkerPool<FuzzTasks>,
  options: FuzzOptions,
  from: number,
  to: number,
  result: FuzzResult,
): Promise<void> {
  for (let start = from; start < to; ) {
    const progress = new Int32Array(new SharedArrayBuffer(8));
    progress[0] = start;
    const ended = await tryRange(pool, options, start, to, progress, result);
    if (ended === undefined) return;
    // Everything before the culprit is run again: its counts were lost with the worker.
    const [culprit, number] = progress;
    if (culprit > start) await runRange(pool, options, start, culprit, result);
    const again = await tryRange(pool, options, culprit, culprit + 1, progress, result);
    if (again !== undefined) addEnded(options, number, again, result);
    start = culprit + 1;
  }
}

/** Runs a range and adds its result, or says what ended it. */
async function tryRange(
  pool: WorkerPool<FuzzTasks>,
  options: FuzzOptions,
  from: number,
  to: number,
  progress: Int32Array<SharedArrayBuffer>,
  result: FuzzResult,
): Promise<TaskEndedError | undefined> {
  const { reader, plan, timeLimit } = options;
  try {
    addBatch(await pool.run('runBatch', { reader, plan, from, to, progress }, { timeLimit }), result);
    return undefined;
  } catch (error) {
    if (error instanceof TaskEndedError) return error;
    throw error;
  }
}

function addEnded(options: FuzzOptions, number: number, ended: TaskEndedError, result: FuzzResult): void {
  const code = ended.end === 'time' ? 'hang' : 'out of memory';
  const fixture = options.plan.kind === 'systematic' ? options.plan.fixture : 'random';
  result.failures.push({ fixture, number, at: -1, mutation: `mutation ${number}`, code, detail: ended.message });
  result.counts.set(code, (result.counts.get(code) ?? 0) + 1);
}

function addBatch(batch: BatchResult, result: FuzzResult): void {
  for (const [fixture, tally] of Object.entries(batch.tallies)) {
    const sum = result.tallies.get(fixture) ?? emptyTally();
    result.tallies.set(fixture, {
      cuts: sum.cuts + tally.cuts,
      flips: sum.flips + tally.flips,
      others: sum.others + tally.others,
      threw: sum.threw + tally.threw,
      problems: sum.problems + tally.problems,
      silent: sum.silent + tally.silent,
      ambiguous: sum.ambiguous + tally.ambiguous,
      growth: Math.max(sum.growth, tally.growth),
    });
  }
  for (const [code, count] of Object.entries(batch.counts))
    result.counts.set(code, (result.counts.get(code) ?? 0) + count);
  result.failures.push(...batch.failures);
}

const COLUMNS = ['cuts', 'flips', 'others', 'threw', 'problems', 'silent', 'ambiguous', 'growth'] as const;

/** The table of what was tried, a line a fixture; `growth` is the most memory one read took, in KB. */
export function fuzzTable(result: FuzzResult): string {
  const lines = [
    ['fixture', ...COLUMNS, ''].map((title, i) => (i === 0 ? title.padEnd(30) : title.padStart(9))).join(''),
  ];
  for (const [fixture, tally] of [...result.tallies].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const numbers = COLUMNS.map((key) => String(key === 'growth' ? Math.round(tally[key] / 1000) : tally[key]));
    lines.push(fixture.padEnd(30) + numbers.map((value) => value.padStart(9)).join(''));
  }
  for (const [code, count] of [...result.counts].sort())
    lines.push(`failures: ${code.padEnd(20)}${String(count).padStart(9)}`);
  return lines.map((line) => line.trimEnd()).join('\n');
}
