/** Who waits for what, where a dump says it by frames only, not at all, or in the VM's own words about deadlocks. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { stringAt } from '../../base/text.js';
import { memorySource } from '../../bytes/byte-source.js';
import { STATE_EVENTS, THREAD_STATES } from '../../models/events/state.js';
import { DEADLOCKS, gapsOf, LOCK_WAITS, MONITORS, WAIT_KINDS } from '../../models/locks/locks.js';
import { THREADS } from '../../models/profile/tables.js';
import type { Recording } from '../../models/recording.js';
import { runs } from '../../testing/amount.js';
import { readThreadDump } from './read.js';
import { wantsLock } from './text/frame-role.js';

const FOLDER = new URL('../../../../src/formats/thread-dump/fixtures/', import.meta.url);
const bytesOf = (name: string): Buffer => readFileSync(new URL(name, FOLDER));
const read = (bytes: string | Uint8Array): Promise<Recording> =>
  readThreadDump(memorySource('dump', typeof bytes === 'string' ? Buffer.from(bytes) : bytes));

/** `owner: class` for all monitors with an owner, and `thread how class` for all waiting threads, by thread names. */
function locksOf({ locks, profile, program }: Recording): { held: string[]; waits: string[]; deadlocks: string[][] } {
  assert.ok(locks !== undefined && profile?.threads !== undefined);
  const { name: names } = THREADS.rows(profile.threads);
  const monitors = MONITORS.rows(locks.monitors);
  const waits = LOCK_WAITS.rows(locks.waits);
  const name = (thread: number): string => stringAt(program.names, names[thread]);
  const type = (row: number): string => {
    const full = stringAt(program.names, program.classes.name[monitors.class[row]]);
    return full.slice(full.search(/[^.$]*$/));
  };
  const told = locks.deadlocks && DEADLOCKS.rows(locks.deadlocks);
  const cycles = [...new Set(told?.cycle)].map((cycle) =>
    [...(told?.thread ?? [])].filter((_, row) => told?.cycle[row] === cycle).map(name),
  );
  return {
    held: [...monitors.owner].flatMap((owner, row) => (owner < 0 ? [] : [`${name(owner)}: ${type(row)}`])).sort(),
    waits: [...waits.how]
      .map((how, row) => `${name(waits.thread[row])} ${WAIT_KINDS[how]} ${type(waits.monitor[row])}`)
      .filter((line) => !/^(?:Finalizer|Common-Cleaner) /.test(line))
      .sort(),
    deadlocks: cycles,
  };
}

function statesOf({ profile, program }: Recording): [string, string | undefined][] {
  assert.ok(profile?.threads !== undefined);
  const { name } = THREADS.rows(profile.threads);
  const states = STATE_EVENTS.of(profile) ?? assert.fail();
  return [...states.thread].map((thread, row) => [
    stringAt(program.names, name[thread]),
    THREAD_STATES[states.state[row]],
  ]);
}

const codes = ({ problems }: Recording) => problems.list.map(({ code, severity }) => [code, severity]);

/** Adds heading and end of a dump around threads; a thread is its name, state and the lines below the state. */
type Written = readonly [name: string, state: string, below: readonly string[]];
function dump(threads: readonly Written[], deadlocks = ''): string {
  const texts = threads.map(
    ([name, state, below], i) =>
      `"${name}" #${i + 1} prio=5 tid=0x${(i + 1).toString(16)} nid=0x1 in Object.wait()\n   java.lang.Thread.State: ${state}\n${below.map((line) => `\t${line}\n`).join('')}\n`,
  );
  return `Full thread dump V (1):\n\n${texts.join('')}JNI global refs: 1\n\n${deadlocks}`;
}
const IN_WAIT = ['at java.lang.Object.wait0(Native Method)', 'at java.lang.Object.wait(Object.java:1)'];
const NO_REFERENCE = [IN_WAIT[0] ?? '', '- waiting on <no object reference available>', IN_WAIT[1] ?? ''];
const AT = 'at demo.Main.run(Main.java:7)';
const locked = (type: string): string => `- locked <0x${type.charCodeAt(0).toString(16)}> (a ${type})`;
const wants = (type: string): string => locked(type).replace('locked', 'waiting to lock');

describe('a wait without an object in the dump', () => {
  // As programs/CompiledWait.java has it.
  for (const name of ['jstack-17.txt', 'jstack-25.txt', 'to-file-25.txt', 'to-file-25.json'])
    test(`compiled-wait.${name}: a thread in Object.wait does not own the monitor it waits on`, async () => {
      const recording = await read(bytesOf(`compiled-wait.${name}`));
      const { held, waits, deadlocks } = locksOf(recording);
      assert.deepEqual(
        held.filter((line) => !line.includes('BufferedInputStream')),
        ['first: Ledger', 'second: Vault', 'waits within: Outer'],
      );
      assert.deepEqual(waits, [
        'first enter Vault',
        'notified re-enter Vault',
        'second enter Ledger',
        'waits notify Ledger',
        'waits within notify Ledger',
        'wants outer enter Outer',
      ]);
      assert.deepEqual(deadlocks, name.startsWith('jstack') ? [['first', 'second']] : []);
      assert.deepEqual([recording.complete, codes(recording)], [true, []]);
    });

  test('is on the innermost monitor that the thread entered, even with threads blocked at it', async () => {
    const below = [...NO_REFERENCE, AT, locked('B'), locked('B'), AT, locked('A')];
    const waiter: Written = ['waiter', 'WAITING (on object monitor)', below];
    const other: Written = ['other', 'BLOCKED (on object monitor)', [AT, wants('A')]];
    assert.deepEqual(locksOf(await read(dump([waiter, other]))), {
      held: ['waiter: A'],
      waits: ['other enter A', 'waiter notify B'],
      deadlocks: [],
    });
  });

  test('is on an outer monitor that another thread holds, also if threads are blocked at the innermost', async () => {
    const waiter: Written = [
      'waiter',
      'BLOCKED (on object monitor)',
      [...NO_REFERENCE, AT, locked('B'), AT, locked('A')],
    ];
    const holder: Written = ['holder', 'RUNNABLE', [AT, locked('A')]];
    const blocked: Written = ['blocked', 'BLOCKED (on object monitor)', [AT, wants('B')]];
    for (const threads of [
      [waiter, holder],
      [holder, waiter],
      [waiter, blocked, holder],
    ]) {
      const { held, waits } = locksOf(await read(dump(threads)));
      assert.deepEqual(held, ['holder: A', 'waiter: B']);
      assert.ok(waits.includes('waiter re-enter A'));
    }
    const { held, waits } = locksOf(await read(dump([waiter, blocked])));
    assert.deepEqual([held, waits], [['waiter: B'], ['blocked enter B', 'waiter re-enter A']]);
  });

  test('is on an unknown monitor if none was entered; frames of other wait methods do not count', async () => {
    const none = await read(dump([['waiter', 'WAITING (on object monitor)', [...NO_REFERENCE, AT]]]));
    assert.deepEqual(locksOf(none), { held: [], waits: [], deadlocks: [] });
    const below = ['at demo.Object.wait(Object.java:1)', AT, locked('A')];
    assert.deepEqual(locksOf(await read(dump([['runs', 'RUNNABLE', below]]))).held, ['runs: A']);
  });

  test('is decided by the state of the thread, not by the word of the line (JDK 9 to 12 always write re-lock)', async () => {
    const line = locked('A').replace('locked', 'waiting to re-lock in wait()');
    for (const [state, how] of [
      ['WAITING (on object monitor)', 'notify'],
      ['TIMED_WAITING (on object monitor)', 'notify'],
      ['BLOCKED (on object monitor)', 're-enter'],
    ] as const) {
      const { held, waits } = locksOf(await read(dump([['waiter', state, [...NO_REFERENCE, AT, line]]])));
      assert.deepEqual([held, waits], [[], [`waiter ${how} A`]]);
      const told = [IN_WAIT[0] ?? '', locked('A').replace('locked', 'waiting on'), AT, locked('A')];
      assert.deepEqual(locksOf(await read(dump([['waiter', state, told]]))).waits, [`waiter ${how} A`]);
    }
  });

  test('gives the same result without the object as with it, if threads wait on their innermost monitor', async () => {
    // Each thread holds monitors of its own; some wait on one that they entered last, which another may hold by now.
    const thread = fc.record({ own: fc.nat(3), on: fc.option(fc.constantFrom(...'ABCDEFGHIJKLSTUV')) });
    await fc.assert(
      fc.asyncProperty(fc.array(thread, { maxLength: 4 }), async (threads) => {
        const written = (reference: boolean) =>
          threads.map(({ own, on }, i): Written => {
            const held = [...'ABCDEFGHIJKL'.slice(3 * i, 3 * i + own)].flatMap((type) => [AT, locked(type)]);
            if (on === null || held.includes(locked(on))) return [`t${i}`, 'RUNNABLE', held];
            const known = [IN_WAIT[0] ?? '', locked(on).replace('locked', 'waiting on'), IN_WAIT[1] ?? ''];
            const below = [...(reference ? known : NO_REFERENCE), AT, locked(on), ...held];
            return [`t${i}`, 'WAITING (on object monitor)', below];
          });
        const [known, unknown] = [await read(dump(written(true))), await read(dump(written(false)))];
        assert.deepEqual(locksOf(unknown), locksOf(known));
        assert.deepEqual(codes(known), []);
      }),
      runs(300),
    );
  });
});

describe('parked threads', () => {
  for (const name of ['jstack-l-17.txt', 'jstack-l-25.txt', 'to-file-25.txt', 'to-file-25.json'])
    test(`parked.${name}: threads that want a lock are blocked, idle ones are parked`, async () => {
      const recording = await read(bytesOf(`parked.${name}`));
      // The program names its threads by their way of waiting.
      const states = statesOf(recording).filter(([thread]) => /^(?:lock|idle):/.test(thread));
      assert.equal(states.length, 23);
      for (const [thread, state] of states) {
        // Parked without an object: files do not distinguish it from `Object.wait`.
        const idle = thread === 'idle: park' && name.startsWith('to-file') ? 'waiting' : 'parked';
        assert.equal(state, thread.startsWith('lock:') ? 'blocked' : idle, thread);
      }
      const how = locksOf(recording).waits.map((line) => / (acquire|park) /.exec(line)?.[1]);
      assert.deepEqual([how.filter((one) => one === 'acquire').length, how.includes(undefined)], [8, false]);
    });

  test('are classified by class, else by the frames of the synchronizer in JDK 8 and 17', () => {
    const own = 'demo.Mutex';
    assert.equal(wantsLock(own, [undefined, undefined, 'queue', 'exclusive', 'exclusive', undefined]), true);
    assert.equal(wantsLock(own, [undefined, undefined, 'exclusive', 'shared', undefined]), false);
    assert.equal(wantsLock(own, [undefined, undefined, 'queue', 'shared', 'shared', undefined]), false);
    assert.equal(wantsLock(own, [undefined, 'shared', undefined, 'exclusive']), false);
    assert.equal(wantsLock(own, [undefined, undefined]), false);
    const locks = 'java.util.concurrent.locks.';
    for (const type of ['ReentrantLock$FairSync', 'ReentrantReadWriteLock$NonfairSync', 'StampedLock'])
      assert.equal(wantsLock(locks + type, [undefined, 'shared']), true, type);
    for (const type of ['ReentrantLock', 'AbstractQueuedSynchronizer$ConditionObject'])
      assert.equal(wantsLock(locks + type, []), false, type);
  });
});

describe('deadlocks that the VM reports', () => {
  const found = (lines: string): string =>
    `Found one Java-level deadlock:\n=============================\n${lines}\nJava stack information for the threads listed above:\n\nFound 1 deadlock.\n`;
  const waiting = (name: string, type: string, rest: string): string =>
    `"${name}":\n  waiting to lock monitor 0x77 (object 0x${type.charCodeAt(0).toString(16)}, a ${type}),\n  ${rest}\n`;
  const RING = waiting('a', 'X', 'which is held by "b"') + waiting('b', 'Y', 'which is held by "a"');

  test('threads that do not show the wait still belong to the deadlock, and the dump is damaged', async () => {
    const recording = await read(dump([['a', 'RUNNABLE', [AT]]], found(RING)));
    assert.deepEqual(locksOf(recording), {
      held: ['a: Y', 'b: X'],
      waits: ['a enter X', 'b enter Y'],
      deadlocks: [['a', 'b']],
    });
    assert.deepEqual(codes(recording), [['thread-dump-deadlock', 'error']]);
  });

  test('name hidden classes as the threads do', async () => {
    const hidden = 'X$$Lambda/0x00007f0a14001000';
    const ring = waiting('a', hidden, 'which is held by "b"') + waiting('b', 'demo/Y', 'which is held by "a"');
    const { program } = await read(dump([['a', 'RUNNABLE', [AT]]], found(ring)));
    const classes = [...program.classes.name].map((name) => stringAt(program.names, name));
    assert.ok(classes.includes(hidden), classes.join());
    assert.ok(classes.includes('demo.Y'), classes.join());
  });

  test('an owner that is not a Java thread is valid, not damage', async () => {
    const threads: Written[] = [
      ['a', 'BLOCKED (on object monitor)', [AT, wants('X')]],
      ['b', 'BLOCKED (on object monitor)', [AT, wants('Y'), locked('X')]],
    ];
    const text =
      waiting('a', 'X', 'which is held by "b"') + waiting('b', 'Y', 'which is held by UNKNOWN_owner_addr=77');
    const recording = await read(dump(threads, found(text)));
    assert.deepEqual([locksOf(recording).deadlocks, codes(recording)], [[['a', 'b']], []]);
  });

  test('a list without threads, or one that ends early, is damage; its threads stay', async () => {
    const empty = await read(dump([['a', 'RUNNABLE', [AT]]], found('')));
    assert.deepEqual([locksOf(empty).deadlocks, codes(empty)], [[], [['thread-dump-deadlock', 'error']]]);
    const whole = dump([['a', 'RUNNABLE', [AT]]], found(RING));
    const cut = await read(whole.slice(0, whole.indexOf('"b":')));
    assert.deepEqual(locksOf(cut).deadlocks, [['a']]);
    assert.equal(cut.complete, false);
  });

  test('count if other dumps of the log have none, and in a dump without its heading', async () => {
    const threads: Written[] = [['a', 'RUNNABLE', [AT]]];
    const log = await read(dump(threads, found(RING)) + dump(threads).replace(/^.*\n\n/, ''));
    assert.equal(log.locks?.snapshots.length, 2);
    assert.deepEqual(locksOf(log).deadlocks, [['a', 'b']]);
    const alone = await read(dump(threads, found(RING)).replace(/^.*\n\n/, ''));
    assert.deepEqual(locksOf(alone).deadlocks, [['a', 'b']]);
  });

  test('two owners of one monitor are a problem that names both', async () => {
    const recording = await read(
      dump([
        ['a', 'RUNNABLE', [AT, locked('X')]],
        ['b', 'RUNNABLE', [AT, locked('X')]],
      ]),
    );
    assert.deepEqual(codes(recording), [['thread-dump-owners', 'warning']]);
    assert.equal(recording.problems.list[0]?.message, 'two threads hold one X: "a" and "b"');
    assert.equal(recording.complete, true);
  });
});

test('data that is not in a dump', async () => {
  const gaps = async (name: string) => [...gapsOf((await read(bytesOf(name))).locks ?? assert.fail(), 0)];
  assert.deepEqual(await gaps('parked.jstack-l-17.txt'), []);
  assert.deepEqual(await gaps('compiled-wait.jstack-25.txt'), ['synchronizers']);
  assert.deepEqual(await gaps('virtual-locks.jstack-l-25.txt'), ['platform-only']);
  assert.deepEqual(await gaps('virtual-locks.to-file-25.json'), ['synchronizers']);
  assert.deepEqual(await gaps('made-by-hand.jdk-21-to-file.json'), ['monitors', 'synchronizers']);
});
