/** What the generator says of its recordings is what the JDK counts, and what we read. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileSource } from '../../src/bytes/file.node.js';
import { jdkHomes, jdkTool } from '../../src/code/java/testing/jdks.js';
import { readJfr } from '../../src/formats/jfr/read.js';
import { metricColumn } from '../../src/models/profile/profile.js';
import { generate } from './generate.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-generated-'));
after(() => rmSync(folder, { recursive: true }));

test('the facts of a generated recording are those of the JDK and of the reader', async (t) => {
  const file = join(folder, 'two.jfr');
  const facts = generate(file, 4, 2);
  // Each chunk in parts, as large ones are.
  const parts = { from: 0, rows: 1 };
  const { profile, problems, sections } = await readJfr(await fileSource(file), {}, { parts });
  deepEqual(problems.list, []);
  deepEqual(Object.fromEntries(sections.map(({ name, entries }) => [name, entries])), facts.events);
  const sum = (id: string): number => {
    const metric = profile?.metrics.find((each) => each.id === id);
    const table = profile?.events.find(({ kind }) => kind === metric?.table);
    return metric && table ? [...(metricColumn(metric, table) ?? [])].reduce((all, value) => all + value, 0) : NaN;
  };
  deepEqual(['tlab-bytes', 'blocked', 'parked'].map(sum), [facts.tlabBytes, facts.blocked, facts.parked]);
  const home = jdkHomes(t).at(-1);
  if (home === undefined) return;
  const summary = jdkTool(home, 'jfr', ['summary', file]);
  match(summary, new RegExp(`Chunks: ${facts.chunks}\n`));
  for (const [name, count] of Object.entries(facts.events)) match(summary, new RegExp(`^ ${name} +${count} `, 'm'));
  equal(facts.chunks, 2);
});
