/** The monitor that most threads want, and who holds up its owner in turn. */
import { ownerChain, waitersByMonitor, waitGraph, wantedBy } from '../../analysis/locks/deadlocks.js';
import { monitorLabel } from '../../analysis/locks/monitor-label.js';
import { LOCK_WAITS, type Locks, MONITORS, WAIT_KINDS } from '../../models/locks/locks.js';
import type { ViewInput } from '../question.js';
import { noOwner } from './gaps.js';
import { threadLabels } from './lock-labels.js';

export interface Wanted {
  readonly monitor: string;
  readonly dump: number;
  readonly wanted: number;
  /** The owner, whom that waits for, and so on; empty where the owner is not known. */
  readonly owners: string[];
  /** What each of the owners waits to get, as far as they wait. */
  readonly monitors: string[];
  /** The owners end in a deadlock. */
  readonly endless: boolean;
  /** Why the chain ends where it does: a clause; null where its last thread waits for nothing that is known. */
  readonly end: string | null;
}

export function mostWanted(input: ViewInput, locks: Locks): Wanted | null {
  const { program, profile } = input.recording;
  const waiters = waitersByMonitor(locks);
  const { owner, dump: dumps } = MONITORS.rows(locks.monitors);
  let row = -1;
  let most = 0;
  for (let i = 0; i < waiters.length; i++) {
    const count = wantedBy(waiters[i], owner[i]);
    if (count > most) [row, most] = [i, count];
  }
  if (row < 0) return null;
  const { threads, monitors, endless } = ownerChain(waitGraph(locks, dumps[row]), row);
  const label = threadLabels(profile, program);
  const labelled = (monitor: number): string => monitorLabel(program, locks.monitors, monitor);
  const last = threads.at(-1);
  const ownerless = last === undefined ? row : monitors[threads.length - 1];
  let end: string | null = null;
  if (!endless)
    end = ownerless === undefined ? idleAt(locks, dumps[row], last, labelled) : noOwner(input, locks, ownerless);
  return {
    monitor: labelled(row),
    dump: dumps[row] + 1,
    wanted: most,
    owners: threads.map(label),
    monitors: monitors.map(labelled),
    endless,
    end,
  };
}

const NOTIFY = WAIT_KINDS.indexOf('notify');
const PARK = WAIT_KINDS.indexOf('park');

/** What a thread that wants no lock waits for. */
function idleAt(locks: Locks, dump: number, thread: number | undefined, label: (row: number) => string): string | null {
  const { dump: dumps } = MONITORS.rows(locks.monitors);
  const { length, monitor, thread: threads, how } = LOCK_WAITS.rows(locks.waits);
  for (let row = 0; row < length; row++) {
    if (threads[row] !== thread || dumps[monitor[row]] !== dump) continue;
    if (how[row] === NOTIFY) return `it waits to be notified on ${label(monitor[row])}`;
    if (how[row] === PARK) return `it is parked for ${label(monitor[row])}`;
  }
  return null;
}

/** Threads of a chain that are named: more of them are counted. */
const LINKS = 10;

/** A line where several threads want one monitor, or its owner waits in turn and no deadlock says so already. */
export function wantedNote(summary: Wanted | null): string[] {
  if (summary === null) return [];
  const { owners, monitors, endless, end } = summary;
  if (summary.wanted < 2 && (monitors.length === 0 || endless)) return [];
  const links = owners.slice(0, LINKS).map((owner, i) => {
    const waits = monitors[i] === undefined ? '' : `, which waits for ${monitors[i]}`;
    return `held by ${owner}${waits}`;
  });
  const more = owners.length > LINKS ? [`and ${owners.length - LINKS} more threads`] : [];
  const chain = [...links, ...more, ...(endless ? ['in a deadlock'] : [])].join(', ');
  const clauses = [chain, end ?? ''].filter((clause) => clause !== '').join('; ');
  const by = summary.wanted === 1 ? '1 thread' : `${summary.wanted} threads`;
  return [`Most wanted: ${summary.monitor}, by ${by}${clauses === '' ? '' : `; ${clauses}`}.`];
}
