import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../testing/amount.js';
import { decodeUtf8, encodeUtf8, stringAt } from './text.js';

const RUNS = runs(2000);
/** A byte order mark is a character like any other within a file. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** UTF-16 code units of all kinds, surrogates alone and in pairs often among them. */
const units = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0xd7f0, max: 0xe010 }),
      fc.integer({ min: 0, max: 0x7f }),
    ),
  )
  .map((codes) => String.fromCharCode(...codes))
  .filter((text) => !text.startsWith('\ufeff'));

/** Text as a class file has it (JVMS 4.4.7): each UTF-16 unit on its own, NUL as two bytes. */
function modifiedUtf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 1 && code <= 0x7f) bytes.push(code);
    else if (code <= 0x7ff) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
    else bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
  }
  return Uint8Array.from(bytes);
}

function decode(bytes: Uint8Array): string {
  return decodeUtf8(bytes, 0, bytes.length);
}

describe('names as bytes', () => {
  test('are restored as the same text, lone surrogates included', () => {
    fc.assert(
      fc.property(units, (text) => assert.equal(decode(encodeUtf8(text)), text)),
      RUNS,
    );
  });

  test('of well-formed text are UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.deepEqual(encodeUtf8(text), new TextEncoder().encode(text));
      }),
      RUNS,
    );
  });

  test('of a class file are read', () => {
    fc.assert(
      fc.property(units, (text) => assert.equal(decode(modifiedUtf8(text)), text)),
      RUNS,
    );
  });

  test("are read as by TextDecoder, except for Java's extensions of UTF-8", () => {
    const bytes = fc.array(fc.integer({ min: 0, max: 255 }).filter((byte) => byte !== 0xed && byte !== 0xc0));
    fc.assert(
      fc.property(bytes, fc.nat(3), (numbers, before) => {
        const run = Uint8Array.from([...Array<number>(before).fill(0x41), ...numbers, 0x41]);
        const part = run.subarray(before, run.length - 1);
        if (decoder.decode(part).startsWith('\ufeff')) return;
        assert.equal(decodeUtf8(run, before, run.length - 1), decoder.decode(part));
      }),
      RUNS,
    );
  });

  test('that are invalid do not affect the text around them', () => {
    const cases: [number[], string][] = [
      [[0x61, 0xed, 0xa0], 'a\ufffd\ufffd'],
      [[0xc0], '\ufffd'],
      [[0x61, 0xc0, 0x80, 0x62], 'a\0b'],
      [[0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], '😀'],
      [[0xed, 0xb8, 0x80, 0x21], '\ude00!'],
      [[0xed, 0x9f, 0xbf], '\ud7ff'],
      [[0xff, 0xed, 0xa0, 0x80], '\ufffd\ud800'],
    ];
    for (const [bytes, text] of cases) assert.equal(decode(Uint8Array.from(bytes)), text);
  });

  test('keep a byte order mark at their beginning', () => {
    assert.equal(decode(encodeUtf8('\ufeffname')), '\ufeffname');
    assert.equal(decode(encodeUtf8('\0\ufeff\ud800')), '\0\ufeff\ud800');
  });

  test('do not run into their neighbours', () => {
    const run = Uint8Array.of(0x61, 0xed, 0xa0, 0xbd, 0xc0, 0x80);
    assert.equal(decodeUtf8(run, 0, 3), 'a\ufffd\ufffd');
    assert.equal(decodeUtf8(run, 4, 5), '\ufffd');
  });

  test('are looked up in their table', () => {
    const table = { bytes: encodeUtf8('abcd'), offsets: Int32Array.of(0, 1, 1, 4) };
    for (const _ of [1, 2])
      assert.deepEqual(
        [0, 1, 2].map((id) => stringAt(table, id)),
        ['a', '', 'bcd'],
      );
  });
});
