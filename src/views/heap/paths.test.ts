/** Paths to roots as a table: each object is indented below the one that refers to it. */
import { deepStrictEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand } from '../../cli/testing/run-command.js';
import { sharedData } from '../../testing/shared-data.js';

test('the table is indented by the depth of the tree', async (t) => {
  const file = sharedData(t, 'hprof/hotspot/hs17-graph.hprof.gz');
  if (file === undefined) return;
  const { stdout } = await runCommand(['heap', 'paths', file, '--class', 'GraphDemo\\$Prims']);
  // `roots` is an ArrayList that the class refers to; Prims is in its array.
  const names = stdout.split('\n').flatMap((line) => /0x[0-9a-f]+( +)(\S.*)$/.exec(line)?.slice(1) ?? []);
  const lines = names.filter((_, i) => i % 2 === 1);
  const indents = names.filter((_, i) => i % 2 === 0).map(({ length }) => (length - 2) / 2);
  deepStrictEqual(lines.slice(-4), ['class GraphDemo', 'java.util.ArrayList', 'java.lang.Object[]', 'GraphDemo$Prims']);
  deepStrictEqual(
    indents,
    Array.from({ length: lines.length }, (_, i) => i),
  );
  ok(lines.length > 4);
});
