import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addToList, membersIn, membersOf } from './lists.js';

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

test('numbers are listed by group, those without a group nowhere', () => {
  const groups = membersOf(Int32Array.of(2, 0, -1, 2, 0, 2), 4);
  assert.deepEqual(
    [0, 1, 2, 3].map((group) => [...membersIn(groups, group)]),
    [[1, 4], [], [0, 3, 5], []],
  );
});
