/** Cycles of drawn graphs, and of random ones against a naive finder. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { threadName } from '../../models/profile/profile.js';
import { column } from '../../models/table.js';
import { runs } from '../../testing/amount.js';
import { lockPicture } from '../../testing/pictures/lock-picture.js';
import {
  findDeadlocks,
  heldUpBy,
  ownerChain,
  type WaitGraph,
  waitersByMonitor,
  waitGraph,
  waitGraphs,
  wantedBy,
} from './deadlocks.js';

function drawn(text: string): { cycles: [string[], number][]; chain: (monitor: number) => [string[], boolean] } {
  const recording = lockPicture(text);
  const name = (id: number): string =>
    (recording.profile && threadName(recording.profile, recording.program, id)) ?? String(id);
  const graph = waitGraph(recording.locks);
  return {
    cycles: findDeadlocks(graph).map(({ threads, stuck }) => [threads.map(name), stuck]),
    chain: (monitor) => {
      const { threads, endless } = ownerChain(graph, monitor);
      return [threads.map(name), endless];
    },
  };
}

describe('deadlocks of small graphs', () => {
  test('two threads, and three behind them', () => {
    const text = `
      A holds X
      B holds Y
      A wants Y
      B wants X
      C wants X
      C holds Z
      D wants Z
      E parks Z
      F wants W`;
    assert.deepEqual(drawn(text).cycles, [[['A', 'B'], 3]]);
    assert.deepEqual(drawn(text).chain(2), [['C', 'A', 'B'], true]);
  });

  test('three in a ring, in the order of waiting', () => {
    const ring = 'A holds X\nB holds Y\nC holds Z\nA wants Z\nC wants Y\nB wants X';
    assert.deepEqual(drawn(ring).cycles, [[['A', 'C', 'B'], 0]]);
  });

  test('none if a thread can continue, waits for a notification, or an owner is unknown', () => {
    assert.deepEqual(drawn('A holds X\nB wants X\nB holds Y\nC wants Y').cycles, []);
    assert.deepEqual(drawn('A holds X\nB holds Y\nA awaits Y\nB wants X').cycles, []);
    assert.deepEqual(drawn('A wants Y\nB wants X').cycles, []);
    assert.deepEqual(drawn('A holds X\nB wants X\nB holds Y\nC wants Y').chain(1), [['B', 'A'], false]);
  });

  test('a thread that waits for its own monitor, and two separate rings', () => {
    const text = 'A holds X\nA parks X\nB holds Y\nC holds Z\nB wants Z\nC wants Y';
    assert.deepEqual(drawn(text).cycles, [
      [['A'], 0],
      [['B', 'C'], 0],
    ]);
  });

  test('each dump has its own graph', () => {
    const { locks } = lockPicture('A holds X\nB wants X\ndump 2\nB holds X\nA wants X');
    assert.deepEqual(findDeadlocks(waitGraph(locks, 0)), []);
    assert.equal(heldUpBy(waitGraph(locks, 0), 1), 0);
    assert.equal(heldUpBy(waitGraph(locks, 1), 0), 1);
  });

  test('the graphs of all dumps are made in one pass', () => {
    const text = Array.from({ length: 50 }, (_, i) => `dump ${i + 1}\nA holds X\nB wants X`).join('\n');
    const { locks } = lockPicture(text);
    let reads = 0;
    const owner = new Proxy(column(locks.monitors, 'owner'), {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        const value: unknown = Reflect.get(target, key);
        return value;
      },
    });
    const monitors = { ...locks.monitors, columns: { ...locks.monitors.columns, owner } };
    const graphs = waitGraphs({ ...locks, monitors });
    assert.equal(graphs.size, 50);
    assert.ok(reads <= 2 * locks.monitors.length, `${reads} reads`);
    for (const [dump, graph] of graphs) assert.deepEqual(graph, waitGraph(locks, dump));
  });

  test('parked threads count as waiting for a lock with an owner', () => {
    const { locks } = lockPicture('A holds X\nB wants X\nC parks X\nD awaits X\nE parks Y');
    const [x, y] = waitersByMonitor(locks);
    assert.deepEqual(x, { blocked: [1], parked: [2], waiting: [3] });
    assert.deepEqual([wantedBy(x ?? assert.fail(), 0), wantedBy(y ?? assert.fail(), -1)], [2, 0]);
  });
});

describe('deadlocks of random graphs', () => {
  const THREADS = 12;
  const graph: fc.Arbitrary<WaitGraph> = fc
    .tuple(
      fc.array(fc.option(fc.nat(THREADS - 1)), { minLength: THREADS, maxLength: THREADS }),
      fc.array(fc.option(fc.nat(THREADS - 1)), { minLength: THREADS, maxLength: THREADS }),
    )
    .map(([wanted, owner]) => {
      const told = (list: (number | null)[]) => list.flatMap((to, from) => (to === null ? [] : [[from, to] as const]));
      return { wanted: new Map(told(wanted)), owner: new Map(told(owner)) };
    });

  /** A thread is in a deadlock if following whom it waits for comes back to it. */
  function naive(of: WaitGraph): { member: Set<number>; stuck: Set<number> } {
    const member = new Set<number>();
    const after = (start: number): number[] => {
      const passed: number[] = [];
      let at: number | undefined = start;
      for (let step = 0; step <= THREADS && at !== undefined; step++) {
        at = heldUpBy(of, at);
        if (at !== undefined) passed.push(at);
      }
      return passed;
    };
    for (let thread = 0; thread < THREADS; thread++) if (after(thread).includes(thread)) member.add(thread);
    const stuck = new Set<number>();
    for (let thread = 0; thread < THREADS; thread++)
      if (!member.has(thread) && after(thread).some((other) => member.has(other))) stuck.add(thread);
    return { member, stuck };
  }

  test('the cycles are those of a naive search, each once, in order, with the threads stuck behind them', () => {
    fc.assert(
      fc.property(graph, (of) => {
        const found = findDeadlocks(of);
        const { member, stuck } = naive(of);
        const threads = found.flatMap((one) => one.threads);
        assert.deepEqual(
          [...threads].sort((a, b) => a - b),
          [...member].sort((a, b) => a - b),
        );
        assert.equal(
          found.reduce((sum, one) => sum + one.stuck, 0),
          stuck.size,
        );
        for (const one of found) {
          assert.equal(one.threads[0], Math.min(...one.threads));
          one.threads.forEach((thread, i) => {
            assert.equal(one.monitors[i], of.wanted.get(thread));
            assert.equal(heldUpBy(of, thread), one.threads[(i + 1) % one.threads.length]);
          });
        }
      }),
      runs(2000),
    );
  });
});
