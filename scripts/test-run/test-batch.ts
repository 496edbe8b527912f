/**
 * The test files of a batch in one process, each a suite named after its source: starting Node and loading modules is paid
 * once, and code stays compiled. `test-lane.ts` runs this as if it were one test file.
 */
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { BATCH_VARIABLE, costLine, type TestFile } from './batches.js';
import { childSeconds } from './cpu.js';

/** CPU seconds of this process and its children so far. */
function usedSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + (childSeconds() ?? 0);
}

const files: readonly TestFile[] = JSON.parse(process.env[BATCH_VARIABLE] ?? '[]');
// A file does something when it is loaded, too: it waits until the tests of the one before have ended.
for (const { test, file } of files) {
  const before = usedSeconds();
  await new Promise<void>((resolve) => {
    describe(test, async () => {
      await import(pathToFileURL(file).href);
      after(() => resolve());
    });
  });
  process.stderr.write(costLine(test, usedSeconds() - before));
}
