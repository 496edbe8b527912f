/** What dumps cannot show of locks, and which command shows it. */
import {
  gapsOf,
  LOCK_WAITS,
  type Locks,
  MONITOR_KINDS,
  MONITORS,
  type SnapshotGap,
  WAIT_KINDS,
} from '../../models/locks/locks.js';
import { chosenDumps } from '../../models/profile/moment.js';
import { className } from '../../models/program/names.js';
import type { ViewInput } from '../question.js';

const VIRTUAL = '`jcmd PID Thread.dump_to_file -format=json FILE`';
const SYNCHRONIZER = MONITOR_KINDS.indexOf('synchronizer');
const RAW = MONITOR_KINDS.indexOf('raw');
const ENTER = WAIT_KINDS.indexOf('enter');
const ACQUIRE = WAIT_KINDS.indexOf('acquire');

/** Why nobody is known to hold a monitor that threads wait to get: a clause without an end. */
export function noOwner({ recording }: ViewInput, locks: Locks, row: number): string {
  const { dump, kind, class: types, address } = MONITORS.rows(locks.monitors);
  const gaps = gapsOf(locks, dump[row]);
  if (isInitialization(kind[row], address[row]))
    return 'no thread has its <clinit> frame: one may initialize a superclass first';
  if (kind[row] !== SYNCHRONIZER)
    return gaps.has('platform-only')
      ? 'its owner is not in the dump: a virtual thread may hold it'
      : 'no owner is reported';
  const type = className(recording.program, types[row]);
  if (type.endsWith('.StampedLock')) return 'no owner is reported: a StampedLock stores none';
  if (gaps.has('synchronizers')) return 'its owner is not in the dump';
  if (type.includes('.ReentrantReadWriteLock$')) return 'no owner is reported: thread dumps omit readers';
  if (type.includes('.ReentrantLock$')) return 'no owner is reported: thread dumps omit it if it is a virtual thread';
  return 'no owner is reported: the lock may store none';
}

/** Deadlocks that may be there and cannot be found in the dumps in the scope: a line each. */
export function gapNotes(input: ViewInput, locks: Locks): string[] {
  const dumps = chosenDumps(input.dump, locks.snapshots.length);
  const having = (gap: SnapshotGap): number[] => dumps.filter((dump) => gapsOf(locks, dump).has(gap));
  const ownerless = dumpsWithoutOwners(locks, ACQUIRE);
  const uninitialized = dumpsWithoutOwners(locks, ENTER);
  const lacking = new Set(having('synchronizers'));
  const lockless = new Set(having('monitors'));
  const notes: string[] = [];
  if (lockless.size > 0) {
    const where = dumps.length === 1 ? 'the dump' : `${lockless.size} of ${dumps.length} dumps`;
    notes.push(
      `No locks in ${where}: deadlocks cannot be found (\`jstack -l PID\` reports those of platform threads).`,
    );
  }
  if (ownerless.some((dump) => lacking.has(dump)))
    notes.push(
      `Deadlocks may be missing: java.util.concurrent locks have no owner in the dump (\`jstack -l PID\` reports most).`,
    );
  if (ownerless.some((dump) => !lacking.has(dump)))
    notes.push('Deadlocks may be missing: wanted locks have unknown owners (readers, virtual threads or StampedLock).');
  if (uninitialized.length > 0)
    notes.push(
      'Deadlocks may be missing: a thread that initializes a superclass first has no <clinit> frame of the class.',
    );
  if (having('initialization').some((dump) => !lockless.has(dump)))
    notes.push('Deadlocks may be missing: waits for class initialization are not in the dump (`jstack PID`, JDK 17+).');
  if (having('platform-only').length > 0)
    notes.push(`Virtual threads without a carrier are missing; get them with ${VIRTUAL}.`);
  return notes;
}

/** A wait for a class to be initialised: the VM prints no address of its lock. */
function isInitialization(kind: number | undefined, address: number | undefined): boolean {
  return kind === RAW && address === -1;
}

/**
 * The dumps in which threads wait for something without a known owner: `ACQUIRE`, a lock of java.util.concurrent;
 * `ENTER`, the initialisation of a class.
 */
function dumpsWithoutOwners({ monitors, waits }: Locks, wait: number): number[] {
  const { dump, owner, kind, address } = MONITORS.rows(monitors);
  const { length, monitor, how } = LOCK_WAITS.rows(waits);
  const dumps = new Set<number>();
  for (let row = 0; row < length; row++)
    if (
      how[row] === wait &&
      owner[monitor[row]] < 0 &&
      (wait !== ENTER || isInitialization(kind[monitor[row]], address[monitor[row]]))
    )
      dumps.add(dump[monitor[row]]);
  return [...dumps];
}
