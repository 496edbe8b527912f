/** Starts, ends and CPU time of threads of a recording of JFR, against what the JDK and the program itself say. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { ask, openSession, type Session } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';
import { unpacked } from '../events/testing/printed-events.js';

describe('lives of threads of a recording of JFR', () => {
  let session: Session;
  before(async () => {
    session = await openSession([memorySource('leak.jfr', unpacked(join(ROOT, 'examples', 'jfr', 'leak.jfr.gz')))]);
  });

  test('start, end, parent', async () => {
    const { rows, columns } = await ask(session, { view: 'threads', options: { group: 'none' }, page: { limit: 0 } });
    const burner = rows.find(({ name }) => name === 'burner');
    // `jfr print --events ThreadStart,ThreadEnd`: 37.167084170 - 36.466380220 s.
    ok(Math.abs((burner?.lived ?? 0) - 700_703_950) < 100, `${burner?.lived}`);
    equal((burner?.ended_at ?? 0) - (burner?.started_at ?? 0), burner?.lived);
    equal(burner?.started_by, 'main');
    ok(columns.some(({ key }) => key === 'started_at'));
    // 31 starts, 26 ends of platform threads, and 6 of each of virtual ones.
    equal(rows.filter(({ started_at }) => started_at !== null).length, 37);
    equal(rows.filter(({ ended_at }) => ended_at !== null).length, 32);
    equal(rows.filter(({ kind, lived }) => kind === 'virtual' && (lived ?? 0) > 0).length, 6);
  });

  test('CPU time by load is about what the thread measured itself', async () => {
    const { rows } = await ask(session, { view: 'threads', page: { limit: 0 } });
    const burner = rows.find(({ name }) => name === 'burner');
    // Printed by the program when it was recorded: ThreadMXBean.getCurrentThreadCpuTime().
    const measured = 533_350_701;
    ok(Math.abs((burner?.cpu ?? 0) / measured - 1) < 0.05, `${burner?.cpu}`);
    ok(Math.abs((burner?.cpu_share ?? 0) - (burner?.cpu ?? 0) / 700_703_950) < 1e-6);
    // Nine threads in `jfr view thread-cpu-load`.
    equal(rows.filter(({ cpu }) => cpu !== null).length, 9);
  });

  test('threads that were started, by who started them', async () => {
    const { rows, metric } = await ask(session, { view: 'functions', options: { metric: 'threads-started' } });
    // `jfr print`: 28 starts of platform threads and 6 of virtual ones have a stack; 25 of them begin in Leak.start.
    equal(metric.sum, 34);
    deepEqual([rows[0]?.function, rows[0]?.self], ['Leak.start(java.lang.String, java.lang.Runnable)', 25]);
  });
});
