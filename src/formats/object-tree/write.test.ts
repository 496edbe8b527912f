/** Random heaps as object trees, and which objects are suppressed: the samples of GraalVM's documentation. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { memorySource } from '../../bytes/byte-source.js';
import { OBJECT_KINDS } from '../../models/heap/heap.js';
import { REFERENCE_KINDS, ROOTS } from '../../models/heap/heap-graph.js';
import { recordedHeap } from '../../models/heap/recorded-heap.js';
import { ROOT_KINDS } from '../../models/heap/root-kinds.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import { runs } from '../../testing/amount.js';
import type { Expansion } from '../capabilities/writer.js';
import { expanderOf } from './expansion.js';
import { readObjectTree } from './read.js';
import { naiveTree, type SeenTree, seenTree } from './testing/object-tree-oracle.js';
import { writeObjectTree } from './write.js';

interface DrawnObject {
  readonly array: boolean;
  readonly text: string;
  /** Field or index, and the object; null. */
  readonly references: readonly (readonly [number, number | null])[];
}

/** Texts with all that separates the parts of lines. */
const TEXT = fc
  .array(
    fc.constantFrom(
      'a',
      ' ',
      '"',
      '\0',
      ' toString=',
      ' id=7',
      ' id-ref=3',
      ' fields:',
      ' (no fields)',
      ' value:',
      '[0] ',
      'é',
    ),
  )
  .map((parts) => parts.join(''));

const HEAP = fc
  .array(
    fc.record({
      array: fc.boolean(),
      text: TEXT,
      references: fc.array(fc.tuple(fc.nat(5), fc.option(fc.nat(30))), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .chain((objects) =>
    fc.record({
      objects: fc.constant(objects),
      roots: fc.array(fc.nat(objects.length - 1), { minLength: 1, maxLength: 4 }),
    }),
  );

const target = (to: number | null, objects: readonly DrawnObject[]): number => (to === null ? -1 : to % objects.length);
const textOf = ({ array, text }: DrawnObject, row: number): string => `${array ? `T[${row}]{` : ''}${text}@${row}`;

function recordingOf(objects: readonly DrawnObject[], roots: readonly number[]): Recording {
  const program = new ProgramBuilder();
  const texts = objects.map((one, row) => Buffer.from(textOf(one, row)));
  const edges = objects.flatMap((one) => one.references.map((reference) => [one, ...reference] as const));
  const table = ROOTS.builder();
  roots.forEach((object, i) => {
    table.add({ object, kind: ROOT_KINDS.indexOf('static-field'), detail: program.name(`app:demo.C.f${i}:demo.T`) });
  });
  const [instance, array] = [OBJECT_KINDS.indexOf('instance'), OBJECT_KINDS.indexOf('object-array')];
  const classes = [program.class(program.name('demo.T')), program.class(program.name('[Ldemo.T;'))];
  const heap = recordedHeap({
    dump: 0,
    objects: {
      length: objects.length,
      address: Float64Array.from(objects.keys()),
      class: Int32Array.from(objects, (one) => classes[one.array ? 1 : 0] ?? -1),
      kind: Uint8Array.from(objects, (one) => (one.array ? array : instance)),
      elements: new Int32Array(objects.length).fill(-1),
      trace: new Int32Array(objects.length).fill(-1),
      text: Int32Array.from(objects.keys()),
      first: Int32Array.from({ length: objects.length + 1 }, (_, row) =>
        objects.slice(0, row).reduce((sum, one) => sum + one.references.length, 0),
      ),
    },
    references: {
      length: edges.length,
      target: Int32Array.from(edges, ([, , to]) => target(to, objects)),
      kind: Uint8Array.from(edges, ([one]) => REFERENCE_KINDS.indexOf(one.array ? 'element' : 'field')),
      name: Int32Array.from(edges, ([one, name]) => (one.array ? name : program.name(`f${name}`))),
      declared: Int32Array.from(edges, ([one]) => (one.array ? -1 : (classes[0] ?? -1))),
    },
    missing: new Float64Array(),
    roots: table.finish(),
    texts: {
      bytes: Buffer.concat(texts),
      offsets: Int32Array.from({ length: texts.length + 1 }, (_, i) => Buffer.concat(texts.slice(0, i)).length),
    },
    numbered: true,
  });
  return {
    name: 'drawn',
    format: 'drawn',
    metadata: [],
    sections: [],
    program: program.finish(),
    heaps: [heap],
    problems: { list: [], counts: {} },
    complete: true,
    residue: undefined,
  };
}

/** What a reader must see: objects numbered in the order of a depth-first walk, nulls of arrays left out. */
function expected(objects: readonly DrawnObject[], roots: readonly number[]): SeenTree {
  const numbers = new Map<number, number>();
  const tree: SeenTree = { roots: [], objects: new Map() };
  const visit = (row: number): number => {
    const known = numbers.get(row);
    if (known !== undefined) return known;
    const number = numbers.size;
    numbers.set(row, number);
    const one = objects[row];
    assert.ok(one !== undefined);
    const text = Buffer.from(textOf(one, row)).toString('latin1');
    const references: SeenReferences = [];
    const seen = { type: one.array ? 'demo.T[]' : 'demo.T', text, listed: true, references };
    tree.objects.set(number, seen);
    for (const [name, to] of one.references) {
      const at = target(to, objects);
      if (one.array && at < 0) continue;
      const own: SeenReferences[number] = [one.array ? name : `f${name}`, one.array ? null : 'demo.T', null, null];
      seen.references.push(own);
      if (at >= 0) own[2] = visit(at);
    }
    return number;
  };
  roots.forEach((row, i) => {
    tree.roots.push([`app:demo.C.f${i}:demo.T`, visit(row), null, null]);
  });
  return tree;
}
type SeenReferences = [string | number, string | null, number | null, string | null][];

const written = (recording: Recording, expansion?: Expansion): Buffer =>
  Buffer.concat([...writeObjectTree(recording, expansion === undefined ? {} : { expansion }).chunks]);
const read = (bytes: Uint8Array): Promise<Recording> => readObjectTree(memorySource('tree.txt', bytes));

describe('random heaps', () => {
  test('are the same after writing and reading', async () => {
    await fc.assert(
      fc.asyncProperty(HEAP, async ({ objects, roots }) => {
        const bytes = written(recordingOf(objects, roots));
        const recording = await read(bytes);
        assert.deepEqual(seenTree(recording), expected(objects, roots));
        assert.deepEqual(recording.problems.list, []);
        assert.equal(naiveTree(bytes.toString('latin1')).lost, 0);
        assert.deepEqual(written(recording), bytes);
      }),
      runs(500),
    );
  });
});

describe('suppressed types', () => {
  const suppresses = (type: string, options: Expansion): boolean => expanderOf(options, true).suppressesType(type);
  // Type, options, whether it is suppressed: the samples of the documentation, and its defaults.
  const samples: readonly (readonly [string, Expansion, boolean])[] = [
    ['java.io.BufferedWriter', {}, false],
    ['java.io.BufferedWriter', { suppressTypes: 'java.io.BufferedWriter' }, true],
    ['java.io.BufferedOutputStream', { suppressTypes: 'java.io.BufferedWriter' }, false],
    ['java.io.BufferedOutputStream', { suppressTypes: 'java.io.BufferedWriter,java.io.BufferedOutputStream' }, true],
    ['java.io.PrintStream', { suppressTypes: 'java.io.*' }, true],
    ['java.lang.String', {}, true],
    ['java.lang.String', { expandTypes: 'java.lang.String' }, false],
    ['java.math.BigInteger', { expandTypes: 'java.lang.String' }, true],
    ['java.math.BigInteger', { expandTypes: 'java.lang.String,java.math.BigInteger' }, false],
    ['java.lang.String', { expandTypes: 'java.lang.*' }, false],
    ['java.io.PrintStream', { suppressTypes: 'java.io.*', expandTypes: 'java.io.PrintStream' }, false],
    ['java.io.Writer', { suppressTypes: 'java.io.*', expandTypes: 'java.io.PrintStream' }, true],
    ['int[]', { expandTypes: '*' }, false],
    ['java.lang.Character$UnicodeScript', { expandTypes: '*' }, false],
    ['int[][]', {}, true],
    ['short[]', {}, false],
    ['java.lang.String[]', {}, true],
    ['java.io.Writer', { suppressTypes: '*Writer' }, true],
    ['java.io.Writers', { suppressTypes: '*Writer' }, false],
    ['java.io.Writers', { suppressTypes: '*Writer*' }, true],
    ['java.io.Writer', { suppressTypes: 'java.*.Writer' }, false],
    ['java.io.Writer', { suppressTypes: '*' }, true],
  ];
  for (const [type, options, is] of samples)
    test(`${type} with ${JSON.stringify(options)}`, () => assert.equal(suppresses(type, options), is));
});

describe('suppressed roots', () => {
  const suppresses = (root: string, options: Expansion): boolean => expanderOf(options, true).suppressesRoot(root);
  const block = 'java.lang.Character$UnicodeBlock.map:java.util.Map';
  const locale = 'java.util.Locale.defaultLocale:java.util.Locale';
  const lookup = 'java.nio.charset.Charset.lookup(String)';
  const bundle = 'java.util.ResourceBundle.getBundle(String, Locale, ResourceBundle$Control)';
  const samples: readonly (readonly [string, Expansion, boolean])[] = [
    [lookup, {}, false],
    [lookup, { suppressRoots: lookup }, true],
    [`null:${lookup} [bci: -5]`, { suppressRoots: lookup }, true],
    [locale, { suppressRoots: 'java.util.*' }, true],
    [`null:${locale}`, { suppressRoots: 'java.util.*' }, true],
    [block, {}, true],
    [`null:${block}`, {}, true],
    [block, { expandRoots: 'java.lang.Character$UnicodeBlock.map' }, false],
    [locale, { suppressRoots: 'java.util.*', expandRoots: 'java.util.Locale' }, false],
    ['java.util.Formatter.x:int[]', { suppressRoots: 'java.util.*', expandRoots: 'java.util.Locale' }, true],
    [block, { expandRoots: '*' }, false],
    [bundle, {}, true],
    [bundle, { expandRoots: bundle }, false],
    ['java.util.Map.of(Object, Object)', { suppressRoots: 'java.util.Map.of(Object, Object),x' }, true],
    ['java.util.Map.of(Object)', { suppressRoots: 'java.util.Map.of(Object, Object),x' }, false],
  ];
  for (const [root, options, is] of samples)
    test(`${root} with ${JSON.stringify(options)}`, () => assert.equal(suppresses(root, options), is));

  test('their values are only texts, and objects that nothing else shows are reported', () => {
    const objects = [{ array: false, text: 'x', references: [] }];
    const out = writeObjectTree(recordingOf(objects, [0]), { expansion: { suppressRoots: 'demo.C.*' } });
    assert.equal(
      Buffer.concat([...out.chunks]).toString(),
      'Heap roots\n└── root app:demo.C.f0:demo.T toString=x@0 (expansion suppressed)\n\n',
    );
    assert.deepEqual(out.dropped, ['1 object that no root of the tree leads to, or only through what is suppressed']);
  });
});
