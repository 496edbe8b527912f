/** The rewriter of classes, built with checks of memory and of undefined behaviour, on damaged class files. */
import { equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasProgram, jdkHome } from '../../../scripts/testing/programs.js';
import { amount } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';

const SOURCES = ['rewrite', 'code', 'stack-map', 'class-bytes', 'instructions', 'allocation-code', 'full-frames'];
const CLASSES = join(ROOT, 'src/code/java/fixtures/version-61');

test('a class file with any byte changed, or cut anywhere, is rewritten or left as it is', (t) => {
  if (!hasProgram(t, 'gcc') || !hasProgram(t, 'jdk-17')) return;
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-rewrite-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const include = join(jdkHome('17') ?? '', 'include');
  const program = join(folder, 'damage');
  const sources = SOURCES.map((name) => join(ROOT, `agent/hprof/rewrite/${name}.c`));
  const checks = ['-O1', '-g', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
  const words = [...checks, `-I${include}`, `-I${join(include, 'linux')}`, '-o', program];
  const files = [join(ROOT, 'agent/testing/hprof/damage.c'), ...sources, join(ROOT, 'agent/buffer.c')];
  const built = spawnSync('gcc', ['-std=gnu11', ...words, ...files], { encoding: 'utf8' });
  equal(built.status, 0, built.stderr);
  const names = readdirSync(CLASSES).filter((name) => name.endsWith('.class'));
  const paths = amount(names, names.slice(0, 2)).map((name) => join(CLASSES, name));
  const { status, stdout, stderr } = spawnSync(program, paths, { encoding: 'utf8' });
  equal(status, 0, stderr);
  match(stdout, /^[1-9]\d* of [1-9]\d* rewritten, [1-9]\d* for allocations\n$/);
});
