import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { UnreadableError, UsageError } from '../../base/errors.js';
import { commandLineText } from '../../cli/render/spelling.js';
import type { SourcePlace } from '../../models/program/code.js';
import { temporaryFolder } from '../../testing/byte-sources.js';
import { jdkHomes } from '../java/testing/jdks.js';
import { type MemberContent, makeZip } from '../java/testing/made-zip.js';
import { openSourcePath, type SourcePath } from './source-path.node.js';
import { decodeSource, linesOf, packageOf } from './source-text.js';

async function write(folder: string, files: Readonly<Record<string, MemberContent>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function foundAt(path: SourcePath, place: SourcePlace): Promise<string | undefined> {
  return (await path.find(place))?.lines.join('|');
}

test('directories of sources and of projects, the first entry first', async (t) => {
  const folder = await temporaryFolder(t);
  await write(folder, {
    'plain/p/A.java': 'plain a',
    'plain/Main.java': 'main',
    'project/src/main/java/p/A.java': 'project a',
    'project/src/main/kotlin/p/B.kt': 'b\r\nsecond\n\nlast',
    'project/src/java.base/share/classes/java/lang/Object.java': 'object',
    'modules/my.app/p/A.java': 'module a',
    'modules/p/A.java': 'no module a',
  });
  const path = await openSourcePath(['plain', 'project', 'modules'].map((name) => join(folder, name)));
  assert.equal(await foundAt(path, { folder: 'p', file: 'A.java' }), 'plain a');
  assert.equal(await foundAt(path, { folder: '', file: 'Main.java' }), 'main');
  assert.equal(await foundAt(path, { folder: 'p', file: 'B.kt' }), 'b|second||last');
  assert.equal(await foundAt(path, { module: 'java.base', folder: 'java/lang', file: 'Object.java' }), 'object');
  assert.equal((await path.find({ folder: 'p', file: 'B.kt' }))?.name, join(folder, 'project/src/main/kotlin/p/B.kt'));
  assert.equal(await path.find({ folder: 'q', file: 'A.java' }), undefined);
  const modules = await openSourcePath([`${join(folder, 'modules')}:${join(folder, 'plain')}`]);
  assert.equal(await foundAt(modules, { module: 'my.app', folder: 'p', file: 'A.java' }), 'module a');
  assert.equal(await foundAt(modules, { folder: 'p', file: 'A.java' }), 'no module a');
  assert.deepEqual([path.problems, modules.problems], [[], []]);
});

test('archives: plain, with modules first, and deeper if the file declares the package', async (t) => {
  const folder = await temporaryFolder(t);
  const archive = join(folder, 'x-sources.jar');
  makeZip(archive, {
    'java.base/p/A.java': 'package p; // of a module',
    'p/A.java': 'package p; // of none',
    'repo-1.0/core/src/p/q/Deep.java': '/* package wrong; */\n@X\npackage p.q;\nclass Deep {}',
    'other/util/U.java': 'package other.util;',
    'x/y/K.kt': 'package y\nclass K',
  });
  const path = await openSourcePath([archive]);
  assert.equal(await foundAt(path, { module: 'java.base', folder: 'p', file: 'A.java' }), 'package p; // of a module');
  assert.equal(await foundAt(path, { module: 'elsewhere', folder: 'p', file: 'A.java' }), 'package p; // of none');
  assert.equal(await foundAt(path, { folder: 'p', file: 'A.java' }), 'package p; // of none');
  const deep = await path.find({ folder: 'p/q', file: 'Deep.java' });
  assert.deepEqual([deep?.name, deep?.lines.length], [`${archive}!/repo-1.0/core/src/p/q/Deep.java`, 4]);
  assert.equal(await foundAt(path, { folder: 'y', file: 'K.kt' }), 'package y|class K');
  // Its folders end so, but it is in another package.
  assert.equal(await path.find({ folder: 'util', file: 'U.java' }), undefined);
  assert.equal(await foundAt(path, { folder: 'other/util', file: 'U.java' }), 'package other.util;');
  await path.close();
});

test('names in class files cannot lead outside of the path', async (t) => {
  const folder = await temporaryFolder(t);
  await write(folder, { 'secret.txt': 'secret', 'src/p/A.java': 'a', 'src/p/deeper/x.java': 'x' });
  const path = await openSourcePath([join(folder, 'src')]);
  const places: readonly SourcePlace[] = [
    { folder: '', file: '../secret.txt' },
    { folder: '..', file: 'secret.txt' },
    { folder: 'p/../..', file: 'secret.txt' },
    { folder: 'p', file: '../../secret.txt' },
    { folder: folder, file: 'secret.txt' },
    { module: '..', folder: '', file: 'secret.txt' },
    { module: '../src', folder: 'p', file: 'A.java' },
    { folder: 'p', file: 'deeper/x.java' },
    { folder: 'p', file: 'deeper\\x.java' },
    { folder: 'p', file: 'A.java\0' },
    { folder: 'p', file: '' },
    { folder: 'p', file: 'deeper' },
    { folder: 'p//', file: 'A.java' },
  ];
  for (const place of places) assert.equal(await path.find(place), undefined, JSON.stringify(place));
  assert.equal(await foundAt(path, { folder: 'p', file: 'A.java' }), 'a');
});

test('bytes that are not UTF-8 are reported with their offset; too large and damaged files are reported', async (t) => {
  const folder = await temporaryFolder(t);
  await write(folder, { 'p/Latin.java': Buffer.from('// gr\xfc\xdfe\nclass Latin {}', 'latin1'), 'p/Large.java': '' });
  await truncate(join(folder, 'p/Large.java'), (16 << 20) + 1);
  const path = await openSourcePath([folder]);
  assert.equal(await foundAt(path, { folder: 'p', file: 'Latin.java' }), '// gr\ufffd\ufffde|class Latin {}');
  assert.equal(await path.find({ folder: 'p', file: 'Large.java' }), undefined);
  assert.deepEqual(
    path.problems.map(({ code, offset }) => [code, offset]),
    [
      ['source-encoding', 5],
      ['source-unreadable', undefined],
    ],
  );
  // A second request neither reads nor reports it again.
  await path.find({ folder: 'p', file: 'Latin.java' });
  assert.equal(path.problems.length, 2);
});

test('entries that cannot be read', async (t) => {
  const folder = await temporaryFolder(t);
  await write(folder, { 'jdk/lib/modules': 'an image', 'd/A.java': 'a', 'x.jar': 'none' });
  await assert.rejects(openSourcePath([join(folder, 'nowhere')]), UnreadableError);
  await assert.rejects(
    openSourcePath([join(folder, 'jdk')]),
    (error) =>
      error instanceof UnreadableError &&
      /src\.zip/.test(error.message) &&
      /source/.test(commandLineText(error.advice ?? '')),
  );
  await assert.rejects(openSourcePath(['']), UsageError);
  await assert.rejects(openSourcePath([]), UsageError);
  const path = await openSourcePath([join(folder, 'jdk'), join(folder, 'd'), join(folder, 'x.jar')]);
  assert.equal(path.problems.length, 2);
  assert.equal(await foundAt(path, { folder: '', file: 'A.java' }), 'a');
});

test('text of sources', () => {
  assert.deepEqual(linesOf('a\nb\r\nc\rd\n\n'), ['a', 'b', 'c', 'd', '']);
  assert.deepEqual([linesOf(''), linesOf('\n'), linesOf('x')], [[], [''], ['x']]);
  assert.equal(decodeSource(Buffer.from('\ufeffclass A {}')).text, 'class A {}');
  const euro = Buffer.from('a€b');
  assert.equal(decodeSource(euro).undecodable, -1);
  assert.equal(decodeSource(euro.subarray(0, 3)).undecodable, 1);
  assert.equal(decodeSource(Buffer.from([0xef, 0xbb, 0xbf, 0xef, 0xbf, 0xbd, 0x61, 0xff])).undecodable, 7);
  assert.equal(decodeSource(Buffer.from([0x61, 0xe2, 0x82, 0x62, 0xff])).undecodable, 1);
  assert.equal(packageOf('// package x;\n package  a.b_$1 ;'), 'a.b_$1');
  assert.equal(packageOf('package größe\nclass X'), 'größe');
  assert.equal(packageOf('class package1 {}'), '');
});

test('sources of the JDK', async (t) => {
  for (const home of jdkHomes(t).filter((each) => existsSync(join(each, 'lib', 'src.zip')))) {
    const path = await openSourcePath([home]);
    const found = await path.find({ module: 'java.base', folder: 'java/util', file: 'HashMap.java' });
    assert.ok(found?.name.endsWith('/lib/src.zip!/java.base/java/util/HashMap.java'));
    assert.ok(found?.lines.some((line) => line.startsWith('public class HashMap<K,V>')));
    // The module is found if unknown.
    assert.equal((await path.find({ folder: 'java/util', file: 'HashMap.java' }))?.name, found?.name);
    assert.deepEqual(path.problems, []);
    await path.close();
  }
});
