/** Parts of a summary that only some recordings have, on files that ship and on drawn ones. */
import { deepStrictEqual, equal, match } from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { fileSource } from '../../bytes/file.node.js';
import { SITE_EVENTS } from '../../models/events/site.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { ask, openSession, sessionOf } from '../../session/session.js';
import { drawnRecording } from '../../testing/recordings.js';
import { BINARY_TREE, ROOT } from '../../testing/shared-data.js';

const summaryOf = async (path: string) => ask(await openSession([await fileSource(path)]), { view: 'summary' });

describe('a summary', () => {
  test('of monitors has the locks', async () => {
    const { locks, classes } = await summaryOf(join(ROOT, 'examples', 'hprof', 'waitnotify-monitor.txt'));
    // As the file has it: one MONITOR DUMP with nine THREAD and two MONITOR lines.
    deepStrictEqual(locks, { snapshots: 1, threads: 9, monitors: 2, deadlocks: [] });
    equal(classes, null);
  });

  test('of a deadlock lists it', async () => {
    const { locks } = await summaryOf(join(ROOT, 'examples', 'deadlock-jstack.txt'));
    equal(locks?.deadlocks.length, 1);
    match(locks?.deadlocks[0] ?? '', /teller-1 waits for .*Vault.* held by teller-2, teller-2 waits for .*Account/);
  });

  test('of several dumps counts each thread once, and the monitors of one dump', async () => {
    const one = await readFile(join(ROOT, 'src/formats/thread-dump/fixtures/monitor-deadlock.jstack-17.txt'));
    const dumpSummary = async (dumps: number) =>
      ask(await openSession([memorySource('dumps', Buffer.concat(Array<Buffer>(dumps).fill(one)))]), {
        view: 'summary',
      });
    const [single, five] = [await dumpSummary(1), await dumpSummary(5)];
    // As `grep -c '^"' before the list of deadlocks` has it.
    const threads = one
      .toString()
      .split('JNI global')[0]
      ?.match(/^".*" .*tid=/gm)?.length;
    equal(five.sections.threads, threads);
    equal(five.sections['thread states'], 5 * (threads ?? 0));
    deepStrictEqual([five.locks?.threads, five.locks?.monitors], [threads, single.locks?.monitors]);
  });

  test('of cut stacks has their number', async () => {
    const { cut_stacks: cut } = await summaryOf(join(ROOT, 'examples', 'hprof', 'alloc-sites.txt'));
    // Of the 300 traces with 4 frames 15 begin in main and one in Thread.exit.
    deepStrictEqual(cut, { cut: 284, stacks: 336 });
    equal((await summaryOf(BINARY_TREE)).cut_stacks, null);
  });

  test('of a level in several dumps has only the last one, and their number', async () => {
    const program = new ProgramBuilder();
    const stacks = new StackBuilder();
    const stack = stacks.add(rootOf('whole'), program.location(program.function(-1, program.name('f'))));
    const table = SITE_EVENTS.builder();
    table.add({ stack, dump: 0, live_bytes: 100 });
    table.add({ stack, dump: 1, live_bytes: 7 });
    const metric = SITE_EVENTS.metric('live_bytes', { id: 'live', title: 'Live' });
    const profile = { stacks: stacks.finish(), events: [table.finish()], metrics: [metric] };
    const session = sessionOf([drawnRecording({ program: program.finish(), profile })]);
    const { metrics } = await ask(session, { view: 'summary' });
    deepStrictEqual(
      metrics.map(({ sum, dumps, hottest }) => [sum, dumps, hottest[0]?.value]),
      [[7, 2, 7]],
    );
  });
});
