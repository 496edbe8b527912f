/**
 * Runs the static checks and all tests of a built clone: `node dist/scripts/run-tests.js [PATTERN]` (see scripts/test).
 * With a PATTERN, only the test files whose path contains it. Two test files run at a time, each in its own process.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from 'node:test';
import { isTest, sourceFiles } from './source-files.js';
import { Tally } from './tally.js';

const ROOT = dirname(dirname(import.meta.dirname));
/** Far beyond what the longest file (damage at every byte of every fixture) needs on a busy machine. */
const FILE_TIMEOUT_MS = 20 * 60 * 1000;

/** Name, and arguments for Node or for the shell. */
const CHECKS: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['biome check', process.execPath, 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['layers', 'sh', 'scripts/check-layers'],
  ['ratchet', process.execPath, 'dist/scripts/ratchet.js'],
  ['schemas', process.execPath, 'dist/scripts/schemas.js', '--check'],
];

function runChecks(tally: Tally): void {
  // scripts/test built everything before it came here, and stopped if a type was wrong.
  tally.pass();
  for (const [name, program, ...args] of CHECKS) {
    const done = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
    const output = `${done.error?.message ?? ''}${done.stdout ?? ''}${done.stderr ?? ''}`;
    if (done.status === 0) tally.pass(name === 'ratchet' ? output : '');
    else tally.fail(name, output);
  }
}

/** Sources decide which tests there are: dist may still hold those of sources that are gone. */
function testFiles(pattern: string, tally: Tally): string[] {
  const built: string[] = [];
  for (const source of sourceFiles(ROOT).filter((path) => isTest(path) && path.includes(pattern))) {
    const file = join(ROOT, 'dist', source.replace(/\.tsx?$/, '.js'));
    if (existsSync(file)) built.push(file);
    else tally.fail(source, 'was not built: does tsconfig.json include it?');
  }
  return built;
}

async function runTests(files: string[], tally: Tally): Promise<void> {
  const concurrency = Math.min(2, availableParallelism());
  const events = run({ files, concurrency, timeout: FILE_TIMEOUT_MS });
  events.on('test:start', (data) => tally.started(data));
  events.on('test:pass', (data) => tally.passed(data));
  events.on('test:fail', (data) => tally.failed(data));
  events.on('test:stdout', (data) => tally.printed(data));
  events.on('test:stderr', (data) => tally.printed(data));
  for await (const _ of events.resume());
}

const pattern = process.argv[2] ?? '';
const tally = new Tally(join(ROOT, 'dist'), process.env.KANSOKU_NO_SKIP === '1');
if (pattern === '') runChecks(tally);
const files = testFiles(pattern, tally);
if (files.length > 0) await runTests(files, tally);
else if (pattern !== '' && tally.failures === 0) tally.fail(pattern, 'is in the path of no test file');
process.stdout.write(tally.summary());
process.exitCode = tally.failures === 0 ? 0 : 1;
