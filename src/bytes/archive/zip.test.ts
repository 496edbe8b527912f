import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { amount, inFullTier, kindsAt } from '../../testing/amount.js';
import { readInPieces, seededBytes, temporaryFolder } from '../../testing/byte-sources.js';
import { memorySource } from '../byte-source.js';
import type { FileTree } from '../file-tree.js';
import { isZip } from './marks.js';
import { openZip } from './zip.node.js';

/** Makes an archive with Python's zipfile from a script that has `z`, the open archive, and S and D, the methods. */
async function pythonZip(t: TestContext, script: string, target = "open(sys.argv[1], 'wb')"): Promise<Buffer> {
  const path = join(await temporaryFolder(t), 'made.zip');
  const program = `
import zipfile, io, sys, stat
S, D = zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED
class Pipe(io.RawIOBase):
    def __init__(self, f): self.f = f
    def writable(self): return True
    def write(self, b): return self.f.write(b)
with ${target} as f:
    with zipfile.ZipFile(f, 'w') as z:
${script.replace(/^/gm, '        ')}
`;
  const made = spawnSync('python3', ['-W', 'ignore', '-c', program, path], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  return readFile(path);
}

/** An archive written without going back, so that sizes follow the data as in Java's archives. */
const STREAMED = "Pipe(open(sys.argv[1], 'wb'))";

async function textOf(tree: FileTree, path: string): Promise<string> {
  const { bytes, damage } = await readInPieces(await tree.open(path));
  assert.equal(damage, undefined);
  return bytes.toString();
}

const THREE = `
z.writestr('a.txt', b'hello', S)
z.writestr('d/b.csv', b'a line of text,\\n' * 300, D)
z.writestr('ü', b'C' * 50, D)
`;
const CSV = 'a line of text,\n'.repeat(300);

test('names, kinds, sizes and bytes', async (t) => {
  const bytes = await pythonZip(
    t,
    `${THREE}
z.writestr('empty/', b'')
link = zipfile.ZipInfo('soft')
link.create_system = 3
link.external_attr = (stat.S_IFLNK | 0o777) << 16
z.writestr(link, b'a.txt')
z.comment = b'a comment'
`,
  );
  assert.ok(isZip(bytes));
  const tree = await openZip(memorySource('x.zip', bytes));
  assert.deepEqual(tree.problems, []);
  assert.deepEqual(
    tree.members.map(({ path, kind, size }) => [path, kind, size]),
    [
      ['a.txt', 'file', 5],
      ['d/b.csv', 'file', CSV.length],
      ['empty', 'directory', undefined],
      ['soft', 'link', undefined],
      ['ü', 'file', 50],
    ],
  );
  assert.equal(await textOf(tree, 'a.txt'), 'hello');
  assert.equal(await textOf(tree, 'd/b.csv'), CSV);
  assert.equal(await textOf(tree, 'ü'), 'C'.repeat(50));
  const stored = await tree.open('a.txt');
  const two = new Uint8Array(2);
  assert.equal(await stored.readAt?.(1, two), 2);
  assert.equal(Buffer.from(two).toString(), 'el');
  assert.equal((await tree.open('d/b.csv')).readAt, undefined);
  await assert.rejects(tree.open('soft'), /x\.zip!\/soft: expected a file, found a link/);
});

test('a member that takes many windows, in pieces of any size', async (t) => {
  const data = seededBytes(500_000, 5, 64);
  const source = join(await temporaryFolder(t), 'data');
  await writeFile(source, data);
  const bytes = await pythonZip(t, `z.write('${source}', 'data', D)\nz.write('${source}', 'stored', S)`);
  const tree = await openZip(memorySource('x.zip', bytes));
  for (const path of ['data', 'stored']) {
    const { bytes: read, damage } = await readInPieces(await tree.open(path), [100_000, 501, 70_000]);
    assert.ok(read.equals(data));
    assert.equal(damage, undefined);
  }
});

test('zip64, padding after, a program or the mark of a Java module before', async (t) => {
  const wide = await pythonZip(t, "with z.open('w', 'w', force_zip64=True) as m: m.write(b'wide')");
  assert.equal(await textOf(await openZip(memorySource('x.zip', wide)), 'w'), 'wide');
  const plain = await pythonZip(t, THREE);
  const padded = await openZip(memorySource('x.zip', Buffer.concat([plain, Buffer.alloc(1000)])));
  assert.equal(await textOf(padded, 'd/b.csv'), CSV);
  assert.deepEqual(
    padded.problems.map((problem) => problem.code),
    ['zip-trailing'],
  );
  const jmod = Buffer.concat([Buffer.from([0x4a, 0x4d, 1, 0]), plain]);
  assert.ok(isZip(jmod));
  for (const shifted of [jmod, Buffer.concat([seededBytes(3000, 1), plain])]) {
    const tree = await openZip(memorySource('x.jmod', shifted));
    assert.deepEqual(tree.problems, []);
    assert.equal(await textOf(tree, 'd/b.csv'), CSV);
  }
  const empty = await openZip(memorySource('x.zip', await pythonZip(t, 'pass')));
  assert.deepEqual([empty.members, empty.problems], [[], []]);
});

test('more members than 16 bits count', async (t) => {
  if (!inFullTier(t, 'zip')) return;
  const bytes = await pythonZip(t, "for i in range(70000): z.writestr('m%05d' % i, b'', S)");
  const tree = await openZip(memorySource('x.zip', bytes));
  assert.equal(tree.members.length, 70_000);
  assert.deepEqual(tree.problems, []);
});

test('hostile names are listed and stay names', async (t) => {
  const bytes = await pythonZip(t, "z.writestr('../../etc/passwd', b'no')\nz.writestr('/etc/passwd', b'nor')");
  const tree = await openZip(memorySource('x.zip', bytes));
  assert.deepEqual(
    tree.members.map((member) => member.path),
    ['../../etc/passwd', '/etc/passwd'],
  );
  assert.equal(await textOf(tree, '/etc/passwd'), 'nor');
  await assert.rejects(tree.open('/etc/hosts'), /no such member/);
});

test('encrypted members, and unknown compression, are errors', async (t) => {
  const bytes = await pythonZip(t, "z.writestr('b', b'x' * 100, zipfile.ZIP_BZIP2)\nz.writestr('e', b'secret', S)");
  const entry = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  bytes[entry + 8] |= 1;
  bytes[bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 3, 4])) + 6] |= 1;
  const tree = await openZip(memorySource('x.zip', bytes));
  await assert.rejects(tree.open('b'), /x\.zip!\/b: unsupported compression bzip2/);
  await assert.rejects(tree.open('e'), /x\.zip!\/e: encrypted/);
});

test('a member never gives more bytes than it claims, and a wrong size or checksum is reported', async (t) => {
  const bytes = await pythonZip(t, "z.writestr('bomb', bytes(10_000_000), D)");
  const entry = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2]));
  for (const [claim, code, length] of [
    [1000, 'zip-size', 1000],
    [10_000_001, 'zip-size', 10_000_000],
    [0xfffffff0, 'zip-size', 10_000_000],
  ] as const) {
    const wrong = Buffer.from(bytes);
    wrong.writeUInt32LE(claim, entry + 24);
    const tree = await openZip(memorySource('x.zip', wrong));
    const source = await tree.open('bomb');
    assert.equal(source.size, claim === 0xfffffff0 ? undefined : claim);
    const { bytes: read, damage } = await readInPieces(source);
    assert.equal(read.length, length);
    assert.equal(damage?.code, code);
  }
  const wrong = Buffer.from(bytes);
  wrong[entry + 16] ^= 1;
  const { bytes: read, damage } = await readInPieces(await (await openZip(memorySource('x.zip', wrong))).open('bomb'));
  assert.equal(read.length, 10_000_000);
  assert.equal(damage?.code, 'zip-checksum');
});

for (const [kind, target] of [
  ['with sizes before the data', undefined],
  ['with sizes behind the data', STREAMED],
] as const) {
  test(`an archive ${kind}, cut anywhere: intact members are read, and the cut is reported`, async (t) => {
    const bytes = await pythonZip(t, THREE.replace("'a.txt', b'hello', S", "'a.txt', b'hello', D"), target);
    const list = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));
    const second = bytes.indexOf(Buffer.from([0x50, 0x4b, 3, 4]), 1);
    const third = bytes.indexOf(Buffer.from([0x50, 0x4b, 3, 4]), second + 1);
    assert.ok(second > 0 && third > second && list > third);
    for (let length = second; length < bytes.length; length += amount(1, 3)) {
      const tree = await openZip(memorySource('x.zip', bytes.subarray(0, length)));
      assert.ok(tree.problems.length > 0, `cut at ${length}`);
      assert.equal(await textOf(tree, 'a.txt'), 'hello', `cut at ${length}`);
      if (length >= third) assert.equal(await textOf(tree, 'd/b.csv'), CSV);
      else if (tree.members.length > 1) {
        const { bytes: read, damage } = await readInPieces(await tree.open('d/b.csv'));
        assert.ok(CSV.startsWith(read.toString()));
        // Only the sizes behind the data may be missing.
        if (damage === undefined) assert.equal(read.toString(), CSV);
      }
      if (length >= list) assert.equal(tree.members.length, 3);
    }
  });
}

test('any byte flipped: no crash, no hang, bounded output, and nothing lost or changed without a problem', async (t) => {
  const truth = new Map([
    ['a.txt', 'hello'],
    ['d/b.csv', CSV],
    ['ü', 'C'.repeat(50)],
  ]);
  for (const target of [undefined, STREAMED]) {
    const bytes = await pythonZip(t, THREE, target);
    for (let i = 0, at = 0; at < bytes.length; i++, at += amount(1, 5)) {
      for (const mask of kindsAt(i, [0x01, 0xff])) {
        const flipped = Buffer.from(bytes);
        flipped[at] ^= mask;
        const tree = await openZip(memorySource('x.zip', flipped));
        const found = new Map<string, string>();
        let { length: faults } = tree.problems;
        for (const member of tree.members) {
          if (member.kind !== 'file') continue;
          const { bytes: read, damage } = await readInPieces(await tree.open(member.path));
          assert.ok(read.length < 4 << 20);
          if (damage !== undefined) faults++;
          found.set(member.path, read.toString());
        }
        if (faults === 0) assert.deepEqual(found, truth, `flip of ${mask} at ${at} went unnoticed`);
      }
    }
  }
});
