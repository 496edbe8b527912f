/**
 * The situations of an OpenMP program that the manual of the Performance Analyzer draws (chapter 7): eleven in user mode, five of them also in
 * machine mode. Each is written as an experiment; the stacks of all threads are those of the manual, and the functions those of gprofng.
 *
 * The manual has `<OMP-overhead>` as a function; experiments of version 12.4 have overhead as a metric instead, so its stacks end in the region.
 */
import { deepEqual, equal } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { stringAt } from '../../base/text.js';
import { EXPERT_STACK, MACHINE_STACK, STACK, THREAD } from '../../models/events/shared-fields.js';
import { threadName } from '../../models/profile/profile.js';
import { column } from '../../models/table.js';
import { comparedWithPeer } from '../../peers/gprofng/testing/peer-functions.js';
import type { Session } from '../../session/session.js';
import { MadeExperiment } from './testing/made-experiment.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-openmp-'));
after(() => rmSync(folder, { recursive: true }));

/** Numbers of the states. */
const STATES: Readonly<Record<string, number>> = {
  work: 2,
  overhead: 1,
  implicit: 3,
  explicit: 4,
  idle: 5,
  serial: 6,
  reduction: 7,
  lock: 8,
  critical: 9,
};

/** A thread of a situation: its state, and its stacks in user and in machine mode as the manual draws them, leaf first. */
type Thread = readonly [state: keyof typeof STATES, user: string, machine: string];

const FOO = 'foo main _start';
const REGION = `foo-OMP ${FOO}`;
const NESTED = `bar-OMP bar ${REGION}`;
const SERIAL: Thread = ['serial', FOO, FOO];
/** The master runs the region from `foo`; slaves begin in the thread library. */
const master = (state: string, leaf = ''): Thread => [state, `${leaf} ${REGION}`, `foo-OMP libmtsk ${FOO}`];
const slave = (state: string, leaf = ''): Thread => [state, `${leaf} ${REGION}`, 'foo-OMP libmtsk _lwp_start'];
/** At a barrier the runtime makes the region appear as its caller. */
const masterAtBarrier = (state: string, leaf: string): Thread => [state, `${leaf} ${REGION}`, `libmtsk foo-OMP ${FOO}`];
const slaveAtBarrier = (state: string, leaf: string): Thread => [
  state,
  `${leaf} ${REGION}`,
  'libmtsk foo-OMP _lwp_start',
];
const IDLE: Thread = ['idle', '<OMP-idle>', 'libmtsk _lwp_start'];

const BARRIER = '<OMP-implicit_barrier>';
const CRITICAL = '<OMP-critical_section_wait>';
const LOCK = '<OMP-lock_wait>';

const SITUATIONS: Readonly<Record<string, readonly Thread[]>> = {
  '1 before the first parallel region': [SERIAL],
  '2 on entering the first parallel region': [
    master('overhead'),
    slave('overhead'),
    slave('overhead'),
    slave('overhead'),
  ],
  '3 within the region': [master('work'), slave('work'), slave('work'), slave('work')],
  '4 between chunks of work': [master('work'), slave('overhead'), slave('work'), slave('work')],
  '5 in a critical section': [
    masterAtBarrier('critical', CRITICAL),
    slave('work'),
    slave('work'),
    slaveAtBarrier('critical', CRITICAL),
  ],
  '6 around a lock': [masterAtBarrier('lock', LOCK), slave('work'), slave('work'), slaveAtBarrier('lock', LOCK)],
  '7 near the end of the region': [
    masterAtBarrier('implicit', BARRIER),
    slaveAtBarrier('implicit', BARRIER),
    slave('work'),
    slaveAtBarrier('explicit', '<OMP-explicit_barrier>'),
  ],
  '8 near the end, with reductions': [
    masterAtBarrier('reduction', '<OMP-reduction>'),
    slaveAtBarrier('implicit', BARRIER),
    slave('work'),
    slaveAtBarrier('implicit', BARRIER),
  ],
  '9 at the end of the region': [
    masterAtBarrier('implicit', BARRIER),
    slaveAtBarrier('implicit', BARRIER),
    slaveAtBarrier('implicit', BARRIER),
    slaveAtBarrier('implicit', BARRIER),
  ],
  '10 after the region': [SERIAL, IDLE, IDLE, IDLE],
  '11 in a nested region': [
    master('work'),
    ['work', NESTED, 'bar-OMP libmtsk bar foo-OMP libmtsk _lwp_start'],
    slave('work'),
    slave('work'),
    ['work', NESTED, 'bar-OMP libmtsk _lwp_start'],
  ],
};

const framesOf = (text: string): string[] => text.trim().split(' ').toReversed();

/** The threads of a situation as events, 2^n ticks on thread n. The state's function is no part of what the recorder writes. */
function made(threads: readonly Thread[]): MadeExperiment {
  const experiment = new MadeExperiment();
  for (const [i, [state, user, machine]] of threads.entries()) {
    const own = framesOf(user).filter((name) => !name.startsWith('<'));
    const openmp = { state: STATES[state] ?? -1, user: own };
    experiment.clock({ stack: { native: framesOf(machine), openmp }, thread: i + 1, time: i * 1e7 }, 2 ** i, 0);
  }
  return experiment;
}

/** By thread: its stacks in user, expert and machine mode, leaf first. */
function stacksOf(session: Session): (readonly string[])[] {
  const [recording] = session.recordings;
  const profile = recording?.profile;
  const table = profile?.events[0];
  if (recording === undefined || profile === undefined || table === undefined) return [];
  const { program } = recording;
  const text = (leaf: number): string => {
    const names: string[] = [];
    for (let id = leaf; id >= 0; id = profile.stacks.parent[id])
      names.push(
        stringAt(program.names, program.functions.name[program.locations.function[profile.stacks.location[id]]]),
      );
    return names.join(' ');
  };
  return Array.from({ length: table.length }, (_, row) => [
    threadName(profile, program, column(table, THREAD.key)[row]) ?? '',
    ...[STACK, EXPERT_STACK, MACHINE_STACK].map(({ key }) => text(column(table, key)[row])),
  ]);
}

describe('an OpenMP program', () => {
  for (const [title, threads] of Object.entries(SITUATIONS)) {
    test(title, async (t) => {
      if (spawnSync('gprofng', ['--version']).status !== 0) return t.skip('gprofng is not installed');
      const path = join(folder, `${title.split(' ')[0]}.er`);
      await comparedWithPeer(made(threads), path, [['cpu', 'totalcpu']], (session) => {
        const found = stacksOf(session);
        equal(new Set(found.map(([thread]) => thread)).size, threads.length);
        deepEqual(
          found.map(([, ...stacks]) => stacks),
          threads.map(([, user, machine]) => [user.trim(), user.trim(), machine]),
        );
      });
    });
  }
});
