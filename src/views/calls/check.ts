/** `calls check`: methods that a policy forbids and that are reachable, each with the shortest path to it. */
import { z } from 'zod';
import { ALLOWED, type PolicyMarks, patternsOf, policyMarks } from '../../analysis/callgraph/method-policy.js';
import {
  type CallIndex,
  hasEdges,
  pathTo,
  type Reach,
  reachedMethods,
  reachFrom,
} from '../../analysis/callgraph/reach.js';
import { callIndexUse, reachUse } from '../../analysis/callgraph/stages.js';
import { UsageError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { type Note, note } from '../../base/note.js';
import { usingPattern } from '../../base/parsing/pattern.js';
import { phrase, theOption, theView } from '../../base/phrase.js';
import { someNames } from '../../base/some-names.js';
import { stringAt } from '../../base/text.js';
import { formatCount, plural } from '../../base/units.js';
import type { CallGraph } from '../../models/callgraph/call-graph.js';
import { functionSignature } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { CALLS_CHECK_OPTIONS, POLICY_PATHS } from '../../questions/options/calls.js';
import { columnsOf, common, detail, HEADLINES, listingShape, maybe, maybeText, number, range } from '../listing.js';
import { defineView, type ViewInput } from '../question.js';
import { rowsOfCells } from '../row-table.js';
import { NO_CALLS, requireGraph } from './choice.js';
import { PATH_FIELDS, type PathLine, pathCells, pathLines } from './path-lines.js';

const row = z.object({
  path: number('Path', 'count', 'number of the path'),
  ...PATH_FIELDS,
  pattern: maybeText('Forbidden by', 'the pattern that forbids the method; only of the last method of a path'),
  methods: detail(
    1,
    maybe('Methods', 'count', 'forbidden methods that the path stands for; only of the last method of a path'),
  ),
});

const sums = z.object({
  pattern: z.string(),
  methods: z.number().describe('reachable methods that it is the first pattern to forbid'),
});

export const callsCheckView = defineView({
  name: 'calls-check',
  version: 1,
  title: 'Forbidden methods',
  options: CALLS_CHECK_OPTIONS,
  shape: {
    ...listingShape(row),
    headlines: HEADLINES,
    by: z.enum(POLICY_PATHS),
    compared: z.number().describe('methods of the report that were compared with the patterns'),
    forbidden: z.number().describe('reachable methods that a pattern forbids; 0 if the report keeps the policy'),
    allowed: z.number().describe('reachable methods that a pattern forbids and an exception allows'),
    patterns: z.array(sums).describe('each pattern'),
    paths: z.number().describe('shortest paths in all, one for each row of `by`'),
  },
  refuses: ['sort'],
  needs: (input) => {
    requireGraph(input);
    return { index: callIndexUse(input.subject), reach: reachUse(input.subject) };
  },
  answer: async (input, { forbid, allow, by }, { index, reach }) => {
    const policy = policyOf(forbid, allow);
    const parts = await input.kept('violations', bytesOfParts, () => partsOf(input, { ...policy, by }, index, reach));
    const { violations, counts, allowed, search } = parts;
    const forbidden = counts.reduce((sum, count) => sum + count, 0);
    const { offset, limit } = input.page;
    const lines = linesOf(index, search, violations, offset, limit === 0 ? Number.POSITIVE_INFINITY : limit);
    const patterns = policy.forbid.map((pattern, i) => ({ pattern, methods: counts[i] ?? 0 }));
    return {
      ...common(input, notesOn(input, policy, parts, index.graph)),
      headlines: [headline(patterns, forbidden, index.graph.methods.length)],
      by,
      compared: index.graph.methods.length,
      forbidden,
      allowed,
      patterns,
      paths: violations.length,
      columns: columnsOf(row),
      total: violations.reduce((sum, { method }) => sum + linesTo(search(method), method), 0),
      offset,
      rows: rowsOfCells(
        cellsOf(input.recording.program, index, policy.forbid, violations, lines),
        range(0, lines.length),
      ),
    };
  },
});

interface Patterns {
  readonly forbid: readonly string[];
  readonly allow: readonly string[];
}

/** The single patterns. Throws `UsageError` for a policy that forbids nothing, and for excluding filters. */
function policyOf(forbid: readonly string[], allow: readonly string[]): Patterns {
  const policy = { forbid: patternsOf(forbid), allow: patternsOf(allow) };
  if (policy.forbid.length === 0)
    throw new UsageError('no method is forbidden', {
      code: 'needs-patterns',
      advice: phrase`Name what must not be reachable: ${theOption('forbid', { choose: 'METHODS' })}.`,
      action: { choose: ['forbid'] },
    });
  const excluding = [...policy.forbid, ...policy.allow].find((pattern) => pattern.startsWith('~'));
  if (excluding !== undefined)
    throw new UsageError(`${excluding}: a policy has exceptions in place of excluding filters`, {
      code: 'excluding-filter',
      advice: phrase`Name exceptions with ${theOption('allow', { choose: 'METHODS' })}.`,
      action: { choose: ['allow'] },
    });
  return policy;
}

/** A forbidden method that a path leads to; it is the nearest of `methods` ones. */
interface Violation {
  readonly method: FunctionId;
  readonly pattern: number;
  methods: number;
}

interface Parts {
  readonly marks: PolicyMarks;
  /** By pattern, and the nearest first. */
  readonly violations: readonly Violation[];
  /** By pattern: reachable methods. */
  readonly counts: readonly number[];
  readonly allowed: number;
  readonly nameOnly: NamedOnly;
  /** The search that has the path to a method. */
  readonly search: (method: FunctionId) => Reach;
}

/** Marks and a search of their own, and violations. */
function bytesOfParts({ marks, violations }: Parts): number {
  return 4 * marks.pattern.byteLength + 60 * violations.length;
}

function partsOf(
  input: ViewInput,
  { forbid, allow, by }: Patterns & { readonly by: (typeof POLICY_PATHS)[number] },
  index: CallIndex,
  reach: Reach,
): Parts {
  const { graph } = index;
  const { program } = input.recording;
  const marks = usingPattern(`neither methods nor patterns: ${someNames([...forbid, ...allow], 5)}`, () =>
    policyMarks(program, graph.methods, { forbid, allow }),
  );
  const groups = new Map<number, Violation>();
  const counts = forbid.map(() => 0);
  let allowed = 0;
  const holder = program.functions.class;
  const outside = reachFromOutside(program, marks, index, reach);
  for (const method of nearestFirst(graph, outside, reach)) {
    const pattern = marks.pattern[method];
    if (pattern === ALLOWED) allowed++;
    if (pattern < 0) continue;
    counts[pattern] = (counts[pattern] ?? 0) + 1;
    // Methods without a class are groups of their own.
    const group = by === 'pattern' ? pattern : by === 'class' && holder[method] >= 0 ? holder[method] : ~method;
    const violation = groups.get(group);
    if (violation === undefined) groups.set(group, { method, pattern, methods: 1 });
    else violation.methods++;
  }
  const violations = [...groups.values()].sort((a, b) => a.pattern - b.pattern);
  const search = (method: FunctionId): Reach => (outside.by[method] === NONE ? reach : outside);
  const nameOnly = namedOnly(marks, graph, reachedMethods(graph, reach));
  return { marks, violations, counts, allowed, nameOnly, search };
}

/**
 * The search that does not begin at initialisers of forbidden classes: they run because other code uses the class, and a path from there
 * would say nothing of that code.
 */
function reachFromOutside(
  { functions, names }: Program,
  { pattern }: PolicyMarks,
  index: CallIndex,
  reach: Reach,
): Reach {
  const { entries } = index.graph;
  const isInside = (id: FunctionId): boolean => pattern[id] >= 0 && stringAt(names, functions.name[id]) === '<clinit>';
  const starts = entries.function.filter((id) => !isInside(id));
  return starts.length === entries.length ? reach : reachFrom(index, starts);
}

/** The methods of the image: those that entries reach by their distance, from outside first; of lists without calls all. */
function nearestFirst(graph: CallGraph, outside: Reach, reach: Reach): Int32Array {
  if (!hasEdges(graph)) return graph.methods;
  if (outside === reach) return reach.order;
  const order = new Int32Array(reach.count);
  order.set(outside.order);
  order.set(
    reach.order.filter((id) => outside.by[id] === NONE),
    outside.count,
  );
  return order;
}

function linesTo({ by, distance }: Reach, method: FunctionId): number {
  return by[method] === NONE ? 1 : distance[method] + 1;
}

/** A line of a path, and the forbidden method at its end. */
interface CheckedLine extends PathLine {
  /** Of the last line of a path: the index of the violation. */
  readonly violation: number;
}

/** The lines from `offset` on. */
function linesOf(
  index: CallIndex,
  search: Parts['search'],
  violations: readonly Violation[],
  offset: number,
  limit: number,
): CheckedLine[] {
  const lines: CheckedLine[] = [];
  let before = 0;
  for (const [i, { method }] of violations.entries()) {
    const firstLine = before;
    before += linesTo(search(method), method);
    if (before <= offset) continue;
    if (firstLine >= offset + limit) break;
    const steps = pathLines(index.graph, i + 1, pathTo(index, search(method), method));
    const checked = steps.map((line, at) => ({ ...line, violation: at === steps.length - 1 ? i : NONE }));
    lines.push(...checked.slice(Math.max(0, offset - firstLine), offset + limit - firstLine));
  }
  return lines;
}

function cellsOf(
  program: Program,
  { graph }: CallIndex,
  forbid: readonly string[],
  violations: readonly Violation[],
  lines: readonly CheckedLine[],
) {
  const cells = pathCells(program, graph, lines);
  const violationOf = (i: number): Violation | undefined => violations[lines[i].violation];
  return {
    ...cells,
    call: (i: number) => (hasEdges(graph) ? cells.call(i) : 'listed'),
    pattern: (i: number) => forbid[violationOf(i)?.pattern ?? NONE] ?? null,
    methods: (i: number) => violationOf(i)?.methods ?? null,
  };
}

function headline(patterns: readonly z.output<typeof sums>[], forbidden: number, compared: number): string {
  if (forbidden === 0)
    return `No forbidden method is reachable: ${plural(compared, 'method')} of the report compared with ${plural(patterns.length, 'pattern')}.`;
  const broken = patterns.filter(({ methods }) => methods > 0);
  const names = broken.map(({ pattern, methods }) => `${pattern} (${formatCount(methods)})`);
  return `${plural(forbidden, 'forbidden method is', 'forbidden methods are')} reachable, of ${plural(compared, 'method')} of the report; by pattern: ${someNames(names, 8)}.`;
}

function notesOn(
  input: ViewInput,
  { forbid, allow }: Patterns,
  { marks, allowed, nameOnly }: Parts,
  graph: CallGraph,
): Note[] {
  const notes: Note[] = [];
  const unused = [...unusedOf(forbid, marks.isUsed), ...unusedOf(allow, marks.isAllowanceUsed)];
  if (unused.length > 0)
    notes.push(
      note(
        'pattern-without-method',
        `${plural(unused.length, 'pattern matches', 'patterns match')} no method of the report: ${someNames(unused, 8)}.`,
      ),
    );
  if (allowed > 0)
    notes.push(
      note(
        'allowed',
        `${plural(allowed, 'reachable method is', 'reachable methods are')} forbidden, and allowed by an exception.`,
      ),
    );
  if (!hasEdges(graph)) notes.push(NO_CALLS);
  notes.push(...namedNotes(input.recording.program, nameOnly));
  const problems = Object.values(input.recording.problems.counts).reduce((sum, count) => sum + count, 0);
  if (problems > 0)
    notes.push(
      note(
        'check-blind',
        phrase`The report has ${plural(problems, 'problem')}, so calls may be missing in it (${theView('check')} lists them).`,
        { action: { ask: theView('check') } },
      ),
    );
  return notes;
}

function unusedOf(patterns: readonly string[], isUsed: readonly boolean[]): string[] {
  return patterns.filter((_, i) => isUsed[i] === false);
}

/** Calls that name a forbidden method, where the report has no forbidden target: an overriding method, or a class that the analysis lacked. */
interface NamedOnly {
  readonly calls: number;
  readonly withoutTarget: number;
  readonly methods: readonly FunctionId[];
}

function namedOnly({ pattern }: PolicyMarks, { sites, targets }: CallGraph, reached: Uint8Array): NamedOnly {
  const isBroken = (target: number): boolean => pattern[targets.callee[target]] >= 0;
  const methods = new Set<FunctionId>();
  let withoutTarget = 0;
  let calls = 0;
  for (let site = 0; site < sites.length; site++) {
    const declared = sites.declared[site];
    if (declared < 0 || pattern[declared] < 0 || reached[declared] === 1 || reached[sites.caller[site]] === 0) continue;
    if (range(sites.first[site], sites.first[site + 1]).some(isBroken)) continue;
    calls++;
    methods.add(declared);
    if (sites.first[site] === sites.first[site + 1]) withoutTarget++;
  }
  return { calls, withoutTarget, methods: [...methods] };
}

function namedNotes(program: Program, { calls, withoutTarget, methods }: NamedOnly): Note[] {
  if (calls === 0) return [];
  const names = methods.map((id) => functionSignature(program, id));
  return [
    note(
      'forbidden-named',
      `${plural(calls, 'call names', 'calls name')} a forbidden method that is not reachable itself, ${formatCount(withoutTarget)} of them without a target in the report: ${someNames(names, 3)}.`,
    ),
  ];
}
