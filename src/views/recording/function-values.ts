/** Values of a metric by function, or by line, place or load object: a stage that several views share. */
import { scopedUse } from '../../analysis/scope/scoped.js';
import { codeGroupsUse } from '../../analysis/stacks/code-groups.js';
import { type CutPart, cutParts, mayBeLarger } from '../../analysis/stacks/cut-stacks.js';
import {
  exclusiveUse,
  type FunctionTotals,
  functionsUse,
  functionTotals,
  functionTotalsUse,
} from '../../analysis/stacks/stages.js';
import { sumOf } from '../../base/columns/columns.js';
import { type Note, note } from '../../base/note.js';
import { type Work, withPauses } from '../../base/progress.js';
import { formatValue, plural } from '../../base/units.js';
import { type Get, type Stage, type StageUse, type Subject, use } from '../../models/open-recording.js';
import type { Metric, Profile } from '../../models/profile/profile.js';
import { ARCS } from '../../models/profile/tables.js';
import type { Program } from '../../models/program/program.js';
import type { Table } from '../../models/table.js';
import type { FunctionGroup } from '../../questions/options/recording.js';
import { metricNote, metricRemarks, otherEventNotes } from '../metric-choice.js';
import { arcFieldNotes, arcFunctionValues, arcNotes } from './arcs.js';

/**
 * Notes that accompany a metric's numbers: its meaning, the remarks of its recorder, and the part of it in stacks that
 * were cut. `exclusive` is its value of each stack.
 */
export function metricNotes(metric: Metric, profile: Profile, program: Program, exclusive: Float64Array): Note[] {
  const meaning =
    metric.nature === 'site'
      ? note('no-totals', `${metric.title} are counted per place in the code: there are no inclusive values.`)
      : metricNote(metric);
  const cut = metric.nature === 'site' ? [] : cutParts(profile, program, exclusive);
  const remarks = [...metricRemarks(metric, profile), ...otherEventNotes(profile, program, metric)];
  return [meaning, ...arcFieldNotes(metric), ...cutNotes(cut, sumOf(exclusive)), ...remarks];
}

/** The notes of a metric, and the sum of its values of stacks. */
export interface NotedSum {
  readonly sum: number;
  readonly notes: readonly Note[];
}

const notedStage: Stage<NotedSum, Metric> = {
  name: 'remarks on a metric',
  version: 1,
  key: ({ id }) => id,
  needs: ([subject], metric) => [scopedUse(subject), exclusiveUse(subject, metric)],
  run: async ([subject], metric, get) => {
    const { recording, profile } = await get(scopedUse(subject));
    const exclusive = await get(exclusiveUse(subject, metric));
    const notes = profile === undefined ? [] : metricNotes(metric, profile, recording.program, exclusive);
    return { sum: exclusive.reduce((all, value) => all + value, 0), notes };
  },
  bytes: () => 1000,
};

/** `metricNotes` of a metric along stacks. */
export function metricNotesUse(subject: Subject, metric: Metric): StageUse<NotedSum> {
  return use(notedStage, [subject], metric);
}

function cutNotes(cut: readonly CutPart[], sum: number): Note[] {
  const words = cutWords(cut, sum);
  return words === undefined
    ? []
    : [
        note('truncated', `${words}: totals marked \u2265 may be larger by up to that.`, {
          about: { column: 'total' },
        }),
      ];
}

/** Depths that are named; a recorder has one limit, but does not show all frames that it counts. */
const MOST_DEPTHS = 3;

/** `12.5 % is in stacks truncated at 64 frames`, each depth with its share if there are several; undefined if nothing was cut. */
export function cutWords(cut: readonly CutPart[], sum: number): string | undefined {
  const all = cut.reduce((sumSoFar, { value }) => sumSoFar + value, 0);
  if (all <= 0) return undefined;
  const shareOf = (value: number): string => formatValue(value / sum, 'ratio');
  const largestParts = cut.slice(0, MOST_DEPTHS);
  const rest = all - largestParts.reduce((sumSoFar, { value }) => sumSoFar + value, 0);
  const depths = largestParts.map(
    ({ frames, value }) => `${plural(frames, 'frame')}${cut.length === 1 ? '' : ` (${shareOf(value)})`}`,
  );
  if (rest > 0) depths.push(`other depths (${shareOf(rest)})`);
  return `${shareOf(all)} is in stacks truncated at ${depths.join(', ')}`;
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
  readonly notes: readonly Note[];
  /** Of other groups than functions: the first place of each. */
  readonly places?: Int32Array;
}

interface Grouped {
  readonly metric: Metric;
  readonly by: FunctionGroup;
}

const NOTHING = { exclusive: undefined, inclusive: undefined, used: [], sum: 0, atLeast: undefined, notes: [] };

const valuesStage: Stage<FunctionValues, Grouped> = {
  name: 'function list',
  version: 2,
  key: ({ metric, by }) => (by === 'function' ? metric.id : `${metric.id} by ${by}`),
  needs: ([subject], { metric, by }) => [
    scopedUse(subject),
    ...(metric.table === ARCS.kind ? [] : [exclusiveUse(subject, metric)]),
    ...(metric.table === ARCS.kind || by !== 'function'
      ? []
      : [functionsUse(subject), functionTotalsUse(subject, metric)]),
    ...(by === 'function' ? [] : [codeGroupsUse(subject, by)]),
  ],
  run: async ([subject], grouped, get, work) => {
    const { metric } = grouped;
    const { recording, profile } = await get(scopedUse(subject));
    if (profile === undefined) return NOTHING;
    const { program } = recording;
    if (metric.table === ARCS.kind && profile.arcs !== undefined) return arcValues(profile.arcs, program, metric);
    const byStack = await get(exclusiveUse(subject, metric));
    const { of: groupOf, totals, places } = await totalsOf(subject, grouped, profile, byStack, get, work);
    const { exclusive, inclusive, sum } = totals;
    const used: number[] = [];
    for (let id = 0; id < exclusive.length; id++)
      if (exclusive[id] !== 0 || (inclusive !== undefined && inclusive[id] !== 0)) used.push(id);
    const notes = metricNotes(metric, profile, program, byStack);
    const atLeast = inclusive && mayBeLarger(profile, program, groupOf, byStack, exclusive.length);
    return { exclusive, inclusive, used, sum, atLeast, notes, ...(places && { places }) };
  },
  bytes: ({ used, atLeast }) => used.length * 8 + (atLeast?.byteLength ?? 0),
};

/** The group of each stack's leaf, and the values of the groups. */
async function totalsOf(
  subject: Subject,
  { metric, by }: Grouped,
  profile: Profile,
  byStack: Float64Array,
  get: Get,
  work: Work,
): Promise<{ readonly of: Int32Array; readonly totals: FunctionTotals; readonly places?: Int32Array }> {
  if (by === 'function')
    return { of: await get(functionsUse(subject)), totals: await get(functionTotalsUse(subject, metric)) };
  const { of: groupOf, first } = await get(codeGroupsUse(subject, by));
  const steps = functionTotals(profile, metric, groupOf, byStack, first.length);
  const totals = await withPauses(steps, work, 'values of code', profile.stacks.length);
  // Calls are known of functions, not of their lines.
  const inclusive = metric.arcField === undefined ? totals.inclusive : undefined;
  return { of: groupOf, totals: { ...totals, inclusive }, places: first };
}

/** Values of a metric by function, along stacks or by pairs of caller and callee; or by other groups of code, along stacks. */
export function functionValuesUse(
  subject: Subject,
  metric: Metric,
  by: FunctionGroup = 'function',
): StageUse<FunctionValues> {
  return use(valuesStage, [subject], { metric, by });
}

function arcValues(arcs: Table, program: Program, metric: Metric): FunctionValues {
  const { values, used, inclusive } = arcFunctionValues(arcs, program, metric);
  const sum = inclusive ? 0 : values.reduce((all, value) => all + value, 0);
  const both = inclusive ? { exclusive: undefined, inclusive: values } : { exclusive: values, inclusive: undefined };
  return { ...both, used, sum, atLeast: undefined, notes: arcNotes(metric) };
}
