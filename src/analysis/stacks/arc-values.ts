/**
 * Values of caller and callee pairs, for recordings without stacks. The inclusive value of an arc includes everything
 * below its callee in these calls, so the arcs of a recursive function include each other.
 */
import { type Metric, metricColumn, type Profile } from '../../models/profile/profile.js';
import { ARCS } from '../../models/profile/tables.js';
import type { FunctionId } from '../../models/program/program.js';
import { column, type Table } from '../../models/table.js';

/** The value of each function from its callers: the sum over them, without the function itself if values are inclusive. */
export function arcTotals(arcs: Table, metric: Metric, inclusive: boolean, functions: number): Float64Array {
  const totals = new Float64Array(functions);
  const { caller, callee, value } = arcRows(arcs, metric);
  for (let row = 0; row < arcs.length; row++)
    if (!inclusive || caller[row] !== callee[row]) totals[callee[row]] += value[row];
  return totals;
}

/** The values from each caller of the chosen functions, and to each of their callees; recursion is in both. */
export function arcsAround(
  arcs: Table,
  metric: Metric,
  chosen: Uint8Array,
): { callers: Map<FunctionId, number>; callees: Map<FunctionId, number> } {
  const callers = new Map<FunctionId, number>();
  const callees = new Map<FunctionId, number>();
  const { caller, callee, value } = arcRows(arcs, metric);
  for (let row = 0; row < arcs.length; row++) {
    if (chosen[callee[row]] === 1) callers.set(caller[row], (callers.get(caller[row]) ?? 0) + value[row]);
    if (chosen[caller[row]] === 1) callees.set(callee[row], (callees.get(callee[row]) ?? 0) + value[row]);
  }
  return { callers, callees };
}

function arcRows(arcs: Table, metric: Metric) {
  const { caller, callee, calls } = ARCS.rows(arcs);
  const value = metric.arcField === undefined ? metricColumn(metric, arcs) : column(arcs, metric.arcField);
  return { caller, callee, value: value ?? calls };
}

/**
 * Inclusive values of functions where stacks have no callers, as callgrind_annotate has them: what their calls cost; of functions that nothing
 * calls, their own values (`within`, with inlined code) and those of what they call. Calls in a circle of functions count each time.
 */
export function arcInclusive({ arcs }: Profile, metric: Metric, within: Float64Array): Float64Array {
  if (arcs === undefined) return within;
  const { caller, callee, value } = arcRows(arcs, metric);
  const called = new Float64Array(within.length);
  const inclusive = within.slice();
  for (let row = 0; row < arcs.length; row++) {
    if (caller[row] === callee[row]) continue;
    inclusive[caller[row]] += value[row];
    called[callee[row]] += value[row];
  }
  for (let id = 0; id < inclusive.length; id++) if (called[id] > 0) inclusive[id] = called[id];
  return inclusive;
}
