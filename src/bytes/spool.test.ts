import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { UnreadableError } from '../base/errors.js';
import { readInPieces, seededBytes, temporaryFolder } from '../testing/byte-sources.js';
import { type ByteSource, memorySource } from './byte-source.js';
import { gunzip } from './gzip.node.js';
import { readableSource } from './pipe.node.js';
import { cacheFolder, copiedOnce, randomAccess, spool } from './spool.node.js';

const data = seededBytes(300_000, 11);
const packed = gunzip(memorySource('x.gz', gzipSync(data)));

async function checkRandom(source: ByteSource): Promise<void> {
  assert.equal(source.size, data.length);
  for (const offset of [299_990, 0, 123_456, 300_000, 999_999]) {
    const target = new Uint8Array(100);
    const count = (await source.readAt?.(offset, target)) ?? -1;
    assert.deepEqual(Buffer.from(target.subarray(0, count)), data.subarray(offset, offset + 100));
  }
  for (const sizes of [[7000, 1, 512], [400_000]]) assert.ok((await readInPieces(source, sizes)).bytes.equals(data));
}

test('small data stays in memory', async (t) => {
  const folder = join(await temporaryFolder(t), 'never-made');
  const said: string[] = [];
  for (const memory of [300_000, 300_001])
    await checkRandom(await spool(packed, { folder, memory, announce: (message) => said.push(message) }));
  await assert.rejects(stat(folder), /ENOENT/);
  assert.deepEqual(said, []);
});

test('large data goes to a file that only its owner can read and that is removed afterwards', async (t) => {
  const folder = join(await temporaryFolder(t), 'cache', 'kansoku');
  for (const memory of [0, 1, 299_999]) {
    const said: string[] = [];
    const copy = await spool(packed, { folder, memory, announce: (message) => said.push(message) });
    assert.deepEqual(said, [`x.gz: copying it to a temporary file in ${folder} for random access`]);
    await checkRandom(copy);
    assert.deepEqual(await readdir(folder), [], 'the file has no name any more');
    if (process.platform === 'linux') {
      const open = await openFilesIn(folder);
      assert.equal(open.length, 1);
      assert.equal((await stat(open[0])).mode & 0o777, 0o600);
    }
    await copy.close?.();
    if (process.platform === 'linux') assert.equal((await openFilesIn(folder)).length, 0);
  }
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
});

/** Files in a folder that this process has open, deleted ones included. */
async function openFilesIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir('/proc/self/fd')) {
    const path = `/proc/self/fd/${name}`;
    const target = await readlink(path).catch(() => '');
    if (target.startsWith(folder)) found.push(path);
  }
  return found;
}

test('a limit and a full disk stop the copy before or during writing', async (t) => {
  const folder = await temporaryFolder(t);
  const known = { ...packed, size: data.length };
  for (const source of [packed, known]) {
    for (const memory of [0, 200_000, 1 << 20])
      await assert.rejects(spool(source, { folder, memory, limit: 299_999 }), /x\.gz: larger than 300\.00 KB/);
    await assert.rejects(spool(source, { folder, memory: 0, keepFree: 2 ** 60 }), UnreadableError);
    assert.deepEqual(await readdir(folder), []);
    if (process.platform === 'linux') assert.equal((await openFilesIn(folder)).length, 0);
  }
  assert.equal((await spool(packed, { folder, memory: 0, limit: 300_000 })).size, 300_000);
});

test('without a writable folder there is no copy', async (t) => {
  const folder = join(await temporaryFolder(t), 'file');
  await writeFile(folder, '');
  await assert.rejects(spool(packed, { folder, memory: 0 }), /cannot write a temporary file/);
});

test("a cache folder that cannot be created is replaced by the system's temporary folder", async (t) => {
  const folder = await temporaryFolder(t);
  const blocked = join(folder, 'file');
  await writeFile(blocked, '');
  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  await chmod(temporary, 0o700);
  const script = `
    const { spool } = await import('./spool.node.js');
    const { memorySource } = await import('./byte-source.js');
    const said = [];
    const copy = await spool(memorySource('m', new Uint8Array(10)), { memory: 0, announce: (line) => said.push(line) });
    console.log(copy.size, said.join());
  `;
  const made = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script.replaceAll("'./", `'${new URL('.', import.meta.url).href}`)],
    {
      encoding: 'utf8',
      env: { ...process.env, XDG_CACHE_HOME: blocked, TMPDIR: temporary },
    },
  );
  assert.equal(made.stderr, '');
  assert.equal(made.stdout, `10 m: copying it to a temporary file in ${temporary} for random access\n`);
});

test('the cache folder follows XDG_CACHE_HOME if it is absolute', () => {
  const before = process.env.XDG_CACHE_HOME;
  try {
    process.env.XDG_CACHE_HOME = '/somewhere';
    assert.equal(cacheFolder(), join('/somewhere', 'kansoku'));
    process.env.XDG_CACHE_HOME = 'relative';
    assert.match(cacheFolder(), /\.cache.kansoku$/);
  } finally {
    if (before === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = before;
  }
});

test('damage of copied data is reported by every stream of the copy', async (t) => {
  const folder = await temporaryFolder(t);
  const cut = gunzip(memorySource('x.gz', gzipSync(data).subarray(0, 200_000)));
  for (const memory of [0, 1 << 20]) {
    const copy = await spool(cut, { folder, memory });
    for (let i = 0; i < 2; i++) {
      const { bytes, damage } = await readInPieces(copy);
      assert.ok(bytes.length > 100_000 && data.subarray(0, bytes.length).equals(bytes));
      assert.equal(damage?.code, 'gzip-damaged');
    }
    await copy.close?.();
  }
});

test('sources with random access are not copied', async () => {
  const source = memorySource('m', data);
  assert.equal(await randomAccess(source), source);
  assert.notEqual(await randomAccess(packed), packed);
});

test('a Node stream is read once and opens many times; its errors are reported', async (t) => {
  const folder = await temporaryFolder(t);
  const chunks = Array.from({ length: 30 }, (_, i) => data.subarray(i * 10_000, (i + 1) * 10_000));
  for (const memory of [0, 1 << 20])
    await checkRandom(await readableSource('a pipe', Readable.from(chunks), { folder, memory }));
  const broken = new Readable({ read: (): void => undefined });
  broken.destroy(new Error('the cable is out'));
  await assert.rejects(
    readableSource('a pipe', broken),
    new UnreadableError('a pipe: the cable is out', { code: 'cannot-open' }),
  );
});

test('a source that is read several times is decompressed once', async (t) => {
  const folder = await temporaryFolder(t);
  let opened = 0;
  let closed = 0;
  const counted: ByteSource = {
    ...packed,
    open: () => {
      opened++;
      return packed.open();
    },
    close: async () => {
      closed++;
    },
  };
  for (const memory of [0, 1 << 20]) {
    const copy = copiedOnce(counted, { folder, memory });
    await copy.close?.();
    opened = 0;
    for (const sizes of [[7000, 1, 512], [400_000]]) assert.ok((await readInPieces(copy, sizes)).bytes.equals(data));
    assert.equal(opened, 1);
    await copy.close?.();
  }
  assert.equal(closed, 0, 'it belongs to who opened it');
  const random = memorySource('x', data);
  assert.equal(copiedOnce(random), random);
});

test('where there is no space for a copy, a source is decompressed each time', async (t) => {
  const folder = join(await temporaryFolder(t), 'file');
  await writeFile(folder, '');
  const copy = copiedOnce(packed, { folder, memory: 0 });
  for (const sizes of [[7000, 1, 512], [400_000]]) assert.ok((await readInPieces(copy, sizes)).bytes.equals(data));
});

test('a copy that is kept has its name and its bytes once it is whole', async (t) => {
  const folder = join(await temporaryFolder(t), 'cache');
  const path = join(folder, 'kept');
  const sizes: number[] = [];
  const place = (size: number) => {
    sizes.push(size);
    return Promise.resolve(path);
  };
  const keep = { folder, find: () => Promise.resolve(undefined), place };
  const said: string[] = [];
  const copy = await spool(packed, { memory: 0, keep, announce: (line) => said.push(line) });
  assert.deepEqual(said, [`x.gz: copying it to the cache in ${folder} for random access`]);
  assert.equal(copy.path, path);
  await checkRandom(copy);
  await copy.close?.();
  assert.deepEqual([await readdir(folder), sizes], [['kept'], [data.length]]);
  assert.ok((await readFile(path)).equals(data));
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('copies that are too large, damaged or in memory are not kept', async (t) => {
  const folder = await temporaryFolder(t);
  const find = () => Promise.resolve(undefined);
  const keep = { folder, find, place: () => Promise.resolve<string | undefined>(join(folder, 'kept')) };
  const cut = gunzip(memorySource('x.gz', gzipSync(data).subarray(0, 200_000)));
  for (const [source, options] of [
    [cut, { memory: 0, keep }],
    [packed, { memory: 1 << 20, keep }],
    [packed, { memory: 0, keep: { ...keep, place: () => Promise.resolve(undefined) } }],
  ] as const) {
    const copy = await spool(source, options);
    assert.equal(copy.path, undefined);
    assert.ok((await readInPieces(copy)).bytes.length > 100_000);
    assert.deepEqual(await readdir(folder), []);
    await copy.close?.();
  }
});

test('a copy that an earlier process left is used', async () => {
  const left = memorySource('left', data);
  const keep = { folder: '', find: () => Promise.resolve(left), place: () => Promise.resolve(undefined) };
  const broken = { ...packed, open: () => Promise.reject(new Error('opened')) };
  const copy = copiedOnce(broken, { keep });
  assert.equal(await copy.copied?.(), left);
  assert.ok((await readInPieces(copy)).bytes.equals(data));
});
