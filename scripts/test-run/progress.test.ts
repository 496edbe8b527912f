/** What a person sees of a running test run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProgressLine, progressText } from './progress.js';

test('files, failures and minutes', () => {
  assert.equal(progressText({ files: 371, filesDone: 142, failures: 0 }, 80.4), '142 of 371 files, 0 failed, 1:20');
  assert.equal(progressText({ files: 3, filesDone: 3, failures: 2 }, 605), '3 of 3 files, 2 failed, 10:05');
});

for (const [isTTY, interval, expected] of [
  [false, 10_000, ['1 of 9 files, 0 failed, 0:00\n', 'FAILED a\n', '2 of 9 files, 1 failed, 0:00\n']],
  [
    true,
    200,
    ['\r\x1b[K1 of 9 files, 0 failed, 0:00', '\r\x1b[KFAILED a\n', '\r\x1b[K2 of 9 files, 1 failed, 0:00', '\r\x1b[K'],
  ],
] as const)
  test(isTTY ? 'one changing line on a terminal' : 'a line every ten seconds elsewhere', (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const written: string[] = [];
    let progress = { files: 9, filesDone: 1, failures: 0 };
    const line = new ProgressLine({ isTTY, write: (text) => written.push(text) }, () => progress);
    t.mock.timers.tick(interval - 1);
    assert.deepEqual(written, []);
    t.mock.timers.tick(1);
    progress = { files: 9, filesDone: 2, failures: 1 };
    line.print('FAILED a\n');
    line.print('');
    t.mock.timers.tick(interval);
    line.stop();
    t.mock.timers.tick(interval);
    assert.deepEqual(written, expected);
  });
