/** The locks of one dump while it is read, and the tables of all dumps. */
import {
  DEADLOCKS,
  LOCK_WAITS,
  type Locks,
  MONITOR_KINDS,
  MONITORS,
  type MonitorKind,
  SNAPSHOTS,
  WAIT_KINDS,
  type WaitKind,
} from '../../models/locks/locks.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import type { LockLine } from './lock-line.js';

interface Monitor {
  readonly kind: MonitorKind;
  readonly class: number;
  readonly name: number;
  readonly address: number;
  owner: number;
  entries: number;
}

export class LockBuilder {
  readonly #program: ProgramBuilder;
  readonly #snapshots = SNAPSHOTS.having(['process']).builder();
  readonly #monitors = MONITORS.builder();
  readonly #waits = LOCK_WAITS.builder();
  readonly #deadlocks = DEADLOCKS.builder();
  /** Of this dump: by kind, class and address. */
  #known = new Map<string, number>();
  #open: Monitor[] = [];
  readonly #types = new Map<string, number>();
  /** Rows of the table of monitors that earlier dumps have. */
  #rows = 0;
  /** Of this dump: row of the table of monitors that a thread waits to get. */
  #wanted = new Map<number, number>();
  #cycles = 0;
  /** All dumps are whole ones of the VM, which names the deadlocks that it finds. */
  #names = true;
  dumps = 0;
  notes = 0;

  constructor(program: ProgramBuilder) {
    this.#program = program;
  }

  get dump(): number {
    return this.dumps - 1;
  }

  beginDump(time: number, process: number, offset: number, together: boolean): void {
    this.endDump();
    this.dumps++;
    this.#snapshots.add({ time, together: together ? 1 : 0, offset, process });
  }

  /** What a thread holds and waits for. A monitor that it waits for in `Object.wait` is not its own meanwhile. */
  addThread(thread: number, lines: readonly LockLine[]): void {
    this.notes += lines.length;
    const given = new Set<number>();
    for (const line of lines)
      if (line.verb !== 'locked' && line.verb !== 'owns') given.add(this.#wait(thread, line, lines));
    for (const line of lines) {
      if (line.verb !== 'locked' && line.verb !== 'owns') continue;
      const row = this.#monitor(line);
      if (given.has(row)) continue;
      const monitor = this.#open[row];
      if (line.verb === 'locked') monitor.entries = monitor.owner === thread ? monitor.entries + 1 : 1;
      monitor.owner = thread;
    }
  }

  #wait(thread: number, line: LockLine, lines: readonly LockLine[]): number {
    const row = this.#monitor(line);
    // `dump_to_file` does not tell a thread that was notified from one that never had the monitor.
    const had =
      line.verb === 'enter' && lines.some((other) => other.verb === 'locked' && other.address === line.address);
    const how: WaitKind = had ? 're-enter' : (WAITS[line.verb] ?? 'enter');
    this.#waits.add({ monitor: this.#rows + row, thread, how: WAIT_KINDS.indexOf(how) });
    if (how !== 'notify') this.#wanted.set(thread, row);
    return row;
  }

  /** Row of the monitor among those of this dump. */
  #monitor(line: LockLine): number {
    const kind = kindOf(line);
    const key = `${kind} ${line.address} ${line.class}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const raw = kind === 'raw';
    const name = raw ? this.#program.name(`initialization of ${line.class}`) : -1;
    const type = raw ? -1 : this.#typeOf(line.class);
    this.#known.set(key, this.#open.length);
    this.#open.push({ kind, class: type, name, address: line.address, owner: -1, entries: -1 });
    return this.#open.length - 1;
  }

  #typeOf(name: string): number {
    const known = this.#types.get(name) ?? this.#program.class(this.#program.name(name));
    this.#types.set(name, known);
    return known;
  }

  /** Whether the thread waits to get what is at this address. */
  wants(thread: number, address: number): boolean {
    const row = this.#wanted.get(thread);
    return row !== undefined && this.#open[row].address === address;
  }

  /** The VM says who holds what the thread waits for; without `-l` it does so of java.util.concurrent only here. */
  heldBy(thread: number, owner: number): void {
    const row = this.#wanted.get(thread);
    const monitor = row === undefined ? undefined : this.#open[row];
    if (monitor !== undefined && monitor.owner < 0) monitor.owner = owner;
  }

  /** This dump would not name a deadlock. */
  namesNone(): void {
    this.#names = false;
  }

  /** A deadlock that the VM names: its threads in order. */
  addDeadlock(threads: readonly number[]): void {
    for (const thread of threads) this.#deadlocks.add({ dump: this.dump, cycle: this.#cycles, thread });
    this.#cycles++;
  }

  endDump(): void {
    for (const { kind, ...monitor } of this.#open)
      this.#monitors.add({ dump: this.dump, ...monitor, kind: MONITOR_KINDS.indexOf(kind) });
    this.#rows += this.#open.length;
    this.#open = [];
    this.#known = new Map();
    this.#wanted = new Map();
    this.#cycles = 0;
  }

  finish(): Locks {
    this.endDump();
    return {
      snapshots: this.#snapshots.finish(),
      monitors: this.#monitors.finish(),
      waits: this.#waits.finish(),
      ...(this.#names ? { deadlocks: this.#deadlocks.finish() } : {}),
    };
  }
}

const WAITS: Readonly<Partial<Record<LockLine['verb'], WaitKind>>> = {
  enter: 'enter',
  notify: 'notify',
  're-enter': 're-enter',
  park: 'park',
};

/** What is parked for is no monitor, even where an object's monitor is held elsewhere under the same address. */
function kindOf(line: LockLine): MonitorKind {
  if (line.address < 0) return 'raw';
  if (line.verb === 'park' || line.verb === 'owns') return 'synchronizer';
  return line.classObject ? 'class' : 'object';
}
