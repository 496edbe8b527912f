/**
 * Who held which monitor and who waited for it, at the moments when somebody looked (snapshots).
 *
 *   snapshots ◄──dump── states (event table of the profile: thread → state, stack)
 *       ▲
 *       ├──────dump── monitors ◄──monitor── waits ──thread──► threads (of the profile)
 *       │                └──owner──► threads
 *       └──────dump── deadlocks, where the recording itself names them
 *
 * What the threads did is an event table of kind `state` in the profile, so that a scope applies to it and its stacks
 * merge into trees. A recording without stacks of threads may have locks and no such table.
 */
import type { Field, Table } from '../table.js';

export interface Locks {
  /** `SNAPSHOT_FIELDS`: in the order of the input. */
  readonly snapshots: Table;
  /** `MONITOR_FIELDS` */
  readonly monitors: Table;
  /** `WAIT_FIELDS` */
  readonly waits: Table;
  /** `DEADLOCK_FIELDS`: the deadlocks that the recording itself names, to hold against ours; absent where it never would. */
  readonly deadlocks?: Table;
}

/** Kind of the event table that tells what each thread did at a snapshot. */
export const STATE_EVENTS = 'state';

/** What a thread does, by the constants of `Thread.State`; sleeping and parked told apart from waiting where the recording does. */
export const THREAD_STATES = [
  'unknown',
  'new',
  'runnable',
  'blocked',
  'waiting',
  'timed-waiting',
  'sleeping',
  'parked',
  'terminated',
] as const;
export type ThreadState = (typeof THREAD_STATES)[number];

/** `object`: the monitor of an object. `class`: that of a class object. `raw`: one of the VM. `synchronizer`: java.util.concurrent. */
export const MONITOR_KINDS = ['object', 'class', 'raw', 'synchronizer'] as const;
export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** `enter`: blocked until it is free. `notify`: in `Object.wait` until notified. `park`: parked until it is free. `re-enter`: notified, blocked again. */
export const WAIT_KINDS = ['enter', 'notify', 'park', 're-enter'] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];

/** Named as the scope's step is: `--dump 2` keeps the rows of snapshot 1. */
const DUMP: Field = { key: 'dump', title: 'Dump', holds: 'row', unit: 'none', meaning: 'the snapshot it was seen in' };
const THREAD: Field = { key: 'thread', title: 'Thread', holds: 'thread', unit: 'none', meaning: 'which thread' };

export const SNAPSHOT_FIELDS: readonly Field[] = [
  {
    key: 'time',
    title: 'Time',
    holds: 'number',
    unit: 'none',
    meaning: 'milliseconds since 1970 by the clock of the machine that was looked at; -1 where it is not told',
    wide: true,
  },
  {
    key: 'together',
    title: 'Together',
    holds: 'number',
    unit: 'none',
    meaning: '1: all threads stood still; 0: they were looked at one by one while they ran; -1 not told',
  },
  { key: 'offset', title: 'Byte', holds: 'number', unit: 'none', meaning: 'where it begins in the input', wide: true },
];

/** The fields that every table of kind `state` begins with; formats add others. */
export const STATE_FIELDS: readonly Field[] = [
  { key: 'stack', title: 'Stack', holds: 'stack', unit: 'none', meaning: 'where the thread was' },
  THREAD,
  DUMP,
  { key: 'state', title: 'State', holds: 'number', unit: 'none', meaning: 'index into the states of threads' },
  { key: 'status', title: 'Status', holds: 'string', unit: 'none', meaning: "the state in the recording's own words" },
];

export const MONITOR_FIELDS: readonly Field[] = [
  DUMP,
  { key: 'kind', title: 'Kind', holds: 'number', unit: 'none', meaning: 'index into the kinds of monitors' },
  {
    key: 'class',
    title: 'Class',
    holds: 'class',
    unit: 'none',
    meaning: 'of the object, or that a class object stands for',
  },
  { key: 'name', title: 'Name', holds: 'string', unit: 'none', meaning: 'name of a raw monitor, else -1' },
  {
    key: 'address',
    title: 'Address',
    holds: 'number',
    unit: 'none',
    meaning: 'where it is, -1 if not told: two monitors of one class and address are one',
    wide: true,
  },
  { key: 'owner', title: 'Owner', holds: 'thread', unit: 'none', meaning: 'who holds it; -1 nobody or not told' },
  { key: 'entries', title: 'Entries', holds: 'number', unit: 'count', meaning: 'times the owner entered; -1 not told' },
];

export const WAIT_FIELDS: readonly Field[] = [
  { key: 'monitor', title: 'Monitor', holds: 'row', unit: 'none', meaning: 'row of the table of monitors' },
  THREAD,
  { key: 'how', title: 'How', holds: 'number', unit: 'none', meaning: 'index into the kinds of waiting' },
];

export const DEADLOCK_FIELDS: readonly Field[] = [
  DUMP,
  {
    key: 'cycle',
    title: 'Deadlock',
    holds: 'number',
    unit: 'none',
    meaning: 'which of the deadlocks of the dump, from 0',
  },
  THREAD,
];
