/** pprof profiles as read, against `go tool pprof`, a plain reader, and by hand. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { stringAt } from '../../base/text.js';
import { memorySource } from '../../bytes/byte-source.js';
import { functionName } from '../../models/program/names.js';
import type { Recording } from '../../models/recording.js';
import { column } from '../../models/table.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { encodeFields } from '../shared/testing/plain-protobuf.js';
import { readPprof } from './read.js';
import { plainProfile, seenSamples } from './testing/pprof-oracle.js';
import { rawProfile } from './testing/raw-text.js';

const FIXTURES = join(ROOT, 'src', 'formats', 'pprof');

/** Files, each with the name that its expectations have. */
const REAL: readonly (readonly [file: string, golden: string])[] = [
  ['ap44-warehouse-cpu.pprof', 'ap44-warehouse-cpu.pprof'],
  ['from-legacy-cppbench.heap.pb.gz', 'from-legacy-cppbench.heap'],
  ['from-legacy-java.cpu.pb.gz', 'from-legacy-java.cpu'],
  ['parca-fgprof.pb.gz', 'parca-fgprof'],
  ['parca-fib.pb.gz', 'parca-fib'],
  ['parca-no-python.pb.gz', 'parca-no-python'],
  ['parca-node-profile.pb.gz', 'parca-node-profile'],
  ['parca-single-stack.pb.gz', 'parca-single-stack'],
  ['pprof-go.nomappings.crash.pb.gz', 'pprof-go.nomappings.crash'],
  ['pprof-sample.cpu.pb.gz', 'pprof-sample.cpu'],
  ['speedscope-simple.prof', 'speedscope-simple.prof'],
  ['warehouse-block.pb.gz', 'warehouse-block'],
  ['warehouse-cpu.pb.gz', 'warehouse-cpu'],
  ['warehouse-goroutine.pb.gz', 'warehouse-goroutine'],
  ['warehouse-heap.pb.gz', 'warehouse-heap'],
  ['warehouse-mutex.pb.gz', 'warehouse-mutex'],
];

function bytesOf(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
}

function read(bytes: Uint8Array): Promise<Recording> {
  return readPprof(memorySource('test.pb', bytes));
}

function golden(path: string): string {
  try {
    return new TextDecoder().decode(bytesOf(path));
  } catch {
    return new TextDecoder().decode(bytesOf(`${path}.gz`));
  }
}

const SCALES: Readonly<Record<string, number>> = {
  nanoseconds: 1,
  milliseconds: 1e6,
  seconds: 1e9,
  bytes: 1,
  count: 1,
};

/** Sums by function of the names of one sample: its leaf, and each function once. */
class Sums {
  readonly flat = new Map<string, number>();
  readonly total = new Map<string, number>();

  add(names: readonly string[], value: number): void {
    const [leaf = ''] = names;
    this.flat.set(leaf, (this.flat.get(leaf) ?? 0) + value);
    for (const name of new Set(names)) this.total.set(name, (this.total.get(name) ?? 0) + value);
  }

  /** Without functions that have no name, which tools call in different ways. */
  named(): unknown {
    const rows = (sums: Map<string, number>) =>
      [...sums].filter(([name, value]) => !/^\[|^$/.test(name) && value !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
    return { flat: rows(this.flat), total: rows(this.total) };
  }
}

function sumsRead({ program, profile }: Recording, type: number): Sums {
  assert.ok(profile !== undefined);
  const [table] = profile.events;
  const metric = profile.metrics[type];
  assert.ok(table !== undefined && metric !== undefined);
  const values = column(table, metric.field ?? '');
  const stack = column(table, 'stack');
  const sums = new Sums();
  for (let row = 0; row < table.length; row++) {
    const names: string[] = [];
    for (let id = stack[row]; id >= 0; id = profile.stacks.parent[id])
      names.push(functionName(program, program.locations.function[profile.stacks.location[id]]).replaceAll('/', '.'));
    sums.add(names, values[row]);
  }
  return sums;
}

describe('real files have the values of go tool pprof', () => {
  for (const [file, name] of REAL)
    test(file, async (t) => {
      const path = sharedData(t, `interop/pprof/${file}`);
      if (path === undefined) return;
      const recording = await read(bytesOf(path));
      assert.ok(recording.complete);
      const raw = rawProfile(golden(join(path, '..', 'expected', `${name}.raw.txt`)));
      const [table] = recording.profile?.events ?? [];
      assert.equal(table?.length, raw.samples.length);
      for (const [type, { unit }] of raw.types.entries()) {
        const sums = new Sums();
        for (const { values, locations } of raw.samples) {
          const names = locations.flatMap((id) => {
            const functions = raw.functions.get(id) ?? [];
            return functions.length === 0 ? [''] : functions;
          });
          sums.add(
            names.map((each) => each.replaceAll('/', '.')),
            (values[type] ?? 0) * (SCALES[unit] ?? 1),
          );
        }
        assert.deepEqual(sumsRead(recording, type).named(), sums.named());
      }
    });

  test('and rows, frames and lines of the plain reader', async (t) => {
    for (const [file] of REAL) {
      const path = sharedData(t, `interop/pprof/${file}`);
      if (path === undefined) return;
      const bytes = bytesOf(path);
      const plain = plainProfile(bytes);
      assert.deepEqual(plain?.breaches, [], file);
      assert.deepEqual(seenSamples(await read(bytes)), plain?.rows, file);
    }
  });

  test('cut ones are read up to the cut', async (t) => {
    const path = sharedData(t, 'interop/pprof/damaged-truncated-warehouse-heap.pb');
    if (path === undefined) return;
    const recording = await read(bytesOf(path));
    assert.equal(recording.complete, false);
    assert.ok((recording.problems.counts['pprof-truncated'] ?? 0) === 1);
    assert.ok((recording.profile?.events[0]?.length ?? 0) > 0);
  });
});

describe('a profile with all sorts', () => {
  const whole = readFileSync(join(FIXTURES, 'testing', 'fixtures', 'all-sorts.pb'));

  test('has metrics by type, of which the file names the usual one', async () => {
    const { profile, metadata, clock } = await read(whole);
    assert.deepEqual(
      profile?.metrics.map(({ id, unit, usual, period }) => [id, unit, usual === true, period?.value]),
      [
        ['samples', 'samples', false, 1e7],
        ['cpu', 'ns', true, 1e7],
      ],
    );
    assert.deepEqual(
      metadata.map(({ key, value }) => `${key}: ${value}`),
      [
        'types: samples (count), cpu (nanoseconds)',
        'period: 10000000 cpu (nanoseconds)',
        'defaultType: cpu',
        'comment: a comment',
        'documentation: https://example.org/depot',
      ],
    );
    assert.deepEqual(clock, { start: 1.7e12, length: 1.2e9 });
  });

  test('has labels as fields, and threads where a label names them', async () => {
    const { profile, program } = await read(whole);
    const [table] = profile?.events ?? [];
    assert.ok(table !== undefined && profile?.threads !== undefined);
    const word = (key: string) => [...column(table, key)].map((id) => (id < 0 ? '' : stringAt(program.names, id)));
    assert.deepEqual(word('worker'), ['north', '', '', '', '']);
    assert.deepEqual(word('kind'), ['', 'loader', '', '', '']);
    assert.deepEqual([...column(table, 'bytes')], [4096, Number.NaN, Number.NaN, Number.NaN, Number.NaN]);
    assert.equal(table.fields.find(({ key }) => key === 'bytes')?.unit, 'bytes');
    assert.deepEqual([...column(table, 'thread')], [0, -1, -1, -1, -1]);
    assert.equal(stringAt(program.names, column(profile.threads, 'name')[0]), 'loader');
  });

  test('says what is below zero, and which addresses have no file', async () => {
    const { problems, complete } = await read(whole);
    assert.deepEqual(problems.counts, { 'pprof-negative': 1 });
    assert.ok(complete);
  });
});

describe('against the rules', () => {
  const types: [number, Uint8Array] = [1, encodeFields([[1, 1]])];
  const strings: [number, string][] = [
    [6, ''],
    [6, 'samples'],
  ];

  test('a sample with another number of values is left out and counted', async () => {
    const bytes = encodeFields([
      types,
      [2, encodeFields([[2, { packed: [1, 2] }]])],
      [2, encodeFields([[2, 7]])],
      ...strings,
    ]);
    const { problems, complete, profile } = await read(bytes);
    assert.deepEqual([complete, problems.counts, profile?.events[0]?.length], [false, { 'pprof-values': 1 }, 1]);
  });

  test('a location that is not there is a frame of its own', async () => {
    const bytes = encodeFields([
      types,
      [
        2,
        encodeFields([
          [1, 77],
          [2, 7],
        ]),
      ],
      ...strings,
    ]);
    const recording = await read(bytes);
    assert.deepEqual(seenSamples(recording), [{ frames: ['<location 77>||0'], values: [7] }]);
    assert.deepEqual(recording.problems.counts, { 'pprof-dangling': 1 });
  });

  test('a length that no file has costs no memory', async () => {
    const head = encodeFields([types, ...strings]);
    const bytes = new Uint8Array([...head, 0x12, 0xff, 0xff, 0xff, 0xff, 0x7f, 1]);
    assert.deepEqual((await read(bytes)).problems.counts, { 'pprof-truncated': 1 });
  });

  test('a file with neither types nor samples is refused', async () => {
    await assert.rejects(read(encodeFields(strings)), /types of values and samples/);
  });
});
