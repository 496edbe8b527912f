/** The fixtures of heaps are what the writer writes; with `KANSOKU_WRITE` set, it writes them. */
import { deepEqual } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../../testing/shared-data.js';
import { dumpBytes } from './plain-heap.js';
import { SMALL_HEAPS } from './small-heap.js';

const FOLDER = join(ROOT, 'src/formats/hprof/testing/fixtures');

for (const [name, { options, heap }] of Object.entries(SMALL_HEAPS))
  test(name, () => {
    const bytes = dumpBytes(options, heap);
    if (process.env.KANSOKU_WRITE !== undefined) writeFileSync(join(FOLDER, name), bytes);
    deepEqual(new Uint8Array(readFileSync(join(FOLDER, name))), new Uint8Array(bytes));
  });
