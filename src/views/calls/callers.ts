/** `callers` of a reported call graph: the calls of a method, and the calls in it, site by site. */
import { z } from 'zod';
import { type CallIndex, callerOf } from '../../analysis/callgraph/reach.js';
import { callIndexUse, reachUse } from '../../analysis/callgraph/stages.js';
import { NONE } from '../../base/flavor.js';
import { functionSignature } from '../../models/program/names.js';
import { CALL_CALLERS_OPTIONS } from '../../questions/options/calls.js';
import { FILE_ID, idCell, idNotes, withIds } from '../file-ids.js';
import { columnsOf, common, HANDLE, HEADLINES, listed, listingShape, maybe, maybeText, text } from '../listing.js';
import { defineView } from '../question.js';
import {
  bciText,
  callText,
  chosenMethods,
  chosenText,
  entryReasons,
  factoryText,
  methodHandles,
  wordsOf,
} from './choice.js';
import { CALLS_COLUMN, callsAt, countNotes, countsOf, countsUses } from './counted.js';

const row = z.object({
  relation: text('', 'entry, caller, or callee'),
  at: maybeText('BCI', 'bytecode index of the call, the innermost inlined position first'),
  call: text('Call', 'how the caller calls; of an entry, its reason'),
  calls: CALLS_COLUMN,
  distance: maybe('Distance', 'count', 'calls from an entry to the method of the row; null if no entry reaches it'),
  file_id: FILE_ID,
  method: text('Method', 'class, method and parameter types'),
  handle: HANDLE,
});

export const callCallersView = defineView({
  name: 'calls-callers',
  version: 2,
  title: 'Callers and callees',
  options: CALL_CALLERS_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    methods: z.array(z.string()).describe('the methods asked for, 100 at most'),
    callers: z.number().describe('calls of these methods'),
    callees: z.number().describe('targets of calls in these methods'),
  },
  needs: (input) => ({ index: callIndexUse(input.subject), reach: reachUse(input.subject), ...countsUses(input) }),
  answer: async (input, options, { index, reach, ...joined }) => {
    const { program } = input.recording;
    const { graph } = index;
    const counts = await countsOf(input, joined);
    const { chosen, lines } = await input.kept('lines', bytesOfLines, () => {
      const chosen = chosenMethods(input, options.method);
      return { chosen, lines: linesOf(index, chosen) };
    });
    const callers = lines.filter(({ relation }) => relation === 'caller').length;
    const entries = lines.filter(({ relation }) => relation === 'entry').length;
    const handle = methodHandles(program, graph);
    const line = (i: number): Line => lines[i] ?? NO_LINE;
    const site = (i: number): number => (line(i).target < 0 ? line(i).site : graph.targets.site[line(i).target]);
    const cells = {
      relation: (i: number) => line(i).relation,
      at: (i: number) => (line(i).relation === 'entry' ? null : bciText(graph, site(i))),
      call: (i: number) => {
        if (line(i).relation === 'entry')
          return `${entryReasons(graph, line(i).method).join('; ')}${factoryText(program, line(i).method)}`;
        if (line(i).target >= 0) return callText(program, graph, line(i).target);
        return `${wordsOf(graph.sites, site(i)).calls}, without a target`;
      },
      calls: (i: number) => callsAt(counts, line(i).target),
      distance: (i: number) => (reach.by[line(i).method] === NONE ? null : reach.distance[line(i).method]),
      method: (i: number) => functionSignature(program, line(i).method),
      ...idCell(options.ids, program, (i) => line(i).method),
    };
    return {
      ...common(input, [...countNotes(counts, input), ...idNotes(options.ids, program)]),
      headlines: [chosenText(program, chosen, options.method)],
      methods: chosen.slice(0, 100).map((id) => functionSignature(program, id)),
      callers,
      callees: lines.length - callers - entries,
      ...(await listed(cells, {
        columns: withIds(columnsOf(row), options.ids).filter(({ key }) => counts !== undefined || key !== 'calls'),
        count: lines.length,
        input,
        usual: undefined,
        handle: (i) => handle(line(i).method),
      })),
    };
  },
});

/** A row of targets, or a site without one. */
interface Line {
  readonly relation: 'entry' | 'caller' | 'callee';
  readonly target: number;
  readonly site: number;
  /** The method at the other end. */
  readonly method: number;
}

const NO_LINE: Line = { relation: 'entry', target: NONE, site: NONE, method: NONE };

function bytesOfLines({ chosen, lines }: { readonly chosen: readonly number[]; readonly lines: readonly Line[] }) {
  return 8 * chosen.length + 50 * lines.length;
}

function linesOf({ graph, sites: sitesOf, callers }: CallIndex, chosen: readonly number[]): Line[] {
  const { sites, targets, entries } = graph;
  const lines: Line[] = [];
  const isChosen = new Set(chosen);
  const entered = new Set([...entries.function].filter((id) => isChosen.has(id)));
  for (const method of entered) lines.push({ relation: 'entry', target: NONE, site: NONE, method });
  for (const id of chosen)
    for (let at = callers.first[id]; at < callers.first[id + 1]; at++) {
      const target = callers.rows[at];
      lines.push({ relation: 'caller', target, site: NONE, method: callerOf(graph, target) });
    }
  for (const id of chosen)
    for (let at = sitesOf.first[id]; at < sitesOf.first[id + 1]; at++) {
      const site = sitesOf.rows[at];
      for (let target = sites.first[site]; target < sites.first[site + 1]; target++)
        lines.push({ relation: 'callee', target, site, method: targets.callee[target] });
      if (sites.first[site] === sites.first[site + 1])
        lines.push({ relation: 'callee', target: NONE, site, method: sites.declared[site] });
    }
  return lines;
}
