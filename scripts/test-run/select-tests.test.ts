/** Which tests a run takes, on a small clone and on this one. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { SourceGraph } from '../source-graph.js';
import { hasProgram, ROOT } from '../testing/programs.js';
import { kindOf } from './costs.js';
import { allTests, changedFiles, shardOf, testsOf, testsReaching, testsWithSeed } from './select-tests.js';

/** Sources, and the files they name. */
const FILES: Record<string, string> = {
  'src/base/units.ts': '',
  'src/formats/jfr/read.ts': "import { unit } from '../../base/units.js';",
  'src/formats/jfr/read.test.ts':
    "import { read } from './read.js'; const folder = join(ROOT, 'src', 'formats', 'jfr', 'fixtures');",
  'src/formats/jfr/damage.test.ts': "import { damageTests } from '../../testing/damage.js';",
  'src/session/open.ts': "import { read } from '../formats/jfr/read.js';",
  'src/session/open.test.ts':
    "import { open } from './open.js'; import { runs } from '../testing/amount.js'; fc.assert(p, runs(5));",
  'src/session/jfr-truth.test.ts': '',
  'src/session/peer.test.ts':
    "import { read } from '../formats/jfr/read.js'; \nimport { hasProgram } from '../../scripts/testing/programs.js';",
  'src/cli/main.ts': "import { open } from '../session/open.js';",
  'src/cli/cli.test.ts': "spawnSync(process.execPath, [join(ROOT, 'dist/bundle/node/main.js')]);",
  'src/testing/amount.ts': '',
  'src/testing/damage-share.ts': "import { TIER } from './amount.js';",
  'src/testing/damage.ts':
    "import { SEED } from './amount.js'; import { share } from './damage-share.js'; new URL('./worker.js', import.meta.url);",
  'src/testing/worker.ts': ['const FIXTURES = [`$', '{FOLDER}/small.jfr`];'].join(''),
  'web/flame/page.ts': '',
  'web/flame/page.test.ts':
    "import { launch } from '../../scripts/testing/browser.js'; join(ROOT, 'dist/bundle/web/flame.js');",
  'scripts/testing/browser.ts': '',
};

const folder = mkdtempSync(join(tmpdir(), 'kansoku-select-'));
after(() => rmSync(folder, { recursive: true }));
for (const [path, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const graph = new SourceGraph(folder);
const tests = allTests(graph);
const names = (paths: readonly string[]): string[] => paths.map((path) => path.replace(/^.*\/(.*)\.test\.ts$/, '$1'));
const reaching = (...files: string[]): string[] => names(testsReaching(graph, tests, files));

describe('what a change can reach', () => {
  test('by imports, workers and programs', () => {
    assert.deepEqual(reaching('src/base/units.ts'), ['cli', 'read', 'open', 'peer']);
    assert.deepEqual(reaching('src/session/open.ts'), ['cli', 'open']);
    assert.deepEqual(reaching('src/testing/worker.ts'), ['damage']);
    assert.deepEqual(reaching('src/session/jfr-truth.test.ts'), ['jfr-truth']);
  });
  test('by fixtures, in folders and alone', () => {
    assert.deepEqual(reaching('src/formats/jfr/fixtures/any/one.jfr'), ['read']);
    assert.deepEqual(reaching('src/testing/fixtures/small.jfr'), ['damage']);
  });
  test('by a page, which is a file', () => {
    assert.deepEqual(reaching('web/flame/page.ts'), ['page']);
  });
  test('is nothing for files that no source names, and everything for files that all builds use', () => {
    assert.deepEqual(reaching('LICENSE', 'src/formats/jfr/notes.txt'), []);
    assert.deepEqual(reaching('package-lock.json'), names(tests));
  });
  test('is found from the output of git', (t) => {
    if (!hasProgram(t, 'git')) return;
    const git = (...words: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=b', ...words]);
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'one');
    writeFileSync(join(folder, 'src/base/units.ts'), 'changed');
    writeFileSync(join(folder, 'src/base/more.ts'), 'new');
    assert.deepEqual(changedFiles(folder, 'HEAD'), ['src/base/units.ts', 'src/base/more.ts']);
    git('commit', '-q', '-a', '-m', 'two');
    assert.deepEqual(changedFiles(folder, 'HEAD'), ['src/base/more.ts']);
    assert.deepEqual(changedFiles(folder, 'HEAD~1'), ['src/base/units.ts', 'src/base/more.ts']);
  });
});

describe('the meaning of a word', () => {
  test('a room: its own tests and those that use it', () => {
    assert.deepEqual(names(testsOf(graph, tests, 'jfr')), ['damage', 'read', 'jfr-truth', 'peer']);
  });
  test('a layer, or a part of a path: only paths', () => {
    assert.deepEqual(names(testsOf(graph, tests, 'session')), ['jfr-truth', 'open', 'peer']);
    assert.deepEqual(names(testsOf(graph, tests, 'cli.test')), ['cli']);
    assert.deepEqual(testsOf(graph, tests, 'nothing'), []);
  });
});

test('seeds change properties and random damage', () => {
  assert.deepEqual(names(testsWithSeed(graph, tests)), ['damage', 'open']);
});

test('the kinds of tests', () => {
  assert.deepEqual(Object.fromEntries(tests.map((path) => [names([path])[0], kindOf(graph, path)])), {
    cli: 'command lines',
    damage: 'damage',
    read: 'rest',
    'jfr-truth': 'rest',
    open: 'properties',
    peer: 'JVM, browser, peers',
    page: 'JVM, browser, peers',
  });
});

test('parts add up: every test of this clone is in one', () => {
  const all = allTests(new SourceGraph(ROOT));
  assert.ok(all.length > 100);
  for (const of of [1, 2, 3, 4, 7]) {
    const parts = Array.from({ length: of }, (_, i) => shardOf(all, { part: i + 1, of }));
    assert.deepEqual(parts.flat().sort(), all);
  }
});
