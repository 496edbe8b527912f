/** Strings of UTF-16 units: each unit a number of one to three bytes, whether or not all are ASCII. */
import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { Cursor } from './cursor.js';
import { ChunkStrings, NO_STRING } from './strings.js';

const CHARS = 4;
const ASCII = [CHARS, 3, 0x61, 0x62, 0x63];
/** é is 0xe9: seven bits, then the eighth. */
const MIXED = [CHARS, 2, 0x61, 0xe9, 0x01];

test('compressed units are read to the end of the text, ASCII or not', () => {
  const cursor = new Cursor(true);
  const strings = new ChunkStrings(cursor);
  const bytes = Uint8Array.from([...ASCII, ...MIXED, ...ASCII]);
  cursor.set(bytes, 0, bytes.length);
  const ids = [0, 1, 2].map(() => strings.read(() => 0));
  deepEqual(
    ids.map((id) => strings.text(id)),
    ['abc', 'a\u00e9', 'abc'],
  );
  equal(ids[0], ids[2]);
  equal(cursor.at, bytes.length);
});

test('units that are not compressed have two bytes', () => {
  const cursor = new Cursor(false);
  const bytes = Uint8Array.from([CHARS, 0, 0, 0, 2, 0, 0x61, 0, 0x62, 0x7a]);
  cursor.set(bytes, 0, bytes.length);
  const strings = new ChunkStrings(cursor);
  equal(strings.text(strings.read(() => 0)), 'ab');
  equal(cursor.at, 9);
});

test('a text that ends behind its event is none', () => {
  const cursor = new Cursor(true);
  const bytes = Uint8Array.from([CHARS, 4, 0x61, 0x62, 0x63, 0x64]);
  cursor.set(bytes, 0, bytes.length - 1);
  equal(
    new ChunkStrings(cursor).read(() => 0),
    NO_STRING,
  );
  equal(cursor.isBehind, true);
});
