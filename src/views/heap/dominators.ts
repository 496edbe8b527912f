/** `heap dominators`: what keeps memory alive: the objects below a node of the dominator tree, one by one or in groups. */
import { z } from 'zod';
import { BY_ROOTS } from '../../analysis/heap/dominators.js';
import { namedPathsUse } from '../../analysis/heap/holders/stages.js';
import { hasSizes } from '../../analysis/heap/object-sizes.js';
import { dominatorsUse, objectsUse, sizesOf } from '../../analysis/heap/stages.js';
import { unitedUse } from '../../analysis/identity/united.js';
import { UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theInput, theOption } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import { formatBytes, plural } from '../../base/units.js';
import type { Heap, HeapSizes } from '../../models/heap/heap.js';
import { bitCount, idOfRow, type ObjectId } from '../../models/heap/object-ids.js';
import { type DOMINATOR_GROUPS, DOMINATORS_OPTIONS } from '../../questions/options/heap.js';
import { columnsOf, common, detail, HANDLE, listed, listingShape, maybe, maybeText, number, text } from '../listing.js';
import { defineView, type Side, type ViewInput } from '../question.js';
import { addressText, choiceOf, objectAt, objectNames, requireHeap, sizeColumns, sizeNotes } from './choice.js';
import { byChange, type ComparedTrees, changeCells, changeNotes, groupSums } from './dominator-changes.js';
import { childrenOf, type DominatorTree, shallowOf } from './dominator-tree.js';
import { groupKey } from './groups.js';
import { Holders } from './holders/holders.js';

const row = z.object({
  retained: maybe('Retained', 'bytes', 'bytes that would be freed with it; null if the file has no sizes'),
  retained_objects: maybe(
    'Retained objects',
    'count',
    'objects that would go with it, itself included; null where sizes are known',
  ),
  base: maybe('Base', 'bytes', 'retained bytes of the group in the base; null without one'),
  delta: maybe('Delta', 'bytes', 'retained bytes minus those in the base; null without one'),
  share: maybe('Retained %', 'ratio', 'share of the bytes of all reachable objects, or of the objects'),
  shallow: maybe('Shallow', 'bytes', 'bytes of the object itself, or of the objects of the group; null without sizes'),
  objects: detail(1, number('Objects', 'count', 'objects of the group; 1 for a single object')),
  base_objects: detail(2, maybe('Base objects', 'count', 'objects of the group in the base; null without one')),
  delta_objects: detail(1, maybe('Delta objects', 'count', 'objects minus those in the base; null without one')),
  dominates: detail(2, maybe('Dominates', 'count', 'objects directly below it in the tree; null for groups')),
  address: maybeText('Address', 'address of the object; null for groups'),
  name: text('Object', 'class of the object, or name of the group'),
  held: maybeText(
    'Held by',
    'path from a static field, a thread or a root to the object, or to the object through which the paths to most of a group lead; null if there is none, and with a base',
  ),
  held_share: detail(
    1,
    maybe(
      'Held %',
      'ratio',
      'share of the retained bytes, or objects, of a group that is held through that object; null for single objects',
    ),
  ),
  handle: HANDLE,
});

export const dominatorsView = defineView({
  name: 'heap-dominators',
  version: 3,
  title: 'Dominators',
  options: DOMINATORS_OPTIONS,
  shape: {
    ...listingShape(row),
    objects: z.number().describe('reachable objects'),
    bytes: z.number().nullable().describe('of the reachable objects; null if the file has no sizes'),
    unreachable: z
      .object({ objects: z.number(), bytes: z.number().nullable() })
      .describe('objects that no root leads to'),
    base: z
      .object({ recording: z.string(), objects: z.number(), bytes: z.number() })
      .nullable()
      .describe('reachable objects of the base; null without one'),
    parent: z.string().nullable(),
  },
  needs: (input, options) => {
    const { base } = input;
    if (base !== undefined && options.parent !== undefined)
      throw new UsageError('an address is another object in the base', {
        code: 'options-exclude',
        advice: phrase`Omit ${theOption('parent')} or ${theInput('base')}.`,
        action: { omit: ['parent'] },
      });
    const choice = choiceOf(requireHeap(input), options);
    const baseChoice = base && choiceOf(requireHeap(base), options);
    // What needs most memory is refused first.
    return {
      dominators: dominatorsUse(input.subject, choice),
      baseDominators: base && baseChoice && dominatorsUse(base.subject, baseChoice),
      paths: base === undefined ? namedPathsUse(input.subject, choice) : undefined,
      graph: objectsUse(input.subject, choice.dump),
      baseGraph: base && baseChoice && objectsUse(base.subject, baseChoice.dump),
      united: base && unitedUse([base.subject, input.subject]),
    };
  },
  answer: async (input, options, { graph, dominators, paths, baseGraph, baseDominators, united }) => {
    const treeOf = (side: Side, graphs: Omit<DominatorTree, 'sizes'>): DominatorTree => {
      const heap = requireHeap(side);
      return { ...graphs, sizes: sizesOf(heap, graphs.graph, choiceOf(heap, options)) };
    };
    const tree = treeOf(input, { graph, dominators });
    const unreachable = {
      objects: graph.ids.length - dominators.objects,
      bytes: hasSizes(tree.sizes) ? dominators.unreachableBytes : null,
    };
    const all = {
      objects: dominators.objects,
      bytes: hasSizes(tree.sizes) ? dominators.bytes : null,
      unreachable,
      parent: options.parent ?? null,
    };
    const { base } = input;
    if (base !== undefined && baseGraph && baseDominators && united) {
      const before = treeOf(base, { graph: baseGraph, dominators: baseDominators });
      if (!hasSizes(tree.sizes) || !hasSizes(before.sizes))
        throw new UsageError('retained bytes are compared, and one of the files has no sizes', { code: 'no-sizes' });
      const compared = { sides: [base, input], trees: [before, tree], united, above: BY_ROOTS } as const;
      const { objects, bytes } = baseDominators;
      return {
        ...all,
        ...(await changes(input, compared, options.by)),
        base: { recording: base.recording.name, objects, bytes },
      };
    }
    const above = options.parent === undefined ? BY_ROOTS : objectAt(graph, options.parent);
    const holders = new Holders(input, { graph, paths, below: options.parent === undefined ? undefined : above });
    const table =
      options.by === 'object'
        ? await singles(input, tree, above, holders)
        : await groups(input, requireHeap(input), tree, above, options.by, holders);
    return {
      ...common(input, [...unreachableNotes(unreachable), ...holders.notes(), ...sizeNotes(tree.sizes)]),
      ...all,
      base: null,
      ...table,
    };
  },
});

const NO_HOLDER = { held: () => null, held_share: () => null };
const NO_BASE = { base: () => null, delta: () => null, base_objects: () => null, delta_objects: () => null };
const OF_BASE = new Set(['base', 'delta', 'base_objects', 'delta_objects']);
const OF_GROUPS = new Set([...OF_BASE, 'objects', 'held_share']);

function singles(input: ViewInput, { graph, dominators, sizes }: DominatorTree, above: number, holders: Holders) {
  const { retained, unit, bytes, dominator } = dominators;
  const rows = childrenOf(dominators, above);
  const name = objectNames(input.recording.program, requireHeap(input), graph);
  const shallow = shallowOf({ graph, dominators, sizes });
  let below: Uint32Array | undefined;
  // One pass for all rows, when the first one is asked for.
  const dominates = (i: number): number => {
    below ??= childCounts(dominator, rows);
    return below[i];
  };
  const cells = {
    ...retainedCells(sizes, (i) => retained[rows[i]] * unit),
    share: (i: number) => share(retained[rows[i]] * unit, bytes),
    shallow: (i: number) => (hasSizes(sizes) ? shallow(rows[i]) : null),
    objects: () => 1,
    dominates,
    address: (i: number) => addressText(graph, idOfRow(graph.ids, rows[i])),
    name: (i: number) => name(rows[i]),
    held: (i: number) => holders.text(rows[i]),
    held_share: () => null,
    ...NO_BASE,
  };
  const columns = columnsOf(row).filter(({ key }) => !OF_GROUPS.has(key) && sizeColumns(sizes, key));
  const order = { columns, count: rows.length, input, usual: usualOrder(sizes), sortable: isSortable };
  const beforehand = (page: readonly number[]) => holders.ofObjects(page.map((i) => rows[i]));
  return listed(cells, { ...order, handle: cells.address, beforehand });
}

/** Only the holders of a page are known. */
function isSortable(key: string): boolean {
  return key !== 'held' && key !== 'held_share';
}

/** What is retained, as bytes or as objects. */
function retainedCells(sizes: HeapSizes, value: (i: number) => number) {
  const isSized = hasSizes(sizes);
  return {
    retained: (i: number) => (isSized ? value(i) : null),
    retained_objects: (i: number) => (isSized ? null : value(i)),
  };
}

function usualOrder(sizes: HeapSizes): string {
  return hasSizes(sizes) ? 'retained' : 'retained_objects';
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
  tree: DominatorTree,
  above: number,
  by: 'class' | 'loader' | 'package',
  holders: Holders,
) {
  const { bytes, retained } = tree.dominators;
  const { sizes } = tree;
  const isSized = hasSizes(sizes);
  const key = groupKey(input.recording.program, heap, tree.graph, by);
  const sums = groupSums(tree, key, above);
  const filledGroups = [...sums.objects.keys()].filter((group) => sums.objects[group] > 0);
  const cells = {
    ...retainedCells(sizes, (i) => sums.retained[filledGroups[i]]),
    share: (i: number) => share(sums.retained[filledGroups[i]], bytes),
    shallow: (i: number) => (isSized ? sums.shallow[filledGroups[i]] : null),
    objects: (i: number) => sums.objects[filledGroups[i]],
    dominates: () => null,
    address: () => null,
    name: (i: number) => key.name(filledGroups[i]),
    held: (i: number) => holders.text(filledGroups[i]),
    held_share: (i: number) => holders.share(filledGroups[i]),
    ...NO_BASE,
  };
  const columns = groupColumns(by).filter(
    ({ key: columnKey }) => !OF_BASE.has(columnKey) && sizeColumns(sizes, columnKey),
  );
  const beforehand = (page: readonly number[]) => {
    const members = new Map(page.map((i): [number, ObjectId[]] => [filledGroups[i], []]));
    for (const object of childrenOf(tree.dominators, above)) members.get(key.of(object))?.push(object);
    return holders.ofGroups(members, (object) => retained[object]);
  };
  const order = { columns, count: filledGroups.length, input, usual: usualOrder(sizes), sortable: isSortable };
  return listed(cells, { ...order, beforehand });
}

/** Changes of the objects below the roots. */
async function changes(input: ViewInput, compared: ComparedTrees, by: (typeof DOMINATOR_GROUPS)[number]) {
  const { cells, count, same } = changeCells(compared, by);
  const columns = groupColumns(by).filter(
    ({ key }) => key !== 'share' && key !== 'shallow' && key !== 'retained_objects' && isSortable(key),
  );
  return {
    ...common(input, [...changeNotes(compared.trees, by, same), ...sizeNotes(compared.trees[1].sizes)]),
    ...(await listed(
      { ...cells, ...NO_HOLDER, retained_objects: () => null },
      { columns, count, ...byChange(input, cells.delta) },
    )),
  };
}

function groupColumns(by: (typeof DOMINATOR_GROUPS)[number]) {
  return columnsOf(row)
    .filter(({ key }) => key !== 'dominates' && key !== 'address')
    .map((column) => (column.key === 'name' ? { ...column, title: TITLES[by] } : column));
}

const TITLES = { object: 'Objects of', class: 'Class', loader: 'Loader', package: 'Package' };

function unreachableNotes({ objects, bytes }: { objects: number; bytes: number | null }): Note[] {
  if (objects === 0) return [];
  const size = bytes === null ? '' : ` with ${formatBytes(bytes)}`;
  return [note('unreachable', `Not in the tree: ${plural(objects, 'unreachable object')}${size}.`)];
}
