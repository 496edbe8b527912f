/**
 * What a row counts since the dump before. With each dump the agents begin their times again, and that of JVMTI the
 * counts of traces, too. Other counts run on: those of contended entries with both agents (`monitor_clear`,
 * `hprof_clear_contended_monitor_table` clear the times alone), those of traces with the agent of JVMPI
 * (`hprof_clear_trace_cost`). Of these, what a dump before lists is taken off; a trace that a dump leaves out runs on, too.
 */
import { Float64Builder } from '../../base/columns.js';
import { IntTable } from '../../base/hash.js';
import type { Section } from './sections.js';
import type { TableKind, TableRows } from './tables.js';

/** By row of the tables named `kind`. Cost: one look-up a row where counts run on; 16 bytes a trace. */
export function ownCounts(
  kind: TableKind,
  rows: TableRows,
  sections: readonly Section[],
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
