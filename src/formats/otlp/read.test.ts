/** OTLP profiles as read, against `protoc` with the schema of each layout, jfrconv, and by hand. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { column } from '../../models/table.js';
import { sharedData } from '../../testing/shared-data.js';
import { encodeFields } from '../shared/testing/plain-protobuf.js';
import { readOtlp } from './read.js';
import { layoutOf, seenOtlpRows } from './testing/otlp-oracle.js';
import { decodedSamples } from './testing/protoc-text.js';

const REAL = [
  ['ap41-direct-warehouse-cpu', 'v1.7.0', '1.7', [283, 1_415_000_000]],
  ['ap44-direct-warehouse-cpu', 'v1.9.0', '1.8–1.9', [390]],
  ['jfrconv45-warehouse-cpu', 'v1.11.0', '1.10–1.11', [384]],
  ['jfrconv45-warehouse-alloc', 'v1.11.0', '1.10–1.11', [1_936_384_264]],
] as const;

const dotted = (name: string) => name.replaceAll('/', '.');

function read(bytes: Uint8Array): Promise<Recording> {
  return readOtlp(memorySource('test.otlp', bytes));
}

describe('real files', () => {
  for (const [name, schema, layout, sums] of REAL)
    test(`${name} has the samples of protoc with the schema ${schema}`, async (t) => {
      const path = sharedData(t, `interop/otlp/${name}.otlp`);
      if (path === undefined) return;
      const recording = await read(readFileSync(path));
      assert.ok(recording.complete);
      assert.equal(layoutOf(recording), layout);
      assert.deepEqual(recording.problems.counts, {});
      const text = gunzipSync(readFileSync(join(path, '..', 'expected', `${name}.protoc-${schema}.txt.gz`))).toString(
        'utf8',
      );
      const samples = decodedSamples(text);
      const rows = samples.flatMap(({ frames, values, times }) => {
        const names = frames.map(dotted);
        if (layout === '1.7' || times.length === 0) return [{ frames: names, values }];
        return times.map((_, i) => ({ frames: names, values: [values[i] ?? 1] }));
      });
      assert.deepEqual(seenOtlpRows(recording), rows);
      assert.deepEqual(
        rows.reduce<number[]>((sum, { values }) => values.map((value, i) => value + (sum[i] ?? 0)), []),
        [...sums],
      );
      const times = samples.flatMap((sample) => sample.times);
      const [table] = recording.profile?.events ?? [];
      assert.ok((table !== undefined && recording.clock !== undefined) || times.length === 0);
      if (times.length > 0 && table !== undefined) {
        const start = BigInt(Math.round((recording.clock?.start ?? 0) * 1e3)) * 1000n;
        // The start has microseconds.
        assert.deepEqual(
          [...column(table, 'time')].map((time) => start + BigInt(time)),
          times,
        );
      }
    });
});

/** A file in a layout whose only sample has a stack of one frame. */
function fileOf(
  sample: readonly (readonly [number, number | { readonly packed: readonly number[] }])[],
  attributes: number,
): Uint8Array {
  const profile = encodeFields([
    [
      1,
      encodeFields([
        [1, 1],
        [2, 2],
      ]),
    ],
    [2, encodeFields([[1, 1], ...sample])],
  ]);
  const dictionary = encodeFields([
    [2, encodeFields([])],
    [2, encodeFields([[3, encodeFields([[1, 1]])]])],
    [3, encodeFields([])],
    [3, encodeFields([[1, 3]])],
    ...['', 'cpu', 'count', 'main', 'key'].map((text): [number, string] => [5, text]),
    ...Array.from({ length: attributes }, (_, i): [number, Uint8Array] => [
      6,
      i === 0
        ? encodeFields([])
        : encodeFields([
            [1, 4],
            [2, encodeFields([[3, i]])],
          ]),
    ]),
    [7, encodeFields([])],
    [7, encodeFields([[1, { packed: [1] }]])],
  ]);
  // The dictionary may come first.
  return encodeFields([
    [2, dictionary],
    [1, encodeFields([[2, encodeFields([[2, profile]])]])],
  ]);
}

describe('the layout is told from the data', () => {
  const cases = [
    [
      'values packed in field 4',
      [
        [2, { packed: [1] }],
        [4, { packed: [7] }],
      ],
      3,
      '1.10–1.11',
      7,
      true,
    ],
    [
      'a link in field 3',
      [
        [2, { packed: [1] }],
        [3, 1],
        [4, { packed: [7] }],
      ],
      3,
      '1.10–1.11',
      7,
      true,
    ],
    [
      'attributes packed in field 3',
      [
        [2, { packed: [7] }],
        [3, { packed: [1] }],
      ],
      3,
      '1.8–1.9',
      7,
      true,
    ],
    [
      'a link in field 4',
      [
        [2, { packed: [7] }],
        [4, 1],
      ],
      3,
      '1.8–1.9',
      7,
      true,
    ],
    ['no such attribute', [[2, { packed: [7] }]], 3, '1.8–1.9', 7, true],
    ['both would do', [[2, { packed: [2] }]], 3, '1.10–1.11', 0, false],
  ] as const;
  for (const [words, sample, attributes, layout, value, isCertain] of cases)
    test(words, async () => {
      const recording = await read(fileOf(sample, attributes));
      assert.equal(layoutOf(recording), layout);
      assert.deepEqual(seenOtlpRows(recording), [{ frames: ['main'], values: [value] }]);
      assert.equal(recording.problems.counts['otlp-layout'] === undefined, isCertain);
    });
});

test('attributes are fields', async () => {
  const recording = await read(
    fileOf(
      [
        [2, { packed: [2] }],
        [4, { packed: [7] }],
      ],
      3,
    ),
  );
  const [table] = recording.profile?.events ?? [];
  assert.ok(table !== undefined);
  assert.deepEqual([...column(table, 'key')], [2]);
});

test('a file without profiles is refused', async () => {
  await assert.rejects(read(encodeFields([[2, encodeFields([[5, '']])]])), /a profile within resources/);
});
