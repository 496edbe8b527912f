/** What `npm pack` makes, installed into an empty prefix as users install it: no build, no sources of the clone. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from '../testing/programs.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-package-'));
after(() => rmSync(folder, { recursive: true }));
const prefix = join(folder, 'prefix');
const installed = join(prefix, 'lib/node_modules/kansoku');
const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

function run(program: string, words: readonly string[], cwd = folder): string {
  const done = spawnSync(program, words, { cwd, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } });
  assert.equal(done.status, 0, `${program} ${words.join(' ')}: ${done.error?.message ?? ''}${done.stderr}`);
  return done.stdout;
}

function kansoku(...words: string[]): string {
  return run(join(prefix, 'bin/kansoku'), words);
}

run(process.execPath, [join(ROOT, 'dist/scripts/package/pack.js')]);
// What scripts/pack runs before that is what this test was built by.
run('npm', ['pack', '--ignore-scripts', '--silent', ROOT]);
const file = join(folder, `kansoku-${version}.tgz`);
run('npm', ['install', '--global', '--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund', file]);

test('the command answers, with its examples, pages and schemas', () => {
  assert.equal(kansoku('--version'), `kansoku ${version}\n`);
  const demo = kansoku('demo');
  assert.match(demo, /hottest method {2}34\.57 %/);
  assert.match(demo, /^ {2}kansoku --help$/m, 'not the launcher of a clone');
  const page = join(folder, 'flame.html');
  kansoku('flame', join(installed, 'examples/hprof/cpu-samples.txt'), '-o', page);
  assert.match(readFileSync(page, 'utf8'), /<script type="application\/gzip"/);
  assert.deepEqual(readdirSync(join(installed, 'docs/schema')), readdirSync(join(ROOT, 'docs/schema')));
});

test('the man page is where man looks, and a shell gets its completion', () => {
  assert.match(readFileSync(join(prefix, 'share/man/man1/kansoku.1'), 'utf8'), /^\.TH KANSOKU 1 /);
  assert.match(kansoku('completion', 'bash'), /complete .*kansoku/);
});

test('it has the licence of every package in it, and nothing that only a clone needs', () => {
  const licences = readFileSync(join(installed, 'dist/package/THIRD-PARTY.txt'), 'utf8');
  const { bundled }: { bundled: string[] } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const missing = bundled.filter((name) => !new RegExp(`^${name} \\d`, 'm').test(licences));
  // Workers are used by tests only, so far.
  assert.deepEqual(missing, ['tinypool']);
  const without = [...licences.matchAll(/^(\S+) .*\n\nIts package has no licence file/gm)].map(([, name]) => name);
  assert.deepEqual(without.sort(), ['@bomb.sh/tab', 'xz-decompress']);
  assert.deepEqual(
    ['src', 'scripts', 'kansoku', 'dist/src', 'tsconfig.json'].filter((name) => existsSync(join(installed, name))),
    [],
  );
});
