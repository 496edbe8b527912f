/** The report of what a run costs, and its limits. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { Costs } from './costs.js';
import { childSeconds } from './cpu.js';

const LIMITS = { processes: 10, mutations: 1000, runs: 500 };

test('sums within their limits are no excess; one above is named', () => {
  const costs = new Costs(LIMITS);
  costs.add('damage', 'src/a.test.ts', 7, { processes: 4, mutations: 1000, runs: 0 });
  costs.add('rest', 'src/b.test.ts', 1, { processes: 6, mutations: 0, runs: 500 });
  assert.deepEqual(costs.excesses(), []);
  costs.add('rest', 'src/c.test.ts', 1, { processes: 1, mutations: 0, runs: 0 });
  assert.deepEqual(costs.excesses(), ['processes started: 11, at most 10 (scripts/ratchet.json)']);
  assert.match(costs.table(), /\n {2}processes started +11 of 10, over budget\n/);
  assert.match(costs.table(), /\n {2}damaged files read +1000 of 1000\n/);
});

test('a run without limits has sums only', () => {
  const costs = new Costs(undefined);
  costs.add('damage', 'src/large.test.ts', 500, { processes: 1e6, mutations: 1e9, runs: 1e9 });
  costs.add('checks', undefined, 12);
  assert.deepEqual(costs.excesses(), []);
  assert.match(
    costs.table(),
    /^CPU seconds:\n {2}damage +500\.0\n {2}checks +12\.0\n {2}together +512\.0\n +500\.0 src\/large\.test\.ts\n/,
  );
  assert.match(costs.table(), /\n {2}processes started +1000000\n/);
});

test('without measurement, a note is printed', () => {
  const costs = new Costs(LIMITS);
  costs.add('damage', 'src/any.test.ts', undefined, { processes: 1, mutations: 1, runs: 1 });
  assert.match(costs.table(), /was not measured/);
});

test('child processes count, and their children', (t) => {
  const before = childSeconds();
  if (before === undefined) return t.skip('this system has no /proc');
  const script = "require('child_process').spawnSync(process.execPath, ['-e', 'for (let i = 0; i < 1e9; i++);'])";
  spawnSync(process.execPath, ['-e', script]);
  assert.ok((childSeconds() ?? 0) - before > 0.1);
});
