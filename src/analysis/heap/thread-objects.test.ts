/** Threads that only heap dumps know: of Android, and virtual ones of a live virtual machine in the states it names itself. */
import { deepStrictEqual, equal, match } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { jdkHomes, jdkTool } from '../../code/java/testing/jdks.js';
import { dumpBytes } from '../../formats/hprof/testing/plain-heap.js';
import { SMALL_HEAPS } from '../../formats/hprof/testing/small-heap.js';
import { openInputs } from '../../session/open.node.js';
import { ask, openSession } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

test('a thread that only a root names is listed, with its object and locals', async () => {
  const { options, heap } = SMALL_HEAPS['android-heap.hprof'];
  const session = await openSession([memorySource('android', dumpBytes(options, heap))]);
  const { rows } = await ask(session, { view: 'threads' });
  deepStrictEqual(
    rows.map(({ id, name, address, locals }) => [id, name, address, locals]),
    [[1, '<thread 1>', '0x70000140', 1]],
  );
});

/** As `Thread.getState` has them: it does not tell parked and sleeping threads from waiting ones. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  WAITING: ['waiting', 'parked'],
  TIMED_WAITING: ['timed-waiting', 'parked', 'sleeping'],
  RUNNABLE: ['runnable'],
  BLOCKED: ['blocked'],
};

test('states of virtual threads are those that the virtual machine names', async (t) => {
  const home = jdkHomes(t).find((one) => Number(/\d+/.exec(jdkTool(one, 'java', ['--version']))?.[0]) >= 24);
  if (home === undefined) return t.skip('needs JDK 24 or later');
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-virtual-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'x.hprof');
  const program = join(ROOT, 'src/analysis/heap/testing/VirtualStates.java');
  const said = jdkTool(home, 'java', ['-Xmx64m', '-XX:+UseSerialGC', program, file]);
  const session = await openInputs([file], { cache: false, announce: () => undefined, work: {} });
  t.after(() => session.close());
  const { rows } = await ask(session, { view: 'threads', page: { limit: 0 } });
  const facts = said
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  equal(facts.length, 6);
  for (const [name, state] of facts) {
    const row = rows.find((one) => one.name === name);
    equal(STATES[state ?? '']?.includes(row?.state ?? ''), true, `${name}: ${state}, not ${row?.state}`);
    equal(row?.kind, 'virtual');
    // Only a running one is on a thread.
    if (name === 'v-spinning') match(row?.carrier ?? '', /^ForkJoinPool-1-worker-\d+$/);
    else equal(row?.carrier, null);
  }
});
