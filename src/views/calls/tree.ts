/** `tree` of a reported call graph: the tree of its report, or the one below some methods, in the words of the report. */
import { z } from 'zod';
import { callIndexUse } from '../../analysis/callgraph/stages.js';
import type { CallGraph } from '../../models/callgraph/call-graph.js';
import { type TreeOrder, treeOrder } from '../../models/callgraph/tree-order.js';
import { functionSignature } from '../../models/program/names.js';
import type { FunctionId } from '../../models/program/program.js';
import { CALL_TREE_OPTIONS } from '../../questions/options/calls.js';
import { FILE_ID, idCell, idNotes, withIds } from '../file-ids.js';
import { columnsOf, common, HANDLE, listingShape, maybeText, range, text } from '../listing.js';
import { defineView } from '../question.js';
import { rowsOfCells } from '../row-table.js';
import { bciText, chosenMethods, methodHandles, requireGraph, wordsOf } from './choice.js';
import { CALLS_COLUMN, callsAt, countNotes, countsOf, countsUses } from './counted.js';

const row = z.object({
  calls: CALLS_COLUMN,
  at: maybeText(
    'BCI',
    'bytecode index of the call, the innermost inlined position first; null for entries and targets',
  ),
  file_id: FILE_ID,
  function: text('Call', 'how the line above calls, and the method'),
});

const node = row.extend({
  id: z.number().describe('number of the row in the whole tree'),
  parent: z.number().describe('id of the row above, -1 at the top'),
  depth: z.number(),
  expanded: z
    .boolean()
    .describe('whether the calls of the method are below this row; false if they are elsewhere in the tree'),
  handle: HANDLE,
});

export const callTreeView = defineView({
  name: 'calls-tree',
  version: 2,
  title: 'Call tree',
  options: CALL_TREE_OPTIONS,
  shape: listingShape(node),
  refuses: ['sort'],
  needs: (input) => ({ index: callIndexUse(input.subject), ...countsUses(input) }),
  answer: async (input, { method, depth, ids }, joined) => {
    const { program } = input.recording;
    const graph = requireGraph(input);
    const counts = await countsOf(input, joined);
    const { offset, limit } = input.page;
    const { starts, order } = await input.kept('order', bytesOfOrder, () => {
      const starts = method === undefined ? [...new Set(graph.entries.function)] : chosenMethods(input, method);
      return { starts, order: treeOrder(graph, program.functions.length, starts) };
    });
    const { lines, count } = await input.kept(`page ${offset} ${limit}`, bytesOfPage, () => {
      const walk = new TreeWalk(graph, order, depth);
      const pageLines = walk.lines(starts, offset, limit === 0 ? Number.POSITIVE_INFINITY : limit);
      return { lines: pageLines, count: walk.count };
    });
    const name = (id: FunctionId): string => functionSignature(program, id);
    const handle = methodHandles(program, graph);
    return {
      ...common(input, [...countNotes(counts, input), ...idNotes(ids, program)]),
      columns: withIds(columnsOf(row), ids).filter(({ key }) => counts !== undefined || key !== 'calls'),
      total: count,
      offset,
      rows: rowsOfCells(
        {
          id: (i: number) => lines[i].id,
          parent: (i: number) => lines[i].parent,
          depth: (i: number) => lines[i].depth,
          expanded: (i: number) => lines[i].expanded,
          calls: (i: number) => callsAt(counts, lines[i].target),
          at: (i: number) => (lines[i].site < 0 ? null : bciText(graph, lines[i].site)),
          function: (i: number) => [lines[i].words, name(lines[i].method)].filter((word) => word !== '').join(' '),
          ...idCell(ids, program, (i) => lines[i].method),
          handle: (i: number) => handle(lines[i].method),
        },
        range(0, lines.length),
      ),
    };
  },
});

interface Line {
  readonly id: number;
  readonly parent: number;
  readonly depth: number;
  readonly expanded: boolean;
  readonly words: string;
  readonly method: FunctionId;
  readonly site: number;
  /** The row of targets; -1 of entries and virtual calls. */
  readonly target: number;
}

function bytesOfOrder({ order: { first, sites, expandedAt } }: { readonly order: TreeOrder }): number {
  return first.byteLength + sites.byteLength + expandedAt.byteLength;
}

function bytesOfPage({ lines }: { readonly lines: readonly Line[] }): number {
  return 100 * lines.length;
}

/** Sites of a method, or targets of a virtual site. */
interface Open {
  next: number;
  readonly end: number;
  readonly isTargets: boolean;
  readonly id: number;
}

/** Walks the whole tree; keeps the lines of the page. */
class TreeWalk {
  count = 0;
  readonly #graph: CallGraph;
  readonly #order: TreeOrder;
  readonly #deepest: number;
  readonly #open: Open[] = [];
  #page: Line[] = [];
  #from = 0;
  #to = 0;

  constructor(graph: CallGraph, order: TreeOrder, deepest: number) {
    this.#graph = graph;
    this.#order = order;
    this.#deepest = deepest === 0 ? Number.POSITIVE_INFINITY : deepest;
  }

  lines(starts: readonly FunctionId[], offset: number, limit: number): Line[] {
    this.#from = offset;
    this.#to = offset + limit;
    for (const start of starts) {
      const id = this.#line('', start, -1, true);
      this.#openMethod(start, id);
      for (let open = this.#open.at(-1); open !== undefined; open = this.#open.at(-1)) {
        if (open.next >= open.end) this.#open.pop();
        else if (open.isTargets) this.#target(open);
        else this.#site(open);
      }
    }
    return this.#page;
  }

  #site(open: Open): void {
    const { sites, targets } = this.#graph;
    const site = this.#order.sites[open.next++];
    const [start, end] = [sites.first[site], sites.first[site + 1]];
    const { calls, target } = wordsOf(sites, site);
    if (target !== undefined) {
      const id = this.#line(calls, sites.declared[site], site, start < end);
      if (this.#open.length < this.#deepest) this.#open.push({ next: start, end, isTargets: true, id });
    } else if (start < end) this.#callee(calls, targets.callee[start], start, site);
  }

  #target(open: Open): void {
    const row = open.next++;
    const { sites, targets } = this.#graph;
    this.#callee(`is ${wordsOf(sites, targets.site[row]).target}`, targets.callee[row], row, -1);
  }

  #callee(words: string, callee: FunctionId, target: number, site: number): void {
    const isExpanded = this.#order.expandedAt[callee] === target;
    const id = this.#line(words, callee, site, isExpanded, target);
    if (isExpanded) this.#openMethod(callee, id);
  }

  #openMethod(method: FunctionId, id: number): void {
    const { first } = this.#order;
    if (this.#open.length < this.#deepest)
      this.#open.push({ next: first[method], end: first[method + 1], isTargets: false, id });
  }

  #line(words: string, method: FunctionId, site: number, expanded: boolean, target = -1): number {
    const id = this.count++;
    if (id >= this.#from && id < this.#to) {
      const parent = this.#open.at(-1)?.id ?? -1;
      this.#page.push({ id, parent, depth: this.#open.length, expanded, words, method, site, target });
    }
    return id;
  }
}
