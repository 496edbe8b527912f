/** pprof profiles as written: read again by the plain reader, and what recordings of other formats keep. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { stringAt } from '../../base/text.js';
import { memorySource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { column } from '../../models/table.js';
import { runs } from '../../testing/amount.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { readCollapsed } from '../collapsed/read.js';
import { readJfr } from '../jfr/read.js';
import { encodeFields } from '../shared/testing/plain-protobuf.js';
import { readPprof } from './read.js';
import { plainProfile, seenSamples } from './testing/pprof-oracle.js';
import { writePprof } from './write.js';

const FORMATS = join(ROOT, 'src', 'formats');
const FIXTURE = join(FORMATS, 'pprof', 'testing', 'fixtures', 'all-sorts.pb');

function bytesOf(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

function writtenBytes(
  recording: Recording,
  metric?: string,
): { readonly bytes: Uint8Array; readonly dropped: string[] } {
  const { chunks, dropped } = writePprof(recording, metric === undefined ? {} : { metric });
  const bytes = Buffer.concat([...chunks]);
  return { bytes, dropped: dropped.map(String) };
}

const read = (bytes: Uint8Array) => readPprof(memorySource('test.pb', bytes));

/** All of a recording that a file of the format holds. */
function contentOf(recording: Recording): unknown {
  const { profile, program, metadata, clock, problems } = recording;
  const [table] = profile?.events ?? [];
  assert.ok(table !== undefined);
  const labels = table.fields
    .filter(({ extension, nature }) => extension === true && nature === undefined)
    .map(({ key, holds, unit }) => {
      const values = column(table, key);
      return {
        key,
        unit,
        values: [...values].map((value) =>
          holds === 'string' ? (value < 0 ? '' : stringAt(program.names, value)) : value,
        ),
      };
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const metrics = profile?.metrics.map(({ id, unit, nature, usual, period }) => [id, unit, nature, usual, period]);
  return {
    samples: seenSamples(recording),
    labels,
    metrics,
    metadata,
    clock,
    negative: problems.counts['pprof-negative'],
  };
}

/** A label with a number. */
function labelFields(value: number | null): [number, Uint8Array][] {
  if (value === null) return [];
  return [
    [
      3,
      encodeFields([
        [1, 5],
        [3, value],
      ]),
    ],
  ];
}

const REAL = [
  'ap44-warehouse-cpu.pprof',
  'from-legacy-cppbench.heap.pb.gz',
  'from-legacy-java.cpu.pb.gz',
  'parca-fgprof.pb.gz',
  'parca-fib.pb.gz',
  'parca-no-python.pb.gz',
  'parca-node-profile.pb.gz',
  'pprof-go.nomappings.crash.pb.gz',
  'pprof-sample.cpu.pb.gz',
  'speedscope-simple.prof',
  'warehouse-block.pb.gz',
  'warehouse-cpu.pb.gz',
  'warehouse-goroutine.pb.gz',
  'warehouse-heap.pb.gz',
  'warehouse-mutex.pb.gz',
];

describe('a profile that is read, written and read again is the same', () => {
  test('with all sorts', async () => {
    const before = await read(readFileSync(FIXTURE));
    const { bytes, dropped } = writtenBytes(before);
    assert.deepEqual(plainProfile(bytes)?.breaches, []);
    assert.deepEqual(contentOf(await read(bytes)), contentOf(before));
    assert.deepEqual(dropped, []);
  });

  for (const name of REAL)
    test(name, async (t) => {
      const path = sharedData(t, `interop/pprof/${name}`);
      if (path === undefined) return;
      const before = await read(bytesOf(path));
      const { bytes } = writtenBytes(before);
      assert.deepEqual(plainProfile(bytes)?.breaches, []);
      assert.deepEqual(contentOf(await read(bytes)), contentOf(before));
    });

  test('with any values, labels and depths', async () => {
    const sample = fc.record({
      locations: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 }),
      values: fc.tuple(fc.integer(), fc.maxSafeInteger()),
      label: fc.option(fc.integer({ min: 1, max: 2 ** 40 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(sample, { minLength: 1, maxLength: 12 }), async (samples) => {
        const bytes = encodeFields([
          ...[1, 2].map((type): [number, Uint8Array] => [
            1,
            encodeFields([
              [1, type],
              [2, 3],
            ]),
          ]),
          ...samples.map(({ locations, values, label }): [number, Uint8Array] => [
            2,
            encodeFields([[1, { packed: locations }], [2, { packed: values }], ...labelFields(label)]),
          ]),
          ...[1, 2, 3, 4].map((id): [number, Uint8Array] => [
            4,
            encodeFields([
              [1, id],
              [
                4,
                encodeFields([
                  [1, 1 + (id % 2)],
                  [2, id],
                ]),
              ],
            ]),
          ]),
          ...[1, 2].map((id): [number, Uint8Array] => [
            5,
            encodeFields([
              [1, id],
              [2, 5 + id],
            ]),
          ]),
          ...['', 'objects', 'space', 'count', 'bytes', 'size', 'pack', 'send'].map((text): [number, string] => [
            6,
            text,
          ]),
        ]);
        const before = await read(bytes);
        const hasFrames = samples.some(({ locations }) => locations.length > 0);
        if (!hasFrames) return;
        const again = await read(writtenBytes(before).bytes);
        const expected = seenSamples(before).filter(({ frames }) => frames.length > 0);
        assert.deepEqual(seenSamples(again), expected);
      }),
      runs(200),
    );
  });
});

describe('recordings of other formats', () => {
  test('collapsed stacks keep their stacks and samples', async () => {
    const text = 'main;a/B.c 3\nmain;a/B.c;d_[j] 4\nmain;a/B.c 2\n';
    const { bytes, dropped } = writtenBytes(await readCollapsed(memorySource('a.folded', Buffer.from(text))));
    const plain = plainProfile(bytes);
    assert.deepEqual(plain?.rows, [
      { frames: ['a/B.c||0', 'main||0'], values: [5] },
      { frames: ['d_[j]||0', 'a/B.c||0', 'main||0'], values: [4] },
    ]);
    assert.deepEqual(plain?.types, ['samples']);
    assert.match(dropped.join('\n'), /1 event with the stack and labels of another one/);
  });

  test('JFR keeps the sum of its samples by thread, and says what is lost', async () => {
    const recording = await readJfr(
      memorySource('a.jfr', bytesOf(join(FORMATS, 'jfr', 'fixtures', 'warehouse-jdk25.jfr.gz'))),
    );
    const metric = recording.profile?.metrics.find(({ id }) => id === 'samples');
    const { bytes, dropped } = writtenBytes(recording, 'samples');
    const table = recording.profile?.events.find(({ kind }) => kind === metric?.table);
    assert.ok(table !== undefined);
    const stacks = column(table, 'stack');
    const expected = [...column(table, 'count')].reduce((sum, value, row) => sum + (stacks[row] < 0 ? 0 : value), 0);
    const again = await read(bytes);
    assert.deepEqual(again.problems.counts, {});
    assert.equal(
      seenSamples(again).reduce((sum, { values }) => sum + (values[0] ?? 0), 0),
      expected,
    );
    assert.ok((again.profile?.threads?.length ?? 0) > 0);
    assert.match(dropped.join('\n'), /the times of the events/);
  });
});
