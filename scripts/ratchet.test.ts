/** The ratchet on small trees of its own, with escapes counted by hand. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { findEscapes } from './escapes.js';
import { ROOT } from './testing/programs.js';

const NONE = {
  any: 0,
  as: 0,
  nonNull: 0,
  silenced: 0,
  unseeded: 0,
  longFiles: 0,
  longFunctions: 0,
  crowdedFolders: 0,
  vagueNames: 0,
  repeatedTypes: 0,
};

/** Directives are put together here, so that this file does not contain any. */
const BIOME = '// biome-' + 'ignore lint: why';
const TYPES = '/* @' + 'ts-expect-error: why */';

const CLEAN = [
  '// Words that are none: any, x as y, biome-ignore, @ts-ignore.',
  "import { a as b } from './b.js';",
  "const words = ['any', 'as', '// @ts-ignore'] as const;",
  'const not = !b && !words;',
  'const RUNS = runs(5);',
  'fc.assert(p, RUNS);',
  'fc.assert(p, runs(5));',
  'export { not };',
].join('\n');

const QUICK = { processes: 0, mutations: 0, runs: 0 };

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function tree(files: Record<string, string>, limits: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-ratchet-'));
  folders.push(folder);
  const all: Record<string, string> = { ...files, 'scripts/ratchet.json': JSON.stringify({ ...limits, quick: QUICK }) };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function ratchet(folder: string, ...args: string[]): { status: number | null; output: string } {
  const done = spawnSync(process.execPath, [join(ROOT, 'dist/scripts/ratchet.js'), ...args, folder], {
    encoding: 'utf8',
  });
  return { status: done.status, output: done.stdout + done.stderr };
}

function counts(folder: string): Record<string, number> {
  return Object.fromEntries(Object.entries(findEscapes(folder)).map(([kind, places]) => [kind, places.length]));
}

function longFunction(lines: number): string {
  return `export function f() {\n${'  f();\n\n'.repeat(lines - 2)}}\n`;
}

test('vague names of values are counted wherever they are bound', () => {
  const text = [
    'const known = 1, { what, at: from, ...own } = f();',
    'function g(of: number, { found: name }: X, [shown] = []) { return (given) => known + given; }',
    'class A { constructor(private readonly asked: string) {} m(knownEntry: { known: 1 }) {} }',
  ].join('\n');
  const folder = tree({ 'src/a.ts': text }, NONE);
  assert.equal(counts(folder).vagueNames, 8);
});

test('a type is counted where several files of the product export its name', () => {
  const folder = tree(
    {
      'src/a.ts': 'export interface Part {}\nexport type Only = 1;',
      'src/b.ts': 'export type Part = 2;\ntype Only = 2;',
      'src/testing/c.ts': 'export interface Part {}',
      'src/d.test.ts': 'export interface Only {}',
      'web/e.ts': 'export interface Part {}',
    },
    NONE,
  );
  assert.equal(counts(folder).repeatedTypes, 1);
  assert.match(ratchet(folder).output, /src\/a\.ts:1 src\/b\.ts:1 web\/e\.ts:1/);
});

test('code without escapes is not counted', () => {
  const files = { 'src/a.ts': CLEAN, 'src/f.ts': longFunction(60), 'src/f.test.ts': longFunction(61) };
  const folder = tree({ ...files, 'src/fixtures/a.ts': 'x as any' }, NONE);
  assert.deepEqual(counts(folder), NONE);
  assert.deepEqual(ratchet(folder), { status: 0, output: '' });
});

for (const [kind, place, source] of [
  ['any', 'src/a.ts:2', '\nexport const x: any = 1;'],
  ['as', 'src/a.ts:1', 'export const x = (1 as unknown);'],
  ['as', 'src/a.ts:1', 'export const x = <unknown>1;'],
  ['nonNull', 'src/a.ts:1', 'export const x = [1][0]!;'],
  ['nonNull', 'src/a.ts:2', 'export class A {\n  x!: number;\n}'],
  ['silenced', 'src/a.ts:2', `export const x = 1;\n${BIOME}`],
  ['silenced', 'src/a.ts:1', `export const x = ${TYPES} 1;`],
  ['unseeded', 'src/a.ts:1', 'fc.assert(fc.property(a, b));'],
  ['unseeded', 'src/a.ts:1', 'await fc.check(p, { numRuns: 5 });'],
  ['unseeded', 'src/a.ts:1', 'const RUNS = { numRuns: 5 }; fc.assert(p, RUNS);'],
  ['longFiles', 'src/a.ts', '// line\n'.repeat(401)],
  ['longFunctions', 'src/a.ts:1', longFunction(61)],
] as const) {
  test(`${kind} is found: ${source.trim().slice(0, 40)}`, () => {
    const folder = tree({ 'src/a.ts': source }, NONE);
    assert.deepEqual(findEscapes(folder)[kind], [place]);
    assert.deepEqual(counts(folder), { ...NONE, [kind]: 1 });
  });
}

test('crowdedFolders is found: 26 files, counting tests but not subfolders', () => {
  const files = (count: number, folder: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/${i % 2 === 0 ? i : `${i}.test`}.ts`, '']));
  const folder = tree({ ...files(26, 'src/full'), ...files(25, 'src/well'), ...files(3, 'src/well/inner') }, NONE);
  assert.deepEqual(findEscapes(folder).crowdedFolders, ['src/full']);
});

test('a count above its limit fails, with all places', () => {
  const folder = tree({ 'src/a.ts': 'export const x: any = 1;\nexport const y: any = 2;' }, { ...NONE, any: 1 });
  const { status, output } = ratchet(folder);
  assert.equal(status, 1);
  assert.equal(output, '`any`: 2, at most 1 allowed (scripts/ratchet.json)\n  src/a.ts:1\n  src/a.ts:2\n');
});

test('a lower count must be recorded, which --update does', () => {
  const folder = tree({ 'src/a.ts': 'export const x: any = 1;' }, { ...NONE, any: 3, as: 1 });
  const asked = ratchet(folder);
  assert.equal(asked.status, 0);
  assert.match(asked.output, /any 3 → 1, as 1 → 0.*--update/);
  assert.deepEqual(ratchet(folder, '--update'), { status: 0, output: '' });
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'scripts/ratchet.json'), 'utf8')), {
    ...NONE,
    any: 1,
    quick: QUICK,
  });
});

test('--update never raises a count', () => {
  const folder = tree({ 'src/a.ts': 'export const x: any = 1;' }, { ...NONE, as: 1 });
  assert.equal(ratchet(folder, '--update').status, 1);
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'scripts/ratchet.json'), 'utf8')), {
    ...NONE,
    as: 1,
    quick: QUICK,
  });
});
