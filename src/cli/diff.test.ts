/** How `diff` is asked: two files, several runs a side, options that go together and those that do not. */
import { deepStrictEqual, equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../testing/shared-data.js';
import { EXIT } from './exit.js';

const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const [BEFORE, AFTER] = ['before', 'after'].map((name) => join('examples', 'pgo', `${name}.iprof`));

function run(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'diff', '--no-cache', ...words], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '' },
  });
  return { status, stdout, stderr };
}

const json = (...words: readonly string[]) => JSON.parse(run(...words, '--json').stdout);
const sides = (result: { runs: { recording: string; side: string }[] }) =>
  result.runs.map(({ recording, side }) => `${side} ${recording}`);

describe('diff', () => {
  it('takes the base first, or named', () => {
    const plain = json(BEFORE, AFTER);
    deepStrictEqual(sides(plain), [`base ${BEFORE}`, `this ${AFTER}`]);
    deepStrictEqual(json('--base', BEFORE, AFTER), plain);
    deepStrictEqual(json(AFTER, '--base', BEFORE), plain);
  });

  it('takes a base for each run, and all files as runs of the other side', () => {
    const result = json('--base', BEFORE, '--base', BEFORE, AFTER, AFTER, AFTER, '--by', 'branch');
    deepStrictEqual(sides(result), [
      `base ${BEFORE}`,
      `base ${BEFORE}`,
      `this ${AFTER}`,
      `this ${AFTER}`,
      `this ${AFTER}`,
    ]);
    deepStrictEqual(
      result.rows.map(({ what, spread }: { what: string; spread: number }) => [what, spread]),
      [
        ['flip', 0],
        ['bias', 0],
      ],
    );
  });

  it('takes a directory as runs of a side', () => {
    deepStrictEqual(sides(json('--base', BEFORE, join('examples', 'pgo'))).length, 3);
  });

  it('asks for two recordings where it got one or three', () => {
    for (const files of [[BEFORE], [BEFORE, AFTER, AFTER]]) {
      const { status, stderr } = run(...files);
      equal(status, EXIT.usage);
      match(stderr, /diff needs two recordings.*\n.*--base BASE1 --base BASE2 FILE1 FILE2/);
    }
  });

  it('says in the table how branches divided, and what a row is', () => {
    const { stdout, stderr } = run(BEFORE, AFTER, '--by', 'branch');
    match(stdout, /flip .*20 90\.91 % {2}53 9\.09 % {2}20 24\.57 % {2}53 75\.43 % {2}Fib\.fibonacci\(\):11/);
    match(stderr, /the state is of the shares/);
  });

  it('noise is a percentage', () => {
    equal(json(BEFORE, AFTER, '--noise', '60').total, 0);
    deepStrictEqual(json(BEFORE, AFTER, '--noise', '7.5').noise, { level: 0.075, deviations: 3 });
    deepStrictEqual(json(BEFORE, AFTER, '--noise', '7.5%').noise?.level, 0.075);
    for (const wrong of ['-1', 'much', '%', '1001', '5%%'])
      equal(run(BEFORE, AFTER, `--noise=${wrong}`).status, EXIT.usage);
  });

  it('shows the same, and with --all also noise', () => {
    const words = [BEFORE, AFTER, '--by', 'function'];
    const [changed, same, all] = [[], ['--same'], ['--all']].map((more) => json(...words, ...more).total);
    deepStrictEqual([changed, same, all], [1, 1, 6]);
  });
});
