import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../../testing/shared-data.js';
import { sourcesBelow } from '../../testing/sources.js';

test('docs/formats/experiment.md explains every problem the reader can report, and no other', () => {
  const used = [...sourcesBelow('src/formats/experiment').matchAll(/code: '(experiment-[a-z-]+)'/g)];
  const page = readFileSync(join(ROOT, 'docs/formats/experiment.md'), 'utf8');
  const explained = new Set([...page.matchAll(/^\| `(experiment-[a-z-]+)` \|/gm)].map(([, code]) => code));
  assert.deepEqual([...new Set(used.map(([, code]) => code))].sort(), [...explained].sort());
});
