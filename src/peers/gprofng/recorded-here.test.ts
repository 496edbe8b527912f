/** C++ programs that gprofng records on this machine: what we print of them is what gprofng prints. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasProgram } from '../../../scripts/testing/programs.js';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { temporaryFolder } from '../../testing/byte-sources.js';
import { sharedData } from '../../testing/shared-data.js';
import { openExperiment } from './peer/experiment.js';
import { isSame, printedFor } from './testing/expected.js';
import { peerText } from './testing/made.js';

/** By line of a source, the seconds of its own code. Calls count for the line of the instruction behind them, which may be another one. */
function ownSeconds(text: string): Map<number, string> {
  const found = new Map<number, string>();
  for (const row of text.split('\n')) {
    const [, self = '', line = ''] = /^(?:## | {3})([\d.]+) +[\d.]+ +[\d.]+ +[\d.]+ +(\d+)\. /.exec(row) ?? [];
    if (Number(self) > 0) found.set(Number(line), self);
  }
  return found;
}

const MOST_RECORDINGS = 20;

test('source and disassembly of shapes.cc', async (t) => {
  const source = sharedData(t, 'experiments/src/shapes.cc');
  if (source === undefined || !['gprofng', 'g++'].every((program) => hasProgram(t, program))) return;
  const folder = await temporaryFolder(t);
  const run = (program: string, ...words: string[]): string =>
    execFileSync(program, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  copyFileSync(source, join(folder, 'shapes.cc'));
  run('g++', '-gdwarf-4', '-O1', '-o', 'shapes', 'shapes.cc');
  const peer = (...words: string[]): string => run('gprofng', 'display', 'text', ...words, 'shapes.er');
  // Debian's recorder takes four samples of half a second: one in six recordings lacks the function that is asked for.
  for (let recordings = 0; recordings < MOST_RECORDINGS; recordings++) {
    run('gprofng', 'collect', 'app', '-O', 'shapes.er', '-p', 'on', '-a', 'usedsrc', './shapes');
    if (peer('-functions').includes('Circle::area')) break;
  }

  const experiment = await openExperiment(join(folder, 'shapes.er'), { strict: true });
  t.after(() => experiment.close());
  const { out } = await printedFor(experiment, ['-disasm', 'main'], folder);
  match(out, /<Function: main>[\s\S]*<-- vector\.tcc:\d+/);
  equal(out, peer('-disasm', 'main'));

  const session = await openInputs([join(folder, 'shapes.er')], {
    cache: false,
    announce: () => undefined,
    work: {},
    library: {},
    inlinedFrames: false,
  });
  t.after(() => session.close());
  const expected = ownSeconds(peer('-source', 'shapes.cc'));
  ok(expected.size > 0, 'no lines with values');
  const { rows } = await ask(session, { view: 'source', options: { name: 'shapes.cc' }, page: { limit: 0 } });
  const own = rows.flatMap(({ line, self }) =>
    line !== null && self !== null && self > 0 ? [[line, (self / 1e9).toFixed(3)] as const] : [],
  );
  deepStrictEqual(new Map(own), expected);
  // Without parameters.
  const { rows: code } = await ask(session, {
    view: 'disasm',
    options: { method: 'geo::Circle::area' },
    page: { limit: 0 },
  });
  ok(code.some(({ code: text }) => text.includes('sqrt')));
});

/** Every kind of events of it is the same in each run: threads, waits, blocks, files, a descendant, code that was moved. */
const TRACED = `
#include <fcntl.h>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
static std::mutex lock;
static void worker() { std::lock_guard<std::mutex> held(lock); delete[] new int[100]; }
extern "C" __attribute__((noinline)) int *split() __asm__("_$o1A17.origin");
extern "C" int *split() { return new int[7]; }
extern "C" __attribute__((noinline)) void origin() { delete[] new int[3]; }
static void calls() { int fd = open("/dev/null", O_WRONLY); if (write(fd, "text", 4) != 4) _exit(1); dup2(fd, 9); close(9); close(fd); }
int main() {
  delete[] split();
  origin();
  std::thread(worker).join();
  calls();
  pid_t child = fork();
  if (child == 0) { delete[] new int[50]; _exit(0); }
  waitpid(child, nullptr, 0);
}
`;
const COMMANDS = [
  '-functions',
  '-name mangled -functions',
  '-name short:soname -functions',
  '-metrics any -functions',
  '-calltree',
  '-describe',
  '-threads',
  '-thread_select 2',
  '-processes',
  '-datasize',
  '-header',
  '-dsync',
  '-diotrace',
  '-iodetail',
];

test('every kind of tracing at once', async (t) => {
  if (!['gprofng', 'g++'].every((program) => hasProgram(t, program))) return;
  const folder = await temporaryFolder(t);
  const run = (program: string, ...words: string[]): void => {
    execFileSync(program, words, { cwd: folder, stdio: 'ignore' });
  };
  writeFileSync(join(folder, 'traced.cc'), TRACED);
  run('g++', '-gdwarf-4', '-O1', '-pthread', '-o', 'traced', 'traced.cc');
  run(
    'gprofng',
    'collect',
    'app',
    '-O',
    'traced.er',
    ...'-p on -s all -H on -i on -F on -a usedsrc'.split(' '),
    './traced',
  );
  const path = join(folder, 'traced.er');
  const experiment = await openExperiment(path, { strict: true });
  t.after(() => experiment.close());
  const differing = [];
  for (const command of COMMANDS) {
    const own = await printedFor(experiment, command.split(' '), folder);
    const { out, err } = peerText(path, command);
    const plain = out.replace(/ \[0x[\da-f]{16}\]$/gm, '');
    if (!isSame(own, { experiment: '', output: command, words: [], out: plain, err }))
      differing.push({ command, own, plain });
  }
  deepStrictEqual(differing, []);
  const { out } = await printedFor(experiment, ['-calltree'], folder);
  match(out, /origin -- outline code from line 17 \[_\$o1A17\.origin\]/);
});
