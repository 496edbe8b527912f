/** Deadlocks: those that a recording's owners and waiters show, and those that it names itself. */
import { findDeadlocks, waitGraphs } from '../../analysis/locks/deadlocks.js';
import { monitorLabel } from '../../analysis/locks/monitor-label.js';
import { type Note, note } from '../../base/note.js';
import { type Phrase, phrase, theField } from '../../base/phrase.js';
import { plural } from '../../base/units.js';
import { DEADLOCKS, type Locks, MONITORS, SNAPSHOTS } from '../../models/locks/locks.js';
import type { Table } from '../../models/table.js';
import type { ViewInput } from '../question.js';
import { threadLabels } from './lock-labels.js';

/** A deadlock and the dumps that show it, numbered from 1. */
export interface NamedDeadlock {
  readonly dumps: number[];
  readonly threads: string[];
  readonly monitors: string[];
  stuck: number;
  /** Whether the recording itself names it in all of these dumps; null where it never names any. */
  reported: boolean | null;
  /** Whether owners and waiters show it; false where only the recording's own words do. */
  readonly shown: boolean;
}

/** Threads that hold each other up in one dump. */
interface Ring {
  readonly dump: number;
  readonly threads: readonly number[];
  /** -1 where it is not known what the thread waits for. */
  readonly monitors: readonly number[];
  readonly stuck: number;
  readonly reported: boolean | null;
  readonly shown: boolean;
}

/**
 * Deadlocks of the dumps, each distinct one once: the same threads wait for monitors of the same classes. Those that the
 * recording itself names are among them, whether its owners and waiters show them or not.
 */
export function namedDeadlocks(input: ViewInput, locks: Locks): NamedDeadlock[] {
  const { program, profile } = input.recording;
  const label = threadLabels(profile, program);
  const deadlocksByKey = new Map<string, NamedDeadlock>();
  const { class: classes } = MONITORS.rows(locks.monitors);
  for (const { dump, threads, monitors, stuck, reported, shown: ringText } of ringsOf(locks)) {
    const key = `${ringText} ${threads.join(' ')}|${monitors.map((row) => classes[row] ?? -1).join(' ')}`;
    const earlier = deadlocksByKey.get(key);
    if (earlier === undefined) {
      const texts = monitors.map((row) => (row < 0 ? 'an unknown lock' : monitorLabel(program, locks.monitors, row)));
      deadlocksByKey.set(key, {
        dumps: [dump + 1],
        threads: threads.map(label),
        monitors: texts,
        stuck,
        reported,
        shown: ringText,
      });
    } else {
      earlier.dumps.push(dump + 1);
      earlier.stuck = Math.max(earlier.stuck, stuck);
      if (reported === false) earlier.reported = false;
    }
  }
  return [...deadlocksByKey.values()];
}

/** In the order of the dumps; in each those that owners and waiters show come first. */
function ringsOf(locks: Locks): Ring[] {
  const { deadlocks } = locks;
  const reported = deadlocks === undefined ? [] : reportedDeadlocks(deadlocks);
  const reportedKeys = new Set(reported.map(({ dump, threads }) => keyOf(dump, threads)));
  const ringKeys = new Set<string>();
  const rings: Ring[] = [];
  const graphs = waitGraphs(locks);
  for (const [dump, graph] of graphs)
    for (const deadlock of findDeadlocks(graph)) {
      const key = keyOf(dump, deadlock.threads);
      ringKeys.add(key);
      rings.push({ dump, ...deadlock, reported: deadlocks === undefined ? null : reportedKeys.has(key), shown: true });
    }
  for (const { dump, threads } of reported) {
    if (ringKeys.has(keyOf(dump, threads))) continue;
    const monitors = threads.map((thread) => graphs.get(dump)?.wanted.get(thread) ?? -1);
    rings.push({ dump, threads, monitors, stuck: 0, reported: true, shown: false });
  }
  return rings.sort((a, b) => a.dump - b.dump);
}

function keyOf(dump: number, threads: readonly number[]): string {
  return `${dump}: ${[...threads].sort((a, b) => a - b).join(' ')}`;
}

function reportedDeadlocks(table: Table): { readonly dump: number; readonly threads: readonly number[] }[] {
  const { length, dump, cycle, thread } = DEADLOCKS.rows(table);
  const reportedRings: { dump: number; threads: number[] }[] = [];
  for (let firstRow = 0; firstRow < length; ) {
    let endRow = firstRow;
    while (endRow < length && dump[endRow] === dump[firstRow] && cycle[endRow] === cycle[firstRow]) endRow++;
    reportedRings.push({ dump: dump[firstRow], threads: [...thread.slice(firstRow, endRow)] });
    firstRow = endRow;
  }
  return reportedRings;
}

/** Deadlocks described in lines; further ones are only counted. */
const MOST_NOTES = 10;

/** Each deadlock in words. */
export function deadlockNotes(deadlocks: readonly NamedDeadlock[], locks: Locks): Phrase[] {
  const several = locks.snapshots.length > 1;
  const lines: Phrase[] = deadlocks.slice(0, MOST_NOTES).map((deadlock) => deadlockText(deadlock, several));
  if (deadlocks.length > MOST_NOTES)
    lines.push(phrase`${plural(deadlocks.length - MOST_NOTES, 'more deadlock')} (${theField('deadlocks')} has all).`);
  return lines;
}

/** `deadlock: A waits for X held by B, B waits for Y held by A`, with the dumps that show it where there are several. */
export function deadlockText(
  { dumps, threads, monitors, stuck, reported, shown: ringText }: NamedDeadlock,
  several: boolean,
): string {
  const links = threads.map((thread, i) => {
    const owner = ringText ? ` held by ${threads[(i + 1) % threads.length] ?? ''}` : '';
    return `${thread} waits for ${monitors[i] ?? ''}${owner}`;
  });
  const behind = stuck === 0 ? '' : `; stuck behind it: ${stuck}`;
  const where = several ? ` (dump ${ranges(dumps)})` : '';
  const words = ringText ? '' : '; reported by the recording, but owners and waiters do not show it';
  const doubt = reported === false ? '; not reported by the recording' : words;
  return `deadlock${where}: ${links.join(', ')}${behind}${doubt}`;
}

/** `1-3, 7` for 1, 2, 3, 7. */
function ranges(numbers: readonly number[]): string {
  const parts: string[] = [];
  for (let firstPlace = 0; firstPlace < numbers.length; ) {
    let lastPlace = firstPlace;
    while (lastPlace + 1 < numbers.length && numbers[lastPlace + 1] === numbers[lastPlace] + 1) lastPlace++;
    parts.push(firstPlace === lastPlace ? String(numbers[firstPlace]) : `${numbers[firstPlace]}-${numbers[lastPlace]}`);
    firstPlace = lastPlace + 1;
  }
  return parts.join(', ');
}

/** How much of the dumps could not be read, in all of them together; undefined if nothing. */
function unreadParts({ unread }: Locks): string | undefined {
  if (unread === undefined) return undefined;
  const { threads, lines } = unread;
  const counts = [
    ...(threads > 0 ? [plural(threads, 'thread')] : []),
    ...(lines > 0 ? [plural(lines, 'line of threads', 'lines of threads')] : []),
  ];
  return counts.join(' and ');
}

/** What a listing of locks lacks because it could not be read: a line, or none. */
export function unreadLocks(locks: Locks): string[] {
  const counts = unreadParts(locks);
  if (counts === undefined) return [];
  const none = locks.monitors.length === 0 ? 'No held or wanted locks in the part that could be read. ' : '';
  return [`${none}${counts} could not be read: locks and deadlocks may be missing.`];
}

/** What a listing of threads lacks because it could not be read. */
export function unreadNote(locks: Locks | undefined): Note[] {
  const counts = locks && unreadParts(locks);
  return counts === undefined ? [] : [note('unread-threads', `Not in the list: ${counts} that could not be read.`)];
}

/** Where the threads ran on while they were looked at. */
export function momentNote(locks: Locks): Note[] {
  if (!SNAPSHOTS.rows(locks.snapshots).together.includes(0)) return [];
  return [
    note(
      'moments-differ',
      'Threads were recorded one by one while running: owners and waiters may be from different moments.',
    ),
  ];
}
