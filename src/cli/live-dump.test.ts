/** A JVM that is running now, in a deadlock: its dump is piped into the built program and read in this process. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { hasProgram } from '../../scripts/testing/programs.js';
import { memorySource } from '../bytes/byte-source.js';
import { readThreadDump } from '../formats/thread-dump/read.js';
import { naiveText } from '../formats/thread-dump/testing/thread-dump-naive.js';
import { seenThreads } from '../formats/thread-dump/testing/thread-dump-seen.js';
import { inFullTier } from '../testing/amount.js';
import { dumped, PROGRAMS, startedJvm } from './testing/live-jvm.js';
import { spawnCommand } from './testing/spawn-command.js';

const started = (t: TestContext, name: string) =>
  startedJvm(t, 'java', ['-Xmx64m', '-XX:+UseSerialGC', join(PROGRAMS, `${name}.java`)]);

async function assertSameAsNaive(dump: string): Promise<void> {
  const naive = naiveText(dump);
  assert.deepEqual([naive.broken, naive.unsure], [[], []]);
  const recording = await readThreadDump(memorySource('live', Buffer.from(dump)));
  assert.deepEqual(
    seenThreads(recording),
    naive.threads.map(({ locks: _, ...thread }) => thread),
  );
  assert.deepEqual([recording.complete, recording.problems.list], [true, []]);
}

interface Monitors {
  readonly deadlocks: readonly {
    threads: string[];
    monitors: string[];
    stuck: number;
    reported: boolean;
    shown: boolean;
  }[];
}

describe('a running JVM', () => {
  for (const [tool, dump] of [
    ['jstack', (pid: number) => ['jstack', String(pid)]],
    ['jcmd Thread.print', (pid: number) => ['jcmd', String(pid), 'Thread.print', '-l']],
  ] as const) {
    it(`whose monitors are in a deadlock, by ${tool}`, async (t) => {
      if (tool !== 'jstack' && !inFullTier(t, 'live-dump')) return;
      if (!hasProgram(t, 'jstack')) return;
      const { pid } = await started(t, 'MonitorDeadlock');
      const text = dumped(dump(pid));
      const { status, stdout } = spawnCommand(['monitors', '-', '--json', '--fail-on-deadlock'], { input: text });
      assert.equal(status, 1);
      const { deadlocks }: Monitors = JSON.parse(stdout);
      assert.deepEqual(
        deadlocks.map((one) => ({ ...one, monitors: one.monitors.map((name) => name.replace(/@[0-9a-f]+$/, '')) })),
        [
          {
            dumps: [1],
            threads: ['teller-1', 'teller-2'],
            monitors: ['MonitorDeadlock$Vault', 'MonitorDeadlock$Account'],
            stuck: 1,
            reported: true,
            shown: true,
          },
        ],
      );
      await assertSameAsNaive(text);
    });
  }

  it('whose locks of java.util.concurrent are in a deadlock, by jstack without -l', async (t) => {
    if (!hasProgram(t, 'jstack')) return;
    const { pid } = await started(t, 'LockDeadlock');
    const text = dumped(['jstack', String(pid)]);
    const { status, stdout } = spawnCommand(['monitors', '-'], { input: text });
    assert.equal(status, 0);
    assert.match(
      stdout,
      /deadlock: reader waits for \S+FairSync@\w+ held by writer, writer waits for \S+ held by reader/,
    );
    await assertSameAsNaive(text);
  });
});
