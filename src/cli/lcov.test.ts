/** `pgo coverage --lcov`: the results of genhtml and lcov, and the counts of a program that counts itself. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { hasProgram } from '../../scripts/testing/programs.js';
import { type CountedProgram, countedProgram, type Run } from '../code/java/testing/counted-program.node.js';
import { makeZip } from '../code/java/testing/made-zip.js';
import { ROOT } from '../testing/shared-data.js';
import { runCommand } from './testing/run-command.js';
import { spawnCommand } from './testing/spawn-command.js';

interface Setting {
  readonly folder: string;
  readonly program: CountedProgram;
}

let prepared: Setting | undefined;

/** Compiled once for all tests of the file; undefined where a program is not there. */
function setting(t: TestContext, ...programs: readonly string[]): Setting | undefined {
  if (![...programs, 'javac'].every((program) => hasProgram(t, program))) return undefined;
  if (prepared === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'kansoku-lcov-'));
    process.once('exit', () => rmSync(folder, { recursive: true }));
    prepared = { folder, program: countedProgram(folder) };
  }
  return prepared;
}

/** Runs a program that reads the written file. */
function reader(program: string, words: readonly string[], folder: string) {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  });
  return { status, stdout, stderr };
}

/** Writes the profile of the runs and its coverage; both are named by `name`. */
async function written({ folder, program }: Setting, name: string, runs: readonly Run[], ...more: readonly string[]) {
  const profile = join(folder, `${name}.iprof`);
  const out = join(folder, `${name}.info`);
  writeFileSync(profile, program.profile(runs));
  const { classes, sources } = program;
  const words = ['pgo', 'coverage', profile, '--classes', classes, '--source-path', sources, '--lcov', out, ...more];
  const { status, stderr } = await runCommand(words);
  equal(status, 0, stderr);
  return { profile, out, text: readFileSync(out, 'utf8'), summary: stderr };
}

/** Rows of LCOV by their key. */
function rowsOf(text: string, key: string): string[][] {
  return [...text.matchAll(new RegExp(`^${key}:(.*)$`, 'gm'))].map(([, row = '']) => row.split(','));
}

it('has the functions, lines and branches that the program counted itself', async (t) => {
  const countedSetting = setting(t);
  if (countedSetting === undefined) return;
  const counted = countedSetting.program.run('9');
  const { text, summary } = await written(countedSetting, 'nine', [counted]);
  const lines = new Map(rowsOf(text, 'DA').map(([line, count]) => [Number(line), Number(count)]));
  for (const line of countedSetting.program.marked)
    equal(lines.get(line), counted.lines.get(line) ?? 0, `line ${line}`);
  for (const line of countedSetting.program.open) ok(!lines.has(line), `line ${line}`);
  for (const [count, name = ''] of rowsOf(text, 'FNDA'))
    equal(Number(count), counted.calls.get(/\.([\w$<>]+)\(/.exec(name)?.[1] ?? '') ?? 0, name);
  const ways = new Map<number, number[]>();
  for (const [line, , , runs] of rowsOf(text, 'BRDA'))
    ways.set(Number(line), [...(ways.get(Number(line)) ?? []), runs === '-' ? Number.NaN : Number(runs)]);
  for (const line of counted.whenTrue.keys()) {
    // javac jumps where the condition does not hold: that way comes first.
    deepEqual(ways.get(line), [counted.whenFalse.get(line) ?? 0, counted.whenTrue.get(line)], `line ${line}`);
  }
  deepEqual(ways.get(94), [Number.NaN, Number.NaN]);
  match(summary, /1 source file, 1 found on the source path\.\nFunctions: 12 of 14 ran\.\n2 were not counted/);
  match(text, /^TN:kansoku\nSF:.*sources\/demo\/Counted\.java\n/);
});

it('genhtml accepts it without a warning and shows the same totals', async (t) => {
  const htmlSetting = setting(t, 'genhtml');
  if (htmlSetting === undefined) return;
  const { text, out } = await written(htmlSetting, 'shown', [htmlSetting.program.run('9')]);
  const { status, stdout, stderr } = reader('genhtml', ['--branch-coverage', '-o', 'html', out], htmlSetting.folder);
  equal(status, 0, stderr);
  equal(stderr, '');
  ok(!/warning/i.test(stdout), stdout);
  const totals = (name: string) =>
    new RegExp(`${name}\\.+: [\\d.]+% \\((\\d+) of (\\d+)`).exec(stdout)?.slice(1).map(Number);
  const above = (key: string, at: number) => rowsOf(text, key).filter((row) => Number(row[at]) > 0).length;
  deepEqual(totals('lines'), [above('DA', 1), rowsOf(text, 'DA').length]);
  deepEqual(totals('functions'), [above('FNDA', 0), rowsOf(text, 'FN').length]);
  deepEqual(totals('branches'), [above('BRDA', 3), rowsOf(text, 'BRDA').length]);
  deepEqual(
    ['LF', 'LH', 'FNF', 'FNH', 'BRF', 'BRH'].map((key) => Number(rowsOf(text, key)[0]?.[0])),
    [totals('lines')?.[1], totals('lines')?.[0], totals('functions')?.[1], totals('functions')?.[0]].concat(
      totals('branches')?.toReversed(),
    ),
  );
  const pages = readdirSync(join(htmlSetting.folder, 'html'), { recursive: true, encoding: 'utf8' });
  ok(pages.some((page) => page.endsWith('Counted.java.gcov.html')));
});

it('lcov adds the coverage of two runs as one profile of both would be', async (t) => {
  const lcovSetting = setting(t, 'lcov');
  if (lcovSetting === undefined) return;
  const runs = [lcovSetting.program.run('3'), lcovSetting.program.run('17')];
  const outs: string[] = [];
  for (const [i, one] of runs.entries()) outs.push((await written(lcovSetting, `part${i}`, [one])).out);
  const both = (await written(lcovSetting, 'both', runs)).text;
  const sum = join(lcovSetting.folder, 'sum.info');
  const words = ['--rc', 'lcov_branch_coverage=1', ...outs.flatMap((out) => ['-a', out]), '-o', sum];
  const { status, stderr } = reader('lcov', words, lcovSetting.folder);
  equal(status, 0, stderr);
  const joined = readFileSync(sum, 'utf8');
  const lines = (text: string) => new Map(rowsOf(text, 'DA').map(([line, count]) => [line, count]));
  deepEqual(lines(joined), lines(both));
  const functions = (text: string) => new Map(rowsOf(text, 'FNDA').map(([count, name]) => [name, count]));
  deepEqual(functions(joined), functions(both));
  equal(functions(joined).size, 14);
  const ways = (text: string) =>
    new Map(rowsOf(text, 'BRDA').map(([line, block, way, wayCount]) => [`${line} ${block} ${way}`, wayCount]));
  for (const [way, wayCount] of ways(both)) equal(ways(joined).get(way), wayCount, way);
});

it('leaves out methods without counts with --missing omit', async (t) => {
  const countedSetting = setting(t);
  if (countedSetting === undefined) return;
  const { text, summary } = await written(
    countedSetting,
    'omitted',
    [countedSetting.program.run('9')],
    '--missing',
    'omit',
  );
  ok(rowsOf(text, 'FNDA').every(([count]) => Number(count) > 0));
  ok(rowsOf(text, 'DA').every(([line]) => Number(line) < 94 || Number(line) > 98));
  match(summary, /2 were not counted: left out \(--missing\)/);
});

it('reports a profile of another program, sources in archives, and methods that the profile does not list', async (t) => {
  const countedSetting = setting(t);
  if (countedSetting === undefined) return;
  const { classes, sources } = countedSetting.program;
  const loops = join(ROOT, 'examples', 'loops');
  const profile = join(loops, 'loops.iprof');
  const coverage = async (...words: readonly string[]) =>
    (await runCommand(['pgo', 'coverage', profile, '--classes', ...words])).stderr;
  const out = join(countedSetting.folder, 'out.info');
  const other = await coverage(classes, '--lcov', out);
  match(other, /Functions: 0 of 14 ran\.\nNo method of the profile is in these classes/);
  ok(!other.includes('--missing omit'), other);
  match(await coverage(classes), /No method of the profile is in these classes/);

  const archive = join(countedSetting.folder, 'the sources.zip');
  const members = { 'demo/Counted.java': readFileSync(join(sources, 'demo', 'Counted.java')) };
  makeZip(archive, members);
  const both = [`${loops}:${classes}`, '--source-path', archive, '--lcov', out];
  const mixed = await coverage(...both);
  match(mixed, /2 source files, 0 found on the source path\.\n1 more lies? inside .*the sources\.zip, .*genhtml/);
  ok(mixed.includes(`unzip -q '${archive}' -d DIR`), mixed);
  ok(!mixed.includes('Nothing of the profile'), mixed);
  match(mixed, /17 of these are not in the profile at all; --missing omit/);
  const omitted = await coverage(...both, '--missing', 'omit');
  ok(!omitted.includes('even name'), omitted);
  ok(!(await coverage(loops, '--lcov', out)).includes('even name'));
});

it('applies the scope, and reports missing options', async (t) => {
  const countedSetting = setting(t);
  if (countedSetting === undefined) return;
  const { text, profile } = await written(
    countedSetting,
    'scoped',
    [countedSetting.program.run('9')],
    '--focus',
    'collatz',
  );
  deepEqual(
    rowsOf(text, 'FNDA').filter(([count]) => count !== '0'),
    [['9', 'demo.Counted.collatz(int)']],
  );
  const refused = async (...words: readonly string[]) => {
    const { status, stderr } = await runCommand(['pgo', 'coverage', profile, ...words]);
    equal(status, 2);
    return stderr;
  };
  match(await refused('--lcov', join(countedSetting.folder, 'x.info')), /--classes/);
  match(await refused('--missing', 'omit'), /--missing is for --lcov/);
  match(await refused('--classes', countedSetting.program.classes, '--lcov', profile), /is also the input/);
});

it('reports sources that are not found by their package', async (t) => {
  const countedSetting = setting(t);
  if (countedSetting === undefined) return;
  const { profile } = await written(countedSetting, 'nowhere', [countedSetting.program.run('3')]);
  const empty = join(countedSetting.folder, 'empty');
  mkdirSync(empty, { recursive: true });
  const words = ['pgo', 'coverage', profile, '--classes', countedSetting.program.classes, '--lcov', '-'];
  const { stdout, stderr } = spawnCommand(words, { cwd: empty });
  match(stdout, /^SF:demo\/Counted\.java$/m);
  match(stderr, /0 found on the source path/);
});

it('counts methods and branch outcomes of the class path', async (t) => {
  const countedSetting = setting(t);
  if (countedSetting === undefined) return;
  const { profile } = await written(countedSetting, 'table', [countedSetting.program.run('9')]);
  const words = ['pgo', 'coverage', profile, '--classes', countedSetting.program.classes, '--json'];
  const { totals, rows } = JSON.parse((await runCommand(words)).stdout);
  const listing = reader(
    'javap',
    ['-c', '-p', '-cp', countedSetting.program.classes, 'demo.Counted'],
    countedSetting.folder,
  ).stdout;
  equal(totals.code, [...listing.matchAll(/^ +Code:$/gm)].length);
  // The switch of the program has three places to go to.
  equal(totals.ways, 2 * [...listing.matchAll(/^ +\d+: if/gm)].length + 3);
  equal(totals.code_share, 12 / 14);
  equal(totals.ways_share, totals.taken / totals.ways);
  deepEqual(
    rows.map(({ name }: { name: string }) => name),
    ['<Total>', 'demo'],
  );
});

it('options of the listing are an error with LCOV', async () => {
  const loops = join(ROOT, 'examples', 'loops');
  for (const words of [['--by', 'class'], ['--json'], ['--limit', '3'], ['--sort', 'ran'], ['--origin', 'own']]) {
    const command = ['pgo', 'coverage', join(loops, 'loops.iprof'), '--classes', loops, '--lcov', 'no.info', ...words];
    const { status, stdout, stderr } = await runCommand(command);
    equal(status, 2, stderr);
    equal(stdout, '');
    match(stderr, /is for the listing, not for --lcov/);
  }
});
