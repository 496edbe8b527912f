import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { after, describe, test } from 'node:test';
import { TaskEndedError, WorkerPool } from './pool.node.js';

type Tasks = typeof import('./pool-tasks.js');
const TASKS = new URL('./pool-tasks.js', import.meta.url);

describe('the worker pool', () => {
  const pool = new WorkerPool<Tasks>(TASKS, { concurrency: 2, heapMegabytes: 64 });
  after(() => pool.close());

  test('runs tasks and returns their results', async () => {
    const sums = await Promise.all([1, 2, 3, 4, 5].map((n) => pool.run('sum', [n, n])));
    assert.deepEqual(sums, [2, 4, 6, 8, 10]);
  });

  test('moves buffers both ways', async () => {
    const column = Float64Array.of(1, 2.5, -3);
    const result = await pool.run('doubled', column, { transfer: [column.buffer] });
    assert.equal(column.length, 0, 'the argument has moved away');
    assert.deepEqual(result, { column: Float64Array.of(2, 5, -6), length: 3 });
  });

  test('passes on the errors of a task', async () => {
    await assert.rejects(pool.run('fails', 'no such row'), { name: 'RangeError', message: 'no such row' });
  });

  test('ends a task that hangs, and continues', async () => {
    await assert.rejects(pool.run('hangs', null, { timeLimit: 300 }), (error) => {
      assert.ok(error instanceof TaskEndedError);
      assert.equal(error.end, 'time');
      assert.equal(error.message, 'hangs: stopped because it exceeded 300 ms');
      return true;
    });
    assert.equal(await pool.run('sum', [1, 2]), 3);
  });

  // A task that the machine gives no processor uses no more of it than one that sleeps.
  test('ends no task for time in which it did not run, and a task that never comes back later', async () => {
    const one = new WorkerPool<typeof import('./pool-tasks.js')>(new URL('./pool-tasks.js', import.meta.url), {
      concurrency: 1,
    });
    assert.equal(await one.run('sum', [1, 2]), 3);
    assert.equal(await one.run('sleeps', 900, { timeLimit: 300 }), 'slept');
    await assert.rejects(one.run('sleeps', 60_000, { timeLimit: 100 }), TaskEndedError);
    await one.close();
  });

  test('ends a task that fills its heap, and continues', async () => {
    await assert.rejects(pool.run('grows', null), (error) => {
      assert.ok(error instanceof TaskEndedError);
      assert.equal(error.end, 'memory');
      return true;
    });
    assert.equal(await pool.run('sum', [1, 2]), 3);
  });

  test('survives every worker being ended while tasks wait', async () => {
    const hostile = [1, 2, 3, 4].map(() => pool.run('hangs', null, { timeLimit: 300 }));
    const honest = [1, 2, 3].map((n) => pool.run('sum', [n]));
    const results = await Promise.allSettled([...hostile, ...honest]);
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : 'ended')),
      ['ended', 'ended', 'ended', 'ended', 1, 2, 3],
    );
  });

  test('runs at most the given number of tasks at a time', async () => {
    const flags = new Int32Array(new SharedArrayBuffer(8));
    const tasks = [1, 2, 3].map(() => pool.run('waits', flags));
    const seen = Atomics.waitAsync(flags, 0, 0);
    if (seen.async) await seen.value;
    const both = Atomics.waitAsync(flags, 0, 1);
    if (both.async) await both.value;
    assert.equal(Atomics.load(flags, 0), 2);
    Atomics.store(flags, 1, 1);
    Atomics.notify(flags, 1);
    const results = await Promise.all(tasks);
    assert.equal(results.length, 3);
    assert.equal(Atomics.load(flags, 0), 3);
  });
});

describe('aborting', () => {
  const pool = new WorkerPool<Tasks>(TASKS, { concurrency: 1 });
  after(() => pool.close());

  test('ends the task that runs and the one that waits for its turn', async () => {
    const flags = new Int32Array(new SharedArrayBuffer(8));
    const running = new AbortController();
    const waiting = new AbortController();
    const first = pool.run('waits', flags, { signal: running.signal });
    const second = pool.run('sum', [1], { signal: waiting.signal });
    const third = pool.run('sum', [2]);
    const started = Atomics.waitAsync(flags, 0, 0);
    if (started.async) await started.value;
    waiting.abort(new Error('not needed'));
    await assert.rejects(second, { message: 'not needed' });
    running.abort(new Error('stop'));
    await assert.rejects(first, { message: 'stop' });
    assert.equal(await third, 2);
  });

  test('a signal that is already aborted starts nothing', async () => {
    await assert.rejects(pool.run('hangs', null, { signal: AbortSignal.abort(new Error('early')) }), {
      message: 'early',
    });
  });
});

test('the usual concurrency is that of the machine', () => {
  assert.equal(new WorkerPool<Tasks>(TASKS).concurrency, availableParallelism());
});
