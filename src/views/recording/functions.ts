/** `functions`: the flat list of functions with self values and, for flows, totals. */
import { z } from 'zod';
import { samplingOf } from '../../analysis/sampling-error.js';
import { requireProfile, scopedUse } from '../../analysis/scope/scoped.js';
import { cutPart, mayBeLarger } from '../../analysis/stacks/cut-stacks.js';
import { durationsOfFunction, functionDurationsUse } from '../../analysis/stacks/durations.js';
import { exclusiveUse, functionsUse, functionTotalsUse } from '../../analysis/stacks/stages.js';
import { share } from '../../base/share.js';
import { formatValue } from '../../base/units.js';
import { type Stage, type Subject, type Use, use } from '../../models/open-recording.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { ARCS } from '../../models/profile/tables.js';
import { functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import type { Table } from '../../models/table.js';
import { DURATIONS_OPTION, durationCells, durationFields, durationMetric, withDurations } from '../duration-columns.js';
import { ERROR_OPTION, endKeys, endsOf, errorNotes, highEnd, lowEnd, withEnds } from '../error-columns.js';
import { AT_LEAST, common, listed, listingShape, maybe, metricColumns, text } from '../listing.js';
import { METRIC_SHAPE, metricOf, metricRemarks } from '../metric-choice.js';
import { defineView } from '../question.js';
import { arcFunctionValues, arcNotes } from './arcs.js';

const flowRow = z.object({
  self: maybe('Self', 'count', 'the function itself'),
  self_low: lowEnd('Self'),
  self_high: highEnd('Self'),
  self_share: maybe('Self %', 'ratio', 'share of the sum'),
  total: maybe('Total', 'count', 'the function and everything below it, recursion counted once'),
  total_low: lowEnd('Total'),
  total_high: highEnd('Total'),
  total_share: maybe('Total %', 'ratio', 'share of the sum'),
  ...durationFields('those with the function on their stack'),
  function: text('Function', 'class, method and parameter types'),
  at_least: AT_LEAST,
});

export const functionsView = defineView({
  name: 'functions',
  version: 1,
  title: 'Functions',
  options: z.object({ metric: z.string().optional(), error: ERROR_OPTION, durations: DURATIONS_OPTION }),
  shape: {
    ...listingShape(flowRow),
    metric: z.object({ ...METRIC_SHAPE, sum: z.number() }),
  },
  needs: (input, options) => {
    const metric = durationMetric(input, options.metric, options.durations);
    return {
      values: functionValuesUse(input.subject, metric),
      durations: options.durations ? functionDurationsUse(input.subject, metric) : undefined,
    };
  },
  answer: (input, options, { values, durations }) => {
    const metric = durationMetric(input, options.metric, options.durations);
    const { used, sum, exclusive, inclusive, atLeast } = values;
    const self = (row: number): number | null => exclusive?.[used[row]] ?? null;
    const total = (row: number): number | null => inclusive?.[used[row]] ?? null;
    const sampling = samplingOf(metric, requireProfile(input));
    const cells = {
      self,
      self_low: (row: number) => endsOf(self(row), sampling).low,
      self_high: (row: number) => endsOf(self(row), sampling).high,
      self_share: (row: number) => share(self(row), sum),
      total,
      total_low: (row: number) => endsOf(total(row), sampling).low,
      total_high: (row: number) => endsOf(total(row), sampling).high,
      total_share: (row: number) => share(total(row), sum),
      function: (row: number) => functionSignature(input.recording.program, used[row]),
      at_least: (row: number) => atLeast?.[used[row]] === 1,
      ...(durations && durationCells((row) => durationsOfFunction(durations, used[row]))),
    };
    const ends = endKeys('self', 'total');
    const unknown = [
      ...(sampling === undefined ? ends : []),
      'at_least',
      ...(exclusive === undefined ? ['self', 'self_low', 'self_high', 'self_share'] : []),
      ...(inclusive === undefined ? ['total', 'total_low', 'total_high', 'total_share'] : []),
    ];
    const hidden = [...unknown, ...(sum > 0 ? [] : ['total_share'])];
    const columns = metricColumns(flowRow, metric, ['self', 'total', ...ends]).filter(
      ({ key }) => !hidden.includes(key),
    );
    return {
      ...common(input, [...values.notes, ...errorNotes(options.error, sampling)]),
      metric: { ...metricOf(metric), sum },
      ...listed(cells, {
        columns: withDurations(withEnds(columns, options.error, sampling), options.durations),
        count: used.length,
        page: input.page,
        usual: exclusive === undefined ? 'total' : 'self',
        sortable: (key) => !unknown.includes(key),
      }),
    };
  },
});

/**
 * Notes that accompany a metric's numbers: its meaning, the remarks of its recorder, and the part of it in stacks that
 * were cut. `exclusive` is its value of each stack.
 */
export function metricNotes(metric: Metric, profile: Profile, exclusive: Float64Array): string[] {
  const what =
    metric.nature === 'site'
      ? `${metric.title} are counted per place in the code: there are no inclusive values.`
      : `Metric: ${metric.title.toLowerCase()}.`;
  const cut = metric.nature === 'site' ? undefined : cutNote(profile, exclusive);
  return [what, ...(cut === undefined ? [] : [cut]), ...metricRemarks(metric, profile)];
}

function cutNote(profile: Profile, exclusive: Float64Array): string | undefined {
  const { cut, sum } = cutPart(profile, exclusive);
  if (cut <= 0) return undefined;
  return `${formatValue(cut / sum, 'ratio')} is in stacks truncated at the depth limit: totals marked \u2265 may be larger by up to that.`;
}

export interface FunctionValues {
  /** Undefined if the recording has inclusive values only. */
  readonly exclusive: Float64Array | undefined;
  readonly inclusive: Float64Array | undefined;
  readonly used: readonly number[];
  /** The whole of the shares; 0 if it is not recorded. */
  readonly sum: number;
  /** By function: 1 if its inclusive value may be larger; undefined if none may. */
  readonly atLeast: Uint8Array | undefined;
  readonly notes: readonly string[];
}

const valuesStage: Stage<FunctionValues, Metric> = {
  name: 'function list',
  version: 1,
  key: ({ id }) => id,
  needs: ([subject], metric) => [
    scopedUse(subject),
    ...(metric.table === ARCS.kind
      ? []
      : [functionsUse(subject), exclusiveUse(subject, metric), functionTotalsUse(subject, metric)]),
  ],
  run: async ([subject], metric, get) => {
    const { recording, profile } = await get(scopedUse(subject));
    if (profile === undefined)
      return { exclusive: undefined, inclusive: undefined, used: [], sum: 0, atLeast: undefined, notes: [] };
    if (metric.table === ARCS.kind && profile.arcs !== undefined)
      return arcValues(profile.arcs, recording.program, metric);
    const byStack = await get(exclusiveUse(subject, metric));
    const { exclusive, inclusive, sum } = await get(functionTotalsUse(subject, metric));
    const used: number[] = [];
    for (let id = 0; id < exclusive.length; id++)
      if (exclusive[id] !== 0 || (inclusive !== undefined && inclusive[id] !== 0)) used.push(id);
    const notes = metricNotes(metric, profile, byStack);
    const atLeast = inclusive && mayBeLarger(profile, recording.program, await get(functionsUse(subject)), byStack);
    return { exclusive, inclusive, used, sum, atLeast, notes };
  },
  bytes: ({ used, atLeast }) => used.length * 8 + (atLeast?.byteLength ?? 0),
};

/** Values of a metric by function, along stacks or by pairs of caller and callee. */
export function functionValuesUse(subject: Subject, metric: Metric): Use<FunctionValues> {
  return use(valuesStage, [subject], metric);
}

function arcValues(arcs: Table, program: Program, metric: Metric): FunctionValues {
  const { values, used, inclusive } = arcFunctionValues(arcs, program, metric);
  const sum = inclusive ? 0 : values.reduce((all, value) => all + value, 0);
  const both = inclusive ? { exclusive: undefined, inclusive: values } : { exclusive: values, inclusive: undefined };
  return { ...both, used, sum, atLeast: undefined, notes: arcNotes(metric) };
}
