/** `heap dominators`: what keeps memory alive: the objects below a node of the dominator tree, one by one or in groups. */
import { z } from 'zod';
import { BY_ROOTS, type Dominators } from '../../analysis/heap/dominators.js';
import { objectSizes } from '../../analysis/heap/object-sizes.js';
import { dominatorsUse, objectsUse, sizesOf } from '../../analysis/heap/stages.js';
import { share } from '../../base/share.js';
import { formatBytes, plural } from '../../base/units.js';
import type { Heap, HeapObjects } from '../../models/heap/heap.js';
import { bitCount, idOfRow } from '../../models/heap/object-ids.js';
import { columnsOf, common, detail, listed, listingShape, maybe, maybeText, number, text } from '../listing.js';
import { defineView, type ViewInput } from '../question.js';
import { addressText, CHOICE, choiceOf, objectAt, objectNames, requireHeap, sizeNotes } from './choice.js';
import { groupKey } from './groups.js';

const row = z.object({
  retained: number('Retained', 'bytes', 'bytes that would be freed with it'),
  share: maybe('Retained %', 'ratio', 'share of the bytes of all reachable objects'),
  shallow: number('Shallow', 'bytes', 'bytes of the object itself, or of the objects of the group'),
  objects: detail(1, number('Objects', 'count', 'objects of the group; 1 for a single object')),
  dominates: detail(2, maybe('Dominates', 'count', 'objects directly below it in the tree; null for groups')),
  address: maybeText('Address', 'address of the object; null for groups'),
  name: text('Object', 'class of the object, or name of the group'),
});

export const dominatorsView = defineView({
  name: 'heap-dominators',
  version: 1,
  title: 'Dominators',
  options: z.object({
    ...CHOICE,
    by: z.enum(['object', 'class', 'loader', 'package']).default('object'),
    /** Address of the object whose children are listed; all that only roots hold without it. */
    parent: z.string().optional(),
  }),
  shape: {
    ...listingShape(row),
    objects: z.number().describe('reachable objects'),
    bytes: z.number().describe('of the reachable objects'),
    unreachable: z.object({ objects: z.number(), bytes: z.number() }).describe('objects that no root leads to'),
    parent: z.string().nullable(),
  },
  needs: (input, options) => {
    const choice = choiceOf(requireHeap(input), options);
    // What needs most memory is refused first.
    return { dominators: dominatorsUse(input.subject, choice), graph: objectsUse(input.subject, choice.dump) };
  },
  answer: (input, options, { graph, dominators }) => {
    const heap = requireHeap(input);
    const sizes = sizesOf(heap, graph, choiceOf(heap, options));
    const { size, unit } = objectSizes(graph, sizes);
    const above = options.parent === undefined ? BY_ROOTS : objectAt(graph, options.parent);
    const unreachable = {
      objects: graph.ids.length - dominators.objects,
      bytes: dominators.unreachableBytes,
    };
    const shallow = (object: number): number => size(object) * unit;
    const table =
      options.by === 'object'
        ? singles(input, heap, graph, dominators, shallow, above)
        : groups(input, heap, graph, dominators, shallow, above, options.by);
    return {
      ...common(input, [...unreachableNotes(unreachable), ...sizeNotes(sizes)]),
      objects: dominators.objects,
      bytes: dominators.bytes,
      unreachable,
      parent: options.parent ?? null,
      ...table,
    };
  },
});

type Shallow = (row: number) => number;

/** Rows of the objects below `above`. */
function childrenOf({ dominator }: Dominators, above: number): Uint32Array {
  let count = 0;
  for (let i = 0; i < dominator.length; i++) if (dominator[i] === above) count++;
  const rows = new Uint32Array(count);
  for (let i = 0, at = 0; at < count; i++) if (dominator[i] === above) rows[at++] = i;
  return rows;
}

function singles(
  input: ViewInput,
  heap: Heap,
  graph: HeapObjects,
  dominators: Dominators,
  shallow: Shallow,
  above: number,
) {
  const { retained, unit, bytes, dominator } = dominators;
  const rows = childrenOf(dominators, above);
  const name = objectNames(input.recording.program, heap, graph);
  let below: Uint32Array | undefined;
  // One pass for all rows, when the first one is asked for.
  const dominates = (i: number): number => {
    below ??= childCounts(dominator, rows);
    return below[i];
  };
  const cells = {
    retained: (i: number) => retained[rows[i]] * unit,
    share: (i: number) => share(retained[rows[i]] * unit, bytes),
    shallow: (i: number) => shallow(rows[i]),
    objects: () => 1,
    dominates,
    address: (i: number) => addressText(idOfRow(graph.ids, rows[i])),
    name: (i: number) => name(rows[i]),
  };
  const columns = columnsOf(row).filter(({ key }) => key !== 'objects');
  return listed(cells, { columns, count: rows.length, page: input.page, usual: 'retained' });
}

/** By place among `rows`, which ascend: objects directly below them in the tree. A bit a row and ranks instead of a column. */
function childCounts(dominator: Uint32Array, rows: Uint32Array): Uint32Array {
  const bits = new Uint32Array(Math.ceil(dominator.length / 32));
  for (const row of rows) bits[row >>> 5] |= 1 << (row & 31);
  const ranks = new Uint32Array(bits.length);
  for (let word = 1; word < bits.length; word++) ranks[word] = ranks[word - 1] + bitCount(bits[word - 1]);
  const counts = new Uint32Array(rows.length);
  for (let row = 0; row < dominator.length; row++) {
    const above = dominator[row];
    if (above >= BY_ROOTS) continue;
    const word = bits[above >>> 5];
    const bit = 1 << (above & 31);
    if ((word & bit) !== 0) counts[ranks[above >>> 5] + bitCount(word & (bit - 1))]++;
  }
  return counts;
}

function groups(
  input: ViewInput,
  heap: Heap,
  graph: HeapObjects,
  dominators: Dominators,
  shallow: Shallow,
  above: number,
  by: 'class' | 'loader' | 'package',
) {
  const { retained, unit, bytes } = dominators;
  const key = groupKey(input.recording.program, heap, graph, by);
  const sums: Record<'retained' | 'shallow' | 'objects', number[]> = { retained: [], shallow: [], objects: [] };
  for (const object of childrenOf(dominators, above)) {
    const group = key.of(object);
    sums.retained[group] = (sums.retained[group] ?? 0) + retained[object] * unit;
    sums.shallow[group] = (sums.shallow[group] ?? 0) + shallow(object);
    sums.objects[group] = (sums.objects[group] ?? 0) + 1;
  }
  const found = [...sums.objects.keys()].filter((group) => sums.objects[group] > 0);
  const cells = {
    retained: (i: number) => sums.retained[found[i]],
    share: (i: number) => share(sums.retained[found[i]], bytes),
    shallow: (i: number) => sums.shallow[found[i]],
    objects: (i: number) => sums.objects[found[i]],
    dominates: () => null,
    address: () => null,
    name: (i: number) => key.name(found[i]),
  };
  const columns = columnsOf(row)
    .filter(({ key: of }) => of !== 'dominates' && of !== 'address')
    .map((column) => (column.key === 'name' ? { ...column, title: TITLES[by] } : column));
  return listed(cells, { columns, count: found.length, page: input.page, usual: 'retained' });
}

const TITLES = { class: 'Class', loader: 'Loader', package: 'Package' };

function unreachableNotes({ objects, bytes }: { objects: number; bytes: number }): string[] {
  return objects === 0 ? [] : [`Not in the tree: ${plural(objects, 'unreachable object')} with ${formatBytes(bytes)}.`];
}
