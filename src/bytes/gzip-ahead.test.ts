/** Members unpacked ahead: the same bytes and the same damage as without. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { amount, runs } from '../testing/amount.js';
import { readInPieces, seededBytes } from '../testing/byte-sources.js';
import { memorySource, type RandomSource } from './byte-source.js';
import { gunzip } from './gzip.node.js';
import { MembersAhead } from './gzip-ahead.node.js';

const NEVER = Number.POSITIVE_INFINITY;
const plain = seededBytes(900_000, 5, 60);

/** Read with and without members ahead: both must be equal. */
async function bothWays(packed: Uint8Array, sizes?: readonly number[]) {
  const source = memorySource('x.gz', packed);
  const found = await readInPieces(gunzip(source, 0), sizes);
  const expected = await readInPieces(gunzip(source, NEVER), sizes);
  assert.ok(found.bytes.equals(expected.bytes), `${found.bytes.length} of ${expected.bytes.length} bytes`);
  assert.deepEqual(found.damage, expected.damage);
  return found;
}

function members(data: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(data.length / size) }, (_, i) => data.subarray(i * size, (i + 1) * size));
}

/** How many bytes of a source were unpacked ahead. */
async function takenAhead(source: RandomSource): Promise<{ length: number; end: number }> {
  const ahead = new MembersAhead(source);
  let [length, end] = [0, 0];
  for (let next = await ahead.at(0); next !== undefined; next = await ahead.at(end)) {
    length += next.bytes.length;
    end = next.end;
  }
  return { length, end };
}

test('all members of usual size are unpacked ahead', async () => {
  const packed = Buffer.concat(members(plain, 100_000).map((part) => gzipSync(part)));
  assert.deepEqual(await takenAhead(memorySource('x.gz', packed)), { length: plain.length, end: packed.length });
  // Several windows of compressed bytes.
  const large = seededBytes(9 << 20, 3);
  const stored = Buffer.concat(members(large, 1 << 20).map((part) => gzipSync(part, { level: 0 })));
  assert.deepEqual(await takenAhead(memorySource('x.gz', stored)), { length: large.length, end: stored.length });
  assert.ok((await bothWays(stored, [1 << 20])).bytes.equals(large));
});

test('members of all sizes, with headers inside of their data', async () => {
  const data = fc.array(fc.oneof(fc.uint8Array({ maxLength: 50 }), fc.constant(gzipSync('inner'))), { maxLength: 6 });
  const member = fc.record({ data, level: fc.constantFrom(0, 6) });
  await fc.assert(
    fc.asyncProperty(fc.array(member, { minLength: 1, maxLength: 12 }), async (all) => {
      const packed = Buffer.concat(all.map(({ data, level }) => gzipSync(Buffer.concat(data), { level })));
      const { bytes, damage } = await bothWays(packed, [97]);
      assert.deepEqual(bytes, gunzipSync(packed));
      assert.equal(damage, undefined);
    }),
    runs(40),
  );
});

test('any damage to any byte, and every cut, is reported as without', async () => {
  const packed = Buffer.concat(members(plain.subarray(0, 900), 300).map((part) => gzipSync(part)));
  for (let at = 0; at < packed.length; at += amount(3, 12)) {
    const flipped = Buffer.from(packed);
    flipped[at] ^= 1 << (at % 8);
    await bothWays(flipped, [500]);
    await bothWays(packed.subarray(0, at), [500]);
  }
});

test('a member that has more or less than it announces is left to the stream, which reports it', async () => {
  for (const announced of [0, 99_999, 100_001, 3 << 20, 2 ** 32 - 1]) {
    const [first, second, third] = members(plain, 300_000).map((part) => gzipSync(part));
    second.writeUInt32LE(announced, second.length - 4);
    const { bytes, damage } = await bothWays(Buffer.concat([first, second, third]));
    assert.ok(bytes.equals(plain));
    assert.equal(damage?.code, 'gzip-checksum');
  }
});

test('a member that expands a thousandfold beyond its announced size takes no memory', async () => {
  const bomb = gzipSync(Buffer.alloc(200 << 20), { level: 1 });
  bomb.writeUInt32LE(1 << 20, bomb.length - 4);
  const source = memorySource('x.gz', Buffer.concat([gzipSync(plain), bomb, gzipSync(plain)]));
  const before = process.memoryUsage().arrayBuffers;
  const ahead = new MembersAhead(source);
  assert.equal(await ahead.at(0), undefined);
  assert.ok(process.memoryUsage().arrayBuffers - before < 64 << 20);
});

test('one member without an end in reach is looked at once', async () => {
  let read = 0;
  const source = memorySource('x.gz', gzipSync(seededBytes(12 << 20, 8), { level: 0 }));
  const counted: RandomSource = {
    ...source,
    readAt: (offset, target) => {
      read += target.length;
      return source.readAt(offset, target);
    },
  };
  assert.equal(await new MembersAhead(counted).at(0), undefined);
  assert.equal(read, 4 << 20);
});

test('padding and garbage after the last member', async () => {
  const packed = Buffer.concat(members(plain, 400_000).map((part) => gzipSync(part)));
  for (const end of [Buffer.alloc(5000), Buffer.from('garbage'), Buffer.from([0x1f, 0x8b, 8]), gzipSync('')])
    assert.ok((await bothWays(Buffer.concat([packed, end]))).bytes.equals(plain));
});

/** A member with the header that a program writes: its flags, and what follows them. */
function memberOf(data: Buffer, flags: number, fields: Buffer): Buffer {
  const body = gzipSync(data).subarray(10);
  return Buffer.concat([Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 0xff]), fields, body]);
}

test('headers of bgzip and of HotSpot', async () => {
  const blockSize = Buffer.from([6, 0, 0x42, 0x43, 2, 0, 0x12, 0x34]);
  const bgzip = [...members(plain, 65_280), Buffer.alloc(0)].map((part) => memberOf(part, 4, blockSize));
  const comment = Buffer.from('HPROF BLOCKSIZE=1048576\0');
  const hotspot = members(plain, 200_000).map((part, i) =>
    i < 2 ? memberOf(part, 16, comment) : memberOf(part, 0, Buffer.alloc(0)),
  );
  for (const packed of [Buffer.concat(bgzip), Buffer.concat(hotspot)]) {
    assert.ok((await bothWays(packed)).bytes.equals(plain));
    assert.deepEqual(await takenAhead(memorySource('x.gz', packed)), { length: plain.length, end: packed.length });
  }
});
