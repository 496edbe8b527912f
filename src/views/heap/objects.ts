/** `heap objects`: every object with its address, class, sizes and dominator, in the order of addresses. */
import { z } from 'zod';
import { BY_ROOTS, type Dominators } from '../../analysis/heap/dominators.js';
import { recordedText } from '../../analysis/heap/members.js';
import { hasSizes, objectSizes } from '../../analysis/heap/object-sizes.js';
import { dominatorsUse, objectsUse, sizesOf } from '../../analysis/heap/stages.js';
import { note } from '../../base/note.js';
import { formatCount, plural } from '../../base/units.js';
import { type HeapObjects, NO_ROW } from '../../models/heap/heap.js';
import { idOfRow } from '../../models/heap/object-ids.js';
import { OBJECTS_OPTIONS } from '../../questions/options/heap.js';
import { columnsOf, common, HANDLE, listed, listingShape, maybe, maybeText, text } from '../listing.js';
import { defineView } from '../question.js';
import { addressText, choiceOf, classNames, requireHeap, rowsOfClass, sizeColumns, sizeNotes } from './choice.js';

const row = z.object({
  address: text('Address', 'address of the object, hexadecimal'),
  class: text('Class', 'class of the object; of a class object, `class` and the class that it represents'),
  text: maybeText('Text', 'the object as the file shows it; null if it does not').optional(),
  shallow: maybe('Shallow', 'bytes', 'bytes of the object itself; null if the file has no sizes'),
  retained: maybe(
    'Retained',
    'bytes',
    'bytes that would be freed with it; 0 for unreachable objects, null without sizes',
  ),
  retained_objects: maybe(
    'Retained objects',
    'count',
    'objects that would go with it, itself included; null where sizes are known',
  ),
  dominator: maybeText('Dominator', 'address of the immediate dominator; null if only roots hold it, or nothing does'),
  reachable: z.boolean().meta({ title: 'Reachable', unit: 'text', description: 'whether a root leads to it' }),
  handle: HANDLE,
});

export const objectsView = defineView({
  name: 'heap-objects',
  version: 1,
  title: 'Objects',
  options: OBJECTS_OPTIONS,
  shape: { ...listingShape(row), objects: z.number().describe('objects of the dump') },
  needs: (input, options) => {
    const choice = choiceOf(requireHeap(input), options);
    // What needs most memory is refused first.
    return { dominators: dominatorsUse(input.subject, choice), graph: objectsUse(input.subject, choice.dump) };
  },
  answer: async (input, options, { graph, dominators }) => {
    const heap = requireHeap(input);
    const { program } = input.recording;
    const sizes = sizesOf(heap, graph, choiceOf(heap, options));
    const { size, unit } = objectSizes(graph, sizes);
    const chosen = options.class === undefined ? undefined : rowsOfClass(program, heap, graph, options.class);
    const at = (i: number): number => (chosen === undefined ? i : chosen[i]);
    const name = classNames(program, heap, graph);
    const isSized = hasSizes(sizes);
    const retained = (i: number): number => dominators.retained[at(i)] * dominators.unit;
    const cells = {
      address: (i: number) => addressText(graph, idOfRow(graph.ids, at(i))),
      class: (i: number) => name(at(i)),
      ...(heap.recorded?.texts === undefined
        ? {}
        : { text: (i: number) => recordedText({ heap, graph }, at(i)) ?? null }),
      shallow: (i: number) => (isSized ? size(at(i)) * unit : null),
      retained: (i: number) => (isSized ? retained(i) : null),
      retained_objects: (i: number) => (isSized ? null : retained(i)),
      dominator: (i: number) => dominatorText(graph, dominators, at(i)),
      reachable: (i: number) => dominators.dominator[at(i)] !== NO_ROW,
    };
    const count = chosen?.length ?? graph.ids.length;
    const matches =
      chosen === undefined
        ? []
        : [note('matching', `${formatCount(count)} of ${plural(graph.ids.length, 'object')} match.`)];
    const columns = columnsOf(row).filter(
      ({ key }) => sizeColumns(sizes, key) && (key !== 'text' || heap.recorded?.texts !== undefined),
    );
    return {
      ...common(input, [...matches, ...sizeNotes(sizes)]),
      objects: graph.ids.length,
      ...(await listed(cells, {
        columns,
        count,
        input,
        usual: undefined,
        sortable: (key) => key !== 'reachable',
        handle: cells.address,
      })),
    };
  },
});

function dominatorText(graph: HeapObjects, { dominator }: Dominators, row: number): string | null {
  const above = dominator[row];
  return above === BY_ROOTS || above === NO_ROW ? null : addressText(graph, idOfRow(graph.ids, above));
}
