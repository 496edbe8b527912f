/**
 * `./kansoku` in a small clone of its own, with an npm and a build that only record their calls.
 * scripts/fresh-machine tries the real ones.
 */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from './testing/programs.js';

/** Prints its arguments and its folder; exits with its first argument if that is a number. */
const MAIN = `
process.stdout.write(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd() }));
process.exitCode = Number(process.argv[2]) || 0;
`;

const BUNDLER = `
import fs from 'node:fs';
fs.appendFileSync(process.env.LOG, 'bundle\\n');
const text = fs.readFileSync('src/cli/main.ts', 'utf8');
if (text.includes('WRONG')) { console.log('main.ts: error'); process.exit(1); }
fs.mkdirSync('dist/bundle/node', { recursive: true });
fs.writeFileSync('dist/bundle/node/main.js', text);
`;

const NPM = `#!/bin/sh
[ "$1" = config ] && echo "$HOME/.npm" && exit
echo "npm $1 $npm_config_cache" >>"$LOG"
[ -e "$HOME/no-network" ] && echo 'npm error network' >&2 && exit 1
rm -rf node_modules && mkdir node_modules
`;

const NOBODY = 65534;
const IS_ROOT = process.getuid?.() === 0;

interface Clone {
  readonly folder: string;
  /** The repository. */
  readonly root: string;
  readonly env: Record<string, string>;
  log(): string[];
}

const folders: string[] = [];
after(() => {
  spawnSync('chmod', ['-R', 'u+w', ...folders]);
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function clone(): Clone {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-launcher-'));
  folders.push(folder);
  chmodSync(folder, 0o755);
  const root = join(folder, 'clone of it');
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  put('clone of it/src/cli/main.ts', MAIN);
  put('clone of it/package.json', '{"type":"commonjs"}');
  put('clone of it/package-lock.json', '{}');
  put('clone of it/tsconfig.json', '{}');
  put('clone of it/README.md', 'read me');
  for (const path of ['kansoku', 'scripts/setup.sh']) cpSync(join(ROOT, path), join(root, path));
  put('clone of it/scripts/bundle.mjs', BUNDLER);
  put('bin/npm', NPM);
  chmodSync(join(folder, 'bin/npm'), 0o755);
  for (const path of ['home', 'tmp']) mkdirSync(join(folder, path));
  put('log', '');
  chmodSync(join(folder, 'log'), 0o666);
  chmodSync(join(folder, 'tmp'), 0o1777);
  const env = {
    PATH: [join(folder, 'bin'), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    HOME: join(folder, 'home'),
    TMPDIR: join(folder, 'tmp'),
    LOG: join(folder, 'log'),
  };
  return { folder, root, env, log: () => readFileSync(env.LOG, 'utf8').split('\n').slice(0, -1) };
}

function start(of: Clone, args: string[] = [], options: object = {}): SpawnSyncReturns<string> {
  return spawnSync(join(of.root, 'kansoku'), args, {
    cwd: of.folder,
    env: of.env,
    encoding: 'utf8',
    timeout: 60_000,
    ...options,
  });
}

test('the first start sets up, later ones build nothing', () => {
  const it = clone();
  const first = start(it);
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stderr, /^Setting up Kansoku \(once, about 10 s\) …\nBuilding Kansoku …\nReady after \d+ s\.\n$/);
  assert.deepEqual(it.log(), ['npm ci ', 'bundle']);
  const second = start(it);
  assert.deepEqual([second.status, second.stderr, second.stdout], [0, '', first.stdout]);
  assert.deepEqual(it.log(), ['npm ci ', 'bundle']);
  assert.deepEqual(readdirSync(join(it.folder, 'tmp')), []);
  assert.ok(!existsSync(join(it.root, '.kansoku-lock')));
});

test('arguments, folder and exit code pass through', () => {
  const it = clone();
  const args = ['42', '', 'two words', '*', "'", '"$HOME"', '--', '-n', 'é\n'];
  const done = start(it, args);
  assert.equal(done.status, 42, done.stderr);
  assert.deepEqual(JSON.parse(done.stdout), { args, cwd: it.folder });
});

test('it finds itself through links', () => {
  const it = clone();
  mkdirSync(join(it.folder, 'links'));
  symlinkSync('../clone of it/kansoku', join(it.folder, 'links/relative'));
  symlinkSync(join(it.folder, 'links/relative'), join(it.folder, 'bin/absolute'));
  symlinkSync('clone of it', join(it.folder, 'linked'));
  for (const command of ['absolute', './links/relative', 'linked/kansoku', 'cd linked; sh kansoku']) {
    const done = spawnSync('sh', ['-c', command], { cwd: it.folder, env: it.env, encoding: 'utf8' });
    assert.equal(done.status, 0, `${command}: ${done.stderr}`);
  }
  assert.deepEqual(it.log(), ['npm ci ', 'bundle']);
});

test('a changed, new, renamed or removed source builds; a changed lock installs, too', () => {
  const it = clone();
  start(it);
  const source = (name: string): string => join(it.root, 'src', name);
  const steps: [string, () => void, string[]][] = [
    ['changed', () => writeFileSync(source('cli/main.ts'), `${MAIN}// more`), ['bundle']],
    ['new', () => writeFileSync(source('a.ts'), 'a'), ['bundle']],
    ['renamed', () => spawnSync('mv', [source('a.ts'), source('b.ts')]), ['bundle']],
    ['removed', () => rmSync(source('b.ts')), ['bundle']],
    ['read me', () => writeFileSync(join(it.root, 'README.md'), 'more'), []],
    ['lock', () => writeFileSync(join(it.root, 'package-lock.json'), '{ }'), ['npm ci ', 'bundle']],
    ['packages gone', () => rmSync(join(it.root, 'node_modules'), { recursive: true }), ['npm ci ', 'bundle']],
    ['build gone', () => rmSync(join(it.root, 'dist/bundle'), { recursive: true }), ['bundle']],
  ];
  for (const [what, change, expected] of steps) {
    const before = it.log().length;
    change();
    const done = start(it);
    assert.equal(done.status, 0, done.stderr);
    assert.deepEqual(it.log().slice(before), expected, what);
  }
});

test('of two starts at once one builds, the other waits', async () => {
  const it = clone();
  const starts = [1, 2].map(
    () =>
      new Promise((resolve) => {
        spawn(join(it.root, 'kansoku'), [], { cwd: it.folder, env: it.env, stdio: 'ignore' }).on('close', resolve);
      }),
  );
  assert.deepEqual(await Promise.all(starts), [0, 0]);
  assert.deepEqual(it.log(), ['npm ci ', 'bundle']);
});

test('a running build is waited for, the lock of a dead one is taken over', () => {
  const it = clone();
  mkdirSync(join(it.root, '.kansoku-lock'));
  const pid = join(it.root, '.kansoku-lock/pid');
  writeFileSync(pid, `${process.pid}\n`);
  const waiting = start(it, [], { timeout: 2500 });
  assert.equal(waiting.status, null);
  assert.match(waiting.stderr, /^Waiting for another start/);
  assert.deepEqual(it.log(), []);
  for (const text of [`${spawnSync('true').pid}\n`, '']) {
    mkdirSync(dirname(pid), { recursive: true });
    writeFileSync(pid, text);
    rmSync(join(it.root, 'dist'), { recursive: true, force: true });
    const done = start(it);
    assert.equal(done.status, 0, done.stderr);
    assert.ok(!existsSync(dirname(pid)));
  }
});

test('a failure of npm or of the build is shown with advice, and the next start tries again', () => {
  const it = clone();
  writeFileSync(join(it.folder, 'home/no-network'), '');
  const offline = start(it);
  assert.equal(offline.status, 2);
  assert.match(offline.stderr, /npm error network\nkansoku: npm ci failed in .*\n {2}Check the network/);
  assert.equal(offline.stdout, '');
  rmSync(join(it.folder, 'home/no-network'));
  writeFileSync(join(it.root, 'src/cli/main.ts'), 'WRONG');
  for (const _ of [1, 2]) {
    const wrong = start(it);
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /main.ts: error\nkansoku: the build failed .*\n {2}If you changed sources/);
  }
  writeFileSync(join(it.root, 'src/cli/main.ts'), MAIN);
  assert.equal(start(it).status, 0);
});

test('without Node 20.19 it says what to install', () => {
  const it = clone();
  const none = start(it, [], { env: { ...it.env, PATH: join(it.folder, 'home') } });
  assert.equal(none.status, 2);
  assert.match(none.stderr, /Node.js 20.19 or later is required, found: none in PATH\n {2}Install it/);
  for (const [version, works] of [
    ['v18.20.1', false],
    ['v20.18.3', false],
    ['v9.11.2', false],
    ['v20.19.0', true],
    ['v22.0.0', true],
    ['v100.1.0-nightly', true],
  ] as const) {
    writeFileSync(
      join(it.folder, 'bin/node'),
      `#!/bin/sh\n[ "$1" = --version ] && echo ${version} && exit\nexec '${process.execPath}' "$@"\n`,
      { mode: 0o755 },
    );
    const done = start(it);
    assert.equal(done.status, works ? 0 : 2, version);
    assert.equal(done.stderr.includes(`found: ${version} (${it.folder}/bin/node)`), !works, done.stderr);
  }
});

/** Clone and HOME are read-only. Root may write everywhere, so it starts as another user. */
function closedClone(): { it: Clone; options: object; user: number } {
  const it = clone();
  for (const path of [it.root, join(it.folder, 'home')]) spawnSync('chmod', ['-R', 'a-w', path]);
  const user = IS_ROOT ? NOBODY : (process.getuid?.() ?? -1);
  return { it, user, options: IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {} };
}

test('a read-only clone with a closed HOME is built in a private folder, and reused', () => {
  const { it, options, user } = closedClone();
  const first = start(it, ['7'], options);
  assert.equal(first.status, 7, first.stderr);
  const own = join(it.folder, 'tmp', `kansoku-${user}`);
  assert.deepEqual(it.log(), [`npm ci ${own}/npm-cache`, 'bundle']);
  assert.equal(statSync(own).mode & 0o777, 0o700);
  assert.equal(statSync(own).uid, user);
  const second = start(it, ['7'], options);
  assert.deepEqual([second.status, second.stderr], [7, '']);
  assert.equal(it.log().length, 2);
  const copy = readdirSync(own).filter((name) => name !== 'npm-cache');
  assert.equal(copy.length, 1);
  assert.equal(readFileSync(join(own, copy[0] ?? '', 'README.md'), 'utf8'), 'read me');
});

test('a private folder planted by another user is rejected', () => {
  for (const plant of [
    (path: string) => symlinkSync(dirname(path), path),
    (path: string) => writeFileSync(path, ''),
    (path: string) => {
      mkdirSync(path);
      chmodSync(path, 0o777);
    },
  ]) {
    const { it, options, user } = closedClone();
    plant(join(it.folder, 'tmp', `kansoku-${user}`));
    const done = start(it, [], options);
    assert.equal(done.status, 2);
    assert.match(
      done.stderr,
      /cannot use .*: it must be a folder of user \d+ that is closed to other users\n {2}Remove/,
    );
    assert.deepEqual(it.log(), []);
  }
});

test("another user's folder of that name is rejected", (t) => {
  if (!IS_ROOT) return t.skip('needs two users: sudo npm test -- launcher');
  const { it, options, user } = closedClone();
  mkdirSync(join(it.folder, 'tmp', `kansoku-${user}`), { mode: 0o700 });
  assert.equal(start(it, [], options).status, 2);
  assert.deepEqual(it.log(), []);
});
