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
import { className } from '../../models/program/names.js';
import type { ViewInput } from '../question.js';

const VIRTUAL = '`jcmd PID Thread.dump_to_file -format=json FILE`';
const SYNCHRONIZER = MONITOR_KINDS.indexOf('synchronizer');
const ACQUIRE = WAIT_KINDS.indexOf('acquire');

/** Why nobody is known to hold a monitor that threads wait to get: a clause without an end. */
export function noOwner({ recording }: ViewInput, locks: Locks, row: number): string {
  const { dump, kind, class: types } = MONITORS.rows(locks.monitors);
  const gaps = gapsOf(locks, dump[row]);
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
  const { moment } = input.dump;
  const dumps = moment === undefined ? [...Array(locks.snapshots.length).keys()] : [moment - 1];
  const having = (gap: SnapshotGap): number[] => dumps.filter((dump) => gapsOf(locks, dump).has(gap));
  const ownerless = dumpsWithoutOwners(locks);
  const lacking = new Set(having('synchronizers'));
  const lockless = having('monitors').length;
  const notes: string[] = [];
  if (lockless > 0) {
    const where = dumps.length === 1 ? 'the dump' : `${lockless} of ${dumps.length} dumps`;
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
  if (having('platform-only').length > 0)
    notes.push(`Virtual threads without a carrier are missing; get them with ${VIRTUAL}.`);
  return notes;
}

/** The dumps in which threads wait to get a lock of java.util.concurrent that nobody is known to hold. */
function dumpsWithoutOwners({ monitors, waits }: Locks): number[] {
  const { dump, owner } = MONITORS.rows(monitors);
  const { length, monitor, how } = LOCK_WAITS.rows(waits);
  const dumps = new Set<number>();
  for (let row = 0; row < length; row++)
    if (how[row] === ACQUIRE && owner[monitor[row]] < 0) dumps.add(dump[monitor[row]]);
  return [...dumps];
}
