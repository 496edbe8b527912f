/** `calls graph`: the neighbourhood of methods as a small graph: which of its methods call which. */
import { z } from 'zod';
import { neighbourhood } from '../../analysis/callgraph/neighbourhood.js';
import { OBSERVED_NOTE } from '../../analysis/callgraph/observed-graph.js';
import type { CallIndex } from '../../analysis/callgraph/reach.js';
import {
  callIndexUse,
  hasObservedCalls,
  type ObservedIndex,
  observedIndexUse,
} from '../../analysis/callgraph/stages.js';
import type { UnitNodes } from '../../analysis/callgraph/unit-nodes.js';
import { fileIdOf } from '../../analysis/identity/file-ids.js';
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { rowsWhere } from '../../base/columns/marks.js';
import { UsageError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theOption } from '../../base/phrase.js';
import { plural } from '../../base/units.js';
import { CALL_KINDS } from '../../models/callgraph/call-graph.js';
import type { StageUse } from '../../models/open-recording.js';
import { functionSignature } from '../../models/program/names.js';
import type { FunctionId } from '../../models/program/program.js';
import { GRAPH_OPTIONS } from '../../questions/options/calls.js';
import { columnsOf, common, HANDLE, HEADLINES, listed, listingShape, maybe, number, range, text } from '../listing.js';
import { defineView, type ViewInput } from '../question.js';
import { rowsOfCells } from '../row-table.js';
import { bciText, chosenMethods, chosenText, marksOf } from './choice.js';

/** The root of the unit that a method was compiled in. */
const UNIT = z.string().nullable().meta({
  title: 'Compiled in',
  unit: 'text',
  description: 'with inlining: the method whose compilation has the call; null outside of units',
});

const row = z.object({
  count: maybe(
    'Counted',
    'count',
    'of profiles: inlined calls at this place; null if seen but not counted, and of reports',
  ),
  calls: number(
    'Calls',
    'count',
    'calls in the code of the caller that may reach the callee; of profiles, each is a row',
  ),
  at: text('BCI', 'bytecode indexes of these calls'),
  kind: text('Kind', 'direct, virtual, or both; unknown, where a profile has no receiver types'),
  caller: text('Caller', 'class, method and parameter types'),
  callee: text('Callee', 'class, method and parameter types'),
  from: z.number().int().describe('index of the caller in `nodes`'),
  to: z.number().int().describe('index of the callee in `nodes`'),
  unit: UNIT,
});

const node = z.object({
  method: z.string().describe('class, method and parameter types'),
  distance: z.number().int().describe('calls from the methods asked for; negative for callers'),
  entry: z
    .boolean()
    .describe('whether it is an entry of the report; of profiles, whether it has calls without recorded callers'),
  unit: z.string().nullable().describe('with inlining: the method whose compilation it is in'),
  file_id: z.number().nullable().describe('number in the file, if it has one'),
  count: z
    .number()
    .nullable()
    .describe('of profiles: counted calls over all contexts; null if there are none, and of reports'),
  apart: z
    .number()
    .nullable()
    .describe('of profiles: those of them without a recorded caller, since the method was not inlined'),
  handle: HANDLE,
});

export const graphView = defineView({
  name: 'calls-graph',
  version: 3,
  title: 'Calls around a method',
  options: GRAPH_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    nodes: z.array(node).describe('the methods: those asked for, then level by level'),
    left_out: z.number().describe('methods within the depth that are beyond the limit'),
  },
  needs: (input, { inlining }) => {
    if (hasObservedCalls(input.recording)) return { index: observedIndexUse(input.subject, inlining) };
    if (inlining) throw noUnits();
    const index: StageUse<ObservedIndex> = callIndexUse(input.subject);
    return { index };
  },
  answer: async (input, { method, depth, most }, { index }) => {
    const { program } = input.recording;
    const { units } = index;
    const functionOf = (id: number): FunctionId => (units === undefined ? id : units.function[id]);
    const unitOf = (id: number): string | null => {
      const root = units?.root[id] ?? NONE;
      return root < 0 ? null : functionSignature(program, root);
    };
    const { chosen, methods, distance, left } = await input.kept('methods', bytesAround, () => {
      const { chosen, middle } = chosenNodes(input, method, index, units);
      return { chosen, ...neighbourhood(index, middle, { depth, most }) };
    });
    const isEntry = marksOf(index.graph.entries.function, index.functions);
    const names = methods.map((id) => functionSignature(program, functionOf(id)));
    const isObserved = hasObservedCalls(input.recording);
    const edges = edgesAmong(index, methods, isObserved);
    const counts = isObserved ? countsOfMethods(index, methods) : undefined;
    const cells = {
      count: (i: number) => edges[i]?.count ?? null,
      calls: (i: number) => edges[i]?.calls ?? 0,
      at: (i: number) => edges[i]?.places.join(', ') ?? '',
      kind: (i: number) => edges[i]?.kind ?? '',
      caller: (i: number) => names[edges[i]?.from ?? -1] ?? '',
      callee: (i: number) => names[edges[i]?.to ?? -1] ?? '',
      from: (i: number) => edges[i]?.from ?? -1,
      to: (i: number) => edges[i]?.to ?? -1,
      unit: (i: number) => unitOf(methods[edges[i]?.from ?? -1] ?? NONE),
    };
    const hidden = ['from', 'to', ...(isObserved ? ['calls'] : ['count']), ...(units === undefined ? ['unit'] : [])];
    const columns = columnsOf(row).filter(({ key }) => !hidden.includes(key));
    return {
      ...common(input, [...(left > 0 ? [moreMethods(left, depth)] : []), ...(isObserved ? [OBSERVED_NOTE] : [])]),
      headlines: [
        `${chosenText(program, chosen, method)}: ${plural(methods.length, 'method')}, ${plural(edges.length, 'edge')}`,
      ],
      nodes: rowsOfCells(
        {
          method: (i: number) => names[i] ?? '',
          distance: (i: number) => distance[i] ?? 0,
          entry: (i: number) => isEntry[methods[i]] === 1,
          unit: (i: number) => unitOf(methods[i]),
          file_id: (i: number) => fileIdOf(program.functions, functionOf(methods[i])),
          count: (i: number) => counts?.[i]?.all ?? null,
          apart: (i: number) => counts?.[i]?.apart ?? null,
          handle: (i: number) => functionHandle(program, functionOf(methods[i])),
        },
        range(0, methods.length),
      ),
      left_out: left,
      ...(await listed(cells, { columns, count: edges.length, input, usual: undefined })),
    };
  },
});

function noUnits(): UsageError {
  return new UsageError(phrase`${theOption('inlining')} is for PGO profiles: a report has no compilations`, {
    code: 'profiles-only',
    action: { omit: ['inlining'] },
  });
}

/** The functions that a text names, and their nodes in the graph: with units one for each unit. */
function chosenNodes(input: ViewInput, text: string, { graph, functions }: CallIndex, units: UnitNodes | undefined) {
  if (units === undefined) {
    const chosen = chosenMethods(input, text, graph);
    return { chosen, middle: chosen };
  }
  const isNode = marksOf(graph.methods, functions);
  const chosen = chosenMethods(input, text, { ...graph, methods: units.function });
  const isChosen = marksOf(chosen, input.recording.program.functions.length);
  const middle = rowsWhere(units.length, (node) => isNode[node] === 1 && isChosen[units.function[node]] === 1);
  return { chosen, middle: [...middle] };
}

function bytesAround({ chosen }: { readonly chosen: readonly number[] }): number {
  return 8 * chosen.length;
}

interface Edge {
  readonly from: number;
  readonly to: number;
  calls: number;
  kind: string;
  readonly places: string[];
  /** Null if they were not counted. */
  readonly count: number | null;
}

/** The calls among methods in the order of the callers; those of two methods are joined, unless each has a count of its own. */
function edgesAmong(
  { graph, functions, sites: sitesOf }: CallIndex,
  methods: readonly number[],
  isObserved: boolean,
): Edge[] {
  const { sites, targets } = graph;
  const nodeOf = new Int32Array(functions).fill(-1);
  methods.forEach((id, i) => {
    nodeOf[id] = i;
  });
  const edges: Edge[] = [];
  for (const [callerNode, id] of methods.entries()) {
    const edgeOf = new Map<string, Edge>();
    for (let at = sitesOf.first[id]; at < sitesOf.first[id + 1]; at++) {
      const site = sitesOf.rows[at];
      const kind = CALL_KINDS[sites.kind[site]] ?? 'unknown';
      for (let target = sites.first[site]; target < sites.first[site + 1]; target++) {
        const to = nodeOf[targets.callee[target]];
        if (to < 0) continue;
        const key = isObserved ? `${to} ${site}` : String(to);
        const count = isObserved ? knownCount(targets.count?.[target]) : null;
        const edge = edgeOf.get(key) ?? { from: callerNode, to, calls: 0, kind, places: [], count };
        edge.calls++;
        if (!edge.kind.includes(kind)) edge.kind += `, ${kind}`;
        const place = bciText(graph, site);
        if (!edge.places.includes(place)) edge.places.push(place);
        edgeOf.set(key, edge);
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

function knownCount(count: number | undefined): number | null {
  return count === undefined || Number.isNaN(count) ? null : count;
}

interface MethodCounts {
  /** All counted calls, and those without a recorded caller; null if there are none. */
  readonly all: number | null;
  readonly apart: number | null;
}

/** Counted calls of each method: those of its edges, also from methods that are left out, and of its entries. */
function countsOfMethods({ graph, callers }: CallIndex, methods: readonly number[]): MethodCounts[] {
  const { targets, entries } = graph;
  const entryCounts = new Map<number, number>();
  for (let i = 0; i < entries.length; i++) {
    const count = knownCount(entries.count?.[i]);
    if (count !== null) entryCounts.set(entries.function[i], (entryCounts.get(entries.function[i]) ?? 0) + count);
  }
  return methods.map((id) => {
    let all = entryCounts.get(id) ?? null;
    for (let at = callers.first[id]; at < callers.first[id + 1]; at++) {
      const count = knownCount(targets.count?.[callers.rows[at]]);
      if (count !== null) all = (all ?? 0) + count;
    }
    return { all, apart: entryCounts.get(id) ?? null };
  });
}
