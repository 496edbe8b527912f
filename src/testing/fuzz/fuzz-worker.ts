/** The part of the robustness tests that runs in a worker: damages files, reads them, judges what was read. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FormatError, UnreadableError } from '../../base/errors.js';
import { joinProblems } from '../../base/problems.js';
import { type ByteSource, memorySource } from '../../bytes/byte-source.js';
import { Random } from '../random.js';
import type { FixtureSize } from './damage-share.js';
import type { FuzzedReader, Judge, Outcome } from './fuzzed-reader.js';
import {
  applyMutation,
  type Mutation,
  type MutationOrder,
  mutationOrder,
  mutationText,
  placesOf,
  randomMutation,
  systematicMutation,
} from './mutate.js';
import { fuzzedReader } from './readers.js';

/** Where a fixture is damaged: small ones at every byte, others at some seeded places and so many edges at the most. */
export interface Places {
  readonly fixture: string;
  readonly places: number;
  readonly edges: number;
}

/** Which mutations: those of `mutationOrder` at the places of one fixture, or random ones of all where the index is the seed. */
export type Plan =
  | ({ readonly kind: 'systematic' } & Places)
  | { readonly kind: 'random'; readonly fixtures: readonly string[]; readonly large: readonly string[] };

export interface Batch {
  readonly reader: string;
  readonly plan: Plan;
  /** Mutations `from` to before `to`: places in the order of a systematic plan, seeds of a random one. */
  readonly from: number;
  readonly to: number;
  /** The index of the mutation being tried and the number that names it, for the case that the worker must be ended. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

/** Counts of one fixture. */
export interface Tally {
  cuts: number;
  flips: number;
  others: number;
  /** How the reader answered: refused the file, read it and reported problems, read it without a word. */
  threw: number;
  problems: number;
  silent: number;
  /** Inputs on which no rule decides. */
  ambiguous: number;
  /** Largest growth of heap and typed arrays during one read, bytes. */
  growth: number;
}

export interface Failure {
  readonly fixture: string;
  /** Names the mutation: for random plans the seed. */
  readonly number: number;
  /** Offset of the first damaged byte. */
  readonly at: number;
  readonly mutation: string;
  readonly code: string;
  readonly detail: string;
}

export interface BatchResult {
  readonly tallies: Readonly<Record<string, Tally>>;
  readonly failures: readonly Failure[];
  /** All failures of each code, those beyond the kept ones included. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Failures of one code that a batch keeps. */
const KEPT = 500;
/** Of random mutations one in so many is of a large file: reading one takes that much longer. */
const LARGE_ONE_IN = 64;

interface Loaded {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly places: Int32Array;
  readonly order: MutationOrder;
  readonly judge: Judge;
}

const loaded = new Map<string, Loaded>();
setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

export function emptyTally(): Tally {
  return { cuts: 0, flips: 0, others: 0, threw: 0, problems: 0, silent: 0, ambiguous: 0, growth: 0 };
}

export function fixtureSize(reader: FuzzedReader, { fixture, places, edges }: Places): FixtureSize {
  const { bytes, order } = load(reader, fixture, places, edges);
  return {
    bytes: bytes.length,
    ...(reader.effort !== undefined && { effort: reader.effort }),
    ones: order.ones,
    edges: order.edges,
    all: order.numbers.length,
  };
}

export async function runBatch(batch: Batch): Promise<BatchResult> {
  const reader = fuzzedReader(batch.reader);
  const tallies: Record<string, Tally> = {};
  const failures: Failure[] = [];
  const counts: Record<string, number> = {};
  for (let index = batch.from; index < batch.to; index++) {
    const { file, mutation, number } = mutationOf(reader, batch.plan, index);
    Atomics.store(batch.progress, 0, index);
    Atomics.store(batch.progress, 1, number);
    tallies[file.name] ??= emptyTally();
    const tally = tallies[file.name];
    const found = await tryMutation(reader, file, mutation, number, tally);
    for (const { code, detail } of found) {
      counts[code] = (counts[code] ?? 0) + 1;
      if (counts[code] <= KEPT)
        failures.push({
          fixture: file.name,
          number,
          at: mutation.from,
          mutation: mutationText(mutation),
          code,
          detail,
        });
    }
  }
  return { tallies, failures, counts };
}

/** The damaged file of one index, for looking at a failure. */
export function mutatedFile(argument: { reader: string; plan: Plan; index: number }): Uint8Array {
  const { file, mutation } = mutationOf(fuzzedReader(argument.reader), argument.plan, argument.index);
  return applyMutation(file.bytes, mutation);
}

/** Reads the bytes and returns how many problems there were: for inputs that may take too long. */
export async function countProblems(argument: { reader: string; bytes: Uint8Array }): Promise<number> {
  const recording = await fuzzedReader(argument.reader).read(memorySource('input', argument.bytes));
  return Object.values(recording.problems.counts).reduce((sum, count) => sum + count, 0);
}

interface Damage {
  readonly file: Loaded;
  readonly mutation: Mutation;
  /** Names the mutation whatever the order. */
  readonly number: number;
}

function mutationOf(reader: FuzzedReader, plan: Plan, index: number): Damage {
  if (plan.kind === 'systematic') {
    const file = load(reader, plan.fixture, plan.places, plan.edges);
    const number = file.order.numbers[index];
    return { file, mutation: systematicMutation(file.bytes, file.places, number), number };
  }
  const random = new Random(index);
  const { fixtures, large } = plan;
  const pick = (): Loaded => load(reader, fixtures[random.below(fixtures.length)], 0, 0);
  // Drawn in any case: a seed means the same without the large files, but where it asks for one.
  const useLarge = random.below(LARGE_ONE_IN) === 0 && large.length > 0;
  const file = useLarge ? load(reader, large[random.below(large.length)], 0, 0) : pick();
  return { file, mutation: randomMutation(file.bytes, pick().bytes, random), number: index };
}

function load(reader: FuzzedReader, path: string, places: number, edges: number): Loaded {
  const key = `${path} ${places} ${edges}`;
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const bytes = new Uint8Array(readFileSync(path));
  const atEdges = reader.edges(bytes);
  const chosen = placesOf(bytes, atEdges, places, edges);
  const file = {
    name: basename(path),
    bytes,
    places: chosen,
    order: mutationOrder(chosen, atEdges),
    judge: reader.oracle(bytes),
  };
  loaded.set(key, file);
  return file;
}

interface Found {
  readonly code: string;
  readonly detail: string;
}

async function tryMutation(
  reader: FuzzedReader,
  file: Loaded,
  mutation: Mutation,
  number: number,
  tally: Tally,
): Promise<Found[]> {
  const bytes = applyMutation(file.bytes, mutation);
  if (mutation.kind === 'cut') tally.cuts++;
  else if (mutation.kind === 'flip') tally.flips++;
  else tally.others++;
  const found: Found[] = [];
  let outcome: Outcome;
  try {
    const recording = await measured(reader, bytes, number, tally, found);
    const checked = reader.check?.(recording);
    const problems = checked === undefined ? recording.problems : joinProblems(recording.problems, checked);
    outcome = { kind: 'read', recording, problems };
  } catch (error) {
    if (!(error instanceof FormatError || error instanceof UnreadableError))
      return [{ code: 'crash', detail: error instanceof Error ? `${error.stack}`.slice(0, 600) : String(error) }];
    if (error instanceof FormatError && !(error.offset >= 0 && error.offset <= bytes.length))
      found.push({ code: 'offset', detail: `the error names byte ${error.offset} of ${bytes.length}` });
    outcome = { kind: 'refused', message: error.message };
  }
  count(outcome, tally);
  if (outcome.kind === 'read') found.push(...misplaced(outcome, bytes.length));
  const verdict = file.judge(bytes, outcome, mutation.kind === 'cut' ? mutation.from : undefined);
  if (verdict.input === 'ambiguous') tally.ambiguous++;
  if (verdict.fault !== undefined) found.push(verdict.fault);
  return found;
}

/** Every second file is read through a window of a few bytes, which moves over the file as over a huge one. */
async function measured(reader: FuzzedReader, bytes: Uint8Array, number: number, tally: Tally, found: Found[]) {
  const source = memorySource('damaged', bytes);
  const input: ByteSource = Math.floor(number / 7) % 2 === 0 ? source : { ...source, size: 64 };
  let growth = 0;
  let before = used();
  let recording = await reader.read(input);
  growth = used() - before;
  if (growth > reader.bound(bytes.length)) {
    // Once more from a clean heap, so that only the reader's own is counted.
    collect();
    before = used();
    recording = await reader.read(input);
    growth = used() - before;
  }
  if (growth > tally.growth) tally.growth = growth;
  if (growth > reader.bound(bytes.length))
    found.push({ code: 'memory', detail: `${growth} bytes for a file of ${bytes.length}` });
  return recording;
}

function used(): number {
  // A third of the time of process.memoryUsage(), which also asks for the resident set.
  const { used_heap_size: heapUsed, external_memory: external } = getHeapStatistics();
  return heapUsed + external;
}

function count(outcome: Outcome, tally: Tally): void {
  if (outcome.kind === 'refused') tally.threw++;
  else if (!outcome.recording.complete || outcome.recording.problems.list.length > 0) tally.problems++;
  else tally.silent++;
}

function misplaced(outcome: Outcome & { kind: 'read' }, size: number): Found[] {
  const wrong = outcome.problems.list.find(({ offset }) => offset !== undefined && !(offset >= 0 && offset <= size));
  return wrong === undefined ? [] : [{ code: 'offset', detail: `${wrong.code} at byte ${wrong.offset} of ${size}` }];
}
