/** `heap suspects`: what may leak: objects, or the instances of a class, that retain a large part of the heap, and where they are collected. */
import { z } from 'zod';
import { namedPathsUse, suspectsUse } from '../../../analysis/heap/holders/stages.js';
import { hasSizes } from '../../../analysis/heap/object-sizes.js';
import { objectsUse, sizesOf } from '../../../analysis/heap/stages.js';
import { threadObjectsUse } from '../../../analysis/heap/thread-objects.js';
import { note } from '../../../base/note.js';
import { type Phrase, phrase } from '../../../base/phrase.js';
import { idOfRow, type ObjectId } from '../../../models/heap/object-ids.js';
import { SUSPECTS_OPTIONS } from '../../../questions/options/heap.js';
import {
  columnsOf,
  common,
  detail,
  HANDLE,
  HEADLINES,
  listed,
  listingShape,
  maybe,
  maybeText,
  number,
  text,
} from '../../listing.js';
import { defineView } from '../../question.js';
import { tableRows } from '../../row-table.js';
import { addressText, choiceOf, classNames, requireHeap, sizeColumns, sizeNotes } from '../choice.js';
import { pathTexts } from './held-by.js';
import { memoryErrors } from './memory-errors.js';

const row = z.object({
  retained: maybe(
    'Retained',
    'bytes',
    'bytes that would be freed with it, without those of other rows; null if the file has no sizes',
  ),
  retained_objects: maybe(
    'Retained objects',
    'count',
    'objects that would go with it, without those of other rows; null where sizes are known',
  ),
  share: number('Retained %', 'ratio', 'share of the bytes of all reachable objects, or of the objects'),
  objects: number('Objects', 'count', 'instances of the class; 1 for a single object'),
  name: text('Class', 'class that has most of it; of a single object its class'),
  held: maybeText('Collected in', 'path to the object that collects them, or to the single object'),
  collection: text('Collection', 'class of the object that collects them; the class again for a single object'),
  held_share: detail(2, number('Held %', 'ratio', 'share of it that is held through the collection')),
  address: detail(1, text('Address', 'address of the collection, or of the single object')),
  handle: HANDLE,
});

const stackShape = z.object({
  thread: z.string().describe('name of the thread'),
  stack: z.array(z.string()).describe('frames below the constructor of the error, innermost first'),
});

export const suspectsView = defineView({
  name: 'heap-suspects',
  version: 1,
  title: 'Suspects',
  options: SUSPECTS_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    out_of_memory: z.array(stackShape).describe('threads that threw OutOfMemoryError when the heap was dumped'),
  },
  needs: (input, options) => {
    const choice = choiceOf(requireHeap(input), options);
    return {
      suspects: suspectsUse(input.subject, choice),
      paths: namedPathsUse(input.subject, choice),
      graph: objectsUse(input.subject, choice.dump),
      threads: threadObjectsUse(input.subject, choice.dump),
    };
  },
  answer: async (input, options, { suspects, paths, graph, threads }) => {
    const heap = requireHeap(input);
    const { program } = input.recording;
    const sizes = sizesOf(heap, graph, choiceOf(heap, options));
    const isSized = hasSizes(sizes);
    const name = classNames(program, heap, graph);
    const texts = await input.kept('suspects', bytesOfTexts, (work) =>
      pathTexts(
        { input, namedHeap: { program, heap, graph }, paths, below: undefined },
        suspects.map(({ collection }) => ({ row: collection, isHolder: true })),
        work,
      ),
    );
    const address = (object: ObjectId): string => addressText(graph, idOfRow(graph.ids, object));
    const cells = {
      retained: (i: number) => (isSized ? suspects[i].retained : null),
      retained_objects: (i: number) => (isSized ? null : suspects[i].retained),
      share: (i: number) => suspects[i].share,
      objects: (i: number) => suspects[i].instances?.objects ?? 1,
      name: (i: number) => name(suspects[i].instances?.example ?? suspects[i].collection),
      held: (i: number) => texts[i] ?? null,
      collection: (i: number) => name(suspects[i].collection),
      held_share: (i: number) => suspects[i].held,
      address: (i: number) => address(suspects[i].collection),
    };
    const errors = memoryErrors(input.recording, threads);
    const notes = suspects.length === 0 ? [NO_SUSPECTS] : [];
    return {
      ...common(input, [...notes, ...sizeNotes(sizes)]),
      headlines: errors.map(errorText),
      out_of_memory: tableRows(errors),
      ...(await listed(cells, {
        columns: columnsOf(row).filter(({ key }) => sizeColumns(sizes, key)),
        count: suspects.length,
        input,
        usual: undefined,
        handle: cells.address,
      })),
    };
  },
});

const NO_SUSPECTS = note(
  'no-suspects',
  'No object, and no class with a common holder, retains a fifth of the heap and 4 MB.',
);

function bytesOfTexts(texts: readonly unknown[]): number {
  return 200 * texts.length;
}

function errorText({ thread, stack }: z.input<typeof stackShape>): Phrase {
  return phrase`Thread ${thread} threw OutOfMemoryError${stack.length === 0 ? '' : ` at ${stack[0]}`}.`;
}
