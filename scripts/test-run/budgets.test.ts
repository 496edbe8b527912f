/** Report of the CPU time of a run, and exceeded budgets. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { type Cost, Costs } from './budgets.js';
import { childSeconds } from './cpu.js';

const damage = (name: string, seconds: number | undefined, speed = 1): Cost => {
  return { test: `src/${name}.test.ts`, kind: 'damage', seconds, speed };
};

test('a file over its budget, and a kind over its shared budget', () => {
  const costs = new Costs(100, true);
  for (let i = 0; i < 7; i++) costs.add(damage(`file-${i}`, 7.9));
  assert.deepEqual(costs.excesses(true), []);
  costs.add(damage('large', 8.1));
  const names = (whole: boolean): string[] => costs.excesses(whole).map(({ name }) => name);
  assert.deepEqual(names(true), ['src/large.test.ts', 'budget: damage']);
  assert.deepEqual(names(false), ['src/large.test.ts']);
  assert.match(costs.excesses(true)[0]?.report ?? '', /^took 8\.1 CPU seconds, 8\.1 on .*; a test file may take 8: /);
});

test('budgets grow with a slow machine, by the median, and do not shrink with a fast one', () => {
  const slow = new Costs(0, true);
  for (const speed of [1, 2, 2, 2, 50]) slow.add(damage('slow', 15.9, speed));
  assert.deepEqual(slow.excesses(false), []);
  assert.match(slow.table(), /takes 2\.00 times as long/);
  const fast = new Costs(0, true);
  fast.add(damage('fast', 7.9, 0.5));
  assert.deepEqual(fast.excesses(true), []);
});

test('the full tier has no budgets, but shows what was used', () => {
  const costs = new Costs(12, false);
  costs.add(damage('large', 500));
  assert.deepEqual(costs.excesses(true), []);
  assert.match(costs.table(), /\n {2}damage +500\.0\n/);
  assert.match(costs.table(), /\n {2}together +512\.0\n +500\.0 src\/large\.test\.ts\n/);
});

test('without measurement, a note is printed', () => {
  const costs = new Costs(undefined, true);
  costs.add(damage('any', undefined));
  assert.deepEqual(costs.excesses(true), []);
  assert.match(costs.table(), /was not measured/);
});

test('child processes count, and their children', (t) => {
  const before = childSeconds();
  if (before === undefined) return t.skip('this system has no /proc');
  const script = "require('child_process').spawnSync(process.execPath, ['-e', 'for (let i = 0; i < 1e9; i++);'])";
  spawnSync(process.execPath, ['-e', script]);
  assert.ok((childSeconds() ?? 0) - before > 0.1);
});
