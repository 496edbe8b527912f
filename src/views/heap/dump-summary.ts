/** The part of a summary about a heap dump: what its first pass shows, without the graph of its objects. */
import { z } from 'zod';
import { bufferClasses, buffersUse, type OutsideMemory } from '../../analysis/heap/buffers.js';
import { loadedClasses } from '../../analysis/heap/loaded-classes.js';
import { ROOT_KINDS } from '../../models/heap/root-kinds.js';
import { className } from '../../models/program/names.js';
import type { ViewInput } from '../question.js';
import { memoryErrorStacks } from './holders/memory-errors.js';

const repeatedShape = z.object({
  class: z.string(),
  loaders: z.number().describe('class loaders that have a class of this name'),
  objects: z.number(),
  bytes: z.number().describe('of these objects'),
});

const memoryShape = z.object({ buffers: z.number(), bytes: z.number() });

export const heapShape = z
  .object({
    layout: z
      .object({
        header: z.number().describe('bytes'),
        reference: z.number().describe('bytes'),
        alignment: z.number().describe('bytes'),
        estimated: z.boolean().describe('whether addresses do not show the distances between objects'),
      })
      .nullable()
      .describe('of objects in the virtual machine; null if sizes are recorded, or unknown'),
    roots: z.record(z.string(), z.number()).describe('roots of each kind'),
    loaders: z.number().describe('class loaders with classes'),
    repeated: z
      .object({ classes: z.number(), shown: z.array(repeatedShape) })
      .describe('names of classes that several loaders have, those with most loaders first'),
    suspect: z
      .object({ class: z.string(), loaders: z.number(), classes: z.number().describe('of each of them, at most') })
      .nullable()
      .describe('a class of many loaders with few classes each: loaders may leak; null if there is none'),
    out_of_memory: z
      .array(
        z.object({
          stack: z.array(z.string()).describe('innermost frame first, without the constructor of the error'),
        }),
      )
      .describe('threads that threw OutOfMemoryError; a dump that is made then has one'),
    outside: z
      .object({
        direct: memoryShape.describe('direct buffers that own their memory'),
        mapped: memoryShape.describe('files that buffers map'),
        others: z.number().describe('views of other buffers, and buffers whose memory native code owns'),
      })
      .nullable()
      .describe('memory outside the heap that buffers hold; null if there are none, or the dump has no values'),
  })
  .describe('heap dump: figures that do not need the graph of its objects');

const SHOWN = 5;
/** Loaders of one class from which on they are suspected to leak, and classes of each at most. */
const MANY_LOADERS = 10;
const FEW_CLASSES = 1000;

/** The memory of buffers costs a pass over the dump: only if there are such. */
export function heapSummaryNeeds({ heap, subject, recording: { program } }: ViewInput) {
  return heap === undefined || bufferClasses(program, heap).length === 0
    ? {}
    : { outside: buffersUse(subject, heap.dump) };
}

/** Null without a heap dump. */
export function heapSummary(
  { heap, recording }: ViewInput,
  outside: OutsideMemory | undefined,
): z.input<typeof heapShape> | null {
  if (heap === undefined) return null;
  const { program } = recording;
  const { loaders, repeated } = loadedClasses(heap);
  const suspect = repeated.find((one) => one.loaders >= MANY_LOADERS && one.mostClasses <= FEW_CLASSES);
  const { rule, layout } = heap.sizes;
  const { header, reference, alignment, from: origin } = layout;
  return {
    layout:
      rule === 'recorded' || rule === 'unknown' ? null : { header, reference, alignment, estimated: origin === 'ids' },
    roots: Object.fromEntries(
      ROOT_KINDS.map((kind, i) => [kind, heap.rootKinds[i]] as const).filter(([, count]) => count > 0),
    ),
    loaders,
    repeated: {
      classes: repeated.length,
      shown: repeated.slice(0, SHOWN).map(({ class: id, loaders: loaderCount, objects, bytes }) => ({
        class: className(program, id),
        loaders: loaderCount,
        objects,
        bytes,
      })),
    },
    suspect:
      suspect === undefined
        ? null
        : { class: className(program, suspect.class), loaders: suspect.loaders, classes: suspect.mostClasses },
    out_of_memory:
      heap.recorded === undefined ? [...memoryErrorStacks(recording).values()].map((stack) => ({ stack })) : [],
    outside: outside ?? null,
  };
}
