/**
 * Damage to a file: every mutation replaces one range of its bytes. Systematic ones stand in a fixed order, so that an
 * index names each; random ones come from a seed.
 */
import { Random } from '../random.js';

export type MutationKind = 'cut' | 'flip' | 'edit' | 'delete' | 'splice' | 'duplicate';

/** `bytes[from .. to)` become `insert`. */
export interface Mutation {
  readonly kind: MutationKind;
  readonly from: number;
  readonly to: number;
  readonly insert: Uint8Array;
}

const NOTHING = new Uint8Array(0);

export function applyMutation(bytes: Uint8Array, mutation: Mutation): Uint8Array {
  const { from, to, insert } = mutation;
  const mutated = new Uint8Array(from + insert.length + bytes.length - to);
  mutated.set(bytes.subarray(0, from));
  mutated.set(insert, from);
  mutated.set(bytes.subarray(to), from + insert.length);
  return mutated;
}

/** One line that names a mutation. */
export function mutationText(mutation: Mutation): string {
  const { kind, from, to, insert } = mutation;
  if (kind === 'cut') return `cut at ${from}`;
  return `${kind}: bytes ${from} to ${to} become ${JSON.stringify(Buffer.from(insert).toString('latin1')).slice(0, 80)}`;
}

/** What a byte becomes; `undefined` cuts the file before it. */
const AT_A_PLACE: readonly (((byte: number) => number) | undefined)[] = [
  undefined,
  (byte) => byte ^ 0x01,
  (byte) => byte ^ 0x80,
  (byte) => byte ^ 0xff,
  () => 0,
];
/** Mutations that are tried at each place. */
export const A_PLACE = AT_A_PLACE.length;

/** The mutation of this number, of the `places.length * A_PLACE` at these places. */
export function systematicMutation(bytes: Uint8Array, places: Int32Array, number: number): Mutation {
  const at = places[Math.floor(number / A_PLACE)];
  const change = AT_A_PLACE[number % A_PLACE];
  if (change === undefined) return { kind: 'cut', from: at, to: bytes.length, insert: NOTHING };
  return { kind: 'flip', from: at, to: at + 1, insert: Uint8Array.of(change(bytes[at])) };
}

/** Numbers of mutations in the order in which they are tried, most revealing first, for runs that try only some. */
export interface MutationOrder {
  readonly numbers: Int32Array;
  /** How many of them, from the first on, are one at each place: the kinds of damage in turn. */
  readonly ones: number;
  /** How many of them, from the first on, are those and all others at the edges of records. */
  readonly edges: number;
}

/** All mutations at these places, each part of the order in a seeded order of its own. */
export function mutationOrder(places: Int32Array, edges: Iterable<number>): MutationOrder {
  const isEdge = new Set(edges);
  const ones: number[] = [];
  const atEdges: number[] = [];
  const others: number[] = [];
  for (const [row, place] of places.entries())
    for (let kind = 0; kind < A_PLACE; kind++) {
      const part = kind === row % A_PLACE ? ones : isEdge.has(place) ? atEdges : others;
      part.push(row * A_PLACE + kind);
    }
  const random = new Random(places.length);
  const numbers = Int32Array.from([ones, atEdges, others].flatMap((part) => shuffled(part, random)));
  return { numbers, ones: ones.length, edges: ones.length + atEdges.length };
}

function shuffled(numbers: number[], random: Random): number[] {
  for (let last = numbers.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [numbers[last], numbers[other]] = [numbers[other], numbers[last]];
  }
  return numbers;
}

/** Files up to this size are damaged at every byte. */
export const SMALL = 16 << 10;

/** Every byte of a small file; of a larger one `some` seeded places and the given edges (or a seeded choice of `most`). */
export function placesOf(bytes: Uint8Array, edges: readonly number[], some: number, most: number): Int32Array {
  if (bytes.length <= SMALL) return Int32Array.from(bytes.keys());
  const random = new Random(bytes.length);
  const places = new Set<number>();
  while (places.size < some) places.add(random.below(bytes.length));
  if (edges.length <= most) for (const edge of edges) places.add(edge);
  else for (let i = 0; i < most; i++) places.add(edges[random.below(edges.length)]);
  return Int32Array.from(places).sort();
}

/** A random mutation of `bytes`; splices take their bytes from `other`. */
export function randomMutation(bytes: Uint8Array, other: Uint8Array, random: Random): Mutation {
  const at = random.below(bytes.length);
  const choice = random.below(10);
  if (choice < 1) return { kind: 'cut', from: at, to: bytes.length, insert: NOTHING };
  if (choice < 4) {
    const flipped = bytes[at] ^ (1 << random.below(8));
    return { kind: 'flip', from: at, to: at + 1, insert: Uint8Array.of(flipped) };
  }
  const length = 1 + random.below(random.below(4) === 0 ? 2000 : 24);
  const to = Math.min(bytes.length, at + length);
  if (choice < 5) return { kind: 'delete', from: at, to, insert: NOTHING };
  if (choice < 7) return { kind: 'edit', from: at, to, insert: randomBytes(bytes, to - at, random) };
  if (choice < 8) return { kind: 'duplicate', from: at, to: at, insert: bytes.slice(at, to) };
  const start = random.below(other.length);
  const end = random.below(2) === 0 ? at : to;
  return { kind: 'splice', from: at, to: end, insert: other.slice(start, start + length) };
}

/** Half of the time any bytes, else bytes that the file uses: these get past the first checks more often. */
function randomBytes(bytes: Uint8Array, length: number, random: Random): Uint8Array {
  const any = random.below(2) === 0;
  return Uint8Array.from({ length }, () => (any ? random.below(256) : bytes[random.below(bytes.length)]));
}
