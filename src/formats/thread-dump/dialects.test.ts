/** Dumps of other writers than the VM, and dumps as people have them, against what is known of the programs. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { commandLineText, noteTexts } from '../../cli/render/spelling.js';
import type { Recording } from '../../models/recording.js';
import { column } from '../../models/table.js';
import { detect } from '../../session/inputs/detect.js';
import { ask, sessionOf } from '../../session/session.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { seenThreads } from './testing/thread-dump-seen.js';

const FOLDER = join(ROOT, 'src', 'formats', 'thread-dump', 'fixtures', 'dialects');
const bytesOf = (name: string): Buffer => readFileSync(join(FOLDER, name));

async function read(bytes: Uint8Array | string): Promise<Recording> {
  const source = memorySource('dump', typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  return (await detect(source)).read(source);
}

const monitorsOf = (recording: Recording) => ask(sessionOf([recording]), { view: 'monitors', page: { limit: 0 } });
const codes = ({ problems }: Recording): string[] =>
  problems.list.filter(({ severity }) => severity !== 'info').map(({ code }) => code);

describe('Dialects.java: two deadlocks, of monitors and of locks, with an older thread behind the first', () => {
  const NAMES = ['behind', 'one', 'two', 'reader', 'writer', 'waits', 'holds C', 'wants C', 'wants the class', 'takes'];
  for (const name of [
    'de.jstack-l-e-17.txt',
    'fr.jstack-l-e-25.txt',
    'jhsdb-17.txt',
    'jhsdb-locks-25.txt',
    'thread-info-17.txt',
    'thread-info-25.txt',
  ]) {
    test(name, async () => {
      const recording = await read(bytesOf(name));
      deepEqual([recording.complete, codes(recording)], [true, []]);
      const threads = seenThreads(recording);
      for (const thread of NAMES) equal(threads.filter((one) => one.name === thread).length, 1, thread);
      const { deadlocks, rows } = await monitorsOf(recording);
      const isReported = name.startsWith('thread-info') ? null : true;
      deepEqual(
        deadlocks.map(({ threads: ring, stuck, reported, shown: isShown }) => ({ ring, stuck, reported, isShown })),
        [
          { ring: ['one', 'two'], stuck: 1, reported: isReported, isShown: true },
          { ring: ['reader', 'writer'], stuck: 0, reported: isReported, isShown: true },
        ],
      );
      const waiters = (type: string): (string | string[] | null)[] =>
        rows.filter(({ monitor }) => monitor.startsWith(type)).map(({ waiters: all }) => all);
      ok(waiters('java.lang.Object').flat().includes('wants C'));
      ok(rows.some(({ owner, waiters: all }) => owner === 'holds C' && all?.includes('wants the class') === true));
      ok(rows.some(({ parked, waiters: all }) => parked === 1 && all?.includes('takes') === true));
      ok(
        rows.some(
          ({ waiting, owner, waiters: all }) => waiting === 1 && owner === null && all?.includes('waits') === true,
        ),
      );
    });
  }

  test('numbers have the decimal sign of the locale', async () => {
    const { rows } = await ask(sessionOf([await read(bytesOf('de.jstack-l-e-17.txt'))]), {
      view: 'threads',
      page: { limit: 0 },
    });
    const one = /"one" #13 .*? cpu=(\d+),(\d\d)ms/.exec(bytesOf('de.jstack-l-e-17.txt').toString());
    equal(rows.find(({ name }) => name === 'one')?.cpu, Number(`${one?.[1]}${one?.[2]}`) * 10_000);
  });

  test('frames of the serviceability agent have the index of the bytecode and the line', async () => {
    const recording = await read(bytesOf('jhsdb-17.txt'));
    const { program } = recording;
    const at = [...(program.locations.bci ?? [])].findIndex(
      (bci, location) => bci === 218 && program.locations.line?.[location] === 43,
    );
    ok(at >= 0);
    const main = seenThreads(recording).find(({ name }) => name === 'main');
    deepEqual(main?.frames, [' java.lang.Thread.sleep()', ' Dialects.pause(:13)', ' Dialects.main(:43)']);
  });

  test('ThreadInfo leaves out frames behind the eighth: such stacks are cut', async () => {
    const { profile } = await read(bytesOf('thread-info-17.txt'));
    ok(profile?.stacks.ending.includes(1));
  });
});

describe('cases of public reports', () => {
  const DEADLOCKED = [
    ...['comma.txt', 'indent-none.txt', 'indent-s1.txt', 'indent-s8.txt', 'indent-log.txt', 'indent-syslog011.txt'],
    ...['indent-tabs.txt', 'jhsdb.txt', 'app.log', 'indented.txt', 'quoted.txt', 'gcloud.json', 'utf16-no-mark.txt'],
    ...['jdk17-behind.txt', 'actuator.txt', 'visualvm.tdump'],
  ];
  for (const name of DEADLOCKED) {
    test(`${name}: a deadlock of two threads`, async () => {
      const recording = await read(bytesOf(`case.${name}`));
      deepEqual([recording.complete, codes(recording)], [true, []]);
      const { deadlocks } = await monitorsOf(recording);
      const workers = /actuator|visualvm/.test(name);
      deepEqual(
        deadlocks.map(({ threads, stuck, shown: isShown }) => ({ threads, stuck, isShown })),
        [
          {
            threads: workers ? ['worker-1', 'worker-2'] : ['one', 'two'],
            stuck: name === 'jdk17-behind.txt' ? 1 : 0,
            isShown: true,
          },
        ],
      );
    });
  }

  test('the log line behind a message of a logger ends it', async () => {
    const log = `${bytesOf('case.app.log')}java.lang.IllegalStateException\n\tat demo.App.run(App.java:7)\n`;
    deepEqual(codes(await read(log)), []);
  });

  test('a line that lost its prefix is damage, not the end of the prefix', async () => {
    const text = bytesOf('case.indent-log.txt').toString();
    const lines = text.split('\n');
    const header = lines.findIndex((line) => line.includes('"one"'));
    const torn = lines.map((line, i) => (i === header + 1 ? line.slice(25) : line)).join('\n');
    const recording = await read(torn);
    equal(recording.complete, false);
    const { deadlocks } = await monitorsOf(recording);
    equal(deadlocks.length, 1);
  });

  for (const name of ['address', 'split']) {
    test(`${name}.txt: a header that a terminal broke is one thread`, async () => {
      const recording = await read(bytesOf(`case.${name}.txt`));
      deepEqual([recording.complete, codes(recording)], [true, []]);
      const [{ name: thread, state, native }] = (
        await ask(sessionOf([recording]), { view: 'threads', page: { limit: 0 } })
      ).rows;
      deepEqual([thread, state, native], ['pool-1-thread-1', 'parked', 24]);
    });
  }

  test('ThreadInfo as text and in JSON: blocked by worker-0', async () => {
    for (const name of ['threadinfo.txt', 'actuator.json']) {
      const recording = await read(bytesOf(`case.${name}`));
      deepEqual([recording.complete, codes(recording)], [true, []]);
      const { rows } = await monitorsOf(recording);
      deepEqual(
        rows.map(({ monitor, owner, blocked, waiters }) => [monitor, owner, blocked, waiters]),
        [['java.lang.Object@32a88bc2', 'worker-0', 1, ['worker-4']]],
      );
    }
  });

  test('jstack -F of JDK 8 shows stacks and no locks, and says so', async () => {
    const recording = await read(bytesOf('case.jstack-f-8.txt'));
    deepEqual(
      seenThreads(recording).map(({ name, frames }) => [name, frames.length]),
      [
        ['Thread 4890', 3],
        ['Thread 4889', 2],
      ],
    );
    const { headlines } = await monitorsOf(recording);
    ok(
      headlines.map(commandLineText).some((line) => line.startsWith('No locks in the dump: deadlocks cannot be found')),
    );
  });

  test('JSON of ThreadInfo after damage goes on with the next thread', async () => {
    const one = JSON.parse(bytesOf('case.actuator.json').toString()).threads[0];
    const many = JSON.stringify({
      threads: ['a', 'b', 'c'].map((name, i) => ({ ...one, threadName: name, threadId: i })),
    });
    const recording = await read(many.replace('"threadId":1,', '"threadId":1'));
    equal(recording.complete, false);
    deepEqual(
      seenThreads(recording).map(({ name }) => name),
      ['a', 'c'],
    );
    deepEqual(seenThreads(await read(JSON.stringify([one, { ...one, threadName: 'd', threadId: 4 }]))).length, 2);
  });
});

describe('what could not be read', () => {
  test('a header that ends behind the address is torn, with blanks behind it, too', async () => {
    const text = bytesOf('../made-by-hand.jdk-21.txt').toString();
    for (const end of ['', ' ', '  ']) {
      const recording = await read(text.replace(/( tid=0x00007f1ee4131e10) nid=4715 runnable {2}$/m, `$1${end}`));
      deepEqual([recording.complete, codes(recording)], [true, ['thread-dump-header']]);
    }
  });

  test('an address without 0x below a header of the VM is damage', async () => {
    const text = bytesOf('../made-by-hand.jdk-21.txt').toString();
    const torn = text.replace('waiting to lock <0x000000070fe01c48>', 'waiting to lock <01c48>');
    ok(torn !== text);
    const recording = await read(torn);
    deepEqual([recording.complete, codes(recording)], [false, ['thread-dump-lock']]);
  });

  test('a torn header with nothing below it loses one thread, not the dump', async (t) => {
    const file = sharedData(t, 'shop/torn-header.jstack-17.txt');
    if (file === undefined) return;
    const text = readFileSync(file, 'utf8');
    const recording = await read(text.replace('os_prio=0 cpu=81.22ms', '=0 cpu=81.22ms'));
    deepEqual([recording.complete, codes(recording)], [true, ['thread-dump-header']]);
    deepEqual(recording.locks?.unread, { threads: 1, lines: 0 });
    const { notes } = await ask(sessionOf([recording]), { view: 'threads' });
    ok(noteTexts(notes).includes('Not in the list: 1 thread that could not be read.'));
    // The VM of JDK 17 prints no name of its sampler.
    const whole = await read(text);
    deepEqual([whole.complete, codes(whole), whole.locks?.unread], [true, [], undefined]);
  });

  test('monitors never says that there are no locks while lines were unreadable', async () => {
    const text = `Full thread dump V (1):\n\n"a" #1 prio=5 tid=0x1 nid=0x1 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat A.a(A.java:1)\n\t- locket <0x1> (a A)\n\t- locket <0x2> (a A)\n\nJNI global refs: 1\n`;
    const { headlines } = await monitorsOf(await read(text));
    match(
      headlines.map(commandLineText).join('\n'),
      /^No held or wanted locks in the part that could be read\. 2 lines of threads could not be read: locks and deadlocks may be missing\./,
    );
  });

  test('a dump of JDK 1.4 has no last line and shouts about its deadlock', async () => {
    const thread = (name: string, wants: number, holds: number): string =>
      `"${name}" prio=1 tid=0x${wants} nid=0x1 waiting for monitor entry [0xbfffc000..0xbfffc7f4]\n\tat A.b(A.java:1)\n\t- waiting to lock <0x${wants}> (a A)\n\t- locked <0x${holds}> (a A)\n\n`;
    const waiter = (name: string, wants: number, owner: string): string =>
      `"${name}":\n  waiting to lock monitor 0x8 (object 0x${wants}, a A),\n  which is locked by "${owner}"\n`;
    const text = `Full thread dump Java HotSpot(TM) Client VM (1.4.2_03-b02 mixed mode):\n\n${thread('x', 1, 2)}${thread('y', 2, 1)}\nFOUND A JAVA LEVEL DEADLOCK:\n----------------------------\n${waiter('x', 1, 'y')}${waiter('y', 2, 'x')}JAVA STACK INFORMATION FOR THREADS LISTED ABOVE:\nFound 1 deadlock.\n`;
    const recording = await read(text);
    deepEqual([recording.complete, codes(recording)], [true, []]);
    const { deadlocks } = await monitorsOf(recording);
    deepEqual(
      deadlocks.map(({ threads, reported }) => [threads, reported]),
      [[['x', 'y'], true]],
    );
    const states = recording.profile?.events[0];
    ok(states !== undefined && column(states, 'state').every((state) => state === column(states, 'state')[0]));
  });
});
