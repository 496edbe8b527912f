/** Differences of dominators: two dumps that differ in what was put in. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { UsageError } from '../../base/errors.js';
import { memorySource } from '../../bytes/byte-source.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { ROOT_JNI_GLOBAL, ROOT_STICKY_CLASS, TYPE_LONG, TYPE_OBJECT } from '../../formats/hprof/tags.js';
import { PlacedHeap } from '../../formats/hprof/testing/placed-heap.js';
import { MemorySink } from '../../formats/hprof/write/bytes.js';
import { ask, openSession, type Session } from '../../session/session.js';

interface Contents {
  /** Objects that only move the addresses of all others. */
  readonly before: number;
  /** Nodes that a static field of `app.Cache` holds. */
  readonly cached: number;
  /** Objects with a root of their own, of a class with a loader of its own. */
  readonly sessions: number;
  readonly jobs: number;
}

/** A dump, and the bytes of an instance of each class. */
function dump({ before, cached, sessions, jobs }: Contents) {
  const sink = new MemorySink();
  const heap = new PlacedHeap(sink);
  const object = heap.define('java/lang/Object');
  const long = { parent: object, fields: [['value', TYPE_LONG]] } as const;
  const types = { loader: heap.define('app/Loader', long), filler: heap.define('app/Filler', long) };
  heap.define('java/lang/Class', { parent: object });
  const node = heap.define('app/Node', { parent: object, fields: [['next', TYPE_OBJECT]] });
  const fillers = Array.from({ length: before }, () => heap.take(types.filler));
  const loader = heap.take(types.loader);
  const nodes = Array.from({ length: cached }, () => heap.take(node));
  heap.define('app/Cache', { parent: object, statics: [['first', nodes[0] ?? 0]] });
  const session = heap.define('web/Session', { ...long, loader });
  const job = heap.define('app/Job', long);
  heap.writeClasses();
  const rooted = [
    ...Array.from({ length: sessions }, () => ({ at: heap.take(session), type: session })),
    ...Array.from({ length: jobs }, () => ({ at: heap.take(job), type: job })),
  ];
  const plain = [...fillers.map((at) => ({ at, type: types.filler })), { at: loader, type: types.loader }];
  for (const { at, type } of [...plain, ...rooted]) heap.instance(at, type).zeros(8);
  nodes.forEach((at, i) => {
    heap.reference(heap.instance(at, node), nodes[i + 1] ?? 0);
  });
  for (const { at } of rooted) heap.writer.root(ROOT_JNI_GLOBAL, at, [0]);
  for (const { id } of heap.classes) heap.writer.root(ROOT_STICKY_CLASS, id);
  heap.writer.end();
  return { bytes: sink.bytes(), node: node.bytes, session: session.bytes, job: job.bytes };
}

const BEFORE = dump({ before: 3, cached: 40, sessions: 10, jobs: 0 });
const AFTER = dump({ before: 50, cached: 100, sessions: 4, jobs: 5 });

function session(): Promise<Session> {
  return openSession([memorySource('after', AFTER.bytes), memorySource('before', BEFORE.bytes)]);
}

const [NODES, SESSIONS, JOBS] = [60 * AFTER.node, -6 * AFTER.session, 5 * AFTER.job];

/** Name, difference of bytes and of objects. */
const EXPECTED = {
  object: [
    ['class app.Cache', NODES, 0],
    ['web.Session', SESSIONS, -6],
    ['app.Job', JOBS, 5],
  ],
  class: [
    ['java.lang.Class', NODES, 0],
    ['web.Session', SESSIONS, -6],
    ['app.Job', JOBS, 5],
  ],
  // Class objects are of a class of java.lang.
  package: [
    ['java.lang', NODES, 0],
    ['web', SESSIONS, -6],
    ['app', JOBS, 5],
  ],
  loader: [
    ['<boot loader>', NODES + JOBS, 5],
    ['app.Loader', SESSIONS, -6],
  ],
} as const;

test('what grew and what became less, whatever the addresses', async (t) => {
  const both = await session();
  t.after(() => both.close());
  for (const by of ['object', 'class', 'package', 'loader'] as const) {
    const result = await ask(both, { view: 'heap-dominators', recording: 'r1', base: 'r2', options: { by } });
    const groupRows = result.rows.map(({ name, delta, delta_objects }) => [name, delta, delta_objects]);
    deepEqual(
      groupRows,
      EXPECTED[by].map((row) => [...row]),
      by,
    );
    for (const { retained, base, delta, objects, base_objects, delta_objects } of result.rows)
      deepEqual([delta, delta_objects], [(retained ?? NaN) - (base ?? NaN), objects - (base_objects ?? NaN)]);
    equal((result.bytes ?? NaN) - (result.base?.bytes ?? NaN), NODES + SESSIONS + JOBS);
    equal(result.base?.recording, 'before');
    match(
      noteTexts(result.notes).join('\n'),
      by === 'object' ? /one by one/ : by === 'loader' ? /by their class/ : /Reachable/,
    );
  }
});

test('the other way round, and with itself', async (t) => {
  const both = await session();
  t.after(() => both.close());
  const back = await ask(both, { view: 'heap-dominators', recording: 'r2', base: 'r1', options: { by: 'class' } });
  deepEqual(
    back.rows.map(({ name, delta }) => [name, delta]),
    EXPECTED.class.map(([name, delta]) => [name, -delta]),
  );
  const none = await ask(both, { view: 'heap-dominators', recording: 'r1', base: 'r1', options: { by: 'class' } });
  deepEqual(none.rows, []);
});

test('an address names no object of the other dump', async (t) => {
  const both = await session();
  t.after(() => both.close());
  const answer = ask(both, { view: 'heap-dominators', recording: 'r1', base: 'r2', options: { parent: '0x10' } });
  await rejects(answer, UsageError);
});

test('the examples of the command are these dumps', () => {
  for (const [name, { bytes }] of Object.entries({ before: BEFORE, after: AFTER }))
    ok(
      gunzipSync(readFileSync(new URL(`../../../../examples/heap/cache-${name}.hprof.gz`, import.meta.url))).equals(
        bytes,
      ),
    );
});

test('the histogram by class loader, which is named by its address', async (t) => {
  const both = await session();
  t.after(() => both.close());
  const { rows, objects, bytes } = await ask(both, { view: 'heap-histogram', options: { by: 'loader' } });
  const addressRows = rows.filter((row) => row.class.startsWith('0x'));
  deepEqual(
    addressRows.map((row) => [row.objects, row.bytes]),
    [[4, 4 * AFTER.session]],
  );
  const loader = await ask(both, { view: 'heap-inspect', options: { object: addressRows[0]?.class ?? '' } });
  equal(loader.object.object, 'app.Loader');
  deepEqual(
    [rows.reduce((sum, row) => sum + row.objects, 0), rows.reduce((sum, row) => sum + (row.bytes ?? NaN), 0)],
    [objects, bytes],
  );
});
