/** Reading members in bulk gives the same as opening each; damaged ones are left to the latter. */
import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeZip } from '../../code/java/testing/made-zip.js';
import { amount } from '../../testing/amount.js';
import { readInPieces, seededBytes, temporaryFolder } from '../../testing/byte-sources.js';
import { memorySource } from '../byte-source.js';
import { directoryTree } from '../directory.node.js';
import type { FileTree } from '../file-tree.js';
import { gunzipMembers } from '../gzip.node.js';
import { openZip } from './zip.node.js';

const MEMBERS = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [
    `f${i % 7}/m${i}é`,
    seededBytes(i === 5 ? 0 : i * i * 10, i, i % 2 === 0 ? 4 : 256),
  ]),
);
const STORED = Object.keys(MEMBERS).filter((_, i) => i % 3 === 0);

async function many(tree: FileTree, paths: readonly string[]): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  assert.ok(tree.readMany);
  await tree.readMany(paths, (i, bytes) => {
    assert.ok(!found.has(paths[i]));
    found.set(paths[i], Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  });
  return found;
}

async function zipOf(t: TestContext): Promise<Buffer> {
  const file = join(await temporaryFolder(t), 'x.zip');
  makeZip(file, MEMBERS, STORED);
  return readFile(file);
}

test('members of a zip archive, in any order and alone', async (t) => {
  const tree = await openZip(memorySource('x.zip', await zipOf(t)));
  const paths = Object.keys(MEMBERS);
  for (const wanted of [paths, [...paths].reverse(), [paths[7]], []]) {
    const found = await many(tree, wanted);
    assert.equal(found.size, wanted.length);
    for (const [path, bytes] of found) assert.ok(bytes.equals(MEMBERS[path]), path);
  }
  assert.throws(() => tree.readMany?.(['nowhere'], () => undefined), /no such member/);
});

test('a damaged zip archive gives the same as opening each member, or leaves it out', async (t) => {
  const sound = await zipOf(t);
  for (let at = 0; at < sound.length; at += Math.ceil(sound.length / amount(150, 30))) {
    const bytes = Buffer.from(sound);
    bytes[at] ^= 0x10;
    const tree = await openZip(memorySource('x.zip', bytes));
    const paths = tree.members.filter(({ kind }) => kind === 'file').map(({ path }) => path);
    const found = await many(tree, paths);
    assert.ok(found.size >= paths.length - 2, `byte ${at}: ${found.size} of ${paths.length}`);
    for (const [path, content] of found) {
      const alone = await readInPieces(await tree.open(path));
      assert.equal(alone.damage, undefined, `byte ${at}, ${path}`);
      assert.ok(alone.bytes.equals(content), `byte ${at}, ${path}`);
    }
  }
});

test('members that share bytes are left out, except for the first', async (t) => {
  const bytes = await zipOf(t);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  // All entries of the list but one are changed to name the first member.
  const mark = Buffer.from('PK\x01\x02');
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 46)) view.setUint32(at + 42, 0, true);
  const tree = await openZip(memorySource('x.zip', bytes));
  assert.ok((await many(tree, Object.keys(MEMBERS))).size <= 1);
});

test('files of a directory; missing and other entries are left out', async (t) => {
  const folder = await temporaryFolder(t);
  for (const [path, content] of Object.entries(MEMBERS)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await symlink(join(folder, 'f1/m1é'), join(folder, 'link'));
  const tree = await directoryTree(folder);
  await truncate(join(folder, 'f2/m2é'), 5);
  const paths = [...Object.keys(MEMBERS), 'link'];
  const found = await many(tree, paths);
  assert.equal(found.size, paths.length);
  for (const [path, content] of Object.entries(MEMBERS))
    assert.ok(found.get(path)?.equals(path === 'f2/m2é' ? content.subarray(0, 5) : content), path);
  assert.ok(found.get('link')?.equals(MEMBERS['f1/m1é']));
});

test('files larger than 16 MiB are left out', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'large'), '');
  await truncate(join(folder, 'large'), (16 << 20) + 1);
  await writeFile(join(folder, 'small'), 'x');
  assert.deepEqual([...(await many(await directoryTree(folder), ['large', 'small'])).keys()], ['small']);
});

test('a tree of ungzipped members does not give gzipped bytes', async (t) => {
  assert.equal(gunzipMembers(await openZip(memorySource('x.zip', await zipOf(t)))).readMany, undefined);
});
