import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../testing/shared-data.js';

test('docs/formats/hprof-text.md explains every problem the reader can report, and no other', () => {
  const folder = join(ROOT, 'src/formats/hprof-text');
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const used = new Set(
    sources.flatMap((name) => readFileSync(join(folder, name), 'utf8').match(/'hprof-[a-z-]+'/g) ?? []),
  );
  used.delete("'hprof-text'");
  const page = readFileSync(join(ROOT, 'docs/formats/hprof-text.md'), 'utf8');
  const explained = new Set([...page.matchAll(/^\| `(hprof-[a-z-]+)` \|/gm)].map(([, code]) => `'${code}'`));
  assert.deepEqual([...used].sort(), [...explained].sort());
});
