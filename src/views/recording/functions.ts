/** `functions`: the flat list of functions with self values and, for flows, totals. */
import { z } from 'zod';
import { functionHandle } from '../../analysis/identity/named-functions.js';
import { samplingOf } from '../../analysis/sampling-error.js';
import { requireProfile } from '../../analysis/scope/scoped.js';
import { groupName } from '../../analysis/stacks/code-groups.js';
import { durationsOfFunction, functionDurationsUse } from '../../analysis/stacks/durations.js';
import { UsageError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import { phrase, theOption } from '../../base/phrase.js';
import { share } from '../../base/share.js';
import type { Metric } from '../../models/profile/profile.js';
import { ARCS } from '../../models/profile/tables.js';
import { functionSignature } from '../../models/program/names.js';
import { FUNCTIONS_OPTIONS, type FunctionGroup } from '../../questions/options/recording.js';
import { durationCells, durationFields, durationMetric, withDurations } from '../duration-columns.js';
import { endKeys, endsOf, errorNotes, highEnd, lowEnd, withEnds } from '../error-columns.js';
import { FILE_ID, idCell, idNotes, withIds } from '../file-ids.js';
import {
  AT_LEAST,
  common,
  HANDLE,
  listed,
  listingShape,
  maybe,
  metricColumns,
  type ResultColumn,
  text,
} from '../listing.js';
import { METRIC_SHAPE, metricOf } from '../metric-choice.js';
import { defineView, type ViewInput } from '../question.js';
import { furtherColumns, furtherOf } from './function-columns.js';
import { type FunctionValues, functionValuesUse } from './function-values.js';

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
  function: text('Function', 'class, method and parameter types; of other groups the line, place or load object'),
  file_id: FILE_ID,
  at_least: AT_LEAST,
  handle: HANDLE,
});
const further = z.union([z.number(), z.string(), z.boolean()]).nullable();
const anyRow = flowRow.catchall(further.describe('self or total of a further metric; null if unknown'));

/** Titles of the last column. */
const GROUP_TITLES: Readonly<Record<FunctionGroup, string>> = {
  function: 'Function',
  line: 'Line',
  place: 'Place',
  object: 'Load object',
};

export const functionsView = defineView({
  name: 'functions',
  version: 3,
  title: 'Functions',
  options: FUNCTIONS_OPTIONS,
  shape: {
    ...listingShape(anyRow),
    metric: z.object({ ...METRIC_SHAPE, sum: z.number() }),
  },
  needs: (input, { metric, by, also, durations }) => {
    const first = alongStacks(durationMetric(input, metric, durations), by);
    if (durations && by !== 'function')
      throw new UsageError(phrase`${theOption('durations')} are those of functions`, {
        code: 'functions-only',
        advice: phrase`Omit ${theOption('by')}.`,
        action: { omit: ['by'] },
      });
    const further = furtherOf(input, also).flatMap(({ metrics }) => metrics);
    return {
      values: functionValuesUse(input.subject, first, by),
      further: further.map((each) => functionValuesUse(input.subject, alongStacks(each, 'line'), by)),
      durations: durations ? functionDurationsUse(input.subject, first) : undefined,
    };
  },
  answer: async (input, options, { values, further, durations }) => {
    const { program } = input.recording;
    const metric = durationMetric(input, options.metric, options.durations);
    const { used, sum, exclusive, inclusive, atLeast } = joined(values, further);
    const self = (row: number): number | null => exclusive?.[used[row]] ?? null;
    const total = (row: number): number | null => inclusive?.[used[row]] ?? null;
    const sampling = samplingOf(metric, requireProfile(input));
    const others = furtherColumns(furtherOf(input, options.also), further);
    const cells = {
      self,
      self_low: (row: number) => endsOf(self(row), sampling).low,
      self_high: (row: number) => endsOf(self(row), sampling).high,
      self_share: (row: number) => share(self(row), sum),
      total,
      total_low: (row: number) => endsOf(total(row), sampling).low,
      total_high: (row: number) => endsOf(total(row), sampling).high,
      total_share: (row: number) => share(total(row), sum),
      function: (row: number) => nameOf(input, options.by, values, used[row]),
      at_least: (row: number) => atLeast?.[used[row]] === 1,
      ...idCell(options.ids, program, (row) => (options.by === 'function' ? used[row] : NONE)),
      ...(durations && durationCells((row) => durationsOfFunction(durations, used[row]))),
      ...Object.fromEntries(Object.entries(others.cells).map(([key, cell]) => [key, (row: number) => cell(used[row])])),
    };
    const ends = endKeys('self', 'total');
    const unknown = [
      ...(sampling === undefined ? ends : []),
      'at_least',
      ...(exclusive === undefined ? ['self', 'self_low', 'self_high', 'self_share'] : []),
      ...(inclusive === undefined ? ['total', 'total_low', 'total_high', 'total_share'] : []),
    ];
    const hidden = [...unknown, ...(sum > 0 ? [] : ['total_share'])];
    const leadingColumns = withIds(metricColumns(flowRow, metric, ['self', 'total', ...ends]), options.ids).filter(
      ({ key }) => !hidden.includes(key),
    );
    const columns = withFurther(withEnds(leadingColumns, options.error, sampling), others.columns, options.by);
    return {
      ...common(input, [...values.notes, ...errorNotes(options.error, sampling), ...idNotes(options.ids, program)]),
      metric: { ...metricOf(metric), sum },
      ...(await listed(cells, {
        columns: withDurations(columns, options.durations),
        count: used.length,
        input,
        usual: exclusive === undefined ? 'total' : 'self',
        sortable: (key) => !unknown.includes(key),
        handle: (row) => (options.by === 'function' ? functionHandle(program, used[row]) : undefined),
      })),
    };
  },
});

/** Refuses metrics of calls between functions where other groups, or columns of several metrics, need stacks. */
function alongStacks(metric: Metric, by: FunctionGroup): Metric {
  if (metric.table === ARCS.kind && by !== 'function')
    throw new UsageError(`${metric.title.toLowerCase()} are known of functions only`, {
      code: 'functions-only',
      advice: phrase`Omit ${theOption('by')} and ${theOption('also')}.`,
      action: { omit: ['by', 'also'] },
    });
  return metric;
}

/** The values, with the rows that only further metrics have. */
function joined(values: FunctionValues, further: readonly FunctionValues[]): FunctionValues {
  if (further.length === 0) return values;
  const used = new Set([values, ...further].flatMap((each) => each.used));
  return { ...values, used: [...used].sort((a, b) => a - b) };
}

function nameOf({ recording }: ViewInput, by: FunctionGroup, { places }: FunctionValues, id: number): string {
  if (by === 'function' || places === undefined) return functionSignature(recording.program, id);
  return groupName(recording.program, by, places[id]);
}

/** Further columns come before the name. */
function withFurther(
  firstColumns: ResultColumn[],
  further: readonly ResultColumn[],
  by: FunctionGroup,
): ResultColumn[] {
  const nameColumns = firstColumns
    .filter(({ key }) => key === 'function')
    .map((column) => ({ ...column, title: GROUP_TITLES[by] }));
  return [...firstColumns.filter(({ key }) => key !== 'function'), ...further, ...nameColumns];
}
