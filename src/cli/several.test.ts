/** Answers of several recordings, options that a command does not have, and texts of no bearable length. */
import { deepStrictEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readable } from '../pictures/cells.js';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';
import { EXIT } from './exit.js';
import { render, renderTogether } from './render/render.js';
import { runCommand } from './testing/run-command.js';

const FIB = join(ROOT, 'src', 'formats', 'iprof', 'fixtures', 'fib-1.0.0.iprof');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-several-'));
after(() => rmSync(folder, { recursive: true }));

const run = (...words: readonly string[]) => runCommand(words);

/** The Fibonacci profile with some of its sections replaced, or left out where they are undefined. */
function changed(name: string, sections: Record<string, unknown>): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(FIB, 'utf8')), ...sections }));
  return file;
}

const BARE = changed('bare.iprof', { monitorProfiles: undefined, samplingProfiles: undefined });
const lines = (text: string): string[] => text.trimEnd().split('\n');

const words = ['functions', '--limit', '3'];
/** Nothing but samples. */
const SAMPLES = changed('samples.iprof', { callCountProfiles: [], conditionalProfiles: [], virtualInvokeProfiles: [] });
const first = JSON.parse((await run(...words, BINARY_TREE, '--json')).stdout);
const second = JSON.parse((await run(...words, SAMPLES, '--json')).stdout);

describe('several recordings', () => {
  it('of thread dumps are said to be comparable, other recordings are not', async () => {
    const [earlier, later] = ['examples/threads/dump-1.txt', 'examples/threads/dump-2.txt'];
    const said = /To see changes from dump to dump: kansoku threads --base/;
    const dumps = await runCommand(['threads', earlier, later], { cwd: ROOT });
    match(dumps.stderr, said);
    const profiles = await runCommand(['threads', earlier, 'examples/jfr/shop.jfr.gz'], { cwd: ROOT });
    doesNotMatch(profiles.stderr, said);
  });

  it('json is one array of the single answers', async () => {
    deepStrictEqual(JSON.parse((await run(...words, BINARY_TREE, SAMPLES, '--json')).stdout), [first, second]);
  });

  it('a damaged one that cannot answer does not affect the others, and sets the exit code', async () => {
    const cut = join(folder, 'cut.iprof');
    writeFileSync(cut, readFileSync(BINARY_TREE).subarray(0, 2_000_000));
    const { status, stdout, stderr } = await run('pgo', 'branches', cut, FIB, '--json', '--limit', '1');
    equal(status, EXIT.partial);
    equal(JSON.parse(stdout).length, 1);
    match(stderr, /cut\.iprof: kansoku: this recording has no branch counts in the part that could be read/);
  });

  it('several thread dumps are listed one by one, with a note on how to compare them', async () => {
    const dumps = [1, 2].map((number) => join(ROOT, 'examples', 'threads', `dump-${number}.txt`));
    const hint = /kansoku threads --base FIRST OTHERS/;
    const { status, stderr } = await run('threads', ...dumps, '--limit', '1');
    deepStrictEqual([status, lines(stderr).filter((line) => hint.test(line)).length], [0, 1]);
    for (const others of [[dumps[0] ?? ''], [dumps[0] ?? '', '--base', dumps[1] ?? ''], [...dumps, '--group', 'pool']])
      ok(!hint.test((await run('threads', ...others, '--limit', '1')).stderr));
  });

  it('a handle of the recording selects nothing of a base that lacks its function', async () => {
    const [shop, leak] = ['shop', 'leak'].map((name) => join('examples', 'jfr', `${name}.jfr.gz`));
    const { rows } = JSON.parse((await run('functions', shop ?? '', '--limit', '1', '--json')).stdout);
    const scoped = ['--focus', rows[0].handle, '--base', leak ?? '', '--notes'];
    const { status, stderr } = await run('functions', shop ?? '', ...scoped);
    equal(status, EXIT.done, stderr);
    match(stderr, /Nothing of \S+leak\.jfr\.gz is in scope\./);
  });

  it('ndjson, csv, tsv and md have one header and a column for the recording', async () => {
    const owners = [BINARY_TREE, BINARY_TREE, BINARY_TREE, SAMPLES, SAMPLES, SAMPLES];
    const rows = lines((await run(...words, BINARY_TREE, SAMPLES, '--format', 'ndjson')).stdout).map((line) =>
      JSON.parse(line),
    );
    deepStrictEqual(
      rows,
      [...first.rows, ...second.rows].map((row, i) => ({ recording: owners[i], ...row })),
    );
    // Calls have no totals and samples do: the columns are those of both.
    const tsv = lines((await run(...words, BINARY_TREE, SAMPLES, '--format', 'tsv')).stdout).map((line) =>
      line.split('\t'),
    );
    deepStrictEqual(tsv[0], ['recording', 'self', 'self_share', 'function', 'total', 'total_share']);
    deepStrictEqual(
      tsv.slice(1).map((cells) => [cells[0], cells[1], cells[3], cells[4]]),
      rows.map((row) => [row.recording, String(row.self), row.function, row.total === null ? '' : String(row.total)]),
    );
    const csv = lines((await run(...words, BINARY_TREE, SAMPLES, '--format', 'csv')).stdout);
    equal(csv.filter((line) => line.startsWith('recording,')).length, 1);
    equal(csv.length, 7);
    equal(lines((await run(...words, BINARY_TREE, SAMPLES, '--format', 'md')).stdout).length, 8);
  });

  it('tables follow each other unchanged', async () => {
    const alone = (await run(...words, BINARY_TREE)).stdout + (await run(...words, SAMPLES)).stdout;
    equal((await run(...words, BINARY_TREE, SAMPLES)).stdout, alone);
  });

  it('one that cannot answer does not affect the others', async () => {
    for (const format of ['table', 'csv'] as const) {
      const all = await run('monitors', BARE, FIB, '--format', format);
      equal(all.status, EXIT.usage);
      match(all.stderr, /bare\.iprof: .*no monitors/);
      match(all.stdout, /java\.lang\.Object/);
    }
    const json = JSON.parse((await run('monitors', FIB, BARE, '--json')).stdout);
    equal(json.length, 1);
    const none = await run('functions', FIB, BARE, '--sort', 'bananas', '--json');
    equal(none.status, EXIT.usage);
    equal(none.stdout, '');
  });
});

describe('options without an effect', () => {
  for (const words of [
    ['tree', FIB, '--sort', 'self'],
    ['tree', FIB, '--offset', '1'],
    ['pgo', 'inlining', FIB, 'Fib.fibonacci', '--sort', 'calls'],
    ['pgo', 'inlining', FIB, 'Fib.fibonacci', '--offset', '1'],
    ['callers', FIB, 'Fib.main', '--offset', '1'],
  ]) {
    it(`are errors: ${words.slice(0, 2).join(' ').replace(FIB, '')} ${words.at(-2)}`, async () => {
      const { status, stderr, stdout } = await run(...words);
      equal(status, EXIT.usage);
      match(stderr, /unknown option/);
      equal(stdout, '');
    });
  }

  it('callers can be sorted', async () => {
    const { rows } = JSON.parse(
      (await run('callers', BINARY_TREE, 'java.util.HashMap', '--sort', 'function', '--json')).stdout,
    );
    const names = rows
      .filter((row: { relation: string }) => row.relation === 'caller')
      .map((row: { function: string }) => row.function);
    ok(names.length > 2);
    deepStrictEqual(names, [...names].sort());
  });
});

describe('text of unlimited length', () => {
  const long = 'x'.repeat(5_000_000);
  const profile = JSON.parse(readFileSync(FIB, 'utf8'));
  const file = changed('long.iprof', {
    [`surprise-${long}`]: 1,
    types: profile.types.map((type: { name: string }) => (type.name === 'Fib' ? { ...type, name: long } : type)),
  });

  it('is cut in tables, with the number of characters left out, and complete in other formats', async () => {
    for (const words of [['summary'], ['check'], ['functions', '--limit', '0'], ['monitors', '--format', 'md']]) {
      const { stdout, stderr } = await run(...words, file);
      ok(stdout.length < 60_000, `${words[0]}: ${stdout.length}`);
      ok(stderr.length < 10_000, `${words[0]}: ${stderr.length}`);
      match(stdout + stderr, /x… \([\d,]+ more characters\)/, words[0]);
    }
    for (const format of ['csv', 'ndjson', 'json'])
      ok((await run('monitors', file, '--format', format)).stdout.includes(long));
    equal(readable('y'.repeat(1400)), `${'y'.repeat(400)}… (1,000 more characters)`);
    equal(readable('y'.repeat(400)), 'y'.repeat(400));
    equal(readable(`${'y'.repeat(399)}😀z`), `${'y'.repeat(399)}… (3 more characters)`);
  });

  it('trees are indented for 60 levels, then numbered', async () => {
    const ctx = Array.from({ length: 20_000 }, () => '3236:0').join('<');
    const deep = changed('deep.iprof', { samplingProfiles: [{ ctx, records: [5] }] });
    const rows = lines((await run('tree', deep, '--metric', 'samples', '--limit', '0')).stdout).slice(2);
    equal(rows.length, 20_000);
    const column = rows[0]?.indexOf('java.lang') ?? -1;
    rows.forEach((row, depth) => {
      const indent = '  '.repeat(Math.min(depth, 60));
      equal(row.slice(column), `${indent}${depth > 60 ? `[${depth}] ` : ''}java.lang.String.valueOf(java.lang.Object)`);
    });
  });

  it('a cell of many parts shows some and counts the rest', async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `frame.number:${i}`);
    const result = { type: 't', columns: [{ key: 'k', title: 'K', unit: 'list' }], rows: [{ k: names }] };
    const cell = lines((await render(result, { format: 'table', colour: false })).text)[2] ?? '';
    const cellParts = cell.split(' < ');
    const rest = Number(/^… and (\d+) more$/.exec(cellParts.at(-1) ?? '')?.[1]);
    deepStrictEqual(cellParts.slice(0, -1), names.slice(0, 1000 - rest));
    ok(cell.length < 450 && rest < 1000);
    ok((await renderTogether([result], 'csv')).includes(names.join('; ')));
  });

  it('columns line up by the width of characters, not by their number', async () => {
    const columns = [
      { key: 'name', title: 'Name', unit: 'text' },
      { key: 'count', title: 'Count', unit: 'count' },
    ];
    const rows = [
      { name: '観測点', count: 1 },
      { name: 'abcdefg', count: 12345 },
    ];
    const { text } = await render({ type: 't', recording: 'r', columns, rows }, { format: 'table', colour: false });
    equal(text, '# r\nName      Count\n観測点        1\nabcdefg  12,345\n');
  });
});
