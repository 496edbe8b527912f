/** Dumps in gzip that are read from a copy: the same recording and graph as those of the stream, damage included. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type ByteSource, memorySource } from '../../bytes/byte-source.js';
import { gunzip } from '../../bytes/gzip.node.js';
import { copiedOnce } from '../../bytes/spool.node.js';
import type { ObjectGraph } from '../../models/heap/heap.js';
import type { Recording } from '../../models/recording.js';
import { temporaryFolder } from '../../testing/byte-sources.js';
import { heapReader } from './heaps.js';
import { readHprofFile } from './read.js';

const PACKED = readFileSync(fileURLToPath(new URL('../../../../examples/heap/graph.hprof.gz', import.meta.url)));

async function readAll(source: ByteSource): Promise<{ recording: Recording; graphs: ObjectGraph[] }> {
  const recording = await readHprofFile(source);
  const reader = heapReader(source, recording);
  const graphs: ObjectGraph[] = [];
  for (const heap of recording.heaps ?? []) graphs.push(await reader.graph(heap.dump));
  return { recording, graphs };
}

test('a dump in gzip and its copy, whole and cut', async (t) => {
  const folder = await temporaryFolder(t);
  for (const length of [PACKED.length, PACKED.length - 5000]) {
    let opened = 0;
    const source = gunzip(memorySource('graph.hprof.gz', PACKED.subarray(0, length)));
    const counted: ByteSource = {
      ...source,
      open: () => {
        opened++;
        return source.open();
      },
    };
    const streamed = await readAll(counted);
    ok(opened > 2, 'a stream is decompressed by each pass');
    for (const memory of [0, 64 << 20]) {
      opened = 0;
      const copy = copiedOnce(counted, { folder, memory });
      deepEqual(await readAll(copy), streamed);
      equal(opened, 1);
      await copy.close?.();
    }
    const codes = Object.keys(streamed.recording.problems.counts);
    equal(codes.includes('gzip-damaged'), length < PACKED.length, codes.join());
  }
});
