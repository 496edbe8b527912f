/** Texts of objects in a tree, against what JVMCI's `JavaKind.format` printed of the same objects in the JVM that was dumped. */
import { deepEqual, ok } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { jdkHomes, jdkTool } from '../../../code/java/testing/jdks.js';
import { openInputs } from '../../../session/open.node.js';
import { ROOT } from '../../../testing/shared-data.js';
import { convertRecording } from '../../../transform/convert.node.js';

const PROGRAM = join(ROOT, 'src/analysis/heap/recorded/testing/Shown.java.txt');
const EXPORTS = [
  '--add-modules=jdk.internal.vm.ci',
  '--add-exports=jdk.internal.vm.ci/jdk.vm.ci.meta=ALL-UNNAMED',
] as const;
const folder = mkdtempSync(join(tmpdir(), 'kansoku-'));
after(() => rmSync(folder, { recursive: true }));

/** Identity hash codes and addresses, which differ. */
function withoutIds(text: string): string {
  return text.replace(/@(?:0x[0-9a-f]+|\d+)/g, '@…');
}

/** By static field: the text of the value below its root; strings and constants that were roots before have theirs in the line itself. */
function textsIn(tree: string): Map<string, string> {
  const lines = tree.split('\n');
  return new Map(
    lines.flatMap((line, i): [string, string][] => {
      const [, field, own] = / root app:Shown\.(\w+):\S+ (?:value:|id-ref=\d+ toString=(.*))$/.exec(line) ?? [];
      const lineBelow = / toString=(.*) \(expansion suppressed\)$/.exec(lines[i + 1] ?? '')?.[1];
      const text = own ?? lineBelow;
      return field === undefined || text === undefined ? [] : [[field, withoutIds(text.replace(/^\w+:/, ''))]];
    }),
  );
}

test('texts are those of JVMCI', async (t) => {
  const [home] = jdkHomes(t);
  if (home === undefined) return;
  const classes = join(folder, 'classes');
  mkdirSync(classes);
  const source = join(folder, 'Shown.java');
  writeFileSync(source, readFileSync(PROGRAM));
  jdkTool(home, 'javac', [...EXPORTS, '-d', classes, source]);
  const dump = join(folder, 'shown.hprof');
  const output = jdkTool(home, 'java', ['-Xmx32m', '-Xlog:disable', ...EXPORTS, '-cp', classes, 'Shown', dump]);
  const expectedTexts = new Map(
    output
      .trimEnd()
      .split('\n')
      .map((line): [string, string] => {
        const [field = '', text = ''] = line.split('\t');
        return [field, withoutIds(text)];
      }),
  );
  ok(expectedTexts.size > 20);
  const session = await openInputs([dump], { cache: false, announce: () => undefined, work: {} });
  const [recording] = session.sources;
  const path = join(folder, 'tree.txt');
  if (recording?.heaps === undefined) throw new Error('no heap');
  await convertRecording(recording.current().recording, path, {
    format: 'object-tree',
    heaps: recording.heaps,
    expansion: { suppressTypes: '*', suppressRoots: 'java.*,jdk.*,sun.*,javax.*,com.*,null:*,platform:*' },
  });
  await session.close();
  deepEqual(textsIn(readFileSync(path, 'utf8')), new Map([...expectedTexts].sort(([a], [b]) => (a < b ? -1 : 1))));
});
