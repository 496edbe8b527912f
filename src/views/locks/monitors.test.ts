/** Monitors of drawn locks and of a drawn table of contention. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { commandLineText, noteTexts } from '../../cli/render/spelling.js';
import { CONTENTION_EVENTS } from '../../models/events/contention.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { TRACES } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import type { ScopeStep } from '../../models/scope.js';
import { ask, openSession, sessionOf } from '../../session/session.js';
import { lockPicture } from '../../testing/pictures/lock-picture.js';

function monitors(recording: Recording, options = {}, scope: readonly ScopeStep[] = []) {
  return ask(sessionOf([recording]), { view: 'monitors', options, scope, page: { limit: 0 } });
}

const RING = 'A holds X\nB holds Y\nA wants Y\nB wants X\nC wants X\nD awaits Y';

describe('monitors of locks', () => {
  test('owner, waiters and deadlock; the most wanted one first', async () => {
    const result = await monitors(lockPicture(RING));
    assert.equal(result.of, 'locks');
    assert.deepEqual(
      result.rows.map((row) => [row.monitor, row.owner, row.blocked, row.waiting, row.waiters]),
      [
        ['X', 'A', 2, 0, ['B', 'C']],
        ['Y', 'B', 1, 1, ['A', 'D']],
      ],
    );
    assert.deepEqual(result.deadlocks, [
      { dumps: [1], threads: ['A', 'B'], monitors: ['Y', 'X'], stuck: 1, reported: null, shown: true },
    ]);
    assert.deepEqual(result.wanted, {
      monitor: 'X',
      dump: 1,
      wanted: 2,
      owners: ['A', 'B'],
      monitors: ['Y', 'X'],
      endless: true,
      end: null,
    });
    assert.deepEqual(result.headlines, [
      'deadlock: A waits for Y held by B, B waits for X held by A; stuck behind it: 1',
      'Most wanted: X, by 2 threads; held by A, which waits for Y, held by B, which waits for X, in a deadlock.',
    ]);
  });

  test('where the recording itself names deadlocks, ours must be the same', async () => {
    assert.equal((await monitors(lockPicture(RING, [['B', 'A']]))).deadlocks[0]?.reported, true);
    const silent = await monitors(lockPicture(RING, []));
    assert.equal(silent.deadlocks[0]?.reported, false);
    assert.match(commandLineText(silent.headlines[0] ?? ''), /; not reported by the recording$/);
    const more = await monitors(
      lockPicture(RING, [
        ['A', 'B'],
        ['C', 'D'],
      ]),
    );
    assert.deepEqual(
      more.deadlocks.map(({ threads, shown: isSeen }) => [threads, isSeen]),
      [
        [['A', 'B'], true],
        [['C', 'D'], false],
      ],
    );
    assert.equal(
      more.headlines[1],
      'deadlock: C waits for X, D waits for an unknown lock; reported by the recording, but owners and waiters do not show it',
    );
  });

  test('a deadlock that several dumps show is one; --dump shows one of them', async () => {
    const recording = lockPicture(`${RING}\ndump 2\nA holds X\nB wants X\ndump 3\n${RING}`);
    const all = await monitors(recording);
    assert.deepEqual(
      all.deadlocks.map(({ dumps }) => dumps),
      [[1, 3]],
    );
    assert.match(commandLineText(all.headlines[0] ?? ''), /^deadlock \(dump 1, 3\): A waits/);
    const second = await monitors(recording, {}, [{ kind: 'dump', number: 2 }]);
    assert.deepEqual(
      second.rows.map((row) => [row.dump, row.monitor, row.waiters]),
      [[2, 'X', ['B']]],
    );
    assert.deepEqual(second.deadlocks, []);
    await assert.rejects(monitors(recording, {}, [{ kind: 'dump', number: 4 }]), /no dump 4/);
    await assert.rejects(monitors(recording, {}, [{ kind: 'dump', number: 0 }]), /no dump 0/);
  });

  test('a deadlock that the recording only names belongs to its dump', async () => {
    const recording = lockPicture('C wants X\nD wants Y\ndump 2\nC wants X', [['C', 'D']]);
    const deadlocks = async (number: number) =>
      (await monitors(recording, {}, [{ kind: 'dump', number }])).deadlocks.map(({ threads, dumps }) => [
        threads,
        dumps,
      ]);
    assert.deepEqual(await deadlocks(1), [[['C', 'D'], [1]]]);
    assert.deepEqual(await deadlocks(2), []);
  });

  test('the owners of the most wanted one are followed to what the last waits for', async () => {
    const chain = 'A holds X\nE wants X\nF wants X\nB holds Y\nA wants Y';
    const last = async (text: string) => {
      const { wanted: chainEnd, headlines } = await monitors(lockPicture(`${chain}\n${text}`));
      assert.deepEqual([chainEnd?.owners, chainEnd?.endless], [['A', 'B'], false]);
      return [chainEnd?.monitors, chainEnd?.end, commandLineText(headlines[0] ?? '').replace(/^.*, held by B/, 'B')];
    };
    assert.deepEqual(await last(''), [['Y'], null, 'B.']);
    assert.deepEqual(await last('B wants Z'), [
      ['Y', 'Z'],
      'no owner is reported',
      'B, which waits for Z; no owner is reported.',
    ]);
    const notified = 'it waits to be notified on Z';
    assert.deepEqual(await last('B awaits Z'), [['Y'], notified, `B; ${notified}.`]);
    assert.deepEqual(await last('B parks Z'), [['Y'], 'it is parked for Z', 'B; it is parked for Z.']);
    const [monitorsOf, end] = await last('B queues Z\ngap synchronizers');
    assert.deepEqual(monitorsOf, ['Y', 'Z']);
    assert.equal(end, 'its owner is not in the dump');
  });

  test('one thread that wants a monitor makes no line, unless its owner waits in turn', async () => {
    assert.deepEqual((await monitors(lockPicture('A holds X\nB wants X'))).headlines, []);
    const { headlines } = await monitors(lockPicture('A holds X\nB wants X\nA wants Y'));
    assert.deepEqual(headlines, ['Most wanted: X, by 1 thread; held by A, which waits for Y; no owner is reported.']);
    const links = Array.from({ length: 15 }, (_, i) => `T${i} holds M${i}\nT${i} wants M${i + 1}`).join('\n');
    const long = await monitors(lockPicture(`${links}\nA wants M0\nB wants M0`));
    assert.equal(long.wanted?.owners.length, 15);
    assert.match(
      commandLineText(long.headlines[0] ?? ''),
      /, held by T9, which waits for M10, and 5 more threads; no owner is reported\.$/,
    );
  });

  test('gaps of the dumps in the scope are notes, one line each', async () => {
    const notesOf = async (text: string, scope: readonly ScopeStep[] = []) =>
      (await monitors(lockPicture(text), {}, scope)).headlines
        .map(commandLineText)
        .filter((line) => !line.startsWith('Most wanted'));
    assert.deepEqual(await notesOf('A holds X\nB queues X\nC parks Y\ngap synchronizers'), []);
    const [omitted, ...others] = await notesOf('A queues X\nB queues X\nC queues Y\nD parks Z\ngap synchronizers');
    assert.match(omitted ?? '', /^Deadlocks may be missing: .* no owner in the dump .*`jstack -l PID`/);
    assert.deepEqual(others, []);
    assert.match((await notesOf('A queues X'))[0] ?? '', /^Deadlocks may be missing: wanted locks have unknown owners/);
    const virtual = 'A holds X\ngap platform-only\ndump 2\nA holds X\ngap monitors\ndump 3\nA holds X';
    const [none, carriers] = await notesOf(virtual);
    assert.match(none ?? '', /^No locks in 1 of 3 dumps: deadlocks cannot be found/);
    assert.match(
      carriers ?? '',
      /^Virtual threads without a carrier are missing; .*Thread.dump_to_file -format=json FILE/,
    );
    assert.deepEqual(await notesOf(virtual, [{ kind: 'dump', number: 3 }]), []);
    assert.match((await notesOf(virtual, [{ kind: 'dump', number: 2 }]))[0] ?? '', /^No locks in the dump/);
  });

  test('contention that is not there is refused', async () => {
    await assert.rejects(monitors(lockPicture(RING), { contention: true }), /no times of contention/);
  });
});

test('virtual threads that hold each other up are named, which the VM does not do', async () => {
  const thread = (tid: number, blockedOn: string, owned: string) => ({
    tid: String(tid),
    virtual: true,
    name: `task-${tid}`,
    state: 'BLOCKED',
    stack: ['demo.Main.work(Main.java:7)'],
    blockedOn,
    monitorsOwned: [{ depth: 0, locks: [owned] }],
  });
  const threads = [thread(30, 'demo.Left@1a2b', 'demo.Right@3c4d'), thread(31, 'demo.Right@3c4d', 'demo.Left@1a2b')];
  const containers = [{ container: '<root>', parent: null, owner: null, threads, threadCount: '2' }];
  const head = { processId: '1', time: '2026-01-01T00:00:00Z', runtimeVersion: '25' };
  const text = JSON.stringify({ threadDump: { ...head, threadContainers: containers } });
  const session = await openSession([memorySource('virtual.json', Buffer.from(text))]);
  const { deadlocks, headlines, notes, complete } = await ask(session, { view: 'monitors' });
  assert.equal(complete, true);
  assert.deepEqual(
    deadlocks.map(({ threads: names, reported }) => [names, reported]),
    [[['task-30', 'task-31'], null]],
  );
  assert.equal(
    headlines[0],
    'deadlock: task-30 waits for demo.Left@1a2b held by task-31, task-31 waits for demo.Right@3c4d held by task-30',
  );
  assert.match(noteTexts(notes).at(-1) ?? '', /recorded one by one/);
});

function contended(): Recording {
  const program = new ProgramBuilder();
  const type = (name: string): number => program.class(program.name(name));
  const stacks = new StackBuilder(16);
  const at = (name: string, line: number): number =>
    program.location(program.function(type('Shop'), program.name(name), program.name('Shop.java')), line);
  const main = stacks.add(rootOf('whole'), at('main', 3));
  const buy = stacks.add(main, at('buy', 17));
  const sell = stacks.add(main, at('sell', 25));
  const traces = TRACES.builder();
  for (const [i, stack] of [buy, sell].entries()) traces.add({ serial: 300_001 + i, stack });
  const table = CONTENTION_EVENTS.having(['trace', 'dump']).builder();
  table.add({ stack: buy, trace: 0, class: type('Till'), count: 3, waited: 1e6, dump: 0 });
  table.add({ stack: sell, trace: 1, class: -1, name: program.name('a raw one'), count: 1, waited: 3e6, dump: 0 });
  return {
    ...lockPicture(''),
    program: program.finish(),
    profile: { stacks: stacks.finish(), events: [table.finish()], metrics: [], traces: traces.finish() },
  };
}

describe('monitors of contention', () => {
  test('sites by time, with the trace and the share of all time', async () => {
    const { locks: _, ...recording } = contended();
    const result = await monitors(recording);
    assert.equal(result.of, 'contention');
    assert.deepEqual(
      result.rows.map((row) => [row.time, row.share, row.count, row.monitor, row.site, row.trace]),
      [
        [3e6, 0.75, 1, 'a raw one', 'Shop.sell(Shop.java:25)', 300_002],
        [1e6, 0.25, 3, 'Till', 'Shop.buy(Shop.java:17)', 300_001],
      ],
    );
    assert.deepEqual(
      result.columns.map(({ key }) => key),
      ['monitor', 'site', 'time', 'share', 'count', 'trace'],
    );
  });

  test('contention is shown instead of dumps without locks', async () => {
    const recording = contended();
    assert.deepEqual([recording.locks?.snapshots.length, recording.locks?.monitors.length], [1, 0]);
    assert.equal((await monitors(recording)).of, 'contention');
    const alone = await monitors(lockPicture(''));
    assert.deepEqual([alone.of, alone.headlines], ['locks', ['The recording reports no held or wanted locks.']]);
  });

  test('locks come first; a note names the other kinds', async () => {
    const both = { ...contended(), locks: lockPicture('A holds X').locks };
    const usual = await monitors(both);
    assert.deepEqual(
      [usual.of, noteTexts(usual.notes).at(-1)],
      ['locks', 'The recording also has: contention (--contention).'],
    );
    const answer = await monitors(both, { contention: true });
    assert.deepEqual(
      [answer.of, noteTexts(answer.notes).at(-1)],
      ['contention', 'The recording also has: owners and waiters.'],
    );
  });
});
