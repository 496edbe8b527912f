/** Load objects whose functions are hidden, against gprofng; values stay whatever is hidden. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { MadeExperiment } from '../../formats/experiment/testing/made-experiment.js';
import { amount, SEED } from '../../testing/amount.js';
import { Random } from '../../testing/random.js';
import { sharedData } from '../../testing/shared-data.js';
import { openExperiment } from './peer/experiment.js';
import { printedFor } from './testing/expected.js';
import { HAS_PEER, peerText, rowsOf, writeMade } from './testing/made.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-objects-'));
after(() => rmSync(folder, { recursive: true }));
const PATH = join(folder, 'made.er');
writeMade(
  new MadeExperiment()
    .clock({ stack: { native: ['_start', 'main', 'A'] }, time: 1e7 }, 10)
    .clock({ stack: { native: ['_start', 'main', 'A', 'B'] }, time: 2e7 }, 20),
  PATH,
);

async function own(path: string, words: readonly string[], strict = true): Promise<{ out: string; err: string }> {
  const experiment = await openExperiment(path, { strict });
  try {
    const { out, err, refused } = await printedFor(experiment, words);
    return { out, err: refused ?? err };
  } finally {
    await experiment.close();
  }
}

describe('load objects that are hidden', () => {
  const totals = ['-metrics', 'e.totalcpu:i.totalcpu:name', '-functions'];

  test('are one function each', async () => {
    const { out } = await own(PATH, ['-object_hide', 'DYNAMIC_FUNCTIONS', ...totals, '-calltree'], false);
    const [functions = '', tree = ''] = out.split('Functions Call Tree. Metric: Attributed Total CPU Time');
    const all = '0.300 0.300';
    deepEqual(rowsOf(functions), { '<Total>': all, '<DYNAMIC_FUNCTIONS>': all });
    deepEqual(Object.keys(rowsOf(tree)), ['<Total>', '<DYNAMIC_FUNCTIONS>']);
  });

  test('or only what is called from outside, with all that it calls', async () => {
    const rows = rowsOf((await own(PATH, ['-object_api', 'DYNAMIC_FUNCTIONS', ...totals], false)).out);
    // Nobody calls `_start`.
    deepEqual(rows, { '<Total>': '0.300 0.300', _start: '0. 0.300', main: '0.300 0.300' });
  });

  test('are shown again', async () => {
    const whole = await own(PATH, totals, false);
    const again = await own(PATH, ['-object_hide', 'all', '-object_show', 'DYNAMIC_FUNCTIONS', ...totals], false);
    deepEqual(rowsOf(again.out), rowsOf(whole.out));
    equal(rowsOf(whole.out).B, '0.200 0.200');
  });

  test('a name that no object has is an error', async () => {
    const { err } = await own(PATH, ['-object_hide', 'nosuch.so'], false);
    ok(err.includes('no load object nosuch.so'), err);
    await rejects(openExperiment(join(folder, 'none.er'), { strict: true }));
  });

  for (const name of amount(['openmp', 'java17', 'deep-signals', 'dlopen', 'descend', 'threads-sync'], ['openmp']))
    test(`${name}: are as in gprofng, whichever they are`, {
      skip: !HAS_PEER && 'gprofng is not installed',
    }, async (t) => {
      const data = sharedData(t, 'experiments');
      if (data === undefined) return;
      equal(spawnSync('tar', ['xzf', join(data, `${name}.er.tar.gz`), '-C', folder]).status, 0);
      const path = join(folder, `${name}.er`);
      const experiment = await openExperiment(path, { strict: true });
      const files = experiment.objects.flatMap(({ index, name }) => (index < 2 ? [] : [name.slice(1, -1)]));
      const random = new Random(SEED);
      let compared = 0;
      for (let i = 0; i < amount(12, 3); i++) {
        const some = (): string => (random.below(6) === 0 ? 'all' : (files[random.below(files.length)] ?? 'all'));
        const command = (): string[] => {
          const which = ['object_hide', 'object_api', 'object_show', 'object_hide', 'object_select'][random.below(5)];
          return [`-${which}`, [some(), some()].slice(random.below(2)).join(',')];
        };
        // A call tree without a function that is shown, and one below several, end gprofng 2.40.
        const words = [...command(), ...command(), ['-functions', '-lines', '-object_list'][i % 3] ?? '', '-calltree'];
        const peer = peerText(path, words.join(' '));
        if (!peer.out.includes('Call Tree')) continue;
        const { out, err } = await printedFor(experiment, words);
        deepEqual([out, err], [peer.out, peer.err], words.join(' '));
        compared++;
      }
      await experiment.close();
      ok(compared > 0);
    });
});
