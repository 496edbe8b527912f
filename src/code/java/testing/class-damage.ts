/**
 * The part of the robustness test that runs in a worker: damages a class file, lets the reader and its check look at
 * all of it, and judges the result: a simple second reader decides which problems must be reported, and a file without
 * problems must be written back unchanged.
 */
import { getHeapStatistics } from 'node:v8';
import { FormatError } from '../../../base/errors.js';
import type { FixtureSize } from '../../../testing/fuzz/damage-share.js';
import { applyMutation, mutationOrder, mutationText, systematicMutation } from '../../../testing/fuzz/mutate.js';
import { readClassFile } from '../class-file/class-file.js';
import { checkClassFile } from './class-check/check.js';
import { encodeClass } from './class-encoder.js';
import { classFixture } from './class-fixtures.js';
import { classLines } from './javap-text.js';
import { naiveClass } from './naive-class.js';

export interface DamageBatch {
  readonly name: string;
  /** Mutations `from` to before `to` of `mutationOrder` at every byte. */
  readonly from: number;
  readonly to: number;
}

export interface DamageResult {
  readonly refused: number;
  readonly problems: number;
  readonly silent: number;
  readonly failures: readonly string[];
}

/** Bytes of heap and typed arrays that a class file may take to be read and checked, garbage included. */
const bound = (size: number): number => (4 << 20) + 400 * size;

/** Everything in a class file is short, so no byte is more of an edge than others. */
export function classSize(name: string): FixtureSize {
  const { bytes, order } = damaged(name);
  // Nothing waits here, and little is compared.
  return { bytes: bytes.length, effort: 0.6, ones: order.ones, edges: order.edges, all: order.numbers.length };
}

function damaged(name: string) {
  const { bytes } = classFixture(name);
  const places = Int32Array.from(bytes.keys());
  return { bytes, places, order: mutationOrder(places, []) };
}

export function damageClass({ name, from, to }: DamageBatch): DamageResult {
  const { bytes, places, order } = damaged(name);
  const counts = { refused: 0, problems: 0, silent: 0 };
  const failures: string[] = [];
  for (const number of order.numbers.subarray(from, to)) {
    const mutation = systematicMutation(bytes, places, number);
    let found: { kind: keyof typeof counts; fault: string | undefined };
    try {
      found = judge(applyMutation(bytes, mutation));
    } catch (error) {
      failures.push(
        `${name}: ${mutationText(mutation)}: ${error instanceof Error ? error.stack : error}`.slice(0, 500),
      );
      continue;
    }
    counts[found.kind]++;
    if (found.fault !== undefined) failures.push(`${name}: ${mutationText(mutation)}: ${found.fault}`);
  }
  return { ...counts, failures };
}

/** Result of the reader, and its fault. */
export function judge(bytes: Uint8Array): { kind: 'refused' | 'problems' | 'silent'; fault: string | undefined } {
  const before = used();
  let growth = 0;
  let offsets: readonly (number | undefined)[];
  let kind: 'refused' | 'problems' | 'silent';
  try {
    const file = readClassFile(bytes, 'damaged');
    const { list } = checkClassFile(file);
    growth = used() - before;
    offsets = list.map(({ offset }) => offset);
    kind = list.length > 0 ? 'problems' : 'silent';
    if (kind === 'silent') {
      const fault = silentFault(bytes, encodeClass(file));
      if (fault !== undefined) return { kind, fault };
      // A file without problems must not stop a listing.
      classLines(file);
    } else for (const method of file.methods) method.code()?.lineAt(0);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    offsets = [error.offset];
    kind = 'refused';
  }
  const misplaced = offsets.find((offset) => offset === undefined || !(offset >= 0 && offset <= bytes.length));
  if (offsets.length > 0 && misplaced !== undefined) return { kind, fault: `offset ${misplaced} of ${bytes.length}` };
  return { kind, fault: growth > bound(bytes.length) ? `${growth} bytes for ${bytes.length}` : undefined };
}

function silentFault(bytes: Uint8Array, written: Uint8Array): string | undefined {
  try {
    naiveClass(bytes);
  } catch (error) {
    return `nobody complained, but: ${error instanceof Error ? error.message : error}`;
  }
  const at = bytes.findIndex((byte, i) => byte !== written[i]);
  return at < 0 && written.length === bytes.length ? undefined : `written again it differs at byte ${at}`;
}

function used(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}
