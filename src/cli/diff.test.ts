/** The command line of `diff`: two files, several runs a side, valid and invalid combinations of options. */
import { deepStrictEqual, equal, match } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ROOT } from '../testing/shared-data.js';
import { EXIT } from './exit.js';
import { runCommand } from './testing/run-command.js';

const [BEFORE, AFTER] = ['before', 'after'].map((name) => join('examples', 'pgo', `${name}.iprof`));

const DUMP = join('examples', 'threads', 'dump-1.txt');

const run = (...words: readonly string[]) => runCommand(['diff', '--no-cache', ...words], { cwd: ROOT });

const json = async (...words: readonly string[]) => JSON.parse((await run(...words, '--json')).stdout);
const sides = (result: { runs: { recording: string; side: string }[] }) =>
  result.runs.map(({ recording, side }) => `${side} ${recording}`);

describe('diff', () => {
  it('accepts the base as first file, or as an option', async () => {
    const plain = await json(BEFORE, AFTER);
    deepStrictEqual(sides(plain), [`base ${BEFORE}`, `this ${AFTER}`]);
    deepStrictEqual(await json('--base', BEFORE, AFTER), plain);
    deepStrictEqual(await json(AFTER, '--base', BEFORE), plain);
  });

  it('accepts a base for each run, and all files as runs of the other side', async () => {
    const result = await json('--base', BEFORE, '--base', BEFORE, AFTER, AFTER, AFTER, '--by', 'branch');
    deepStrictEqual(sides(result), [
      `base ${BEFORE}`,
      `base ${BEFORE}`,
      `this ${AFTER}`,
      `this ${AFTER}`,
      `this ${AFTER}`,
    ]);
    deepStrictEqual(
      result.rows.map(({ what: shift, spread }: { what: string; spread: number }) => [shift, spread]),
      [
        ['flip', 0],
        ['bias', 0],
      ],
    );
  });

  it('accepts a directory as runs of a side', async () => {
    deepStrictEqual(sides(await json('--base', BEFORE, join('examples', 'pgo'))).length, 3);
  });

  it('needs exactly two recordings', async () => {
    for (const files of [[BEFORE], [BEFORE, AFTER, AFTER]]) {
      const { status, stderr } = await run(...files);
      equal(status, EXIT.usage);
      match(stderr, /diff needs two recordings.*\n.*--base BASE1 --base BASE2 FILE1 FILE2/);
    }
  });

  it('shows outcomes of branches in the table, and rows of the listing', async () => {
    const { stdout, stderr } = await run(BEFORE, AFTER, '--by', 'branch');
    match(stdout, /flip .*20 90\.91 % {2}53 9\.09 % {2}20 24\.57 % {2}53 75\.43 % {2}Fib\.fibonacci\(\):11/);
    match(stderr, /its state compares shares/);
  });

  it('noise is a percentage', async () => {
    equal((await json(BEFORE, AFTER, '--noise', '60')).total, 0);
    deepStrictEqual((await json(BEFORE, AFTER, '--noise', '7.5')).noise, { level: 0.075, deviations: 3 });
    deepStrictEqual((await json(BEFORE, AFTER, '--noise', '7.5%')).noise?.level, 0.075);
    for (const wrong of ['-1', 'much', '%', '1001', '5%%'])
      equal((await run(BEFORE, AFTER, `--noise=${wrong}`)).status, EXIT.usage);
  });

  it('shows unchanged rows with --same, and with --all also noise', async () => {
    const words = [BEFORE, AFTER, '--by', 'function', '--metric', 'samples'];
    const totals: number[] = [];
    for (const more of [[], ['--same'], ['--all']]) totals.push((await json(...words, ...more)).total);
    deepStrictEqual(totals, [1, 1, 6]);
  });

  describe('of heaps', () => {
    const TREE = 'examples/points-to/object_tree_shop.txt';
    const folder = mkdtempSync(join(tmpdir(), 'kansoku-diff-'));
    after(() => rmSync(folder, { recursive: true }));
    const grown = join(folder, 'object_tree.txt');
    // A root with an object of a class of its own: 11 objects in place of 10.
    const more = '├── root demo.Shop.bonus:demo.Bonus value:\n│   └── demo.Bonus id=10 toString=Bonus@20 (no fields)\n';
    writeFileSync(grown, readFileSync(join(ROOT, TREE), 'utf8').replace('├── root demo.Shop.last', `${more}$&`));

    it('fails on new roots, new classes and growth', async () => {
      for (const [conditions, message] of [
        ['new-root,growth=5%', /failed: new-root: 1 new root\n.*failed: growth: 10\.00 %, more than 5\.00 %/],
        ['new-class', /failed: new-class: 1 new class\n/],
        ['growth=9.9', /failed: growth/],
      ] as const) {
        const { status, stderr } = await run(TREE, grown, '--fail-on', conditions);
        match(stderr, message);
        equal(status, EXIT.no);
      }
    });

    it('passes where no condition holds', async () => {
      for (const words of [
        [TREE, grown, '--fail-on', 'growth=10'],
        [grown, TREE, '--fail-on', 'new-root,growth=0'],
        [TREE, grown, '--fail-on', 'new-root', '--match', 'Locale'],
      ])
        equal((await run(...words)).status, EXIT.done, words.join(' '));
    });

    it('refuses what does not apply', async () => {
      for (const [conditions, message] of [
        ['new-entry', /new-entry is for reports of calls/],
        ['new-root,new-class', /one at a time/],
      ] as const) {
        const { status, stderr } = await run(TREE, grown, '--fail-on', conditions);
        equal(status, EXIT.usage);
        match(stderr, message);
      }
    });
  });

  describe('of reports of calls', () => {
    const [ONE, TWO] = [1, 2].map((version) => join('examples', 'points-to', `call_tree_shop-${version}.txt`));

    it('groups by cause, and says on standard error which condition failed', async () => {
      const { stdout, stderr, status } = await run(ONE, TWO, '--fail-on', 'new-entry,new-package,growth=5%');
      match(stdout, /Methods: 11 -> 17 \(\+54\.55 %\), 7 new, 1 gone/);
      match(stderr, /failed: new-entry: 1 new entry .*\n(?:.*\n)*.*new-package: 1 new package: shop\.tax\n/);
      match(stderr, /failed: growth: 54\.55 %, more than 5\.00 %/);
      equal(status, EXIT.no);
    });

    it('passes where no condition holds', async () => {
      const { stderr, status } = await run(TWO, ONE, '--fail-on', 'new-entry,new-package,growth=0');
      equal(status, EXIT.done);
      equal(stderr.includes('failed'), false);
      equal((await run(ONE, TWO, '--fail-on', 'growth=60')).status, EXIT.done);
    });

    it('refuses what does not apply', async () => {
      for (const [words, message] of [
        [
          [ONE, TWO, '--fail-on', 'x'],
          /x is unknown; expected new-entry, new-package, new-root, new-class or growth=PERCENT/,
        ],
        [[ONE, TWO, '--metric', 'calls'], /without --metric/],
        [[ONE, TWO, '--by', 'branch'], /has no branch counts/],
        [[BEFORE, AFTER, '--by', 'cause'], /--by cause is for reports of calls/],
        [[BEFORE, AFTER, '--fail-on', 'growth=5'], /--fail-on is for reports of calls and for heaps/],
        [[DUMP, DUMP, '--fail-on', 'growth=5'], /threads are not counted/],
        [[ONE, TWO, '--fail-on', 'new-root'], /new-root is for heaps/],
        [['--base', ONE, '--base', ONE, TWO], /compares one recording with one base/],
      ] as const) {
        const { status, stderr } = await run(...words);
        equal(status, EXIT.usage);
        match(stderr, message);
      }
    });
  });
});
