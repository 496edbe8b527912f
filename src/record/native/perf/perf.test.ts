/** Experiments that perf recorded: gprofng prints the samples that perf itself counts. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasProgram, ownJdk } from '../../../../scripts/testing/programs.js';
import { spawnCommand } from '../../../cli/testing/spawn-command.js';
import { temporaryFolder } from '../../../testing/byte-sources.js';
import { ROOT } from '../../../testing/shared-data.js';
import { canSample, countedProgram, recorded, refusedRecording, usedSeconds } from '../testing/counted.js';
import { readPerf } from './perf.node.js';
import { writePerfExperiment } from './record-perf.node.js';

const INTERVAL = 1e6;
const HOST = { env: process.env, hasTerminal: false };

/** Samples by function of a program: those of its own code, and those with it on the stack; by pairs of caller and function. */
interface Counts {
  readonly own: Map<string, number>;
  readonly all: Map<string, number>;
}

function add(sums: Map<string, number>, key: string): void {
  sums.set(key, (sums.get(key) ?? 0) + 1);
}

/** From `perf script -F ip,sym,dso`: a block a sample. */
function perfCounts(text: string, file: string): Counts {
  const counts: Counts = { own: new Map(), all: new Map() };
  for (const block of text.split('\n\n')) {
    const frames = block.split('\n').flatMap((line) => {
      const [, name = '', dso = ''] = /^\s+[0-9a-f]+ (.+) \((.*)\)$/.exec(line) ?? [];
      return name === ''
        ? []
        : [
            {
              name: dso === '[kernel.kallsyms]' ? `${name}_[k]` : name,
              isShown: dso === file || dso.startsWith('[kernel'),
            },
          ];
    });
    const [leaf] = frames;
    if (leaf?.isShown === true) add(counts.own, leaf.name);
    for (const name of new Set(frames.filter(({ isShown }) => isShown).map((frame) => frame.name)))
      add(counts.all, name);
  }
  return counts;
}

/** From the functions that gprofng prints, in samples. */
function peerCounts(text: string, names: ReadonlySet<string>): Counts {
  const counts: Counts = { own: new Map(), all: new Map() };
  for (const line of text.split('\n')) {
    const [, exclusive = '', inclusive = '', name = ''] = /^ *([\d.]+) +([\d.]+) +(\S+)$/.exec(line) ?? [];
    if (!names.has(name)) continue;
    const samples = (seconds: string): number => Math.round((Number(seconds) * 1e9) / INTERVAL);
    if (samples(exclusive) > 0) counts.own.set(name, samples(exclusive));
    counts.all.set(name, samples(inclusive));
  }
  return counts;
}

const sorted = (sums: Map<string, number>): [string, number][] => [...sums].sort(([a], [b]) => (a < b ? -1 : 1));

for (const unwinding of ['dwarf', 'fp'] as const)
  test(`gprofng prints the samples that perf counts, with callers by ${unwinding}`, async (t) => {
    if (!canSample(t)) return;
    const folder = await temporaryFolder(t);
    const program = countedProgram(folder, unwinding === 'fp' ? ['-fno-omit-frame-pointer'] : []);
    const data = join(folder, 'perf.data');
    const run = (command: string, ...words: string[]): string =>
      execFileSync(command, words, {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 1 << 28,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    const sampling = ['-q', '-k', 'CLOCK_MONOTONIC', '-e', 'cpu-clock', '-c', String(INTERVAL), '--sample-cpu'];
    run('perf', 'record', ...sampling, '--call-graph', unwinding, '-o', data, program, '200');
    const perfRun = await readPerf('perf', data, { pid: 0, fromExec: false }, HOST);
    const facts = { command: [program], directory: folder, usage: undefined, start: 0, end: 0, date: 0, comments: [] };
    const how = { interval: INTERVAL, unwound: unwinding === 'dwarf' };
    writePerfExperiment(perfRun, join(folder, 'a.er'), how, { ...facts, follows: () => true });
    const expected = perfCounts(run('perf', 'script', '-i', data, '-F', 'ip,sym,dso', '--no-inline'), program);
    const text = run('gprofng', 'display', 'text', '-metrics', 'e.totalcpu:i.totalcpu:name', '-functions', 'a.er');
    const printedCounts = peerCounts(text, new Set(expected.all.keys()));
    deepEqual(sorted(printedCounts.own), sorted(expected.own));
    deepEqual(sorted(printedCounts.all), sorted(expected.all));
    ok((expected.own.get('spin') ?? 0) > 100, 'the program ran');
    // Twice as much below `together` as below `apart`: the program divides its time so.
    const tree = run('gprofng', 'display', 'text', '-calltree', 'a.er');
    const below = (name: string): number =>
      Number(new RegExp(`^ *([\\d.]+) +[\\d.]+ .*\\+-${name}$`, 'm').exec(tree)?.[1]);
    ok(Math.abs(below('together') - 2 * below('apart')) < 0.03, tree);
  });

test('a program and its children: CPU time as they count it, exit code', async (t) => {
  if (!canSample(t)) return;
  const folder = await temporaryFolder(t);
  const run = recorded(folder, '--with', 'perf', '-o', 'b.er', '--', countedProgram(folder), '200', '5', '2');
  equal(run.status, 5, run.stderr);
  const [, sum = '', counted = ''] =
    /clock profiling has ([\d.]+) ms, the system counted ([\d.]+) ms/.exec(run.stderr) ?? [];
  const expected = 3 * usedSeconds(run);
  ok(Math.abs(Number(sum) / 1000 - expected) < 0.1 * expected, `${sum} ms, ${expected} s`);
  ok(Math.abs(Number(counted) / 1000 - expected) < 0.1 * expected, `${counted} ms, ${expected} s`);
  match(run.stderr, /perf recorded 3 processes/);
  deepEqual(
    ['_f1.er', '_f2.er'].map((name) => existsSync(join(folder, 'b.er', name))),
    [true, true],
  );
  const alone = recorded(
    folder,
    '--with',
    'perf',
    '-o',
    'c.er',
    '--descendants',
    'off',
    '--',
    './counted',
    '50',
    '0',
    '1',
  );
  match(alone.stderr, /perf recorded 1 process,/);
});

test('a process that runs is recorded for a time, and goes on', async (t) => {
  if (!canSample(t)) return;
  const folder = await temporaryFolder(t);
  const child = spawn(countedProgram(folder), ['busy'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(child, 'exit');
  const run = recorded(folder, '-p', String(child.pid), '-o', 'd.er', '--duration', '200ms');
  equal(run.status, 0, run.stderr);
  equal(child.exitCode, null);
  child.stdin.end();
  await ended;
  const text = execFileSync('gprofng', ['display', 'text', '-functions', 'd.er'], { cwd: folder, encoding: 'utf8' });
  match(text, /^0\.[\d]+ 100\.00 .*<Total>$/m);
  match(text, / apart$/m);
  const gone = await refusedRecording(folder, '-p', String(child.pid));
  deepEqual([gone.status, gone.stderr], [3, `kansoku: there is no process ${child.pid} of yours\n`]);
});

test('compiled methods of Java have their names', async (t) => {
  if (!canSample(t) || !hasProgram(t, 'javac') || ownJdk() === undefined) return;
  const folder = await temporaryFolder(t);
  execFileSync('javac', ['-d', folder, join(ROOT, 'src/record/native/perf/testing/Spinning.java')]);
  const run = recorded(
    folder,
    '--with',
    'perf',
    '-o',
    'e.er',
    '--copies',
    'none',
    '--',
    'java',
    '-cp',
    '.',
    'Spinning',
  );
  equal(run.status, 0, run.stderr);
  const [, samples = '', share = ''] =
    /([\d,]+) samples are in code made at run time: ([\d.]+) % have a name/.exec(run.stderr) ?? [];
  ok(Number(samples.replace(',', '')) > 100 && Number(share) > 90, run.stderr);
  const text = execFileSync('gprofng', ['display', 'text', '-functions', 'e.er'], { cwd: folder, encoding: 'utf8' });
  match(text, / Spinning\.spin\(long\)$/m);
});

test('short processes have too few samples, and the answer says so', async (t) => {
  if (!canSample(t)) return;
  const folder = await temporaryFolder(t);
  const script = 'i=0; while [ $i -lt 80 ]; do /bin/true; i=$((i+1)); done';
  const words = ['--with', 'perf', '--interval', '50ms', '-o', 'f.er', '--', '/bin/sh', '-c', script];
  const { status, stderr } = recorded(folder, ...words);
  equal(status, 0, stderr);
  match(stderr, /what ends within an interval has no sample.*\n.*record with a shorter --interval/);
});

test('where perf may not sample, the program does not run', async (t) => {
  const folder = await temporaryFolder(t);
  const perf = join(folder, 'perf');
  writeFileSync(perf, '#!/bin/sh\necho "Error: No permission to enable cpu-clock event." >&2\nexit 255\n', {
    mode: 0o700,
  });
  const words = ['record', 'native', '--with', 'perf', '--', '/bin/sh', '-c', 'echo ran'];
  const { status, stdout, stderr } = spawnCommand(words, { cwd: folder, env: { PATH: folder } });
  deepEqual([status, stdout], [2, '']);
  match(stderr, /^kansoku: perf cannot record: Error: No permission.*\n.*kernel\.perf_event_paranoid/);
});

test('what perf lacks is said before the program runs', async (t) => {
  if (!canSample(t)) return;
  const folder = await temporaryFolder(t);
  const program = countedProgram(folder);
  const refused = async (...words: string[]): Promise<string> => {
    const { status, stdout, stderr } = await refusedRecording(folder, ...words);
    deepEqual([status, stdout], [2, ''], stderr);
    return stderr;
  };
  match(await refused('--with', 'perf', '--heap', '--io', '--', program, '1'), /no --heap, --io/);
  match(await refused('--with', 'perf', '--descendants', '=[', '--', program, '1'), /not a regular expression/);
  match(await refused('--with', 'gprofng', '-p', '1'), /cannot record a process that runs/);
  match(await refused(), /name one: a program to run, or a process/);
});
