import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { ByteInterner, hashBytes, IntRuns, IntTable } from './hash.js';

const RUNS = runs(300);

/** Any numbers, few numbers (the same pair comes often), and numbers that meet in one slot. */
const number = fc.oneof(
  fc.integer(),
  fc.integer({ min: -2, max: 3 }),
  fc.nat(40).map((n) => n * 4096),
  fc.constantFrom(0x7fffffff, -0x80000000),
);

describe('a table of pairs', () => {
  test('gives ids as a Map does', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(number, number), { maxLength: 400 }), fc.nat(50), (pairs, capacity) => {
        const table = new IntTable(capacity);
        const map = new Map<string, number>();
        for (const [a, b] of pairs) {
          const key = `${a} ${b}`;
          assert.equal(table.find(a, b), map.get(key) ?? -1);
          if (!map.has(key)) map.set(key, map.size);
          assert.equal(table.add(a, b), map.get(key));
        }
        assert.equal(table.length, map.size);
        const keys = Array.from(table.column(0), (a, id) => `${a} ${table.column(1)[id]}`);
        assert.deepEqual(keys, [...map.keys()]);
      }),
      RUNS,
    );
  });

  test('holds many pairs with one first number', () => {
    const table = new IntTable(1);
    for (let i = 0; i < 50_000; i++) assert.equal(table.add(7, i), i);
    for (let i = 0; i < 50_000; i++) assert.equal(table.find(7, i), i);
    assert.equal(table.find(8, 0), -1);
  });
});

test('runs of numbers get ids as a Map gives them, whatever their length', () => {
  fc.assert(
    fc.property(fc.array(fc.array(number, { maxLength: 40 }), { maxLength: 200 }), (lists) => {
      const table = new IntRuns();
      const map = new Map<string, number>();
      for (const list of lists) {
        const key = list.join(' ');
        if (!map.has(key)) map.set(key, map.size);
        for (const value of list) table.push(value);
        assert.equal(table.add(), map.get(key));
      }
      assert.equal(table.length, map.size);
    }),
    RUNS,
  );
});

test('runs of numbers that all have one hash keep ids of their own', () => {
  const table = new IntRuns();
  // The step of the hash can be inverted, so the second number can undo what the first one changed.
  const step = (hash: number): number => {
    const product = Math.imul(hash, 0x9e3779b1);
    return product ^ (product >>> 15);
  };
  const empty = table.add();
  const runsOfTwo = Array.from({ length: 20_000 }, (_, i) => [i, step(0x811c9dc5 ^ 2 ^ i)]);
  for (let round = 0; round < 2; round++)
    for (const [id, pair] of runsOfTwo.entries()) {
      for (const value of pair) table.push(value);
      assert.equal(table.add(), id + 1);
      assert.equal(table.add(), empty);
    }
});

/**
 * Names of 56 letters that all have one FNV-1a hash: 14 blocks, each one of two that lead from the state before it to
 * the same state behind it. The pairs were found by trying letters.
 */
function collidingNames(): Uint8Array[] {
  const pairs = [['l9On', 'H8aa'], ['mCCn', 'q2aa'], ...Array.from({ length: 12 }, () => ['lCCn', 'p2aa'])];
  let names = [''];
  for (const pair of pairs) names = names.flatMap((name) => pair.map((block) => name + block));
  return names.map((name) => new TextEncoder().encode(name));
}

/** The bytes, and how often one of them was looked at. */
function watched(bytes: Uint8Array): { bytes: Uint8Array; looks: () => number } {
  let looks = 0;
  const get = (target: Uint8Array, key: string | symbol) => {
    looks++;
    return Reflect.get(target, key);
  };
  return { bytes: new Proxy(bytes, { get }), looks: () => looks };
}

describe('an interner of bytes', () => {
  const word = fc.oneof(fc.uint8Array({ maxLength: 3 }), fc.uint8Array({ maxLength: 100 }));

  test('gives ids as a Map does', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 300 }), (words) => {
        const interner = new ByteInterner();
        const map = new Map<string, number>();
        for (const bytes of words) {
          const key = bytes.join(' ');
          if (!map.has(key)) map.set(key, map.size);
          // In the middle of a window, as scanners have them.
          const window = Uint8Array.of(9, ...bytes, 9);
          assert.equal(interner.add(window, 1, bytes.length + 1), map.get(key));
          const hash = hashBytes(bytes, 0, bytes.length);
          assert.equal(interner.addHashed(bytes, 0, bytes.length, hash), map.get(key));
        }
        assert.equal(interner.length, map.size);
        const run = interner.bytes.finish();
        const offsets = interner.offsets.finish();
        const keys = Array.from({ length: interner.length }, (_, id) =>
          run.subarray(offsets[id], offsets[id + 1]).join(' '),
        );
        assert.deepEqual(keys, [...map.keys()]);
      }),
      RUNS,
    );
  });

  test('distinguishes keys with the same hash', () => {
    const interner = new ByteInterner();
    const ids = [1, 2, 3, 1].map((byte) => interner.addHashed(Uint8Array.of(byte), 0, 1, 42));
    assert.deepEqual(ids, [0, 1, 2, 0]);
  });

  test('grows far beyond its first slots', () => {
    const interner = new ByteInterner();
    const encoder = new TextEncoder();
    for (const round of [1, 2]) {
      for (let i = 0; i < 20_000; i++) {
        const bytes = encoder.encode(`name${i}`);
        assert.equal(interner.add(bytes, 0, bytes.length), i, `round ${round}`);
      }
    }
  });

  test('does not compare a name with all others of its hash', () => {
    const names = collidingNames();
    assert.equal(names.length, 16_384);
    assert.equal(new Set(names.map((name) => hashBytes(name, 0, name.length))).size, 1);
    const interner = new ByteInterner();
    for (const [id, name] of names.entries()) assert.equal(interner.add(name, 0, name.length), id);
    for (const [id, name] of names.entries()) assert.equal(interner.add(name, 0, name.length), id);
    const knownKey = watched(names.at(-1) ?? new Uint8Array());
    assert.equal(interner.add(knownKey.bytes, 0, 56), names.length - 1);
    const unknown = watched(Uint8Array.from(names.at(-1) ?? [], (byte, at) => (at === 55 ? byte ^ 1 : byte)));
    const hash = hashBytes(names[0], 0, 56);
    assert.equal(interner.addHashed(unknown.bytes, 0, 56, hash), names.length);
    // At most 64 names of 56 bytes; without a bound the last of the 16,384 names takes 80,000 looks.
    for (const { looks } of [knownKey, unknown]) assert.ok(looks() > 56 && looks() < 56 * 80, `${looks()} bytes`);
  });

  test('gives ids in order if different hashes share a slot', () => {
    const interner = new ByteInterner();
    const column = new Int32Array(1);
    const bytes = new Uint8Array(column.buffer);
    for (const round of [1, 2]) {
      for (let i = 0; i < 20_000; i++) {
        column[0] = i;
        // Keys that the table maps to slot 0 until it has 2^17 slots.
        const key = i << 17;
        const hash = key ^ (key >>> 15) ^ (key >>> 30);
        assert.equal(interner.addHashed(bytes, 0, 4, hash), i, `round ${round}`);
      }
    }
  });
});
