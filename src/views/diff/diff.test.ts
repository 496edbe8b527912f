/** Differences: laws for any two recordings, and two moments of one program. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../../base/errors.js';
import { memorySource } from '../../bytes/byte-source.js';
import { noteTexts } from '../../cli/render/spelling.js';
import { readClassHistogram } from '../../formats/class-histogram/read.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { Recording } from '../../models/recording.js';
import { ask, type Question, type Session, sessionOf } from '../../session/session.js';
import { runs } from '../../testing/amount.js';
import { heapPicture } from '../../testing/pictures/heap-picture.js';
import { picture } from '../../testing/pictures/picture.js';
import { drawnRecording } from '../../testing/recordings.js';
import { ROOT } from '../../testing/shared-data.js';

const ALL = { limit: 0 };
type Options = NonNullable<Question<'diff'>['options']>;

const diff = (base: Recording, now: Recording, options: Options = {}) =>
  ask(sessionOf([base, now]), { view: 'diff', recording: 'r2', base: 'r1', options, page: ALL });

async function histogram(rows: readonly (readonly [string, number])[]): Promise<Recording> {
  const lines = rows.map(([name, bytes], i) => `${i + 1}: 1 ${bytes} ${name}\n`).join('');
  const sum = rows.reduce((all, [, bytes]) => all + bytes, 0);
  const text = ` num #instances #bytes class name\n${lines}Total ${rows.length} ${sum}\n`;
  return readClassHistogram(memorySource('histogram', Buffer.from(text)));
}

const EXAMPLES = join(ROOT, 'examples', 'histogram');
const example = (name: string) => readClassHistogram(memorySource(name, readFileSync(join(EXAMPLES, name))));

const rows = fc.uniqueArray(
  fc.tuple(fc.constantFrom('A', 'B', 'C', 'D/0x1', 'D/0x2', 'E'), fc.integer({ min: 1, max: 1000 })),
  {
    minLength: 1,
    selector: ([name]) => name,
  },
);

describe('laws', () => {
  test('a recording does not differ from itself', async () => {
    for (const recording of [await example('after.txt'), drawnRecording(picture('Main.main\nMain.run'))]) {
      const result = await diff(recording, recording);
      equal(result.total, 0);
      deepStrictEqual([result.states.new, result.states.gone, result.states.changed], [0, 0, 0]);
      ok((await diff(recording, recording, { same: true })).total > 0);
    }
  });

  test('with swapped sides, every delta has the other sign, new is gone, and both add up', async () => {
    await fc.assert(
      fc.asyncProperty(rows, rows, async (before, after) => {
        const [one, two] = [await histogram(before), await histogram(after)];
        const there = await diff(one, two, { same: true });
        const back = await diff(two, one, { same: true });
        const signed = (result: typeof there, sign: number) =>
          result.rows.map((row) => `${row.name} ${sign * row.delta + 0}`).sort();
        deepStrictEqual(signed(there, 1), signed(back, -1));
        deepStrictEqual([there.states.new, there.states.gone], [back.states.gone, back.states.new]);
        equal(
          there.rows.reduce((sum, row) => sum + row.delta, 0),
          there.sum - there.base.sum,
        );
        for (const row of there.rows) equal(row.delta, row.value - row.base);
        deepStrictEqual([there.together, there.joined], [back.together, back.joined]);
      }),
      runs(50),
    );
  });

  test('scaled to the same total, a multiple of a histogram has no changes', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 2, max: 9 }), async (before, times) => {
        const grown = before.map(([name, bytes]) => [name, bytes * times] as const);
        const result = await diff(await histogram(before), await histogram(grown), { normalise: true });
        equal(result.total, 0);
        deepStrictEqual(
          result.runs.map((run) => run.scale),
          [times, 1],
        );
      }),
      runs(20),
    );
  });
});

describe('by class', () => {
  test('two moments of a growing program', async () => {
    const result = await diff(await example('before.txt'), await example('after.txt'));
    const order = result.rows.find((row) => row.name === 'Growing$Order');
    deepStrictEqual([order?.base, order?.value, order?.ratio, order?.state], [72000, 360000, 5, 'changed']);
    const lambda = result.rows.find((row) => row.name === 'Growing$$Lambda/*');
    deepStrictEqual([lambda?.base, lambda?.value, lambda?.names], [4800, 24000, 1]);
    equal(result.by, 'class');
    const objects = await diff(await example('before.txt'), await example('after.txt'), { metric: 'live-objects' });
    equal(objects.rows.find((row) => row.name === 'Growing$Order')?.delta, 12000);
  });

  test('names that cannot be distinguished share a row, and are counted', async () => {
    const result = await diff(
      await histogram([['D/0x1', 5]]),
      await histogram([
        ['D/0x1', 5],
        ['D/0x2', 7],
      ]),
    );
    deepStrictEqual(
      result.rows.map((row) => [row.name, row.base, row.value, row.names]),
      [['D/*', 5, 12, 2]],
    );
    equal(result.together, 1);
    ok(result.columns.some((column) => column.key === 'names'));
  });

  test('a histogram and a heap, of one dump each', async () => {
    const program = new ProgramBuilder();
    const heap = heapPicture(program, 'primitive-array [B 32 16\nclass [B 96', 1);
    const heaps = [heapPicture(program, 'instance X 8'), heap];
    const result = await diff(
      await histogram([
        ['[B', 30],
        ['java.lang.Class', 90],
      ]),
      drawnRecording({ program: program.finish(), heaps }),
    );
    deepStrictEqual(
      result.rows.map((row) => [row.name, row.delta]),
      [
        ['java.lang.Class', 6],
        ['byte[]', 2],
      ],
    );
    ok(noteTexts(result.notes).some((note) => /base class-histogram, this drawn/.test(note)));
    ok(noteTexts(result.notes).some((note) => /dump 2 of 2 of this/.test(note)));
  });

  test('two dumps of one recording', async () => {
    const program = new ProgramBuilder();
    const heaps = [heapPicture(program, 'instance X 8'), heapPicture(program, 'instance X 8\ninstance X 8', 1)];
    const session: Session = sessionOf([drawnRecording({ program: program.finish(), heaps })]);
    const result = await ask(session, { view: 'diff', base: 'r1', baseScope: [{ kind: 'dump', number: 1 }] });
    deepStrictEqual(
      result.rows.map((row) => [row.name, row.base, row.value]),
      [['X', 8, 16]],
    );
  });
});

describe('by function', () => {
  const before = drawnRecording(
    picture(`
      @ticks  500        200
              Main.main  Main.main
              Main.a     Main.b`),
  );
  const after = drawnRecording(
    picture(`
      @ticks  500        800
              Main.main  Main.main
              Main.a     Main.c`),
  );

  test('self and, of flows, total', async () => {
    const result = await diff(before, after);
    equal(result.by, 'function');
    deepStrictEqual(
      result.rows.map((row) => [row.name, row.base, row.value, row.delta_total, row.state]),
      [
        ['Main.c', 0, 800, 800, 'new'],
        ['Main.b', 200, 0, -200, 'gone'],
        ['Main.main', 0, 0, 600, 'changed'],
      ],
    );
  });

  test('under one scope', async () => {
    const result = await ask(sessionOf([before, after]), {
      view: 'diff',
      recording: 'r2',
      base: 'r1',
      scope: [{ kind: 'ignore', pattern: 'Main.c' }],
    });
    deepStrictEqual(
      result.rows.map((row) => row.name),
      ['Main.b', 'Main.main'],
    );
  });

  test('a metric that one side lacks is an error that lists the common ones', async () => {
    const other = drawnRecording(picture('@bananas 1\n         Main.main'));
    await rejects(
      diff(before, after, { metric: 'bananas' }),
      (error) => error instanceof UsageError && error.advice === 'All have: ticks.',
    );
    await rejects(diff(before, other), /no metric in common/);
    await rejects(diff(before, after, { by: 'class' }), /no objects by class/);
    await rejects(diff(before, await example('after.txt')), UsageError);
    await rejects(ask(sessionOf([before]), { view: 'diff' }), /needs a base/);
  });
});

test('functions with the same identity that call each other count a stack once', async () => {
  const now = picture(`
    @count  10
            App.main
            A$$Lambda/0x1.run
            A$$Lambda/0x2.run
  `);
  const { rows } = await diff(drawnRecording(now), drawnRecording(now), { same: true });
  deepStrictEqual(rows.map(({ name, value, total, names }) => [name, value, total, names]).sort(), [
    ['A$$Lambda/*.run', 10, 10, 2],
    ['App.main', 0, 10, 1],
  ]);
});
