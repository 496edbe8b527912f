/** What tests of byte sources share: reading in pieces of any sizes, folders that go away, seeded bytes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Problem } from '../base/problems.js';
import type { ByteSource } from '../bytes/byte-source.js';

/** All bytes of a source, read in pieces of the given sizes (repeated), and the damage reported at the end. */
export async function readInPieces(
  source: ByteSource,
  sizes: readonly number[] = [65536],
): Promise<{ bytes: Buffer; damage: Problem | undefined }> {
  const stream = await source.open();
  const parts: Uint8Array[] = [];
  try {
    for (let i = 0; ; i++) {
      const part = new Uint8Array(sizes[i % sizes.length]);
      const count = await stream.read(part);
      parts.push(part.subarray(0, count));
      if (count < part.length) break;
    }
    if ((await stream.read(new Uint8Array(7))) !== 0) throw new Error('bytes after the end');
    return { bytes: Buffer.concat(parts), damage: stream.damage() };
  } finally {
    await stream.close();
  }
}

/** A folder that is removed after the test. */
export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kansoku-test-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Bytes that are the same in every run. `spread` 1 makes them all zero, 256 makes them hard to compress. */
export function seededBytes(length: number, seed: number, spread = 256): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed | 0;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    bytes[i] = (state >>> 16) % spread;
  }
  return bytes;
}
