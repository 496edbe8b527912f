/** MONITOR DUMP sections as text. */
import { LOCK_WAITS, MONITOR_KINDS, MONITORS, WAIT_KINDS, type WaitKind } from '../../../models/locks/locks.js';
import type { Profile } from '../../../models/profile/profile.js';
import { TRACES, type TraceRows } from '../../../models/profile/tables.js';
import type { Recording } from '../../../models/recording.js';
import type { RowsOf } from '../../../models/table-kind.js';
import { HPROF_THREADS } from '../../shared/hprof/threads.js';
import type { TextResidue } from '../residue.js';
import { HPROF_STATES } from '../sections/monitor-dump.js';
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
      out.text(`    THREAD ${this.#number(states.thread[row])}, trace ${serial}, status: `);
      out.name(states.status[row]).text('\n');
    }
  }

  #monitor(out: TextOut, monitors: RowsOf<typeof MONITORS>, waits: RowsOf<typeof LOCK_WAITS>, row: number): void {
    out.text(monitors.kind[row] === RAW ? '    RAW MONITOR ' : '    MONITOR ');
    out.name(this.#residue.monitorSpelling[row]);
    const owner = monitors.owner[row];
    if (owner < 0) out.text(' unowned\n');
    else out.text(`\n\towner: thread ${this.#number(owner)}, entry count: ${monitors.entries[row]}\n`);
    const first = this.#wait;
    while (this.#wait < waits.length && waits.monitor[this.#wait] === row) this.#wait++;
    this.#waiting(out, waits, first, 'enter', 'waiting to enter:');
    this.#waiting(out, waits, first, 'notify', 'waiting to be notified:');
  }

  /** Writes the waits from `first` up to the next monitor's. The JVMTI agent writes the line even without waiters. */
  #waiting(out: TextOut, waits: RowsOf<typeof LOCK_WAITS>, first: number, how: WaitKind, words: string): void {
    const kind = WAIT_KINDS.indexOf(how);
    const numbers: number[] = [];
    for (let row = first; row < this.#wait; row++)
      if (waits.how[row] === kind) numbers.push(this.#number(waits.thread[row]));
    if (numbers.length === 0 && !this.#residue.jvmti) return;
    out.text(`\t${words}${numbers.map((number) => ` thread ${number}`).join(',')}\n`);
  }
}
