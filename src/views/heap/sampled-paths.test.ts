/** How old objects of recordings of JFR are held: of a real one as `jfr print --events OldObjectSample` has it, and of drawn ones. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { OLD_OBJECT_EVENTS } from '../../models/events/memory.js';
import { REFERENCES } from '../../models/heap/references.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { ask, openSession, type Session, sessionOf } from '../../session/session.js';
import { drawnRecording } from '../../testing/recordings.js';
import { ROOT } from '../../testing/shared-data.js';
import { unpacked } from '../events/testing/printed-events.js';

const ALL = { limit: 0 };
const leak = (): Promise<Session> =>
  openSession([memorySource('leak.jfr', unpacked(join(ROOT, 'examples', 'jfr', 'leak.jfr.gz')))]);

describe('paths of old objects of a recording of JFR', () => {
  test('all of them, merged', async () => {
    const session = await leak();
    const { rows, selected, unreachable } = await ask(session, { view: 'heap-paths', page: ALL });
    // 25 events; one has no root.
    deepEqual([selected, unreachable], [25, 1]);
    deepEqual(
      rows.slice(0, 6).map((row) => [row.depth, row.objects, row.held, row.name, row.shallow]),
      [
        [0, 23, null, 'java.lang.Class (Class Name: sun.launcher.LauncherHelper)', 22 * 4016 + 3216],
        [1, 23, 'appClass', 'java.lang.Class (Class Name: Leak)', 22 * 4016 + 3216],
        [2, 22, 'KEPT', 'java.util.ArrayList (Size: 24)', 22 * 4016],
        [3, 22, 'elementData', 'java.lang.Object[]', 22 * 4016],
        [4, 22, '[…]', 'byte[] × 22', 22 * 4016],
        [2, 1, 'garbage', 'long[]', 3216],
      ],
    );
    deepEqual(
      rows.filter(({ root }) => root !== null).map(({ root, objects }) => [root, objects]),
      [
        ['Class Loader Data', 23],
        ['VM Global, Global Object Handle', 1],
      ],
    );
    await session.close();
  });

  test('of one class, one object a node', async () => {
    const session = await leak();
    const { rows } = await ask(session, {
      view: 'heap-paths',
      options: { class: '^byte\\[\\]$', merge: false },
      page: ALL,
    });
    // Elements 6 and 16 of the list are missing among the events.
    const elements = Array.from({ length: 24 }, (_, i) => i).filter((i) => i !== 6 && i !== 16);
    deepEqual(
      rows.filter(({ name }) => name === 'byte[]').map(({ held }) => held),
      elements.map((i) => `[${i}]`),
    );
    await session.close();
  });

  test('what only heap dumps can answer is refused', async () => {
    const session = await leak();
    await rejects(ask(session, { view: 'heap-paths', options: { roots: 'mat' } }), /need a heap dump/);
    await rejects(ask(session, { view: 'heap-paths', options: { class: 'NoSuch' } }), /no class has this name/);
    await session.close();
  });
});

/** Two dumps; in the last, two nodes of a chain below one root, with objects between that are not recorded. */
test('the objects of the last dump, with what the recorder skipped', async () => {
  const program = new ProgramBuilder();
  const stacks = new StackBuilder();
  const [holder, node] = ['Holder', 'Node'].map((name) => program.class(program.name(name)));
  const references = REFERENCES.builder();
  const none = { field: -1, index: -1, skipped: 0, description: -1, address: 16 };
  references.add({ ...none, above: -1, class: holder });
  references.add({ ...none, above: 0, class: node, field: program.name('first') });
  references.add({ ...none, above: 1, class: node, field: program.name('next'), skipped: 90, address: 32 });
  const old = OLD_OBJECT_EVENTS.having(['dump', 'reference']).builder();
  for (const [dump, reference] of [
    [0, 1],
    [1, 1],
    [1, 2],
  ])
    old.add({ stack: -1, class: node, dump, reference, objects: 1 });
  const profile = { stacks: stacks.finish(), events: [old.finish()], metrics: [] };
  const session = sessionOf([drawnRecording({ program: program.finish(), profile, references: references.finish() })]);
  const { rows } = await ask(session, { view: 'heap-paths', page: ALL });
  deepEqual(
    rows.map((row) => [row.depth, row.objects, row.held, row.name, row.shallow]),
    [
      [0, 2, null, 'Holder', null],
      [1, 2, 'first', 'Node', null],
      [2, 1, 'next … 90 objects not recorded', 'Node', null],
    ],
  );
  const first = await ask(session, { view: 'heap-paths', page: ALL, scope: [{ kind: 'dump', number: 1 }] });
  equal(first.selected, 1);
});
