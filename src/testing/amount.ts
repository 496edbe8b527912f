/**
 * How much the tests try, and from which seed. Both tiers run the same code: `npm test` tries the part that a person
 * waits for, the gate (`.ci/run`) everything. One setting says which: KANSOKU_TESTS=full, else quick.
 */
import type { TestContext } from 'node:test';
import { counts } from './work-counts.js';

export type Tier = 'quick' | 'full';

/** The tier that a value of KANSOKU_TESTS means; a word that means none is an error, not a quick run. */
export function tierOf(value: string | undefined): Tier {
  if (value === undefined || value === '' || value === 'quick') return 'quick';
  if (value === 'full') return 'full';
  throw new Error(`KANSOKU_TESTS is quick or full, not '${value}'`);
}

/** The seed that a value of KANSOKU_SEED means; the fixed one where it is not set. */
export function seedOf(value: string | undefined): number {
  if (value === undefined || value === '') return 20261121;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new Error(`KANSOKU_SEED is a whole number below 1000000000, not '${value}'`);
}

export const TIER: Tier = tierOf(process.env.KANSOKU_TESTS);

/** What every random choice of a test begins with. The gate tries another one after its verdict. */
export const SEED = seedOf(process.env.KANSOKU_SEED);

/** True in a run of another seed: what no seed changes has been tried before. */
export const ONLY_RANDOM = (process.env.KANSOKU_SEED ?? '') !== '';

/** Runs of a property that quick tests make at the least: fewer hardly reach its unusual cases. */
const FEWEST = 20;

/** A twentieth of the repetitions in the quick tier, all of them in the full one. */
export function times(full: number, tier = TIER): number {
  return tier === 'full' ? full : Math.min(full, Math.max(FEWEST, Math.ceil(full / 20)));
}

/** Parameters of `fc.assert`: the seed, and how many of the runs this tier makes. */
export function runs(full: number, tier = TIER): { readonly seed: number; readonly numRuns: number } {
  const numRuns = times(full, tier);
  counts.runs += numRuns;
  return { seed: SEED, numRuns };
}

/** What costs too much to try whole: `full` in the gate, `quick` for people. */
export function amount<Value>(full: Value, quick: Value, tier = TIER): Value {
  return tier === 'full' ? full : quick;
}

/** Whether a test of which no part is quick runs in this tier; skips it, with the command to type, in the quick one. */
export function inFullTier(t: TestContext, room: string): boolean {
  if (TIER === 'quick') t.skip(`takes long: KANSOKU_TESTS=full npm test -- ${room}`);
  return TIER === 'full';
}

/** The kinds of damage that are tried at a place: one, in turn from place to place, or all of them. */
export function kindsAt<Kind>(place: number, kinds: readonly Kind[], tier = TIER): readonly Kind[] {
  const one = place % kinds.length;
  return tier === 'full' ? kinds : kinds.slice(one, one + 1);
}
