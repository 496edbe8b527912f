/** Call trees in text: read as a second reading has them, written byte for byte. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { memorySource } from '../../bytes/byte-source.js';
import { faultsOf } from '../../models/callgraph/call-graph.js';
import type { Recording } from '../../models/recording.js';
import { runs } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';
import { readCallTree } from './read-text.js';
import { PlainReading, plainGraph } from './testing/plain-call-tree.js';
import { randomGraph } from './testing/random-graph.js';
import { writeCallTree } from './write-text.js';

const FIXTURES = join(ROOT, 'src/formats/call-tree/testing/fixtures');
const EXAMPLE = join(ROOT, 'examples/points-to/call_tree_hello.txt.gz');

const read = (bytes: Uint8Array): Promise<Recording> => readCallTree(memorySource('test', bytes));
const written = (recording: Recording): Buffer => Buffer.concat([...writeCallTree(recording).chunks]);
const text = (...lines: string[]): Uint8Array =>
  new TextEncoder().encode(['VM Entry Points', ...lines, '', ''].join('\n'));

async function sound(bytes: Uint8Array): Promise<Recording> {
  const recording = await read(bytes);
  const { callGraph, program, problems, complete } = recording;
  deepEqual([problems.list, complete], [[], true]);
  deepEqual(callGraph && faultsOf(callGraph, program.functions.length, program.classes.length), []);
  deepEqual(plainGraph(recording), new PlainReading().read(bytes));
  return recording;
}

describe('a call tree in text', () => {
  for (const name of ['current.txt', 'documented.txt', 'crlf.txt'])
    it(`${name} is read whole, and written byte for byte`, async () => {
      const bytes = readFileSync(join(FIXTURES, name));
      equal(written(await sound(bytes)).toString(), bytes.toString());
    });

  it('whose glyphs were replaced is written with them', async () => {
    const recording = await sound(readFileSync(join(FIXTURES, 'broken-glyphs.txt')));
    equal(written(recording).toString(), readFileSync(join(FIXTURES, 'documented.txt'), 'utf8'));
  });

  it('of a real build has the numbers of its lines, and is written byte for byte', async () => {
    const bytes = gunzipSync(readFileSync(EXAMPLE));
    const recording = await sound(bytes);
    const lines = bytes.toString().split('\n');
    const count = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length;
    deepEqual(recording.sections, [
      { name: 'entries', entries: count(/^[├└]── entry /) },
      { name: 'methods', entries: count(/ id=\d+(?:,| $| @bci)/) },
      { name: 'call sites', entries: count(/── (?:directly|virtually) calls /) },
      { name: 'targets', entries: count(/── (?:directly calls|is overridden by) /) },
    ]);
    equal(Buffer.compare(written(recording), bytes), 0);
  });

  const collection = join(process.env.KANSOKU_DATA ?? '', 'points-to', 'genuine');
  for (const [folder, file] of [
    ['hello-23.0.6', 'call_tree_hello_20261121_100743.txt.gz'],
    ['medium-25.0.2', 'call_tree_medium_20261121_094903.txt.gz'],
  ] as const) {
    const path = join(collection, folder, 'txt', file);
    const skip =
      process.env.KANSOKU_DATA !== undefined && existsSync(path)
        ? false
        : `set KANSOKU_DATA to a folder with points-to/genuine/${folder}/txt/${file}`;
    it(`${folder} is read whole, and written byte for byte`, { skip }, async () => {
      const bytes = gunzipSync(readFileSync(path));
      equal(Buffer.compare(written(await sound(bytes)), bytes), 0);
    });
  }

  it('made of a random graph is read as that graph, and written as it was', () =>
    fc.assert(
      fc.asyncProperty(randomGraph(), async (drawn) => {
        const bytes = written(drawn);
        const recording = await sound(bytes);
        deepEqual(plainGraph(recording).calls, drawn.reachableCalls());
        equal(written(recording).toString(), bytes.toString());
      }),
      runs(2000),
    ));
});

describe('a damaged call tree', () => {
  const problems = async (bytes: Uint8Array) =>
    (await read(bytes)).problems.list.map(({ code, offset }) => [code, offset]);

  it('reports a call whose caller is missing, with its place', async () => {
    const entry = '└── entry a.A.a():void id=0 ';
    deepEqual(await problems(text(entry, '        └── directly calls a.A.b():void id=1 @bci=1 ')), [
      ['call-tree-parent', 16 + Buffer.byteLength(entry) + 1],
    ]);
  });

  it('reports methods that are referred to and not listed', async () => {
    const recording = await read(
      text('└── entry a.A.a():void id=0 ', '    └── directly calls a.A.b():void id-ref=1 @bci=1 '),
    );
    deepEqual(Object.keys(recording.problems.counts), ['call-tree-missing']);
    equal(recording.complete, false);
    equal(recording.callGraph?.partial, true);
  });

  it('reports an id of two methods, and a method of two ids', async () => {
    const lines = [
      '├── entry a.A.a():void id=0 ',
      '│   └── directly calls a.A.b():void id=0 @bci=1 ',
      '└── entry a.A.a():void id=7 ',
    ];
    deepEqual(
      new Set((await problems(text(...lines))).map(([code]) => code)),
      new Set(['call-tree-id', 'call-tree-twice']),
    );
  });

  it('reports what is no chain of BCIs; the place of the call is unknown', async () => {
    for (const bcis of ['3-4', '3->', '->3', '3->-', '--3', '1234567890']) {
      const recording = await read(
        text('└── entry a.A.a():void id=0 ', `    └── directly calls a.A.b():void id=1 @bci=${bcis} `),
      );
      deepEqual(Object.keys(recording.problems.counts), ['call-tree-bci'], bcis);
      deepEqual([...(recording.callGraph?.sites.bcis ?? [])], [-5], bcis);
    }
  });

  it('without a line of a tree is refused', async () => {
    await rejects(read(text()), /expected lines of a call tree/);
  });
});
