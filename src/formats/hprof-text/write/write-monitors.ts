/** MONITOR DUMP sections as text. */
import { MONITOR_KINDS, STATE_EVENTS, WAIT_KINDS } from '../../../models/locks/locks.js';
import { eventTable, type Profile } from '../../../models/profile/profile.js';
import type { Recording } from '../../../models/recording.js';
import { column, type Table } from '../../../models/table.js';
import type { HprofResidue } from '../residue.js';
import type { TextOut } from './text-out.js';

const RAW = MONITOR_KINDS.indexOf('raw');

/** Dumps are written in their order, so each goes on in the tables where the one before it ended. */
export class MonitorDumps {
  readonly #recording: Recording;
  readonly #profile: Profile;
  readonly #residue: HprofResidue;
  /** Next rows of the tables of states, monitors and waits. */
  #state = 0;
  #monitorRow = 0;
  #wait = 0;

  constructor(recording: Recording, profile: Profile, residue: HprofResidue) {
    this.#recording = recording;
    this.#profile = profile;
    this.#residue = residue;
  }

  /** The lines of one dump. */
  write(out: TextOut, dump: number): void {
    const states = eventTable(this.#profile, STATE_EVENTS);
    if (states !== undefined) this.#threads(out, states, dump);
    const { locks } = this.#recording;
    if (locks === undefined) return;
    const dumps = column(locks.monitors, 'dump');
    for (; this.#monitorRow < dumps.length && dumps[this.#monitorRow] === dump; this.#monitorRow++)
      this.#monitor(out, locks.monitors, locks.waits, this.#monitorRow);
  }

  #number(thread: number): number {
    return this.#profile.threads === undefined ? -1 : column(this.#profile.threads, 'number')[thread];
  }

  #threads(out: TextOut, states: Table, dump: number): void {
    const { traces } = this.#profile;
    const dumps = column(states, 'dump');
    for (; this.#state < dumps.length && dumps[this.#state] === dump; this.#state++) {
      const row = this.#state;
      const serial = traces === undefined ? -1 : column(traces, 'serial')[column(states, 'trace')[row]];
      out.text(`    THREAD ${this.#number(column(states, 'thread')[row])}, trace ${serial}, status: `);
      out.name(column(states, 'status')[row]).text('\n');
    }
  }

  #monitor(out: TextOut, monitors: Table, waits: Table, row: number): void {
    out.text(column(monitors, 'kind')[row] === RAW ? '    RAW MONITOR ' : '    MONITOR ');
    out.name(this.#residue.monitorSpelling[row]);
    const owner = column(monitors, 'owner')[row];
    if (owner < 0) out.text(' unowned\n');
    else out.text(`\n\towner: thread ${this.#number(owner)}, entry count: ${column(monitors, 'entries')[row]}\n`);
    const first = this.#wait;
    const monitor = column(waits, 'monitor');
    while (this.#wait < waits.length && monitor[this.#wait] === row) this.#wait++;
    this.#waiting(out, waits, first, 'enter', 'waiting to enter:');
    this.#waiting(out, waits, first, 'notify', 'waiting to be notified:');
  }

  /** Waits from `first` up to the next monitor's. The JVMTI agent writes the line also where nobody waits. */
  #waiting(out: TextOut, waits: Table, first: number, how: (typeof WAIT_KINDS)[number], words: string): void {
    const kind = WAIT_KINDS.indexOf(how);
    const numbers: number[] = [];
    for (let row = first; row < this.#wait; row++)
      if (column(waits, 'how')[row] === kind) numbers.push(this.#number(column(waits, 'thread')[row]));
    if (numbers.length === 0 && !this.#residue.jvmti) return;
    out.text(`\t${words}${numbers.map((number) => ` thread ${number}`).join(',')}\n`);
  }
}
