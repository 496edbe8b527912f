import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { ObjectIds } from './object-ids.js';

const near = fc.nat(200_000).map((n) => 0x50000000 + n);
const pointer = fc.tuple(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0xffffffff }));
const id = fc.oneof(
  near,
  fc.nat(40).map((n) => 0x50000000 + n * 1000),
  pointer.map(([high, low]) => high * 2 ** 32 + low),
);

test('ids of objects get the numbers that a Map gives, and can be restored', () => {
  fc.assert(
    fc.property(fc.array(id, { maxLength: 3000 }), (list) => {
      const ids = new ObjectIds();
      const map = new Map<number, number>();
      for (const address of list) {
        if (!map.has(address)) map.set(address, map.size);
        const number = ids.add(Math.floor(address / 2 ** 32) | 0, address | 0);
        assert.equal(number, map.get(address));
        assert.equal(ids.address(number), address);
      }
      assert.equal(ids.length, map.size);
    }),
    runs(60),
  );
});
