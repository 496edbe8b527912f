/** Questions about an object tree, which has no sizes; expectations are counted by hand from the drawn tree. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openInputs } from '../../session/open.node.js';
import { ask, type Session } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

let session: Session;
before(async () => {
  const tree = join(ROOT, 'examples/points-to/object_tree_shop.txt');
  session = await openInputs([tree], { cache: false, announce: () => undefined, work: {} });
});
after(() => session.close());

test('the histogram counts objects and has no bytes', async () => {
  const { bytes, objects, rows, columns } = await ask(session, { view: 'heap-histogram', page: { limit: 2 } });
  deepEqual([bytes, objects], [null, 10]);
  equal(
    columns.some(({ key }) => key === 'bytes'),
    false,
  );
  deepEqual(
    rows.map((row) => [row.class, row.objects, row.bytes]),
    [
      ['demo.Shelf', 2, null],
      ['demo.Shop', 1, null],
    ],
  );
});

test('dominators count the objects that would go', async () => {
  const { rows, bytes, objects } = await ask(session, { view: 'heap-dominators' });
  deepEqual([bytes, objects], [null, 10]);
  // The till is a root of its own; the shelf with id 4 hangs on an array and a field of the other shelf.
  deepEqual(
    rows.map((row) => [row.address, row.retained_objects, row.retained, row.shallow]),
    [
      ['0', 7, null, null],
      ['8', 2, null, null],
      ['1', 1, null, null],
    ],
  );
});

test('a path has its root and the fields on the way', async () => {
  const { rows } = await ask(session, { view: 'heap-paths', options: { object: '9' } });
  deepEqual(
    rows.map(({ root, held, address }) => [root, held, address]),
    [
      ['method-constant demo.Shop.open(int, Person):boolean', null, '8'],
      [null, 'values', '9'],
    ],
  );
});

test('an object has its fields with declared types, texts and nulls', async () => {
  const shop = await ask(session, { view: 'heap-inspect', options: { object: '0' } });
  deepEqual(shop.roots, ['static-field demo.Shop.main:demo.Shop']);
  deepEqual([shop.object.shallow, shop.object.retained, shop.object.retained_objects], [null, null, 7]);
  deepEqual(
    shop.rows.slice(0, 3).map(({ name, type, value, address }) => [name, type, value, address]),
    [
      ['owner', 'demo.Person', 'null', null],
      ['name', 'java.lang.String', '"Corner sho..."', null],
      ['till', 'demo.Till', null, '1'],
    ],
  );
  const array = await ask(session, { view: 'heap-inspect', options: { object: '2' } });
  deepEqual(
    array.rows.map(({ name, address }) => [name, address]),
    [
      ['[0]', '3'],
      ['[2]', '4'],
    ],
  );
  equal(array.object.elements, 4);
});

test('the reference to object 0 is no null', async () => {
  const till = await ask(session, { view: 'heap-inspect', options: { object: '1' } });
  deepEqual(
    till.rows.map(({ name, value, address }) => [name, value, address]),
    [['shop', null, '0']],
  );
});

test('ids are decimal, and sizes cannot be asked for', async () => {
  await rejects(ask(session, { view: 'heap-inspect', options: { object: '0x1' } }), /not the id of an object/);
  await rejects(ask(session, { view: 'heap-inspect', options: { object: '77' } }), /no object has the id 77/);
  await rejects(ask(session, { view: 'heap-objects', options: { sizes: 'mat' } }), /this file has no sizes/);
  const { rows } = await ask(session, { view: 'heap-objects', page: { limit: 0 } });
  ok(rows.every((row) => row.shallow === null && row.retained === null));
  equal(rows.length, 10);
});

test('a comparison counts objects', async () => {
  const { metric, rows } = await ask(session, { view: 'diff', base: 'r1', options: { by: 'class' } });
  deepEqual([metric.id, rows.length], ['live-objects', 0]);
});
