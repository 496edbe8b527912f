/** `calls cut --bytes`: the fewest calls whose removal frees so much code. */
import { z } from 'zod';
import { keptMethods } from '../../../analysis/callgraph/cut/kept-methods.js';
import {
  partsOfCut,
  type SmallestCut,
  smallestCut,
  type WeightedGraph,
} from '../../../analysis/callgraph/cut/smallest-cut.js';
import type { ObservedMethods } from '../../../analysis/callgraph/observed-methods.js';
import { type PathMethods, pathMethodsUse } from '../../../analysis/callgraph/path-methods.js';
import { callerOf, type Reach, reachedMethods, reachFrom } from '../../../analysis/callgraph/reach.js';
import type { ReachedGraph } from '../../../analysis/callgraph/shortest-paths.js';
import { callDominatorsUse, reachedGraphUse, reachUse } from '../../../analysis/callgraph/stages.js';
import { unitedUse } from '../../../analysis/identity/united.js';
import { UNIT_NAMES } from '../../../analysis/scope/filter-language.js';
import { countMarked, taken } from '../../../base/columns/marks.js';
import { UsageError } from '../../../base/errors.js';
import { NONE } from '../../../base/flavor.js';
import { type Note, note } from '../../../base/note.js';
import { phrase, theInput, theOption } from '../../../base/phrase.js';
import { formatBytes, formatCount, plural } from '../../../base/units.js';
import { functionSignature } from '../../../models/program/names.js';
import { SMALLEST_CUT_OPTIONS } from '../../../questions/options/calls.js';
import { columnsOf, common, HEADLINES, listed, listingShape, maybe, number, text } from '../../listing.js';
import { defineView, type ViewInput } from '../../question.js';
import { chosenMethods, requireGraph } from '../choice.js';
import {
  bytecodeOf,
  codeBytesOf,
  missedNotes,
  observedMethods,
  observedNotes,
  profilesOf,
  shortMethodNotes,
} from '../observed.js';
import { CAVEAT } from './cut.js';

const row = z.object({
  proposal: number('Proposal', 'count', 'calls to remove together; the other proposals do not depend on it'),
  bytes: maybe('Freed', 'bytes', 'code that the proposal frees; only in its first row'),
  methods: maybe('Methods', 'count', 'methods that the proposal frees; only in its first row'),
  caller: text('Caller', 'the method that makes the call'),
  callee: text('Callee', 'the method that is called'),
  sites: number('Sites', 'count', 'places in the caller with this call'),
});

export const smallestCutView = defineView({
  name: 'calls-smallest-cut',
  version: 1,
  title: 'The smallest cut that frees so much code',
  options: SMALLEST_CUT_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    measure: z.enum(['code', 'bytecode']).describe('machine code by the report, or bytecode by the class path'),
    goal: z.number().describe('bytes that were asked for'),
    freed: z.number().nullable().describe('bytes that all proposals free; null if so much cannot be freed'),
    freed_methods: z.number().nullable().describe('methods that are no longer reachable; null likewise'),
    most: z.number().describe('bytes of all methods that need not stay: no cut frees more'),
    least_calls: z.number().nullable().describe('no cut that frees as much has fewer calls; null likewise'),
    proposals: z.number().describe('sets of calls that do not depend on each other'),
    reachable: z.number().describe('methods that are reachable now'),
    reachable_bytes: z.number().describe('their bytes'),
    must_stay: z.number().describe('methods that must stay: entries, those seen or named, and those on a path to them'),
  },
  takesRuns: true,
  needs: (input) => {
    const { codeBytes } = requireGraph(input);
    const { classes } = input.library;
    if (input.runs.length > 0) throw new UsageError('calls cut takes one report at a time', { code: 'one-report' });
    if (codeBytes === undefined && classes === undefined)
      throw new UsageError('the sizes of methods are unknown: the report has none', {
        code: 'needs-classes',
        advice: phrase`Pass the classes of the program with ${theInput('classes', { choose: 'PATH' })}.`,
        action: { give: ['classes'] },
      });
    const profiles = profilesOf(input);
    return {
      graph: reachedGraphUse(input.subject),
      reach: reachUse(input.subject),
      dominators: callDominatorsUse(input.subject),
      methods: codeBytes === undefined ? pathMethodsUse(input.subject, classes) : undefined,
      united: profiles.length === 0 ? undefined : unitedUse([input, ...profiles].map(({ subject }) => subject)),
    };
  },
  refuses: ['sort'],
  answer: async (input, options, { graph, reach, dominators, methods, united }) => {
    const goal = bytesIn(options.bytes);
    const { smallest, lines, facts } = await input.kept('cut', bytesOfParts, async (work) => {
      const reached = reachedMethods(graph.index.graph, reach);
      const observed = united && observedMethods(input, reached, united);
      const sizes = sizesOf(input, graph, methods);
      const bytes = sizes.map((size) => (Number.isNaN(size) ? 0 : size));
      const stays = keptMethods(graph, neededMethods(input, graph, options.keep, observed));
      const weighted = { graph, bytes, stays, dominators };
      const smallest = await smallestCut(weighted, goal, work);
      requireFreed(graph, smallest, reach);
      return { smallest, lines: linesOf(weighted, smallest), facts: { sizes, stays, observed, reached } };
    });
    const { cut, most, leastCalls } = smallest;
    const { program } = input.recording;
    const method = (id: number): string => functionSignature(program, graph.functions[id]);
    const cells = {
      proposal: (i: number) => lines[i].proposal,
      bytes: (i: number) => lines[i].bytes,
      methods: (i: number) => lines[i].methods,
      caller: (i: number) => method(lines[i].caller),
      callee: (i: number) => method(lines[i].callee),
      sites: (i: number) => sitesOf(graph, lines[i]),
    };
    const sums = {
      measure: methods === undefined ? ('code' as const) : ('bytecode' as const),
      goal,
      freed: cut?.bytes ?? null,
      freed_methods: cut === undefined ? null : countMarked(cut.freed),
      most,
      least_calls: cut === undefined ? null : leastCalls,
      proposals: lines.at(-1)?.proposal ?? 0,
      reachable: reach.count,
      reachable_bytes: facts.sizes.reduce((sum, size) => sum + (Number.isNaN(size) ? 0 : size), 0),
      must_stay: countMarked(facts.stays),
    };
    return {
      ...common(input, notesOn(input, facts)),
      headlines: headlinesOf(sums, lines.length),
      ...sums,
      ...(await listed(cells, { columns: columnsOf(row), count: lines.length, input, usual: undefined })),
    };
  },
});

/** An amount of bytes: a number, with or without a unit. Throws `UsageError` for other texts, and for nothing. */
function bytesIn(amount: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?|\.\d+)\s*([A-Za-z]*)$/.exec(amount.trim()) ?? [];
  const [measured, size] = unit === '' ? ['bytes', 1] : (UNIT_NAMES[unit] ?? [undefined, 1]);
  const bytes = Math.ceil(Number(number) * size);
  if (number !== undefined && measured === 'bytes' && bytes > 0) return bytes;
  throw new UsageError(`${amount} is no amount of code`, {
    code: 'no-amount',
    advice: 'Give bytes above 0: 20MB, 512KiB or a number.',
  });
}

/** By number: bytes of code; NaN if unknown. */
function sizesOf(input: ViewInput, { functions }: ReachedGraph, methods: PathMethods | undefined): Float64Array {
  if (methods !== undefined) return Float64Array.from(functions, (id) => bytecodeOf(methods, id));
  return Float64Array.from(taken(codeBytesOf(input), functions));
}

/** By number: 1 for methods that profiles saw or may have seen, and for those that a person names. */
function neededMethods(
  input: ViewInput,
  { functions, numbers }: ReachedGraph,
  keep: string | undefined,
  observed: ObservedMethods | undefined,
): Uint8Array {
  const isNeeded = Uint8Array.from(functions, (id) => (observed === undefined || observed.seen[id] === 0 ? 0 : 1));
  if (keep !== undefined) for (const id of chosenMethods(input, keep)) if (numbers[id] >= 0) isNeeded[numbers[id]] = 1;
  return isNeeded;
}

/** Removes the calls from the report and searches it again. Throws if the search does not miss exactly what the cut frees. */
function requireFreed({ index, numbers, functions }: ReachedGraph, { cut }: SmallestCut, { by }: Reach): void {
  if (cut === undefined) return;
  const { freed } = cut;
  const { graph } = index;
  const edge = (target: number): boolean => {
    const caller = numbers[callerOf(graph, target)];
    return caller >= 0 && freed[caller] === 0 && freed[numbers[graph.targets.callee[target]]] === 1;
  };
  const left = reachFrom(index, graph.entries.function, { edge });
  const isRight = functions.every((id, i) => by[id] !== NONE && (left.by[id] === NONE) === (freed[i] === 1));
  if (!isRight) throw new Error('a search without the calls of a cut reaches other methods than the cut leaves');
}

/** A call to remove, by the numbers of its methods. Bytes and methods are those of the proposal, in its first line. */
interface CutLine {
  readonly proposal: number;
  readonly caller: number;
  readonly callee: number;
  readonly bytes: number | null;
  readonly methods: number | null;
}

/** The calls by proposal, that with the most bytes first. */
function linesOf({ graph, bytes }: WeightedGraph, { cut }: SmallestCut): CutLine[] {
  if (cut === undefined) return [];
  const part = partsOfCut(graph, cut.freed);
  const proposals = new Map<number, { bytes: number; methods: number; calls: { caller: number; callee: number }[] }>();
  for (let id = 0; id < part.length; id++) {
    if (part[id] < 0) continue;
    const proposal = proposals.get(part[id]) ?? { bytes: 0, methods: 0, calls: [] };
    proposal.bytes += bytes[id];
    proposal.methods++;
    proposals.set(part[id], proposal);
  }
  const { first, callees } = graph;
  for (let caller = 0; caller < part.length; caller++)
    if (cut.freed[caller] === 0)
      for (let at = first[caller]; at < first[caller + 1]; at++)
        proposals.get(part[callees[at]])?.calls.push({ caller, callee: callees[at] });
  return [...proposals.values()]
    .sort((a, b) => b.bytes - a.bytes)
    .flatMap((proposal, i) =>
      proposal.calls.map((call, at) => ({
        proposal: i + 1,
        ...call,
        bytes: at === 0 ? proposal.bytes : null,
        methods: at === 0 ? proposal.methods : null,
      })),
    );
}

function sitesOf({ index, functions }: ReachedGraph, { caller, callee }: CutLine): number {
  const { graph, callers } = index;
  const sites = new Set<number>();
  for (let at = callers.first[functions[callee]]; at < callers.first[functions[callee] + 1]; at++)
    if (callerOf(graph, callers.rows[at]) === functions[caller]) sites.add(graph.targets.site[callers.rows[at]]);
  return sites.size;
}

/** What is known of the methods, by number, and by function what was observed and what is reached. */
interface Facts {
  readonly sizes: Float64Array;
  readonly stays: Uint8Array;
  readonly observed: ObservedMethods | undefined;
  readonly reached: Uint8Array;
}

interface Parts {
  readonly smallest: SmallestCut;
  readonly lines: readonly CutLine[];
  readonly facts: Facts;
}

function bytesOfParts({ lines, facts: { sizes, stays, reached } }: Parts): number {
  return 60 * lines.length + sizes.byteLength + 2 * stays.byteLength + 2 * reached.byteLength;
}

interface Sums {
  readonly measure: string;
  readonly goal: number;
  readonly freed: number | null;
  readonly freed_methods: number | null;
  readonly most: number;
  readonly least_calls: number | null;
  readonly proposals: number;
  readonly reachable_bytes: number;
  readonly must_stay: number;
}

function headlinesOf(sums: Sums, calls: number): string[] {
  const { measure, goal, freed, freed_methods: methods, most, least_calls: least, reachable_bytes: all } = sums;
  const word = measure === 'code' ? 'machine code' : 'bytecode';
  if (freed === null || methods === null || least === null)
    return [
      `${formatBytes(goal)} of ${word} cannot be freed: ${formatBytes(most)} at most. ${plural(sums.must_stay, 'method')} that must stay have ${formatBytes(all - most)}.`,
    ];
  const percent = ((100 * freed) / Math.max(1, all)).toFixed(1);
  const bound =
    least === calls
      ? 'No cut that frees as much has fewer'
      : `A cut that frees as much has ${formatCount(least)} or more`;
  return [
    `Without ${plural(calls, 'call')} in ${plural(sums.proposals, 'proposal')}, ${plural(methods, 'method')} with ${formatBytes(freed)} of ${word} (${percent} %) are no longer reachable. ${bound}.`,
  ];
}

function notesOn(input: ViewInput, { sizes, stays, observed, reached }: Facts): Note[] {
  const unknown = sizes.reduce((sum, size) => sum + (Number.isNaN(size) ? 1 : 0), 0);
  return [
    CAVEAT,
    ...(observed === undefined
      ? [
          note(
            'nothing-observed-stays',
            phrase`Any method but an entry may go: ${theInput('observed', { choose: 'FILE' })} keeps those that a profile saw, ${theOption('keep', { choose: 'METHODS' })} others, each with a path from an entry.`,
            { action: { give: ['observed'] } },
          ),
        ]
      : [
          note(
            'stays',
            `${plural(countMarked(stays), 'method')} must stay: entries, those that the profile saw, and a path to each of these.`,
          ),
          ...observedNotes(input, reached, observed),
          ...missedNotes(observed),
          ...shortMethodNotes(input),
        ]),
    ...(unknown > 0
      ? [
          note(
            'sizes-unknown',
            `The size of ${plural(unknown, 'reachable method')} is unknown: ${unknown === 1 ? 'it counts' : 'they count'} as 0.`,
          ),
        ]
      : []),
  ];
}
