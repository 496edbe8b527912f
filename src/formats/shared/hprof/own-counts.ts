/**
 * The counts of a row since the previous dump. With each dump, times begin again, and with the JVMTI agent also the
 * counts of traces. Other counts continue: those of contended entries with both agents (`monitor_clear` and
 * `hprof_clear_contended_monitor_table` clear times only), those of traces with the JVMPI agent
 * (`hprof_clear_trace_cost`). From these, the value of the last dump that lists the row is subtracted; a trace that a
 * dump omits continues, too.
 */
import { Float64Builder } from '../../../base/columns/columns.js';
import { IntTable } from '../../../base/columns/hash.js';
import type { TextSection } from './sections.js';
import type { TableColumns, TableKind } from './tables.js';

/** By row of the tables of `kind`. Cost: one look-up a row if counts continue; 16 bytes a trace. */
export function ownCounts(
  kind: TableKind,
  rows: TableColumns,
  sections: readonly TextSection[],
  jvmti: boolean,
): Float64Array {
  const own = rows.count.finish();
  const runsOn = kind === 'monitor-time' || (!jvmti && kind !== 'sites');
  const of = sections.filter(({ named }) => named === kind);
  if (!runsOn || of.length < 2) return own;
  const counts = own.slice();
  const known = new IntTable();
  const last = new Float64Builder();
  for (const { from, to } of of) {
    const ids = Int32Array.from({ length: to - from }, (_, i) => {
      const row = from + i;
      return known.add(rows.trace.values[row], kind === 'monitor-time' ? rows.name.values[row] : 0);
    });
    while (last.length < known.length) last.push(0);
    // Less than before: it was begun again after all.
    ids.forEach((id, i) => {
      if (own[from + i] >= last.values[id]) counts[from + i] = own[from + i] - last.values[id];
    });
    ids.forEach((id, i) => {
      last.values[id] = own[from + i];
    });
  }
  return counts;
}
