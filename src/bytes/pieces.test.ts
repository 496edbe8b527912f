import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededBytes } from '../testing/byte-sources.js';
import { Random } from '../testing/random.js';
import { memorySource, type RandomSource } from './byte-source.js';
import { readPieces } from './pieces.js';

const MIB = 1 << 20;

/** A source that counts its reads. */
function counted(bytes: Uint8Array): { source: RandomSource; reads: { count: number; bytes: number } } {
  const source = memorySource('x', bytes);
  const reads = { count: 0, bytes: 0 };
  const readAt = (offset: number, target: Uint8Array): Promise<number> => {
    reads.count++;
    reads.bytes += target.length;
    return source.readAt(offset, target);
  };
  return { source: { ...source, readAt }, reads };
}

test('pieces have the right bytes in any order and with overlaps; the source may end in one', async () => {
  const bytes = seededBytes(3 * MIB, 1);
  for (let seed = 0; seed < 30; seed++) {
    const random = new Random(seed);
    const count = random.below(200);
    const starts = Float64Array.from({ length: count }, () => random.below(bytes.length + 1000));
    const lengths = Float64Array.from({ length: count }, () => random.below(random.below(20) === 0 ? MIB : 500));
    const seen = new Set<number>();
    await readPieces(counted(bytes).source, { starts, lengths }, (piece, content) => {
      assert.ok(!seen.has(piece));
      seen.add(piece);
      assert.ok(bytes.subarray(starts[piece], starts[piece] + lengths[piece]).equals(content));
    });
    assert.equal(seen.size, count);
  }
});

test('neighbours share reads of a few MiB, wide gaps are skipped, a large piece has its own read', async () => {
  const { source, reads } = counted(new Uint8Array(20 * MIB));
  const order: number[] = [];
  const visit = (piece: number): void => void order.push(piece);
  const starts = Float64Array.from({ length: 1000 }, (_, i) => (999 - i) * 4000);
  await readPieces(source, { starts, lengths: new Float64Array(1000).fill(3000) }, visit);
  assert.equal(reads.count, 1);
  assert.deepEqual(
    order,
    Array.from({ length: 1000 }, (_, i) => 999 - i),
  );
  reads.count = 0;
  reads.bytes = 0;
  await readPieces(source, { starts: Float64Array.of(0, 5 * MIB, 9e6), lengths: Float64Array.of(10, 10, 8e6) }, visit);
  assert.deepEqual(reads, { count: 3, bytes: 8e6 + 20 });
});

test('work can be stopped between windows, and reports its progress', async () => {
  const { source } = counted(new Uint8Array(10 * MIB));
  const pieces = { starts: Float64Array.of(0, 4 * MIB, 9 * MIB), lengths: new Float64Array(3).fill(10) };
  const stop = new AbortController();
  const said: number[] = [];
  const progress = ({ done, total }: { done: number; total: number | undefined }): void => {
    said.push(done, total ?? -1);
    if (done === 2) stop.abort();
  };
  const reading = readPieces(source, pieces, () => undefined, { signal: stop.signal, progress });
  await assert.rejects(reading, { name: 'AbortError' });
  assert.deepEqual(said, [1, 3, 2, 3]);
});
