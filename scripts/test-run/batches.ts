/** Which test files run in one process: those of a kind whose start costs more than what they try. */
import { KINDS, type Kind } from './budgets.js';

/** A test file. */
export interface TestFile {
  /** Path of the source below the clone. */
  readonly test: string;
  /** Path of what was built of it. */
  readonly file: string;
}

/** Files of a batch. More save less than a lane may wait for the other at the end. */
const BATCH = 12;
/** Damage is heavy and tests of other programs mostly wait: each of their files has a process of its own. */
const ALONE: readonly Kind[] = ['damage', 'JVM, browser, peers'];

/** Environment variable of a process that runs a batch: its files as JSON. */
export const BATCH_VARIABLE = 'KANSOKU_TEST_BATCH';

/** How a batch reports the CPU seconds of one of its files, on standard error. */
export function costLine(test: string, seconds: number): string {
  return `# CPU seconds ${seconds} ${test}\n`;
}

/** What `costLine` reported; undefined for any other line. */
export function parseCostLine(line: string): { readonly test: string; readonly seconds: number } | undefined {
  const [, seconds, test] = /^# CPU seconds ([\d.e-]+) (.+)\n$/.exec(line) ?? [];
  return seconds === undefined || test === undefined ? undefined : { test, seconds: Number(seconds) };
}

/** The test files by kind, in batches; kinds that take longest come first. */
export function batchesOf(tests: readonly TestFile[], kindOf: (test: string) => Kind): TestFile[][] {
  return KINDS.flatMap((kind) => {
    const files = tests.filter(({ test }) => kindOf(test) === kind);
    const size = ALONE.includes(kind) ? 1 : BATCH;
    return Array.from({ length: Math.ceil(files.length / size) }, (_, i) => files.slice(i * size, (i + 1) * size));
  });
}
