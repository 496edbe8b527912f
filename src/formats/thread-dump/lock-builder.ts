/** The locks of one dump while it is read, and the tables of all dumps. */
import {
  DEADLOCKS,
  LOCK_WAITS,
  type Locks,
  MONITOR_KINDS,
  MONITORS,
  type MonitorKind,
  SNAPSHOT_GAPS,
  SNAPSHOTS,
  type SnapshotGap,
  WAIT_KINDS,
  type WaitKind,
} from '../../models/locks/locks.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import { Initializations } from './initializations.js';
import { initializationOf, type LockLine } from './text/lock-line.js';

interface Monitor {
  readonly kind: MonitorKind;
  readonly class: number;
  readonly name: number;
  readonly address: number;
  owner: number;
  entries: number;
}

interface Wait {
  /** Row among the monitors of this dump. */
  monitor: number;
  readonly thread: number;
  readonly how: WaitKind;
}

/** A thread in `Object.wait` on one of the monitors that it entered, the dump does not say which. */
interface Unclear {
  readonly wait: Wait;
  /** Innermost first, a row for each time. */
  readonly entered: readonly number[];
}

interface Snapshot {
  readonly time: number;
  readonly together: number;
  readonly offset: number;
  readonly process: number;
}

/** A monitor that a dump shows as held by two threads. */
export interface TwoOwners {
  readonly type: () => string;
  readonly owner: number;
  readonly other: number;
  /** Of the dump. */
  readonly offset: number;
  /** The threads stood still. */
  readonly together: boolean;
}

/** Owner of a lock as another thread's line names it. */
export type NamedOwner = NonNullable<LockLine['owner']>;

export class LockBuilder {
  readonly #program: ProgramBuilder;
  readonly #contradiction: (found: TwoOwners) => void;
  /** The row of a thread that another thread's line names as the owner. */
  readonly #ownerRow: (owner: NamedOwner) => number;
  readonly #snapshots = SNAPSHOTS.having(['process']).builder();
  readonly #monitors = MONITORS.builder();
  readonly #waits = LOCK_WAITS.builder();
  readonly #deadlocks = DEADLOCKS.builder();
  readonly #types = new Map<string, number>();
  /** Rows of the table of monitors that earlier dumps have. */
  #rows = 0;
  /** All dumps are whole ones of the VM, which names the deadlocks that it finds. */
  #names = true;
  dumps = 0;
  notes = 0;

  // Of this dump:
  #snapshot: Snapshot | undefined;
  #gaps = new Set<SnapshotGap>();
  /** By kind, class and address. */
  #known = new Map<string, number>();
  /** Of all monitors, made when it is needed: the VM names no class of class objects. */
  #byAddress: Map<string, number> | undefined;
  #open: Monitor[] = [];
  #waiting: Wait[] = [];
  #unclear: Unclear[] = [];
  /** Owners that waiters name, by row of the monitor: threads that come later may be meant. */
  #namedOwners = new Map<number, NamedOwner>();
  /** Row among the monitors that a thread waits to get. */
  #wanted = new Map<number, number>();
  #cycles = 0;
  #initializations = new Initializations();

  constructor(
    program: ProgramBuilder,
    contradiction: (found: TwoOwners) => void,
    ownerRow: (owner: NamedOwner) => number,
  ) {
    this.#program = program;
    this.#contradiction = contradiction;
    this.#ownerRow = ownerRow;
  }

  get dump(): number {
    return this.dumps - 1;
  }

  /** `gaps`: what the dump leaves out unless it turns out to have it. */
  beginDump(snapshot: Snapshot, gaps: readonly SnapshotGap[]): void {
    this.endDump();
    this.dumps++;
    this.#snapshot = snapshot;
    this.#gaps = new Set(gaps);
  }

  lacks(gap: SnapshotGap): void {
    this.#gaps.add(gap);
  }

  has(gap: SnapshotGap): void {
    this.#gaps.delete(gap);
  }

  /**
   * What a thread holds and waits for. `inWait`: how it waits where its innermost frame is `Object.wait`; the monitor that it
   * waits on is not its own meanwhile.
   */
  addThread(thread: number, lines: readonly LockLine[], inWait: 'notify' | 're-enter' | undefined): void {
    this.notes += lines.length;
    const given = new Set<number>();
    for (const line of lines) {
      if (line.verb === 'locked' || line.verb === 'owns') continue;
      const row = this.#monitor(line);
      if (line.address < 0) this.#initializations.waits(thread, line.class);
      if (line.owner !== undefined) this.#namedOwners.set(row, line.owner);
      if (!given.has(row)) this.#wait({ monitor: row, thread, how: howOf(line, lines, inWait) });
      given.add(row);
    }
    const entered = lines.filter(({ verb }) => verb === 'locked').map((line) => this.#monitor(line));
    for (const line of lines) if (line.verb === 'owns') this.#hold(thread, this.#monitor(line), false);
    if (inWait !== undefined && given.size === 0 && entered.length > 0) {
      const wait: Wait = { monitor: entered[0] ?? 0, thread, how: inWait };
      this.#waiting.push(wait);
      this.#unclear.push({ wait, entered });
    } else for (const row of entered) if (!given.has(row)) this.#hold(thread, row, true);
  }

  /**
   * A thread that is blocked at one of the monitors of its innermost frame, though `lines` of the serviceability agent do not
   * show reliably which: if another thread holds one of them, at that, else at the one that the agent names.
   */
  blockedAtOne(thread: number, lines: readonly LockLine[]): void {
    const entered = lines.map((line) => this.#monitor(line));
    const namedLine = lines.findIndex(({ verb }) => verb === 'enter');
    this.#unclear.push({ wait: { monitor: entered[namedLine] ?? -1, thread, how: 'enter' }, entered });
  }

  /** The thread has a frame of the class's `<clinit>`. */
  initialises(thread: number, name: string): void {
    this.#initializations.runs(thread, name);
  }

  #wait(wait: Wait): void {
    this.#waiting.push(wait);
    if (wait.how !== 'notify') this.#wanted.set(wait.thread, wait.monitor);
  }

  #hold(thread: number, row: number, counted: boolean): void {
    const monitor = this.#open[row];
    if (monitor.owner >= 0 && monitor.owner !== thread) {
      this.#contradict(monitor, thread);
      return;
    }
    if (counted) monitor.entries = monitor.owner === thread ? monitor.entries + 1 : 1;
    monitor.owner = thread;
  }

  #contradict({ class: id, owner }: Monitor, other: number): void {
    const { offset = 0, together = 0 } = this.#snapshot ?? {};
    const type = (): string => [...this.#types].find(([, known]) => known === id)?.[0] ?? 'monitor';
    this.#contradiction({ type, owner, other, offset, together: together === 1 });
  }

  /**
   * Decides which of its monitors a thread waits on that only shows which ones it entered: the innermost, unless another
   * thread holds one of them (it cannot be this thread's), or threads are blocked at it and nobody else holds it (it must be).
   */
  #settle(): void {
    this.#settleOwners();
    if (this.#unclear.length === 0) return;
    const sought = new Set(this.#waiting.filter(({ how }) => how === 'enter').map(({ monitor }) => monitor));
    for (const { wait, entered } of this.#unclear) {
      const { thread } = wait;
      const elsewhere = entered.find((row) => this.#open[row].owner >= 0 && this.#open[row].owner !== thread);
      if (wait.how === 'enter') {
        wait.monitor = elsewhere ?? wait.monitor;
        if (wait.monitor >= 0) this.#waiting.push(wait);
      } else wait.monitor = elsewhere ?? entered.find((row) => !sought.has(row)) ?? wait.monitor;
      if (wait.how !== 'notify' && wait.monitor >= 0) this.#wanted.set(thread, wait.monitor);
      for (const row of entered) if (row !== wait.monitor) this.#hold(thread, row, true);
    }
    this.#unclear = [];
  }

  #settleOwners(): void {
    for (const [row, owner] of this.#namedOwners) this.#hold(this.#ownerRow(owner), row, false);
    this.#namedOwners.clear();
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
    this.#byAddress?.set(addressKey(kind, line.address), this.#open.length);
    this.#open.push({ kind, class: type, name, address: line.address, owner: -1, entries: -1 });
    return this.#open.length - 1;
  }

  #typeOf(name: string): number {
    const known = this.#types.get(name) ?? this.#program.class(this.#program.name(name));
    this.#types.set(name, known);
    return known;
  }

  /** Whether the thread waits to get the lock at this address. */
  wants(thread: number, address: number): boolean {
    this.#settle();
    const row = this.#wanted.get(thread);
    return row !== undefined && this.#open[row].address === address;
  }

  /** The VM says that the thread waits to get this lock, which the thread itself does not show. */
  wantsAlso(thread: number, line: LockLine): void {
    this.#byAddress ??= new Map(this.#open.map(({ kind, address }, row) => [addressKey(kind, address), row]));
    const kind = kindOf(line);
    const monitor = this.#byAddress.get(addressKey(kind, line.address)) ?? this.#monitor(line);
    this.#wait({ monitor, thread, how: kind === 'synchronizer' ? 'acquire' : 'enter' });
  }

  /** The VM says who holds what the thread waits for; without `-l` it does so of java.util.concurrent only here. */
  heldBy(thread: number, owner: number): void {
    const row = this.#wanted.get(thread);
    const monitor = row === undefined ? undefined : this.#open[row];
    if (monitor === undefined || monitor.owner === owner) return;
    if (monitor.owner >= 0) this.#contradict(monitor, owner);
    monitor.owner = owner;
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
    if (this.#snapshot === undefined) return;
    this.#settle();
    const owners = this.#initializations.owners(!this.#gaps.has('platform-only'));
    for (const [name, thread] of owners) this.#hold(thread, this.#monitor(initializationOf(name)), false);
    const gaps = SNAPSHOT_GAPS.reduce((bits, gap, i) => bits | (this.#gaps.has(gap) ? 1 << i : 0), 0);
    this.#snapshots.add({ ...this.#snapshot, gaps });
    for (const { kind, ...monitor } of this.#open)
      this.#monitors.add({ dump: this.dump, ...monitor, kind: MONITOR_KINDS.indexOf(kind) });
    for (const { monitor, thread, how } of this.#waiting)
      this.#waits.add({ monitor: this.#rows + monitor, thread, how: WAIT_KINDS.indexOf(how) });
    this.#rows += this.#open.length;
    this.#snapshot = undefined;
    this.#open = [];
    this.#known = new Map();
    this.#byAddress = undefined;
    this.#waiting = [];
    this.#wanted = new Map();
    this.#initializations = new Initializations();
    this.#cycles = 0;
  }

  finish(): Locks {
    this.endDump();
    return {
      snapshots: this.#snapshots.finish(),
      monitors: this.#monitors.finish(),
      waits: this.#waits.finish(),
      ...(this.#names || this.#deadlocks.length > 0 ? { deadlocks: this.#deadlocks.finish() } : {}),
    };
  }
}

/**
 * How the thread of these lines waits. The VM writes `waiting on` of notified threads, too, and JDK 9 to 12 `waiting to
 * re-lock` of all in `Object.wait`: there the state of the thread decides.
 */
function howOf(line: LockLine, lines: readonly LockLine[], inWait: 'notify' | 're-enter' | undefined): WaitKind {
  switch (line.verb) {
    case 'notify':
    case 're-enter':
      return inWait ?? line.verb;
    case 'park':
    case 'acquire':
      return line.verb;
    default:
      // `dump_to_file` writes the same for a notified thread and for one that never had the monitor.
      return lines.some((other) => other.verb === 'locked' && other.address === line.address) ? 're-enter' : 'enter';
  }
}

function addressKey(kind: MonitorKind, address: number): string {
  return `${kind === 'synchronizer' ? 'synchronizer' : 'monitor'} ${address}`;
}

/** What is parked for is no monitor, even where an object's monitor is held elsewhere under the same address. */
function kindOf(line: LockLine): MonitorKind {
  if (line.address < 0) return 'raw';
  if (line.verb === 'park' || line.verb === 'acquire' || line.verb === 'owns') return 'synchronizer';
  return line.classObject ? 'class' : 'object';
}
