/** The built program as a process: its streams, its signals, the exit code that it leaves. */
import { equal, match, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';
import { EXIT } from './exit.js';
import { MAIN, spawnCommand, spawnEnvironment } from './testing/spawn-command.js';

describe('the program', () => {
  it('a reader that goes away is no error', async () => {
    const words = ['functions', BINARY_TREE, '--limit', '0'];
    const child = spawn(process.execPath, [MAIN, ...words], { env: spawnEnvironment() });
    child.stdout.once('data', () => child.stdout.destroy());
    let stderr = '';
    child.stderr.on('data', (part) => (stderr += String(part)));
    const [status] = await once(child, 'close');
    equal(status, 0);
    ok(!/EPIPE|Error/.test(stderr), stderr);
  });

  it('a full disk is no answer', (test) => {
    if (!existsSync('/dev/full')) return test.skip('needs /dev/full, as Linux has it');
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnCommand(['pgo', 'hot', BINARY_TREE], { stdout: full });
    closeSync(full);
    equal(status, EXIT.failed);
    match(stderr, /^kansoku: standard output: ENOSPC[^\n]*\n$/);
  });

  it('an interrupt ends it with its exit code', async () => {
    const child = spawn(process.execPath, [MAIN, 'summary', '-'], { stdio: ['pipe', 'ignore', 'ignore'] });
    // More than a pipe holds: once it is taken, the program is reading.
    child.stdin.write(Buffer.alloc(1 << 20, '{'), () => child.kill('SIGINT'));
    child.stdin.on('error', () => undefined);
    const [status, signal] = await once(child, 'close');
    equal(signal, null);
    equal(status, EXIT.interrupted);
  });

  it('reads standard input', () => {
    const piped = spawnCommand(['summary', '-', '--json'], { input: readFileSync(BINARY_TREE) });
    equal(piped.status, 0, piped.stderr);
    equal(JSON.parse(piped.stdout).sections.hotnessPoints, 12228);
  });

  it('leaves the exit code of the command, and an explained error on standard error alone', () => {
    const { status, stdout, stderr } = spawnCommand(['sumary', BINARY_TREE]);
    equal(status, EXIT.usage);
    equal(stdout, '');
    match(stderr, /Did you mean summary\?/);
  });

  it('says its version', () => {
    const { version } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'));
    for (const word of ['--version', '-V']) equal(spawnCommand([word]).stdout, `kansoku ${version}\n`);
  });
});
