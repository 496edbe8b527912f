import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createGzip, deflateRawSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { runs } from '../testing/amount.js';
import { readInPieces, seededBytes, temporaryFolder } from '../testing/byte-sources.js';
import { type ByteSource, memorySource } from './byte-source.js';
import { directoryTree } from './directory.node.js';
import { fileSource } from './file.node.js';
import { gunzip, gunzipMembers } from './gzip.node.js';

const plain = seededBytes(400_000, 7, 40);

function unzipped(bytes: Uint8Array, sizes?: readonly number[]) {
  return readInPieces(gunzip(memorySource('x.gz', bytes)), sizes);
}

test('one member, read in pieces of any size', async () => {
  const packed = gzipSync(plain);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 300_000 }), { minLength: 1, maxLength: 4 }), async (sizes) => {
      const { bytes, damage } = await unzipped(
        packed,
        sizes.map((size) => Math.max(size, 500)),
      );
      assert.ok(bytes.equals(plain));
      assert.equal(damage, undefined);
    }),
    runs(10),
  );
});

test('any number of members of any size, empty ones included', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 20 }), async (members) => {
      const { bytes, damage } = await unzipped(Buffer.concat(members.map((member) => gzipSync(member))), [100]);
      assert.deepEqual(bytes, Buffer.concat(members));
      assert.equal(damage, undefined);
    }),
    runs(25),
  );
});

test('headers with a name, a comment, extra data and a check sum', async () => {
  const header = Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 5, 0, 1, 2, 3, 4, 5]);
  const texts = Buffer.from('name\0a comment\0');
  const body = gzipSync('hello').subarray(10);
  const { bytes, damage } = await unzipped(Buffer.concat([header, texts, Buffer.from([0xaa, 0xbb]), body]));
  assert.equal(bytes.toString(), 'hello');
  assert.equal(damage, undefined);
});

test('the output of the gzip program', async (t) => {
  const folder = await temporaryFolder(t);
  const path = join(folder, 'plain');
  await writeFile(path, plain);
  if (spawnSync('gzip', ['-9', path]).status !== 0) return t.skip('needs the gzip program');
  const { bytes, damage } = await readInPieces(gunzip(await fileSource(`${path}.gz`)));
  assert.ok(bytes.equals(plain));
  assert.equal(damage, undefined);
});

test('padding and garbage after the last member are reported; all data is read', async () => {
  const packed = Buffer.concat([gzipSync('one '), gzipSync('two')]);
  const padded = await unzipped(Buffer.concat([packed, Buffer.alloc(100_000)]));
  assert.equal(padded.bytes.toString(), 'one two');
  assert.equal(padded.damage?.code, 'gzip-padding');
  assert.equal(padded.damage?.severity, 'info');
  for (const garbage of ['garbage', '\0\0\0garbage', '\x1f', '\x1f\x8b']) {
    const { bytes, damage } = await unzipped(Buffer.concat([packed, Buffer.from(garbage, 'latin1')]));
    assert.equal(bytes.toString(), 'one two');
    assert.equal(damage?.code, 'gzip-trailing');
    assert.equal(damage?.offset, 7);
  }
});

test('a wrong checksum or length is reported; all data is read, also that of later members', async () => {
  for (const offset of [8, 4]) {
    const first = gzipSync(plain);
    first[first.length - offset] ^= 1;
    const { bytes, damage } = await unzipped(Buffer.concat([first, gzipSync('more')]));
    assert.ok(bytes.equals(Buffer.concat([plain, Buffer.from('more')])));
    assert.equal(damage?.code, 'gzip-checksum');
  }
});

test('cut anywhere: a prefix of the data is read, and the cut is reported', async () => {
  const members = [seededBytes(300, 1, 20), seededBytes(300, 2, 20)];
  const packed = Buffer.concat(members.map((member) => gzipSync(member)));
  const whole = Buffer.concat(members);
  const boundary = gzipSync(members[0]).length;
  let longest = 0;
  for (let length = 1; length < packed.length; length++) {
    const { bytes, damage } = await unzipped(packed.subarray(0, length));
    assert.ok(whole.subarray(0, bytes.length).equals(bytes), `cut at ${length}`);
    assert.ok(bytes.length >= longest, 'more input never gives less data');
    longest = bytes.length;
    if (length >= boundary) assert.ok(bytes.length >= 300);
    assert.equal(damage === undefined, length === boundary, `cut at ${length}: ${damage?.message}`);
  }
  assert.equal(longest, 600);
});

test('damage in the middle: all data before it is read, at any distance from the start', async () => {
  // Stored blocks are not compressed, so the data before the damage is known exactly.
  const data = seededBytes(200_000, 9);
  const packed = gzipSync(data, { level: 0 });
  const second = packed.indexOf(data.subarray(150_000, 150_032));
  let header = second;
  // The header of the stored block that holds byte 150,000: its length and the complement of it.
  const isHeader = (at: number) =>
    packed[at - 1] <= 1 &&
    packed.readUInt16LE(at) > 999 &&
    (packed.readUInt16LE(at) ^ packed.readUInt16LE(at + 2)) === 0xffff;
  while (!isHeader(header)) header--;
  const before = packed.subarray(header + 4, header + 36);
  packed[header] ^= 0xff;
  const { bytes, damage } = await unzipped(packed);
  assert.equal(bytes.length, data.indexOf(before));
  assert.ok(bytes.length > 60_000);
  assert.ok(data.subarray(0, bytes.length).equals(bytes));
  assert.equal(damage?.code, 'gzip-damaged');
  assert.equal(damage?.offset, bytes.length);
});

test('any byte flipped: no crash, bounded output, the damage is reported', async () => {
  const packed = gzipSync(seededBytes(500, 3, 30));
  for (let at = 0; at < packed.length; at++) {
    for (const mask of [0x01, 0xff]) {
      const flipped = Buffer.from(packed);
      flipped[at] ^= mask;
      const { bytes, damage } = await unzipped(flipped);
      assert.ok(bytes.length < 100_000);
      // Time, flags of the packer and the system are not part of the data.
      if (at === 3 || at > 9) assert.ok(damage !== undefined || at === 3, `flip at ${at}`);
    }
  }
});

test('high compression: memory stays bounded', async () => {
  const size = 256 << 20;
  const zip = createGzip({ level: 1 });
  const parts: Buffer[] = [];
  zip.on('data', (part: Buffer) => parts.push(part));
  const zeros = Buffer.alloc(1 << 20);
  for (let i = 0; i < size >> 20; i++)
    if (!zip.write(zeros)) await new Promise((resolve) => zip.once('drain', resolve));
  await new Promise<void>((resolve) => {
    zip.once('end', resolve);
    zip.end();
  });
  const packed = Buffer.concat(parts);
  assert.ok(packed.length < 2 << 20);
  const stream = await gunzip(memorySource('zeros.gz', packed)).open();
  const window = new Uint8Array(1 << 20);
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  let total = 0;
  for (let count = 1; count > 0; ) {
    count = await stream.read(window);
    total += count;
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  assert.equal(total, size);
  assert.equal(stream.damage(), undefined);
  assert.ok(most < 64 << 20, `${most} bytes at most`);
});

test('damage of a source without random access', async () => {
  const inner = gzipSync(plain);
  inner[inner.length >> 1] ^= 0x10;
  const outer = gunzip(memorySource('x.gz', gzipSync(inner)));
  const twice = await readInPieces(gunzip(outer));
  const once = await unzipped(inner);
  assert.deepEqual(twice.bytes, once.bytes);
  assert.equal(twice.damage?.code, once.damage?.code);
});

test('many members opened and closed early leave nothing running', async () => {
  const source: ByteSource = gunzip(memorySource('x.gz', gzipSync(plain)));
  for (let i = 0; i < 20; i++) {
    const stream = await source.open();
    assert.equal(await stream.read(new Uint8Array(10)), 10);
    await stream.close();
  }
});

test('gzipped members of a tree are decompressed, others are left alone', async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'a.csv.gz'), gzipSync('a,b\n'));
  await writeFile(join(folder, 'b.csv'), 'c,d\n');
  await writeFile(join(folder, 'raw'), deflateRawSync('x'));
  const tree = gunzipMembers(await directoryTree(folder));
  assert.equal((await readInPieces(await tree.open('a.csv.gz'))).bytes.toString(), 'a,b\n');
  assert.equal((await readInPieces(await tree.open('b.csv'))).bytes.toString(), 'c,d\n');
});
