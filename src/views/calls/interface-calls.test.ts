/** `interfacially calls … is implemented by` of the documented form: the words of a report are those of its lines. */
import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { ask, openSession } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

const BYTES = readFileSync(join(ROOT, 'src/formats/call-tree/testing/fixtures/documented.txt'));
/** The lines of the report without glyphs, ids, places and result types. */
const LINES = BYTES.toString()
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.replace(/^[│├└─\s]+(?:entry )?/, '').replace(/:[\w.]+ (?:id|id-ref|@bci)=.*$/, ''));

test('a tree has the lines of its report', async () => {
  const session = await openSession([memorySource('documented', BYTES)]);
  const { rows } = await ask(session, { view: 'calls-tree', page: { limit: 0 } });
  deepEqual(
    rows.map((row) => row.function),
    LINES,
  );
  await session.close();
});

test('callers and paths have the words, and both methods', async () => {
  const session = await openSession([memorySource('documented', BYTES)]);
  const call = LINES.find((line) => line.startsWith('interfacially calls'));
  const callers = await ask(session, { view: 'calls-callers', options: { method: 'shop.Car.price' } });
  equal(callers.rows[0]?.call, `${call}, implemented by`);
  const why = await ask(session, { view: 'calls-why', options: { method: 'shop.Car.price' } });
  equal(why.rows.at(-1)?.call, `${call}, implemented by`);
  const toy = await ask(session, { view: 'calls-callers', options: { method: 'shop.Toy.price' } });
  equal(toy.rows[0]?.call, 'virtually calls shop.Item.price(), overridden by');
  await session.close();
});
