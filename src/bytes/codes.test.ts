/** Every problem that wrappings, encodings and logs can have has its line in docs/inputs.md, and no line is of a problem that cannot be. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../testing/shared-data.js';
import { sourcesBelow } from '../testing/sources.js';

test('codes of problems are documented', () => {
  const pattern = /'((?:gzip|tar|zip|archive|directory|text|log)-[a-z-]+)'/g;
  const used = new Set(
    [...`${sourcesBelow('src/bytes')}${sourcesBelow('src/formats/shared')}`.matchAll(pattern)].map((match) => match[1]),
  );
  const page = readFileSync(join(ROOT, 'docs', 'inputs.md'), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `') && !line.includes('path'));
  const documented = new Set(
    rows.flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([a-z]+-[a-z-]+)`/g)].map((match) => match[1])),
  );
  assert.deepEqual([...documented].sort(), [...used].sort());
});
