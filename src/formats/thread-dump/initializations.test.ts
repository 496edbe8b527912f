/** Threads that wait for each other to initialise classes. Expectations are what programs/Initialization.java does. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { findDeadlocks, waitGraph } from '../../analysis/locks/deadlocks.js';
import { memorySource } from '../../bytes/byte-source.js';
import { commandLineText } from '../../cli/render/spelling.js';
import { STATE_EVENTS, THREAD_STATES } from '../../models/events/state.js';
import { gapsOf, MONITORS } from '../../models/locks/locks.js';
import { threadName } from '../../models/profile/profile.js';
import type { Recording } from '../../models/recording.js';
import { ask, openSession } from '../../session/session.js';
import { runs } from '../../testing/amount.js';
import { Initializations } from './initializations.js';
import { readThreadDump } from './read.js';

const FOLDER = new URL('../../../../src/formats/thread-dump/fixtures/', import.meta.url);
const bytesOf = (name: string): Buffer => readFileSync(new URL(name, FOLDER));
const read = (bytes: string | Uint8Array): Promise<Recording> =>
  readThreadDump(memorySource('dump', typeof bytes === 'string' ? Buffer.from(bytes) : bytes));

const nameOf = ({ profile, program }: Recording, thread: number): string =>
  (profile && threadName(profile, program, thread)) ?? '';

function deadlocksOf(recording: Recording): string[][] {
  assert.ok(recording.locks !== undefined);
  return findDeadlocks(waitGraph(recording.locks, 0)).map(({ threads }) =>
    threads.map((thread) => nameOf(recording, thread)),
  );
}

function stateOf(recording: Recording, name: string): string | undefined {
  const states = STATE_EVENTS.of(recording.profile) ?? assert.fail();
  return THREAD_STATES[states.state[[...states.thread].findIndex((thread) => nameOf(recording, thread) === name)]];
}

const gapOf = ({ locks }: Recording): boolean => locks !== undefined && gapsOf(locks, 0).has('initialization');

describe('threads that wait for classes to be initialised', () => {
  for (const version of ['17', '25'])
    test(`a deadlock of two classes, jstack of JDK ${version}`, async () => {
      const recording = await read(bytesOf(`initialization.jstack-${version}.txt`));
      assert.deepEqual(deadlocksOf(recording), [['first', 'second']]);
      for (const name of ['first', 'second', 'late']) assert.equal(stateOf(recording, name), 'blocked');
      assert.deepEqual([gapOf(recording), recording.problems.list, recording.complete], [false, [], true]);
      const session = () => openSession([memorySource('dump', bytesOf(`initialization.jstack-${version}.txt`))]);
      const { deadlocks } = await ask(await session(), { view: 'monitors' });
      assert.deepEqual(
        deadlocks.map(({ threads, stuck, monitors }) => [threads, stuck, monitors]),
        [
          [
            ['first', 'second'],
            1,
            ['initialization of Initialization$Prices', 'initialization of Initialization$Catalog'],
          ],
        ],
      );
      const { states, rows } = await ask(await session(), {
        view: 'threads',
        scope: [{ kind: 'state', states: ['blocked'] }],
      });
      assert.deepEqual([states, rows.map(({ name }) => name).sort()], [{ blocked: 3 }, ['first', 'late', 'second']]);
    });

  for (const version of ['17', '25'])
    test(`a subclass whose superclass is being initialised has no frame, jstack of JDK ${version}`, async () => {
      const text = bytesOf(`superclass.jstack-${version}.txt`).toString();
      assert.doesNotMatch(text, /Circle\.<clinit>/);
      assert.deepEqual(deadlocksOf(await read(text)), [['first', 'second']]);
    });

  for (const name of ['to-file-25.txt', 'to-file-25.json'])
    test(`${name} does not report the waits, and is known not to`, async () => {
      const recording = await read(bytesOf(`initialization.${name}`));
      assert.deepEqual([deadlocksOf(recording), gapOf(recording)], [[], true]);
      const session = await openSession([memorySource(name, bytesOf(`initialization.${name}`))]);
      const { headlines } = await ask(session, { view: 'monitors' });
      assert.ok(headlines.some((line) => /waits for class initialization/.test(commandLineText(line))));
    });

  test('files without a thread in <clinit>, and dumps with the line, lack nothing', async () => {
    for (const name of ['virtual.to-file-25.json', 'parked.to-file-25.txt', 'superclass.jstack-17.txt'])
      assert.equal(gapOf(await read(bytesOf(name))), false, name);
  });

  test('releases that do not name the class: the thread is blocked on something unknown', async () => {
    const text = bytesOf('initialization.jstack-17.txt').toString();
    const recording = await read(text.replace(/\t- waiting on the Class init.*\n/g, ''));
    assert.deepEqual([deadlocksOf(recording), gapOf(recording)], [[], true]);
    for (const name of ['first', 'second', 'late']) assert.equal(stateOf(recording, name), 'blocked');
    assert.equal(stateOf(recording, 'Signal Dispatcher'), 'runnable');
  });

  test('two classes of one name: no thread is taken for the owner', async () => {
    const text = bytesOf('initialization.jstack-17.txt').toString();
    const twice = text.replace('\tat Initialization.lambda$main$4', '\tat Initialization$Catalog.<clinit>');
    const { locks } = await read(twice);
    assert.ok(locks !== undefined && twice !== text);
    // 'late' now runs and awaits a class of this name, 'first' runs another.
    const { owner, address } = MONITORS.rows(locks.monitors);
    assert.deepEqual([...owner].filter((one, row) => address[row] === -1 && one >= 0).length, 1);
  });

  test('owners are the ones that a naive search finds', () => {
    const thread = fc.record({
      runs: fc.uniqueArray(fc.constantFrom('A', 'B', 'C'), { maxLength: 2 }),
      waits: fc.option(fc.constantFrom('A', 'B', 'C'), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(thread, { maxLength: 5 }), fc.boolean(), (threads, all) => {
        const made = new Initializations();
        threads.forEach(({ runs: types, waits }, id) => {
          for (const type of types) made.runs(id, type);
          if (waits !== undefined) made.waits(id, waits);
        });
        const wanted = new Map<string, number>();
        for (const type of ['A', 'B', 'C'] as const) {
          if (!threads.some(({ waits }) => waits === type)) continue;
          const ids = threads.map((_, id) => id);
          const running = ids.filter((id) => threads[id]?.runs.includes(type));
          const others = ids.filter((id) => {
            const { runs: types = [], waits } = threads[id] ?? {};
            return waits !== type && (types.length > 0 || waits !== undefined);
          });
          // Whoever runs it and waits for it proves that the name stands for two classes.
          const [owner, more] = running.length > 0 ? running : all ? others : [];
          if (owner !== undefined && more === undefined && threads[owner]?.waits !== type) wanted.set(type, owner);
        }
        assert.deepEqual(made.owners(all), wanted);
      }),
      runs(500),
    );
  });
});
