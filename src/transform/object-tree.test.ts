/** Heap dumps as object trees, against the objects that Eclipse MAT found in the same dump, and the source of the program. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { commandLineText } from '../cli/render/spelling.js';
import type { Expansion } from '../formats/capabilities/writer.js';
import { openInputs } from '../session/open.node.js';
import { ROOT } from '../testing/shared-data.js';
import { convertRecording } from './convert.node.js';

const DUMP = join(ROOT, 'examples/heap/graph.hprof.gz');
const GOLDEN = join(ROOT, 'src/analysis/heap/testing/fixtures/hs17-graph.objects.tsv.gz');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-'));
after(() => rmSync(folder, { recursive: true }));

async function treeOf(expansion?: Expansion): Promise<{ lines: string[]; dropped: readonly string[] }> {
  const session = await openInputs([DUMP], { cache: false, announce: () => undefined, work: {} });
  const heaps = session.sources[0]?.heaps;
  ok(session.recordings[0] !== undefined && heaps !== undefined);
  const path = join(folder, 'tree.txt');
  const { dropped } = await convertRecording(session.recordings[0], path, {
    format: 'object-tree',
    heaps,
    ...(expansion && { expansion }),
  });
  await session.close();
  return { lines: readFileSync(path, 'utf8').split('\n'), dropped: dropped.map(commandLineText) };
}

describe('a heap dump as an object tree', () => {
  test('has objects of the classes that Eclipse MAT names', async () => {
    const rows = gunzipSync(readFileSync(GOLDEN))
      .toString('utf8')
      .split('\n')
      .map((line) => line.split('\t'));
    const classes = new Map(rows.map(([address, , , , name]) => [address, name?.replaceAll('+0x', '/0x')]));
    const { lines, dropped } = await treeOf({ expandTypes: '*' });
    const wrong: string[] = [];
    let checked = 0;
    for (const line of lines) {
      const [, type, address] = / ?([^ ]+) id=\d+ toString=\w+:[^ "{]+@0x([0-9a-f]+) \(?\w/.exec(line) ?? [];
      if (type === undefined || address === undefined) continue;
      if (classes.get(address) === type) checked++;
      else wrong.push(line);
    }
    deepEqual(wrong, []);
    ok(checked > 4000, `${checked} objects`);
    const written = lines.filter((line) => / id=\d+ toString=/.test(line)).length;
    const left = Number(/^([\d,]+) objects that no root/.exec(dropped.at(-1) ?? '')?.[1]?.replaceAll(',', ''));
    // A heading and an empty line; the dump also has objects that are not reachable.
    ok(written + left >= rows.length - 2, `${written} and ${left} of ${rows.length}`);
  });

  test('has the static fields of the program', async () => {
    const { lines } = await treeOf({ suppressRoots: 'java.*,jdk.*,sun.*' });
    const red = lines.findIndex(
      (line) => line.includes('id-ref=') && line.includes('GraphDemo$Colour.RED:GraphDemo$Colour'),
    );
    ok(red > 0);
    equal(lines[red]?.endsWith('toString=app:GraphDemo.Colour:RED'), true);
    ok(lines.some((line) => line.endsWith('name:java.lang.String toString=null:"RED" (expansion suppressed)')));
  });

  test('leaves out what is suppressed', async () => {
    const { lines } = await treeOf({ suppressTypes: 'GraphDemo$Colour', suppressRoots: 'java.*,jdk.*,sun.*' });
    equal(
      lines.some((line) => line.includes('GraphDemo$Colour id=')),
      false,
    );
    ok(lines.some((line) => /^ *[│ ]*└── GraphDemo\$Colour\[\] toString=app:.* \(expansion suppressed\)$/.test(line)));
    ok(
      lines.some((line) =>
        line.endsWith('└── GraphDemo$Colour toString=app:GraphDemo.Colour:RED (expansion suppressed)'),
      ),
    );
    for (const line of lines)
      if (/^\S+ root null:java\./.test(line)) ok(line.endsWith(' (expansion suppressed)'), line);
  });

  test('patterns are refused for formats without objects', async () => {
    const session = await openInputs([join(ROOT, 'examples/krisfoster-binary-tree.iprof')], {
      cache: false,
      announce: () => undefined,
      work: {},
    });
    ok(session.recordings[0] !== undefined);
    const written = convertRecording(session.recordings[0], join(folder, 'x.collapsed'), {
      expansion: { expandTypes: '*' },
    });
    await rejects(written, /it has no objects/);
    await session.close();
  });
});
