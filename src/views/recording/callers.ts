/**
 * `callers`: one function, or a fragment of stacks such as `main -> work`, with its values from each caller and to each callee. Counted
 * calls of a PGO profile are listed call site by call site, from the observed call graph.
 */
import { z } from 'zod';
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { unitedUse } from '../../analysis/identity/united.js';
import type { Sampling } from '../../analysis/interval.js';
import { samplingOf } from '../../analysis/sampling-error.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { NONE } from '../../base/flavor.js';
import { type Note, note } from '../../base/note.js';
import { share } from '../../base/share.js';
import { stringAt } from '../../base/text.js';
import { CALL_EVENTS } from '../../models/events/call.js';
import type { Metric } from '../../models/profile/profile.js';
import { ARCS } from '../../models/profile/tables.js';
import { functionSignature } from '../../models/program/names.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import { CALLERS_OPTIONS } from '../../questions/options/recording.js';
import { endKeys, endsOf, errorNotes, highEnd, lowEnd, withEnds } from '../error-columns.js';
import {
  common,
  HANDLE,
  handleField,
  listingShape,
  maybe,
  maybeText,
  metricColumns,
  type PagedInput,
  pageOf,
  partOf,
  type ResultColumn,
  text,
} from '../listing.js';
import { baseMetric, METRIC_SHAPE, metricFor, metricOf } from '../metric-choice.js';
import { defineView } from '../question.js';
import {
  type Around,
  alongOf,
  aroundOf,
  baseAround,
  baseFragment,
  type ComparedNeighbour,
  type FragmentFrame,
  fragmentOf,
  nameOf,
  namesOf,
  noFunction,
  together,
} from './around.js';

const row = z.object({
  relation: text('', 'caller, function or callee'),
  attributed: maybe(
    'Attributed',
    'count',
    'value from the caller, of the function itself, or of the callee; null if seen but not counted',
  ),
  base: maybe('Base', 'count', 'attributed value in the base'),
  delta: maybe('Delta', 'count', 'attributed value less that of the base'),
  attributed_low: lowEnd('Attributed'),
  attributed_high: highEnd('Attributed'),
  share: maybe('Share', 'ratio', "share of the function's total"),
  at: maybeText('At', 'bytecode index of the call in the caller, if calls are recorded by site'),
  function: text('Function', 'class, method and parameter types'),
  handle: HANDLE,
});

export const callersView = defineView({
  name: 'callers',
  version: 2,
  title: 'Callers and callees',
  options: CALLERS_OPTIONS,
  shape: {
    ...listingShape(row),
    functions: z.array(z.string()).describe('the selected functions'),
    metric: z.object(METRIC_SHAPE),
    exclusive: z.number().nullable().describe('null if the recording has inclusive values only'),
    inclusive: z.number().nullable(),
  },
  refuses: ['offset'],
  needs: (input, options) => {
    const metric = metricFor(input, options.metric);
    const { base } = input;
    const now = alongOf(input, metric);
    const before = base && alongOf(base, baseMetric(input, base, metric));
    return {
      exclusive: now?.exclusive,
      functions: now?.functions,
      baseExclusive: before?.exclusive,
      baseFunctions: before?.functions,
      united: base && unitedUse([input.subject, base.subject]),
    };
  },
  answer: async (input, options, { united, baseExclusive, baseFunctions, ...along }) => {
    const profile = requireProfile(input);
    const program = input.recording.program;
    const metric = metricFor(input, options.metric);
    const sides = await input.kept('around', bytesOfSides, () => {
      const fragment = fragmentOf(program, options.function);
      const missing = fragment.find(({ ids }) => ids.length === 0);
      if (missing !== undefined) throw noFunction(input, missing.text);
      const around = aroundOf(profile, program, metric, fragment, along, namesOf(program, united, 0));
      const before = input.base && baseFragment(program, input.base.recording.program, options.function);
      const base =
        input.base &&
        before &&
        baseAround(input.base, baseMetric(input, input.base, metric), before, united, {
          exclusive: baseExclusive,
          functions: baseFunctions,
        });
      return {
        fragment,
        around,
        base,
        callers: together(around.callers, base?.callers),
        callees: together(around.callees, base?.callees),
      };
    });
    const { fragment, around, base } = sides;
    const flow = metric.nature !== 'site';
    const sampling = samplingOf(metric, profile);
    const { callers, centre, callees } = rowsAround(program, metric, fragment, { ...sides, sampling });
    const columns = withEnds(columnsOf(metric, base !== undefined), options.error, sampling);
    const rows = [
      ...(await paged(callers, columns, partOf(input, 'callers'))),
      ...centre,
      ...(await paged(callees, columns, partOf(input, 'callees'))),
    ];
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

/** Bytes of a neighbour. */
const NEIGHBOUR_BYTES = 100;

function bytesOfSides({ around, base }: Pick<Sides, 'around' | 'base'>): number {
  const neighbours = (side: Around | undefined): number => (side?.callers.length ?? 0) + (side?.callees.length ?? 0);
  return (neighbours(around) + neighbours(base)) * NEIGHBOUR_BYTES;
}

interface Sides {
  readonly callers: readonly ComparedNeighbour[];
  readonly callees: readonly ComparedNeighbour[];
  readonly around: Around;
  readonly base: Around | undefined;
  readonly sampling: Sampling | undefined;
}

/** The rows above, of, and below the chosen functions. */
function rowsAround(
  program: Program,
  metric: Metric,
  fragment: readonly FragmentFrame[],
  { around, base, callers, callees, sampling }: Sides,
) {
  const flow = metric.nature !== 'site';
  // Inclusive times of recursive calls include each other, so they have no share.
  const arcs = metric.table === ARCS.kind && flow;
  const valued = (value: number | null, before: number | null) => {
    const { low, high } = endsOf(value, sampling);
    const compared = base === undefined ? null : (before ?? 0);
    const delta = compared === null || value === null ? null : value - compared;
    return { attributed: value, base: compared, delta, attributed_low: low, attributed_high: high };
  };
  const neighbourRows = (relation: string, neighbours: readonly ComparedNeighbour[], isShareKnown: boolean) => ({
    length: neighbours.length,
    at: (i: number) => {
      const { now, before } = neighbours[i];
      const count = now === undefined ? 0 : now.count;
      const isChosen = (now ?? before)?.chosen === true;
      return {
        relation,
        ...valued(count, before?.count ?? null),
        share: isShareKnown && !(arcs && isChosen) ? share(count, around.inclusive) : null,
        at: (now ?? before)?.at ?? null,
        function: (now ?? before)?.function ?? '',
        ...handleField(now === undefined ? undefined : functionHandle(program, now.id)),
      };
    },
  });
  // Of a fragment, the innermost function has its own value; the others only lead to it.
  const centre = fragment.map((part, i) => {
    const centreValue = ({ exclusive, inclusive }: Around) =>
      i === fragment.length - 1 ? (exclusive ?? inclusive) : null;
    return {
      relation: 'function',
      ...valued(centreValue(around), base === undefined ? null : centreValue(base)),
      share: share(centreValue(around), around.inclusive),
      at: null,
      function: nameOf(program, part),
      ...handleField(part.ids.length === 1 ? functionHandle(program, part.ids[0] ?? NONE) : undefined),
    };
  });
  return {
    callers: neighbourRows('caller', callers, true),
    centre,
    callees: neighbourRows('callee', callees, flow),
  };
}

/** Bytecode indexes of calls are for calls recorded by site. */
function columnsOf(metric: Metric, compared: boolean): ResultColumn[] {
  const columns = metricColumns(row, metric, ['attributed', 'base', 'delta', ...endKeys('attributed')]);
  return columns.filter(({ key }) => {
    if (key === 'at') return metric.table === CALL_EVENTS.kind;
    return compared || (key !== 'base' && key !== 'delta');
  });
}

/** The other names of the chosen functions: listings show the last one in alphabetical order. */
function aliasNotes({ functions, names }: Program, chosen: readonly FunctionId[]): Note[] {
  const meant = new Set(chosen);
  const aliases = Array.from(functions.alias ?? [], (name, i) => ({ name, of: functions.aliasOf?.[i] ?? -1 }));
  const texts = aliases.filter(({ of: aliasedId }) => meant.has(aliasedId)).map(({ name }) => stringAt(names, name));
  return texts.length === 0 ? [] : [note('aliases', `Also named ${[...new Set(texts)].sort().join(', ')}.`)];
}

/** Rows that are made when they are asked for. */
interface LazyRows<Row> {
  readonly length: number;
  readonly at: (i: number) => Row;
}

/** Sorts and limits callers and callees separately. */
async function paged<Row extends z.input<typeof row>>(
  rows: LazyRows<Row>,
  columns: readonly ResultColumn[],
  input: PagedInput,
): Promise<Row[]> {
  const keys = {
    attributed: (i: number) => rows.at(i).attributed,
    base: (i: number) => rows.at(i).base,
    delta: (i: number) => rows.at(i).delta,
    attributed_low: (i: number) => rows.at(i).attributed_low,
    attributed_high: (i: number) => rows.at(i).attributed_high,
    share: (i: number) => rows.at(i).share,
    at: (i: number) => bciOf(rows.at(i).at),
    function: (i: number) => rows.at(i).function,
  };
  return (await pageOf(rows.length, keys, input, 'attributed', columns)).map((i) => rows.at(i));
}

/** The BCI for sorting; null for marks such as `unknown`. */
function bciOf(at: string | null): number | null {
  return at === null || !/^\d+$/.test(at) ? null : Number(at);
}
