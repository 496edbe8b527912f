/** The index of ids against a plain sorted list: dense, thin and hostile spreads, with ids beyond 2^53. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import {
  eachId,
  finishIds,
  type IdRange,
  IdSink,
  idBuilder,
  idBytes,
  idOfRow,
  layoutOf,
  rowOfId,
} from './object-ids.js';

const BLOCK = 2 ** 20;

/** What the first pass over a dump says of these ids. */
function rangeOf(ids: readonly number[]): IdRange {
  const bits = ids.reduce((all, id) => all | (id % 2 ** 32), 0);
  const blocks = Float64Array.from(new Set(ids.map((id) => Math.floor(id / BLOCK))));
  return { blocks, blockBytes: BLOCK, bits, most: ids.length };
}

function agrees(ids: readonly number[], range: IdRange, others: readonly number[]): void {
  const builder = idBuilder(range);
  const sink = new IdSink(builder);
  for (const id of ids) sink.add(id);
  const index = finishIds(builder);
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  equal(index.length, sorted.length);
  sorted.forEach((id, row) => {
    equal(rowOfId(index, id), row);
    equal(idOfRow(index, row), id);
  });
  const each: number[][] = [];
  eachId(index, (id, row) => each.push([id, row]));
  deepEqual(
    each,
    sorted.map((id, row) => [id, row]),
  );
  const known = new Set(ids);
  for (const id of [...others, ...sorted.flatMap((one) => [one - 1, one + 1, one + 4, one - 8])])
    if (!known.has(id)) equal(rowOfId(index, id), -1, `${id}`);
}

/** Ids of heaps (near each other), of agents (consecutive), anywhere, and beyond what is exact. */
const place = fc.oneof(
  fc.nat(5000).map((slot) => 0x7_0000_0000 + slot * 8),
  fc.nat(5000).map((slot) => 0x7_4000_0000 + slot * 16),
  fc.nat(300).map((number) => 0x5000_0000 + number),
  fc.constantFrom(0, 1, 2, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, 2 ** 63, 2 ** 64 - 2048),
  fc.maxSafeNat(),
);

test('rows, ids and their order are those of a sorted list', () => {
  fc.assert(
    fc.property(
      fc.array(place, { maxLength: 60 }),
      fc.array(place, { maxLength: 20 }),
      fc.boolean(),
      (ids, others, many) => {
        const range = rangeOf(ids);
        agrees(ids, many ? { ...range, blocks: undefined } : range, others);
      },
    ),
    runs(3000),
  );
});

test('ids of one heap', () => {
  const heap = fc.tuple(fc.constantFrom(0, 0x1000_0000, 0x7_0000_0000), fc.constantFrom(1, 4, 8, 16, 256), fc.nat(30));
  const ids = fc.array(fc.nat(4000), { maxLength: 80 });
  fc.assert(
    fc.property(heap, ids, ids, ([base, step, far], near, others) => {
      const at = (slot: number): number => base + (slot + (slot % 7 === 3 ? far * 100_000 : 0)) * step;
      agrees(near.map(at), rangeOf(near.map(at)), others.map(at));
    }),
    runs(1000),
  );
});

test('a heap takes a bit and its rank a possible address, thin spreads 8 bytes an id', () => {
  const heap = Array.from({ length: 100_000 }, (_, i) => 0x7_0000_0000 + i * 24);
  ok(layoutOf(rangeOf(heap)) !== undefined);
  ok(idBytes(rangeOf(heap)) <= 24 * heap.length);
  const thin = Array.from({ length: 1000 }, (_, i) => i * 2 ** 33 + 8);
  equal(layoutOf(rangeOf(thin)), undefined);
  equal(idBytes(rangeOf(thin)), 8000);
  agrees(thin, rangeOf(thin), [2 ** 33, 16]);
});
