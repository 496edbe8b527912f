/** MONITOR DUMP sections as text. */
import { LOCK_WAITS, MONITOR_KINDS, MONITORS, WAIT_KINDS, type WaitKind } from '../../../models/locks/locks.js';
import type { Profile } from '../../../models/profile/profile.js';
import { TRACES, type TraceRows } from '../../../models/profile/tables.js';
import type { Recording } from '../../../models/recording.js';
import type { RowsOf } from '../../../models/table-kind.js';
import { HPROF_THREADS } from '../../shared/hprof/threads.js';
import type { TextResidue } from '../residue.js';
import { HPROF_STATES } from '../sections/monitor-dump.js';
import { monitorLines, threadStatus } from './lines.js';
import type { TextOut } from './text-out.js';

const RAW = MONITOR_KINDS.indexOf('raw');

/** Dumps are written in order, so each continues in the tables where the previous one ended. */
export class MonitorDumps {
  readonly #states: RowsOf<typeof HPROF_STATES> | undefined;
  readonly #threads: RowsOf<typeof HPROF_THREADS> | undefined;
  readonly #traces: TraceRows | undefined;
  readonly #locks: { monitors: RowsOf<typeof MONITORS>; waits: RowsOf<typeof LOCK_WAITS> } | undefined;
  readonly #residue: TextResidue;
  /** Next rows of the tables of states, monitors and waits. */
  #state = 0;
  #monitorRow = 0;
  #wait = 0;

  constructor(recording: Recording, profile: Profile, residue: TextResidue) {
    const { threads, traces } = profile;
    const { locks } = recording;
    this.#states = HPROF_STATES.of(profile);
    this.#threads = threads && HPROF_THREADS.rows(threads);
    this.#traces = traces && TRACES.rows(traces);
    this.#locks = locks && { monitors: MONITORS.rows(locks.monitors), waits: LOCK_WAITS.rows(locks.waits) };
    this.#residue = residue;
  }

  /** The lines of one dump. */
  write(out: TextOut, dump: number): void {
    if (this.#states !== undefined) this.#threadLines(out, this.#states, dump);
    if (this.#locks === undefined) return;
    const { monitors, waits } = this.#locks;
    for (; this.#monitorRow < monitors.length && monitors.dump[this.#monitorRow] === dump; this.#monitorRow++)
      this.#monitor(out, monitors, waits, this.#monitorRow);
  }

  #number(thread: number): number {
    return this.#threads?.number[thread] ?? -1;
  }

  #threadLines(out: TextOut, states: RowsOf<typeof HPROF_STATES>, dump: number): void {
    for (; this.#state < states.length && states.dump[this.#state] === dump; this.#state++) {
      const row = this.#state;
      const serial = this.#traces?.serial[states.trace[row]] ?? -1;
      threadStatus(out, this.#number(states.thread[row]), serial, states.status[row]);
    }
  }

  #monitor(out: TextOut, monitors: RowsOf<typeof MONITORS>, waits: RowsOf<typeof LOCK_WAITS>, row: number): void {
    const first = this.#wait;
    while (this.#wait < waits.length && waits.monitor[this.#wait] === row) this.#wait++;
    const owner = monitors.owner[row];
    const monitor = {
      raw: monitors.kind[row] === RAW,
      name: this.#residue.monitorSpelling[row],
      owner: owner < 0 ? -1 : this.#number(owner),
      entries: monitors.entries[row],
      entering: this.#waiting(waits, first, 'enter'),
      waiting: this.#waiting(waits, first, 'notify'),
    };
    monitorLines(out, monitor, this.#residue.emptyWaits ?? this.#residue.jvmti);
  }

  /** Numbers of the threads that wait, from `first` up to the next monitor's. */
  #waiting(waits: RowsOf<typeof LOCK_WAITS>, first: number, how: WaitKind): number[] {
    const kind = WAIT_KINDS.indexOf(how);
    const numbers: number[] = [];
    for (let row = first; row < this.#wait; row++)
      if (waits.how[row] === kind) numbers.push(this.#number(waits.thread[row]));
    return numbers;
  }
}
