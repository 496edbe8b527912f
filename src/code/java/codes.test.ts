/** Every problem code of class files has a line in docs/class-files.md, and every line has a code. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../testing/shared-data.js';
import { sourcesBelow } from '../../testing/sources.js';

test('codes of problems are documented', () => {
  const used = [...sourcesBelow('src/code/java').matchAll(/'(class-file-[a-z-]+)'/g)].map((match) => match[1]);
  const page = readFileSync(join(ROOT, 'docs', 'class-files.md'), 'utf8');
  const documented = [...page.matchAll(/^\| `(class-file-[a-z-]+)` \|/gm)].map((match) => match[1]);
  assert.deepEqual(documented.sort(), [...new Set(used)].sort());
});
