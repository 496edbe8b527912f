import assert from 'node:assert/strict';
import { test } from 'node:test';
import { amount, kindsAt, runs, SEED, seedOf, tierOf, times } from './amount.js';

test('the tier is quick by default, and only two words are accepted', () => {
  assert.deepEqual(
    [tierOf(undefined), tierOf(''), tierOf('quick'), tierOf('full')],
    ['quick', 'quick', 'quick', 'full'],
  );
  assert.throws(() => tierOf('all'), /KANSOKU_TESTS is quick or full, not 'all'/);
});

test('the seed is fixed unless KANSOKU_SEED gives another', () => {
  assert.deepEqual([seedOf(undefined), seedOf(''), seedOf('0'), seedOf('77')], [20261121, 20261121, 0, 77]);
  for (const word of ['x', '-1', '1.5', '1000000000']) assert.throws(() => seedOf(word), /KANSOKU_SEED/);
});

test('quick tests try a twentieth, but at least a minimum, and at most the full number', () => {
  assert.deepEqual(
    [times(5000, 'full'), times(5000, 'quick'), times(60, 'quick'), times(5, 'quick')],
    [5000, 250, 20, 5],
  );
  assert.deepEqual(runs(600, 'quick'), { seed: SEED, numRuns: 30 });
  assert.deepEqual([amount(2000, 150, 'full'), amount(2000, 150, 'quick')], [2000, 150]);
});

test('quick tests damage each place in one way, all ways in turn', () => {
  assert.deepEqual(
    [0, 1, 2, 3].map((place) => kindsAt(place, ['a', 'b', 'c'], 'quick')),
    [['a'], ['b'], ['c'], ['a']],
  );
  assert.deepEqual(kindsAt(1, ['a', 'b'], 'full'), ['a', 'b']);
});
