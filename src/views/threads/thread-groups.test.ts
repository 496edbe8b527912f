/** Threads by pool and stack: names, a real dump, and random dumps against plain lists. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { poolName } from '../../analysis/threads/groups.js';
import { memorySource } from '../../bytes/byte-source.js';
import { fileSource } from '../../bytes/file.node.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { runs } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';

const FOLDER = join(ROOT, 'src/formats/thread-dump/fixtures');
const opened = async (name: string): Promise<Session> => openSession([await fileSource(join(FOLDER, name))]);
const grouped = (session: Session, by: 'stack' | 'pool', limit = 0) =>
  ask(session, { view: 'thread-groups', options: { by }, page: { limit } });

describe('the pool of a thread', () => {
  for (const [name, pool] of [
    ['pool-1-thread-7', 'pool-1-thread-*'],
    ['http-nio-8080-exec-12', 'http-nio-8080-exec-*'],
    ['http-nio-8080-Acceptor', 'http-nio-8080-Acceptor'],
    ['ForkJoinPool-1-worker-3', 'ForkJoinPool-1-worker-*'],
    ['ForkJoinPool.commonPool-worker-11', 'ForkJoinPool.commonPool-worker-*'],
    ['GC Thread#2', 'GC Thread#*'],
    ['GC task thread#0 (ParallelGC)', 'GC task thread#0 (ParallelGC)'],
    ['RMI TCP Connection(2)-10.0.0.7', 'RMI TCP Connection(*)-10.0.0.7'],
    ['RMI TCP Connection(2)', 'RMI TCP Connection(*)'],
    ['main', 'main'],
    ['42', '*'],
  ] as const)
    test(name, () => assert.equal(poolName(name), pool));
});

test('a real dump: two pools, one worker of the first has a task', async () => {
  const session = await opened('changes-2.jstack-17.txt');
  const stacks = await grouped(session, 'stack', 3);
  assert.deepEqual(
    stacks.rows.map(({ threads, pool, state, names }) => [threads, pool, state, names.length]),
    [
      [3, 'pool-1-thread-*', 'parked', 3],
      [1, 'pool-1-thread-*', 'sleeping', 1],
      [3, 'pool-2-thread-*', 'parked', 3],
    ],
  );
  assert.equal(stacks.rows[0]?.stack.length, 11);
  const pools = await grouped(session, 'pool');
  const [first] = pools.rows;
  assert.deepEqual([first?.threads, first?.pool, first?.stacks, first?.state], [4, 'pool-1-thread-*', 2, null]);
  assert.deepEqual(first?.states, [
    { name: 'parked', count: 3, share: 0.75 },
    { name: 'sleeping', count: 1, share: 0.25 },
  ]);
  assert.equal(
    pools.threads,
    pools.rows.reduce((sum, { threads }) => sum + threads, 0),
  );
});

test('unnamed virtual threads of a container are a pool; recordings without states are an error', async () => {
  const rows = (await grouped(await opened('virtual.to-file-25.json'), 'pool')).rows;
  assert.ok(rows.some(({ pool, threads }) => pool === 'task-*' && threads === 3));
  const unnamed = rows.find(({ pool }) => pool === '<unnamed> of <root>');
  // The file has one thread with an empty name: "tid": "21".
  assert.deepEqual(unnamed?.names, ['#21']);
  const hprof = await openSession([await fileSource(join(ROOT, 'examples/hprof/cpu-samples.txt'))]);
  await assert.rejects(grouped(hprof, 'pool'), /has no states of threads/);
});

const thread = fc.record({
  pool: fc.constantFrom('a-', 'b-', 'c'),
  state: fc.constantFrom('RUNNABLE', 'BLOCKED (on object monitor)'),
  frames: fc.array(fc.constantFrom('x', 'y'), { minLength: 1, maxLength: 3 }),
});

test('random dumps have the same answer as plain lists', async () => {
  const property = fc.asyncProperty(fc.array(thread, { minLength: 1, maxLength: 40 }), async (threads) => {
    const texts = threads.map(({ pool, state, frames }, i) => {
      const lines = frames.map((name) => `\tat Work.${name}(Work.java:1)\n`).join('');
      return `"${pool}${i}" #${i + 1} prio=5 tid=0x${i + 1} nid=0x1 x [0x0]\n   java.lang.Thread.State: ${state}\n${lines}\n`;
    });
    const text = `Full thread dump VM (1):\n\n${texts.join('')}JNI global refs: 1, weak refs: 0\n`;
    const session = await openSession([memorySource('dump', Buffer.from(text))]);
    const counts = new Map<string, number>();
    for (const { pool, state, frames } of threads) {
      const key = JSON.stringify([`${pool}*`, state === 'RUNNABLE' ? 'runnable' : 'blocked', frames]);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const { rows } = await grouped(session, 'stack');
    const groupCounts = rows.map(({ pool, state, stack, threads: count }) => {
      const frames = stack.map((frame) => frame.replace(/^Work\.|\(.*/g, ''));
      return [JSON.stringify([pool, state, frames]), count] as const;
    });
    assert.deepEqual(new Map(groupCounts), counts);
    assert.equal(rows.length, counts.size);
    const sizes = new Map<string, number>();
    for (const { pool } of threads) sizes.set(`${pool}*`, (sizes.get(`${pool}*`) ?? 0) + 1);
    const pools = (await grouped(session, 'pool')).rows.map(({ pool, threads: count }) => [pool, count] as const);
    assert.deepEqual(new Map(pools), sizes);
  });
  await fc.assert(property, runs(100));
});
