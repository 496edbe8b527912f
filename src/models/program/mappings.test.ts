/** Addresses to places, against a search with `BigInt` over all mappings. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { runs, times } from '../../testing/amount.js';
import type { Mapping } from './load-object-builder.js';
import { MappingIndex } from './mappings.js';
import type { NativePlace } from './places.js';
import { ProgramBuilder } from './program-builder.js';

function indexOf(mappings: readonly Mapping[]): MappingIndex {
  const program = new ProgramBuilder();
  for (const mapping of mappings) program.mapping(mapping);
  const table = program.finish().mappings;
  if (table === undefined) throw new Error('there are no mappings');
  return new MappingIndex(table);
}

function naive(mappings: readonly Mapping[], address: bigint, time: number): NativePlace | undefined {
  let found: Mapping | undefined;
  for (const mapping of mappings) {
    const start = (BigInt(mapping.high) << 32n) | BigInt(mapping.low);
    const covers = address >= start && address < start + BigInt(mapping.size);
    if (!covers || time < mapping.from || time >= mapping.to) continue;
    if (found === undefined || mapping.from >= found.from) found = mapping;
  }
  if (found === undefined) return undefined;
  const start = (BigInt(found.high) << 32n) | BigInt(found.low);
  return { loadObject: found.loadObject, offset: found.offset + Number(address - start) };
}

/** Few addresses around the borders of 32 bits and of 64, so that mappings overlap. */
const high = fc.constantFrom(0, 1, 0x7f3c, 0x7f3d, 0xffff_fffe, 0xffff_ffff);
const low = fc.oneof(fc.constantFrom(0, 0x1000, 0xffff_f000, 0xffff_ffff), fc.nat(0x4000));
const mapping: fc.Arbitrary<Mapping> = fc.record({
  loadObject: fc.nat(3),
  high,
  low,
  size: fc.oneof(fc.constantFrom(0, 1, 0x1000, 2 ** 32), fc.nat(0x8000)),
  offset: fc.oneof(fc.constantFrom(0, 2 ** 40), fc.nat(0x1000)),
  from: fc.nat(10),
  to: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(12)),
});

describe('addresses', () => {
  it('are resolved as by a search over all mappings', () => {
    let some = 0;
    fc.assert(
      fc.property(
        fc.array(mapping, { minLength: 1, maxLength: 12 }),
        fc.array(fc.tuple(high, low, fc.nat(12)), { minLength: 1, maxLength: 20 }),
        (mappings, questions) => {
          const index = indexOf(mappings);
          for (const [upper, lower, time] of questions) {
            const expected = naive(mappings, (BigInt(upper) << 32n) | BigInt(lower), time);
            if (expected !== undefined) some++;
            deepStrictEqual(index.find(upper, lower, time), expected);
          }
        },
      ),
      runs(2000),
    );
    equal(some > times(1000), true);
  });

  it('may belong to another load object at another time', () => {
    const code = { high: 0x7f3c, low: 0x1000, size: 0x100, offset: 0 };
    const index = indexOf([
      { ...code, loadObject: 0, from: 0, to: 50 },
      { ...code, loadObject: 1, from: 60, to: Number.POSITIVE_INFINITY },
    ]);
    deepStrictEqual(
      [0, 49, 50, 60].map((time) => index.find(0x7f3c, 0x10ff, time)),
      [{ loadObject: 0, offset: 0xff }, { loadObject: 0, offset: 0xff }, undefined, { loadObject: 1, offset: 0xff }],
    );
    equal(index.find(0x7f3c, 0x1100, 0), undefined);
  });
});
