/** What the robustness tests need to know of a reader, and how they judge what it makes of damage. */
import type { Problems } from '../../base/problems.js';
import type { ByteSource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';

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
  /** CPU time of a mutation against that of usual readers; 1 if not given. */
  readonly effort?: number;
  /** Offsets at which records or their parts begin or end. */
  readonly edges: (bytes: Uint8Array) => number[];
  readonly oracle: (original: Uint8Array) => Judge;
  /** Fixtures of at most 16 KB, by their paths in `src/formats`. */
  readonly small: readonly string[];
  /** Somewhat larger ones: damaged at 2,000 seeded places and at every edge. */
  readonly medium: readonly string[];
  /** Real files, under `KANSOKU_DATA`: a few places each, since every one costs a whole reading; `bench/fuzz` does more. */
  readonly large: readonly string[];
}
