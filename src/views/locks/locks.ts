/** What a recording's locks say: monitors with owner and waiters, deadlocks, the most wanted one. */
import {
  findDeadlocks,
  ownerChain,
  waitersByMonitor,
  waitGraph,
  waitGraphs,
  wantedBy,
} from '../../analysis/locks/deadlocks.js';
import { DEADLOCKS, type Locks, MONITORS, SNAPSHOTS } from '../../models/locks/locks.js';
import type { Table } from '../../models/table.js';
import type { ViewInput } from '../question.js';
import { monitorLabel, threadLabels } from './lock-labels.js';

/** A deadlock and the dumps that show it, numbered from 1. */
export interface NamedDeadlock {
  readonly dumps: number[];
  readonly threads: string[];
  readonly monitors: string[];
  stuck: number;
  /** Whether the recording itself names it in all of these dumps; null where it never names any. */
  told: boolean | null;
}

interface Found {
  readonly named: NamedDeadlock[];
  /** The threads of each deadlock of each dump, for comparing with what the recording says. */
  readonly seen: Set<string>;
}

/** Deadlocks of the dumps, each distinct one once: the same threads wait for monitors of the same classes. */
export function namedDeadlocks(input: ViewInput, locks: Locks): NamedDeadlock[] {
  return findAll(input, locks).named;
}

function findAll(input: ViewInput, locks: Locks): Found {
  const { program, profile } = input.recording;
  const label = threadLabels(profile, program);
  const told = locks.deadlocks === undefined ? undefined : toldDeadlocks(locks.deadlocks);
  const known = new Map<string, NamedDeadlock>();
  const seen = new Set<string>();
  const { class: classes } = MONITORS.rows(locks.monitors);
  const graphs = [...waitGraphs(locks)].sort(([a], [b]) => a - b);
  for (const [dump, graph] of graphs) {
    for (const { threads, monitors, stuck } of findDeadlocks(graph)) {
      const key = `${threads.join(' ')}|${monitors.map((row) => classes[row]).join(' ')}`;
      const setKey = keyOf(dump, threads);
      seen.add(setKey);
      const agreed = told === undefined ? null : told.has(setKey);
      const earlier = known.get(key);
      if (earlier === undefined) {
        const monitorTexts = monitors.map((row) => monitorLabel(program, locks.monitors, row));
        known.set(key, { dumps: [dump + 1], threads: threads.map(label), monitors: monitorTexts, stuck, told: agreed });
      } else {
        earlier.dumps.push(dump + 1);
        earlier.stuck = Math.max(earlier.stuck, stuck);
        if (agreed === false) earlier.told = false;
      }
    }
  }
  return { named: [...known.values()], seen };
}

function dumpsOf(monitors: Table): number[] {
  return [...new Set(MONITORS.rows(monitors).dump)].sort((a, b) => a - b);
}

function keyOf(dump: number, threads: readonly number[]): string {
  return `${dump}: ${[...threads].sort((a, b) => a - b).join(' ')}`;
}

function toldDeadlocks(table: Table): Set<string> {
  const { length, dump, cycle, thread } = DEADLOCKS.rows(table);
  const found = new Set<string>();
  for (let from = 0; from < length; ) {
    let to = from;
    while (to < length && dump[to] === dump[from] && cycle[to] === cycle[from]) to++;
    found.add(keyOf(dump[from], [...thread.slice(from, to)]));
    from = to;
  }
  return found;
}

/** Deadlocks that are told in words: more of them are only counted. */
const DEADLOCKS_TOLD = 10;

/** What must be said of deadlocks: each in words, and where the recording itself says otherwise. */
export function deadlockNotes(input: ViewInput, locks: Locks): string[] {
  const { named, seen } = findAll(input, locks);
  const several = locks.snapshots.length > 1;
  const notes = named.slice(0, DEADLOCKS_TOLD).map((deadlock) => deadlockText(deadlock, several));
  if (named.length > DEADLOCKS_TOLD)
    notes.push(`${named.length - DEADLOCKS_TOLD} further deadlocks are in the result.`);
  const present = new Set(dumpsOf(locks.monitors));
  const told = locks.deadlocks === undefined ? [] : [...toldDeadlocks(locks.deadlocks)];
  const missed = told.filter((key) => !seen.has(key) && present.has(Number.parseInt(key, 10)));
  if (missed.length > 0)
    notes.push(`The recording itself names ${missed.length} more, which its owners and waiters do not show.`);
  return notes;
}

/** `deadlock: A waits for X held by B, B waits for Y held by A`, with the dumps that show it where there are several. */
export function deadlockText({ dumps, threads, monitors, stuck, told }: NamedDeadlock, several: boolean): string {
  const links = threads.map((thread, i) => {
    const owner = threads[(i + 1) % threads.length] ?? '';
    return `${thread} waits for ${monitors[i] ?? ''} held by ${owner}`;
  });
  const behind = stuck === 0 ? '' : `; stuck behind it: ${stuck}`;
  const where = several ? ` (dump ${ranges(dumps)})` : '';
  const doubt = told === false ? '; the recording itself does not name it' : '';
  return `deadlock${where}: ${links.join(', ')}${behind}${doubt}`;
}

/** `1-3, 7` for 1, 2, 3, 7. */
function ranges(numbers: readonly number[]): string {
  const parts: string[] = [];
  for (let from = 0; from < numbers.length; ) {
    let to = from;
    while (to + 1 < numbers.length && numbers[to + 1] === numbers[to] + 1) to++;
    parts.push(from === to ? String(numbers[from]) : `${numbers[from]}-${numbers[to]}`);
    from = to + 1;
  }
  return parts.join(', ');
}

/** The monitor that most threads want, and who holds up its owner in turn. */
export interface Wanted {
  readonly monitor: string;
  readonly dump: number;
  readonly wanted: number;
  /** The owner, whom that waits for, and so on; empty where the owner is not told. */
  readonly owners: string[];
  /** The owners end in a deadlock. */
  readonly endless: boolean;
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
  const dump = dumps[row];
  const { threads, endless } = ownerChain(waitGraph(locks, dump), row);
  const label = threadLabels(profile, program);
  return {
    monitor: monitorLabel(program, locks.monitors, row),
    dump: dump + 1,
    wanted: most,
    owners: threads.map(label),
    endless,
  };
}

/** Where the threads ran on while they were looked at. */
export function momentNote(locks: Locks): string[] {
  if (!SNAPSHOTS.rows(locks.snapshots).together.includes(0)) return [];
  return ['Threads were looked at one by one while they ran: who holds and who waits may be of different moments.'];
}

export function wantedNote(wanted: Wanted | null): string[] {
  if (wanted === null || wanted.wanted < 2) return [];
  const [owner, ...others] = wanted.owners;
  const chain = others.length === 0 ? '' : `, which waits for ${others.join(', which waits for ')}`;
  const end = wanted.endless ? ', in a deadlock' : '';
  const held = owner === undefined ? 'its owner is not told' : `held by ${owner}${chain}${end}`;
  return [`Most wanted: ${wanted.monitor}, by ${wanted.wanted} threads; ${held}.`];
}
