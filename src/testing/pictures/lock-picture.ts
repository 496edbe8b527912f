/**
 * Locks drawn in text, for tests: a line a fact, `dump 2` begins the next dump.
 *
 *   A holds X
 *   B wants X          blocked until it can enter
 *   C awaits X         in Object.wait
 *   D parks X          parked for it
 *   E queues X         parked until the lock X is free
 *   gap synchronizers  the dump leaves these out
 */
import {
  DEADLOCKS,
  LOCK_WAITS,
  type Locks,
  MONITOR_KINDS,
  MONITORS,
  SNAPSHOT_GAPS,
  SNAPSHOTS,
  WAIT_KINDS,
  type WaitKind,
} from '../../models/locks/locks.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { THREADS } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import type { Table } from '../../models/table.js';

const GAPS: readonly string[] = SNAPSHOT_GAPS;
const HOW: Readonly<Record<string, WaitKind>> = { wants: 'enter', awaits: 'notify', parks: 'park', queues: 'acquire' };

interface DrawnMonitor {
  readonly class: number;
  kind: number;
  owner: number;
  readonly dump: number;
}

/** A recording of nothing but these locks. `reported`: deadlocks that it names itself, as names of threads. */
export function lockPicture(
  text: string,
  reported?: readonly (readonly string[])[],
): Recording & { readonly locks: Locks } {
  const program = new ProgramBuilder();
  const threads: string[] = [];
  const thread = (name: string): number => (threads.includes(name) ? threads.indexOf(name) : threads.push(name) - 1);
  const monitors: DrawnMonitor[] = [];
  const waits = LOCK_WAITS.builder();
  let known = new Map<string, number>();
  let dump = 0;
  const gaps = [0];
  const monitor = (name: string): number => {
    const row =
      known.get(name) ?? monitors.push({ class: program.class(program.name(name)), kind: 0, owner: -1, dump }) - 1;
    known.set(name, row);
    return row;
  };
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [who = '', verb = '', what = ''] = line.split(' ');
    if (who === 'dump') {
      dump = Number(verb) - 1;
      known = new Map();
      gaps.push(0);
    } else if (who === 'gap') gaps[dump] |= 1 << GAPS.indexOf(verb);
    else if (verb === 'holds') monitors[monitor(what)].owner = thread(who);
    else {
      waits.add({ thread: thread(who), monitor: monitor(what), how: WAIT_KINDS.indexOf(HOW[verb] ?? 'enter') });
      if (verb === 'queues') monitors[monitor(what)].kind = MONITOR_KINDS.indexOf('synchronizer');
    }
  }
  const table = MONITORS.builder();
  for (const one of monitors) table.add({ ...one });
  const deadlocks = deadlockTable(reported ?? [], thread);
  const names = threads.map((name) => program.name(name));
  return {
    name: 'picture',
    format: 'picture',
    metadata: [],
    sections: [],
    program: program.finish(),
    profile: {
      stacks: new StackBuilder(16).finish(),
      events: [],
      metrics: [],
      threads: THREADS.table({ name: Int32Array.from(names) }),
    },
    locks: {
      snapshots: snapshotsOf(gaps),
      monitors: table.finish(),
      waits: waits.finish(),
      ...(reported === undefined ? {} : { deadlocks }),
    },
    problems: { list: [], counts: {} },
    complete: true,
    residue: undefined,
  };
}

function snapshotsOf(gaps: readonly number[]): Table {
  const table = SNAPSHOTS.builder();
  for (const [offset, bits] of gaps.entries()) table.add({ offset, gaps: bits });
  return table.finish();
}

function deadlockTable(cycles: readonly (readonly string[])[], thread: (name: string) => number): Table {
  const table = DEADLOCKS.builder();
  for (const [cycle, names] of cycles.entries())
    for (const name of names) table.add({ dump: 0, cycle, thread: thread(name) });
  return table.finish();
}
