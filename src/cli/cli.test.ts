/** The command line as users run it: the built program, its exit codes, its output in every format. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { printable } from '../base/text.js';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';
import { VIEWS } from '../views/index.js';
import { EXIT } from './exit.js';
import { examplesOf } from './invocation.js';
import { allCommands, buildProgram } from './program.js';

const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-cli-'));
after(() => rmSync(folder, { recursive: true }));

const [BEFORE, AFTER] = ['before', 'after'].map((name) => join(ROOT, 'examples', 'histogram', `${name}.txt`));

const [SHOP, SHOP_2] = ['shop.iprof', 'shop-2.jar'].map((name) => join(ROOT, 'examples', 'stale', name));

const environment = { ...process.env, XDG_CACHE_HOME: folder, NO_COLOR: '', FORCE_COLOR: '' };

function run(words: readonly string[], options: { input?: string; env?: NodeJS.ProcessEnv } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...words], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...environment, ...options.env },
    maxBuffer: 1 << 28,
    ...(options.input === undefined ? {} : { input: options.input }),
  });
  return { status, stdout, stderr };
}

const program = buildProgram({ signal: new AbortController().signal, exitCode: EXIT.done });
const DAMAGED = join(folder, 'cut.iprof');
const whole = readFileSync(BINARY_TREE);
writeFileSync(DAMAGED, whole.subarray(0, whole.length * 0.6));

describe('help', () => {
  for (const command of allCommands(program)) {
    for (const example of examplesOf(command)) {
      it(`the example runs: ${example}`, () => {
        const words = example.replaceAll('/tmp/', `${folder}/`).split(' ');
        const { status, stdout, stderr } = run(words);
        equal(status, 0, stderr);
        ok(stdout.length > 0 || /-o |convert/.test(example), 'nothing was printed');
      });
    }
  }

  it('every command that asks something has an example, and its help shows it', () => {
    for (const command of allCommands(program)) {
      if (command.commands.length > 0 || command.registeredArguments.length === 0 || /^complet/.test(command.name()))
        continue;
      ok(examplesOf(command).length > 0, command.name());
    }
    match(run(['pgo', 'hot', '--help']).stdout, /Examples:\n {2}kansoku pgo hot/);
  });
});

describe('exit codes', () => {
  const cases: readonly [string, readonly string[], number, RegExp][] = [
    ['an answer', ['summary', BINARY_TREE], EXIT.done, /^$/],
    ['check of a sound file', ['check', BINARY_TREE], EXIT.done, /no problems found/],
    ['check of a cut file', ['check', DAMAGED], EXIT.no, /^/],
    ['a question to a cut file', ['pgo', 'hot', DAMAGED], EXIT.partial, /Not all of the input could be read/],
    ['no command', [], EXIT.usage, /Usage: kansoku/],
    ['an unknown command', ['sumary', BINARY_TREE], EXIT.usage, /Did you mean summary\?/],
    ['an unknown option', ['summary', BINARY_TREE, '--jsn'], EXIT.usage, /Did you mean --json\?/],
    ['a wrong number', ['functions', BINARY_TREE, '--limit', 'x'], EXIT.usage, /whole number/],
    ['a wrong format', ['functions', BINARY_TREE, '--format', 'xml'], EXIT.usage, /Allowed choices/],
    [
      'formats that exclude each other',
      ['functions', BINARY_TREE, '--json', '--format', 'csv'],
      EXIT.usage,
      /exclude each other/,
    ],
    ['a column that is not there', ['functions', BINARY_TREE, '--sort', 'x'], EXIT.usage, /Columns to sort by: self/],
    [
      'a metric that is not there',
      ['functions', BINARY_TREE, '--metric', 'x'],
      EXIT.usage,
      /Its metrics: calls, branches, receivers/,
    ],
    [
      'a scope that cannot apply',
      ['functions', BINARY_TREE, '--thread', 'main'],
      EXIT.usage,
      /no threads to select by/,
    ],
    [
      'inclusive values of counts that belong to places',
      ['functions', BINARY_TREE, '--sort', 'total'],
      EXIT.usage,
      /cannot sort by total/,
    ],
    ['events in the part that was lost', ['pgo', 'branches', DAMAGED], EXIT.partial, /as far as it could be read/],
    ['an output that is the input', ['convert', DAMAGED, DAMAGED], EXIT.usage, /is the input itself/],
    [
      'a list with a word that is none',
      ['pgo', 'hot', BINARY_TREE, '--origin', 'own,x'],
      EXIT.usage,
      /x is none of own, jdk/,
    ],
    ['a question about stacks to a histogram', ['functions', BEFORE], EXIT.usage, /Ask `heap histogram`/],
    ['bytecode without classes', ['disasm', BINARY_TREE, 'java.util.HashMap.put'], EXIT.usage, /--classes PATH/],
    [
      'a class path that is not there',
      ['pgo', 'branches', BINARY_TREE, '--classes', join(folder, 'x')],
      EXIT.unreadable,
      /x/,
    ],
    ['a dump that is not there', ['heap', 'histogram', BEFORE, '--dump', '2'], EXIT.usage, /It has 1 dump/],
    ['a dump of no base', ['heap', 'histogram', BEFORE, '--base-dump', '2'], EXIT.usage, /needs a base/],
    ['nothing in common', ['diff', BEFORE, BINARY_TREE], EXIT.usage, /no metric in common/],
    ['a base that is several', ['functions', AFTER, '--base', join(ROOT, 'examples')], EXIT.usage, /a base is one/],
    [
      'a stale profile',
      ['pgo', 'stale', SHOP, '--classes', SHOP_2, '--fail-above', '30'],
      EXIT.no,
      /Fits: calls 87.97 % of executions[\s\S]*\nstale: 34.45 % of the judged executions, more than 30 %\n/,
    ],
    [
      'a profile beside classes of another program',
      ['pgo', 'stale', SHOP, '--classes', join(ROOT, 'examples', 'loops')],
      EXIT.done,
      /Nothing of the profile can be judged[\s\S]*Judged: 0.00 % of executions/,
    ],
    [
      'the same as a gate',
      ['pgo', 'stale', SHOP, '--classes', join(ROOT, 'examples', 'loops'), '--fail-above', '0'],
      EXIT.usage,
      /nothing of the profile can be judged: these classes are of another program/,
    ],
    ['a profile less stale', ['pgo', 'stale', SHOP, '--classes', SHOP_2, '--fail-above', '40%'], EXIT.done, /Fits/],
    ['staleness without classes', ['pgo', 'stale', SHOP], EXIT.usage, /--classes/],
    [
      'a repair with one class path',
      ['pgo', 'stale', SHOP, '--classes', SHOP_2, '--repair', join(folder, 'no.iprof')],
      EXIT.usage,
      /both are needed/,
    ],
    [
      'a repair of a part',
      ['pgo', 'stale', SHOP, '--classes', SHOP_2, '--focus', 'x', '--repair', join(folder, 'no.iprof')],
      EXIT.usage,
      /whole/,
    ],
    ['a missing file', ['summary', join(folder, 'nothing')], EXIT.unreadable, /no such file/],
    ['a file of no kind', ['summary', join(ROOT, 'package.json')], EXIT.unreadable, /not a kind of recording/],
  ];
  for (const [what, words, status, stderr] of cases) {
    it(`${status} for ${what}`, () => {
      const result = run(words);
      equal(result.status, status, result.stderr);
      match(result.stderr, stderr);
      if (status === EXIT.usage || status === EXIT.unreadable) equal(result.stdout, '');
    });
  }

  it('the data of a damaged file is on standard output', () => {
    ok(JSON.parse(run(['pgo', 'hot', DAMAGED, '--json']).stdout).rows.length > 0);
  });
});

describe('output', () => {
  const words = ['pgo', 'branches', BINARY_TREE, '--focus', 'java.util.HashMap', '--limit', '7'];
  const json = JSON.parse(run([...words, '--json']).stdout);

  it('every format shows the same rows', () => {
    const ndjson = run([...words, '--format', 'ndjson'])
      .stdout.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    deepStrictEqual(ndjson, json.rows);
    for (const [format, separator] of [
      ['csv', ','],
      ['tsv', '\t'],
    ] as const) {
      const lines = run([...words, '--format', format])
        .stdout.trimEnd()
        .split('\n')
        .map((line) => line.split(separator));
      equal(lines.length, 8);
      deepStrictEqual(
        lines.slice(1).map((cells) => Number(cells[0])),
        json.rows.map((row: { executed: number }) => row.executed),
      );
    }
    const table = run(words).stdout.trimEnd().split('\n');
    equal(table.length, 9);
    json.rows.forEach((row: { executed: number; site: string }, index: number) => {
      const line = table[index + 2] ?? '';
      equal(Number(line.trim().split(' ')[0]?.replaceAll(',', '')), row.executed);
      ok(line.includes(row.site));
    });
    const markdown = run([...words, '--format', 'md'])
      .stdout.trimEnd()
      .split('\n');
    equal(markdown.length, 9);
    match(markdown[1] ?? '', /^\| -+: \|/);
  });

  it('pages follow each other', () => {
    const second = JSON.parse(run([...words.slice(0, 5), '--limit', '3', '--offset', '4', '--json']).stdout);
    deepStrictEqual(second.rows, json.rows.slice(4));
    equal(second.offset, 4);
  });

  it('colours appear only when they are asked for', () => {
    ok(!run(words).stdout.includes('\u001b'));
    ok(run(words, { env: { FORCE_COLOR: '1' } }).stdout.includes('\u001b'));
    ok(!run(words, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } }).stdout.includes('\u001b'));
    ok(!run([...words, '--no-color'], { env: { FORCE_COLOR: '1' } }).stdout.includes('\u001b'));
  });

  it('names cannot control the terminal', () => {
    equal(printable('a\u001b[31mb\u009b\u202ec\td'), 'a\\u001b[31mb\\u009b\\u202ec\\u0009d');
    equal(printable('観測.計測点'), '観測.計測点');
  });

  it('a reader that goes away is no error', async () => {
    const child = spawn(process.execPath, [MAIN, 'functions', BINARY_TREE, '--limit', '0'], { env: environment });
    child.stdout.once('data', () => child.stdout.destroy());
    let stderr = '';
    child.stderr.on('data', (part) => (stderr += String(part)));
    const status = await new Promise((resolve) => child.once('close', resolve));
    equal(status, 0);
    ok(!/EPIPE|Error/.test(stderr), stderr);
  });

  it('says how much is within the scope', () => {
    match(run(['functions', BINARY_TREE, '--focus', 'no such thing']).stderr, /Within the scope: 0 of 31,266 events/);
  });

  it('a full disk is no answer', (test) => {
    if (!existsSync('/dev/full')) return test.skip('needs /dev/full, as Linux has it');
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'pgo', 'hot', BINARY_TREE], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
      env: environment,
    });
    closeSync(full);
    equal(status, EXIT.failed);
    match(stderr, /^kansoku: standard output: ENOSPC[^\n]*\n$/);
  });

  it('the scope is applied in the order it was written in', () => {
    const hidden = ['--hide', 'HashMap', '--focus', 'HashMap'];
    const first = JSON.parse(run(['functions', BINARY_TREE, '--json', ...hidden]).stdout);
    const second = JSON.parse(
      run(['functions', BINARY_TREE, '--json', ...hidden.slice(2), ...hidden.slice(0, 2)]).stdout,
    );
    equal(first.total, 0);
    ok(second.total > 0);
  });

  it('reads standard input', () => {
    const piped = spawnSync(process.execPath, [MAIN, 'summary', '-', '--json'], {
      input: whole,
      encoding: 'utf8',
      env: environment,
    });
    equal(piped.status, 0, piped.stderr);
    equal(JSON.parse(piped.stdout).sections.hotnessPoints, 12228);
  });
});

const DEADLOCK = join(ROOT, 'examples', 'deadlock-jstack.txt');

describe('a base', () => {
  it('is compared with each file, and not asked itself', () => {
    const asked = ['heap', 'histogram', AFTER, BEFORE, '--base', BEFORE, '--class', 'Order', '--json'];
    const [grown, same] = JSON.parse(run(asked).stdout);
    deepStrictEqual([grown.rows[0].delta, grown.base.recording, same.total], [288000, BEFORE, 0]);
    equal(JSON.parse(run(['functions', BINARY_TREE, '--base', BINARY_TREE, '--json']).stdout).states.changed, 0);
    equal(JSON.parse(run(['diff', BEFORE, AFTER, '--match', 'Order', '--json']).stdout).rows[0].delta, 288000);
  });
});

const LOOPS = join(ROOT, 'examples', 'loops', 'loops.iprof');
const CODE = ['--classes', join(ROOT, 'examples', 'loops'), '--source-path', join(ROOT, 'examples', 'loops')];

describe('schemas', () => {
  const questions: Record<string, readonly string[]> = {
    summary: ['summary', BINARY_TREE],
    check: ['check', DAMAGED],
    functions: ['functions', BINARY_TREE],
    callers: ['callers', BINARY_TREE, 'java.lang.String.hashCode'],
    tree: ['tree', BINARY_TREE],
    flame: ['flame', BINARY_TREE, '--inverted'],
    sites: ['sites', join(ROOT, 'examples', 'hprof', 'alloc-sites.txt')],
    diff: ['diff', BEFORE, AFTER],
    'heap-histogram': ['heap', 'histogram', BEFORE],
    threads: ['threads', DEADLOCK],
    monitors: ['monitors', DEADLOCK],
    'pgo-coverage': ['pgo', 'coverage', BINARY_TREE],
    'pgo-hot': ['pgo', 'hot', BINARY_TREE],
    'pgo-branches': ['pgo', 'branches', BINARY_TREE, '--contexts'],
    'pgo-receivers': ['pgo', 'receivers', BINARY_TREE],
    'pgo-stale': ['pgo', 'stale', SHOP, '--classes', SHOP_2],
    source: ['source', LOOPS, 'Loops', ...CODE],
    disasm: ['disasm', LOOPS, 'Loops.gcd', ...CODE],
    'pgo-inlining': ['pgo', 'inlining', BINARY_TREE, 'java.util.HashMap.putVal'],
  };
  const published = join(ROOT, 'docs', 'schema');

  it('there is one for each view and no other', () => {
    const names = Object.values(VIEWS).map((view) => `${view.name}-v${view.version}.schema.json`);
    deepStrictEqual(readdirSync(published).sort(), names.sort());
    equal(
      spawnSync(process.execPath, [join(ROOT, 'dist', 'scripts', 'schemas.js'), '--check'], { stdio: 'inherit' })
        .status,
      0,
    );
  });

  for (const view of Object.values(VIEWS)) {
    it(`real output of ${view.name} keeps to it, and changed output does not`, () => {
      const schema = JSON.parse(readFileSync(join(published, `${view.name}-v${view.version}.schema.json`), 'utf8'));
      const validate = new Ajv2020({ strict: false }).compile(schema);
      const result: Record<string, unknown> = JSON.parse(run([...(questions[view.name] ?? []), '--json']).stdout);
      ok(validate(result), JSON.stringify(validate.errors));
      ok(!validate({ ...result, surprise: 1 }));
      ok(!validate({ ...result, complete: 'yes' }));
    });
  }
});
