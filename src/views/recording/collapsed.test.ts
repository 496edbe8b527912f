/** Collapsed stacks through every layer: the views' sums are those of the lines. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import { ask, openSession } from '../../session/session.js';
import { ROOT } from '../../testing/shared-data.js';

const FIXTURES = join(ROOT, 'src/formats/collapsed/fixtures');

for (const name of ['own-depot.collapsed', 'ap44-threads.collapsed', 'pyspy-tracer.collapsed']) {
  test(`${name}: self values add up to the sum of the counts, computed by a loop over the lines`, async () => {
    const bytes = readFileSync(join(FIXTURES, name));
    const counts = bytes
      .toString('latin1')
      .trim()
      .split('\n')
      .map((line) => Number(line.split(' ').at(-1)));
    const session = await openSession([memorySource(name, bytes)]);
    const functions = await ask(session, { view: 'functions', page: { limit: 0 } });
    const sum = counts.reduce((all, count) => all + count, 0);
    assert.equal(functions.metric.sum, sum);
    assert.equal(
      functions.rows.reduce((all, { self }) => all + (self ?? 0), 0),
      sum,
    );
    const tree = await ask(session, { view: 'tree', page: { limit: 0 } });
    const roots = tree.rows.filter(({ depth }) => depth === 0);
    assert.equal(
      roots.reduce((all, { total }) => all + (total ?? 0), 0),
      sum,
    );
  });
}
