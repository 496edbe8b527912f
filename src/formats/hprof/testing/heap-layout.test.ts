import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrayBytes, type FieldSpace, HeapSpace, instanceBytes, LAYOUTS, placeFields } from './heap-layout.js';

const [OBJECT, BOOLEAN, CHAR, BYTE, SHORT, INT, LONG] = [2, 4, 5, 8, 9, 10, 11];

/** Field types of a class and its superclasses, java.lang.Object's subclass first. */
function bytesOf(layout: keyof typeof LAYOUTS, ...levels: readonly number[][]): number {
  let space: FieldSpace | undefined;
  for (const types of levels) space = placeFields(LAYOUTS[layout], types, space);
  return instanceBytes(space ?? placeFields(LAYOUTS[layout], []));
}

const STRING = [OBJECT, INT, BYTE, BOOLEAN];
const ABSTRACT_MAP = [OBJECT, OBJECT];
const HASH_MAP = [OBJECT, OBJECT, INT, INT, INT, 6];
const HASH_NODE = [INT, OBJECT, OBJECT, OBJECT];

// jcmd GC.class_histogram of JDK 17 with compressed references: bytes / instances.
test('instances are as large as HotSpot 17 reports them', () => {
  assert.equal(bytesOf('compressed'), 16);
  assert.equal(bytesOf('compressed', STRING), 24, 'java.lang.String');
  assert.equal(bytesOf('compressed', [], [LONG]), 24, 'java.lang.Long');
  assert.equal(bytesOf('compressed', [], [INT]), 16, 'java.lang.Integer');
  assert.equal(bytesOf('compressed', HASH_NODE), 32, 'java.util.HashMap$Node');
  assert.equal(bytesOf('compressed', HASH_NODE, [OBJECT, OBJECT]), 40, 'java.util.LinkedHashMap$Entry');
  assert.equal(bytesOf('compressed', [OBJECT, OBJECT, OBJECT, OBJECT, OBJECT, BOOLEAN]), 40, 'java.util.TreeMap$Entry');
  assert.equal(bytesOf('compressed', ABSTRACT_MAP, HASH_MAP), 48, 'java.util.HashMap');
  assert.equal(bytesOf('compressed', ABSTRACT_MAP, HASH_MAP, [OBJECT, OBJECT, BOOLEAN]), 56, 'java.util.LinkedHashMap');
  assert.equal(bytesOf('compressed', [OBJECT, OBJECT, LONG, SHORT, BOOLEAN]), 32, 'Big$Line');
});

test('arrays begin behind the length, aligned to their elements', () => {
  const sizes = (type: number, length: number): number[] =>
    [LAYOUTS.compressed, LAYOUTS.wide, LAYOUTS.compact, LAYOUTS.narrow].map((layout) =>
      arrayBytes(layout, type, length),
    );
  assert.deepEqual(sizes(BYTE, 0), [16, 24, 16, 16]);
  assert.deepEqual(sizes(BYTE, 4), [24, 32, 16, 16]);
  assert.deepEqual(sizes(CHAR, 3), [24, 32, 24, 24]);
  assert.deepEqual(sizes(OBJECT, 2), [24, 40, 24, 24]);
  assert.deepEqual(sizes(LONG, 1), [24, 32, 24, 24]);
});

test('headers are as large as each layout says', () => {
  assert.deepEqual([bytesOf('wide'), bytesOf('compact'), bytesOf('narrow')], [16, 8, 8]);
  assert.deepEqual([bytesOf('wide', STRING), bytesOf('compact', STRING), bytesOf('narrow', STRING)], [32, 24, 24]);
});

test('objects touch', () => {
  const space = new HeapSpace(0x1000);
  assert.deepEqual([space.take(16), space.take(24), space.next], [0x1000, 0x1010, 0x1028]);
});
