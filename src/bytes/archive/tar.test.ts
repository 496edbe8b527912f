import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { link, mkdir, open, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { FormatError } from '../../base/errors.js';
import { amount, kindsAt } from '../../testing/amount.js';
import { readInPieces, seededBytes, temporaryFolder } from '../../testing/byte-sources.js';
import { memorySource } from '../byte-source.js';
import { fileSource } from '../file.node.js';
import type { FileTree } from '../file-tree.js';
import { isTar } from './marks.js';
import { openTar } from './tar.node.js';

const LONG = `${'folder-with-a-long-name/'.repeat(8)}${'f'.repeat(120)}.csv`;

/** Makes an archive with Python's tarfile from a script that has `t`, the open archive, and `add(name, data, **fields)`. */
async function pythonTar(folder: string, script: string, format = 'PAX'): Promise<Buffer> {
  const path = join(folder, 'made.tar');
  const program = `
import tarfile, io, sys
t = tarfile.open(sys.argv[1], 'w', format=tarfile.${format}_FORMAT)
def add(name, data=b'', **fields):
    i = tarfile.TarInfo(name)
    i.size = len(data)
    for k, v in fields.items(): setattr(i, k, v)
    t.addfile(i, io.BytesIO(data))
${script}
t.close()
`;
  const made = spawnSync('python3', ['-c', program, path], { encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  return readFile(path);
}

async function textOf(tree: FileTree, path: string): Promise<string> {
  return (await readInPieces(await tree.open(path))).bytes.toString();
}

for (const format of ['USTAR', 'GNU', 'PAX']) {
  test(`names, kinds, sizes and bytes of a ${format} archive`, async (t) => {
    const folder = await temporaryFolder(t);
    const name = format === 'USTAR' ? `${LONG.slice(0, 92)}/${'f'.repeat(90)}` : LONG;
    const bytes = await pythonTar(
      folder,
      `
add('./a.txt', b'hello')
add('d/', type=tarfile.DIRTYPE)
add('d/b.txt', b'x' * 1000)
add('${name}', b'long')
add('${format === 'USTAR' ? 'plain' : 'grüße-观测'}', b'unicode')
add('empty')
add('soft', type=tarfile.SYMTYPE, linkname='a.txt')
add('hard', type=tarfile.LNKTYPE, linkname='./a.txt')
add('pipe', type=tarfile.FIFOTYPE)
`,
      format,
    );
    assert.ok(isTar(bytes.subarray(0, 512)));
    const tree = await openTar(memorySource('x.tar', bytes));
    assert.deepEqual(tree.problems, []);
    const unicode = format === 'USTAR' ? 'plain' : 'grüße-观测';
    assert.deepEqual(
      tree.members.map(({ path, kind, size }) => [path, kind, size]),
      [
        ['a.txt', 'file', 5],
        ['d', 'directory', 0],
        ['d/b.txt', 'file', 1000],
        ['empty', 'file', 0],
        [name, 'file', 4],
        ['hard', 'file', 5],
        ['pipe', 'other', 0],
        [unicode, 'file', 7],
        ['soft', 'link', 0],
      ].sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    );
    assert.equal(await textOf(tree, 'a.txt'), 'hello');
    assert.equal(await textOf(tree, 'hard'), 'hello');
    assert.equal(await textOf(tree, 'd/b.txt'), 'x'.repeat(1000));
    assert.equal(await textOf(tree, name), 'long');
    assert.equal(await textOf(tree, unicode), 'unicode');
    await assert.rejects(tree.open('soft'), /x\.tar!\/soft: expected a file, found a link that is not followed/);
    await assert.rejects(tree.open('d'), /found a directory/);
    await assert.rejects(tree.open('none'), /no such member/);
  });
}

test('the output of the tar program for a folder', async (t) => {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'in/deep'), { recursive: true });
  const data = seededBytes(100_000, 5);
  await writeFile(join(folder, 'in/deep/data'), data);
  await writeFile(join(folder, 'in/note'), 'note');
  await symlink('note', join(folder, 'in/soft'));
  await link(join(folder, 'in/note'), join(folder, 'in/same'));
  if (spawnSync('tar', ['-C', join(folder, 'in'), '-cf', join(folder, 'x.tar'), '.']).status !== 0)
    return t.skip('needs the tar program');
  const tree = await openTar(await fileSource(join(folder, 'x.tar')));
  assert.deepEqual(
    tree.members.map((member) => `${member.kind} ${member.path}`),
    ['directory deep', 'file deep/data', 'file note', 'file same', 'link soft'],
  );
  const source = await tree.open('deep/data');
  assert.ok((await readInPieces(source, [1, 1000, 77])).bytes.equals(data));
  const middle = new Uint8Array(10);
  assert.equal(await source.readAt?.(50_000, middle), 10);
  assert.deepEqual(Buffer.from(middle), data.subarray(50_000, 50_010));
  assert.equal(await textOf(tree, 'same'), 'note');
  await tree.close();
});

test('sizes beyond 8 GiB, in base 256 and in pax records, over a file with holes', async (t) => {
  const folder = await temporaryFolder(t);
  const size = 9 * 2 ** 30;
  for (const format of ['GNU', 'PAX']) {
    const header = await pythonTar(
      folder,
      `
i = tarfile.TarInfo('huge')
i.size = ${size}
t.fileobj.write(i.tobuf(tarfile.${format}_FORMAT))
t.close = t.fileobj.close
`,
    );
    const tail = await pythonTar(folder, "add('after', b'end')");
    const path = join(folder, 'huge.tar');
    const file = await open(path, 'w');
    await file.write(header, 0, header.length, 0);
    await file.write(tail, 0, tail.length, header.length + size);
    await file.close();
    const tree = await openTar(await fileSource(path));
    assert.deepEqual(
      tree.members.map((member) => [member.path, member.size]),
      [
        ['after', 3],
        ['huge', size],
      ],
    );
    assert.equal(await textOf(tree, 'after'), 'end');
    await tree.close();
  }
});

test('of two members with one path the later one counts, as when unpacking', async (t) => {
  const bytes = await pythonTar(await temporaryFolder(t), "add('a', b'old')\nadd('./a', b'newer')");
  const tree = await openTar(memorySource('x.tar', bytes));
  assert.equal(tree.members.length, 1);
  assert.equal(await textOf(tree, 'a'), 'newer');
});

test('hostile names are listed and stay names', async (t) => {
  const bytes = await pythonTar(
    await temporaryFolder(t),
    "add('../../etc/passwd', b'not it')\nadd('/etc/passwd', b'nor this')\nadd('a/../b', b'b')\nadd('..', b'up')",
  );
  const tree = await openTar(memorySource('x.tar', bytes));
  assert.deepEqual(
    tree.members.map((member) => member.path),
    ['..', '../../etc/passwd', '/etc/passwd', 'a/../b'],
  );
  assert.equal(await textOf(tree, '../../etc/passwd'), 'not it');
  assert.equal(await textOf(tree, '/etc/passwd'), 'nor this');
  await assert.rejects(tree.open('/etc/hosts'), /no such member/);
  await assert.rejects(tree.open('b'), /no such member/);
});

test('members with holes are listed but not read', async (t) => {
  const folder = await temporaryFolder(t);
  const file = await open(join(folder, 'holes'), 'w');
  await file.write('data', 1 << 20);
  await file.truncate(3 << 20);
  await file.close();
  await writeFile(join(folder, 'after'), 'end');
  for (const format of ['gnu', 'posix']) {
    const args = ['-C', folder, '-S', `--format=${format}`, '-cf', join(folder, 'x.tar'), 'holes', 'after'];
    if (spawnSync('tar', args).status !== 0) return t.skip('needs GNU tar');
    const tree = await openTar(await fileSource(join(folder, 'x.tar')));
    assert.equal(await textOf(tree, 'after'), 'end');
    assert.deepEqual(
      tree.members.filter((member) => member.kind === 'file').map((member) => member.path),
      ['after'],
    );
    assert.deepEqual(
      tree.problems.map((problem) => problem.code),
      ['tar-sparse'],
    );
    await tree.close();
  }
});

test('a file that is not a tar archive is an error', async () => {
  assert.equal(isTar(Buffer.alloc(512)), false);
  assert.equal(isTar(seededBytes(512, 1)), false);
  assert.equal(isTar(Buffer.alloc(100)), false);
  await assert.rejects(openTar(memorySource('x', seededBytes(5000, 1))), FormatError);
});

test('cut anywhere: intact members are read, and the cut is reported', async (t) => {
  const bytes = await pythonTar(
    await temporaryFolder(t),
    `add('a', b'A' * 700)\nadd('${'n'.repeat(120)}', b'B' * 700)`,
  );
  const second = 512 + 1024;
  const secondData = bytes.indexOf('B'.repeat(700));
  for (let length = 512; length < secondData + 700; length++) {
    const tree = await openTar(memorySource('x.tar', bytes.subarray(0, length)));
    assert.equal(tree.problems.length, 1, `cut at ${length}`);
    assert.equal(tree.problems[0].code, 'tar-cut');
    assert.equal(tree.problems[0].offset, length);
    const { bytes: first, damage } = await readInPieces(await tree.open('a'));
    assert.equal(first.toString(), 'A'.repeat(Math.min(700, length - 512)));
    assert.equal(damage === undefined, length >= 1212);
    if (length < second) assert.equal(tree.members.length, 1);
    else if (length >= secondData) {
      const last = await readInPieces(await tree.open('n'.repeat(120)));
      assert.equal(last.bytes.toString(), 'B'.repeat(length - secondData));
      assert.equal(last.damage?.offset, length - secondData);
    }
  }
});

test('any byte flipped: no crash, no hang, other members stay intact', async (t) => {
  const bytes = await pythonTar(
    await temporaryFolder(t),
    "add('a', b'A' * 700)\nadd('ü', b'B' * 9)\nadd('c', b'C' * 5)",
  );
  for (let i = 0, at = 512; at < bytes.length; i++, at += amount(1, 5)) {
    for (const mask of kindsAt(i, [0x01, 0x80, 0xff])) {
      const flipped = Buffer.from(bytes);
      flipped[at] ^= mask;
      const tree = await openTar(memorySource('x.tar', flipped));
      assert.ok(tree.members.length <= 4);
      if (at >= 1212) assert.equal(await textOf(tree, 'a'), 'A'.repeat(700));
      for (const member of tree.members)
        if (member.kind === 'file') assert.ok((await textOf(tree, member.path)).length <= bytes.length);
      if (at >= 512 && at < 1212) assert.deepEqual(tree.problems, [], 'data has no check sum');
    }
  }
});
