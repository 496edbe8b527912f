/**
 * User, expert and machine views of programs with OpenMP and Java, written event by event, against what gprofng prints of them: the states of a
 * thread and the microstates of the Performance Analyzer's manual (chapter 7), threads of the JVM, refused stacks, recursion.
 */
import { deepEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { comparedWithPeer } from '../../peers/gprofng/testing/peer-functions.js';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { MadeExperiment, type MadeStack } from './testing/made-experiment.js';
import { type FieldText, packetText, START } from './write/log.js';
import { PacketBlocks } from './write/packets.js';

const STATES = ['UCPU', 'SCPU', 'TRAP', 'TFLT', 'DFLT', 'KFLT', 'ULCK', 'TSLP', 'WCPU', 'TSTP'];

const folder = mkdtempSync(join(tmpdir(), 'kansoku-view-modes-'));
after(() => rmSync(folder, { recursive: true }));

const hasPeer = (): boolean => spawnSync('gprofng', ['--version']).status === 0;

/** Each state of OpenMP, with a time of its own: powers of two. */
test('states of OpenMP', async (t) => {
  if (!hasPeer()) return t.skip('gprofng is not installed');
  const made = new MadeExperiment();
  for (let state = 0; state <= 12; state++) {
    const user = ['main', 'body', `state_${state}`];
    const stack: MadeStack = { native: ['clone', 'gomp_thread_start', `runtime_${state}`], openmp: { state, user } };
    made.clock({ stack, thread: 1 + (state % 3), time: state * 1e7 }, 2 ** state, 0);
  }
  // A recursive function counts once, and threads without a state have native stacks.
  made.clock({ stack: { native: ['main', 'again', 'again', 'again'] }, time: 2e8 }, 3, 0);
  await comparedWithPeer(made, join(folder, 'openmp.er'), [
    ['cpu', 'totalcpu'],
    ['omp-work', 'ompwork'],
    ['omp-wait', 'ompwait'],
    ['omp-overhead', 'ompovhd'],
  ]);
});

test('work, wait and overhead of OpenMP in each microstate are all time, and code on a CPU of Linux works', async (t) => {
  if (!hasPeer()) return t.skip('gprofng is not installed');
  const made = new MadeExperiment();
  for (let state = 0; state <= 12; state++)
    for (let micro = 0; micro < 10; micro++) {
      const openmp = { state, user: ['main', `state_${state}`, `in_${micro}`] };
      made.clock({ stack: { native: ['clone'], openmp }, time: state * 1e7 }, 1 + state * 10 + micro, micro);
    }
  await comparedWithPeer(made, join(folder, 'openmp-microstates.er'), [
    ['omp-work', 'ompwork'],
    ['omp-wait', 'ompwait'],
    ['omp-overhead', 'ompovhd'],
  ]);
  const linux = new MadeExperiment();
  for (let state = 0; state <= 12; state++)
    linux.clock({ stack: { native: ['clone'], openmp: { state, user: ['main'] } }, time: state * 1e7 }, 2 ** state);
  const path = join(folder, 'openmp-linux.er');
  mkdirSync(path);
  for (const [file, bytes] of linux.files()) writeFileSync(join(path, file), bytes);
  const session = await openInputs([path], { cache: false, announce: () => undefined, work: {} });
  const sums = await Promise.all(
    ['omp-work', 'omp-wait', 'omp-overhead', 'cpu'].map(async (metric) => {
      const { metric: shown } = await ask(session, { view: 'functions', options: { metric } });
      return shown.sum / 1e7;
    }),
  );
  await session.close();
  const work = 1 + 2 ** 2 + 2 ** 6 + 2 ** 7;
  deepEqual(sums, [work, 2 ** 13 - 1 - 2 - work, 2, 2 ** 13 - 1]);
});

test('threads of Java and of the JVM', async (t) => {
  if (!hasPeer()) return t.skip('gprofng is not installed');
  const made = new MadeExperiment(undefined, [2]);
  const java = (native: string[], methods: string[]): MadeStack => ({ native, java: methods });
  made.clock({ stack: java(['start', 'interpreter', 'compiled'], ['run', 'work']), thread: 2, time: 1e7 }, 1, 0);
  made.clock({ stack: java(['start', 'interpreter'], ['run']), thread: 2, time: 2e7 }, 2, 0);
  made.clock({ stack: { native: ['start', 'collect'] }, thread: 2, time: 3e7 }, 4, 0);
  made.clock({ stack: { native: ['jvm_thread', 'collect'] }, thread: 3, time: 4e7 }, 8, 0);
  await comparedWithPeer(made, join(folder, 'java.er'), [['cpu', 'totalcpu']]);
});

/** Table 7-2: each microstate is time of its own metric, and total time is their sum. */
test('microstates', async (t) => {
  if (!hasPeer()) return t.skip('gprofng is not installed');
  const made = new MadeExperiment();
  const openmp = { state: 2, user: ['main', 'body'] };
  for (let state = 0; state < 10; state++)
    made.clock({ stack: { native: ['main', `in_${state}`], openmp }, time: state * 1e7 }, 2 ** state, state);
  await comparedWithPeer(made, join(folder, 'microstates.er'), [
    ['user', 'user'],
    ['text-fault', 'textpfault'],
    ['data-fault', 'datapfault'],
    ['kernel-fault', 'kernelpfault'],
    ['lock', 'lock'],
    ['sleep', 'sleep'],
    ['wait-cpu', 'wait'],
    ['stopped', 'stop'],
    ['cpu', 'totalcpu'],
    ['total', 'total'],
  ]);
});

/** The packets of older recorders: all microstates of a thread since it was in user mode. */
test('microstates in one packet', async (t) => {
  if (!hasPeer()) return t.skip('gprofng is not installed');
  const metrics = [
    ['user', 'user'],
    ['text-fault', 'textpfault'],
    ['lock', 'lock'],
    ['sleep', 'sleep'],
    ['stopped', 'stop'],
    ['cpu', 'totalcpu'],
    ['total', 'total'],
  ] as const;
  for (const littleEndian of [true, false]) {
    const machine = { littleEndian, word: 8 } as const;
    const made = new MadeExperiment(machine);
    for (const [i, name] of ['reads', 'locks', 'reads'].entries())
      made.clock(
        { stack: { native: ['main', name], openmp: { state: 2, user: ['main', name] } }, time: i * 1e7 },
        1,
        0,
      );
    const files = made.files();
    const log = new TextDecoder().decode(files.get('log.xml'));
    const old = packetText(1, [
      'TSTAMP 28 INT64',
      'FRINFO 36 INT64',
      ...STATES.map((name, i): FieldText => `${name} ${44 + i * 4} INT32`),
    ]);
    files.set('log.xml', new TextEncoder().encode(log.replace(/ *<profpckt kind="8"[\s\S]*?<\/profpckt>\n/, old)));
    const blocks = new PacketBlocks(machine);
    for (const [i, ticks] of [
      [1, 0, 0, 4, 0, 0, 0, 16, 0, 0],
      [1, 2, 4, 0, 8, 16, 32, 0, 64, 128],
      [256, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ].entries()) {
      const { fields } = blocks.packet(84, 1);
      fields.wide(8, 1);
      fields.wide(16, 1);
      fields.wide(28, START + i * 1e7);
      // The third one has the stack of the first.
      fields.wide(36, 1 + (i % 2));
      for (const [state, count] of ticks.entries()) fields.word(44 + state * 4, count);
    }
    files.set('profile', blocks.finishShort());
    await comparedWithPeer({ files: () => files }, join(folder, `old-${littleEndian}.er`), metrics);
  }
});
