/** A program that imports the package's library: its types, and the module that they describe. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import ts from 'typescript';
import { ROOT } from '../testing/programs.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-types-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs a Node program and returns what it prints. */
function node(...words: string[]): string {
  const done = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout;
}

const installed = join(folder, 'node_modules/kansoku');
mkdirSync(join(installed, 'dist'), { recursive: true });
copyFileSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
node(join(ROOT, 'dist/scripts/package/pack.js'), join(installed, 'dist'));
symlinkSync(join(ROOT, 'dist/bundle'), join(installed, 'dist/bundle'));
symlinkSync(join(ROOT, 'node_modules/zod'), join(folder, 'node_modules/zod'));

const PROGRAM = `import { ask, openInputs, type ResultOf } from 'kansoku';
declare const process: { stdout: { write(text: string): void } };
const names = ['${join(ROOT, 'examples/krisfoster-binary-tree.iprof')}'];
const session = await openInputs(names, { cache: false, announce: () => {}, work: {} });
const hot: ResultOf<'pgo-hot'> = await ask(session, { view: 'pgo-hot', page: { limit: 1 } });
const method: string | undefined = hot.rows[0]?.method;
process.stdout.write(method ?? '');
hot.rows[0]?.nonsense;
await session.close();
`;

test('a program is checked against the types of the library, and runs', () => {
  const path = join(folder, 'hot.mts');
  writeFileSync(path, PROGRAM);
  const program = ts.createProgram([path], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    skipLibCheck: true,
    // The types of browsers and of Node take most of the time, and the library's do not need them.
    lib: ['lib.es2023.d.ts'],
    types: [],
  });
  const found = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
  assert.equal(found.length, 1, found.join('\n'));
  assert.match(found[0] ?? '', /^Property 'nonsense' does not exist/);
  program.emit();
  assert.equal(node(join(folder, 'hot.mjs')), 'bench.shootouts.BinaryTrees$TreeNode.itemCheck()');
});
