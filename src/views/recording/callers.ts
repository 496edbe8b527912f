/**
 * `callers`: one function, or a fragment of stacks such as `main -> work`, with its values from each caller and to each callee. Counted
 * calls of a PGO profile are listed call site by call site, from the observed call graph.
 */
import { z } from 'zod';
import { samplingOf } from '../../analysis/sampling-error.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { attributedAround } from '../../analysis/stacks/stack-values.js';
import { exclusiveUse, functionsUse } from '../../analysis/stacks/stages.js';
import { UsageError } from '../../base/errors.js';
import { share } from '../../base/share.js';
import { stringAt } from '../../base/text.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { ARCS } from '../../models/profile/tables.js';
import { functionSignature } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { ERROR_OPTION, endKeys, endsOf, errorNotes, highEnd, lowEnd, withEnds } from '../error-columns.js';
import { common, listingShape, maybe, maybeText, metricColumns, pageOf, type ResultColumn, text } from '../listing.js';
import { METRIC_SHAPE, metricFor, metricOf } from '../metric-choice.js';
import { NOT_INLINED, observedAround, type Neighbour as SiteNeighbour } from '../pgo/observed-callers.js';
import { defineView, functionsNamed, type Page, type ViewInput } from '../question.js';
import { arcNotes, arcsAroundFunctions } from './arcs.js';
import { metricNotes } from './function-values.js';

const row = z.object({
  relation: text('', 'caller, function or callee'),
  attributed: maybe(
    'Attributed',
    'count',
    'value from the caller, of the function itself, or of the callee; null if seen but not counted',
  ),
  attributed_low: lowEnd('Attributed'),
  attributed_high: highEnd('Attributed'),
  share: maybe('Share', 'ratio', "share of the function's total"),
  at: maybeText('At', 'bytecode index of the call in the caller, if calls are recorded by site'),
  function: text('Function', 'class, method and parameter types'),
});

export const callersView = defineView({
  name: 'callers',
  version: 2,
  title: 'Callers and callees',
  options: z.object({
    function: z.string().describe('a function, or a fragment of stacks: `caller -> callee`'),
    metric: z.string().optional(),
    error: ERROR_OPTION,
  }),
  shape: {
    ...listingShape(row),
    functions: z.array(z.string()).describe('the selected functions'),
    metric: z.object(METRIC_SHAPE),
    exclusive: z.number().nullable().describe('null if the recording has inclusive values only'),
    inclusive: z.number().nullable(),
  },
  refuses: ['offset'],
  needs: (input, options) => {
    const metric = metricAround(input, options.metric);
    if (metric.table === ARCS.kind) return {};
    return {
      exclusive: exclusiveUse(input.subject, metric),
      ...(metric.table === CALL_EVENTS.kind ? {} : { functions: functionsUse(input.subject) }),
    };
  },
  answer: (input, options, along: Along) => {
    const profile = requireProfile(input);
    const program = input.recording.program;
    const metric = metricAround(input, options.metric);
    const fragment = fragmentOf(program, options.function, input);
    const around = aroundOf(profile, program, metric, fragment, along);
    const flow = metric.nature !== 'site';
    // Inclusive times of recursive calls include each other, so they have no share.
    const arcs = metric.table === ARCS.kind && flow;
    const sampling = samplingOf(metric, profile);
    const valued = (value: number | null) => {
      const { low, high } = endsOf(value, sampling);
      return { attributed: value, attributed_low: low, attributed_high: high };
    };
    const of = (relation: string, neighbours: readonly Neighbour[], known: boolean) =>
      neighbours.map((one) => ({
        relation,
        ...valued(one.count),
        share: known && !(arcs && one.chosen) ? share(one.count, around.inclusive) : null,
        at: one.at ?? null,
        function: one.function,
      }));
    const callers = of('caller', around.callers, true);
    const callees = of('callee', around.callees, flow);
    // Of a fragment, the innermost function has its own value; the others only lead to it.
    const centre = fragment.map((part, i) => {
      const value = i === fragment.length - 1 ? (around.exclusive ?? around.inclusive) : null;
      return {
        relation: 'function',
        ...valued(value),
        share: share(value, around.inclusive),
        at: null,
        function: nameOf(program, part),
      };
    });
    const columns = withEnds(columnsOf(metric), options.error, sampling);
    const rows = [...paged(callers, columns, input.page), ...centre, ...paged(callees, columns, input.page)];
    return {
      ...common(input, [
        ...aliasNotes(
          program,
          fragment.flatMap(({ ids }) => ids),
        ),
        ...around.notes,
        ...errorNotes(options.error, sampling),
      ]),
      functions: fragment
        .flatMap(({ ids }) => ids)
        .slice(0, 100)
        .map((id) => functionSignature(program, id)),
      metric: metricOf(metric),
      exclusive: around.exclusive,
      inclusive: flow ? around.inclusive : null,
      columns,
      total: callers.length + callees.length + centre.length,
      offset: 0,
      rows,
    };
  },
});

/** Bytecode indexes of calls are for calls recorded by site. */
function columnsOf(metric: Metric): ResultColumn[] {
  const columns = metricColumns(row, metric, ['attributed', ...endKeys('attributed')]);
  return columns.filter(({ key }) => key !== 'at' || metric.table === CALL_EVENTS.kind);
}

/** The other names of the chosen functions: listings show the last one in alphabetical order. */
function aliasNotes({ functions, names }: Program, chosen: readonly FunctionId[]): string[] {
  const meant = new Set(chosen);
  const aliases = Array.from(functions.alias ?? [], (name, i) => ({ name, of: functions.aliasOf?.[i] ?? -1 }));
  const texts = aliases.filter(({ of }) => meant.has(of)).map(({ name }) => stringAt(names, name));
  return texts.length === 0 ? [] : [`Also named ${[...new Set(texts)].sort().join(', ')}.`];
}

interface Neighbour extends SiteNeighbour {
  /** Whether it is one of the chosen functions. */
  readonly chosen: boolean;
}

interface Around {
  readonly inclusive: number;
  readonly exclusive: number | null;
  readonly callers: readonly Neighbour[];
  readonly callees: readonly Neighbour[];
  readonly notes: readonly string[];
}

/** Values along stacks, if the metric has them. */
interface Along {
  readonly exclusive?: Float64Array;
  readonly functions?: Int32Array;
}

function metricAround(input: ViewInput, id: string | undefined): Metric {
  return metricFor(input, id);
}

const NOTHING = new Float64Array();

function aroundOf(
  profile: Profile,
  program: Program,
  metric: Metric,
  fragment: readonly Part[],
  { exclusive = NOTHING, functions = new Int32Array() }: Along,
): Around {
  const notes = metricNotes(metric, profile, program, exclusive);
  const chosen = fragment.at(-1)?.ids ?? [];
  if (
    fragment.length > 1 &&
    (metric.table === CALL_EVENTS.kind || metric.table === ARCS.kind || metric.nature === 'site')
  )
    throw new UsageError(
      `${metric.title.toLowerCase()} have no stacks to look for a fragment in`,
      'Name one function.',
    );
  if (metric.table === CALL_EVENTS.kind) return observedCalls(profile, program, chosen, notes);
  const count = program.functions.length;
  const named = (values: ReadonlyMap<FunctionId, number>): Neighbour[] =>
    [...values]
      .sort((a, b) => a[0] - b[0])
      .map(([id, value]) => ({
        function: id < 0 ? rootName(metric) : functionSignature(program, id),
        at: undefined,
        count: value,
        chosen: chosen.includes(id),
      }));
  if (metric.table === ARCS.kind && profile.arcs !== undefined) {
    const { callers, callees, sum } = arcsAroundFunctions(profile.arcs, metric, chosen, count);
    const exclusive = metric.nature === 'flow' ? null : sum;
    return { inclusive: sum, exclusive, callers: named(callers), callees: named(callees), notes: arcNotes(metric) };
  }
  const masks = fragment.map(({ ids }) => {
    const mask = new Uint8Array(count);
    for (const id of ids) mask[id] = 1;
    return mask;
  });
  const [first = new Uint8Array(count)] = masks;
  const around =
    metric.nature === 'site'
      ? directAround(profile.stacks.parent, functions, exclusive, first)
      : attributedAround(profile.stacks, functions, exclusive, masks);
  const { callers, callees } = around;
  return {
    ...around,
    callers: named(callers),
    callees: named(callees),
    notes,
  };
}

function observedCalls(
  profile: Profile,
  program: Program,
  chosen: readonly FunctionId[],
  notes: readonly string[],
): Around {
  const around = observedAround(profile, program, chosen);
  const plain = (neighbours: readonly SiteNeighbour[]) => neighbours.map((one) => ({ ...one, chosen: false }));
  return {
    inclusive: around.calls,
    exclusive: around.calls,
    callers: plain(around.callers),
    callees: plain(around.callees),
    notes: [...notes, ...around.notes],
  };
}

/** A frame of a fragment: what the question calls it, and the functions that it may be. */
interface Part {
  readonly text: string;
  readonly ids: readonly FunctionId[];
}

/** The frames of `caller -> callee`, outermost first; of one function only that. */
function fragmentOf(program: Program, words: string, input: ViewInput): Part[] {
  return words.split(/\s+->\s+/).map((text) => {
    const ids = functionsNamed(program, text, 'function');
    if (ids.length > 0) return { text, ids };
    throw new UsageError(
      `${input.recording.name} has no function ${text}`,
      'Write a name, `Class.method`, `method`, or a regular expression.',
    );
  });
}

function nameOf(program: Program, { text, ids }: Part): string {
  const [only] = ids;
  return ids.length === 1 && only !== undefined
    ? functionSignature(program, only)
    : `${ids.length} functions matching ${text}`;
}

/**
 * The neighbours of a function for counts of places: callers are the functions it was inlined into and counted under,
 * callees those counted directly under it.
 */
function directAround(parent: Int32Array, functions: Int32Array, exclusive: Float64Array, chosen: Uint8Array) {
  const callers = new Map<FunctionId, number>();
  const callees = new Map<FunctionId, number>();
  let sum = 0;
  for (let id = 0; id < parent.length; id++) {
    const value = exclusive[id];
    if (value === 0) continue;
    const caller = parent[id] >= 0 ? functions[parent[id]] : -1;
    if (chosen[functions[id]] === 1) {
      sum += value;
      callers.set(caller, (callers.get(caller) ?? 0) + value);
    }
    if (caller >= 0 && chosen[caller] === 1) callees.set(functions[id], (callees.get(functions[id]) ?? 0) + value);
  }
  return { inclusive: sum, exclusive: sum, callers, callees };
}

function rootName(metric: Metric): string {
  return metric.nature === 'site' ? NOT_INLINED : '<root>';
}

/** Sorts and limits callers and callees separately. */
function paged<Row extends z.input<typeof row>>(
  rows: readonly Row[],
  columns: readonly ResultColumn[],
  page: Page,
): Row[] {
  const keys = {
    attributed: (i: number) => rows[i].attributed,
    attributed_low: (i: number) => rows[i].attributed_low,
    attributed_high: (i: number) => rows[i].attributed_high,
    share: (i: number) => rows[i].share,
    at: (i: number) => bciOf(rows[i].at),
    function: (i: number) => rows[i].function,
  };
  return pageOf(rows.length, keys, page, 'attributed', columns).map((i) => rows[i]);
}

/** The BCI for sorting; null for marks such as `unknown`. */
function bciOf(at: string | null): number | null {
  return at === null || !/^\d+$/.test(at) ? null : Number(at);
}
