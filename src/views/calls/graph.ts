/** `calls graph`: the neighbourhood of methods as a small graph: which of its methods call which. */
import { z } from 'zod';
import { neighbourhood } from '../../analysis/callgraph/neighbourhood.js';
import type { CallIndex } from '../../analysis/callgraph/reach.js';
import { callIndexUse } from '../../analysis/callgraph/stages.js';
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { plural } from '../../base/units.js';
import { CALL_KINDS } from '../../models/callgraph/call-graph.js';
import { functionSignature } from '../../models/program/names.js';
import { GRAPH_OPTIONS } from '../../questions/options/calls.js';
import { columnsOf, common, HANDLE, HEADLINES, listed, listingShape, number, range, text } from '../listing.js';
import { defineView } from '../question.js';
import { rowsOfCells } from '../row-table.js';
import { chosenMethods, chosenText, marksOf } from './choice.js';

const row = z.object({
  calls: number('Calls', 'count', 'calls in the code of the caller that may reach the callee'),
  kind: text('Kind', 'direct, virtual, or both'),
  caller: text('Caller', 'class, method and parameter types'),
  callee: text('Callee', 'class, method and parameter types'),
  from: z.number().int().describe('index of the caller in `nodes`'),
  to: z.number().int().describe('index of the callee in `nodes`'),
});

const node = z.object({
  method: z.string().describe('class, method and parameter types'),
  distance: z.number().int().describe('calls from the methods asked for; negative for callers'),
  entry: z.boolean().describe('whether it is an entry of the report'),
  handle: HANDLE,
});

export const graphView = defineView({
  name: 'calls-graph',
  version: 1,
  title: 'Calls around a method',
  options: GRAPH_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    nodes: z.array(node).describe('the methods: those asked for, then level by level'),
    left_out: z.number().describe('methods within the depth that are beyond the limit'),
  },
  needs: (input) => ({ index: callIndexUse(input.subject) }),
  answer: async (input, { method, depth, most }, { index }) => {
    const { program } = input.recording;
    const { chosen, methods, distance, left } = await input.kept('methods', bytesAround, () => {
      const chosen = chosenMethods(input, method);
      return { chosen, ...neighbourhood(index, chosen, { depth, most }) };
    });
    const isEntry = marksOf(index.graph.entries.function, index.functions);
    const names = methods.map((id) => functionSignature(program, id));
    const edges = edgesAmong(index, methods);
    const cells = {
      calls: (i: number) => edges[i]?.calls ?? 0,
      kind: (i: number) => edges[i]?.kind ?? '',
      caller: (i: number) => names[edges[i]?.from ?? -1] ?? '',
      callee: (i: number) => names[edges[i]?.to ?? -1] ?? '',
      from: (i: number) => edges[i]?.from ?? -1,
      to: (i: number) => edges[i]?.to ?? -1,
    };
    const columns = columnsOf(row).filter(({ key }) => key !== 'from' && key !== 'to');
    return {
      ...common(input, left > 0 ? [moreMethods(left, depth)] : []),
      headlines: [
        `${chosenText(program, chosen, method)}: ${plural(methods.length, 'method')}, ${plural(edges.length, 'edge')}`,
      ],
      nodes: rowsOfCells(
        {
          method: (i: number) => names[i] ?? '',
          distance: (i: number) => distance[i] ?? 0,
          entry: (i: number) => isEntry[methods[i]] === 1,
          handle: (i: number) => functionHandle(program, methods[i]),
        },
        range(0, methods.length),
      ),
      left_out: left,
      ...(await listed(cells, { columns, count: edges.length, input, usual: undefined })),
    };
  },
});

function bytesAround({ chosen }: { readonly chosen: readonly number[] }): number {
  return 8 * chosen.length;
}

interface Edge {
  readonly from: number;
  readonly to: number;
  calls: number;
  kind: string;
}

/** The calls among methods, those of two methods joined, in the order of the callers. */
function edgesAmong({ graph, functions, sites: sitesOf }: CallIndex, methods: readonly number[]): Edge[] {
  const { sites, targets } = graph;
  const nodeOf = new Int32Array(functions).fill(-1);
  methods.forEach((id, i) => {
    nodeOf[id] = i;
  });
  const edges: Edge[] = [];
  for (const [callerNode, id] of methods.entries()) {
    const edgeOf = new Map<number, Edge>();
    for (let at = sitesOf.first[id]; at < sitesOf.first[id + 1]; at++) {
      const site = sitesOf.rows[at];
      const kind = CALL_KINDS[sites.kind[site]] ?? 'unknown';
      for (let target = sites.first[site]; target < sites.first[site + 1]; target++) {
        const to = nodeOf[targets.callee[target]];
        if (to < 0) continue;
        const edge = edgeOf.get(to) ?? { from: callerNode, to, calls: 0, kind };
        edge.calls++;
        if (!edge.kind.includes(kind)) edge.kind += `, ${kind}`;
        edgeOf.set(to, edge);
      }
    }
    edges.push(...edgeOf.values());
  }
  return edges;
}

function moreMethods(count: number, depth: number): Note {
  return note(
    'methods-left-out',
    phrase`${plural(count, 'further method')} within ${plural(depth, 'call')}: ${theOption('most', { choose: 'N' })} shows more.`,
    { action: { choose: ['most'] } },
  );
}
