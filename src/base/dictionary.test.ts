import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { dictionary } from './dictionary.js';

test('has what it was given, and no properties of objects', () => {
  const table = dictionary({ int: 4, constructor: 5 });
  deepEqual(Object.entries(table), [
    ['int', 4],
    ['constructor', 5],
  ]);
  for (const name of ['toString', 'valueOf', '__proto__', 'hasOwnProperty']) equal(table[name], undefined, name);
});
