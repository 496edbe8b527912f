import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs, { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { UnreadableError } from '../base/errors.js';
import { readInPieces, temporaryFolder } from '../testing/byte-sources.js';
import { directoryTree, fileWithSiblings } from './directory.node.js';
import { findMember, folderOf, subtree } from './file-tree.js';

async function sample(folder: string): Promise<void> {
  await mkdir(join(folder, 'a/b/c'), { recursive: true });
  await writeFile(join(folder, 'a/b/c/deep.csv'), 'deep');
  await writeFile(join(folder, 'a/one.csv'), 'one');
  await writeFile(join(folder, 'a/two.csv.gz'), 'two');
  await writeFile(join(folder, 'top'), 'top!');
  await symlink('../../a', join(folder, 'a/b/circle'));
  await symlink('../one.csv', join(folder, 'a/b/linked.csv'));
  await symlink('nowhere', join(folder, 'a/dangling'));
  await symlink('self', join(folder, 'self'));
}

test('all members of a directory; links to directories are not followed', async (t) => {
  const folder = await temporaryFolder(t);
  await sample(folder);
  const hasPipe = spawnSync('mkfifo', [join(folder, 'pipe')]).status === 0;
  const tree = await directoryTree(folder, 'data');
  assert.deepEqual(
    tree.members.map(({ path, kind }) => [path, kind]),
    [
      ['a', 'directory'],
      ['a/b', 'directory'],
      ['a/b/c', 'directory'],
      ['a/b/c/deep.csv', 'file'],
      ['a/b/circle', 'link'],
      ['a/b/linked.csv', 'file'],
      ['a/dangling', 'dangling'],
      ['a/one.csv', 'file'],
      ['a/two.csv.gz', 'file'],
      ...(hasPipe ? [['pipe', 'other']] : []),
      ['self', 'link'],
      ['top', 'file'],
    ],
  );
  assert.deepEqual(tree.problems, []);
  const source = await tree.open('a/b/c/deep.csv');
  assert.equal(source.name, 'data/a/b/c/deep.csv');
  assert.equal((await readInPieces(source)).bytes.toString(), 'deep');
  for (const path of ['a/../top', '../etc/passwd', '/etc/passwd', 'none'])
    await assert.rejects(tree.open(path), /no such member/);
  await assert.rejects(tree.open('self'), /expected a file, found a link that is not followed/);
  await assert.rejects(tree.open('a/dangling'), /expected a file, found a link to a file that does not exist/);
  await rm(join(folder, 'top'));
  await assert.rejects(tree.open('top'), new UnreadableError('data/top: no such file', { code: 'cannot-open' }));
});

test('parts of a tree, and members by name or by the name of their gzipped version', async (t) => {
  const folder = await temporaryFolder(t);
  await sample(folder);
  const tree = await directoryTree(folder, 'data');
  assert.equal(findMember(tree, './a//one.csv')?.path, 'a/one.csv');
  assert.equal(findMember(tree, 'a/two.csv')?.path, 'a/two.csv.gz');
  assert.equal(findMember(tree, 'a/three.csv'), undefined);
  const inner = subtree(tree, 'a/b');
  assert.equal(inner.name, 'data/a/b');
  assert.deepEqual(
    inner.members.map((member) => member.path),
    ['c', 'c/deep.csv', 'circle', 'linked.csv'],
  );
  assert.equal((await readInPieces(await inner.open('c/deep.csv'))).bytes.toString(), 'deep');
  assert.deepEqual(
    folderOf(tree, 'a/one.csv').members.map((member) => member.path),
    ['b', 'dangling', 'one.csv', 'two.csv.gz'],
  );
});

test('a file has its siblings', async (t) => {
  const folder = await temporaryFolder(t);
  await sample(folder);
  const siblings = await (await fileWithSiblings(join(folder, 'a/one.csv'))).siblings();
  assert.deepEqual(
    siblings.members.map((member) => member.path),
    ['b', 'dangling', 'one.csv', 'two.csv.gz'],
  );
  assert.equal((await readInPieces(await siblings.open('two.csv.gz'))).bytes.toString(), 'two');
});

test('a missing directory is an error', async (t) => {
  await assert.rejects(directoryTree(join(await temporaryFolder(t), 'none'), 'none'), /none: no such file/);
});

test('files beside a file are not looked at', async (t) => {
  const folder = await temporaryFolder(t);
  for (let i = 0; i < 40; i++) await writeFile(join(folder, `${i}.jfr`), '');
  const methods = ['stat', 'lstat', 'open'] as const;
  const calls: string[] = [];
  for (const method of methods) {
    const usual = fs[method];
    const counting = (...words: unknown[]): unknown => {
      calls.push(`${method} ${String(words[0])}`);
      return Reflect.apply(usual, fs, words);
    };
    t.mock.method(fs, method, counting);
  }
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const file = await fileWithSiblings(join(folder, '7.jfr'));
  const { members } = await file.siblings();
  assert.equal(members.length, 40);
  assert.deepEqual(calls, [`stat ${join(folder, '7.jfr')}`]);
});
