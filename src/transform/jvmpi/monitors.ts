/** The monitors of a dump of threads as records of JVMPI's MONITOR_DUMP. */
import { UsageError } from '../../base/errors.js';
import { stringAt } from '../../base/text.js';
import type { MonitorRecord } from '../../formats/jvmpi/index.js';
import { LOCK_WAITS, MONITOR_KINDS, MONITORS, WAIT_KINDS } from '../../models/locks/locks.js';
import { THREADS } from '../../models/profile/tables.js';
import type { Recording } from '../../models/recording.js';

/** What was made of the locks. */
export interface MonitorDumpReport {
  readonly monitors: number;
  /** Locks of java.util.concurrent, which JVMPI does not have. */
  readonly left: number;
}

/**
 * The monitors of a dump, by its number; of the last one if not given. Threads are named by their number in the recording, which is that of
 * JVMPI where it is one of its; by their address, else by their row from 1 on. Throws UsageError if there is no such dump.
 */
export function monitorRecords(
  { name, locks, profile, program }: Recording,
  dump: number | undefined,
): MonitorDumpReport & { readonly records: readonly MonitorRecord[] } {
  const count = locks?.snapshots.length ?? 0;
  const chosen = dump ?? count - 1;
  if (locks === undefined || chosen < 0 || chosen >= count)
    throw new UsageError(`${name}: there is no such dump of monitors`, { code: 'no-dump' });
  const { number, address: places } = profile?.threads === undefined ? {} : THREADS.rows(profile.threads);
  const idOf = (thread: number): number => {
    if (thread < 0) return 0;
    return [number?.[thread], places?.[thread]].find((id) => id !== undefined && id > 0) ?? thread + 1;
  };
  const waiters = waitersOf(locks, idOf);
  const { dump: of, kind, address, owner, entries, name: names } = MONITORS.rows(locks.monitors);
  const records: MonitorRecord[] = [];
  let left = 0;
  for (let row = 0; row < locks.monitors.length; row++) {
    if (of[row] !== chosen) continue;
    const is = MONITOR_KINDS[kind[row] ?? 0];
    const { entering = [], waiting = [] } = waiters.get(row) ?? {};
    const held = { owner: idOf(owner[row] ?? -1), entries: entriesOf(entries[row], owner[row]), entering, waiting };
    const id = Math.max(0, address[row] ?? 0);
    if (is === 'synchronizer') left++;
    else if (is !== 'raw') records.push({ tag: 0x01, object: id, ...held });
    else
      records.push({
        tag: 0x02,
        name: program === undefined ? '' : stringAt(program.names, names[row] ?? -1),
        id,
        ...held,
      });
  }
  return { records, monitors: records.length, left };
}

/** A monitor that has an owner was entered once at least. */
function entriesOf(entries = -1, owner = -1): number {
  return entries >= 0 ? entries : Number(owner >= 0);
}

interface Waiters {
  readonly entering: number[];
  readonly waiting: number[];
}

/** By row of the monitor. */
function waitersOf({ waits }: NonNullable<Recording['locks']>, idOf: (thread: number) => number): Map<number, Waiters> {
  const { monitor, thread, how } = LOCK_WAITS.rows(waits);
  const found = new Map<number, Waiters>();
  for (let row = 0; row < waits.length; row++) {
    const of = found.get(monitor[row] ?? -1) ?? { entering: [], waiting: [] };
    found.set(monitor[row] ?? -1, of);
    const kind = WAIT_KINDS[how[row] ?? 0];
    if (kind === 'notify') of.waiting.push(idOf(thread[row] ?? -1));
    else of.entering.push(idOf(thread[row] ?? -1));
  }
  return found;
}
