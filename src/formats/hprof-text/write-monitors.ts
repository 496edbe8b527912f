/** MONITOR DUMP sections as text. */
import { MONITOR_KINDS, STATE_EVENTS, WAIT_KINDS } from '../../models/locks/locks.js';
import { eventTable, type Profile } from '../../models/profile/profile.js';
import type { Recording } from '../../models/recording.js';
import { column, type Table } from '../../models/table.js';
import type { HprofResidue } from './residue.js';
import type { TextOut } from './text-out.js';

const RAW = MONITOR_KINDS.indexOf('raw');

export class MonitorDumps {
  readonly #recording: Recording;
  readonly #profile: Profile;
  readonly #residue: HprofResidue;

  constructor(recording: Recording, profile: Profile, residue: HprofResidue) {
    this.#recording = recording;
    this.#profile = profile;
    this.#residue = residue;
  }

  /** The lines of one dump. */
  write(out: TextOut, snapshot: number): void {
    const states = eventTable(this.#profile, STATE_EVENTS);
    if (states !== undefined) this.#threads(out, states, snapshot);
    const { locks } = this.#recording;
    if (locks === undefined) return;
    for (let row = 0; row < locks.monitors.length; row++)
      if (column(locks.monitors, 'dump')[row] === snapshot) this.#monitor(out, locks.monitors, locks.waits, row);
  }

  #number(thread: number): number {
    return this.#profile.threads === undefined ? -1 : column(this.#profile.threads, 'number')[thread];
  }

  #threads(out: TextOut, states: Table, snapshot: number): void {
    const { traces } = this.#profile;
    for (let row = 0; row < states.length; row++) {
      if (column(states, 'dump')[row] !== snapshot) continue;
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
    this.#waiting(out, waits, row, 'enter', 'waiting to enter:');
    this.#waiting(out, waits, row, 'notify', 'waiting to be notified:');
  }

  /** The JVMTI agent writes the line also where nobody waits. */
  #waiting(out: TextOut, waits: Table, monitor: number, how: (typeof WAIT_KINDS)[number], words: string): void {
    const kind = WAIT_KINDS.indexOf(how);
    const numbers: number[] = [];
    for (let row = 0; row < waits.length; row++)
      if (column(waits, 'monitor')[row] === monitor && column(waits, 'how')[row] === kind)
        numbers.push(this.#number(column(waits, 'thread')[row]));
    if (numbers.length === 0 && !this.#residue.jvmti) return;
    out.text(`\t${words}${numbers.map((number) => ` thread ${number}`).join(',')}\n`);
  }
}
