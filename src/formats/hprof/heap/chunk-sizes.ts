/** Sizes of the stacks of virtual threads: see `passes/stack-chunks.ts`. */
import type { HeapClasses, ObjectLayout, OwnSizes } from '../../../models/heap/heap.js';
import { fieldPlaces, numberAt, roundedUp } from '../../../models/heap/values.js';
import { KEPT_BYTES, type StackChunks } from './passes/stack-chunks.js';

const WORD = 8;

export interface ChunkRule {
  readonly heapClass: number;
  /** StringId of `size`. */
  readonly sizeName: number;
  readonly idSize: number;
  /** Of an instance without a stack: a multiple of the alignment. */
  readonly base: number;
  readonly layout: ObjectLayout;
}

/** The sizes of the instances, ascending by id: fields, words of the stack, a bit for each place of a reference in it. */
export function chunkSizes(chunks: StackChunks, classes: HeapClasses, rule: ChunkRule): OwnSizes | undefined {
  const { heapClass, sizeName, idSize, base, layout } = rule;
  const place = fieldPlaces(classes, heapClass, idSize).find(({ name }) => name === sizeName);
  if (place === undefined || place.at + 4 > KEPT_BYTES || chunks.id.length === 0) return undefined;
  const view = new DataView(chunks.values.buffer, chunks.values.byteOffset, chunks.values.byteLength);
  const bytesOf = (number: number): number => {
    const words = Math.max(0, numberAt(view, number * KEPT_BYTES + place.at, place.type, idSize));
    const bitmap = Math.ceil((words * WORD) / layout.reference / 64) * WORD;
    return roundedUp(base + words * WORD + bitmap, layout.alignment);
  };
  const order = Array.from(chunks.id, (_, number) => number).sort((a, b) => chunks.id[a] - chunks.id[b] || a - b);
  return {
    heapClass,
    id: Float64Array.from(order, (number) => chunks.id[number]),
    bytes: Float64Array.from(order, bytesOf),
  };
}
