import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../testing/shared-data.js';
import { sourcesBelow } from '../../testing/sources.js';

test('docs/formats/hprof-text.md explains every problem the reader can report, and no other', () => {
  const sources = sourcesBelow('src/formats/hprof-text') + sourcesBelow('src/formats/shared/hprof');
  const used = new Set(sources.match(/'hprof-[a-z-]+'/g));
  used.delete("'hprof-text'");
  const page = readFileSync(join(ROOT, 'docs/formats/hprof-text.md'), 'utf8');
  const explained = new Set([...page.matchAll(/^\| `(hprof-[a-z-]+)` \|/gm)].map(([, code]) => `'${code}'`));
  assert.deepEqual([...used].sort(), [...explained].sort());
});
