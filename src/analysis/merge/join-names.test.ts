/** Joined names against a sort of buffers. */
import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { runs } from '../../testing/amount.js';
import { joinNames } from './join-names.js';

test('the names of several programs are joined in the order of their bytes', () => {
  // Long common beginnings, names that begin others, NUL and bytes beyond ASCII.
  const part = fc.constantFrom('com/example/', 'a', 'b', '\0', 'é', '\u{10ffff}', '');
  const names = fc.array(fc.string({ unit: part, maxLength: 5 }), { maxLength: 60 });
  fc.assert(
    fc.property(names, names, (one, other) => {
      const programs = [one, other].map((texts) => {
        const builder = new ProgramBuilder();
        for (const text of texts) builder.class(builder.name(text));
        return builder.finish();
      });
      const { names: joined, rows } = joinNames(programs);
      const textOf = (row: number): string =>
        Buffer.from(joined.bytes.subarray(joined.offsets[row], joined.offsets[row + 1])).toString();
      const expected = [...new Set([...one, ...other])].map((text) => Buffer.from(text)).sort(Buffer.compare);
      deepStrictEqual(
        Array.from({ length: joined.offsets.length - 1 }, (_, row) => textOf(row)),
        expected.map(String),
      );
      for (const [i, texts] of [one, other].entries())
        deepStrictEqual(Array.from(rows[i], textOf), [...new Set(texts)]);
    }),
    runs(200),
  );
});
