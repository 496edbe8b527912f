/** speedscope files as read, against speedscope's own reading and by hand. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type ByteSource, memorySource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { fuzzPool } from '../../testing/fuzz/fuzz.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { sourcesBelow } from '../../testing/sources.js';
import { readSpeedscope } from './read.js';
import { naiveRows, type SeenRow, seenRows } from './testing/speedscope-oracle.js';

const FIXTURES = join(ROOT, 'src', 'formats', 'speedscope', 'fixtures');

const REAL = [
  '0.0.1-simple.speedscope.json',
  '0.1.2-simple-sampled.speedscope.json',
  'node20-trace.evented.speedscope.json.gz',
  'own-depot.speedscope.json.gz',
] as const;

const SCALES: Readonly<Record<string, number>> = { seconds: 1e9, microseconds: 1e3, none: 1 };

function bytesOf(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

function read(value: unknown, largest?: number): Promise<Recording> {
  const bytes =
    value instanceof Uint8Array
      ? value
      : new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
  return readSpeedscope(memorySource('test.json', bytes), {}, largest);
}

const nameOf = (frame: string): string => frame.split('|')[0] ?? '';

function near(found: number, wanted: number, what: string): void {
  assert.ok(Math.abs(found - wanted) <= 1e-6 * Math.max(1, Math.abs(wanted)), `${what}: ${found}, not ${wanted}`);
}

/** The output of speedscope for a file: values of one kind by name or stack, in the units of the file. */
function said(path: string, kind: 'frame' | 'stack') {
  const plain = existsSync(`${path}.gz`) ? `${path}.gz` : path;
  const lines = Buffer.from(bytesOf(plain))
    .toString('utf8')
    .split('\n')
    .map((line) => line.split('\t'));
  const unit = /unit=(\w+)/.exec(lines.find(([first]) => first === 'profile')?.join(' ') ?? '')?.[1] ?? 'none';
  return {
    scale: SCALES[unit] ?? Number.NaN,
    rows: lines.filter((cells) => cells[0] === kind).map((cells) => cells.slice(2)),
  };
}

describe('real files', () => {
  for (const name of REAL) {
    test(`${name}: stacks, self and total as in speedscope`, async (t) => {
      const path = sharedData(t, `interop/speedscope/${name}`);
      const expected = sharedData(t, 'interop/speedscope/expected');
      if (path === undefined || expected === undefined) return;
      const recording = await read(bytesOf(path));
      assert.equal(recording.complete, true);
      const rows = seenRows(recording);
      const truth = join(expected, `${name.replace(/\.gz$/, '')}.speedscope.txt`);
      compareStacks(rows, said(truth, 'stack'));
      compareFrames(rows, said(truth, 'frame'));
    });
  }

  test('the sound part of a file that speedscope rejects is read', async (t) => {
    const path = sharedData(t, 'interop/speedscope/invalid-incomplete-trace.json');
    if (path === undefined) return;
    const recording = await read(bytesOf(path));
    assert.deepEqual(Object.keys(recording.problems.counts), ['speedscope-unclosed']);
    assert.equal(recording.complete, false);
    assert.equal(recording.sections[0]?.entries, 1);
  });
});

function compareStacks(rows: readonly SeenRow[], { scale, rows: truth }: ReturnType<typeof said>): void {
  const sums = new Map<string, number>();
  for (const { frames, value } of rows) {
    const stack = frames.map(nameOf).join(';');
    sums.set(stack, (sums.get(stack) ?? 0) + value);
  }
  const stacks = truth.filter(([, stack = '']) => stack !== '');
  assert.ok(stacks.length > 0);
  assert.deepEqual([...sums.keys()].sort(), stacks.map(([, stack = '']) => stack).sort());
  for (const [weight = '', stack = ''] of stacks) near(sums.get(stack) ?? 0, Number(weight) * scale, stack);
}

function compareFrames(rows: readonly SeenRow[], { scale, rows: truth }: ReturnType<typeof said>): void {
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  for (const { frames, value } of rows) {
    const leaf = nameOf(frames.at(-1) ?? '');
    self.set(leaf, (self.get(leaf) ?? 0) + value);
    for (const frame of new Set(frames.map(nameOf))) total.set(frame, (total.get(frame) ?? 0) + value);
  }
  assert.equal(total.size, truth.length);
  for (const [wantedSelf = '', wantedTotal = '', frame = ''] of truth) {
    near(self.get(frame) ?? 0, Number(wantedSelf) * scale, frame);
    near(total.get(frame) ?? 0, Number(wantedTotal) * scale, frame);
  }
}

describe('shipped files', () => {
  const folder = join(ROOT, 'src', 'formats', 'speedscope', 'testing', 'fixtures');
  const files = [
    ...readdirSync(folder).map((name) => join(folder, name)),
    ...readdirSync(FIXTURES)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(FIXTURES, name)),
  ];
  for (const path of files) {
    test(`${path.slice(path.search(/[^/\\]*$/))}: the rows of JSON.parse, through windows of any size`, async () => {
      const bytes = bytesOf(path);
      const wanted = naiveRows(JSON.parse(Buffer.from(bytes).toString('utf8')));
      assert.deepEqual(seenRows(await read(bytes)), wanted.rows);
      const small: ByteSource = { ...memorySource('x', bytes), size: 64 };
      assert.deepEqual(seenRows(await readSpeedscope(small)), wanted.rows);
    });
  }

  test('frames with an empty name keep their file and line', async () => {
    const frames = [{ name: '', file: 'app.js', line: 3, col: 7 }, { name: '', line: 4 }, { name: '' }];
    const profile = { type: 'sampled', name: '', unit: 'none', startValue: 0, endValue: 3, samples: [[0], [1], [2]] };
    const document = { shared: { frames }, profiles: [{ ...profile, weights: [1, 1, 1] }] };
    const rows = seenRows(await read(document));
    assert.deepEqual(
      rows.map((row) => row.frames),
      [['|app.js|3'], ['||4'], ['||0']],
    );
  });

  test('values of several units and profiles of one name', async () => {
    const recording = await read(bytesOf(join(folder, 'all-sorts.speedscope.json')));
    const text = seenRows(recording).map(
      ({ kind, thread, frames, value, time }) =>
        `${kind} ${thread} ${frames.map(nameOf).join(';')} ${value} ${time ?? '-'}`,
    );
    assert.deepEqual(text, [
      'time main main;java.util.HashMap.get 1000000 0',
      'time main main;java.util.HashMap.get;grüße "q" 2500000 1000000',
      'time main main 3000000 4500000',
      'time main main 1000000 8000000',
      'time main main;read_[k] 4500000 9000000',
      'time main main;read_[k] 500000 13500000',
      'time main main 4000000 14000000',
      'bytes heap grüße "q" 64 -',
      'bytes heap grüße "q";grüße "q" 32 -',
      'weight diff  -3 -',
    ]);
    assert.deepEqual(
      recording.metadata.map(({ key, value }) => `${key} ${value}`),
      ['exporter by hand', 'name all sorts', 'activeProfileIndex 1'],
    );
    assert.equal(recording.profile?.threads?.length, 3);
  });
});

const FRAMES = { frames: [{ name: 'a' }, { name: 'b' }] };
const sampled = (samples: unknown, weights: unknown) => ({
  type: 'sampled',
  name: 'p',
  unit: 'none',
  samples,
  weights,
});
const evented = (...events: unknown[]) => ({ type: 'evented', name: 'p', unit: 'none', events });

/** Documents, the one problem each has, and the values that are left. */
const CASES: readonly (readonly [code: string, document: unknown, values: readonly number[]])[] = [
  ['speedscope-schema', { shared: FRAMES, profiles: [sampled([[0], 5, [1]], [1, 2, 3])] }, [1, 3]],
  ['speedscope-schema', { shared: FRAMES, profiles: [sampled([[0], [1]], ['x', 2])] }, [2]],
  ['speedscope-schema', { shared: FRAMES, profiles: [{ ...sampled([[0]], [1]), unit: 'hours' }] }, [1]],
  ['speedscope-schema', { shared: FRAMES, profiles: [sampled([[0]], [1]), 7] }, [1]],
  ['speedscope-schema', { shared: { frames: [{ name: 'a' }, 3] }, profiles: [sampled([[0], [1]], [1, 2])] }, [1, 2]],
  ['speedscope-weights', { shared: FRAMES, profiles: [sampled([[0], [1]], [4])] }, [4]],
  [
    'speedscope-unbalanced',
    {
      shared: FRAMES,
      profiles: [
        evented({ type: 'O', frame: 0, at: 0 }, { type: 'C', frame: 1, at: 2 }, { type: 'C', frame: 0, at: 5 }),
      ],
    },
    [2, 3],
  ],
  [
    'speedscope-unclosed',
    { shared: FRAMES, profiles: [evented({ type: 'O', frame: 0, at: 0 }, { type: 'O', frame: 1, at: 2 })] },
    [2],
  ],
  [
    'speedscope-order',
    {
      shared: FRAMES,
      profiles: [
        evented(
          { type: 'O', frame: 0, at: 3 },
          { type: 'O', frame: 1, at: 1 },
          { type: 'C', frame: 1, at: 4 },
          { type: 'C', frame: 0, at: 6 },
        ),
      ],
    },
    [1, 2],
  ],
  ['speedscope-dangling-frame', { shared: FRAMES, profiles: [sampled([[0, 9]], [1])] }, [1]],
  ['speedscope-negative-weight', { shared: FRAMES, profiles: [sampled([[0]], [-1])] }, [-1]],
  [
    'speedscope-column',
    {
      shared: {
        frames: [
          { name: 'a', line: 1, col: 2 },
          { name: 'a', line: 1, col: 5 },
        ],
      },
      profiles: [sampled([[0], [1]], [1, 2])],
    },
    [1, 2],
  ],
  ['speedscope-trailing', `${JSON.stringify({ shared: FRAMES, profiles: [sampled([[0]], [1])] })} x`, [1]],
  [
    'speedscope-truncated',
    JSON.stringify({ shared: FRAMES, profiles: [{ ...sampled([[0]], [1]), type: 'sampled' }] }).slice(0, -3),
    [1],
  ],
];

describe('problems', () => {
  for (const [code, document, values] of CASES) {
    test(`${code}: ${JSON.stringify(document).slice(0, 60)}…`, async () => {
      const recording = await read(document);
      assert.deepEqual(Object.keys(recording.problems.counts), [code]);
      assert.deepEqual(
        seenRows(recording).map(({ value }) => value),
        values,
      );
      const quiet = code === 'speedscope-negative-weight' || code === 'speedscope-column';
      assert.equal(recording.complete, quiet);
    });
  }

  test('damage in one profile does not affect later ones and the frames', async () => {
    const text = JSON.stringify({
      profiles: [sampled([[0], [1]], [1, 2]), sampled([[0]], [3]), { ...sampled([[1]], [5]) }],
      shared: FRAMES,
    });
    const recording = await read(text.replace('"weights":[1,2]', '"weights":[1,!]'));
    assert.deepEqual(recording.problems.counts, { 'speedscope-syntax': 1 });
    assert.equal(recording.problems.list[0]?.offset, text.indexOf('2]}'));
    assert.deepEqual(
      seenRows(recording).map(({ frames, value }) => [nameOf(frames[0] ?? ''), value]),
      [
        ['a', 1],
        ['a', 3],
        ['b', 5],
      ],
    );
  });

  test('a value above the size limit', async () => {
    const text = JSON.stringify({ shared: FRAMES, profiles: [sampled([[0]], [1])], more: 'x'.repeat(20_000) });
    const recording = await readSpeedscope(
      { ...memorySource('x', new TextEncoder().encode(text)), size: 64 },
      {},
      8192,
    );
    assert.deepEqual(recording.problems.counts, { 'speedscope-too-large': 1 });
    assert.deepEqual(
      seenRows(recording).map(({ value }) => value),
      [1],
    );
  });

  test('a document without profiles is an error', async () => {
    await assert.rejects(read('{}'), /expected a JSON object with profiles/);
    await assert.rejects(read('[1]'), /expected a JSON object/);
    await assert.rejects(read(''), /the file is empty/);
  });

  test('every code has a line in the documents and a test here', () => {
    const sources = sourcesBelow('src/formats/speedscope');
    const known = [...new Set([...sources.matchAll(/'(speedscope-[a-z-]+)'/g)].map((match) => match[1]))].sort();
    const page = readFileSync(join(ROOT, 'docs', 'formats', 'speedscope.md'), 'utf8');
    const documented = [...page.matchAll(/^\| `(speedscope-[a-z-]+)`/gm)].map((match) => match[1]);
    assert.ok(known.length >= 12);
    assert.deepEqual([...documented].sort(), known);
    const tested = new Set([...CASES.map(([code]) => code), 'speedscope-syntax', 'speedscope-too-large']);
    assert.deepEqual([...tested].sort(), known);
  });
});

test('time is not quadratic in the number of damaged profiles', async (t) => {
  const pool = fuzzPool(1);
  t.after(() => pool.close());
  const damaged = '{"type":"sampled","name":"p","unit":"none","samples":[[!]],"weights":[1]},'.repeat(20_000);
  const bytes = new TextEncoder().encode(`{"profiles":[${damaged}{}]}`);
  const problems = await pool.run('countProblems', { reader: 'speedscope', bytes }, { timeLimit: 10_000 });
  assert.ok(problems >= 20_000);
});
