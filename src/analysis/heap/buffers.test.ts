/** Memory behind buffers: of written dumps by construction, of live virtual machines as their own pools count it. */
import { deepStrictEqual, match } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { summaryPage } from '../../cli/render/summary.js';
import { jdkHomes, jdkTool } from '../../code/java/testing/jdks.js';
import * as tags from '../../formats/hprof/tags.js';
import { LAYOUTS, type Layout } from '../../formats/hprof/testing/heap-layout.js';
import { PlacedHeap } from '../../formats/hprof/testing/placed-heap.js';
import { MemorySink } from '../../formats/hprof/write/bytes.js';
import { openInputs } from '../../session/open.node.js';
import { ask, openSession } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

/** Buffers by capacity, and what they refer to. */
const BUFFERS = [
  { type: 'direct', capacity: 1_000_000, cleaner: true, fd: false },
  { type: 'readOnly', capacity: 5, cleaner: true, fd: true },
  { type: 'direct', capacity: 70_000, cleaner: true, fd: true },
  { type: 'direct', capacity: 2 ** 31 - 1, cleaner: true, fd: false },
  { type: 'readOnly', capacity: 1_000_000, cleaner: false, fd: false },
  { type: 'direct', capacity: 300, cleaner: false, fd: true },
  { type: 'direct', capacity: -1, cleaner: true, fd: false },
] as const;

function dumpOf(layout: Layout): Uint8Array {
  const sink = new MemorySink();
  const heap = new PlacedHeap(sink, { layout, segmentBytes: 200 });
  const object = heap.define('java/lang/Object');
  const buffer = heap.define('java/nio/Buffer', { parent: object, fields: [['capacity', tags.TYPE_INT]] });
  const fields = [['fd', tags.TYPE_OBJECT]] as const;
  const mapped = heap.define('java/nio/MappedByteBuffer', { parent: buffer, fields });
  const direct = heap.define('java/nio/DirectByteBuffer', {
    parent: mapped,
    fields: [
      ['att', tags.TYPE_OBJECT],
      ['cleaner', tags.TYPE_OBJECT],
    ],
  });
  const readOnly = heap.define('java/nio/DirectByteBufferR', { parent: direct });
  heap.writeClasses();
  const other = heap.take(object);
  heap.instance(other, object);
  for (const { type, capacity, cleaner, fd } of BUFFERS) {
    const of = { direct, readOnly }[type];
    const out = heap.instance(heap.take(of), of);
    heap.reference(out, cleaner ? 0 : other);
    heap.reference(out, cleaner ? other : 0);
    heap.reference(out, fd ? other : 0);
    out.u4(capacity >>> 0);
  }
  heap.writeClassRoots();
  heap.writer.end();
  return sink.bytes();
}

describe('memory of buffers', () => {
  for (const [name, layout] of Object.entries(LAYOUTS))
    test(`written, ${name}`, async () => {
      const session = await openSession([memorySource('x', dumpOf(layout))]);
      const summary = await ask(session, { view: 'summary' });
      deepStrictEqual(summary.heap?.outside, {
        direct: { buffers: 3, bytes: 1_000_000 + 2 ** 31 - 1 },
        mapped: { buffers: 2, bytes: 70_005 },
        others: 2,
      });
      match(
        summaryPage(summary),
        /Outside the heap: 2\.15 GB in 3 direct buffers, 70\.01 KB in 2 mapped buffers, 2 direct buffers without memory of their own\n/,
      );
    });

  test('of live virtual machines, as their pools count it', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'kansoku-buffers-'));
    t.after(() => rmSync(folder, { recursive: true }));
    for (const [i, home] of jdkHomes(t).entries()) {
      const file = join(folder, `${i}.hprof`);
      const words = ['-Xmx64m', '-XX:+UseSerialGC', join(ROOT, 'src/analysis/heap/testing/Buffers.java'), file];
      const pools = jdkTool(home, 'java', words);
      const session = await openInputs([file], { cache: false, announce: () => undefined, work: {} });
      const { heap } = await ask(session, { view: 'summary' });
      await session.close();
      const pool = (name: string) => {
        const [, buffers, bytes] = new RegExp(`^${name} (\\d+) (\\d+)$`, 'm').exec(pools) ?? [];
        return { buffers: Number(buffers), bytes: Number(bytes) };
      };
      deepStrictEqual(
        { direct: heap?.outside?.direct, mapped: heap?.outside?.mapped },
        {
          direct: pool('direct'),
          mapped: pool('mapped'),
        },
        home,
      );
    }
  });
});
