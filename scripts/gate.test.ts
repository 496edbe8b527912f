/** The gate, with an npm that only prints its arguments. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { ROOT } from './testing/programs.js';

const NPM = `#!/bin/sh
echo "$* $KANSOKU_TESTS $KANSOKU_NO_SKIP $KANSOKU_DATA" >>"$LOG"
case $* in
  *--seed*) echo '1 passed, 5 failed'; exit 1 ;;
  *"$BROKEN"*) echo 'Segmentation fault'; exit 139 ;;
  *"$FAILING"*) echo '7 passed, 2 failed'; exit 1 ;;
esac
echo '10 passed, 0 failed'
`;

const folder = mkdtempSync(join(tmpdir(), 'kansoku-gate-'));
after(() => rmSync(folder, { recursive: true }));
for (const path of ['bin', 'clone/.ci']) mkdirSync(join(folder, path), { recursive: true });
writeFileSync(join(folder, 'bin/npm'), NPM, { mode: 0o755 });
cpSync(join(ROOT, '.ci/run'), join(folder, 'clone/.ci/run'));

function gate(variables: Record<string, string>, ...words: string[]) {
  const log = join(folder, 'log');
  writeFileSync(log, '');
  const path = [join(folder, 'bin'), process.env.PATH].join(delimiter);
  const env = { PATH: path, LOG: log, BROKEN: 'none', FAILING: 'none', ...variables };
  const done = spawnSync(join(folder, 'clone/.ci/run'), words, { encoding: 'utf8', env });
  return {
    status: done.status,
    lines: done.stdout.trimEnd().split('\n'),
    asked: readFileSync(log, 'utf8').trimEnd().split('\n'),
  };
}

test('everything runs at full size with nothing skipped; then another seed that does not change the verdict', () => {
  const { status, lines, asked } = gate({});
  assert.equal(status, 0);
  assert.equal(lines.at(-1), '10 passed, 0 failed');
  assert.equal(asked[0], `--silent test -- full 1 ${join(folder, 'shared/data')}`);
  assert.match(asked[1] ?? '', /^--silent test -- --seed \d{1,9} full 1 /);
  assert.equal(asked.length, 2);
  assert.ok(lines.some((line) => line.startsWith('== verdict: 10 passed, 0 failed; ')));
});

test('failures fail', () => {
  const { status, lines } = gate({ FAILING: 'test --', KANSOKU_DATA: '/data' });
  assert.deepEqual([status, lines.at(-1)], [1, '7 passed, 2 failed']);
});

test('a run that crashes is a failure', () => {
  const { status, lines, asked } = gate({ BROKEN: 'test --' });
  assert.deepEqual([status, lines.at(-1), asked.length], [1, '0 passed, 1 failed', 2]);
});

test('a single part tries no other seed', () => {
  const { status, lines, asked } = gate({ KANSOKU_DATA: '/data' }, '2/8');
  assert.deepEqual([status, lines.at(-1)], [0, '10 passed, 0 failed']);
  assert.deepEqual(asked, ['--silent test -- --shard=2/8 full 1 /data']);
});
