/**
 * The readers that the robustness tests damage files for. A new reader is added to `FUZZED_READERS` with its fixtures:
 * its memory bound, the places where its records begin and end, and an oracle that says, without the reader, what must
 * be seen in a damaged file.
 */
import type { Problems } from '../base/problems.js';
import type { ByteSource } from '../bytes/byte-source.js';
import { iprof } from '../formats/iprof/index.js';
import type { Recording } from '../models/recording.js';
import { faultyReader } from './faulty-reader.js';
import { iprofEdges, iprofOracle } from './iprof-oracle.js';

/** What a reader made of a damaged file. */
export type Outcome =
  /** `problems`: those met while reading and those that only the format's check finds. */
  | { readonly kind: 'read'; readonly recording: Recording; readonly problems: Problems }
  | { readonly kind: 'refused'; readonly message: string };

/** What is wrong with an outcome: a stable code and words. */
export interface Fault {
  readonly code: string;
  readonly detail: string;
}

/** `damaged`: the damage must show. `sound`: the content is what the reader must see. `ambiguous`: no rule decides. */
export interface Verdict {
  readonly input: 'damaged' | 'sound' | 'ambiguous';
  readonly fault?: Fault;
}

/** Judges what a reader made of `mutated`; `cutAt` is where the original was cut, if that is all that happened. */
export type Judge = (mutated: Uint8Array, outcome: Outcome, cutAt: number | undefined) => Verdict;

export interface FuzzedReader {
  readonly id: string;
  readonly read: (source: ByteSource) => Promise<Recording>;
  readonly check?: (recording: Recording) => Problems;
  /** Bytes of heap and typed arrays that reading a file of `size` bytes may take, garbage included. */
  readonly bound: (size: number) => number;
  /** Offsets at which records or their parts begin or end. */
  readonly edges: (bytes: Uint8Array) => number[];
  readonly oracle: (original: Uint8Array) => Judge;
  /** Fixtures of at most 16 KB, under `src/testing/fixtures`. */
  readonly small: readonly string[];
  /** Larger files, under `KANSOKU_DATA`. */
  readonly large: readonly string[];
}

export const FUZZED_READERS: readonly FuzzedReader[] = [
  {
    id: 'iprof',
    read: iprof.read,
    ...(iprof.check === undefined ? {} : { check: iprof.check }),
    bound: (size) => (4 << 20) + 24 * size,
    edges: iprofEdges,
    oracle: iprofOracle,
    small: [
      'iprof/legacy-0.2.0.iprof',
      'iprof/minified-0.4.0.iprof',
      'iprof/pretty-1.0.0.iprof',
      'iprof/unusual-1.1.0.iprof',
    ],
    large: ['iprof/krisfoster-binary-tree.iprof'],
  },
];

/** The reader registered as `id`, or the one of the harness's own test; a programming error where there is none. */
export function fuzzedReader(id: string): FuzzedReader {
  const reader = [...FUZZED_READERS, faultyReader].find((candidate) => candidate.id === id);
  if (reader === undefined) throw new Error(`no reader ${id} in FUZZED_READERS`);
  return reader;
}
