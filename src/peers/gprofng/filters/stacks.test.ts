/** Filters by stacks of each mode and unit, and statistics of the heap of chosen events, beside gprofng. */
import { deepEqual, equal } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MadeExperiment, type Moment } from '../../../formats/experiment/testing/made-experiment.js';
import { openExperiment } from '../peer/experiment.js';
import { printedFor } from '../testing/expected.js';
import { HAS_PEER, writeMade } from '../testing/made.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-stacks-'));
after(() => rmSync(folder, { recursive: true }));

function peerWords(words: readonly string[]): string {
  return spawnSync('gprofng', ['display', 'text', ...words], { encoding: 'utf8' }).stdout;
}

function at(stack: string, time: number): Moment {
  return { stack: { native: stack.split(' ') }, thread: 1, time };
}

const events = new MadeExperiment();
for (let i = 1; i <= 20; i++) events.clock(at(i % 3 === 0 ? '_start main work' : '_start main', i * 1e7), 1);
// Blocks of 1000, 40, 500 and 2000 bytes; the second and third are freed.
events.heap(at('_start main big', 1e6), 0, 0x1000, 1000);
events.heap(at('_start main small', 2e6), 0, 0x2000, 40);
events.heap(at('_start main big', 3e6), 0, 0x3000, 500);
events.heap(at('_start main', 4e6), 1, 0x3000, 0);
events.heap(at('_start main', 5e6), 1, 0x2000, 0);
events.heap(at('_start main big', 6e6), 0, 0x4000, 2000);

const FILTERS = [
  'FNAME("work") IN USTACK',
  'FNAME("work") IN MSTACK',
  'FNAME("work") SOME IN XSTACK',
  'FNAME("work") IN HSTACK',
  'FNAME("work") IN STACKL',
  'STACKI==0',
  'USTACKL!=0',
  'CPRID==0',
  'TSKID==1',
  'DOBJ==1',
  'TSTAMP2<0',
  'FREQ_MHZ>0',
  'ATSTAMP>0',
];
const HEAP_FILTERS = ['HSIZE>100', 'HSIZE<100', 'HTYPE==0', 'HTYPE==1', 'TSTAMP<5000000', 'FNAME("big") IN STACK'];

test('filters by stacks and by what is left of the heap are those of gprofng', async (t) => {
  const path = join(folder, 'made.er');
  writeMade(events, path);
  const experiment = await openExperiment(path, { strict: true });
  const printed = async (filter: string, command: string): Promise<string> =>
    (await printedFor(experiment, ['-filters', filter, command])).out;
  try {
    // The peak of what the filter leaves: 1000 and 500 bytes, then 1000 and 2000.
    equal(/Heap size bytes +(\d+)/.exec(await printed('HSIZE>100', '-heapstat'))?.[1], '3000');
    equal(/Heap size bytes +(\d+)/.exec(await printed('TSTAMP<5000000', '-heapstat'))?.[1], '1540');
    if (!HAS_PEER) return t.skip('gprofng is missing');
    const differing: string[] = [];
    const check = async (filter: string, command: string): Promise<void> => {
      const expected = peerWords(['-filters', filter, command, path]);
      if ((await printed(filter, command)) !== expected) differing.push(`${filter} ${command}`);
    };
    for (const filter of FILTERS) await check(filter, '-functions');
    for (const filter of HEAP_FILTERS) await check(filter, '-heapstat');
    deepEqual(differing, []);
  } finally {
    await experiment.close();
  }
});

test('instructions and lines of stacks have numbers of their own', async () => {
  const path = join(folder, 'numbers.er');
  writeMade(events, path);
  const experiment = await openExperiment(path, { strict: false });
  try {
    const { out } = await printedFor(experiment, ['-filters', 'STACKI IN MSTACKI && STACKL IN USTACKL', '-functions']);
    const all = await printedFor(experiment, ['-functions']);
    equal(out.slice(out.indexOf('Functions')), all.out);
  } finally {
    await experiment.close();
  }
});
