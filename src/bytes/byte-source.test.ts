import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { UnreadableError } from '../base/errors.js';
import { runs } from '../testing/amount.js';
import { readInPieces, seededBytes, temporaryFolder } from '../testing/byte-sources.js';
import { isRandom, memorySource, openAt, readHead, sliceSource } from './byte-source.js';
import { fileSource } from './file.node.js';
import { gunzip } from './gzip.node.js';

const content = seededBytes(5000, 1);
const pieces = fc.array(fc.integer({ min: 1, max: 2000 }), { minLength: 1, maxLength: 8 });

test('memory, files and slices give their bytes in pieces of any size', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'content');
  await writeFile(path, content);
  const sources = [
    memorySource('memory', content),
    await fileSource(path),
    sliceSource(memorySource('memory', Buffer.concat([Buffer.alloc(9), content, Buffer.alloc(9)])), 'slice', 9, 5000),
  ];
  for (const source of sources) {
    assert.equal(source.size, content.length);
    await fc.assert(
      fc.asyncProperty(pieces, async (sizes) => {
        assert.deepEqual((await readInPieces(source, sizes)).bytes, content);
      }),
      runs(20),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(6000), fc.nat(6000), async (offset, length) => {
        const target = new Uint8Array(length);
        const count = await source.readAt(offset, target);
        assert.deepEqual(Buffer.from(target.subarray(0, count)), content.subarray(offset, offset + length));
      }),
      runs(40),
    );
  }
  await sources[1].close?.();
});

test('a slice ends where its source ends', async () => {
  const slice = sliceSource(memorySource('m', content), 's', 4990, 100);
  assert.equal(slice.size, 10);
  assert.deepEqual((await readInPieces(slice)).bytes, content.subarray(4990));
  assert.equal(sliceSource(memorySource('m', content), 's', 9999, 100).size, 0);
});

test('openAt starts in the middle of sources with and without random access', async () => {
  const streamOnly = gunzip(memorySource('m.gz', gzipSync(content)));
  assert.equal(isRandom(streamOnly), false);
  for (const source of [memorySource('m', content), streamOnly]) {
    const stream = await openAt(source, 4321);
    const rest = new Uint8Array(2000);
    assert.equal(await stream.read(rest), 679);
    assert.deepEqual(Buffer.from(rest.subarray(0, 679)), content.subarray(4321));
    await stream.close();
  }
});

test("readHead returns at most the source's bytes", async () => {
  const source = memorySource('m', content);
  assert.deepEqual(Buffer.from(await readHead(source, 10)), content.subarray(0, 10));
  assert.equal((await readHead(source, 9999)).length, 5000);
});

test('a file that the system fails to read is an error with its name', {
  skip: !existsSync('/proc/self/mem'),
}, async () => {
  // Nothing is mapped at its beginning.
  const source = await fileSource('/proc/self/mem');
  const expected = { name: 'UnreadableError', message: '/proc/self/mem: the system fails to read it (EIO)' };
  await assert.rejects(source.readAt(0, new Uint8Array(4)), expected);
  await source.close?.();
  const stream = await source.open();
  await assert.rejects(stream.read(new Uint8Array(4)), expected);
  await stream.close();
});

test('a missing file, or a path that is not a file, is an error', async (t) => {
  const folder = await temporaryFolder(t);
  await assert.rejects(
    fileSource(join(folder, 'none')),
    new UnreadableError(`${join(folder, 'none')}: no such file`, { code: 'cannot-open' }),
  );
  await assert.rejects(fileSource(folder), /not a regular file/);
  const path = join(folder, 'gone');
  await writeFile(path, 'x');
  const source = await fileSource(path);
  assert.equal(await source.readAt(0, new Uint8Array(4)), 1);
  await source.close?.();
  assert.equal(await source.readAt(0, new Uint8Array(4)), 1, 'reading after close opens it again');
  await source.close?.();
});
