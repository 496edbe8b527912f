/** What `npm pack` makes, installed into an empty prefix as users install it: no build, no sources of the clone. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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
  assert.equal(
    kansoku('schema', 'functions'),
    readFileSync(join(ROOT, 'docs/schema/functions-v3.schema.json'), 'utf8'),
  );
  assert.match(kansoku('schema', 'iprof-v1.0.0'), /"urn:kansoku:iprof:1\.1\.0"/);
});

test('the man page is where man looks, and a shell gets its completion', () => {
  assert.match(readFileSync(join(prefix, 'share/man/man1/kansoku.1'), 'utf8'), /^\.TH KANSOKU 1 /);
  assert.match(kansoku('completion', 'bash'), /complete .*kansoku/);
});

test('it has the licence of every package in it, and nothing that only a clone needs', () => {
  const licences = readFileSync(join(installed, 'dist/package/THIRD-PARTY.txt'), 'utf8');
  const { bundled }: { bundled: string[] } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const missing = bundled.filter((name) => !new RegExp(`^${name} \\d`, 'm').test(licences));
  assert.deepEqual(missing, []);
  const without = [...licences.matchAll(/^(\S+) .*\n\nIts package has no licence file/gm)].map(([, name]) => name);
  assert.deepEqual(without.sort(), ['@bomb.sh/tab', 'xz-decompress']);
  assert.deepEqual(
    ['src', 'scripts', 'kansoku', 'dist/src', 'tsconfig.json'].filter((name) => existsSync(join(installed, name))),
    [],
  );
});

const PROGRAM = `import { ask, openInputs, type ResultOf } from 'kansoku';
declare const process: { stdout: { write(text: string): void } };
const names = ['${join(ROOT, 'examples/krisfoster-binary-tree.iprof')}'];
const session = await openInputs(names, { cache: false, announce: () => {}, work: {} });
const hot: ResultOf<'pgo-hot'> = await ask(session, { view: 'pgo-hot', page: { limit: 1 } });
const method: string | undefined = hot.rows[0]?.method;
process.stdout.write(method ?? '');
hot.rows[0]?.nonsense;
await session.close();
`;

test('a program is checked against the types of the library, and runs', () => {
  const own = join(folder, 'own');
  mkdirSync(join(own, 'node_modules'), { recursive: true });
  symlinkSync(installed, join(own, 'node_modules/kansoku'));
  writeFileSync(join(own, 'hot.mts'), PROGRAM);
  // The types of browsers and of Node take most of the time, and the library's do not need them.
  const options = {
    module: 'NodeNext',
    target: 'ES2023',
    strict: true,
    skipLibCheck: true,
    lib: ['ES2023'],
    types: [],
  };
  writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['hot.mts'] }));
  const compiler = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const checked = spawnSync(process.execPath, [compiler, '-p', own, '--singleThreaded'], { encoding: 'utf8' });
  const found = checked.stdout.split('\n').filter((line) => line.includes('error'));
  assert.equal(found.length, 1, checked.stdout + checked.stderr);
  assert.match(found[0] ?? '', /Property 'nonsense' does not exist/);
  assert.equal(run(process.execPath, [join(own, 'hot.mjs')]), 'bench.shootouts.BinaryTrees$TreeNode.itemCheck()');
});
