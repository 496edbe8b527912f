/** `functions`: the flat list of functions with what they did themselves and, for flows, what happened below them. */
import { z } from 'zod';
import {
  exclusiveByStack,
  functionByStack,
  inclusiveByFunction,
  inclusiveByStack,
} from '../../analysis/stacks/stack-values.js';
import { share } from '../../base/share.js';
import { formatValue } from '../../base/units.js';
import { type Metric, type Profile, STACK_ENDINGS } from '../../models/profile/profile.js';
import { functionSignature } from '../../models/program/names.js';
import type { Program } from '../../models/program/program.js';
import { common, listingShape, maybe, metricColumns, pageOf, text } from '../listing.js';
import { chooseMetric, METRIC_SHAPE, metricOf } from '../metric-choice.js';
import { defineView, requireProfile } from '../question.js';
import { ARC_TABLE, arcFunctionValues, arcNotes } from './arcs.js';

const flowRow = z.object({
  self: maybe('Self', 'count', 'the function itself'),
  self_share: maybe('Self %', 'ratio', 'of all'),
  total: maybe('Total', 'count', 'the function and everything below it, recursion counted once'),
  total_share: maybe('Total %', 'ratio', 'of all'),
  function: text('Function', 'class, method and parameter types'),
});

export const functionsView = defineView({
  name: 'functions',
  version: 1,
  title: 'Functions',
  options: z.object({ metric: z.string().optional() }),
  shape: {
    ...listingShape(flowRow),
    metric: z.object({ ...METRIC_SHAPE, sum: z.number() }),
  },
  answer: (input, options) => {
    const profile = requireProfile(input);
    const metric = chooseMetric(profile, input.recording, options.metric);
    const values = valuesOf(profile, input.recording.program, metric);
    const rows = values.used;
    const { sum } = values;
    const name = (row: number): string => functionSignature(input.recording.program, rows[row] ?? -1);
    const total = (row: number): number | null => values.inclusive?.[rows[row] ?? 0] ?? null;
    const self = (row: number): number | null => values.exclusive?.[rows[row] ?? 0] ?? null;
    const inclusive = { total, total_share: (row: number) => share(total(row), sum) };
    const exclusive = { self, self_share: (row: number) => share(self(row), sum) };
    const keys = {
      ...(values.exclusive === undefined ? {} : exclusive),
      ...(values.inclusive === undefined ? {} : inclusive),
      function: name,
    };
    const order = pageOf(rows.length, keys, input.page, values.exclusive === undefined ? 'total' : 'self');
    const shown = (key: string): boolean =>
      key.startsWith('total')
        ? values.inclusive !== undefined && (key === 'total' || sum > 0)
        : !key.startsWith('self') || values.exclusive !== undefined;
    return {
      ...common(input, values.notes),
      metric: { ...metricOf(metric), sum },
      columns: metricColumns(flowRow, metric, ['self', 'total'], values.cut ? ['total'] : []).filter((column) =>
        shown(column.key),
      ),
      total: rows.length,
      offset: input.page.offset,
      rows: order.map((row) => ({
        self: self(row),
        self_share: share(self(row), sum),
        total: total(row),
        total_share: share(total(row), sum),
        function: name(row),
      })),
    };
  },
});

/**
 * What must be said about a metric wherever its numbers are shown: what it counts, what its recorder did to it, and
 * which part of it lies in stacks that were cut. `exclusive` is its value of each stack.
 */
export function metricNotes(metric: Metric, profile: Profile, exclusive: Float64Array): string[] {
  const what =
    metric.nature === 'site'
      ? `${metric.title} are counted at each place of code: they have no inclusive values.`
      : `Metric: ${metric.title.toLowerCase()}.`;
  const cut = metric.nature === 'site' ? undefined : cutNote(profile, exclusive);
  return [what, ...(metric.note === undefined ? [] : [metric.note]), ...(cut === undefined ? [] : [cut])];
}

const CUT = STACK_ENDINGS.indexOf('cut');

/** What of a metric lies in stacks that were cut, and all of it. */
function cutPart(profile: Profile, exclusive: Float64Array): { cut: number; sum: number } {
  let sum = 0;
  let cut = 0;
  for (let id = 0; id < exclusive.length; id++) {
    sum += exclusive[id];
    if (profile.stacks.ending[id] === CUT) cut += exclusive[id];
  }
  return { cut, sum };
}

/** Whether inclusive values may be too small: stacks that were cut miss their outer frames. */
export function isCut(profile: Profile, exclusive: Float64Array): boolean {
  return cutPart(profile, exclusive).cut > 0;
}

function cutNote(profile: Profile, exclusive: Float64Array): string | undefined {
  const { cut, sum } = cutPart(profile, exclusive);
  if (cut <= 0) return undefined;
  return `${formatValue(cut / sum, 'ratio')} of it lies in stacks cut at the depth limit: totals are at least what is shown.`;
}

export interface FunctionValues {
  /** Undefined where the recording has inclusive values only. */
  readonly exclusive: Float64Array | undefined;
  readonly inclusive: Float64Array | undefined;
  readonly used: readonly number[];
  /** What shares are of; 0 where the recording does not tell the whole. */
  readonly sum: number;
  readonly cut: boolean;
  readonly notes: readonly string[];
}

/** Values of a metric by function, along stacks or by pairs of caller and callee. */
export function valuesOf(profile: Profile, program: Program, metric: Metric): FunctionValues {
  if (metric.table === ARC_TABLE && profile.arcs !== undefined) {
    const { values, used, inclusive } = arcFunctionValues(profile.arcs, program, metric);
    const sum = inclusive ? 0 : values.reduce((all, value) => all + value, 0);
    const both = inclusive ? { exclusive: undefined, inclusive: values } : { exclusive: values, inclusive: undefined };
    return { ...both, used, sum, cut: false, notes: arcNotes(metric) };
  }
  const { byStack, exclusive, inclusive, used } = functionValues(profile, program, metric);
  const sum = exclusive.reduce((all, value) => all + value, 0);
  const notes = metricNotes(metric, profile, byStack);
  return { exclusive, inclusive, used, sum, cut: isCut(profile, byStack), notes };
}

function functionValues(profile: Profile, program: Program, metric: Metric) {
  const count = program.functions.length;
  const functions = functionByStack(profile.stacks, program);
  const byStack = exclusiveByStack(profile, metric);
  const exclusive = new Float64Array(count);
  for (let id = 0; id < byStack.length; id++) exclusive[functions[id]] += byStack[id];
  const inclusive =
    metric.nature === 'site'
      ? undefined
      : inclusiveByFunction(profile.stacks, functions, inclusiveByStack(profile.stacks, byStack), count);
  const used: number[] = [];
  for (let id = 0; id < count; id++)
    if (exclusive[id] !== 0 || (inclusive !== undefined && inclusive[id] !== 0)) used.push(id);
  return { byStack, exclusive, inclusive, used };
}
