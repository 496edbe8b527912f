/** `convert` as users run it: formats by extension and by name, a metric, a scope, dropped data. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';
import { runCommand } from './testing/run-command.js';
import { MAIN, spawnCommand } from './testing/spawn-command.js';

const THREADS = join(ROOT, 'src', 'formats', 'collapsed', 'fixtures', 'ap44-threads.collapsed');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-convert-'));
after(() => rmSync(folder, { recursive: true }));

const run = (...words: string[]) => runCommand(words, { cwd: folder });

/** Sum of the last numbers of all lines, as awk has it. */
function counted(text: string): number {
  return text
    .trim()
    .split('\n')
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

async function metricSum(file: string, ...scope: string[]): Promise<number> {
  const { stdout, stderr } = await run('functions', file, '--json', '--limit', '1', ...scope);
  assert.ok(stdout !== '', stderr);
  return JSON.parse(stdout).metric.sum;
}

describe('convert', () => {
  test('a pipe or device is written to and not replaced; a directory is an error', async () => {
    assert.equal(spawnSync('mkfifo', ['pipe.collapsed'], { cwd: folder }).status, 0);
    const words = [process.execPath, MAIN, 'convert', THREADS, 'pipe.collapsed'].map((word) => `'${word}'`).join(' ');
    const both = spawnSync('sh', ['-c', `${words} & cat pipe.collapsed; wait`], { cwd: folder, encoding: 'utf8' });
    assert.equal(both.stdout, spawnCommand(['convert', THREADS, '-', '--as', 'collapsed']).stdout);
    assert.ok(statSync(join(folder, 'pipe.collapsed')).isFIFO());
    mkdirSync(join(folder, 'folder.collapsed'));
    const { status, stderr } = await run('convert', THREADS, 'folder.collapsed');
    assert.equal(status, 2);
    assert.match(stderr, /folder\.collapsed is a directory/);
  });

  test('a scope without events writes nothing', async () => {
    const { status, stderr } = await run('convert', THREADS, 'none.collapsed', '--focus', 'nosuch');
    assert.equal(status, 2);
    assert.match(stderr, /the scope selects nothing in /);
    assert.ok(!existsSync(join(folder, 'none.collapsed')));
  });

  test('an iprof to collapsed stacks: the calls, with a warning about their meaning', async () => {
    const { status, stderr } = await run('convert', BINARY_TREE, 'calls.collapsed');
    assert.equal(status, 0, stderr);
    assert.match(stderr, /dropped: meaning of the numbers: .* belong only to the last frame/);
    assert.match(stderr, /dropped: \d+ metrics?: the file has one number per stack/);
    assert.match(stderr, /dropped: parameter types/);
    const text = readFileSync(join(folder, 'calls.collapsed'), 'utf8');
    assert.equal(counted(text), 6487510961);
    assert.equal(await metricSum('calls.collapsed'), 6487510961);
  });

  test('without --metric, convert, flame and the tables use the same one: calls beside a few samples', async () => {
    const fib = join(ROOT, 'src', 'formats', 'iprof', 'fixtures', 'fib-1.0.0.iprof');
    const { stderr } = await run('convert', fib, 'fib.collapsed');
    assert.match(stderr, /one number per stack, calls: samples, branches, receivers/);
    assert.equal(counted(readFileSync(join(folder, 'fib.collapsed'), 'utf8')), 23);
    assert.equal(await metricSum(fib), 23);
    const inverted = await run('flame', fib, '--inverted', '--json');
    assert.deepEqual([JSON.parse(inverted.stdout).metric.id, JSON.parse(inverted.stdout).metric.sum], ['calls', 23]);
    const flame = await run('flame', fib, '--json');
    assert.equal(flame.status, 2);
    assert.match(
      flame.stderr,
      /calls do not add up along stacks.*\nUse --inverted, or a metric that adds up: samples\./,
    );
    await run('convert', fib, 'samples.collapsed', '--metric', 'samples');
    assert.equal(counted(readFileSync(join(folder, 'samples.collapsed'), 'utf8')), 11);
  });

  test('a scope selects the events to write', async () => {
    const { stderr } = await run('convert', THREADS, 'vm.folded', '--thread', 'VM Thread', '--hide', '^clone3$');
    assert.match(stderr, /In scope: /);
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
    assert.equal(counted(text), await metricSum(THREADS, '--thread', 'VM Thread'));
  });

  test('--as for other file names, for standard output, and compressed', async () => {
    const { stdout } = spawnCommand(['convert', THREADS, '-', '--as', 'speedscope']);
    assert.equal(JSON.parse(stdout).exporter, 'kansoku');
    assert.equal((await run('convert', THREADS, 'stacks.txt.gz', '--as', 'collapsed')).status, 0);
    const text = gunzipSync(readFileSync(join(folder, 'stacks.txt.gz'))).toString();
    assert.equal(counted(text), 386);
    assert.equal(spawnCommand(['convert', THREADS, '-']).stdout, text);
    assert.equal(await metricSum('stacks.txt.gz'), 386);
  });

  test('an extension like that of the recording means its format', async () => {
    const report = join(ROOT, 'examples/points-to/call_tree_shop-1.txt');
    assert.equal((await run('convert', report, 'copy.txt')).status, 0);
    assert.equal(readFileSync(join(folder, 'copy.txt'), 'utf8'), readFileSync(report, 'utf8'));
    const samples = join(ROOT, 'examples/hprof/cpu-samples.txt');
    assert.equal((await run('convert', samples, 'samples.txt.gz')).status, 0);
    assert.equal(await metricSum('samples.txt.gz'), await metricSum(samples));
  });

  test('a recording that cannot be written is an error before a file appears', async () => {
    const none = await run('convert', THREADS, 'stacks.txt');
    assert.deepEqual([none.status, existsSync(join(folder, 'stacks.txt'))], [2, false]);
    assert.match(none.stderr, /unknown output extension/);
    assert.match(none.stderr, /\.iprof, .*\.collapsed, \.folded, \.speedscope\.json.*--as FORMAT/);
    assert.match((await run('convert', THREADS, 'x.folded', '--metric', 'bytes')).stderr, /has no metric bytes/);
    assert.match((await run('convert', BINARY_TREE, 'x.iprof', '--metric', 'calls')).stderr, /contains all metrics/);
    for (const name of ['x.folded', 'x.speedscope.json'])
      assert.match((await run('convert', THREADS, name, '--to', '2')).stderr, /no versions to choose from/);
    const tree = join(ROOT, 'examples/points-to/call_tree_shop-1.txt');
    for (const words of [['x.txt', '--as', 'call-tree'], ['x.graphml'], ['x.cypher']]) {
      const { status, stderr } = await run('convert', tree, ...words, '--to', '24.1');
      assert.equal(status, 2);
      assert.match(stderr, /no versions/);
    }
    assert.match(
      (await run('convert', THREADS, 'x.folded', '--as', 'hprof')).stderr,
      /Allowed choices are iprof, .*collapsed, speedscope/,
    );
    assert.ok(!existsSync(join(folder, 'x.folded')) && !existsSync(join(folder, 'x.iprof')));
  });

  test('the readable part of a damaged file is written, and salvaged', async () => {
    writeFileSync(join(folder, 'bad.txt'), 'a;b 1\nno count\na;c 2\n');
    const { status, stderr } = await run('convert', 'bad.txt', 'good.collapsed');
    assert.equal(status, 4);
    assert.match(stderr, /parts could not be read/);
    assert.equal(readFileSync(join(folder, 'good.collapsed'), 'utf8'), 'a;b 1\na;c 2\n');
    assert.equal((await run('check', 'bad.txt', '--salvage', 'saved.collapsed')).status, 1);
    assert.equal(readFileSync(join(folder, 'saved.collapsed'), 'utf8'), 'a;b 1\na;c 2\n');
  });

  test('collapsed, speedscope and back: the same functions and values', async () => {
    assert.equal((await run('convert', THREADS, 'there.speedscope.json')).status, 0);
    const rows = async (file: string): Promise<unknown> =>
      JSON.parse((await run('functions', file, '--json', '--limit', '0', '--sort', 'function')).stdout).rows.map(
        // What is written has no word on whether its numbers are samples, and so no error of theirs.
        ({ function: name, self, total }: Record<string, unknown>) => ({ name, self, total }),
      );
    assert.deepEqual(await rows('there.speedscope.json'), await rows(THREADS));
  });
});

describe('formats that are written only whole', () => {
  const SAMPLES = join(ROOT, 'examples', 'hprof', 'cpu-samples.txt');

  test('reject a part of a recording', async () => {
    for (const scope of [
      ['--focus', 'hot'],
      ['--dump', '1'],
    ]) {
      const { status, stderr } = await run('convert', SAMPLES, 'part.hprof.txt', ...scope);
      assert.equal(status, 2, stderr);
      assert.match(stderr, /HPROF text: only the whole recording can be written, not a part of it/);
    }
    assert.ok(!existsSync(join(folder, 'part.hprof.txt')));
  });

  test('reject recordings of other formats', async () => {
    for (const name of ['other.hprof.txt', 'other.iprof']) {
      const { status, stderr } = await run('convert', THREADS, name);
      assert.equal(status, 2, stderr);
      assert.match(stderr, /cannot write .* as .*: it was read from another format/);
      assert.ok(!existsSync(join(folder, name)));
    }
  });

  test('lines within a function are one frame in other formats, unless --lines is given', async () => {
    await run('convert', join(ROOT, 'examples', 'hprof', 'alloc-sites.txt'), 'places.collapsed');
    await run('convert', join(ROOT, 'examples', 'hprof', 'alloc-sites.txt'), 'lines.collapsed', '--lines');
    const [places, lines] = ['places', 'lines'].map((name) => readFileSync(join(folder, `${name}.collapsed`), 'utf8'));
    assert.doesNotMatch(places ?? '', /:\d+[; ]/);
    assert.match(lines ?? '', /AllocDemo\.main:\d+;AllocDemo\.dropBytes:\d+ \d/);
    assert.equal(counted(places ?? ''), counted(lines ?? ''));
  });
});
