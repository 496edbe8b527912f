import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { KansokuError, UnreadableError, UsageError } from '../../base/errors.js';
import { closestName, editDistance } from '../../base/parsing/closest-name.js';
import { type ByteSource, memorySource } from '../../bytes/byte-source.js';
import { type FileTree, hasSiblings, isFileTree } from '../../bytes/file-tree.js';
import { readInPieces, temporaryFolder } from '../../testing/byte-sources.js';
import { openInput, sourcesOf } from './inputs.node.js';

/** A folder with a file, a gzipped one, a tar of both, a gzipped tar, and a zip that holds the gzipped tar. */
async function sample(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, 'in'));
  await writeFile(join(folder, 'in/one.csv'), 'one');
  await writeFile(join(folder, 'in/two.csv.gz'), gzipSync('two'));
  await writeFile(join(folder, 'in/twice.gz.gz'), gzipSync(gzipSync('twice')));
  const script = `
import tarfile, zipfile, os
os.chdir(${JSON.stringify(folder)})
for mode, name in (('w', 'x.tar'), ('w:gz', 'x.tgz')):
    with tarfile.open(name, mode) as t: t.add('in')
with zipfile.ZipFile('x.zip', 'w', zipfile.ZIP_DEFLATED) as z:
    z.write('x.tgz', 'deep/x.tgz'); z.write('in/one.csv', 'deep/one.csv'); z.write('in/two.csv.gz', 'deep/two.csv.gz')
`;
  const python = spawnSync('python3', ['-c', script], { encoding: 'utf8' });
  assert.equal(python.status, 0, python.stderr);
  return folder;
}

async function sourceOf(text: string): Promise<ByteSource> {
  const input = await openInput(text);
  assert.ok(!isFileTree(input));
  return input;
}

async function textOf(text: string): Promise<string> {
  return (await readInPieces(await sourceOf(text))).bytes.toString();
}

async function treeOf(text: string): Promise<FileTree> {
  const input = await openInput(text);
  assert.ok(isFileTree(input));
  return input;
}

async function errorOf(text: string): Promise<KansokuError> {
  const error = await openInput(text).catch((reason: unknown) => reason);
  assert.ok(error instanceof KansokuError, `${text}: ${String(error)}`);
  return error;
}

test('files, gzipped files and members of archives in archives', async (t) => {
  const folder = await sample(t);
  assert.equal(await textOf(join(folder, 'in/one.csv')), 'one');
  assert.equal(await textOf(join(folder, 'in/two.csv.gz')), 'two');
  for (const archive of ['x.tar', 'x.tgz', 'x.zip!/deep/x.tgz'])
    for (const [member, text] of [
      ['one.csv', 'one'],
      ['two.csv.gz', 'two'],
    ])
      assert.equal(await textOf(join(folder, `${archive}!/in/${member}`)), text);
  assert.equal((await sourceOf(join(folder, 'x.zip!/deep/one.csv'))).name, join(folder, 'x.zip!/deep/one.csv'));
  const twice = await errorOf(join(folder, 'in/twice.gz.gz'));
  assert.ok(twice instanceof UnreadableError);
  assert.match(twice.message, /compressed twice with gzip/);
});

test('a path that contains !/ is still a path', async (t) => {
  const folder = await sample(t);
  await mkdir(join(folder, 'odd!'));
  await writeFile(join(folder, 'odd!/file'), 'odd');
  assert.equal(await textOf(join(folder, 'odd!/file')), 'odd');
});

test('directories, archives and folders in archives are trees', async (t) => {
  const folder = await sample(t);
  const names = ['one.csv', 'twice.gz.gz', 'two.csv.gz'];
  for (const text of ['in', 'x.tar!/in', 'x.tgz!/in']) {
    const tree = await treeOf(join(folder, text));
    assert.deepEqual(
      tree.members.map((member) => member.path),
      names,
    );
    await tree.close();
  }
  assert.equal((await treeOf(join(folder, 'x.tgz'))).carrier, 'tar');
  assert.equal((await treeOf(join(folder, 'x.zip'))).carrier, 'zip');
});

test('the sources of a tree, ungzipped, in the order of their paths', async (t) => {
  const folder = await sample(t);
  for (const text of ['in', 'x.tar']) {
    const tree = await treeOf(join(folder, text));
    const sources = await sourcesOf(tree);
    const read = await Promise.all(sources.map(async (source) => (await readInPieces(source)).bytes.toString()));
    assert.deepEqual([read[0], read[2]], ['one', 'two']);
    assert.ok(sources[0].name.endsWith('in/one.csv'));
  }
  const single = await sourceOf(join(folder, 'in/one.csv'));
  assert.deepEqual(await sourcesOf(single), [single]);
});

test('of too many members the first 10,000 are used, which is reported', async () => {
  const members = Array.from(
    { length: 10_001 },
    (_, i) => ({ path: `m${i + 10_000}`, kind: 'file', size: 1 }) as const,
  );
  const tree: FileTree = {
    name: 'x.zip',
    carrier: 'zip',
    members,
    problems: [],
    nameOf: (path) => path,
    open: (path) => Promise.resolve(memorySource(path, Buffer.from('x'))),
    close: () => Promise.resolve(),
  };
  const messages: string[] = [];
  const sources = await sourcesOf(tree, (message) => messages.push(message));
  assert.equal(sources.length, 10_000);
  assert.equal(sources[9_999].name, 'm19999');
  assert.deepEqual(messages, ['x.zip: examining only the first 10000 of its 10001 files']);
});

test('a member that cannot be opened is an error when it is read; the others are not affected', async (t) => {
  const folder = await temporaryFolder(t);
  const script = `
import zipfile
with zipfile.ZipFile(${JSON.stringify(join(folder, 'x.zip'))}, 'w') as z:
    z.writestr('a', b'x' * 100, zipfile.ZIP_BZIP2); z.writestr('b', b'fine')
`;
  assert.equal(spawnSync('python3', ['-c', script]).status, 0);
  const [bad, good] = await sourcesOf(await treeOf(join(folder, 'x.zip')));
  await assert.rejects(bad.open(), /x\.zip!\/a: unsupported compression bzip2/);
  assert.equal((await readInPieces(good)).bytes.toString(), 'fine');
});

test('a source has its siblings, ungzipped', async (t) => {
  const folder = await sample(t);
  for (const text of ['in/one.csv', 'x.tar!/in/one.csv', 'x.tgz!/in/two.csv.gz', 'x.zip!/deep/one.csv']) {
    const source = await sourceOf(join(folder, text));
    assert.ok(hasSiblings(source));
    const siblings = await source.siblings();
    assert.equal((await readInPieces(await siblings.open('two.csv.gz'))).bytes.toString(), 'two', text);
  }
});

test('a missing file is reported with similar names', async (t) => {
  const folder = await sample(t);
  const cases = [
    ['in/onee.csv', 'Did you mean DIR/in/one.csv?'],
    ['im/one.csv', 'Did you mean DIR/in/one.csv?'],
    ['x.tra', 'Did you mean DIR/x.tar?'],
    ['x.tar!/in/noe.csv', 'Did you mean DIR/x.tar!/in/one.csv?'],
    ['x.tar/in/one.csv', 'For a member of an archive, use DIR/x.tar!/in/one.csv.'],
    ['something-else-entirely', undefined],
  ] as const;
  for (const [text, advice] of cases) {
    const error = await errorOf(join(folder, text));
    assert.ok(error instanceof UnreadableError);
    assert.equal(error.advice, advice?.replace('DIR', folder), text);
  }
  assert.match((await errorOf(join(folder, 'in/one.csv!/x'))).message, /not an archive or directory/);
  assert.ok((await errorOf('')) instanceof UsageError);
});

test('a link that leads nowhere is named with what it links to, also if it stands for a table of a report', async (t) => {
  const folder = await temporaryFolder(t);
  const link = join(folder, 'call_tree_methods.csv');
  await symlink('call_tree_methods_app_20260102_030405.csv', link);
  const isSaid = (error: unknown): boolean =>
    error instanceof UnreadableError &&
    error.advice === undefined &&
    error.message === `${link}: a link to call_tree_methods_app_20260102_030405.csv, which does not exist`;
  await assert.rejects(openInput(link), isSaid);
  const tree = await openInput(folder);
  assert.ok(isFileTree(tree));
  await assert.rejects(tree.open('call_tree_methods.csv'), /found a link to a file that does not exist/);
});

test('a cut gzipped tar gives its intact part, and is reported', async (t) => {
  const folder = await temporaryFolder(t);
  const script = `
import tarfile, io, random
random.seed(1)
with tarfile.open(${JSON.stringify(join(folder, 'x.tgz'))}, 'w:gz') as t:
    for n in ('a', 'b'):
        i = tarfile.TarInfo(n); i.size = 20000; t.addfile(i, io.BytesIO(random.randbytes(20000)))
`;
  assert.equal(spawnSync('python3', ['-c', script]).status, 0);
  await truncate(join(folder, 'x.tgz'), 30_000);
  const tree = await treeOf(join(folder, 'x.tgz'));
  assert.deepEqual(
    tree.problems.map((problem) => problem.code),
    ['gzip-damaged', 'tar-cut'],
  );
  assert.deepEqual(
    tree.members.map((member) => [member.path, member.size === 20_000]),
    [
      ['a', true],
      ['b', false],
    ],
  );
});

test('standard input and named pipes open many times', async (t) => {
  const folder = await temporaryFolder(t);
  const module = new URL('./inputs.node.js', import.meta.url).href;
  const script = `
    const { openInput } = await import('${module}');
    const { readHead } = await import('${new URL('../../bytes/byte-source.js', import.meta.url).href}');
    const source = await openInput(process.argv[1]);
    const again = process.argv[1] === '-' ? await openInput('-') : source;
    for (const one of [source, again]) {
      const head = Buffer.from(await readHead(one, 3)).toString();
      console.log(one.name, head, Buffer.from(await readHead(one, 100)).toString());
    }
  `;
  const node = (name: string, input: string | Buffer) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', script, name], { input, encoding: 'utf8' });
  for (const input of ['some text', gzipSync('some text')]) {
    const { stdout, stderr } = node('-', input);
    assert.equal(stderr, '');
    assert.equal(stdout, 'standard input som some text\n'.repeat(2));
  }
  const pipe = join(folder, 'pipe');
  if (spawnSync('mkfifo', [pipe]).status !== 0) return t.skip('needs mkfifo');
  const shell = `printf 'some text' > "$1" & exec "$2" --input-type=module -e "$3" "$1"`;
  const { stdout } = spawnSync('sh', ['-c', shell, 'sh', pipe, process.execPath, script], { encoding: 'utf8' });
  assert.equal(stdout, `${pipe} som some text\n`.repeat(2));
});

test('edit distance and the closest name', () => {
  for (const [a, b, distance] of [
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['profile', 'porfile', 1],
    ['same', 'same', 0],
  ] as const) {
    assert.equal(editDistance(a, b), distance);
    assert.equal(editDistance(b, a), distance);
  }
  assert.equal(closestName('Heap.hprof', ['other', 'heap.hprof', 'heaps.hprof']), 'heap.hprof');
  assert.equal(closestName('abc', ['xyz', 'q']), undefined);
  assert.equal(closestName('x'.repeat(300), ['x'.repeat(299)]), undefined);
});
