/** The check agrees with `JSON.parse` on JSON and on nearly valid JSON. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runs, times } from '../../testing/amount.js';
import { isJsonText } from './json-walk.js';

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const check = (text: string): boolean => isJsonText(new TextEncoder().encode(text));

test('agrees with JSON.parse on JSON', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(0, 2), (text, spaces) => {
      assert.ok(check(text));
      assert.ok(check(` ${JSON.stringify(JSON.parse(text), null, spaces)}\n`));
    }),
    runs(500),
  );
});

test('agrees with JSON.parse on runs of its tokens', () => {
  const token = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"a"', '"\\n"', '"\\q"', '"\\u12"', '"\t"', '"é"', '"', '\\'],
    ...['0', '-0', '01', '-', '1.', '.5', '1.5e+3', '1e', '+1', '12', 'true', 'tru', 'null', 'nullx', 'NaN', ' ', '\n'],
  );
  let valid = 0;
  fc.assert(
    fc.property(fc.array(token, { maxLength: 7 }), (tokens) => {
      const text = tokens.join('');
      if (parses(text)) valid++;
      assert.equal(check(text), parses(text), text);
    }),
    runs(20_000),
  );
  assert.ok(valid > times(20_000) / 100, String(valid));
});

test('agrees with JSON.parse if one byte of JSON is changed', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.integer({ min: 0, max: 127 }), (text, place, byte) => {
      const at = place % text.length;
      const changed = text.slice(0, at) + String.fromCharCode(byte) + text.slice(at + 1);
      assert.equal(check(changed), parses(changed), changed);
    }),
    runs(3000),
  );
});

test('bytes that are not UTF-8 are not JSON', () => {
  assert.ok(isJsonText(Uint8Array.of(0x22, 0xc3, 0xa9, 0x22)));
  assert.ok(!isJsonText(Uint8Array.of(0x22, 0xc3, 0x22)));
});

test('nesting does not use the call stack', () => {
  const depth = 200_000;
  assert.ok(check('['.repeat(depth) + ']'.repeat(depth)));
  assert.ok(!check('['.repeat(depth) + ']'.repeat(depth - 1)));
});
