/** Recordings of other profilers: every question has an answer or a reason. */
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../byte-sources.js';
import { ROOT } from '../shared-data.js';
import { allAnswered, answersOf } from './every-question.js';

const NO_THREADS = 'kansoku: FILE has no threads';

/** Of recordings with pairs of callers and callees. */
const NO_STACKS = {
  flame: 'kansoku: FILE has only caller-callee pairs for ir, no stacks',
  threads: NO_THREADS,
  timeline: 'kansoku: FILE has no events with times',
  tree: 'kansoku: FILE has only caller-callee pairs for ir, no stacks',
};

describe('questions about recordings of other profilers', () => {
  for (const [file, method, reasons] of [
    ['cpuprofile/fixtures/node20-warehouse.cpuprofile', 'makeOrders', { threads: NO_THREADS }],
    [
      'heapprofile/fixtures/node20-warehouse.heapprofile',
      'insert',
      { threads: NO_THREADS, timeline: 'kansoku: FILE has no events with times' },
    ],
    ['firefox-processed/testing/fixtures/threads-v55.json', 'main', {}],
    ['chrome-trace/testing/fixtures/all-sorts.json', 'b', {}],
    ['callgrind/testing/fixtures/all-sorts.callgrind', 'main', NO_STACKS],
  ] as const)
    test(file, async (t) => {
      const folder = await temporaryFolder(t);
      allAnswered(await answersOf(join(ROOT, 'src/formats', file), method, folder), reasons);
    });
});
