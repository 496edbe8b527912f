/** Threads from dump to dump: real dumps of known programs, and random ones against plain lists. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { memorySource } from '../../bytes/byte-source.js';
import { fileSource } from '../../bytes/file.node.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { ask, openSession, type Question, type Session } from '../../session/session.js';
import { runs } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';

const FOLDER = join(ROOT, 'src/formats/thread-dump/fixtures');

/** The first is the base. */
function compared(
  session: Session,
  scope: Question<'threads'>['scope'] = [],
  options: Question<'threads'>['options'] = {},
) {
  const runs = session.ids.slice(2);
  return ask(session, { view: 'threads', base: 'r1', recording: 'r2', runs, scope, options, page: { limit: 0 } });
}

async function opened(...names: string[]): Promise<Session> {
  return openSession(await Promise.all(names.map((name) => fileSource(join(FOLDER, name)))));
}

describe('two dumps of a running program', () => {
  // JDK 25 has Thread.runWith below Thread.run.
  for (const [version, depth] of [
    ['17', 3],
    ['25', 4],
  ] as const) {
    const [first, second] = [`changes-1.jstack-${version}.txt`, `changes-2.jstack-${version}.txt`];

    test(`JDK ${version}: threads that use CPU, are stuck, are new or gone`, async () => {
      const { rows, changes, columns } = await compared(await opened(first, second));
      const rowNamed = (name: string) => rows.find((row) => row.name === name) ?? assert.fail(name);
      assert.equal(changes?.process, 'same');
      assert.equal(columns[0]?.key, 'cpu_between');
      assert.equal(rows[0], rowNamed('spins'));
      assert.ok((rows[0]?.cpu_share ?? 0) > 0.5 && (rows[0]?.cpu_share ?? 2) <= 1.1);
      const { states, same_frames, frames } = rowNamed('stuck');
      assert.deepEqual([states, same_frames, frames], [['blocked', 'blocked'], depth, depth]);
      assert.deepEqual([rowNamed('ends').change, rowNamed('ends').states], ['gone', ['sleeping', null]]);
      assert.deepEqual([rowNamed('starts').change, rowNamed('starts').states], ['new', [null, 'sleeping']]);
      const changed = rows.filter(({ change }) => change !== '').map(({ name }) => name);
      assert.deepEqual(changed.sort(), ['ends', 'starts']);
      assert.deepEqual([changes?.new, changes?.gone], [1, 1]);
      // One worker of pool 1 got a task; the other six still wait for one.
      const workers = rows
        .filter(({ name }) => name.startsWith('pool-'))
        .map(({ states: seenStates }) => seenStates.join(' '));
      assert.deepEqual(workers.sort(), [...Array.from({ length: 6 }, () => 'parked parked'), 'parked sleeping']);
    });

    test(`JDK ${version}: dumps are ordered by their times, not by the order of the files`, async () => {
      const forth = await compared(await opened(first, second));
      const back = await compared(await opened(second, first));
      assert.deepEqual(
        back.rows.map(({ name, cpu_between, states, change }) => [name, cpu_between, states, change]),
        forth.rows.map(({ name, cpu_between, states, change }) => [name, cpu_between, states, change]),
      );
      assert.ok(noteTexts(back.notes).some((note) => note.startsWith('Ordered by their times')));
      assert.ok(!noteTexts(forth.notes).some((note) => note.startsWith('Ordered by their times')));
    });

    test(`JDK ${version}: in the given order, times that go backwards are the first note`, async () => {
      const options = { order: 'given' } as const;
      const { rows, notes, changes } = await compared(await opened(second, first), [], options);
      assert.deepEqual(
        changes?.dumps.map(({ recording }) => recording.endsWith(second)),
        [true, false],
      );
      assert.match(
        noteTexts(notes)[0] ?? '',
        /^Times go backwards: \S*changes-1\S* is earlier than \S*changes-2\S*\. CPU/,
      );
      const rowNamed = (name: string) => rows.find((row) => row.name === name);
      assert.deepEqual([rowNamed('ends')?.change, rowNamed('starts')?.change], ['new', 'gone']);
      assert.ok(rows.every(({ cpu_between }) => cpu_between === null || cpu_between === 0));
      const forth = await compared(await opened(first, second), [], options);
      assert.deepEqual(forth, await compared(await opened(first, second)));
    });

    test(`JDK ${version}: dumps of one log are in the order of their times, too, with the same note`, async () => {
      const bytes = [second, first].map((name) => readFileSync(join(FOLDER, name)));
      const log = await openSession([memorySource('log', Buffer.concat(bytes))]);
      const { rows, notes } = await ask(log, { view: 'threads', page: { limit: 0 } });
      assert.equal(noteTexts(notes)[0], 'Ordered by their times: dump 2, dump 1.');
      assert.equal(rows.find(({ name }) => name === 'ends')?.change, 'gone');
    });

    test(`JDK ${version}: a dump that is given twice is one dump`, async () => {
      const twice = await compared(await opened(first, first, second));
      const once = await compared(await opened(first, second));
      assert.deepEqual([twice.rows, twice.changes], [once.rows, once.changes]);
      assert.match(noteTexts(twice.notes)[0] ?? '', /^Given twice and counted once: \S*changes-1\S*\.$/);
    });

    test(`JDK ${version}: a dump compared with itself has no changes`, async () => {
      const { notes, changes } = await compared(await opened(first, first));
      assert.match(noteTexts(notes)[0] ?? '', /^Given twice: /);
      assert.ok(notes.some(({ code }) => code === 'nothing-changed'));
      assert.deepEqual([changes?.new, changes?.gone], [0, 0]);
    });
  }

  test('CPU between is cpu= of the later dump minus cpu= of the earlier, a share of the difference of elapsed=', async () => {
    const { rows } = await compared(await opened('changes-1.jstack-17.txt', 'changes-2.jstack-17.txt'));
    const spins = rows.find(({ name }) => name === 'spins');
    // grep '"spins"': cpu=383.37ms elapsed=0.56s, then cpu=1049.12ms elapsed=1.45s.
    assert.equal(spins?.cpu_between, 665_750_000);
    assert.ok(Math.abs((spins?.cpu_share ?? 0) - 0.66575 / 0.89) < 1e-9);
    // "starts" is new: cpu=0.12ms since it began.
    assert.equal(rows.find(({ name }) => name === 'starts')?.cpu_between, 120_000);
  });

  test('dumps of different processes are reported, and nothing is computed between them', async () => {
    const { changes, rows } = await compared(await opened('changes-1.jstack-25.txt', 'changes-2.jstack-17.txt'));
    assert.equal(changes?.process, 'different');
    assert.ok(rows.every(({ cpu_between }) => cpu_between === null));
  });

  test('with a dump without PID and elapsed= between, the process, new and gone are unknown', async () => {
    const names = ['changes-2.jstack-25.txt', 'changes-1.jstack-25.txt', 'changes-3.to-file-25.json'];
    const { changes, rows, notes } = await compared(await opened(...names));
    assert.deepEqual([changes?.process, changes?.new, changes?.gone], ['unknown', null, null]);
    assert.ok(notes.some(({ code }) => code === 'processes-unknown'));
    const spins = rows.find(({ name }) => name === 'spins');
    assert.deepEqual(spins?.states, ['runnable', 'runnable', 'runnable']);
    assert.ok((spins?.cpu_between ?? 0) > 100e6);
  });

  test('within a scope that keeps part of a thread, new and gone are unknown', async () => {
    const session = await opened('changes-1.jstack-17.txt', 'changes-2.jstack-17.txt');
    const { changes, rows } = await compared(session, [{ kind: 'state', states: ['sleeping'] }]);
    assert.deepEqual([changes?.new, changes?.gone], [null, null]);
    assert.ok(rows.every(({ change }) => change === null));
  });
});

interface Shown {
  readonly number: number;
  readonly cpu: number;
  readonly state: 'RUNNABLE' | 'BLOCKED (on object monitor)';
  /** Outermost first. */
  readonly frames: readonly string[];
}

const drawnThread = fc.record({
  number: fc.integer({ min: 1, max: 6 }),
  cpu: fc.nat(500),
  state: fc.constantFrom<Shown['state'][]>('RUNNABLE', 'BLOCKED (on object monitor)'),
  frames: fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 4 }),
});
/** In all dumps: without a common thread, it is unknown whether they are of one process. */
const always: Shown = { number: 9, cpu: 0, state: 'RUNNABLE', frames: ['a'] };
const dump = fc.uniqueArray(drawnThread, { selector: ({ number }) => number }).map((threads) => [always, ...threads]);

/** A dump as the VM writes it, `second` seconds after the first; CPU only grows. */
function written(threads: readonly Shown[], second: number): string {
  const texts = threads.map(({ number, cpu, state, frames }) => {
    const times = `cpu=${second * 500 + cpu}.00ms elapsed=${100 + second}.00s`;
    const lines = [...frames].reverse().map((name) => `\tat Work.${name}(Work.java:1)\n`);
    return `"w-${number}" #${number} prio=5 os_prio=0 ${times} tid=0x0000${number} nid=${number + 7} x [0x0]\n   java.lang.Thread.State: ${state}\n${lines.join('')}\n`;
  });
  return `2026-01-01 00:00:${String(second).padStart(2, '0')}\nFull thread dump VM (1):\n\n${texts.join('')}JNI global refs: 1, weak refs: 0\n\n`;
}

function naive(dumps: readonly (readonly Shown[])[], number: number) {
  const seenThreads = dumps.map((threads) => threads.find((thread) => thread.number === number));
  const there = seenThreads.flatMap((thread, second) =>
    thread === undefined ? [] : [{ ...thread, total: second * 500 + thread.cpu, second }],
  );
  const [first, last] = [there[0] ?? assert.fail(), there.at(-1) ?? assert.fail()];
  const isNew = first.second > 0;
  const isGone = last.second < dumps.length - 1;
  const leaves = there.map(({ frames }) => [...frames].reverse());
  let same = 0;
  while (leaves.every((frames) => frames[same] !== undefined && frames[same] === leaves[0]?.[same])) same++;
  return {
    states: seenThreads.map((thread) =>
      thread === undefined ? null : thread.state === 'RUNNABLE' ? 'runnable' : 'blocked',
    ),
    change: [...(isNew ? ['new'] : []), ...(isGone ? ['gone'] : [])].join(', '),
    cpu: isNew ? last.total * 1e6 : there.length === 1 ? null : (last.total - first.total) * 1e6,
    same: there.length === 1 ? null : same,
  };
}

test('random dumps, in one log or as files, have the same answer as plain lists', async () => {
  const property = fc.asyncProperty(fc.array(dump, { minLength: 2, maxLength: 4 }), async (dumps) => {
    const texts = dumps.map(written);
    const files = await openSession(texts.map((text, i) => memorySource(`dump-${i}`, Buffer.from(text))));
    const log = await openSession([memorySource('log', Buffer.from(texts.join('')))]);
    const numbers = [...new Set(dumps.flat().map(({ number }) => number))];
    for (const { rows } of [await compared(files), await ask(log, { view: 'threads', page: { limit: 0 } })]) {
      assert.equal(rows.length, numbers.length);
      for (const { id, states, change, cpu_between, same_frames } of rows)
        assert.deepEqual({ states, change, cpu: cpu_between, same: same_frames }, naive(dumps, id ?? -1));
    }
  });
  await fc.assert(property, runs(100));
});

describe('whether dumps are of one process', () => {
  /** A dump by jcmd of one thread. */
  const byJcmd = (pid: number | undefined, second: number, elapsed: number | undefined, address = 1) =>
    `${pid === undefined ? '' : `${pid}:\n`}2026-01-01 00:00:${String(second).padStart(2, '0')}\nFull thread dump VM (1):\n\n"main" #1 prio=5 ${elapsed === undefined ? '' : `cpu=1.00ms elapsed=${elapsed}.00s `}tid=0x${address} nid=0x7 runnable [0x0]\n   java.lang.Thread.State: RUNNABLE\n\tat A.b(A.java:1)\n\nJNI global refs: 1, weak refs: 0\n`;

  for (const [title, first, second, expected] of [
    ['equal PIDs', byJcmd(12, 1, undefined), byJcmd(12, 9, undefined), 'same'],
    ['other PIDs, although starts agree', byJcmd(12, 1, 100), byJcmd(13, 9, 108), 'different'],
    ['equal starts without PIDs', byJcmd(undefined, 1, 100), byJcmd(undefined, 9, 108), 'same'],
    ['other starts', byJcmd(undefined, 1, 100), byJcmd(undefined, 9, 3), 'different'],
    ['PID 1 of two containers: the start differs', byJcmd(1, 1, 100), byJcmd(1, 9, 3), 'different'],
    ['equal starts and other addresses: two replicas', byJcmd(1, 1, 100, 1), byJcmd(1, 9, 108, 2), 'different'],
    ['JDK 8 by jstack: neither', byJcmd(undefined, 1, undefined), byJcmd(undefined, 9, undefined), 'unknown'],
    ['a PID in one only', byJcmd(12, 1, undefined), byJcmd(undefined, 9, undefined), 'unknown'],
  ] as const)
    test(title, async () => {
      const sources = [first, second].map((text, i) => memorySource(`dump-${i}`, Buffer.from(text)));
      const { changes } = await compared(await openSession(sources));
      assert.equal(changes?.process, expected);
      assert.deepEqual(
        changes?.dumps.map(({ process }) => process),
        [first, second].map((text) => (/^\d+:/.test(text) ? Number.parseInt(text, 10) : null)),
      );
    });

  test('each dump of one log has its own PID', async () => {
    const log = await openSession([memorySource('log', Buffer.from(`${byJcmd(12, 1, 5)}\n${byJcmd(13, 9, 1, 2)}`))]);
    const { changes } = await ask(log, { view: 'threads' });
    assert.equal(changes?.process, 'different');
  });
});
