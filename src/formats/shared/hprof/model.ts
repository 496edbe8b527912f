/** What text and binary files make of their traces and numbers alike. */
import type { ProblemLog } from '../../../base/problems.js';
import { TRACES } from '../../../models/profile/tables.js';
import type { Table } from '../../../models/table.js';
import type { EventContext } from './events.js';
import type { ThreadTable } from './threads.js';
import { NOT_IN_FILE, type TraceTable } from './traces.js';

/** Numbers of the JVMTI agent (JDK 5 to 8) begin here; those of the JVMPI agent (JDK 1.2 to 1.4, IBM, HP) at 1. */
const JVMTI_TRACES = 300000;
const JVMTI_THREADS = 200000;

export function isJvmti({ serial }: TraceTable, { number }: ThreadTable): boolean {
  for (let row = 0; row < serial.length; row++) if (serial.values[row] >= JVMTI_TRACES) return true;
  for (let row = 0; row < number.length; row++) if (number.values[row] >= JVMTI_THREADS) return true;
  return false;
}

/** The traces of the file, and those that are only referred to. */
export function tracesTable(context: EventContext): Table {
  const { lines, traces } = context;
  const serial = lines.traces.serial.finish();
  for (let row = traces.known; row < serial.length; row++) traces.stack.values[row] = context.pseudo(NOT_IN_FILE);
  return TRACES.table({ serial, stack: traces.stack.finish(), thread: lines.traces.thread.finish() });
}

/** Reports numbers of traces that are used but missing. */
export function noteDangling({ lines, traces }: EventContext, problems: ProblemLog): void {
  for (let row = traces.known; row < lines.traces.length; row++) {
    if (!problems.wants('hprof-dangling-trace')) {
      problems.count('hprof-dangling-trace', lines.traces.length - row);
      return;
    }
    const message = `trace ${lines.traces.serial.values[row]} is used, but no TRACE has this number`;
    problems.add({ code: 'hprof-dangling-trace', severity: 'warning', message });
  }
}
