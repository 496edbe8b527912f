/**
 * A deadlock in a JVM that has compiled `Object.wait` and no longer reports what its threads wait on: found in the dumps of
 * JDK 17 and 25 as they are written now.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { hasProgram, jdkHome } from '../../scripts/testing/programs.js';
import { amount } from '../testing/amount.js';
import { dumped, PROGRAMS, startedJvm } from './testing/live-jvm.js';
import { runCommand } from './testing/run-command.js';

interface Monitors {
  readonly deadlocks: readonly {
    readonly threads: string[];
    readonly monitors: string[];
    readonly stuck: number;
    readonly reported: boolean | null;
  }[];
  readonly rows: readonly { readonly monitor: string; readonly owner: string | null; readonly waiters: string[] }[];
}

/** What programs/CompiledWait.java does. The VM names its deadlock, files of dump_to_file name none. */
async function assertFound(path: string, reported: true | null): Promise<void> {
  const { status, stdout, stderr } = await runCommand([
    'monitors',
    path,
    '--json',
    '--fail-on-deadlock',
    '--limit',
    '0',
  ]);
  assert.equal(status, 1, stderr);
  const { deadlocks, rows }: Monitors = JSON.parse(stdout);
  const plain = (monitor: string): string => monitor.replace(/^CompiledWait\$(\w+)@.*$/, '$1');
  assert.deepEqual(
    deadlocks.map((one) => [one.threads, one.monitors.map(plain), one.stuck, one.reported]),
    [[['first', 'second'], ['Vault', 'Ledger'], 1, reported]],
    path,
  );
  const monitorRows = rows.map(({ monitor, owner, waiters }) => [plain(monitor), owner, [...waiters].sort()]);
  for (const row of [
    ['Ledger', 'first', ['second', 'waits', 'waits within']],
    ['Outer', 'waits within', ['wants outer']],
    ['Vault', 'second', ['first', 'notified']],
  ])
    assert.ok(
      monitorRows.some((one) => JSON.stringify(one) === JSON.stringify(row)),
      `${path}: ${JSON.stringify(row)}`,
    );
}

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-live-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Compiles a program of ours and starts it on a JDK; undefined, with a skip, if that is not installed. */
async function runningProgram(t: TestContext, version: string, program: string) {
  if (!hasProgram(t, 'jstack') || !hasProgram(t, `jdk-${version}`)) return undefined;
  const home = jdkHome(version) ?? assert.fail();
  const folder = folderOf(t);
  const tool = (name: string): string => join(home, 'bin', name);
  dumped([tool('javac'), '-J-XX:TieredStopAtLevel=1', '-d', folder, join(PROGRAMS, `${program}.java`)]);
  const words = ['-Xmx64m', '-XX:+UseSerialGC', '-cp', folder, program];
  return { folder, tool, ...(await startedJvm(t, tool('java'), words)) };
}

describe('a deadlock behind compiled waits', () => {
  for (const version of amount(['17', '25'], ['25']))
    it(`of a program that runs on JDK ${version}`, async (t) => {
      const running = await runningProgram(t, version, 'CompiledWait');
      if (running === undefined) return;
      const { folder, tool, pid, stop } = running;
      const jstack = join(folder, 'jstack.txt');
      const text = dumped([tool('jstack'), String(pid)]);
      assert.match(text, /- waiting on <no object reference available>/);
      writeFileSync(jstack, text);
      const files = version === '17' ? [] : [join(folder, 'file.txt'), join(folder, 'file.json')];
      for (const file of files) {
        const format = file.endsWith('.json') ? ['-format=json'] : [];
        dumped([tool('jcmd'), String(pid), 'Thread.dump_to_file', ...format, file]);
      }
      await stop();
      await assertFound(jstack, true);
      for (const file of files) await assertFound(file, null);
    });
});

describe('threads that wait for each other to initialise classes', () => {
  for (const version of amount(['17', '25'], ['17']))
    it(`of a program that runs on JDK ${version}`, async (t) => {
      const running = await runningProgram(t, version, 'Initialization');
      if (running === undefined) return;
      const { folder, tool, pid, stop } = running;
      let text = '';
      // No state says that a thread waits for a class: the dump itself does.
      for (let tries = 0; tries < 20 && text.split('Class initialization monitor').length < 4; tries++)
        text = dumped([tool('jstack'), String(pid)]);
      await stop();
      const path = join(folder, 'jstack.txt');
      writeFileSync(path, text);
      const { status, stdout } = await runCommand(['monitors', path, '--json', '--fail-on-deadlock']);
      const { deadlocks }: Monitors = JSON.parse(stdout);
      assert.deepEqual(
        [status, deadlocks.map(({ threads, stuck }) => [threads, stuck])],
        [1, [[['first', 'second'], 1]]],
      );
    });
});
