/**
 * `functions` and `callers` for recordings with pairs of caller and callee instead of stacks (HPROF cpu=old). Times of
 * arcs are inclusive: there is no self time, and no share unless the total is recorded.
 */
import { arcsAround, arcTotals } from '../../analysis/stacks/arc-values.js';
import { UsageError } from '../../base/errors.js';
import { type Note, note } from '../../base/note.js';
import { phrase, theView } from '../../base/phrase.js';
import type { Metric } from '../../models/profile/profile.js';
import { ARCS } from '../../models/profile/tables.js';
import type { FunctionId, Program } from '../../models/program/program.js';
import type { Table } from '../../models/table.js';
import { metricNote } from '../metric-choice.js';

/** Throws for views that need a tree: pairs do not record the callers of the caller. */
export function refuseArcs(metric: Metric, name: string): void {
  if (metric.table !== ARCS.kind && metric.arcField === undefined) return;
  throw new UsageError(`${name} has only caller-callee pairs for ${metric.title.toLowerCase()}, no stacks`, {
    code: 'no-stacks',
    advice: phrase`Use ${theView('functions')}, or ${theView('callers')} of one function.`,
    action: { ask: theView('functions') },
  });
}

const INCLUSIVE = note(
  'pairs-only',
  'Only caller-callee pairs, no stacks: times include callees; totals exclude recursion.',
);

const CALLS_ONLY = note(
  'calls-only',
  'Only pairs of callers and callees were recorded, no stacks: totals are what the calls cost, and calls in a circle of functions count each time.',
);

/** Of metrics whose costs are known of places, and inclusive ones of calls. */
export function arcFieldNotes({ arcField }: Metric): Note[] {
  return arcField === undefined ? [] : [CALLS_ONLY];
}

export function arcNotes(metric: Metric): Note[] {
  return [metricNote(metric), INCLUSIVE, ...(metric.notes ?? [])];
}

/** Values by function: calls are the function's own, times include everything below it. */
export function arcFunctionValues(arcs: Table, program: Program, metric: Metric) {
  const inclusive = metric.nature === 'flow';
  const values = arcTotals(arcs, metric, inclusive, program.functions.length);
  const used = [...values.keys()].filter((id) => values[id] !== 0);
  return { values, used, inclusive };
}

/** Around the chosen functions: their callers, themselves, their callees. */
export function arcsAroundFunctions(arcs: Table, metric: Metric, chosen: readonly FunctionId[], functions: number) {
  const mask = new Uint8Array(functions);
  for (const id of chosen) mask[id] = 1;
  const { callers, callees } = arcsAround(arcs, metric, mask);
  let sum = 0;
  for (const [caller, value] of callers) if (mask[caller] !== 1 || metric.nature !== 'flow') sum += value;
  return { callers, callees, sum };
}
