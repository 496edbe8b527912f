/**
 * The quick tier's damage budget, shared out: all readers together get a fixed amount of work, so a new reader makes the
 * shares of the others smaller and the tests no longer. Work is counted, not timed: the same fixtures and readers give
 * the same mutations on every machine.
 */
import type { DamageExtent } from './damage-extent.js';
import { SMALL } from './mutate.js';

/** Size of a fixture, and how many mutations `mutationOrder` has: one a place, those and all at edges, all. */
export interface FixtureSize {
  readonly bytes: number;
  /** CPU time of a mutation against that of the usual reader for as many bytes; 1 where it is not given. */
  readonly effort?: number;
  readonly ones: number;
  readonly edges: number;
  readonly all: number;
}

/** What a mutation costs besides its bytes (a new reader, its tables, the verdict), in bytes that are read in that time. */
const A_MUTATION = 10_000;
/** Bytes for all readers together: measured to take 40 CPU seconds, besides 1 a reader for its start. */
const ALL_READERS = 800e6;
/** Bytes for one reader, however few there are: measured to take 5 CPU seconds. */
const ONE_READER = 100e6;

/** The work that each of `readers` may do in the quick tier. */
export function shareOf(readers: number): number {
  return Math.min(ONE_READER, ALL_READERS / readers);
}

/**
 * How many mutations of each fixture a reader tries: all, those up to the edges, or in the quick tier, as far as its share
 * goes, first one at every byte of the small fixtures, then every edge of all and the places of the larger ones.
 */
export function sharedOut(fixtures: readonly FixtureSize[], share: number, extent: DamageExtent): number[] {
  if (extent === 'all') return fixtures.map(({ all }) => all);
  if (extent === 'edges') return fixtures.map(({ edges }) => edges);
  const nothing = fixtures.map(() => 0);
  const ones = filled(
    fixtures,
    nothing,
    fixtures.map(({ bytes, ones }) => (bytes <= SMALL ? ones : 0)),
    share,
  );
  const edges = fixtures.map((fixture) => fixture.edges);
  return filled(fixtures, ones, edges, share - work(fixtures, ones));
}

/** Raises `tries` to `wanted`, or the same part of the way at each fixture where `left` is less than that costs. */
function filled(
  fixtures: readonly FixtureSize[],
  tries: readonly number[],
  wanted: readonly number[],
  left: number,
): number[] {
  const part = Math.min(1, left / (work(fixtures, wanted) - work(fixtures, tries)));
  return tries.map((some, i) => (part < 1 ? some + Math.floor(part * (wanted[i] - some)) : wanted[i]));
}

function work(fixtures: readonly FixtureSize[], tries: readonly number[]): number {
  return fixtures.reduce((sum, { bytes, effort = 1 }, i) => sum + tries[i] * (A_MUTATION + bytes) * effort, 0);
}
