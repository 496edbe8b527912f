/** Calls of input and output by size: of an experiment against the statistics that gprofng prints. */
import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';

const UNSEEN = { cache: false, announce: () => undefined, work: {}, inlinedFrames: false } as const;

test('ranges, extremes and sums are those that gprofng prints', async (t) => {
  const folder = sharedData(t, 'experiments');
  if (folder === undefined) return;
  const session = await openInputs([join(folder, 'io-trace.er.tar.gz')], UNSEEN);
  t.after(() => session.close());
  const { rows, kinds } = await ask(session, { view: 'io-sizes', page: { limit: 0 } });
  const text = readFileSync(join(folder, 'expected', 'io-trace', 'iostat.txt'), 'utf8');
  for (const [kind, title] of [
    ['read', 'Read'],
    ['write', 'Write'],
  ] as const) {
    const [, part = ''] = text.split(`${title} Statistics\n`);
    const section = part.split('Statistics')[0] ?? '';
    const ranges = [...section.matchAll(/- (\d+)KB +(\d+)/g)].map(([, size, count]) => [
      Number(size) * 1024,
      Number(count),
    ]);
    const sizeCounts = rows.map(({ to, reads, writes }) => [to, kind === 'read' ? reads : writes]);
    deepEqual(
      sizeCounts.filter(([, count]) => count !== 0),
      ranges,
    );
    const numberOf = (label: string): number => Number(new RegExp(`^${label} +([\\d.]+)`, 'm').exec(section)?.[1]);
    const sums = kinds.find((each) => each.kind === kind);
    equal(sums?.calls, numberOf('Total calls'));
    equal(sums?.bytes, numberOf('Total bytes'));
    equal(sums?.smallest, numberOf(`Smallest ${kind} bytes`));
    equal(sums?.largest, numberOf(`Largest ${kind} bytes`));
    equal(((sums?.time ?? 0) / 1e9).toFixed(6), numberOf('Total time').toFixed(6));
    equal(
      ((sums?.longest ?? 0) / 1e9).toFixed(6),
      numberOf(kind === 'read' ? 'Longest time' : 'Longest write').toFixed(6),
    );
  }
});

test('the sizes of calls of JFR', async (t) => {
  const session = await openInputs([join(ROOT, 'examples', 'jfr', 'shop.jfr.gz')], UNSEEN);
  t.after(() => session.close());
  const { rows, kinds } = await ask(session, { view: 'io-sizes' });
  equal(
    rows.reduce((sum, { reads }) => sum + reads, 0),
    436,
  );
  deepEqual(
    kinds.map(({ kind, calls }) => [kind, calls]),
    [['read', 436]],
  );
});
