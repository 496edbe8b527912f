/** Every object, class and root of real dumps as Eclipse MAT has them. */
import { deepEqual, ok } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { compareWithMat } from './testing/golden.js';

const FIXTURES = join(ROOT, 'src/analysis/heap/testing/fixtures');
/** The dump of the examples is `hs17-graph` of the collection. */
const DUMP = join(ROOT, 'examples/heap/graph.hprof.gz');
const MAT = 'heap-dumps/mat';
/** Names of the figures, and the dumps. */
const DUMPS: Readonly<Record<string, string>> = {
  HeapDumpSample: `${MAT}/HeapDumpSample.hprof.gz`,
  openjdk_jdk11_04_x64: `${MAT}/openjdk_jdk11_04_x64.hprof.gz`,
  oracle_jdk7_21_x64: `${MAT}/oracle_jdk7_21_x64.hprof.gz`,
  sun_jdk5_13_x32: `${MAT}/sun_jdk5_13_x32.hprof.gz`,
  sun_jdk5_64bit: `${MAT}/sun_jdk5_64bit.hprof.gz`,
  sun_jdk6_18_x64: `${MAT}/sun_jdk6_18_x64.hprof.gz`,
  sun_jdk6_30_x64_compressedOops: `${MAT}/sun_jdk6_30_x64_compressedOops.hprof.gz`,
  sun_jdk6_30_x64_nocompressedOops: `${MAT}/sun_jdk6_30_x64_nocompressedOops.hprof.gz`,
  sun_jdk6_32bit: `${MAT}/sun_jdk6_32bit.hprof.gz`,
  'hprof-32': 'heap-dumps/hprof-slurp/hprof-32.bin.gz',
  'hprof-64': 'heap-dumps/hprof-slurp/hprof-64.bin.gz',
  small_heap: 'heap-dumps/heaplib/small_heap.bin.gz',
  'agent-alloc-heap-all-segmented': 'hprof/agent/alloc-heap-all-segmented.hprof.gz',
  'agent-graph-heap-dump': 'hprof/agent/graph-heap-dump.hprof.gz',
  'hs17-alloc-g1-nocoops': 'hprof/hotspot/hs17-alloc-g1-nocoops.hprof.gz',
  'hs25-graph': 'hprof/hotspot/hs25-graph.hprof.gz',
  // Unpacks to 523 MB.
  'java_pid1884.0001': `${MAT}/java_pid1884.0001.hprof.gz`,
};

async function agrees(file: string, golden: string): Promise<void> {
  const { objects, classes, roots, differences } = await compareWithMat(file, golden);
  deepEqual(differences.slice(0, 20), []);
  ok(objects > 1000 && classes > 200 && roots > 200, `${objects} objects, ${classes} classes, ${roots} roots`);
}

describe('as Eclipse MAT has them', () => {
  test('hs17-graph', () => agrees(DUMP, join(FIXTURES, 'hs17-graph')));

  for (const [name, path] of Object.entries(DUMPS))
    test(name, async (t) => {
      const file = sharedData(t, path);
      const golden = sharedData(t, 'heap-dumps/mat-golden');
      if (file !== undefined && golden !== undefined) await agrees(file, join(golden, name));
    });

  test('a figure that is wrong is found', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kansoku-'));
    const copy = (part: string, change: (text: string) => string): void => {
      const text = gunzipSync(readFileSync(join(FIXTURES, `hs17-graph.${part}.tsv.gz`))).toString('utf8');
      writeFileSync(join(folder, `x.${part}.tsv.gz`), gzipSync(change(text)));
    };
    copy('objects', (text) => text.replace('fe000020\t48\t48\tfe000958', 'fe000020\t48\t56\tfe000958'));
    copy('classes', (text) => text.replace('GraphDemo\t1\t16', 'GraphDemo\t2\t16'));
    copy('roots', (text) => text.replace('fe06d7c8\tSystem Class', 'fe06d7c8\tJNI Global'));
    const summary = readFileSync(join(FIXTURES, 'hs17-graph.summary.tsv'), 'utf8');
    writeFileSync(join(folder, 'x.summary.tsv'), summary.replace('usedheap\t', 'usedheap\t1'));
    const { differences } = await compareWithMat(DUMP, join(folder, 'x'));
    rmSync(folder, { recursive: true });
    deepEqual(
      differences.map((line) => line.split(' ', 2).join(' ')),
      ['object fe000020:', 'class GraphDemo:', 'root fe06d7c8:', 'root fe06d7c8:', 'usedheap: 11747952,'],
    );
  });
});
