/** The shell scripts: syntax under dash, findings of shellcheck. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasProgram, ROOT } from './testing/programs.js';

const folder = readdirSync(join(ROOT, 'scripts'), { withFileTypes: true });
const files = folder.filter((entry) => entry.isFile()).map(({ name }) => `scripts/${name}`);
const candidates = ['kansoku', '.ci/run', ...files];
const scripts = candidates.filter((path) => /\.sh$|^[^.]+$|^\.ci/.test(path) && /^(#!|# shellcheck)/.test(head(path)));

function head(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8').slice(0, 40);
}

test('all scripts are found', () => {
  for (const path of ['kansoku', '.ci/run', 'scripts/setup.sh', 'scripts/test', 'scripts/check-layers']) {
    assert.ok(scripts.includes(path), path);
  }
});

for (const path of scripts) {
  test(`shellcheck ${path}`, (t) => {
    if (!hasProgram(t, 'shellcheck')) return;
    const done = spawnSync('shellcheck', ['-x', path], { cwd: ROOT, encoding: 'utf8' });
    assert.equal(done.status, 0, done.stdout + done.stderr);
  });

  test(`syntax of ${path}`, () => {
    const shell = head(path).includes('bash') ? 'bash' : 'sh';
    const done = spawnSync(shell, ['-n', path], { cwd: ROOT, encoding: 'utf8' });
    assert.equal(done.status, 0, done.stderr);
  });
}
