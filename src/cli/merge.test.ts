/** `merge` and `pgo strip` as users run them: files, standard output, gzip, exit codes, words. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { countsOf, mergedCounts } from '../analysis/merge/testing/merge-oracle.js';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';
import { EXIT } from './exit.js';
import { runCommand } from './testing/run-command.js';
import { spawnCommand } from './testing/spawn-command.js';

const ALL = join(ROOT, 'src', 'formats', 'iprof', 'fixtures', 'all-sections-1.1.0.iprof');
const FIB = join(ROOT, 'src', 'formats', 'iprof', 'fixtures', 'fib-1.0.0.iprof');
const LOOPS = join(ROOT, 'examples', 'loops', 'loops.iprof');
const THREADS = join(ROOT, 'src', 'formats', 'collapsed', 'fixtures', 'ap44-threads.collapsed');
const DUMP = join(ROOT, 'examples', 'deadlock-jstack.txt');
const HISTOGRAM = join(ROOT, 'examples', 'histogram', 'before.txt');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-merge-'));
after(() => rmSync(folder, { recursive: true }));

const run = (...words: string[]) => runCommand(words, { cwd: folder });

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

/** A profile of the oldest version. */
const OLD = join(folder, 'loops-0.2.0.iprof');
writeFileSync(OLD, JSON.stringify({ ...JSON.parse(readFileSync(LOOPS, 'utf8')), version: '0.2.0' }));

const cut = join(folder, 'cut.iprof');
writeFileSync(cut, readFileSync(ALL).subarray(0, -40));

describe('merge', () => {
  test('standard input only once; a warning if files have nothing in common', async () => {
    const twice = spawnCommand(['merge', '-', '-', '-o', 'twice.iprof'], { cwd: folder });
    assert.equal(twice.status, EXIT.usage);
    assert.match(twice.stderr, /standard input was named twice/);
    assert.match((await run('merge', LOOPS, THREADS, '-o', 'two.collapsed')).stderr, /no metric in common/);
    assert.match((await run('merge', FIB, FIB, '--weights', '1/0,1', '-o', 'z.iprof')).stderr, /divisor must not be 0/);
    assert.match(
      (await run('merge', FIB, FIB, '-o', 'two.iprof')).stderr,
      /two\.iprof: \d+ rows of \d+ methods, merged from 2/,
    );
  });

  test('to a file, compressed and to standard output: the same bytes, in either order', async () => {
    assert.equal((await run('merge', OLD, FIB, '--weights', '0.5,2', '-o', 'one.iprof')).status, 0);
    assert.equal((await run('merge', FIB, OLD, '--weights', '2,1/2', '--output', 'two.iprof.gz')).status, 0);
    const third = spawnCommand(['merge', FIB, OLD, '--weights', '2,0.50', '-o', '-']);
    const text = read('one.iprof');
    assert.equal(gunzipSync(readFileSync(join(folder, 'two.iprof.gz'))).toString(), text);
    assert.equal(third.stdout, text);
    const inputs = [
      { json: readFileSync(OLD, 'utf8'), weight: [1n, 2n] as const },
      { json: readFileSync(FIB, 'utf8'), weight: [2n, 1n] as const },
    ];
    assert.deepEqual(countsOf(text), mergedCounts(inputs));
    assert.equal(JSON.parse(text).version, '1.0.0');
    assert.equal((await run('check', 'one.iprof')).status, 0);
  });

  test('as another version, with a report of dropped data', async () => {
    const { status, stderr } = await run('merge', ALL, ALL, '--to', '1.0.0', '-o', 'old.iprof');
    assert.equal(status, 0, stderr);
    assert.match(stderr, /dropped: \d+ instance-of entr(y|ies): not supported by version 1\.0\.0/);
    assert.equal(JSON.parse(read('old.iprof')).version, '1.0.0');
  });

  test('stacks of other formats', async () => {
    const twice = await run('merge', THREADS, THREADS, '-o', 'twice.collapsed');
    assert.equal(twice.status, 0);
    assert.ok(twice.stderr.includes(`${THREADS}: given 2 times and counted each time.\n`), twice.stderr);
    const lines = (text: string): Map<string, number> => {
      const sums = new Map<string, number>();
      for (const line of text.trim().split('\n')) {
        const at = line.lastIndexOf(' ');
        sums.set(line.slice(0, at), (sums.get(line.slice(0, at)) ?? 0) + Number(line.slice(at)));
      }
      return sums;
    };
    const expected = lines(`${readFileSync(THREADS, 'utf8')}${readFileSync(THREADS, 'utf8')}`);
    assert.deepEqual([...lines(read('twice.collapsed'))].sort(), [...expected].sort());
    const states = await run('merge', DUMP, DUMP, '-o', 'states.speedscope.json');
    assert.match(states.stderr, /merge-left-out: locks: owners and waiters belong to one process/);
  });

  const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['levels', [HISTOGRAM, HISTOGRAM, '-o', 'x.iprof'], /live-bytes: a state at one moment/],
    ['formats that have no common one', [LOOPS, THREADS, '-o', 'x.iprof'], /cannot write .* as GraalVM PGO/],
    ['too few weights', [ALL, ALL, '--weights', '1', '-o', 'x.iprof'], /1 weight for 2 recordings/],
    ['weights that are none', [ALL, ALL, '--weights', '1,0', '-o', 'x.iprof'], /0 is not a weight/],
    ['no output', [ALL, ALL], /required option '-o, --output/],
    ['an input as output', [cut, ALL, '-o', cut], /is also the input/],
  ];
  for (const [subject, words, reason] of refused) {
    test(`${subject}: an error with the reason`, async () => {
      const { status, stderr } = await run('merge', ...words);
      assert.equal(status, EXIT.usage);
      assert.match(stderr, reason);
      assert.ok(!readdirSync(folder).some((name) => name.startsWith('x.iprof')));
    });
  }

  test('the readable part of a damaged file is merged, with exit code 4', async () => {
    const { status, stderr } = await run('merge', cut, ALL, '-o', 'rest.iprof');
    assert.equal(status, EXIT.partial);
    assert.match(stderr, /cut\.iprof: parts could not be read \(see check\); the rest was merged/);
    assert.ok(JSON.parse(read('rest.iprof')).types.length > 0);
  });
});

describe('pgo strip', () => {
  test('reports the dropped data and the new size', async () => {
    const { status, stderr } = await run('pgo', 'strip', BINARY_TREE, '-o', 'small.iprof', '--min-count', '2');
    assert.equal(status, 0, stderr);
    assert.match(stderr, /^call counts: [\d,]+ of 12,228 remain \([\d,]+ below --min-count\)$/m);
    assert.match(stderr, /^methods: [\d,]+ of 20,133 remain$/m);
    assert.match(
      stderr,
      /^3,938,992 bytes of JSON before, [\d,]+ after \(\d\d\.\d\d %\); verified by reading it again/m,
    );
    assert.equal((await run('check', 'small.iprof')).status, 0);
  });

  test('kinds to keep and kinds to drop', async () => {
    assert.equal(
      (await run('pgo', 'strip', ALL, '-o', 'kinds.iprof', '--kinds', 'call,branch', '--drop-kinds', 'branch')).status,
      0,
    );
    const json = JSON.parse(read('kinds.iprof'));
    assert.ok(json.callCountProfiles.length > 0);
    assert.deepEqual(
      Object.keys(json).filter((key) => key.endsWith('Profiles') && json[key].length > 0),
      ['callCountProfiles'],
    );
    assert.match(
      (await run('pgo', 'strip', ALL, '-o', 'y.iprof', '--kinds', 'calls')).stderr,
      /calls is unknown; expected one of call, branch/,
    );
  });

  test('names are hashed, equally in every file, differently with a salt', async () => {
    const anonymous = async (input: string, output: string, ...words: string[]): Promise<string> => {
      const { status, stderr } = await run('pgo', 'strip', input, '-o', output, '--anonymise', ...words);
      assert.equal(status, 0, stderr);
      return read(output);
    };
    const names = (text: string): string[] => text.match(/"(?:\[L)?p[0-9a-x]{10}\.[^"]*"/g) ?? [];
    const first = await anonymous(BINARY_TREE, 'a.iprof');
    assert.ok(!first.includes('shootouts') && names(first).length > 0);
    const cutNames = names(await anonymous(BINARY_TREE, 'b.iprof', '--kinds', 'call'));
    assert.ok(cutNames.length > 0 && cutNames.every((name) => names(first).includes(name)));
    const salted = names(await anonymous(BINARY_TREE, 'c.iprof', '--salt', 'pepper'));
    assert.ok(salted.length > 0 && !salted.some((name) => names(first).includes(name)));
    const partlyNamed = await anonymous(BINARY_TREE, 'd.iprof', '--keep-names', '^bench\\.shootouts');
    assert.ok(partlyNamed.includes('shootouts') && names(partlyNamed).length < names(first).length);
    const foreign = JSON.stringify({ ...JSON.parse(readFileSync(ALL, 'utf8')), secretProfiles: ['shop.Cart'] });
    writeFileSync(join(folder, 'foreign.iprof'), foreign);
    assert.ok(!(await anonymous('foreign.iprof', 'e.iprof')).includes('shop.Cart'));
  });

  test('contradictory options are an error', async () => {
    for (const [words, reason] of [
      [['--salt', 'x'], /are for --anonymise/],
      [['--focus', '('], /not a regular expression/],
      [['--anonymise', '--keep-names', '('], /not a regular expression/],
      [['--to', '3.0.0'], /unknown .iprof version 3\.0\.0/],
      [['--focus', 'nosuch'], /would remove every entry of /],
      [['--kinds', 'call', '--drop-kinds', 'call'], /would remove every entry of /],
      [['-o', 'z.collapsed'], /strip writes only \.iprof/],
      [['-o', 'nowhere/z.iprof'], /no such directory nowhere/],
    ] as const) {
      const { status, stderr } = await run('pgo', 'strip', ALL, '-o', 'z.iprof', ...words);
      assert.equal(status, EXIT.usage, stderr);
      assert.match(stderr, reason);
    }
    const { status, stderr } = await run('pgo', 'strip', THREADS, '-o', 'z.iprof');
    assert.equal(status, EXIT.usage);
    assert.match(stderr, /is not a PGO profile/);
    assert.ok(!readdirSync(folder).some((name) => name.startsWith('z.iprof')));
  });

  test('the readable part of a damaged file is stripped, with exit code 4', async () => {
    const { status, stderr } = await run('pgo', 'strip', cut, '-o', 'cut-small.iprof');
    assert.equal(status, EXIT.partial, stderr);
    assert.ok(Array.isArray(JSON.parse(read('cut-small.iprof')).methods));
  });
});
