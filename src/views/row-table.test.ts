/** Rows over typed columns behave as the array of row objects would. */
import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { runs } from '../testing/amount.js';
import { rowsOf, rowsOfCells, tableOf, tableOfCells, tableRows } from './row-table.js';

const number = fc.oneof(fc.double(), fc.integer(), fc.constant(-0));
const cellValues = fc.oneof(
  fc.array(fc.option(number), { minLength: 3, maxLength: 3 }),
  fc.array(fc.option(fc.constantFrom('a', 'b', '', '__proto__', 'クラス')), { minLength: 3, maxLength: 3 }),
  fc.array(fc.option(fc.boolean()), { minLength: 3, maxLength: 3 }),
  fc.array(fc.oneof(number, fc.string(), fc.constant(null), fc.array(fc.string())), { minLength: 3, maxLength: 3 }),
  listsOf(fc.option(fc.constantFrom('a', 'b'))),
  listsOf(fc.array(number)),
  listsOf(fc.record({ name: fc.string(), share: fc.option(number), keys: fc.array(fc.integer()) })),
  listsOf(fc.oneof(fc.record({ name: fc.string() }), fc.record({ count: number }), fc.string())),
);

/** Lists of such items in each row, or unknown ones. */
function listsOf<Item>(item: fc.Arbitrary<Item>) {
  return fc.array(fc.option(fc.array(item, { maxLength: 3 })), { minLength: 3, maxLength: 3 });
}

/** Rows in both ways, of the columns a, b, c. */
function bothWays(values: readonly (readonly unknown[])[]) {
  const entries = values.map((column, i) => ['abc'.charAt(i), column] as const);
  const cells = entries.map(([key, column]) => [key, (row: number) => column[row]] as const);
  const rows = rowsOf(tableOfCells(Object.fromEntries(cells), [0, 1, 2]));
  const objects = [0, 1, 2].map((row) => Object.fromEntries(entries.map(([key, column]) => [key, column[row]])));
  return { rows, objects };
}

describe('rows over columns', () => {
  test('are equal to an array of objects', () => {
    fc.assert(
      fc.property(fc.array(cellValues, { minLength: 1, maxLength: 3 }), (values) => {
        const { rows, objects } = bothWays(values);
        deepEqual(rows, objects);
        deepEqual([...rows], objects);
        equal(JSON.stringify(rows), JSON.stringify(objects));
        deepEqual(Object.keys(rows), Object.keys(objects));
        equal(inspect(rows), inspect(objects));
        deepEqual(rows.at(-1), objects[2]);
        deepEqual(
          rows.filter(({ a }) => a !== null),
          objects.filter(({ a }) => a !== null),
        );
        equal(rows[3], undefined);
        equal(rows.indexOf(rows[1] ?? {}), 1);
        ok(1 in rows && !(3 in rows) && Array.isArray(rows));
      }),
      runs(1000),
    );
  });

  test('cannot be changed', () => {
    const { rows } = bothWays([[1, 2, 3]]);
    throws(() => rows.push({ a: 4 }), TypeError);
    throws(() => rows.sort(() => -1), TypeError);
    throws(() => Reflect.apply(Array.prototype.splice, rows, [0, 1]), TypeError);
    throws(() => Object.freeze(rows), TypeError);
    deepEqual(Object.keys(rows), ['0', '1', '2']);
    deepEqual(rows, [{ a: 1 }, { a: 2 }, { a: 3 }]);
  });

  test('are made once', () => {
    let reads = 0;
    const values = new Proxy([[1], [2]], {
      get: (lists, key, receiver) => {
        reads += key === '0' ? 1 : 0;
        return Reflect.get(lists, key, receiver);
      },
    });
    const rows = rowsOf<{ a: unknown }>({ length: 2, columns: { a: { kind: 'values', values } } });
    equal(reads, 0);
    equal(rows[0], rows[0]);
    deepEqual(rows[0]?.a, [1]);
    equal(reads, 1);
  });

  test('have lists and parts as columns of their own', () => {
    const cells = {
      list: (row: number) => [['a', 'b'], null, ['b']][row],
      parts: (row: number) => [[], [{ name: 'x', count: 1 }], [{ name: 'x', count: null }]][row],
      none: () => null,
      empty: () => [],
    };
    const { columns } = tableOf(rowsOfCells(cells, [0, 1, 2])) ?? {};
    deepEqual(columns, {
      list: {
        kind: 'lists',
        first: Int32Array.of(0, 2, 2, 3),
        unknown: Uint8Array.of(0, 1, 0),
        items: { kind: 'texts', texts: ['a', 'b'], ids: Int32Array.of(0, 1, 1) },
      },
      parts: {
        kind: 'parts',
        first: Int32Array.of(0, 0, 1, 2),
        parts: {
          length: 2,
          columns: {
            name: { kind: 'texts', texts: ['x'], ids: Int32Array.of(0, 0) },
            count: { kind: 'numbers', values: Float64Array.of(1, 0), unknown: Uint8Array.of(0, 1) },
          },
        },
      },
      none: { kind: 'flags', values: Int8Array.of(-1, -1, -1) },
      empty: {
        kind: 'lists',
        first: Int32Array.of(0, 0, 0, 0),
        items: { kind: 'flags', values: new Int8Array() },
      },
    });
  });

  test('may be made of objects that do not all have the same fields', () => {
    const objects = [{ a: 1, b: 'x' }, { a: 2 }, { a: null, b: 'y', c: ['z'] }];
    const rows = tableRows(objects);
    deepEqual(rows, objects);
    equal(JSON.stringify(rows), JSON.stringify(objects));
    deepEqual(tableRows([]), []);
  });

  test('have typed columns: numbers, texts once, flags', () => {
    const cells = {
      number: (row: number) => (row === 1 ? null : row),
      text: (row: number) => (row === 2 ? null : 'same'),
      flag: (row: number) => row > 0,
      later: (row: number) => (row < 2 ? null : 'known'),
      mixed: (row: number) => (row === 0 ? 1 : 'one'),
      some: (row: number) => (row === 0 ? undefined : 'some'),
    };
    const rows = rowsOf(tableOfCells(cells, [0, 1, 2]));
    ok(!('some' in (rows[0] ?? {})) && rows[1]?.some === 'some');
    const { columns } = tableOf(rows) ?? {};
    deepEqual(columns, {
      number: { kind: 'numbers', values: Float64Array.of(0, 0, 2), unknown: Uint8Array.of(0, 1, 0) },
      text: { kind: 'texts', texts: ['same'], ids: Int32Array.of(0, 0, -1) },
      flag: { kind: 'flags', values: Int8Array.of(0, 1, 1) },
      later: { kind: 'texts', texts: ['known'], ids: Int32Array.of(-1, -1, 0) },
      mixed: { kind: 'values', values: [1, 'one', 'one'] },
      some: { kind: 'texts', texts: ['some'], ids: Int32Array.of(-2, 0, 0) },
    });
    equal(tableOf([1, 2]), undefined);
  });
});
