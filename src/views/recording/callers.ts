/**
 * `callers`: one function, or a fragment of stacks such as `main -> work`, with its values from each caller and to each callee. Counted
 * calls of a PGO profile are listed call site by call site, from the observed call graph.
 */
import { z } from 'zod';
import { functionHandle, isFunctionHandle } from '../../analysis/identity/named-functions.js';
import { unitedUse } from '../../analysis/identity/united.js';
import type { Sampling } from '../../analysis/interval.js';
import { samplingOf } from '../../analysis/sampling-error.js';
import { partNote, requireProfile } from '../../analysis/scope/scoped.js';
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
import { FILE_ID, idCell, idNotes, withIds } from '../file-ids.js';
import {
  common,
  difference,
  HANDLE,
  listingShape,
  maybe,
  maybeText,
  metricColumns,
  type PagedInput,
  pageOf,
  partOf,
  type ResultColumn,
  range,
  type SortKeys,
  text,
} from '../listing.js';
import { baseMetric, METRIC_SHAPE, metricFor, metricOf } from '../metric-choice.js';
import { defineView } from '../question.js';
import { rowsOfCells } from '../row-table.js';
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
  file_id: FILE_ID,
  function: text('Function', 'class, method and parameter types'),
  handle: HANDLE,
});

/** Other names of the functions of a fragment, and which texts are taken as a part of names. */
function fragmentNotes(program: Program, fragment: readonly FragmentFrame[]): Note[] {
  const patterns = fragment.map(({ text }) => text).filter((text) => !isFunctionHandle(text));
  return [
    ...aliasNotes(
      program,
      fragment.flatMap(({ ids }) => ids),
    ),
    ...patterns.flatMap((text) => partNote(program, text)),
  ];
}

export const callersView = defineView({
  name: 'callers',
  version: 3,
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
    const { callers, centre, callees } = linesAround(program, metric, fragment, sides);
    const lines = [...callers, ...centre, ...callees];
    const columns = withEnds(withIds(columnsOf(metric, base !== undefined), options.ids), options.error, sampling);
    const cells = cellsOf(program, lines, { inclusive: around.inclusive, sampling, ids: options.ids });
    const beforeCallees = callers.length + centre.length;
    const rows = [
      ...(await paged(cells, 0, callers.length, columns, partOf(input, 'callers'))),
      ...range(callers.length, beforeCallees),
      ...(await paged(cells, beforeCallees, callees.length, columns, partOf(input, 'callees'))),
    ];
    return {
      ...common(input, [
        ...fragmentNotes(program, fragment),
        ...around.notes,
        ...errorNotes(options.error, sampling),
        ...idNotes(options.ids, program),
      ]),
      functions: fragmentFunctions(fragment, 100).map((id) => functionSignature(program, id)),
      metric: metricOf(metric),
      exclusive: around.exclusive,
      inclusive: flow ? around.inclusive : null,
      columns,
      total: lines.length,
      offset: 0,
      rows: rowsOfCells(cells, rows),
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
}

/** What a row is made of. */
interface Line {
  readonly relation: 'caller' | 'function' | 'callee';
  readonly value: number | null;
  /** In the base; undefined if nothing is compared. */
  readonly before: number | null | undefined;
  readonly hasShare: boolean;
  readonly at: string | null;
  readonly name: string;
  /** The only function that is meant. */
  readonly id: FunctionId | undefined;
}

/** The lines above, of, and below the chosen functions. */
function linesAround(
  program: Program,
  metric: Metric,
  fragment: readonly FragmentFrame[],
  { around, base, callers, callees }: Sides,
) {
  const flow = metric.nature !== 'site';
  // Inclusive times of recursive calls include each other, so they have no share.
  const arcs = metric.table === ARCS.kind && flow;
  const neighbourLines = (
    relation: Line['relation'],
    neighbours: readonly ComparedNeighbour[],
    isShareKnown: boolean,
  ): Line[] =>
    neighbours.map(({ now, before }) => ({
      relation,
      value: now === undefined ? 0 : now.count,
      before: base && (before?.count ?? 0),
      hasShare: isShareKnown && !(arcs && (now ?? before)?.chosen === true),
      at: (now ?? before)?.at ?? null,
      name: (now ?? before)?.function ?? '',
      id: now?.id,
    }));
  // Of a fragment, the innermost function has its own value; the others only lead to it.
  const centre = fragment.map((part, i): Line => {
    const centreValue = ({ exclusive, inclusive }: Around) =>
      i === fragment.length - 1 ? (exclusive ?? inclusive) : null;
    return {
      relation: 'function',
      value: centreValue(around),
      before: base && (centreValue(base) ?? 0),
      hasShare: true,
      at: null,
      name: nameOf(program, part),
      id: part.ids.length === 1 ? part.ids[0] : undefined,
    };
  });
  return {
    callers: neighbourLines('caller', callers, true),
    centre,
    callees: neighbourLines('callee', callees, flow),
  };
}

/** The first functions of a fragment. */
function fragmentFunctions(fragment: readonly FragmentFrame[], most: number): FunctionId[] {
  return fragment.flatMap(({ ids }) => ids).slice(0, most);
}

interface CellParts {
  readonly inclusive: number;
  readonly sampling: Sampling | undefined;
  readonly ids: boolean;
}

function cellsOf(program: Program, lines: readonly Line[], { inclusive, sampling, ids }: CellParts) {
  return {
    relation: (i: number) => lines[i].relation,
    attributed: (i: number) => lines[i].value,
    base: (i: number) => lines[i].before ?? null,
    delta: (i: number) => difference(lines[i].value, lines[i].before ?? null),
    attributed_low: (i: number) => endsOf(lines[i].value, sampling).low,
    attributed_high: (i: number) => endsOf(lines[i].value, sampling).high,
    share: (i: number) => (lines[i].hasShare ? share(lines[i].value, inclusive) : null),
    at: (i: number) => lines[i].at,
    ...idCell(ids, program, (i) => lines[i].id ?? NONE),
    function: (i: number) => lines[i].name,
    handle: (i: number) => functionHandle(program, lines[i].id ?? NONE),
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

/** Sorts and limits callers and callees separately: lines of the page, out of `count` from `first` on. */
async function paged(
  { relation: _, handle: __, ...cells }: ReturnType<typeof cellsOf>,
  first: number,
  count: number,
  columns: readonly ResultColumn[],
  input: PagedInput,
): Promise<number[]> {
  const keyCells: SortKeys = { ...cells, at: (i) => bciOf(cells.at(i)) };
  const keys = Object.fromEntries(Object.entries(keyCells).map(([key, cell]) => [key, (i: number) => cell(first + i)]));
  return (await pageOf(count, keys, input, 'attributed', columns)).map((i) => first + i);
}

/** The BCI for sorting; null for marks such as `unknown`. */
function bciOf(at: string | null): number | null {
  return at === null || !/^\d+$/.test(at) ? null : Number(at);
}
