/** What the scan of a part of a heap dump finds: columns, which threads can send. */
import type { ClassDumpColumns } from '../class-dumps.js';
import type { IdRuns } from './id-runs.js';
import type { StackChunks } from './stack-chunks.js';

/** Lengths of arrays whose gaps are kept, by type. */
export const GAP_LENGTHS = 64;
/** Gaps of arrays come first: `type * GAP_LENGTHS + length`; those of instances follow by class number. */
export const ARRAY_GAPS = 12 * GAP_LENGTHS;
/** Lengths of arrays are counted modulo these, since sizes are rounded up: to 32 bytes for references, to 256 for others. */
export const RESIDUES = 8;
export const PRIMITIVE_RESIDUES = 256;
/** Addresses are noted in blocks of this size, to know how much memory an index of them takes. */
export const BLOCK_BYTES = 2 ** 20;

/** What a pass over a part of a dump found, as columns. */
export interface ScanPart {
  readonly classes: ClassDumpColumns;
  /** By class number: its id, instances, bytes of their values in the file, arrays, elements. */
  readonly id: Float64Array;
  readonly instances: Float64Array;
  readonly valueBytes: Float64Array;
  readonly arrays: Float64Array;
  readonly elements: Float64Array;
  /** By class number and length modulo `RESIDUES`: arrays. */
  readonly residues: Float64Array;
  /** By type of primitive arrays, likewise, modulo `PRIMITIVE_RESIDUES`. */
  readonly primitiveArrays: Float64Array;
  readonly primitiveElements: Float64Array;
  readonly primitiveResidues: Float64Array;
  /** Smallest distance to the next id: of arrays by type and length (`GAP_LENGTHS`), then of instances by class number. */
  readonly gaps: Float64Array;
  readonly roots: RootColumns;
  readonly chunks: StackChunks;
  readonly runs: IdRuns;
  /** By class number: bytes of the values of the first instance that was read, -1 if none was; instances with others, at least. */
  readonly lengths: Float64Array;
  readonly others: Float64Array;
  /** Objects with the id of another one that are left out: of all counts by class, not of `objects`. */
  readonly twice: number;
  /** Numbers of the blocks (`BLOCK_BYTES`) that have ids; undefined if they are too many. */
  readonly blocks: Float64Array | undefined;
  /** All ids joined by OR, lower half: how they are aligned. */
  readonly bits: number;
  /** Whether objects have different allocation traces. */
  readonly traced: boolean;
  readonly trace: number;
  /** Ids beyond 2^53, which are not read. */
  readonly huge: number;
  /** Largest sub-record's elements and so on are no concern of the first pass. Objects: instances and arrays. */
  readonly objects: number;
}

/** Roots in the order of the file. */
export interface RootColumns {
  readonly offset: Float64Array;
  readonly tag: Uint8Array;
  readonly object: Float64Array;
  /** Serial of the thread; -1 none. */
  readonly thread: Float64Array;
  /** Depth of the frame or serial of the trace; -1 none. */
  readonly detail: Float64Array;
}
