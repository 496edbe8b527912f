/** Which descendants of the processes of experiments are read. */
import type { EventFacts, ExperimentDetails, ProcessDetails } from '../../../formats/experiment/index.js';
import type { Profile } from '../../../models/profile/profile.js';
import { selectRows } from '../../../models/table.js';
import { PACKETS } from '../peer/event-columns.js';

/** `all`, `none`, or those whose lineage or program fits a pattern. */
export type Descendants = 'all' | 'none' | RegExp;

/** Whether a process is read; founders always are. */
export function isRead({ prefix, log }: ProcessDetails, descendants: Descendants): boolean {
  if (prefix === '' || descendants === 'all') return true;
  if (descendants === 'none') return false;
  const program = (log.command ?? '').split(' ')[0]?.replace(/^.*\//, '') ?? '';
  return descendants.test(prefix.replace(/\.er\/$/, '')) || descendants.test(program);
}

/** The events of the processes that are read. */
export function withoutDescendants(
  profile: Profile,
  details: ExperimentDetails,
  descendants: Descendants,
): { readonly profile: Profile; readonly details: ExperimentDetails } {
  const isKept = details.processes.map((process) => isRead(process, descendants));
  if (!isKept.includes(false)) return { profile, details };
  const byKind = new Map(details.events);
  const events = profile.events.map((table) => {
    const number = PACKETS[table.kind] ?? -1;
    const facts = details.events.get(number);
    if (facts === undefined) return table;
    const rows = Int32Array.from(
      Array.from(facts.process.keys()).filter((row) => isKept[facts.process[row] ?? -1] === true),
    );
    byKind.set(number, selectedRows(facts, rows));
    return selectRows(table, rows);
  });
  return { profile: { ...profile, events }, details: { ...details, events: byKind } };
}

/** The facts of some rows, in their order. */
export function selectedRows({ process, state, thread, lwp }: EventFacts, rows: Int32Array): EventFacts {
  const taken = (column: Int32Array): Int32Array => rows.map((row) => column[row]);
  return { process: taken(process), state: taken(state), thread: taken(thread), lwp: taken(lwp) };
}
