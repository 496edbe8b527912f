/** V8 optimises later in the command, but the code that was compiled before is still taken. */
import { deepEqual, equal, throws } from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { CompilerBudget } from './compiler-budget.js';

const TEXT = '(function (a) { return a + 1 })';
/** Compiled with the usual flags. */
const CODE = new Script(TEXT).createCachedData();
let scripts = 0;
/** V8 takes code only with the flags that it was compiled with. A script that it has in memory, with name and text, needs none. */
const isCodeTaken = (): boolean =>
  new Script(TEXT, { filename: `${scripts++}.js`, cachedData: CODE }).cachedDataRejected === false;
/** Node 20's. */
const KNOWN = process.versions.v8.startsWith('11.3.');

afterEach(() => {
  if (KNOWN) setFlagsFromString('--interrupt-budget=67584');
});

test('the usual flags hold while modules load, also those that load others, and when one fails', () => {
  const budget = new CompilerBudget(process.versions.v8);
  const states = [isCodeTaken()];
  budget.whileLoading(() => {
    states.push(isCodeTaken());
    budget.whileLoading(() => states.push(isCodeTaken()));
    states.push(isCodeTaken());
  });
  states.push(isCodeTaken());
  const fail = (): never => {
    states.push(isCodeTaken());
    throw new Error('no module');
  };
  throws(() => budget.whileLoading(fail), /no module/);
  deepEqual([...states, isCodeTaken()], [true, true, true, true, !KNOWN, true, !KNOWN]);
});

test('the flags of a V8 whose usual budget is unknown stay', () => {
  new CompilerBudget('99.1.2').whileLoading(() => {});
  equal(isCodeTaken(), true);
});
