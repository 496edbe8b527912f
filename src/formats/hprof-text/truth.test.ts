/** Every text of the collection against a second, naive reading of it: each line that is told is read. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import { hprofTruth } from '../../testing/hprof-truth.js';
import { seenByReader } from '../../testing/hprof-seen.js';
import { sharedData } from '../../testing/shared-data.js';
import { readHprofText } from './read.js';

function bytesOf(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}
const folder = process.env.KANSOKU_DATA ?? '';
for (const name of readdirSync(join(folder, 'hprof/agent')).filter((n) => /\.txt(\.gz)?$/.test(n))) {
  test(name, async () => {
    const bytes = bytesOf(join(folder, 'hprof/agent', name));
    const recording = await readHprofText(memorySource(name, bytes));
    const truth = hprofTruth(bytes);
    const seen = seenByReader(recording);
    assert.deepEqual(truth.breaches, []);
    for (const key of ['prelude', 'items', 'threads', 'waits', 'traces', 'sections', 'old', 'dangling'] as const)
      assert.deepEqual(seen[key], truth[key], key);
  });
}
