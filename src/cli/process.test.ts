/** The built program as a process: its streams, its signals, the exit code that it leaves. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';
import { EXIT } from './exit.js';
import { MAIN, spawnCommand, spawnEnvironment } from './testing/spawn-command.js';

/** A speedscope file in which each function calls the next. */
function deepProfile(depth: number): string {
  const frames = Array.from({ length: depth }, (_, i) => ({ name: `org.example.deep.Calls.call${i}` }));
  const opened = frames.map((_, frame) => ({ type: 'O', frame, at: frame }));
  const closed = frames.map((_, i) => ({ type: 'C', frame: depth - 1 - i, at: depth + i }));
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    shared: { frames },
    profiles: [
      { type: 'evented', name: 'p', unit: 'none', startValue: 0, endValue: 2 * depth, events: [...opened, ...closed] },
    ],
  });
}

describe('the program', () => {
  it('a closed pipe is not an error', async () => {
    const words = ['functions', BINARY_TREE, '--limit', '0'];
    const child = spawn(process.execPath, [MAIN, ...words], { env: spawnEnvironment() });
    child.stdout.once('data', () => child.stdout.destroy());
    let stderr = '';
    child.stderr.on('data', (part) => (stderr += String(part)));
    const [status] = await once(child, 'close');
    equal(status, 0);
    ok(!/EPIPE|Error/.test(stderr), stderr);
  });

  it('a closed pipe for messages does not change the exit code', async () => {
    const child = spawn(process.execPath, [MAIN, 'no-such-command'], { stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.destroy();
    const [status] = await once(child, 'close');
    equal(status, EXIT.usage);
  });

  it('a full disk is an error', (test) => {
    if (!existsSync('/dev/full')) return test.skip('needs /dev/full, as Linux has it');
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnCommand(['pgo', 'hot', BINARY_TREE], { stdout: full });
    closeSync(full);
    equal(status, EXIT.failed);
    match(stderr, /^kansoku: standard output: ENOSPC[^\n]*\n$/);
  });

  for (const [name, code] of [
    ['SIGINT', EXIT.interrupted],
    ['SIGHUP', 129],
  ] as const)
    it(`${name} ends it with its exit code`, async () => {
      const child = spawn(process.execPath, [MAIN, 'summary', '-'], { stdio: ['pipe', 'ignore', 'ignore'] });
      // More than a pipe holds: once it is taken, the program is reading.
      child.stdin.write(Buffer.alloc(1 << 20, '{'), () => child.kill(name));
      child.stdin.on('error', () => undefined);
      const [status, signal] = await once(child, 'close');
      equal(signal, null);
      equal(status, code);
    });

  it('SIGTERM ends it with its exit code, and unfinished files are removed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kansoku-signal-'));
    const child = spawn(process.execPath, [MAIN, 'convert', '-', join(folder, 'deep.collapsed')], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (part) => (stderr += String(part)));
    // Two gigabytes would be written; the first file in the folder is the temporary one.
    // One signal: a second one, for its removal, would end the program at once.
    const watcher = watch(folder);
    watcher.once('change', () => child.kill('SIGTERM'));
    child.stdin.end(deepProfile(12_000));
    const [status] = await once(child, 'close');
    watcher.close();
    equal(status, 143);
    match(stderr, /deep\.collapsed: about 2\.\d+ GB will be written: the format repeats each stack in full/);
    deepEqual(readdirSync(folder), []);
    rmSync(folder, { recursive: true });
  });

  it('opens a file whose name is not UTF-8', (test) => {
    if (!existsSync('/proc/self/cmdline')) return test.skip('needs /proc, as Linux has it');
    const folder = mkdtempSync(join(tmpdir(), 'kansoku-names-'));
    const name = Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.of(0xe9)]);
    writeFileSync(name, 'main;work 5\n');
    // No string of Node can be such an argument; printf makes it.
    const script = `exec "$1" "$2" functions "$3/$(printf 'caf\\351')" --json`;
    const words = ['-c', script, 'sh', process.execPath, MAIN, folder];
    const { stdout, stderr } = spawnSync('sh', words, { encoding: 'utf8', env: spawnEnvironment() });
    rmSync(folder, { recursive: true });
    match(stderr, /^Metric: samples\.$/m);
    equal(JSON.parse(stdout).total, 2);
  });

  it('reads standard input', () => {
    const piped = spawnCommand(['summary', '-', '--json'], { input: readFileSync(BINARY_TREE) });
    equal(piped.status, 0, piped.stderr);
    equal(JSON.parse(piped.stdout).sections.hotnessPoints, 12228);
  });

  it('has the exit code of the command, and writes errors to standard error only', () => {
    const { status, stdout, stderr } = spawnCommand(['sumary', BINARY_TREE]);
    equal(status, EXIT.usage);
    equal(stdout, '');
    match(stderr, /Did you mean summary\?/);
  });

  it('prints its version', () => {
    const { version } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
    for (const word of ['--version', '-V']) equal(spawnCommand([word]).stdout, `kansoku ${version}\n`);
  });
});
