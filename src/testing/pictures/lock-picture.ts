/**
 * Locks drawn in text, for tests: a line a fact, `dump 2` begins the next dump.
 *
 *   A holds X
 *   B wants X          blocked until it can enter
 *   C awaits X         in Object.wait
 *   D parks X          parked for it
 */
import {
  DEADLOCKS,
  LOCK_WAITS,
  type Locks,
  MONITORS,
  SNAPSHOTS,
  WAIT_KINDS,
  type WaitKind,
} from '../../models/locks/locks.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { THREADS } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';

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
  const snapshots = SNAPSHOTS.builder();
  const monitors: DrawnMonitor[] = [];
  const waits = LOCK_WAITS.builder();
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
  const table = MONITORS.builder();
  for (const one of monitors) table.add({ ...one, kind: 0 });
  const deadlocks = DEADLOCKS.builder();
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
    profile: {
      stacks: new StackBuilder(16).finish(),
      events: [],
      metrics: [],
      threads: THREADS.table({ name: Int32Array.from(names) }),
    },
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
