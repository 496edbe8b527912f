/**
 * Owners and waiters of monitors at the moments of dumps (snapshots).
 *
 *   snapshots ◄──dump── states (event table of the profile: thread → state, stack)
 *       ▲
 *       ├──────dump── monitors ◄──monitor── waits ──thread──► threads (of the profile)
 *       │                └──owner──► threads
 *       └──────dump── deadlocks, where the recording itself names them
 *
 * The states of threads are an event table of kind `state` in the profile, so that a scope applies to it and its stacks
 * merge into trees. A recording without stacks of threads may have locks and no such table.
 */
import { DUMP, THREAD } from '../events/shared-fields.js';
import type { Table } from '../table.js';
import { defineTable, optional } from '../table-kind.js';

export interface Locks {
  /** `SNAPSHOTS`: in the order of the input. */
  readonly snapshots: Table;
  /** `MONITORS` */
  readonly monitors: Table;
  /** `LOCK_WAITS` */
  readonly waits: Table;
  /**
   * `DEADLOCKS`: the deadlocks that the recording itself names, to compare with ours; absent if the format never names
   * them.
   */
  readonly deadlocks?: Table;
  /** Threads, and lines of threads, that could not be read and may have been about locks; absent if there are none. */
  readonly unread?: { readonly threads: number; readonly lines: number };
}

/** `object`: the monitor of an object. `class`: that of a class object. `raw`: one of the VM. `synchronizer`: java.util.concurrent. */
export const MONITOR_KINDS = ['object', 'class', 'raw', 'synchronizer'] as const;
export type MonitorKind = (typeof MONITOR_KINDS)[number];

/**
 * `enter`: blocked until the monitor is free. `notify`: in `Object.wait` until notified. `re-enter`: notified, blocked again.
 * `acquire`: parked until a lock of java.util.concurrent is free. `park`: parked for anything else: work, a signal, a result.
 */
export const WAIT_KINDS = ['enter', 'notify', 'park', 're-enter', 'acquire'] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];

/**
 * What a snapshot leaves out, so that deadlocks through it cannot be found. `monitors`: all locks. `synchronizers`: owners of
 * locks of java.util.concurrent. `platform-only`: virtual threads that no carrier runs, of a program that has some.
 * `initialization`: which class's initialisation threads wait for, or whether they wait for one.
 */
export const SNAPSHOT_GAPS = ['monitors', 'synchronizers', 'platform-only', 'initialization'] as const;
export type SnapshotGap = (typeof SNAPSHOT_GAPS)[number];

export const SNAPSHOTS = defineTable('snapshot', 'Dumps', [
  {
    key: 'time',
    title: 'Time',
    holds: 'number',
    unit: 'none',
    meaning: 'milliseconds since 1970 by the clock of the recorded machine; -1 unknown',
    wide: true,
  },
  {
    key: 'together',
    title: 'Together',
    holds: 'number',
    unit: 'none',
    meaning: '1: all threads were stopped; 0: they were sampled one by one while running; -1 unknown',
  },
  {
    key: 'offset',
    title: 'Byte',
    holds: 'number',
    unit: 'none',
    meaning: 'start of the dump in the input',
    wide: true,
  },
  optional({
    key: 'process',
    title: 'Process',
    holds: 'number',
    unit: 'none',
    meaning: 'operating system process id; -1 unknown',
    wide: true,
  }),
  { key: 'gaps', title: 'Gaps', holds: 'number', unit: 'none', meaning: 'bit i: it lacks gap i; -1 unknown' },
]);

/** What snapshot `dump` is known to leave out. */
export function gapsOf({ snapshots }: Locks, dump: number): ReadonlySet<SnapshotGap> {
  const bits = Math.max(0, SNAPSHOTS.rows(snapshots).gaps[dump] ?? 0);
  return new Set(SNAPSHOT_GAPS.filter((_, i) => (bits & (1 << i)) !== 0));
}

export const MONITORS = defineTable('monitor', 'Monitors', [
  DUMP,
  { key: 'kind', title: 'Kind', holds: 'number', unit: 'none', meaning: 'index into the monitor kinds' },
  {
    key: 'class',
    title: 'Class',
    holds: 'class',
    unit: 'none',
    meaning: 'class of the object, or the class that a class object represents',
  },
  { key: 'name', title: 'Name', holds: 'string', unit: 'none', meaning: 'name of a raw monitor, else -1' },
  {
    key: 'address',
    title: 'Address',
    holds: 'number',
    unit: 'none',
    meaning: 'address; -1 unknown. Monitors with equal class and address are one',
    wide: true,
  },
  { key: 'owner', title: 'Owner', holds: 'thread', unit: 'none', meaning: 'owner thread; -1 none or unknown' },
  { key: 'entries', title: 'Entries', holds: 'number', unit: 'count', meaning: 'times the owner entered; -1 unknown' },
]);

/** Which thread waited for which monitor at a snapshot; events of waiting have the kind `wait`. */
export const LOCK_WAITS = defineTable('lock-wait', 'Threads waiting for monitors', [
  { key: 'monitor', title: 'Monitor', holds: 'row', unit: 'none', meaning: 'row in the table of monitors' },
  THREAD,
  { key: 'how', title: 'How', holds: 'number', unit: 'none', meaning: 'index into the wait kinds' },
]);

export const DEADLOCKS = defineTable('deadlock', 'Reported deadlocks', [
  DUMP,
  {
    key: 'cycle',
    title: 'Deadlock',
    holds: 'number',
    unit: 'none',
    meaning: 'number of the deadlock in its dump, from 0',
  },
  THREAD,
]);
