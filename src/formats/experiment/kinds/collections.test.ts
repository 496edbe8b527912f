/** Garbage collections of an experiment with Java, against what gprofng prints of its log. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openInputs } from '../../../session/open.node.js';
import { ask } from '../../../session/session.js';

const DATA = process.env.KANSOKU_DATA;

test('collections have the times that gprofng dumps, and are pauses', async (t) => {
  if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
  const text = readFileSync(join(DATA, 'experiments/expected/java17/dumpgc.txt'), 'utf8');
  const expected = [...text.matchAll(/^ *0:(\d+), +(\d+)\.(\d{9}), .* (\d+)\.(\d{9})$/gm)].map(
    ([, id, seconds, nanos, duration, durationNanos]) => ({
      id: Number(id),
      time: Number(`${seconds}${nanos}`),
      paused: Number(`${duration}${durationNanos}`),
    }),
  );
  const options = { cache: false, announce: () => undefined, work: {} };
  const session = await openInputs([join(DATA, 'experiments/java17.er.tar.gz')], options);
  const { rows } = await ask(session, { view: 'gc', options: {}, page: { limit: 0 } });
  await session.close();
  equal(rows.length, 14);
  deepStrictEqual(
    rows.map(({ id, time, paused }) => ({ id, time, paused })),
    expected,
  );
});
