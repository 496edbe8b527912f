/** The outline agrees with `JSON.parse` on whole documents, however they are cut into windows. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../testing/amount.js';
import { JsonOutliner } from './json-outline.js';

function outline(text: string, ...cuts: number[]) {
  const bytes = new TextEncoder().encode(text);
  const outliner = new JsonOutliner();
  let from = 0;
  for (const cut of [...cuts.map((at) => at % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    outliner.feed(bytes.subarray(from, cut));
    from = Math.max(from, cut);
  }
  return outliner.outline;
}

const kindOf = (value: unknown): string => {
  if (Array.isArray(value)) return 'array';
  if (value === null || typeof value === 'boolean') return 'word';
  return typeof value;
};

describe('an outline', () => {
  test('has keys, kinds and short texts, in any order and with any white space', () => {
    const found = outline('\ufeff { "b" :\n[ 1 , {"x":"é\\"y"} ],\t"a":-1.5e3,"c":{"d":null,"e":{}} } \r\n');
    assert.equal(found.root, 'object');
    assert.deepEqual(found.keys, ['b', 'a', 'c']);
    assert.equal(found.marks.get('b[]')?.kind, 'number');
    assert.equal(found.marks.get('b[]/x')?.kind, 'string');
    assert.deepEqual(found.marks.get('a'), { kind: 'number', text: '-1.5e3' });
    assert.equal(found.marks.get('c/d')?.kind, 'word');
    assert.equal(found.marks.get('c/e')?.kind, 'object');
    assert.deepEqual([found.ended, found.faulty, found.trailing], [true, false, false]);
  });

  test('distinguishes a cut end from an error', () => {
    for (const cut of ['{"a":[1,2', '{"a', '[{"b":"', '{"a":tr', '{']) {
      const found = outline(cut);
      assert.deepEqual([found.ended, found.faulty], [false, false], cut);
    }
    for (const fault of ['{a:1}', '{"a":1,}', '[1 2]', '{"a":01x,', '[}', '{"a":nul}', '{"a"}', '[1,]']) {
      assert.equal(outline(fault).faulty, true, fault);
    }
    assert.equal(outline('{"a":1}\n{"a":2}').trailing, true);
    assert.equal(outline('text').root, undefined);
  });

  test('skips deep values and finds later keys', () => {
    const deep = `${'['.repeat(500)}"]]"${']'.repeat(500)}`;
    const many = Array.from({ length: 3000 }, (_, index) => `"k${index}":{"v":${index}}`).join(',');
    const found = outline(
      `{"deep":${deep},"long":[${'{"a":"}]"},'.repeat(1000)}0],"many":{${many}},"last":[{"id":1}]}`,
      700,
      9000,
    );
    assert.deepEqual(found.keys, ['deep', 'long', 'many', 'last']);
    assert.equal(found.marks.get('last[]/id')?.kind, 'number');
    assert.equal(found.ended, true);
    assert.ok(found.marks.size < 700);
  });

  test('is the same for all divisions of the bytes, and agrees with JSON.parse', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 4 }),
        fc.array(fc.nat(), { maxLength: 5 }),
        fc.boolean(),
        (json, cuts, pretty) => {
          const value: unknown = JSON.parse(json);
          const text = pretty ? JSON.stringify(value, undefined, 3) : json;
          const whole = outline(text);
          const pieces = outline(text, ...cuts);
          assert.deepEqual([...pieces.marks], [...whole.marks]);
          assert.deepEqual({ ...pieces, marks: 0 }, { ...whole, marks: 0 });
          if (typeof value !== 'object' || value === null) return assert.equal(whole.root, undefined);
          assert.deepEqual([whole.root, whole.ended, whole.faulty], [kindOf(value), true, false]);
          if (Array.isArray(value))
            return assert.equal(whole.marks.get('[]')?.kind, value.length > 0 ? kindOf(value[0]) : undefined);
          const simple = Object.entries(value).filter(([key]) => /^[\w ]+$/.test(key));
          for (const [key, inner] of simple) assert.equal(whole.marks.get(key)?.kind, kindOf(inner), key);
        },
      ),
      runs(500),
    );
  });
});
