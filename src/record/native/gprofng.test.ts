/** Recording by gprofng: the program keeps its streams, signals and exit code, and what was recorded is what it counted itself. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { MAIN, spawnEnvironment } from '../../cli/testing/spawn-command.js';
import { temporaryFolder } from '../../testing/byte-sources.js';
import { gprofngWords, type NativeOptions } from './options.js';
import { countedProgram, recorded, refusedRecording, usedSeconds } from './testing/counted.js';

/** Processor time that a program may use before and behind what is counted. */
const BESIDE = 0.1;

function canRecord(t: TestContext): boolean {
  return ['gprofng', 'gcc'].every((program) => hasProgram(t, program));
}

test('the answer has the CPU time that the program counted, and says where the recorder has too little', async (t) => {
  if (!canRecord(t)) return;
  const folder = await temporaryFolder(t);
  const run = recorded(
    folder,
    '-o',
    'a.er',
    '--heap',
    '--comment',
    'two words',
    '--',
    countedProgram(folder),
    '300',
    '3',
  );
  equal(run.status, 3, run.stderr);
  const [, sum = '', counted = '', rest] =
    /clock profiling has ([\d.]+) ms, the system counted ([\d.]+) ms of CPU time(: its timer)?/.exec(run.stderr) ?? [];
  const seconds = usedSeconds(run);
  ok(Math.abs(Number(counted) / 1000 - seconds) < BESIDE, `${counted} ms, ${seconds} s`);
  equal(rest !== undefined, Number(sum) < Number(counted) / 2, run.stderr);
  equal(/to have it all: record again --with perf/.test(run.stderr), rest !== undefined, run.stderr);
  match(run.stderr, /the program ended with exit code 3$/m);
  equal(readFileSync(join(folder, 'a.er/notes'), 'utf8').trim(), 'two words');
  const again = await refusedRecording(folder, '-o', 'a.er', '--', './counted', '1');
  deepEqual([again.status, again.stderr], [2, 'kansoku: a.er exists\nAdd --overwrite, or choose another name.\n']);
});

test('gprofng takes the words of all options', async (t) => {
  if (!canRecord(t)) return;
  const folder = await temporaryFolder(t);
  const program = countedProgram(folder);
  const options: NativeOptions = {
    recorder: 'gprofng',
    interval: 2.5e6,
    sync: 'on',
    syncCallers: 'native',
    heap: true,
    io: true,
    descendants: 'off',
    comments: ['one', 'two'],
    copies: 'used-sources',
    usagePeriod: 2e9,
    sampleSignal: 'USR1',
    pauseSignal: 'USR2',
    duration: 60e9,
  };
  const words = gprofngWords(options, join(folder, 'b.er'));
  const { status, stdout, stderr } = spawnSync('gprofng', ['collect', 'app', '-n', ...words, program], {
    encoding: 'utf8',
  });
  equal(status, 0, stderr);
  for (const line of [
    'clock profiling enabled, 2.500 millisec.',
    'synchronization tracing enabled, threshold: calibrate; Native-APIs',
    'heap tracing enabled, no checking',
    'I/O tracing enabled',
    'descendant processes will not be followed',
    'pause-resume (delayed initialization) signal User defined signal 2 (12)',
    'sample signal User defined signal 1 (10)',
    'data-collection duration, 60 secs.',
    'periodic sampling, 2 secs.',
    'experiment archiving: -a usedsrc',
  ])
    ok(`${stdout}${stderr}`.includes(`\t${line}\n`), line);
});

test('what gprofng refuses is refused before the program runs', async (t) => {
  if (!canRecord(t)) return;
  const folder = await temporaryFolder(t);
  const program = countedProgram(folder);
  const refused = async (...words: string[]): Promise<string> => {
    const { status, stdout, stderr } = await refusedRecording(folder, ...words, '--', program, '1');
    deepEqual([status, stdout], [2, ''], stderr);
    return stderr;
  };
  match(await refused('--pause-signal', 'NOSIGNAL'), /^kansoku: NOSIGNAL is no signal/);
  match(await refused('--sync', 'some'), /^kansoku: gprofng refuses this: .*`some'/);
  match(await refused('-o', 'name'), /the name of an experiment ends with \.er/);
  match(await refused('--paused'), /--pause-signal/);
  match(await refused('--duration', '1.5s'), /whole seconds/);
  match(await refused('--unwinding', 'dwarf'), /--with perf/);
  equal(existsSync(join(folder, 'test.1.er')), false);
  const { status, stderr } = await refusedRecording(folder, '--', './no-such-program');
  deepEqual([status, stderr], [2, 'kansoku: ./no-such-program: there is no such program\n']);
});

test('Ctrl-C is for the program', async (t) => {
  if (!canRecord(t)) return;
  const folder = await temporaryFolder(t);
  const words = [MAIN, 'record', 'native', '-o', 'c.er', '--', countedProgram(folder), 'wait'];
  const child = spawn(process.execPath, words, {
    cwd: folder,
    env: spawnEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (part) => {
    stdout += String(part);
    if (stdout.endsWith('ready\n')) child.kill('SIGINT');
  });
  child.stderr.on('data', (part) => (stderr += String(part)));
  const [status] = await once(child, 'close');
  equal(status, 7, stderr);
  match(stderr, /c\.er: gprofng recorded 1 process/);
});
