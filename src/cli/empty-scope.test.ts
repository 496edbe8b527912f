/** A scope that leaves nothing: every view says so first, with exit code 0; commands that write a file write none, with 2. */
import { equal, match, ok } from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ROOT } from '../testing/shared-data.js';
import { EXIT } from './exit.js';
import { runCommand } from './testing/run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-empty-'));
after(() => rmSync(folder, { recursive: true }));
const example = (name: string): string => join(ROOT, 'examples', name);

const [LOOPS = '', SAMPLES = '', BEFORE = ''] = ['loops/loops.iprof', 'hprof/cpu-samples.txt', 'pgo/before.iprof'].map(
  example,
);
const CODE = ['--classes', example('loops'), '--source-path', example('loops')];
/** Names that nothing has are errors: this keeps nothing of what there is. */
const NOTHING = ['--focus', '.', '--ignore', '.'];
const OUT = join(folder, 'out');

describe('a scope that leaves nothing', () => {
  for (const words of [
    ['functions', SAMPLES],
    ['tree', SAMPLES],
    ['callers', SAMPLES, 'CpuDemo.hot'],
    ['threads', example('deadlock-jstack.txt')],
    ['threads', example('threads/dump-1.txt'), '--group', 'stack'],
    ['sites', example('hprof/alloc-sites.txt')],
    ['source', LOOPS, 'Loops', ...CODE],
    ['disasm', LOOPS, 'Loops.gcd', ...CODE.slice(0, 2)],
    ['flame', SAMPLES, '--json'],
    ['diff', BEFORE, example('pgo/after.iprof')],
    ['pgo', 'hot', LOOPS],
    ['pgo', 'branches', LOOPS],
    ['pgo', 'receivers', LOOPS],
    ['pgo', 'inlining', LOOPS, 'Loops.main'],
    ['pgo', 'coverage', LOOPS],
    ['pgo', 'stale', example('stale/shop.iprof'), '--classes', example('stale/shop-2.jar')],
  ])
    it(`${words.slice(0, 2).join(' ').replace(ROOT, '')}: an empty answer`, async () => {
      const { status, stderr } = await runCommand([...words, ...NOTHING]);
      equal(status, EXIT.done, stderr);
      match(stderr, /^In scope: 0 of [\d,]+ events?; nothing matches\.\n/);
    });

  for (const [words, ending] of [
    [['convert', SAMPLES], '.collapsed'],
    [['flame', SAMPLES, '-o'], '.svg'],
    [['pgo', 'strip', LOOPS, '-o'], '.iprof'],
  ] as const)
    it(`${words[0]}: no file`, async () => {
      const { status, stderr } = await runCommand([...words, OUT + ending, ...NOTHING]);
      equal(status, EXIT.usage);
      match(stderr, /\nNothing was written/);
      ok(!existsSync(OUT + ending));
    });

  it('of the base only: a note names it', async () => {
    const [base = '', now = ''] = ['a', 'b'].map((name) => join(folder, `${name}.collapsed`));
    writeFileSync(base, 'x;y 5\n');
    writeFileSync(now, 'x;y 5\nz 500\n');
    const { stderr } = await runCommand(['diff', base, now, '--focus', 'z']);
    match(stderr, /^In scope: 1 of 2 events; .*\nNothing of \S*a\.collapsed is in scope\.\n/);
  });

  for (const [words, advice] of [
    [['functions', SAMPLES, '--focus', 'CpuDemo.hoot'], 'CpuDemo.hot'],
    [['tree', SAMPLES, '--hide', 'CpuDemo.hoot'], 'CpuDemo.hot'],
    [['threads', example('jfr/shop.jfr.gz'), '--thread', 'mian'], 'main'],
    [['heap', 'histogram', example('heap/graph.hprof.gz'), '--class', 'java.lang.Strnig'], 'java.lang.String'],
  ] as const)
    it(`of a name that nothing has: ${words.join(' ').replace(`${ROOT}/`, '')} is refused with the closest`, async () => {
      const { status, stderr } = await runCommand(words);
      equal(status, EXIT.usage, stderr);
      match(stderr, /has this name, and none matches/);
      ok(stderr.includes(advice), stderr);
    });

  it('of a part of a name that is no pattern: a note says which it is', async () => {
    const shop = example('jfr/shop.jfr.gz');
    const [part, pattern] = [
      await runCommand(['functions', shop, '--focus', 'Shop$']),
      await runCommand(['functions', shop, '--focus', 'Shop']),
    ];
    match(part.stderr, /No name matches Shop\$ as a pattern: it is taken as a part of names\./);
    ok(!pattern.stderr.includes('as a pattern'));
  });

  it('of a name that only the base has: an answer', async () => {
    const [base = '', now = ''] = ['c', 'd'].map((name) => join(folder, `${name}.collapsed`));
    writeFileSync(base, 'x;old 5\n');
    writeFileSync(now, 'x;young 5\n');
    const { status, stderr } = await runCommand(['diff', base, now, '--focus', 'old']);
    equal(status, EXIT.done, stderr);
  });
});
