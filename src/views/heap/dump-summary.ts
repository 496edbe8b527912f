/** The part of a summary about a heap dump: what its first pass shows, without the graph of its objects. */
import { z } from 'zod';
import { directBuffers, loadedClasses } from '../../analysis/heap/loaded-classes.js';
import { ROOT_KINDS } from '../../models/heap/root-kinds.js';
import { className } from '../../models/program/names.js';
import type { ViewInput } from '../question.js';

const repeatedShape = z.object({
  class: z.string(),
  loaders: z.number().describe('class loaders that have a class of this name'),
  objects: z.number(),
  bytes: z.number().describe('of these objects'),
});

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
      .describe('of objects in the virtual machine; null if sizes are recorded'),
    roots: z.record(z.string(), z.number()).describe('roots of each kind'),
    loaders: z.number().describe('class loaders with classes'),
    repeated: z
      .object({ classes: z.number(), shown: z.array(repeatedShape) })
      .describe('names of classes that several loaders have, those with most loaders first'),
    suspect: z
      .object({ class: z.string(), loaders: z.number(), classes: z.number().describe('of each of them, at most') })
      .nullable()
      .describe('a class of many loaders with few classes each: loaders may leak; null if there is none'),
    direct_buffers: z.number().describe('direct and mapped buffers, whose memory is outside the heap'),
  })
  .describe('heap dump: figures that do not need the graph of its objects');

const SHOWN = 5;
/** Loaders of one class from which on they are suspected to leak, and classes of each at most. */
const MANY_LOADERS = 10;
const FEW_CLASSES = 1000;

/** Null without a heap dump. */
export function heapSummary({ heap, recording: { program } }: ViewInput): z.input<typeof heapShape> | null {
  if (heap === undefined) return null;
  const { loaders, repeated } = loadedClasses(heap);
  const suspect = repeated.find((one) => one.loaders >= MANY_LOADERS && one.mostClasses <= FEW_CLASSES);
  const { rule, layout } = heap.sizes;
  const { header, reference, alignment, from } = layout;
  return {
    layout: rule === 'recorded' ? null : { header, reference, alignment, estimated: from === 'ids' },
    roots: Object.fromEntries(
      ROOT_KINDS.map((kind, i) => [kind, heap.rootKinds[i]] as const).filter(([, count]) => count > 0),
    ),
    loaders,
    repeated: {
      classes: repeated.length,
      shown: repeated.slice(0, SHOWN).map(({ class: id, loaders: of, objects, bytes }) => ({
        class: className(program, id),
        loaders: of,
        objects,
        bytes,
      })),
    },
    suspect:
      suspect === undefined
        ? null
        : { class: className(program, suspect.class), loaders: suspect.loaders, classes: suspect.mostClasses },
    direct_buffers: directBuffers(program, heap),
  };
}
