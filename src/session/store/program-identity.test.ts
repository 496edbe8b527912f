/** The identity of the program: it changes with every change of the readers and stages, and only then. */
import { equal, match, notEqual } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { programIdentity, runningProgram } from './program-identity.node.js';

test('the identity follows the names and contents of modules', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-program-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const layer of ['base', 'bytes', 'models', 'formats', 'formats/one', 'code', 'analysis', 'views'])
    mkdirSync(join(folder, layer));
  const reader = join(folder, 'formats', 'one', 'read.js');
  writeFileSync(reader, 'read(1)');
  const first = programIdentity(folder);
  equal(programIdentity(folder), first);

  for (const other of ['formats/one/read.test.js', 'formats/one/read.d.ts', 'views/view.js'])
    writeFileSync(join(folder, other), 'other');
  equal(programIdentity(folder), first, 'tests, types and views read nothing');

  writeFileSync(reader, 'read(2)');
  notEqual(programIdentity(folder), first, 'as long as before, another content');
  writeFileSync(reader, 'read(1)');
  equal(programIdentity(folder), first);

  renameSync(reader, join(folder, 'base', 'read.js'));
  notEqual(programIdentity(folder), first, 'another place');
  renameSync(join(folder, 'base', 'read.js'), reader);

  writeFileSync(join(folder, 'analysis', 'derive.js'), 'derive(1)');
  notEqual(programIdentity(folder), first, 'what derives, too');
});

test('the running program has one', () => {
  match(runningProgram(), /^[0-9a-f]{64}$/);
  equal(runningProgram(), runningProgram());
});
