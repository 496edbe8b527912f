/** `convert` as users run it: formats by ending and by name, a metric, a scope, what is dropped. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';

const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const THREADS = join(ROOT, 'src', 'formats', 'collapsed', 'fixtures', 'ap44-threads.collapsed');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-convert-'));
after(() => rmSync(folder, { recursive: true }));

function run(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, XDG_CACHE_HOME: folder },
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

/** Sum of the last numbers of all lines, as awk has it. */
function counted(text: string): number {
  return text
    .trim()
    .split('\n')
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

function metricSum(file: string, ...scope: string[]): number {
  const { stdout, stderr } = run('functions', file, '--json', '--limit', '1', ...scope);
  assert.ok(stdout !== '', stderr);
  return JSON.parse(stdout).metric.sum;
}

describe('convert', () => {
  test('a pipe or device is written into and stays what it is; a directory is refused', () => {
    assert.equal(spawnSync('mkfifo', ['pipe.collapsed'], { cwd: folder }).status, 0);
    const words = [process.execPath, MAIN, 'convert', THREADS, 'pipe.collapsed'].map((word) => `'${word}'`).join(' ');
    const both = spawnSync('sh', ['-c', `${words} & cat pipe.collapsed; wait`], { cwd: folder, encoding: 'utf8' });
    assert.equal(both.stdout, run('convert', THREADS, '-', '--as', 'collapsed').stdout);
    assert.ok(statSync(join(folder, 'pipe.collapsed')).isFIFO());
    mkdirSync(join(folder, 'folder.collapsed'));
    const { status, stderr } = run('convert', THREADS, 'folder.collapsed');
    assert.equal(status, 2);
    assert.match(stderr, /folder\.collapsed is a directory/);
  });

  test('a scope that leaves nothing writes nothing', () => {
    const { status, stderr } = run('convert', THREADS, 'none.collapsed', '--focus', 'nosuch');
    assert.equal(status, 2);
    assert.match(stderr, /nothing of .* lies within the scope/);
    assert.ok(!existsSync(join(folder, 'none.collapsed')));
  });

  test('an iprof to collapsed stacks: the calls, with a word on what they mean', () => {
    const { status, stderr } = run('convert', BINARY_TREE, 'calls.collapsed');
    assert.equal(status, 0, stderr);
    assert.match(stderr, /dropped: the meaning of the numbers: .* belong to the last frame/);
    assert.match(stderr, /dropped: \d+ metrics?: the file has one number a stack/);
    assert.match(stderr, /dropped: parameter types/);
    const text = readFileSync(join(folder, 'calls.collapsed'), 'utf8');
    assert.equal(counted(text), 6487510961);
    assert.equal(metricSum('calls.collapsed'), 6487510961);
  });

  test('a scope selects what is written', () => {
    const { stderr } = run('convert', THREADS, 'vm.folded', '--thread', 'VM Thread', '--hide', '^clone3$');
    assert.match(stderr, /Within the scope: /);
    const text = readFileSync(join(folder, 'vm.folded'), 'utf8');
    assert.ok(
      text
        .split('\n')
        .filter(Boolean)
        .every((line) => line.startsWith('[VM Thread tid=6500];start_thread;')),
    );
    const lines = readFileSync(THREADS, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('[VM Thread '));
    assert.equal(counted(text), counted(lines.join('\n')));
    assert.equal(counted(text), metricSum(THREADS, '--thread', 'VM Thread'));
  });

  test('--as for names that say nothing, for standard output, and compressed', () => {
    const { stdout } = run('convert', THREADS, '-', '--as', 'speedscope');
    assert.equal(JSON.parse(stdout).exporter, 'kansoku');
    assert.equal(run('convert', THREADS, 'stacks.txt.gz', '--as', 'collapsed').status, 0);
    const text = gunzipSync(readFileSync(join(folder, 'stacks.txt.gz'))).toString();
    assert.equal(counted(text), 386);
    assert.equal(run('convert', THREADS, '-').stdout, text);
    assert.equal(metricSum('stacks.txt.gz'), 386);
  });

  test('what cannot be written is refused before there is a file', () => {
    const none = run('convert', THREADS, 'stacks.txt');
    assert.deepEqual([none.status, existsSync(join(folder, 'stacks.txt'))], [2, false]);
    assert.match(none.stderr, /ending is of no format that can be written/);
    assert.match(none.stderr, /\.iprof, .*\.collapsed, \.folded, \.speedscope\.json.*--as FORMAT/);
    assert.match(run('convert', THREADS, 'x.folded', '--metric', 'bytes').stderr, /has no metric bytes/);
    assert.match(run('convert', BINARY_TREE, 'x.iprof', '--metric', 'calls').stderr, /all metrics are written/);
    assert.match(run('convert', THREADS, 'x.folded', '--to', '2').stderr, /no versions/);
    assert.match(
      run('convert', THREADS, 'x.folded', '--as', 'hprof').stderr,
      /Allowed choices are iprof, .*collapsed, speedscope/,
    );
    assert.ok(!existsSync(join(folder, 'x.folded')) && !existsSync(join(folder, 'x.iprof')));
  });

  test('a damaged file is written as far as it was read, and salvaged', () => {
    writeFileSync(join(folder, 'bad.txt'), 'a;b 1\nno count\na;c 2\n');
    const { status, stderr } = run('convert', 'bad.txt', 'good.collapsed');
    assert.equal(status, 4);
    assert.match(stderr, /not all of it could be read/);
    assert.equal(readFileSync(join(folder, 'good.collapsed'), 'utf8'), 'a;b 1\na;c 2\n');
    assert.equal(run('check', 'bad.txt', '--salvage', 'saved.collapsed').status, 1);
    assert.equal(readFileSync(join(folder, 'saved.collapsed'), 'utf8'), 'a;b 1\na;c 2\n');
  });

  test('collapsed, speedscope and back: the same functions and values', () => {
    assert.equal(run('convert', THREADS, 'there.speedscope.json').status, 0);
    const rows = (file: string): unknown =>
      JSON.parse(run('functions', file, '--json', '--limit', '0', '--sort', 'function').stdout).rows;
    assert.deepEqual(rows('there.speedscope.json'), rows(THREADS));
  });
});

describe('formats that are written from what was read', () => {
  const SAMPLES = join(ROOT, 'examples', 'hprof', 'cpu-samples.txt');

  test('refuse a part of a recording', () => {
    for (const scope of [
      ['--focus', 'hot'],
      ['--dump', '1'],
    ]) {
      const { status, stderr } = run('convert', SAMPLES, 'part.hprof.txt', ...scope);
      assert.equal(status, 2, stderr);
      assert.match(stderr, /HPROF text: it is written whole, not a part of it/);
    }
    assert.ok(!existsSync(join(folder, 'part.hprof.txt')));
  });

  test('refuse recordings of other formats', () => {
    for (const name of ['other.hprof.txt', 'other.iprof']) {
      const { status, stderr } = run('convert', THREADS, name);
      assert.equal(status, 2, stderr);
      assert.match(stderr, /was not read as .*: only such a recording is written as one/);
      assert.ok(!existsSync(join(folder, name)));
    }
  });

  test('lines within a function are one frame elsewhere, unless they are asked for', () => {
    run('convert', join(ROOT, 'examples', 'hprof', 'alloc-sites.txt'), 'places.collapsed');
    run('convert', join(ROOT, 'examples', 'hprof', 'alloc-sites.txt'), 'lines.collapsed', '--lines');
    const [places, lines] = ['places', 'lines'].map((name) => readFileSync(join(folder, `${name}.collapsed`), 'utf8'));
    assert.doesNotMatch(places ?? '', /:\d+[; ]/);
    assert.match(lines ?? '', /AllocDemo\.main:\d+;AllocDemo\.dropBytes:\d+ \d/);
    assert.equal(counted(places ?? ''), counted(lines ?? ''));
  });
});
