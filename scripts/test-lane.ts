/**
 * Runs test files one after another, each in a process of its own, for run-tests.ts, which starts one or two of these
 * and sends a file when it wants another result. Being alone with its children, a lane can say what each file cost.
 */
import { run } from 'node:test';
import { childSeconds, yardstick } from './cpu.js';
import { type FileResult, FileTally } from './tally.js';

/** Request to a lane. */
export interface LaneTask {
  /** Path of the source below the clone. */
  readonly test: string;
  /** Path of what was built of it. */
  readonly file: string;
}

/** Answer of a lane. */
export interface LaneResult {
  readonly result: FileResult;
  /** CPU seconds of the file and everything it started; undefined if the system does not report them. */
  readonly seconds: number | undefined;
  /** How long a fixed piece of work took before it (see `yardstick`). */
  readonly speed: number;
}

/** Far beyond what the longest file needs in the full tier on a busy machine. */
const FILE_TIMEOUT_MS = 20 * 60 * 1000;

async function runFile({ test, file }: LaneTask): Promise<LaneResult> {
  const speed = yardstick();
  const before = childSeconds();
  const tally = new FileTally(test);
  const events = run({ files: [file], concurrency: 1, timeout: FILE_TIMEOUT_MS });
  events.on('test:start', (data) => tally.started(data));
  events.on('test:pass', (data) => tally.passed(data));
  events.on('test:fail', (data) => tally.failed(data));
  events.on('test:stdout', (data) => tally.printed(data));
  events.on('test:stderr', (data) => tally.printed(data));
  for await (const _ of events.resume());
  const after = childSeconds();
  const seconds = before === undefined || after === undefined ? undefined : after - before;
  return { result: tally.result, seconds, speed };
}

// JVMs run for a few seconds here: compiling for long runs on extra threads doubles their cost.
process.env.JAVA_TOOL_OPTIONS ??= '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';
// The first rounds are slower: they are compiled meanwhile.
for (let round = 0; round < 3; round++) yardstick();
process.on('message', async (task: LaneTask) => process.send?.(await runFile(task)));
process.on('disconnect', () => process.exit());
