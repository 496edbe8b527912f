/**
 * Runs test files for run-tests.ts, which starts one or two of these and sends a batch of files when it wants another
 * result. Being alone with its children, a lane can say what each file cost.
 */
import { join } from 'node:path';
import { run } from 'node:test';
import { BATCH_VARIABLE, parseCostLine, type TestFile } from './batches.js';
import { childSeconds, yardstick } from './cpu.js';
import { type FileResult, FileTally } from './tally.js';

/** Answer of a lane. */
export interface LaneResult {
  /** Of each file of the batch. */
  readonly files: readonly {
    readonly test: string;
    /** CPU seconds of the file and everything it started; undefined if the system does not report them. */
    readonly seconds: number | undefined;
  }[];
  /** Of each process. */
  readonly results: readonly FileResult[];
  /** How long a fixed piece of work took before it (see `yardstick`). */
  readonly speed: number;
}

/** Far beyond what the longest file needs in the full tier on a busy machine. */
const FILE_TIMEOUT_MS = 20 * 60 * 1000;

/** Runs a file as a process; CPU seconds. */
async function runFile(file: string, tally: FileTally): Promise<number | undefined> {
  const before = childSeconds();
  const events = run({ files: [file], concurrency: 1, timeout: FILE_TIMEOUT_MS });
  events.on('test:start', (data) => tally.started(data));
  events.on('test:pass', (data) => tally.passed(data));
  events.on('test:fail', (data) => tally.failed(data));
  events.on('test:stdout', (data) => tally.printed(data));
  events.on('test:stderr', (data) => tally.complained(data));
  for await (const _ of events.resume());
  const after = childSeconds();
  return before === undefined || after === undefined ? undefined : after - before;
}

async function runAlone({ test, file }: TestFile): Promise<LaneResult> {
  const speed = yardstick();
  const tally = new FileTally(test);
  const seconds = await runFile(file, tally);
  return { files: [{ test, seconds }], results: [tally.result], speed };
}

/** The start of the process, which is nobody's, is shared evenly. */
async function runTogether(
  batch: readonly TestFile[],
): Promise<{ readonly tally: FileTally; readonly all: LaneResult }> {
  const speed = yardstick();
  const tally = new FileTally();
  process.env[BATCH_VARIABLE] = JSON.stringify(batch);
  const seconds = await runFile(join(import.meta.dirname, 'test-batch.js'), tally);
  const own = new Map(
    tally.errorLines.flatMap((line) => parseCostLine(line) ?? []).map((cost) => [cost.test, cost.seconds]),
  );
  let start = seconds ?? 0;
  for (const cost of own.values()) start -= cost;
  const share = ({ test }: TestFile): number => (own.get(test) ?? 0) + start / batch.length;
  const files = batch.map((file) => ({ test: file.test, seconds: seconds === undefined ? undefined : share(file) }));
  return { tally, all: { files, results: [tally.result], speed } };
}

/**
 * The files of a batch in one process. After a failure there, each runs in a process of its own, which says what failed in
 * which file also where the process died. A failure that only the batch has stays one: its files disturb each other.
 */
async function runBatch(batch: readonly TestFile[]): Promise<LaneResult> {
  const [first, ...others] = batch;
  if (first !== undefined && others.length === 0) return runAlone(first);
  const { tally, all } = await runTogether(batch);
  if (tally.result.failures.length === 0 && tally.suites === batch.length) return all;
  const alone: LaneResult[] = [];
  for (const task of batch) alone.push(await runAlone(task));
  const results = alone.flatMap((one) => one.results);
  const disturbed = results.every(({ failures }) => failures.length === 0) ? [onlyTogether(batch, tally.result)] : [];
  return { files: alone.flatMap((one) => one.files), results: [...results, ...disturbed], speed: all.speed };
}

function onlyTogether(batch: readonly TestFile[], { failures }: FileResult): FileResult {
  const files = batch.map(({ test }) => `  ${test}\n`).join('');
  const reports = failures.map(({ name, report }) => `${name}\n${report}\n`).join('');
  const report = `fails only in one process with the others of its batch:\n${files}${reports}`;
  return { passes: 0, failures: [{ name: failures[0]?.name ?? batch[0]?.test ?? 'batch', report }], skips: [] };
}

// JVMs run for a few seconds here: compiling for long runs on extra threads doubles their cost.
process.env.JAVA_TOOL_OPTIONS ??= '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';
// The first rounds are slower: they are compiled meanwhile.
for (let round = 0; round < 3; round++) yardstick();
process.on('message', async (batch: TestFile[]) => process.send?.(await runBatch(batch)));
process.on('disconnect', () => process.exit());
