/** Threads of real dumps and of a table as HPROF has it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileSource } from '../../bytes/file.node.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { THREADS } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import type { ScopeStep } from '../../models/scope.js';
import { ask, openSession, type Session, sessionOf } from '../../session/session.js';
import { lockPicture } from '../../testing/pictures/lock-picture.js';
import { ROOT } from '../../testing/shared-data.js';

const FOLDER = join(ROOT, 'src/formats/thread-dump/fixtures');
const opened = async (name: string): Promise<Session> => openSession([await fileSource(join(FOLDER, name))]);
const threads = (session: Session, scope: readonly ScopeStep[] = []) =>
  ask(session, { view: 'threads', scope, page: { limit: 0 } });

describe('threads of dumps', () => {
  test('state and top frame of the last dump, and how often a thread was blocked', async () => {
    const session = await opened('states.sigquit-17.txt');
    const { rows, total, states, columns } = await threads(session);
    assert.equal(total, 24);
    const rowNamed = (name: string) => rows.find((row) => row.name === name);
    const { id, native, kind, dumps, blocked_share, state, frame } = rowNamed('notified') ?? assert.fail();
    assert.deepEqual([id, native, kind, dumps, blocked_share, state], [21, 0x55a1, 'daemon', 2, 1, 'blocked']);
    assert.equal(frame, 'java.lang.Object.wait(native method)');
    assert.deepEqual([rowNamed('main')?.kind, rowNamed('VM Thread')?.id, rowNamed('VM Thread')?.kind], ['', null, '']);
    // `notified` at a monitor, `wants the lock` at a ReentrantLock.
    assert.deepEqual([states.blocked, states.sleeping, states.parked], [2, 1, 4]);
    assert.ok(!columns.some(({ key }) => key === 'group' || key === 'started'));
  });

  test('--dump shows one dump, --thread the threads that match', async () => {
    const session = await opened('states.sigquit-25.txt');
    const second = await threads(session, [{ kind: 'dump', number: 2 }]);
    assert.ok(second.rows.every((row) => row.dumps === 1));
    const parked = await threads(session, [{ kind: 'thread', pattern: '^parks|^wants' }]);
    assert.deepEqual(
      parked.rows.map((row) => row.name),
      ['parks\nin two lines', 'wants the lock'],
    );
  });

  test('virtual threads and their containers', async () => {
    const { rows } = await threads(await opened('virtual.to-file-25.json'));
    const task = rows.find((row) => row.name === 'task-1');
    assert.deepEqual([task?.kind, task?.group], ['virtual', 'java.util.concurrent.ThreadPerTaskExecutor@117d9da7']);
  });

  test('stacks of all dumps make one tree', async () => {
    const session = await opened('states.sigquit-17.txt');
    const tree = await ask(session, { view: 'tree', page: { limit: 0 } });
    const both = await threads(session);
    const every = await ask(session, { view: 'tree', options: { metric: 'all-threads' } });
    assert.deepEqual([every.metric.id, every.metric.sum], ['all-threads', 2 * both.total]);
    // grep -c of headers that no line with `at` follows: 10 threads of the VM a dump.
    assert.deepEqual([tree.metric.id, tree.metric.sum], ['threads', 2 * (both.total - 10)]);
    assert.ok(tree.rows.every((row) => !row.function.startsWith('<no Java')));
    assert.ok(noteTexts(tree.notes).some((note) => note.startsWith('Not counted: 20 threads without Java frames')));
    const run = tree.rows.find((row) => row.function === 'java.lang.Thread.run' && row.depth === 0);
    assert.equal(run?.total, 2 * 10);
  });

  test('the session names the format by content, text and JSON', async () => {
    for (const name of ['monitor-deadlock.jcmd-25.txt', 'virtual.to-file-25.json', 'virtual.to-file-25.txt'])
      assert.equal((await opened(name)).recordings[0]?.format, 'thread-dump');
  });
});

test('lifetimes, groups and numbers are shown if the table of threads has only these', async () => {
  const program = new ProgramBuilder();
  const table = THREADS.having(['number', 'group', 'started', 'ended']).builder();
  const name = (text: string): number => program.name(text);
  table.add({ name: name('main'), number: 200001, group: name('main'), started: 300, ended: -1 });
  table.add({ name: name('worker'), number: 200002, group: name('pool'), started: 400, ended: 900 });
  const recording: Recording = {
    ...lockPicture(''),
    program: program.finish(),
    profile: { ...(lockPicture('').profile ?? assert.fail()), threads: table.finish() },
  };
  const { rows, columns } = await threads(sessionOf([recording]));
  assert.deepEqual(
    columns.map(({ key }) => key),
    ['id', 'group', 'started', 'ended', 'name'],
  );
  assert.deepEqual(
    rows.map((row) => [row.id, row.group, row.started, row.ended, row.name]),
    [
      [200001, 'main', 300, null, 'main'],
      [200002, 'pool', 400, 900, 'worker'],
    ],
  );
});
