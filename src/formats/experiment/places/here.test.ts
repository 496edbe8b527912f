/** Recognises experiments of this machine since its start by its clocks. */
import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { memorySet } from '../testing/memory-tree.js';
import { recordedHere } from './here.js';

const LOG = `<system hostname="forge" arch="x86_64" os="Linux"/>
<event kind="run" tstamp="500.250000000" time="1700000000" tm_zone="0"/>
`;
const BEGAN = 1_700_000_000_000;
const PASSED = 60_000;

test('host and clocks must agree', async () => {
  const { tree, set } = memorySet(new Map([['log.xml', new TextEncoder().encode(LOG)]]));
  const here = { host: 'forge', now: BEGAN + PASSED, monotonic: 500_250 + PASSED };
  equal(await recordedHere(tree, set, here), BEGAN);
  equal(await recordedHere(tree, set, { ...here, monotonic: here.monotonic + 900 }), BEGAN, 'whole seconds');
  equal(await recordedHere(tree, set, { ...here, host: 'other' }), undefined);
  // Since then it was started again.
  equal(await recordedHere(tree, set, { ...here, monotonic: 10_000 }), undefined);
  equal(await recordedHere(tree, set, { ...here, now: here.now + 60_000 }), undefined);
});
