/** Places of constants by key, against a search through all of them. */
import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../testing/amount.js';
import { ConstantPlaces } from './constant-places.js';

const near = fc.nat(80);
/** Negative ones are codes of keys that 31 bits do not have. */
const any = fc.oneof(near, fc.integer({ min: -5, max: -1 }), fc.constantFrom(1 << 16, 0x7fffffff));

for (const [title, key] of [
  ['numbers in a row', near],
  ['any keys', any],
] as const)
  test(`${title}: the first constant of each key, asked for few times and many`, () => {
    const property = fc.property(fc.array(fc.array(key, { maxLength: 60 }), { maxLength: 4 }), (blocks) => {
      const places = new ConstantPlaces();
      const all = new Map<number, readonly [block: number, place: number]>();
      for (const [block, keys] of blocks.entries()) {
        places.add(Uint8Array.of(block), {
          keys: Int32Array.from(keys),
          places: Int32Array.from(keys, (_, i) => 7 * i),
        });
        for (const [i, one] of keys.entries()) if (!all.has(one)) all.set(one, [block, 7 * i]);
      }
      const asked = [...all.keys(), 81, -6, 0x7ffffffe, ...Array.from({ length: 81 }, (_, i) => i)];
      for (const one of asked) {
        const found = places.find(one);
        deepEqual(found && [found.block[0], found.at], all.get(one), `${one}`);
      }
    });
    fc.assert(property, runs(300));
  });
