import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../testing/shared-data.js';
import { sourcesBelow } from '../../testing/sources.js';

test('docs/formats/thread-dump.md explains every problem the reader can report, and no other', () => {
  const called = /\.(?:lost|note)\(\s*'([a-z]+)'/g;
  const used = [...sourcesBelow('src/formats/thread-dump').matchAll(called)];
  const page = readFileSync(join(ROOT, 'docs/formats/thread-dump.md'), 'utf8');
  const explained = new Set([...page.matchAll(/^\| `thread-dump-([a-z]+)` \|/gm)].map(([, code]) => code));
  assert.deepEqual([...new Set(used.map(([, code]) => code))].sort(), [...explained].sort());
});
