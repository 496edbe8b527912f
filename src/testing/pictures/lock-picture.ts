/**
 * Locks drawn in text, for tests: a line a fact, `dump 2` begins the next dump.
 *
 *   A holds X
 *   B wants X          blocked until it can enter
 *   C awaits X         in Object.wait
 *   D parks X          parked for it
 */
import {
  DEADLOCK_FIELDS,
  type Locks,
  MONITOR_FIELDS,
  SNAPSHOT_FIELDS,
  WAIT_FIELDS,
  WAIT_KINDS,
  type WaitKind,
} from '../../models/locks/locks.js';
import { threadsNamed } from '../../models/profile/fields.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import { TableBuilder } from '../../models/table.js';

const HOW: Readonly<Record<string, WaitKind>> = { wants: 'enter', awaits: 'notify', parks: 'park' };

interface DrawnMonitor {
  readonly class: number;
  owner: number;
  readonly dump: number;
}

/** A recording of nothing but these locks. `told`: deadlocks that it names itself, as names of threads. */
export function lockPicture(
  text: string,
  told?: readonly (readonly string[])[],
): Recording & { readonly locks: Locks } {
  const program = new ProgramBuilder();
  const threads: string[] = [];
  const thread = (name: string): number => (threads.includes(name) ? threads.indexOf(name) : threads.push(name) - 1);
  const snapshots = new TableBuilder('snapshot', 'Dumps', SNAPSHOT_FIELDS);
  const monitors: DrawnMonitor[] = [];
  const waits = new TableBuilder('wait', 'Waits', WAIT_FIELDS);
  let known = new Map<string, number>();
  let dump = 0;
  snapshots.add({ offset: 0 });
  const monitor = (name: string): number => {
    const row = known.get(name) ?? monitors.push({ class: program.class(program.name(name)), owner: -1, dump }) - 1;
    known.set(name, row);
    return row;
  };
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue;
    const [who = '', verb = '', what = ''] = line.split(' ');
    if (who === 'dump') {
      dump = Number(verb) - 1;
      known = new Map();
      snapshots.add({ offset: dump });
    } else if (verb === 'holds') monitors[monitor(what)].owner = thread(who);
    else waits.add({ thread: thread(who), monitor: monitor(what), how: WAIT_KINDS.indexOf(HOW[verb] ?? 'enter') });
  }
  const table = new TableBuilder('monitor', 'Monitors', MONITOR_FIELDS);
  for (const one of monitors) table.add({ ...one, kind: 0 });
  const deadlocks = new TableBuilder('deadlock', 'Deadlocks', DEADLOCK_FIELDS);
  told?.forEach((names, cycle) => {
    for (const name of names) deadlocks.add({ dump: 0, cycle, thread: thread(name) });
  });
  const names = threads.map((name) => program.name(name));
  return {
    name: 'picture',
    format: 'picture',
    metadata: [],
    sections: [],
    program: program.finish(),
    profile: { stacks: new StackBuilder(16).finish(), events: [], metrics: [], threads: threadsNamed(names) },
    locks: {
      snapshots: snapshots.finish(),
      monitors: table.finish(),
      waits: waits.finish(),
      ...(told === undefined ? {} : { deadlocks: deadlocks.finish() }),
    },
    problems: { list: [], counts: {} },
    complete: true,
    residue: undefined,
  };
}
