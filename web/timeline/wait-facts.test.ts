/** Lock, owner and stack of waits on the page against the events of the recording. */
import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../src/bytes/byte-source.js';
import { ask, openSession } from '../../src/session/session.js';
import { ROOT } from '../../src/testing/shared-data.js';
import { timelineModel } from './model.js';
import { drawnModel } from './testing/drawn-model.js';
import { factsOf } from './words.js';

test('a wait has the lock, owner and stack of its event', async () => {
  const path = join(ROOT, 'examples/jfr/shop.jfr.gz');
  const session = await openSession([memorySource(path, gunzipSync(readFileSync(path)))]);
  const result = await ask(session, { view: 'timeline', options: { buckets: 1, rows: true }, page: { limit: 0 } });
  const model = timelineModel(JSON.parse(JSON.stringify(result)));
  const types = ['jdk.JavaMonitorEnter', 'jdk.ThreadPark'];
  for (const type of types) {
    const { rows } = await ask(session, {
      view: 'events',
      options: { types: [type], stack_depth: 0 },
      page: { limit: 0 },
    });
    ok(rows.length > 20);
    let alone = 0;
    for (const row of rows) {
      const { eventThread, startTime, duration, monitorClass, parkedClass, previousOwner, address, stackTrace } = row;
      const track = model.tracks.find(({ name }) => name === eventThread);
      const start = Number(startTime);
      const part = { from: start, to: start + Number(duration) };
      if (track === undefined) continue;
      const facts = new Map(factsOf(model, track, part).map(({ key, text }) => [key, text]));
      if (!facts.has('stack')) continue;
      alone++;
      const frames = Array.isArray(stackTrace) ? stackTrace : [];
      deepEqual(
        [facts.get('lock'), facts.get('owner'), facts.get('stack')],
        [
          `${String(monitorClass ?? parkedClass)} 0x${Number(address).toString(16)}`,
          previousOwner ?? undefined,
          frames.join(' ← '),
        ],
      );
    }
    ok(alone > rows.length / 2, `${alone} of ${rows.length} ${type}`);
  }
  await session.close();
});

test('nothing is said of several waits, or of a result without them', () => {
  const model = drawnModel(100, [
    {
      name: 't',
      lanes: [
        [
          'park',
          'share',
          [
            [0, 10],
            [20, 30],
          ],
        ],
      ],
    },
  ]);
  const [track] = model.tracks;
  const keys = (to: number): string[] =>
    (track === undefined ? [] : factsOf(model, track, { from: 0, to })).map(({ key }) => key);
  deepEqual(keys(15), ['name', 'time', 'share-0']);
  deepEqual(keys(40), ['name', 'time', 'share-0']);
});
