/** Thread dumps in events: what the VM prints, as a part of the recording. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { memorySource } from '../../../bytes/byte-source.js';
import { ask, openSession, type Session } from '../../../session/session.js';
import { jfrBytes, type WrittenType } from '../testing/jfr-writer.js';
import { SMALL_TYPES, smallChunk } from '../testing/small-recording.js';

const DUMP: WrittenType = {
  name: 'jdk.ThreadDump',
  event: true,
  fields: [
    { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] },
    { name: 'result', type: 'java.lang.String' },
  ],
};

/** As JDK 17 prints it: the sampler of JFR has no name. The thread `main` is that of the recording. */
function dump(second: number, more = ''): string {
  const worker = (name: string, number: number, monitor: string, other: string): string =>
    `"${name}" #${number} prio=5 os_prio=0 cpu=1.00ms elapsed=2.92s tid=0x00007f6cac0180${number} nid=0x2${number} waiting for monitor entry  [0x00007f6cb371d000]
   java.lang.Thread.State: BLOCKED (on object monitor)
	at shop.Main.move(Main.java:9)
	- waiting to lock <0x00000000${other}> (a java.lang.Object)
	- locked <0x00000000${monitor}> (a java.lang.Object)
`;
  return `2026-11-28 21:38:${second}
Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):

"main" #1 prio=5 os_prio=0 cpu=626.46ms elapsed=2.92s tid=0x00007f6cac018120 nid=0x1267 runnable  [0x00007f6cb371d000]
   java.lang.Thread.State: RUNNABLE
	at shop.Main.main(Main.java:10)

${worker('left', 21, 'c0000010', 'c0000020')}
${worker('right', 22, 'c0000020', 'c0000010')}
os_prio=0 cpu=5.31ms elapsed=1.00s tid=0x00007f6cac2026c0 nid=0x47c1 runnable  
"VM Thread" os_prio=0 cpu=5.83ms elapsed=2.90s tid=0x00007f6cac0f2c50 nid=0x4775 runnable  

JNI global refs: 23, weak refs: 4
${more}`;
}

function recordingOf(...texts: readonly string[]): Promise<Session> {
  const chunk = smallChunk();
  const dumps = texts.map((result, i) => ({ type: DUMP.name, values: { startTime: 1010 + i, result } }));
  const whole = { ...chunk, types: [...SMALL_TYPES, DUMP], records: [...chunk.records, ...dumps] };
  return openSession([memorySource('dumps.jfr', jfrBytes([whole]))]);
}

test('dumps in events have threads, locks and deadlocks, each dump for itself', async () => {
  const session = await recordingOf(dump(32), dump(33).replace('Main.java:10', 'Main.java:11'));
  const { locks, metrics, problems } = await ask(session, { view: 'summary' });
  equal(locks?.snapshots, 2);
  equal(locks?.deadlocks.length, 1);
  ok(locks?.deadlocks[0]?.startsWith('deadlock (dump 1-2): left waits for java.lang.Object@c0000020 held by right'));
  // Three threads with frames in each of two dumps.
  equal(metrics.find(({ id }) => id === 'threads')?.sum, 6);
  deepEqual([problems.errors, problems.warnings], [0, 0]);
  const { rows } = await ask(session, { view: 'monitors', scope: [{ kind: 'dump', number: 2 }] });
  deepEqual(
    rows.map(({ dump: number, owner, waiters, blocked }) => [number, owner, waiters, blocked]),
    [
      [2, 'right', ['left'], 1],
      [2, 'left', ['right'], 1],
    ],
  );
  await session.close();
});

test('a thread of a dump is the one with its numbers in events', async () => {
  const session = await recordingOf(dump(32), dump(33).replace('Main.java:10', 'Main.java:11'));
  const { rows } = await ask(session, { view: 'threads', options: { metric: 'samples' }, page: { limit: 0 } });
  const main = rows.filter(({ name }) => name === 'main');
  deepEqual(
    main.map(({ value, states, same_frames: same, id }) => [value, states, same, id]),
    // `smallChunk` has ten samples of `main`, one of them without a stack.
    [[10, ['runnable', 'runnable'], 0, 1]],
  );
  const blocked = rows.filter(({ name }) => name === 'left' || name === 'right');
  deepEqual(
    blocked.map(({ states, frames }) => [states, frames]),
    [
      [['blocked', 'blocked'], 1],
      [['blocked', 'blocked'], 1],
    ],
  );
  await session.close();
});

test('a text that was cut is said to be', async () => {
  const whole = dump(32);
  for (const end of ['java.lang.Thread.St', '"right" #22 prio=5 os_pr', '\tat shop.Main.mo']) {
    const session = await recordingOf(whole.slice(0, whole.lastIndexOf(end) + end.length));
    const { problems, complete, locks } = await ask(session, { view: 'summary' });
    ok(problems.errors > 0 && !complete, end);
    equal(locks?.snapshots, 1);
    await session.close();
  }
});

test('texts without a dump are counted', async () => {
  const session = await recordingOf('', 'the VM could not print it');
  const { locks, problems, complete } = await ask(session, { view: 'summary' });
  deepEqual([locks, problems.codes, complete], [null, { 'jfr-text': 1 }, false]);
  await session.close();
});
