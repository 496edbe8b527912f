/** Which readers the gate damages in full, in a small tree of its own. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { SourceGraph } from '../source-graph.js';
import { changedReaders, damagedReader, recordDamage } from './damage-record.js';

const FILES: Record<string, string> = {
  'src/base/lines.ts': 'export const lines = 1;',
  'src/formats/jfr/read.ts': "import { lines } from '../../base/lines.js';",
  'src/formats/jfr/read.test.ts': '',
  'src/formats/jfr/damage.test.ts': '',
  'src/formats/jfr/testing/fixtures/one.jfr': 'FLR',
  'src/formats/hprof/read.ts': '',
  'src/formats/hprof/damage.test.ts': '',
  'src/formats/hprof/heap/damage.test.ts': '',
  'src/testing/fuzz/mutate.ts': '',
  'src/testing/fuzz/fuzz-worker.ts': '',
  'src/testing/fuzz/fuzz.ts': '',
  'src/testing/fuzz/damage.ts': '',
  'scripts/full-damage.json': '{ "gone": "0123456789abcdef" }',
};
const TESTS = Object.keys(FILES).filter((path) => path.endsWith('damage.test.ts'));
const ALL = ['jfr', 'hprof', 'hprof/heap'];

const folder = mkdtempSync(join(tmpdir(), 'kansoku-record-'));
after(() => rmSync(folder, { recursive: true }));
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
for (const [path, text] of Object.entries(FILES)) put(path, text);
const changed = (): string[] => changedReaders(folder, new SourceGraph(folder), TESTS);

test('readers are known by their damage tests', () => {
  assert.deepEqual(TESTS.map(damagedReader), ALL);
  assert.equal(damagedReader('src/code/java/class-file/damage.test.ts'), 'class-file');
  assert.equal(damagedReader('src/session/inputs/carrier-damage.test.ts'), undefined);
});

test('all are damaged in full until that is recorded; readers that no longer exist leave the record', () => {
  assert.deepEqual(changed(), ALL);
  recordDamage(folder, new SourceGraph(folder), ['jfr']);
  assert.deepEqual(changed(), ['hprof', 'hprof/heap']);
  recordDamage(folder, new SourceGraph(folder), ['hprof', 'hprof/heap']);
  assert.deepEqual(changed(), []);
  const record: Record<string, string> = JSON.parse(readFileSync(join(folder, 'scripts/full-damage.json'), 'utf8'));
  assert.deepEqual(Object.keys(record), ['hprof', 'hprof/heap', 'jfr']);
});

for (const [path, readers] of [
  ['src/formats/jfr/read.ts', ['jfr']],
  ['src/base/lines.ts', ['jfr']],
  ['src/formats/jfr/testing/fixtures/one.jfr', ['jfr']],
  ['src/formats/jfr/read.test.ts', []],
  ['src/formats/hprof/read.ts', ['hprof', 'hprof/heap']],
  ['src/testing/fuzz/mutate.ts', ALL],
] as const)
  test(`a change of ${path} reaches ${readers.join(', ') || 'no reader'}`, () => {
    recordDamage(folder, new SourceGraph(folder), ALL);
    put(path, `${FILES[path]}// changed`);
    assert.deepEqual(changed(), readers);
    put(path, FILES[path] ?? '');
    assert.deepEqual(changed(), []);
  });
