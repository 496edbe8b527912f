/** Heap profiles as read: against speedscope, and against a second reading of the same file. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { readWith, saidFrames, seenFunctions, unpacked } from '../../testing/interop/speedscope-truth.js';
import { sharedData } from '../../testing/shared-data.js';
import { heapprofile } from './index.js';
import { heapRows, plainHeap } from './testing/heapprofile-oracle.js';

describe('real files: bytes as in speedscope', () => {
  for (const name of ['node10-heap.heapprofile', 'node20-warehouse.heapprofile'])
    test(name, async (t) => {
      const path = sharedData(t, `interop/heapprofile/${name}`);
      if (path === undefined) return;
      const recording = await readWith(heapprofile, path);
      equal(recording.complete, true);
      // Node 20 has samples that its tree lacks.
      deepEqual(Object.keys(recording.problems.counts), name.startsWith('node20') ? ['heapprofile-samples'] : []);
      const sums = seenFunctions(recording, 'bytes', 'bytes');
      // It names functions without a name by lines from 0.
      const plainName = (frame: string): string => frame.replace(/^\(anonymous .*\)$/, '(anonymous)');
      const selfOf = (list: Iterable<readonly [string, number]>): Record<string, number> => {
        const byName: Record<string, number> = {};
        for (const [frame, bytes] of list) byName[plainName(frame)] = (byName[plainName(frame)] ?? 0) + bytes;
        return byName;
      };
      // The root of all calls is a frame there.
      const truth = saidFrames(join(path, `../expected/${name}.speedscope.txt`)).filter(
        (frame) => frame.name !== '(root)',
      );
      deepEqual(
        selfOf([...sums].map(([frame, { self }]) => [frame, self] as const)),
        selfOf(truth.map(({ name: frame, self }) => [frame, self] as const)),
      );
      for (const { name: frame, total, file } of truth)
        if (!frame.startsWith('(anonymous') && truth.filter((each) => each.name === frame).length === 1)
          equal(sums.get(frame)?.total, total, `${frame} ${file}`);
      const plain = plainHeap(JSON.parse(Buffer.from(unpacked(path)).toString()));
      deepEqual(heapRows(recording), plain?.rows);
      equal(recording.sections[0]?.entries, plain?.nodes);
    });
});

test('samples that do not add up to their node are reported', async () => {
  const frame = (functionName: string) => ({ functionName, scriptId: '0', url: '', lineNumber: -1, columnNumber: -1 });
  const leaf = { callFrame: frame('a'), selfSize: 8, id: 2, children: [] };
  const root = {
    head: { callFrame: frame('(root)'), selfSize: 0, id: 1, children: [leaf] },
    samples: [{ size: 7, nodeId: 2, ordinal: 1 }],
  };
  const { problems, complete } = await heapprofile.read(memorySource('a', Buffer.from(JSON.stringify(root))));
  equal(complete, true);
  match(problems.list[0]?.message ?? '', /samples have 7 bytes, the nodes 8;/);
});
