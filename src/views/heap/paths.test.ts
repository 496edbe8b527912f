/** Paths to roots as a table: each object is indented below the one that refers to it. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../../cli/testing/run-command.js';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';

test('the table is indented by the depth of the tree', async (t) => {
  const file = sharedData(t, 'hprof/hotspot/hs17-graph.hprof.gz');
  if (file === undefined) return;
  const { stdout } = await runCommand(['heap', 'paths', file, '--class', 'GraphDemo\\$Prims', '--width', '0']);
  const [, heads = '', ...tableLines] = stdout.split('\n');
  const column = heads.lastIndexOf('Object');
  // `roots` is an ArrayList that the class refers to; Prims is in its array.
  const names = tableLines.flatMap((line) => /^( *)(\S.*)$/.exec(line.slice(column))?.slice(1) ?? []);
  const lines = names.filter((_, i) => i % 2 === 1);
  const indents = names.filter((_, i) => i % 2 === 0).map(({ length }) => length / 2);
  deepStrictEqual(lines.slice(-4), ['class GraphDemo', 'java.util.ArrayList', 'java.lang.Object[]', 'GraphDemo$Prims']);
  deepStrictEqual(
    indents,
    Array.from({ length: lines.length }, (_, i) => i),
  );
  ok(lines.length > 4);
});

test('each step says by which field or element, as `heap inspect` of the object does', async (t) => {
  const session = await openInputs([join(ROOT, 'examples/heap/graph.hprof.gz')], {
    cache: false,
    announce: () => undefined,
    work: {},
  });
  t.after(() => session.close());
  const { rows } = await ask(session, {
    view: 'heap-paths',
    options: { class: 'java.lang', merge: false },
    page: { limit: 60 },
  });
  let steps = 0;
  for (const { address, parent, held } of rows) {
    const above = rows.find(({ id }) => id === parent);
    if (address === null || above === undefined || above.address === null) continue;
    const inspected = await ask(session, { view: 'heap-inspect', options: { object: address } });
    const referrer = inspected.referrers?.shown.find((each) => each.address === above.address);
    if (referrer?.names === undefined || referrer.names === null) continue;
    const names = [...new Set(referrer.names)];
    const text = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
    equal(held, text, `${above.address} to ${address}`);
    steps++;
  }
  ok(steps > 15, String(steps));
});
