/**
 * `heap paths`: why objects are alive: the shortest paths from roots to them, merged where they agree. Recordings of JFR have such paths
 * of the objects that they sampled.
 */
import { z } from 'zod';
import { referenceNames } from '../../analysis/heap/inspection.js';
import { mergedPaths, type PathTree } from '../../analysis/heap/merged-paths.js';
import { hasSizes, objectSizes } from '../../analysis/heap/object-sizes.js';
import type { NamedHeap } from '../../analysis/heap/object-values.js';
import { objectsUse, pathsUse, sizesOf } from '../../analysis/heap/stages.js';
import { UsageError } from '../../base/errors.js';
import { note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import type { Work } from '../../base/progress.js';
import { share } from '../../base/share.js';
import { someNames } from '../../base/some-names.js';
import { stringAt } from '../../base/text.js';
import { plural } from '../../base/units.js';
import type { Heap, HeapObjects } from '../../models/heap/heap.js';
import { idOfRow } from '../../models/heap/object-ids.js';
import { ROOT_KINDS } from '../../models/heap/root-kinds.js';
import type { Program } from '../../models/program/program.js';
import { PATHS_OPTIONS } from '../../questions/options/heap.js';
import { columnsOf, common, HANDLE, listingShape, maybe, maybeText, number, text } from '../listing.js';
import { defineView, type ViewInput } from '../question.js';
import { rowsOfCells } from '../row-table.js';
import { addressText, choiceOf, objectAt, objectNames, requireHeap, rowsOfClass, sizeColumns } from './choice.js';
import { hasSampledPaths, sampledAnswer } from './sampled-paths.js';

const row = z.object({
  objects: number('Objects', 'count', 'selected objects whose shortest path goes through this one'),
  share: maybe('Objects %', 'ratio', 'share of the selected objects'),
  shallow: maybe('Shallow', 'bytes', 'bytes of these objects themselves; null if the file has no sizes'),
  root: maybeText('Root', 'why the object is held from outside; null within paths'),
  address: maybeText('Address', 'address of the object; null for several of one class'),
  held: maybeText(
    'Held by',
    'fields or elements of an object above that refer to it; null at roots, and where values are not recorded',
  ),
  name: text('Object', 'class of the object'),
});

const node = row.extend({
  id: z.number().describe('number of the node'),
  parent: z.number().describe('id of the node above, -1 at a root'),
  depth: z.number(),
  handle: HANDLE,
});

export const pathsView = defineView({
  name: 'heap-paths',
  version: 2,
  title: 'Paths to roots',
  options: PATHS_OPTIONS,
  shape: {
    ...listingShape(node),
    selected: z.number().describe('selected objects'),
    unreachable: z.number().describe('of these, objects that no root leads to'),
  },
  refuses: ['sort', 'offset'],
  needs: (input, options) => {
    if (hasSampledPaths(input)) return { paths: undefined, graph: undefined };
    const choice = choiceOf(requireHeap(input), options);
    return { paths: pathsUse(input.subject, choice), graph: objectsUse(input.subject, choice.dump) };
  },
  answer: async (input, options, { graph, paths }) => {
    const columns = columnsOf(row);
    if (graph === undefined || paths === undefined) {
      const { notes, ...sampled } = await sampledAnswer(input, options);
      return { ...common(input, notes), columns, offset: 0, ...sampled };
    }
    const heap = requireHeap(input);
    const { program } = input.recording;
    const sizes = sizesOf(heap, graph, choiceOf(heap, options));
    const { tree, count } = await input.kept('paths', bytesOfPaths, () => {
      const rows = selected(program, heap, graph, options);
      const { size, unit } = objectSizes(graph, sizes);
      const isAlone = rows.length === 1 || !options.merge;
      const tree = mergedPaths(graph, paths, rows, (object) => size(object) * unit, !isAlone);
      return { tree, count: rows.length };
    });
    const shownNodes = tree.heaviest(input.page.limit);
    const fields = await input.kept(`fields of ${shownNodes.length} nodes`, bytesOfFields, (work) =>
      fieldsOfNodes(input, { tree, above: paths.above, nodes: shownNodes }, { program, heap, graph }, work),
    );
    const unreachable = count - tree.reachable;
    return {
      ...common(
        input,
        unreachable === 0
          ? []
          : [note('unreachable', `${plural(unreachable, 'selected object is', 'selected objects are')} unreachable.`)],
      ),
      selected: count,
      unreachable,
      columns: columns.filter(({ key }) => sizeColumns(sizes, key) && (key !== 'held' || fields.size > 0)),
      total: tree.length,
      offset: 0,
      rows: nodeRows(tree, shownNodes, { program, heap, graph, count, fields }),
    };
  },
});

/** Columns of a tree: five of eight bytes at most. */
function bytesOfPaths({ tree }: { readonly tree: PathTree }): number {
  return 40 * tree.length;
}

function selected(
  program: Program,
  heap: Heap,
  graph: HeapObjects,
  { object, class: pattern }: { readonly object?: string | undefined; readonly class?: string | undefined },
): ArrayLike<number> {
  if ((object === undefined) === (pattern === undefined))
    throw new UsageError(phrase`choose an object by its address, or objects by ${theOption('class')}`, {
      code: 'options-exclude',
    });
  if (object !== undefined || pattern === undefined) return [objectAt(graph, object ?? '')];
  const rows = rowsOfClass(program, heap, graph, pattern);
  if (rows.length === 0)
    throw new UsageError(`no object is of a class that matches ${pattern}`, { code: 'nothing-matches' });
  return rows;
}

function nodeRows(
  tree: PathTree,
  shownNodes: readonly number[],
  { program, heap, graph, count, fields }: NamedHeap & { readonly count: number; readonly fields: NodeFields },
) {
  const name = objectNames(program, heap, graph);
  const isSized = hasSizes(heap.sizes);
  const address = (at: number) =>
    tree.members[at] === 1 ? addressText(graph, idOfRow(graph.ids, tree.object[at])) : null;
  const cells = {
    id: (at: number) => at,
    parent: (at: number) => tree.parent[at],
    depth: (at: number) => tree.depth(at),
    objects: (at: number) => tree.objects[at],
    share: (at: number) => share(tree.objects[at], count),
    shallow: (at: number) => (isSized ? tree.bytes[at] : null),
    root: (at: number) =>
      tree.parent[at] < 0 ? someNames(rootNames(program, graph, tree.object[at]), MOST_NAMES) : null,
    address,
    handle: (at: number) => address(at) ?? undefined,
    held: (at: number) => fields.get(at) ?? null,
    name: (at: number) =>
      tree.members[at] === 1 ? name(tree.object[at]) : `${name(tree.object[at])} × ${tree.members[at]}`,
  };
  return rowsOfCells(cells, shownNodes);
}

/** By node: by which fields an object above refers to it. */
type NodeFields = ReadonlyMap<number, string>;

function bytesOfFields(fields: NodeFields): number {
  return 100 * fields.size;
}

/** Nodes whose fields are read: each costs a place in the file. */
const MOST_NAMED = 2000;

async function fieldsOfNodes(
  { subject }: Pick<ViewInput, 'subject'>,
  { tree, above, nodes }: { readonly tree: PathTree; readonly above: Uint32Array; readonly nodes: readonly number[] },
  namedHeap: NamedHeap,
  work: Work,
): Promise<NodeFields> {
  const below = nodes.filter((node) => tree.parent[node] >= 0).slice(0, MOST_NAMED);
  const pairs = below.map((node) => ({ holder: above[tree.object[node]], target: tree.object[node] }));
  const names = await referenceNames(subject, namedHeap, pairs, work);
  const fields = new Map<number, string>();
  for (const [i, node] of below.entries()) {
    const isAlone = tree.members[node] === 1;
    const texts = [...new Set((names[i] ?? []).map((name) => (isAlone ? name : name.replace(/^\[\d+\]$/, '[…]'))))];
    if (texts.length > 0) fields.set(node, someNames(texts, MOST_NAMES));
  }
  return fields;
}

/** Names of roots or fields of one object that are shown. */
const MOST_NAMES = 3;

/** The kinds of the roots that hold an object, each once, with the names of fields and methods if the file has them. */
export function rootNames(program: Program, { roots }: HeapObjects, row: number): string[] {
  const names = new Set<string>();
  for (let i = 0; i < roots.length; i++) {
    if (roots.row[i] !== row) continue;
    const kind = ROOT_KINDS[roots.kind[i]] ?? 'unknown';
    const name = roots.name?.[i] ?? -1;
    names.add(name < 0 ? kind : `${kind} ${stringAt(program.names, name)}`);
  }
  return names.size === 0 ? ['system-class'] : [...names];
}
