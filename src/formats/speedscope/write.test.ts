/** Written speedscope files pass the published shape, and a naive reading of them finds the same values. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { memorySource } from '../../bytes/byte-source.js';
import { WEIGHT_EVENTS } from '../../models/events/weight.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { THREADS } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import { amount, runs } from '../../testing/amount.js';
import { picture } from '../../testing/pictures/picture.js';
import { drawn, plain, plainEvents, writtenFrame } from '../../testing/pictures/random-picture.js';
import { drawnRecording } from '../../testing/recordings.js';
import { ROOT } from '../../testing/shared-data.js';
import { readCollapsed } from '../collapsed/read.js';
import { writeCollapsed } from '../collapsed/write.js';
import { readSpeedscope } from './read.js';
import { naiveRows, seenRows } from './testing/speedscope-oracle.js';
import { writeSpeedscope } from './write.js';

const WEIGHTS = WEIGHT_EVENTS.having(['thread']);
const FORMATS = join(ROOT, 'src', 'formats');

/** The shape of the format as its published type definitions have it, nothing more allowed. */
const text = { type: 'string' };
const number = { type: 'number' };
const index = { type: 'integer', minimum: 0 };
const exactly = (properties: Record<string, unknown>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const common = {
  name: text,
  unit: { enum: ['none', 'nanoseconds', 'microseconds', 'milliseconds', 'seconds', 'bytes'] },
  startValue: number,
  endValue: number,
};
const SCHEMA = exactly(
  {
    $schema: { const: 'https://www.speedscope.app/file-format-schema.json' },
    shared: exactly(
      { frames: { type: 'array', items: exactly({ name: text, file: text, line: number, col: number }, ['name']) } },
      ['frames'],
    ),
    profiles: {
      type: 'array',
      items: {
        anyOf: [
          exactly(
            {
              type: { const: 'evented' },
              ...common,
              events: {
                type: 'array',
                items: exactly({ type: { enum: ['O', 'C'] }, frame: index, at: number }, ['type', 'frame', 'at']),
              },
            },
            ['type', ...Object.keys(common), 'events'],
          ),
          exactly(
            {
              type: { const: 'sampled' },
              ...common,
              samples: { type: 'array', items: { type: 'array', items: index } },
              weights: { type: 'array', items: number },
            },
            ['type', ...Object.keys(common), 'samples', 'weights'],
          ),
        ],
      },
    },
    name: text,
    activeProfileIndex: index,
    exporter: text,
  },
  ['$schema', 'shared', 'profiles'],
);
const validate = new Ajv({ allErrors: true }).compile<Shape>(SCHEMA);

interface Shape {
  readonly [key: string]: unknown;
  readonly shared: { readonly frames: readonly { readonly name: string; readonly col?: number }[] };
  readonly profiles: readonly {
    readonly type: string;
    readonly name: string;
    readonly samples: readonly (readonly number[])[];
    readonly weights: readonly number[];
    readonly startValue: number;
    readonly endValue: number;
  }[];
}

/** Writes, validates and parses; `rows` are a naive reading of the output. */
function written(recording: Recording, metric?: string) {
  const result = writeSpeedscope(recording, metric === undefined ? {} : { metric });
  const bytes = Buffer.concat([...result.chunks]);
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (!validate(value)) throw new Error(JSON.stringify(validate.errors));
  const { rows, breaches } = naiveRows(value);
  assert.deepEqual(breaches, []);
  for (const { samples, weights, startValue, endValue } of value.profiles) {
    // Of an evented profile, the oracle checks the times.
    if (samples === undefined) continue;
    assert.equal(samples.length, weights.length);
    const sum = weights.reduce((all, weight) => all + weight, startValue);
    assert.ok(Math.abs(sum - endValue) <= 1e-6 * Math.max(1, Math.abs(sum)));
  }
  return { bytes, value, rows, dropped: result.dropped };
}

const readBack = (bytes: Uint8Array): Promise<Recording> => readSpeedscope(memorySource('x', bytes));

function sums(rows: readonly { thread: string; frames: readonly string[]; value: number }[]): [string, number][] {
  const found = new Map<string, number>();
  for (const { thread, frames, value } of rows) {
    const key = `${thread}: ${frames.join(';')}`;
    found.set(key, (found.get(key) ?? 0) + value);
  }
  return [...found].filter(([, value]) => value !== 0).sort();
}

describe('recordings read from a file', () => {
  test('from collapsed stacks: lines in order, threads as profiles, and back to the same text', async () => {
    for (const name of ['own-depot.collapsed', 'pyspy-tracer.collapsed']) {
      const source = readFileSync(join(FORMATS, 'collapsed', 'fixtures', name));
      const recording = await readCollapsed(memorySource(name, source));
      const { bytes, value, dropped } = written(recording);
      assert.equal(value.profiles.length, 1);
      assert.deepEqual(dropped, []);
      const back = Buffer.concat([...writeCollapsed(await readBack(bytes)).chunks]);
      assert.equal(back.toString(), source.toString());
    }
    const threads = readFileSync(join(FORMATS, 'collapsed', 'fixtures', 'ap44-threads.collapsed'));
    const { value } = written(await readCollapsed(memorySource('x', threads)));
    const named = new Set(
      threads
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(';')[0]),
    );
    assert.equal(value.profiles.length, named.size);
    assert.equal(new Set(value.profiles.map(({ name }) => name)).size, named.size);
  });

  test('from its own format: values, times, files, lines and columns', async () => {
    const files = [
      join(FORMATS, 'speedscope', 'fixtures', 'depot.speedscope.json'),
      join(FORMATS, 'speedscope', 'fixtures', 'node20-trace.evented.speedscope.json'),
      join(ROOT, 'src', 'formats', 'speedscope', 'testing', 'fixtures', 'all-sorts.speedscope.json'),
    ];
    for (const path of files) {
      const recording = await readBack(readFileSync(path));
      const metric = recording.profile?.metrics[0]?.id;
      const { bytes, value } = written(recording);
      const before = seenRows(recording).filter(({ kind }) => kind === metric);
      const after = seenRows(await readBack(bytes));
      assert.deepEqual(
        sums(after).map(([key]) => key),
        sums(before).map(([key]) => key),
      );
      for (const [i, [key, sum]] of sums(before).entries())
        assert.ok(Math.abs((sums(after)[i]?.[1] ?? 0) - sum) < 1e-3, key);
      const end = (rows: typeof before): number => Math.max(...rows.map((row) => (row.time ?? 0) + row.value));
      assert.ok(Math.abs(end(after) - end(before)) < 1e-3);
      if (path.includes('all-sorts')) assert.equal(value.shared.frames.find(({ name }) => name === 'main')?.col, 7);
    }
  });

  test('random profiles keep the values of their stacks, by thread and in order', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, async (events) => {
        const source = drawn(events);
        const expected = plain(source)
          .filter(({ frames }) => frames.length > 0)
          .map(({ frames, thread, count }) => ({
            thread,
            frames: frames.map((frame) => writtenFrame(frame, false)),
            value: count,
          }));
        const { bytes, rows } = written(drawnRecording(source), 'count');
        const named = rows.map((row) => ({ ...row, frames: row.frames.map((frame) => frame.split('|')[0] ?? '') }));
        assert.deepEqual(sums(named), sums(expected));
        assert.deepEqual(seenRows(await readBack(bytes)), rows);
      }),
      runs(300),
    );
  });
});

describe('data that the format does not support', () => {
  test('is reported', async () => {
    const source = drawnRecording(picture('@time  0    1\n@count 5    2\n       a    a\n       b:7'));
    const { dropped, value } = written(source);
    assert.deepEqual(dropped, ['the times of the events', 'bytecode indexes: only functions and lines are written']);
    assert.deepEqual(
      value.profiles[0].samples,
      [[0, 1], [0]].map((stack) =>
        stack.map((frame) => value.shared.frames.findIndex(({ name }) => name === 'ab'[frame])),
      ),
    );
  });

  test('two threads of one name are distinguished', () => {
    const source = drawnRecording(picture('@thread t u\n@count  5 2\n        a a'));
    const threads = source.profile?.threads;
    assert.ok(source.profile !== undefined && threads !== undefined);
    const same = {
      ...threads,
      columns: { name: Int32Array.of(threads.columns.name?.[0] ?? -1, threads.columns.name?.[0] ?? -1) },
    };
    const { value } = written({ ...source, profile: { ...source.profile, threads: same } });
    assert.deepEqual(
      value.profiles.map(({ name }) => name),
      ['t (1)', 't (2)'],
    );
  });
});

describe('deep stacks that share their callers', () => {
  /** A walk in a tree of calls: how many frames return, and which are called then. */
  const steps = fc.array(
    fc.record({ back: fc.nat(3), on: fc.array(fc.nat(3), { maxLength: 3 }), thread: fc.nat(1), value: fc.nat(1000) }),
    { minLength: 1, maxLength: 40 },
  );

  interface Step {
    readonly back: number;
    readonly on: readonly number[];
    readonly thread: number;
    readonly value: number;
  }

  interface Walked {
    readonly recording: Recording;
    /** Its samples in order, equal consecutive stacks of a thread combined. */
    readonly expected: { readonly thread: string; readonly frames: string[]; value: number }[];
  }

  /** Samples below `depth` frames, which all of them have. */
  function walked(walk: readonly Step[], depth: number, weigh: (value: number) => number): Walked {
    const program = new ProgramBuilder();
    const place = (name: string) => program.location(program.function(-1, program.name(name)));
    const base = place('deep');
    const callees = ['a', 'b', 'c', 'd'].map(place);
    const threads = THREADS.table({ name: Int32Array.from(['t', 'u'], (name) => program.name(name)) });
    const stacks = new StackBuilder();
    let id = rootOf('whole');
    for (let i = 0; i < depth; i++) id = stacks.add(id, base);
    const path = [id];
    const names: string[] = [];
    const table = WEIGHTS.builder();
    const expected: { thread: string; frames: string[]; value: number }[] = [];
    for (const { back, on, thread, value } of walk) {
      path.length = Math.max(1, path.length - back);
      names.length = path.length - 1;
      for (const callee of on) {
        path.push(stacks.add(path.at(-1) ?? -1, callees[callee] ?? base));
        names.push('abcd'[callee] ?? '');
      }
      table.add({ stack: path.at(-1) ?? -1, thread, weight: weigh(value) });
      const frames = [...Array.from({ length: depth }, () => 'deep'), ...names];
      const last = expected.findLast((one) => one.thread === 'tu'[thread]);
      if (last?.frames.join() === frames.join()) last.value += weigh(value);
      else expected.push({ thread: 'tu'[thread] ?? '', frames, value: weigh(value) });
    }
    const metrics = [WEIGHTS.metric('weight', { id: 'weight', title: 'Weight' })];
    const profile = { stacks: stacks.finish(), events: [table.finish()], metrics, threads };
    return { recording: drawnRecording({ program: program.finish(), profile }), expected };
  }

  const byThread = (rows: readonly { thread: string; frames: readonly string[]; value: number }[]) =>
    ['t', 'u'].map((thread) =>
      rows
        .filter((row) => row.thread === thread)
        .map(({ frames, value }) => [frames.map((frame) => frame.split('|')[0]), value]),
    );

  /** Samples that take turns. */
  const turns = Array.from({ length: 300 }, (_, i) => ({ back: 1, on: [i % 4], thread: 0, value: i }));

  const typesOf = ({ value }: ReturnType<typeof written>) => value.profiles.map(({ type }) => type);

  test('become events: stacks, values and order as before, for a naive reader, too', async () => {
    const types = new Map<string, number>();
    const check = async (walk: readonly Step[], length: number): Promise<void> => {
      const often = Array.from({ length }, (_, i) => walk[i % walk.length] ?? walk[0]).filter(
        (one) => one !== undefined,
      );
      const { recording, expected } = walked(often, amount(400, 250), (value) => value + 1);
      const result = written(recording);
      for (const type of typesOf(result)) types.set(type, (types.get(type) ?? 0) + 1);
      assert.deepEqual(byThread(result.rows), byThread(expected));
      assert.deepEqual(byThread(seenRows(await readBack(result.bytes))), byThread(expected));
    };
    // How many random walks become events depends on the seed; of these walks, the long ones do and the short ones stay samples.
    for (const length of amount([1, 2, 3, 4, 5], [1, 5]))
      for (const times of [10, 500]) await check(turns.slice(0, length), times);
    await fc.assert(fc.asyncProperty(steps, fc.constantFrom(10, 500), check), runs(20));
    assert.ok(
      (types.get('evented') ?? 0) >= amount(5, 2) && (types.get('sampled') ?? 0) >= amount(5, 2),
      JSON.stringify([...types]),
    );
  });

  test('are far smaller, and the size is known before', () => {
    const { recording, expected } = walked(turns, 400, (value) => value + 1);
    const result = writeSpeedscope(recording);
    const estimate = result.estimate?.() ?? 0;
    const { bytes, value } = written(recording);
    assert.deepEqual(
      value.profiles.map(({ type }) => type),
      ['evented'],
    );
    assert.ok(Math.abs(estimate - bytes.length) < bytes.length / 100, `${estimate}, written ${bytes.length}`);
    const sampled = expected.reduce((sum, { frames }) => sum + 2 * frames.length, 0);
    assert.ok(bytes.length * 4 < sampled, `${bytes.length} of ${sampled}`);
  });

  test('stay samples where events would not keep the values: zero, negative, lost in rounding', async () => {
    for (const weigh of [
      (value: number) => value,
      (value: number) => (value === 7 ? -1 : 1),
      (value: number) => 0.1 * (value + 1),
      (value: number) => (value === 0 ? 2 ** 53 : 1),
    ]) {
      const { recording, expected } = walked(turns, 400, weigh);
      const result = written(recording);
      assert.deepEqual(typesOf(result), ['sampled']);
      assert.deepEqual(byThread(seenRows(await readBack(result.bytes))), byThread(expected));
    }
    assert.deepEqual(typesOf(written(walked(turns, 400, (value) => (value + 1) / 4).recording)), ['evented']);
  });
});
