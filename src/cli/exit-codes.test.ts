/** The exit code of each way in which a command line can end, and the text on standard error. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';
import { EXIT } from './exit.js';
import { runCommand } from './testing/run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-cli-'));
after(() => rmSync(folder, { recursive: true }));

/** Small, with all sections: commands that are refused need no more. */
const PROFILE_SLICE = join(ROOT, 'src/formats/iprof/testing/fixtures/slice-0.2.0.iprof');
const DAMAGED = join(folder, 'cut.iprof');
const whole = readFileSync(PROFILE_SLICE);
writeFileSync(DAMAGED, whole.subarray(0, whole.length * 0.6));

const [BEFORE, AFTER] = ['before', 'after'].map((name) => join(ROOT, 'examples', 'histogram', `${name}.txt`));
const [SHOP, SHOP_2] = ['shop.iprof', 'shop-2.jar'].map((name) => join(ROOT, 'examples', 'stale', name));
const HEAP = join(ROOT, 'examples', 'heap', 'graph.hprof.gz');
const POLICY = join(folder, 'policy.txt');
writeFileSync(POLICY, '# taxes\n\nshop.tax.**   # all\n! shop.tax.Rate.parent\n');
const SHOP_JAR = join(ROOT, 'examples', 'points-to', 'shop.jar');
const CALL_TREE = join(ROOT, 'examples', 'points-to', 'call_tree_shop-2.txt');

describe('exit codes', () => {
  const cases: readonly [string, readonly string[], number, RegExp][] = [
    ['an answer', ['summary', PROFILE_SLICE], EXIT.done, /^$/],
    ['check of a sound file', ['check', BINARY_TREE], EXIT.done, /no problems found/],
    ['check of a cut file', ['check', DAMAGED], EXIT.no, /^/],
    ['a question to a cut file', ['pgo', 'hot', DAMAGED], EXIT.partial, /Part of the input could not be read/],
    ['no command', [], EXIT.usage, /Usage: kansoku/],
    ['an unknown command', ['sumary', PROFILE_SLICE], EXIT.usage, /Did you mean summary\?/],
    ['an unknown option', ['summary', PROFILE_SLICE, '--jsn'], EXIT.usage, /Did you mean --json\?/],
    ['a wrong number', ['functions', PROFILE_SLICE, '--limit', 'x'], EXIT.usage, /whole number/],
    ['a wrong format', ['functions', PROFILE_SLICE, '--format', 'xml'], EXIT.usage, /Allowed choices/],
    [
      'formats that exclude each other',
      ['functions', PROFILE_SLICE, '--json', '--format', 'csv'],
      EXIT.usage,
      /exclude each other/,
    ],
    [
      'samples of a heap dump',
      ['functions', HEAP],
      EXIT.usage,
      /has no events with stacks\nAsk for its objects: `heap hist/,
    ],
    ['monitors of a histogram', ['monitors', BEFORE], EXIT.usage, /has no monitors\nThread dumps, .* have them/],
    [
      'contention of an experiment without waits',
      ['monitors', '--contention', join(ROOT, 'src/formats/experiment/fixtures/cpu-samples.er.tar.gz')],
      EXIT.usage,
      /no times of contention\nIt has no waits: `gprofng collect app -s on` records them/,
    ],
    ['a column that is not there', ['functions', PROFILE_SLICE, '--sort', 'x'], EXIT.usage, /Columns to sort by: self/],
    [
      'a metric that is not there',
      ['functions', PROFILE_SLICE, '--metric', 'x'],
      EXIT.usage,
      /Its metrics: calls, branches, receivers/,
    ],
    [
      'a scope that cannot apply',
      ['functions', PROFILE_SLICE, '--thread', 'main'],
      EXIT.usage,
      /no threads to select by/,
    ],
    [
      'inclusive values of counts that belong to places',
      ['functions', PROFILE_SLICE, '--sort', 'total'],
      EXIT.usage,
      /cannot sort by total/,
    ],
    [
      'a scope of reported calls',
      ['tree', CALL_TREE, '--focus', 'shop'],
      EXIT.usage,
      /no samples, threads or times to select by\n.*tree --from/,
    ],
    [
      'values along stacks of reported calls',
      ['tree', CALL_TREE, '--inverted', '--error'],
      EXIT.usage,
      /--inverted and --error: reports of calls have no values along stacks/,
    ],
    ['a policy that is kept', ['calls', 'check', CALL_TREE, '--forbid', 'java.awt.**'], EXIT.done, /match.* no method/],
    ['a policy that is broken', ['calls', 'check', CALL_TREE, '--forbid', 'shop.tax.Rate'], EXIT.no, /^$/],
    [
      'a policy file that is broken',
      ['calls', 'check', CALL_TREE, '--policy', POLICY],
      EXIT.no,
      /allowed by an exception/,
    ],
    [
      'a policy file that is missing',
      ['calls', 'check', CALL_TREE, '--policy', 'none'],
      EXIT.unreadable,
      /none: no such file/,
    ],
    [
      'a policy that forbids nothing',
      ['calls', 'check', CALL_TREE],
      EXIT.usage,
      /no method is forbidden\n.*--forbid METHODS/,
    ],
    [
      'a policy with an excluding filter',
      ['calls', 'check', CALL_TREE, '--forbid', '~shop.*'],
      EXIT.usage,
      /exceptions in place of excluding filters\n.*--allow METHODS/,
    ],
    [
      'methods to keep without an amount',
      ['calls', 'cut', CALL_TREE, '--keep', 'shop'],
      EXIT.usage,
      /smallest cut\n.*--bytes 20MB/,
    ],
    [
      'an amount of nothing',
      ['calls', 'cut', CALL_TREE, '--bytes', '0', '--classes', SHOP_JAR],
      EXIT.usage,
      /no amount of code/,
    ],
    [
      'an amount without sizes',
      ['calls', 'cut', CALL_TREE, '--bytes', '5'],
      EXIT.usage,
      /sizes of methods are unknown/,
    ],
    ['an amount and a cut', ['calls', 'cut', CALL_TREE, 'shop', '--bytes', '5'], EXIT.usage, /none can be named/],
    ['samples of reported calls', ['functions', CALL_TREE], EXIT.usage, /no samples.*it is call-tree\n`calls`/],
    ['a tree from methods of stacks', ['tree', PROFILE_SLICE, '--from', 'x'], EXIT.usage, /Select stacks with --focus/],
    ['events in the part that was lost', ['pgo', 'branches', DAMAGED], EXIT.partial, /in the part that could be read/],
    ['an output that is the input', ['convert', DAMAGED, DAMAGED], EXIT.usage, /is also the input/],
    [
      'a list with a word that is none',
      ['pgo', 'hot', PROFILE_SLICE, '--origin', 'own,x'],
      EXIT.usage,
      /x is unknown; expected one of own, jdk/,
    ],
    ['a question about stacks to a histogram', ['functions', BEFORE], EXIT.usage, /Use `heap histogram`/],
    ['bytecode without classes', ['disasm', PROFILE_SLICE, 'java.util.HashMap.put'], EXIT.usage, /--classes PATH/],
    [
      'a class path that is not there',
      ['pgo', 'branches', PROFILE_SLICE, '--classes', join(folder, 'x')],
      EXIT.unreadable,
      /x/,
    ],
    ['a dump that is not there', ['heap', 'histogram', BEFORE, '--dump', '2'], EXIT.usage, /It has 1 dump/],
    ['a dump of no base', ['heap', 'histogram', BEFORE, '--base-dump', '2'], EXIT.usage, /needs --base/],
    ['nothing in common', ['diff', BEFORE, PROFILE_SLICE], EXIT.usage, /no metric in common/],
    ['a base that is several', ['functions', AFTER, '--base', join(ROOT, 'examples')], EXIT.usage, /--base takes one/],
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
      /Judged: 0.00 % of executions[\s\S]*No entry of the profile can be compared/,
    ],
    [
      'the same as a gate',
      ['pgo', 'stale', SHOP, '--classes', join(ROOT, 'examples', 'loops'), '--fail-above', '0'],
      EXIT.usage,
      /no entry of the profile can be compared with these classes: these are classes of another program/,
    ],
    ['a profile less stale', ['pgo', 'stale', SHOP, '--classes', SHOP_2, '--fail-above', '40%'], EXIT.done, /Fits/],
    ['staleness without classes', ['pgo', 'stale', SHOP], EXIT.usage, /--classes/],
    [
      'a repair with one class path',
      ['pgo', 'stale', SHOP, '--classes', SHOP_2, '--repair', join(folder, 'no.iprof')],
      EXIT.usage,
      /needs two class paths/,
    ],
    [
      'a repair of a part',
      ['pgo', 'stale', SHOP, '--classes', SHOP_2, '--focus', 'x', '--repair', join(folder, 'no.iprof')],
      EXIT.usage,
      /part of a profile/,
    ],
    ['a missing file', ['summary', join(folder, 'nothing')], EXIT.unreadable, /no such file/],
    ['a file of no kind', ['summary', join(ROOT, 'package.json')], EXIT.unreadable, /unknown kind of file/],
  ];
  for (const [subject, words, status, stderr] of cases) {
    it(`${status} for ${subject}`, async () => {
      const result = await runCommand(words);
      equal(result.status, status, result.stderr);
      match(result.stderr, stderr);
      if (status === EXIT.usage || status === EXIT.unreadable) equal(result.stdout, '');
    });
  }

  it(`${EXIT.interrupted} for an interrupted command, with a message`, async () => {
    const result = await runCommand(['summary', PROFILE_SLICE], { signal: AbortSignal.abort() });
    deepStrictEqual(result, { status: EXIT.interrupted, stdout: '', stderr: 'kansoku: interrupted\n' });
  });

  it('a summary begins with the damage, and ends with the problems of a sound file', async () => {
    const lines = (text: string): string[] => text.trimEnd().split('\n');
    const damaged = lines((await runCommand(['summary', DAMAGED])).stdout);
    deepStrictEqual(damaged.slice(1, 2), ['Part of the input could not be read; the numbers cover the rest.']);
    match(damaged[2] ?? '', /^Problems: \d+ errors?, /);
    equal(damaged.filter((line) => /problems/i.test(line)).length, 1);
    const sound = lines((await runCommand(['summary', BINARY_TREE])).stdout);
    deepStrictEqual([sound[1], sound.at(-1)], ['', 'No problems found.']);
  });

  it('the data of a damaged file is on standard output', async () => {
    ok(JSON.parse((await runCommand(['pgo', 'hot', DAMAGED, '--json'])).stdout).rows.length > 0);
  });
});
