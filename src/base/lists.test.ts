import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addToList } from './lists.js';

test('values of a key are listed in the order of insertion', () => {
  const lists = new Map<string, number[]>();
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const)
    addToList(lists, key, value);
  assert.deepEqual(
    [...lists],
    [
      ['a', [1, 3]],
      ['b', [2]],
    ],
  );
});
