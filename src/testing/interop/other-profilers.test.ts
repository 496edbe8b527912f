/** Recordings of other profilers: every question has an answer or a reason. */
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../byte-sources.js';
import { ROOT } from '../shared-data.js';
import { allAnswered, answersOf } from './every-question.js';

const NO_THREADS = 'kansoku: FILE has no threads';

describe('questions about recordings of other profilers', () => {
  for (const [file, method, reasons] of [
    ['cpuprofile/fixtures/node20-warehouse.cpuprofile', 'makeOrders', { threads: NO_THREADS }],
    [
      'heapprofile/fixtures/node20-warehouse.heapprofile',
      'insert',
      { threads: NO_THREADS, timeline: 'kansoku: FILE has no events with times' },
    ],
  ] as const)
    test(file, async (t) => {
      const folder = await temporaryFolder(t);
      allAnswered(await answersOf(join(ROOT, 'src/formats', file), method, folder), reasons);
    });
});
