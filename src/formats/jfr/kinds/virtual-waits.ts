/**
 * What a recording lacks of the waits of virtual threads.
 *
 * A virtual thread that waits gives its carrier back, and the JVM writes no event for it. It writes one where the thread stays on its
 * carrier (is pinned). Up to JDK 23 threads that wait for a monitor or in `Object.wait` stay (JEP 491 ended that), and those that park do
 * if they hold a monitor or have a native frame. Sleeps and input are written by Java code, for all threads.
 */
import { type Note, note } from '../../../base/note.js';
import { plural } from '../../../base/units.js';
import { WAIT_EVENTS, WAIT_REASONS, type WaitReason } from '../../../models/events/wait.js';
import type { Metric } from '../../../models/profile/profile.js';
import { THREADS } from '../../../models/profile/tables.js';
import type { Table } from '../../../models/table.js';

/** The first version in which virtual threads leave their carriers to wait for a monitor. */
const LEAVES_AT_MONITORS = 24;

/** What a recording says of its JVM and its settings. */
export interface Recorder {
  /** Version of Java; undefined unknown. */
  readonly java: number | undefined;
  /** Whether each start of a virtual thread is recorded. */
  readonly hasVirtualStarts: boolean;
  /** Row of the name of the group of carriers; -1 if there are none. */
  readonly carrierGroup: number;
}

/** The metrics of waits with a note on the virtual threads whose waits the recording lacks; others as they are. */
export function withVirtualWaits(
  metrics: readonly Metric[],
  waits: Table,
  threads: Table | undefined,
  recorder: Recorder,
): readonly Metric[] {
  if (threads === undefined) return metrics;
  const { virtual, group } = THREADS.rows(threads);
  const count = virtual?.filter((isVirtual) => isVirtual === 1).length ?? 0;
  // Carriers start with the first virtual thread.
  const hasCarriers = group?.some((name) => name === recorder.carrierGroup) === true;
  if (virtual === undefined || (count === 0 && !hasCarriers)) return metrics;
  const { thread, reason, length } = WAIT_EVENTS.rows(waits);
  const recorded = new Map<WaitReason, number>();
  for (let row = 0; row < length; row++) {
    const name = WAIT_REASONS[reason[row]];
    if (name !== undefined && virtual[thread[row]] === 1) recorded.set(name, (recorded.get(name) ?? 0) + 1);
  }
  const notes = [waitNote(count, recorded, recorder)];
  return metrics.map((metric) =>
    metric.field === 'slept' ? metric : { ...metric, notes: [...(metric.notes ?? []), ...notes] },
  );
}

function waitNote(
  count: number,
  recorded: ReadonlyMap<WaitReason, number>,
  { java, hasVirtualStarts }: Recorder,
): Note {
  const threads =
    count === 0
      ? 'An unknown number of virtual threads'
      : `${hasVirtualStarts ? '' : 'At least '}${plural(count, 'virtual thread')}`;
  const monitors = (recorded.get('enter') ?? 0) + (recorded.get('object-wait') ?? 0);
  const parks = recorded.get('park') ?? 0;
  const lacking =
    java !== undefined && java < LEAVES_AT_MONITORS
      ? `Java ${java} records their waits for monitors (${monitors}), and of their parks only those while they are pinned (${parks})`
      : `${java === undefined ? 'From JDK 24 on the JVM' : `Java ${java}`} records their waits for monitors and their parks only while they are pinned (${monitors + parks})`;
  return note(
    'virtual-waits',
    `${threads}: ${lacking}, so other waits are in no number here. \`jcmd PID Thread.dump_to_file\` shows where they wait; method timing (JDK 25) and events of your own measure how long.`,
  );
}
