/**
 * Values of caller and callee pairs, for recordings without stacks. The inclusive value of an arc includes everything
 * below its callee in these calls, so the arcs of a recursive function include each other.
 */
import { type Metric, metricColumn } from '../../models/profile/profile.js';
import { ARCS } from '../../models/profile/tables.js';
import type { FunctionId } from '../../models/program/program.js';
import type { Table } from '../../models/table.js';

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
  return { caller, callee, value: metricColumn(metric, arcs) ?? calls };
}
