/** What a summary has of heap dumps: drawn ones, and the facts of a real one. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { summaryPage } from '../../cli/render/summary.js';
import { dumpBytes, type PlainClass, type PlainHeap } from '../../formats/hprof/testing/plain-heap.js';
import { openInputs } from '../../session/open.node.js';
import { ask, openSession } from '../../session/session.js';
import { sharedData } from '../../testing/shared-data.js';

const OBJECT: PlainClass = { id: 8, name: 'java/lang/Object', parent: 0, loader: 0, statics: [], fields: [] };

function summaryOf(heap: PlainHeap) {
  const source = memorySource('drawn', dumpBytes({ version: '1.0.2', idSize: 8 }, heap));
  return openSession([source]).then((session) => ask(session, { view: 'summary' }));
}

/** `plugins` loaders that each have a class `app/Plugin` with two instances of 16 bytes. */
function pluginHeap(plugins: number): PlainHeap {
  const ids = Array.from({ length: plugins }, (_, i) => 1024 * (i + 1));
  const classes = ids.map(
    (id): PlainClass => ({ id, name: 'app/Plugin', parent: 8, loader: id + 512, statics: [], fields: [] }),
  );
  const buffer: PlainClass = {
    id: 24,
    name: 'java/nio/DirectByteBufferR',
    parent: 8,
    loader: 0,
    statics: [],
    fields: [],
  };
  const instance = (id: number, classId: number) => ({
    kind: 'instance' as const,
    id,
    bytes: 16,
    class: classId,
    values: [],
  });
  return {
    classes: [OBJECT, buffer, ...classes],
    objects: [
      ...ids.flatMap((id) => [instance(id + 512, 8), instance(id + 528, id), instance(id + 544, id)]),
      instance(40, 24),
    ],
    roots: [
      { tag: 5, object: 8, numbers: [] },
      { tag: 5, object: 24, numbers: [] },
      { tag: 1, object: 40, numbers: [1] },
    ],
  };
}

test('roots by kind, names with several loaders, direct buffers', async () => {
  const { heap } = await summaryOf(pluginHeap(3));
  deepStrictEqual(heap?.roots, { 'jni-global': 1, 'system-class': 2 });
  deepStrictEqual(heap?.repeated, {
    classes: 1,
    shown: [{ class: 'app.Plugin', loaders: 3, objects: 6, bytes: 96 }],
  });
  // The boot loader, and those of the plugins.
  equal(heap?.loaders, 4);
  equal(heap?.outside, null, 'without fields nothing is known');
  equal(heap?.suspect, null);
});

test('many loaders of one class with few classes each are suspected to leak', async () => {
  const summary = await summaryOf(pluginHeap(12));
  deepStrictEqual(summary.heap?.suspect, { class: 'app.Plugin', loaders: 12, classes: 1 });
  match(summaryPage(summary), /Class loaders may leak: 12 have app\.Plugin, each with at most 1 class;/);
});

test('a recording without a heap has none', async (t) => {
  const file = sharedData(t, 'hprof/agent/alloc-heap-sites.hprof');
  if (file === undefined) return;
  const session = await openInputs([file], { cache: false, announce: () => undefined, work: {} });
  const summary = await ask(session, { view: 'summary' });
  equal(summary.heap, null);
  ok(!summaryPage(summary).includes('Roots:'));
});
