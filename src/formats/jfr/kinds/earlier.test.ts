/** Which samples stand for a time before the recording: drawn threads, and recordings whose programs counted themselves. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { memorySource } from '../../../bytes/byte-source.js';
import { commandLineText, noteTexts } from '../../../cli/render/spelling.js';
import { ALLOCATION_EVENTS, THREAD_ALLOCATION_EVENTS } from '../../../models/events/allocation.js';
import { LIFE_STEPS, THREAD_LIFE_EVENTS } from '../../../models/events/state.js';
import { threadName } from '../../../models/profile/profile.js';
import { THREADS } from '../../../models/profile/tables.js';
import type { Recording } from '../../../models/recording.js';
import { ask, openSession } from '../../../session/session.js';
import { ROOT, sharedData } from '../../../testing/shared-data.js';
import { readJfr } from '../read.js';
import { leaveOutEarlier, type RecordedTime } from './earlier.js';
import type { KindColumns } from './kind-source.js';

const SECOND = 1e9;
const CARRIERS = 7;

interface Drawn {
  /** Thread, second, weight. */
  readonly samples: readonly (readonly [number, number, number])[];
  /** Thread, second. */
  readonly starts?: readonly (readonly [number, number])[];
  /** Thread, second, total. */
  readonly counts?: readonly (readonly [number, number, number])[];
  readonly facts?: Partial<RecordedTime>;
}

/** Threads 0 to 2 have numbers of their own, 3 is thread 0 by another name, 4 and 5 carry virtual threads, from 6 on they are virtual. */
const NUMBERS = [10, 11, 12, 10, 20, 21, 100, 101, 102];

/** The weights that are left out, by the second of the sample. */
function leftOut({ samples, starts = [], counts = [], facts = {} }: Drawn): Record<number, number> {
  const column = (values: readonly number[]): Float64Array => Float64Array.from(values);
  const seconds = (values: readonly number[]): Float64Array => column(values.map((value) => value * SECOND));
  const columns: KindColumns = {
    thread: Int32Array.from(samples, ([thread]) => thread),
    time: seconds(samples.map(([, second]) => second)),
    bytes: column(samples.map(([, , weight]) => weight)),
  };
  const others: Readonly<Record<string, KindColumns>> = {
    [THREADS.kind]: {
      number: column(NUMBERS),
      virtual: Int32Array.from(NUMBERS, (number) => (number >= 100 ? 1 : 0)),
      group: Int32Array.from(NUMBERS, (number) => (number === 20 || number === 21 ? CARRIERS : 1)),
    },
    [THREAD_LIFE_EVENTS.kind]: {
      thread: Int32Array.from(starts, ([thread]) => thread),
      time: seconds(starts.map(([, second]) => second)),
      step: new Int32Array(starts.length).fill(LIFE_STEPS.indexOf('start')),
    },
    [THREAD_ALLOCATION_EVENTS.kind]: {
      thread: Int32Array.from(counts, ([thread]) => thread),
      time: seconds(counts.map(([, second]) => second)),
      total: column(counts.map(([, , total]) => total)),
    },
  };
  const whole = { stretches: [{ start: 0, isContinued: false }], carrierGroup: CARRIERS, recordsStarts: true };
  const before = columns.bytes?.slice() ?? column([]);
  leaveOutEarlier(columns, { ...whole, ...facts }, (kind) => others[kind]);
  const { bytes, earlier = column([]) }: Partial<KindColumns> = columns;
  for (const [row, weight] of before.entries()) equal((bytes?.[row] ?? 0) + (earlier[row] ?? 0), weight);
  const rows = Array.from(earlier, (weight, row) => [samples[row]?.[1] ?? 0, weight] as const);
  return Object.fromEntries(rows.filter(([, weight]) => weight > 0));
}

describe('allocation samples of drawn threads', () => {
  test('the first one of a thread that is older than the recording, whatever the order of the rows', () => {
    deepEqual(
      leftOut({
        samples: [
          [0, 1, 500],
          [0, 2, 5],
          [1, 3, 700],
          [1, 4, 7],
        ],
      }),
      { 1: 500, 3: 700 },
    );
    deepEqual(
      leftOut({
        samples: [
          [0, 2, 5],
          [0, 1, 500],
        ],
      }),
      { 1: 500 },
    );
  });

  test('none of a thread that started in the recording', () => {
    deepEqual(
      leftOut({
        samples: [
          [0, 1, 500],
          [1, 3, 40],
        ],
        starts: [[1, 2]],
      }),
      { 1: 500 },
    );
  });

  test('a start after the first sample is that of the first thread of a VM', () => {
    deepEqual(
      leftOut({
        samples: [
          [0, 1, 500],
          [0, 3, 40],
        ],
        starts: [[0, 2]],
      }),
      { 1: 500 },
    );
  });

  test('a thread with another name is the same', () => {
    deepEqual(
      leftOut({
        samples: [
          [0, 1, 500],
          [3, 2, 40],
        ],
      }),
      { 1: 500 },
    );
    deepEqual(leftOut({ samples: [[3, 2, 40]], starts: [[0, 1]] }), {});
  });

  test('a weight that is mostly of the recording stays: the thread had allocated less than half of it', () => {
    deepEqual(
      leftOut({
        samples: [[0, 9, 500]],
        counts: [
          [0, 0, 20],
          [0, 10, 510],
        ],
      }),
      {},
    );
    deepEqual(
      leftOut({
        samples: [[0, 9, 500]],
        counts: [
          [0, 0, 490],
          [0, 10, 510],
        ],
      }),
      { 9: 500 },
    );
  });

  test('of a recorder that ran before, first samples weigh what was allocated since one that the file lacks', () => {
    const facts = { stretches: [{ start: 0, isContinued: true }] };
    deepEqual(
      leftOut({
        samples: [
          [0, 1, 50],
          [1, 1, 70],
        ],
        counts: [
          [0, 2, 9000],
          [1, 2, 80],
        ],
        facts,
      }),
      { 1: 70 },
    );
    deepEqual(leftOut({ samples: [[0, 1, 50]], facts }), {});
  });

  test('after a gap, threads that started before it are older', () => {
    const stretches = [0, 10 * SECOND].map((start) => ({ start, isContinued: false }));
    const samples = [
      [0, 1, 500],
      [1, 3, 30],
      [0, 11, 400],
      [1, 12, 90],
      [1, 13, 6],
      [2, 14, 8],
    ] as const;
    deepEqual(
      leftOut({
        samples,
        starts: [
          [1, 2],
          [2, 13],
        ],
        facts: { stretches },
      }),
      { 1: 500, 11: 400, 12: 90 },
    );
  });

  test('without starts, a thread is new if others were counted before its first sample and it was not', () => {
    const facts = { recordsStarts: false };
    const samples = [
      [0, 2, 500],
      [1, 3, 60],
    ] as const;
    deepEqual(
      leftOut({
        samples,
        counts: [
          [0, 1, 490],
          [1, 9, 65],
        ],
        facts,
      }),
      { 2: 500 },
    );
    deepEqual(leftOut({ samples, facts }), { 2: 500, 3: 60 });
  });

  test('of virtual threads, what their carriers had allocated, each once', () => {
    const counts = [
      [4, 2, 3500],
      [5, 2, 3460],
      [4, 9, 3900],
      [5, 9, 4100],
    ] as const;
    const samples = [
      [6, 1, 3450],
      [7, 1.5, 3480],
      [8, 1.6, 40],
      [6, 3, 3490],
      [7, 4, 60],
    ] as const;
    deepEqual(leftOut({ samples, counts }), { 1: 3450, 1.5: 3480 });
    deepEqual(
      leftOut({
        samples: samples.slice(2),
        counts,
        starts: [
          [4, 0.5],
          [5, 0.5],
        ],
      }),
      {},
    );
  });
});

const allocated = ({ profile }: Recording) => {
  const samples = ALLOCATION_EVENTS.of(profile);
  ok(samples?.earlier !== undefined);
  const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((all, value) => all + value, 0);
  return {
    samples,
    bytes: sum(samples.bytes),
    earlier: sum(samples.earlier),
    count: samples.earlier.filter((weight) => weight > 0).length,
  };
};

/** What ThreadMXBean counted of each thread in the recording. */
const COUNTED = {
  'late-jdk17.jfr.gz': { large: 219_944_960, middle: 95_184_960, born: 53_303_040, small: 37_348_160 },
  'late-jdk21.jfr.gz': { large: 204_544_000, middle: 102_905_920, born: 54_996_480, small: 33_324_800 },
  'late-jdk25.jfr.gz': { large: 185_294_720, middle: 93_254_720, born: 52_020_760, small: 31_658_560 },
};

describe('recordings that began after their threads', () => {
  for (const [file, counts] of Object.entries(COUNTED))
    test(`${file}: samples stand for what the program counted itself`, async () => {
      const bytes = gunzipSync(readFileSync(join(ROOT, 'src/formats/jfr/kinds/fixtures', file)));
      const recording = await readJfr(memorySource(file, bytes));
      const { samples, ...sums } = allocated(recording);
      const { profile, program } = recording;
      const byName = new Map<string, number>();
      for (let row = 0; row < samples.length; row++) {
        const name = (profile && threadName(profile, program, samples.thread?.[row] ?? -1)) ?? '';
        byName.set(name, (byName.get(name) ?? 0) + samples.bytes[row]);
        if (name === 'born') equal(samples.earlier?.[row], 0);
      }
      let all = 0;
      for (const [name, count] of Object.entries(counts)) {
        const share = (byName.get(name) ?? 0) / count;
        ok(share > 0.85 && share < 1.1, `${name}: ${share}`);
        all += count;
      }
      ok(Math.abs(sums.bytes / all - 1) < 0.1, `${sums.bytes} of ${all}`);
      // Without the rule they stand for more than twice of it.
      ok((sums.bytes + sums.earlier) / all > 2);
    });

  test('a service recorded for 6 of its seconds: as late-check.py computes it of `jfr print`', async (t) => {
    const path = sharedData(t, 'shop/late.jfr');
    if (path === undefined) return;
    const { bytes, earlier, count } = allocated(await readJfr(memorySource('late.jfr', readFileSync(path))));
    deepEqual([bytes, earlier, count], [1_847_741_376, 3_158_596_840, 28]);
  });

  test('the rates of gc say why they differ; one thread has no growth of the heap', async (t) => {
    const path = sharedData(t, 'shop/late.jfr');
    if (path === undefined) return;
    const session = await openSession([memorySource('late.jfr', readFileSync(path))]);
    const whole = await ask(session, { view: 'gc' });
    const texts = noteTexts(whole.notes.filter(({ code }) => code === 'rates-differ'));
    match(
      texts.join(),
      /^Growth of the heap is known for [\d,.]+ ms of [\d,.]+ ms: allocation events of that time stand for /,
    );
    const one = await ask(session, { view: 'gc', scope: [{ kind: 'thread', pattern: 'nightly-batch' }] });
    const lines = one.headlines.map(commandLineText).join();
    match(lines, /by allocation events/);
    ok(!lines.includes('by growth of the heap'), lines);
    await session.close();
  });

  test('views say what they leave out; events have the weights of the file, and say so', async () => {
    const name = 'late-jdk25.jfr.gz';
    const session = await openSession([
      memorySource(name, gunzipSync(readFileSync(join(ROOT, 'src/formats/jfr/kinds/fixtures', name)))),
    ]);
    const options = { metric: 'allocated' };
    for (const question of [
      { view: 'functions', options },
      { view: 'tree', options },
      { view: 'flame', options },
      { view: 'threads', options },
      { view: 'sites' },
      { view: 'gc' },
      { view: 'summary' },
    ] as const) {
      const { notes } = await ask(session, question);
      const texts = noteTexts(notes.filter(({ code }) => code === 'before-recording'));
      equal(texts.length, 1, question.view);
      match(texts[0] ?? '', /^Not counted: 483\.34 MB in 5 first samples of threads older than the recording/);
    }
    const types = ['ObjectAllocationSample'];
    const groups = await ask(session, { view: 'event-groups', options: { types, by: ['type'], value: 'weight' } });
    // `jfr print`: 330 events of 850.8 MB.
    deepEqual(
      groups.rows.map(({ events, sum }) => [events, Math.round(Number(sum ?? 0) / 1e5)]),
      [[330, 8508]],
    );
    equal(
      groups.notes.some(({ code }) => code === 'recorded-weights'),
      true,
    );
    await session.close();
  });
});
