/** Each line of docs/differences-gprofng.md: what `print --strict` and `print` show of the same experiment. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openExperiment } from './peer/experiment.js';
import { printedFor } from './testing/expected.js';

const DATA = process.env.KANSOKU_DATA;

async function both(name: string, words: readonly string[]): Promise<{ readonly peer: string; readonly own: string }> {
  const texts: string[] = [];
  for (const strict of [true, false]) {
    const experiment = await openExperiment(join(DATA ?? '', 'experiments', `${name}.er.tar.gz`), { strict });
    texts.push((await printedFor(experiment, words)).out);
    await experiment.close();
  }
  return { peer: texts[0] ?? '', own: texts[1] ?? '' };
}

describe('differences from gprofng', { skip: DATA === undefined && 'KANSOKU_DATA is not set' }, () => {
  test('a chain of realloc leaks its last block', async () => {
    const { peer, own } = await both('heap-leaks', ['-leaks']);
    const leaksOf = (text: string): string[] =>
      text.split('\n\n').flatMap((block) => /(Instances = .*)\n {2}realloc/.exec(block)?.[1] ?? []);
    deepEqual(leaksOf(own), ['Instances = 2, Bytes Leaked = 32800']);
    ok(leaksOf(peer).includes('Instances = 12, Bytes Leaked = 65520'));
  });

  test('times are not cut to microseconds', async () => {
    const metrics = ['-metrics', 'i.ioreadtime:i.ioothertime:name', '-limit', '1', '-functions'];
    const { peer, own } = await both('io-trace', metrics);
    const reads = (text: string): number => Number(/^(\S+) .*<Total>$/m.exec(text)?.[1]);
    ok(reads(own) > reads(peer), `${reads(own)} and ${reads(peer)}`);
  });

  test('functions begin where code is', async () => {
    const { peer, own } = await both('deep-signals', ['-metrics', 'address:size:name', '-functions']);
    const starts = (text: string): number[] =>
      [...text.matchAll(/^\d+:(0x[\da-f]+) .*libopaque/gm)].map(([, start]) => Number(start));
    equal(Math.max(...starts(peer)), 0x199);
    ok(starts(own).length > 0 && Math.min(...starts(own)) >= 0x1000);
  });
});
