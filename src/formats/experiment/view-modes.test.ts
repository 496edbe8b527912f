/**
 * User, expert and machine views of programs with OpenMP and Java, written event by event, against what gprofng prints of them: the states of a
 * thread and the microstates of the Performance Analyzer's manual (chapter 7), threads of the JVM, refused stacks, recursion.
 */
import { deepEqual } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { VIEW_MODES, type ViewMode } from '../../models/scope.js';
import { openInputs } from '../../session/open.node.js';
import { ask, type Session } from '../../session/session.js';
import { MadeExperiment, type MadeStack } from './testing/made-experiment.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-view-modes-'));
after(() => rmSync(folder, { recursive: true }));

type Row = readonly [name: string, self: string, total: string];

/** Seconds as the peer prints them. */
const seconds = (nanos: number): string => (nanos === 0 ? '0.' : (nanos / 1e9).toFixed(3));

/** `metric` of the peer: exclusive and inclusive, by name. */
function peerRows(path: string, mode: ViewMode, metric: string): Row[] {
  const words = ['-metrics', `e.${metric}:i.${metric}`, '-viewmode', mode, '-functions', path];
  const text = execFileSync('gprofng', ['display', 'text', ...words], { encoding: 'utf8', cwd: folder });
  return text.split('\n').flatMap((line): Row[] => {
    const [, self = '', total = '', name = ''] = /^\s*(\d+\.\d*)\s+(\d+\.\d*)\s+(\S.*)$/.exec(line) ?? [];
    return name === '' || name === '<Total>' ? [] : [[name, self, total]];
  });
}

async function ownRows(session: Session, mode: ViewMode, metric: string): Promise<Row[]> {
  const scope = [{ kind: 'view-mode', mode }] as const;
  const { rows } = await ask(session, { view: 'functions', options: { metric }, scope, page: { limit: 0 } });
  return rows.map((row) => [
    row.function.replace(' ([generated code])', ''),
    seconds(row.self ?? 0),
    seconds(row.total ?? 0),
  ]);
}

/** Rows with values: the peer also lists functions of other metrics. */
const shown = (rows: readonly Row[]): string[] =>
  rows
    .filter(([, self, total]) => self !== '0.' || total !== '0.')
    .map((row) => row.join('  '))
    .sort();

async function compare(made: MadeExperiment, name: string, metrics: readonly (readonly [own: string, peer: string])[]) {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, bytes] of made.files()) writeFileSync(join(path, file), bytes);
  const session = await openInputs([path], { cache: false, announce: () => undefined, work: {} });
  for (const mode of VIEW_MODES)
    for (const [own, peer] of metrics) {
      const wanted = shown(peerRows(path, mode, peer));
      deepEqual([mode, own, ...shown(await ownRows(session, mode, own))], [mode, own, ...wanted]);
      deepEqual(wanted.length > 0, true, `${name}: ${mode}`);
    }
  await session.close();
}

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
  await compare(made, 'openmp.er', [['cpu', 'totalcpu']]);
});

test('threads of Java and of the JVM', async (t) => {
  if (!hasPeer()) return t.skip('gprofng is not installed');
  const made = new MadeExperiment(undefined, [2]);
  const java = (native: string[], methods: string[]): MadeStack => ({ native, java: methods });
  made.clock({ stack: java(['start', 'interpreter', 'compiled'], ['run', 'work']), thread: 2, time: 1e7 }, 1, 0);
  made.clock({ stack: java(['start', 'interpreter'], ['run']), thread: 2, time: 2e7 }, 2, 0);
  made.clock({ stack: { native: ['start', 'collect'] }, thread: 2, time: 3e7 }, 4, 0);
  made.clock({ stack: { native: ['jvm_thread', 'collect'] }, thread: 3, time: 4e7 }, 8, 0);
  await compare(made, 'java.er', [['cpu', 'totalcpu']]);
});

/** Table 7-2: each microstate is time of its own metric, and total time is their sum. */
test('microstates', async (t) => {
  if (!hasPeer()) return t.skip('gprofng is not installed');
  const made = new MadeExperiment();
  const openmp = { state: 2, user: ['main', 'body'] };
  for (let state = 0; state < 10; state++)
    made.clock({ stack: { native: ['main', `in_${state}`], openmp }, time: state * 1e7 }, 2 ** state, state);
  await compare(made, 'microstates.er', [
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
