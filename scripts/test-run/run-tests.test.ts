/** The test run itself, on test files of its own with every way to end. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ROOT } from '../testing/programs.js';

const FILES: Record<string, string> = {
  good: "test('one', () => {}); describe('suite', () => { it('two', () => {}); });",
  bad: "test('outer', async (t) => { await t.test('inner', () => assert.deepEqual({ a: 1 }, { a: 2 })); });",
  'skips/one': "test('with', (t) => t.skip('no zsh: get it')); test('without', { skip: true }, () => {});",
  'skips/two':
    "test('also', (t) => t.skip('no zsh: get it')); test('later', { todo: 'soon' }, () => {}); test('ok', () => {});",
  dead: "console.error('last words'); process.exit(3);",
  late: "test('early', () => { setTimeout(() => { throw new Error('too late'); }, 5); });",
  hangs: "test('waits', () => new Promise(() => {}));",
  empty: '',
  seeded: "test('of 77', () => assert.equal(process.env.KANSOKU_SEED ?? '77', '77'));",
  starts: "import { execFileSync } from 'node:child_process'; test('a program', () => { execFileSync('true'); });",
  data: "test('has none', () => assert.equal(process.env.KANSOKU_DATA, undefined));",
  'not-seeded': "test('in any case', () => {});",
  kills: "process.kill(process.pid, 'SIGKILL'); test('never seen', () => {});",
  busy: `import { spawn, spawnSync } from 'node:child_process'; import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
test('takes long', () => {
  if (process.env.STARTED === undefined) return;
  mkdtempSync(tmpdir() + '/left-');
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  child.unref();
  writeFileSync(process.env.STARTED, String(child.pid));
  spawnSync('sleep', ['60']);
});`,
  'shared/a': "globalThis.left = true; test('alone', () => {});",
  'shared/b': "test('its own world', () => assert.equal(globalThis.left, undefined));",
  'nothing/run': "describe('all of it', { skip: 'no data' }, () => { it('never', () => {}); });",
  hook: "describe('hooked', () => { before(() => { throw new Error('no hook'); }); it('never', () => {}); });",
};

const folder = mkdtempSync(join(tmpdir(), 'kansoku-run-tests-'));
after(() => rmSync(folder, { recursive: true }));
for (const path of ['skips', 'shared', 'nothing'])
  for (const parent of ['src', 'dist/src']) mkdirSync(join(folder, parent, path), { recursive: true });
for (const path of ['dist/scripts/test-run', 'dist/src/testing/fuzz'])
  mkdirSync(join(folder, path), { recursive: true });
for (const part of ['dist/scripts', 'dist/scripts/test-run', 'dist/src/testing', 'dist/src/testing/fuzz'])
  for (const name of readdirSync(join(ROOT, part)).filter((file) => /^[\w-]+\.js$/.test(file)))
    cpSync(join(ROOT, part, name), join(folder, part, name));
writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
const IMPORTS = "import assert from 'node:assert/strict'; import { before, describe, it, test } from 'node:test';";
for (const [name, text] of Object.entries(FILES)) {
  writeFileSync(join(folder, `src/${name}.test.ts`), '');
  writeFileSync(join(folder, `dist/src/${name}.test.js`), `${IMPORTS}\n${text}\n`);
}
// Which tests take a seed is found in their sources.
mkdirSync(join(folder, 'src/testing'));
writeFileSync(join(folder, 'src/testing/amount.ts'), '');
writeFileSync(join(folder, 'src/seeded.test.ts'), "import { SEED } from './testing/amount.js';");
writeFileSync(join(folder, 'dist/src/removed.test.js'), 'process.exit(1);');
writeFileSync(join(folder, 'src/unbuilt.test.ts'), '');
mkdirSync(join(folder, 'scripts'));
writeFileSync(
  join(folder, 'scripts/system-packages'),
  ['# package program why', 'nodejs node runs', 'more no-more reads', 'more-jdk jdk-99 compiles; else: there'].join(
    '\n',
  ),
);

writeFileSync(join(folder, 'scripts/ratchet.json'), '{ "quick": { "processes": 0, "mutations": 5, "runs": 5 } }');
const SCRIPT = join(folder, 'dist/scripts/test-run/run-tests.js');

/** The environment without what chooses a tier or the processes of this run. */
const { NODE_TEST_CONTEXT: _, KANSOKU_NO_SKIP: __, KANSOKU_TESTS: ___, ...environment } = process.env;

function runTests(words: readonly string[], variables: Record<string, string> = {}) {
  const done = spawnSync(process.execPath, [SCRIPT, ...words], {
    encoding: 'utf8',
    env: { ...environment, KANSOKU_LANES: '1', ...variables },
  });
  assert.equal(done.stderr, '');
  return { status: done.status, lines: done.stdout.trimEnd().split('\n') };
}

test('passed tests are only counted', () => {
  assert.deepEqual(runTests(['good']), { status: 0, lines: ['2 passed, 0 failed'] });
});

/** All of them. */
const whole = runTests([]);

for (const [title, detail] of [
  ['src/bad.test.ts › outer › inner', /\+ actual - expected/],
  ['src/dead.test.ts', /last words/],
  ['src/late.test.ts', /after the test had ended: Error: too late/],
  ['src/hangs.test.ts › waits', /pending/],
  ['src/empty.test.ts', /holds no test/],
  ['src/hook.test.ts › hooked', /no hook/],
  ['src/kills.test.ts', /the process that ran it died/],
  ['src/unbuilt.test.ts', /was not built/],
] as const) {
  test(`failed tests are shown in full: ${title}`, () => {
    const begin = whole.lines.indexOf(`FAILED ${title}`);
    assert.match(whole.lines.slice(begin, whole.lines.indexOf('', begin)).join('\n'), detail);
  });
}

for (const [word, title, last] of [
  ['bad', 'src/bad.test.ts › outer › inner', '0 passed, 1 failed'],
  ['late', 'src/late.test.ts', '1 passed, 1 failed'],
  ['removed', 'removed', '0 passed, 1 failed'],
] as const) {
  test(`a failure counts: ${word}`, () => {
    const { status, lines } = runTests([word]);
    assert.deepEqual([status, lines[0], lines.at(-1)], [1, `FAILED ${title}`, last]);
  });
}

test('skipped tests are counted by reason, named if asked, and fail with KANSOKU_NO_SKIP=1', () => {
  const counted = ['      1  no reason given', '      2  no zsh: get it', '      1  to do: soon'];
  const named = [
    '      1  no reason given',
    '         src/skips/one.test.ts › without',
    '      2  no zsh: get it',
    '         src/skips/one.test.ts › with',
    '         src/skips/two.test.ts › also',
    '      1  to do: soon',
    '         src/skips/two.test.ts › later',
  ];
  const title = '4 skipped; their names: npm test -- --skipped:';
  assert.deepEqual(runTests(['skips/']), { status: 0, lines: [title, ...counted, '1 passed, 0 failed'] });
  assert.deepEqual(runTests(['--skipped', 'skips/']), {
    status: 0,
    lines: ['4 skipped:', ...named, '1 passed, 0 failed'],
  });
  assert.deepEqual(runTests(['skips/'], { KANSOKU_NO_SKIP: '1' }), {
    status: 1,
    lines: ['4 skipped, which counts as failed (KANSOKU_NO_SKIP):', ...named, '1 passed, 4 failed'],
  });
});

test('a skipped suite is listed', () => {
  assert.ok(whole.lines.includes('      1  no data'));
});

test('files of one process that disturb each other are named, and each is tried alone', () => {
  const { status, lines } = runTests(['shared/']);
  const [title, reason, ...rest] = lines;
  assert.deepEqual(
    [status, title, reason, lines.at(-1)],
    [
      1,
      'FAILED src/shared/b.test.ts › its own world',
      '  fails only in a process that ran these before:',
      '2 passed, 1 failed',
    ],
  );
  assert.deepEqual(rest.slice(0, 2), ['    src/shared/a.test.ts', '  src/shared/b.test.ts › its own world']);
});

test('without arguments the static checks run, too, and costs are shown', () => {
  const { status, lines } = whole;
  assert.equal(status, 1);
  for (const check of ['types', 'biome check', 'layers', 'ratchet', 'schemas'])
    assert.ok(lines.includes(`FAILED ${check}`), check);
  assert.match(lines.join('\n'), /\nCPU seconds:\n {2}set-up +\d+\.\d\n(.*\n)* {2}together +\d+\.\d\n/);
});

test('each test is in exactly one part; checks are in the first', () => {
  const words = ['good', 'skips/', 'seeded'];
  const counts = (lines: readonly string[]): number[] => (lines.at(-1) ?? '').match(/\d+/g)?.map(Number) ?? [];
  const parts = [1, 2].map((part) => counts(runTests(['--shard', `${part}/2`, ...words]).lines));
  assert.deepEqual(
    [0, 1].map((i) => parts.reduce((sum, part) => sum + (part[i] ?? 0), 0)),
    counts(runTests(words).lines),
  );
  assert.ok(parts.every(([passed]) => passed !== 0));
  const hasChecks = (part: string): boolean => runTests(['--shard', part]).lines.includes('FAILED ratchet');
  assert.deepEqual(['1/1000', '2/1000'].map(hasChecks), [true, false]);
});

const MISSING = [
  '  no-more is not installed: apt-get install more',
  '  jdk-99 is not installed: apt-get install more-jdk; else: there',
];

test('missing programs are listed, and fail with KANSOKU_NO_SKIP=1', () => {
  const shown = (lines: readonly string[], title: string): readonly string[] =>
    lines.slice(lines.indexOf(title), lines.indexOf(title) + 3);
  const title = 'Tests that need these are skipped or see less:';
  assert.deepEqual(shown(whole.lines, title), [title, ...MISSING]);
  const { lines } = runTests(['--shard', '1/1000'], { KANSOKU_NO_SKIP: '1' });
  assert.deepEqual(shown(lines, 'FAILED programs'), ['FAILED programs', ...MISSING]);
});

test('a seed runs only the tests that depend on it, and prints how to repeat them', () => {
  const { status, lines } = runTests(['--seed', '77', 'seeded']);
  assert.deepEqual(lines, ['Seed 77; to repeat: npm test -- --seed 77 seeded', '1 passed, 0 failed']);
  assert.equal(status, 0);
});

for (const words of [['--shard', '3/2'], ['--shard', 'x'], ['--what']])
  test(`unknown words are an error: ${words.join(' ')}`, () => {
    const done = spawnSync(process.execPath, [SCRIPT, ...words], { encoding: 'utf8' });
    assert.notEqual(done.status, 0);
    assert.match(done.stderr, /--shard is I\/N|Unknown option '--what'/);
    assert.equal(done.stdout, '');
  });

test('an excess is a remark of the table, and fails only if asked', () => {
  const row = `  ${'processes started'.padEnd(20)}${'1'.padStart(9)} of 0, over budget`;
  assert.ok(whole.lines.includes(row), whole.lines.join('\n'));
  assert.ok(!whole.lines.includes('FAILED budget'));
  const { status, lines } = runTests(['--budgets']);
  assert.equal(status, 1);
  assert.equal(lines[lines.indexOf('FAILED budget') + 1], '  processes started: 1, at most 0 (scripts/ratchet.json)');
});

test('an interrupted run ends all that it started, and leaves nothing behind', async (t) => {
  if (!existsSync('/proc')) return t.skip('this system has no /proc');
  const temporary = join(folder, 'temporary');
  mkdirSync(temporary);
  const started = join(folder, 'started');
  const env = { ...environment, TMPDIR: temporary, STARTED: started };
  const child = spawn(process.execPath, [SCRIPT, 'busy'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const output = child.stdout.setEncoding('utf8').toArray();
  while (child.exitCode === null && (!existsSync(started) || readFileSync(started, 'utf8') === ''))
    await setTimeout(20);
  const closed = once(child, 'close');
  assert.ok(child.kill('SIGINT'), 'the run ended before it began');
  assert.equal((await closed)[0], 130);
  assert.match((await output).join(''), /^interrupted: 0 of 1 files, 0 failed, 0:\d\d\n$/);
  assert.deepEqual(readdirSync(temporary), []);
  const state = /^State:\s+(\S)/m.exec(statusIfPresent(readFileSync(started, 'utf8')))?.[1] ?? 'gone';
  assert.ok(['gone', 'Z'].includes(state), state);
});

function statusIfPresent(pid: string): string {
  return existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
}
