/** Graphs derived of one against those that the view makes of the recording itself, and time against a naive walk. */
import { deepStrictEqual, equal } from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { memorySource } from '../../bytes/byte-source.js';
import { SAMPLE_EVENTS } from '../../models/events/sample.js';
import { rootOf, StackBuilder } from '../../models/profile/stack-builder.js';
import { THREADS } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { ask, openSession } from '../../session/session.js';
import { runs } from '../../testing/amount.js';
import { flameNodes } from '../../testing/pictures/flame-nodes.js';
import { picture } from '../../testing/pictures/picture.js';
import { picturedSession } from '../../testing/pictures/pictured-session.js';
import { drawn, type PlainEvent, plainEvents, signatureOf } from '../../testing/pictures/random-picture.js';
import { derive, derivedResult, isSource, type PictureSelection } from './derive.js';
import { layout } from './layout.js';
import { type FlamePicture, type FlameResult, flamePicture, nameOf } from './picture.js';

const RUNS = runs(150);

function pictureOf(source: FlameResult, selection: Partial<PictureSelection>): FlamePicture {
  const whole = { inverted: false, thread: undefined, inTime: false, ...selection };
  // As from a page: through JSON.
  const read: FlameResult = JSON.parse(JSON.stringify(source));
  const made = derive(read, whole);
  return flamePicture(derivedResult(read, whole, made), made.start);
}

const nodesOf = (picture: FlamePicture): string[] =>
  flameNodes(picture)
    .map((node) => JSON.stringify(node))
    .sort();

describe('derive', () => {
  it('inverts as the view does, with and without a base', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, plainEvents, fc.boolean(), async (now, base, compared) => {
        const session = picturedSession(drawn(now), drawn(base));
        const question = { view: 'flame' as const, ...(compared ? { base: 'r2' } : {}) };
        const source = await ask(session, question);
        equal(isSource(source), true);
        const expected = flamePicture(await ask(session, { ...question, options: { inverted: true } }));
        const made = pictureOf(source, { inverted: true });
        deepStrictEqual(nodesOf(made), nodesOf(expected));
        deepStrictEqual([...(made.base?.total ?? [])], [...(expected.base?.total ?? [])]);
        deepStrictEqual([made.metric.sum, made.inverted], [expected.metric.sum, true]);
      }),
      RUNS,
    );
  });

  it('shows threads of a pattern as the scope does, either way round, with and without a base', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, plainEvents, fc.boolean(), fc.boolean(), async (now, base, inverted, compared) => {
        const session = picturedSession(drawn(now), drawn(base));
        const question = { view: 'flame' as const, ...(compared ? { base: 'r2' } : {}) };
        const source = await ask(session, { ...question, options: { samples: true } });
        const names = source.samples?.threads ?? [];
        const several = names.length > 2 ? [names.slice(1).join('|')] : [];
        for (const thread of [...names, ...names.map((name) => `^${name}$`), ...several]) {
          const scope = [{ kind: 'thread' as const, pattern: thread }];
          const expected = flamePicture(await ask(session, { ...question, options: { inverted }, scope }));
          const made = pictureOf(source, { thread, inverted });
          deepStrictEqual(nodesOf(made), nodesOf(expected));
          deepStrictEqual([...(made.base?.self ?? [])], [...(expected.base?.self ?? [])]);
          deepStrictEqual([...(made.base?.total ?? [])], [...(expected.base?.total ?? [])]);
          equal(made.metric.samples, expected.metric.samples);
        }
      }),
      RUNS,
    );
  });

  it('lists the threads of both recordings of a comparison, once by name', async () => {
    const one = picture('@thread a b\n@count  3 1\n        f f');
    const other = picture('@thread b c\n@count  2 5\n        f f');
    const source = await ask(picturedSession(one, other), { view: 'flame', base: 'r2', options: { samples: true } });
    deepStrictEqual(source.samples?.threads, ['a', 'b', 'c']);
    const totals = ['a', 'b', 'c'].map((thread) => {
      const { total, base } = pictureOf(source, { thread });
      return [total[0], base?.total[0]];
    });
    deepStrictEqual(totals, [
      [3, 0],
      [1, 2],
      [0, 5],
    ]);
    const none = picture('@count 3\n       f');
    const alone = await ask(picturedSession(one, none), { view: 'flame', base: 'r2', options: { samples: true } });
    equal(alone.samples, null, 'the base has no threads');
  });

  it('scales the base of one thread as that of all', async () => {
    const one = picture('@thread a b\n@count  3 1\n        f f');
    const other = picture('@thread a b\n@count  2 6\n        f f');
    const options = { samples: true, normalise: true };
    const source = await ask(picturedSession(one, other), { view: 'flame', base: 'r2', options });
    deepStrictEqual(pictureOf(source, { thread: 'b' }).base?.total[0], 3);
  });

  it('takes threads of one name together, and keeps them apart in the order of time', async () => {
    const program = new ProgramBuilder();
    const f = program.location(program.function(program.class(program.name('C')), program.name('f')));
    const stacks = new StackBuilder(1);
    const stack = stacks.add(rootOf('whole'), f);
    const threads = THREADS.builder();
    for (const name of ['worker', 'main', 'worker']) threads.add({ name: program.name(name) });
    const samples = SAMPLE_EVENTS.having(['thread', 'time']).builder();
    for (const thread of [0, 1, 2]) samples.add({ stack, count: thread + 1, thread, time: thread });
    const profile = {
      stacks: stacks.finish(),
      threads: threads.finish(),
      events: [samples.finish()],
      metrics: [SAMPLE_EVENTS.metric('count', { id: 'samples', title: 'Samples' })],
    };
    const session = picturedSession({ program: program.finish(), profile });
    const source = await ask(session, { view: 'flame', options: { samples: true } });
    equal(pictureOf(source, { thread: 'worker' }).metric.sum, 4);
    const boxes = pictureOf(source, { thread: 'worker', inTime: true });
    deepStrictEqual([...boxes.total.subarray(1)], [1, 3]);
  });

  it('shows samples in the order of time, thread by thread, where they are', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, plainEvents, fc.boolean(), async (events, base, compared) => {
        const question = { view: 'flame' as const, ...(compared ? { base: 'r2' } : {}), options: { samples: true } };
        const source = await ask(picturedSession(drawn(events), drawn(base)), question);
        if (source.samples === null) return;
        equal(source.samples.in_order, true);
        const made = pictureOf(source, { inTime: true });
        equal(made.base, undefined, 'the base has times of its own');
        const placed = layout(made, 'weight');
        const seen: string[] = [];
        for (let node = 1; node < made.length; node++) {
          let depth = -1;
          for (let above = made.parent[node]; above >= 0; above = made.parent[above]) depth++;
          const place = placed.placeOf[node];
          if (made.total[node] > 0)
            seen.push(`${depth} ${placed.x[place]} ${placed.width[place]} ${nameOf(made, node)}`);
        }
        deepStrictEqual(seen.sort(), naive(events, source.samples.threads).sort());
      }),
      RUNS,
    );
  });

  it('merges calls that go on in a speedscope file, and only those', async () => {
    const frames = ['main', 'a', 'b'].map((name) => ({ name }));
    const samples = [
      [0, 1],
      [0, 1],
      [0, 2],
      [0, 1],
    ];
    const profile = {
      type: 'sampled',
      name: 't',
      unit: 'nanoseconds',
      startValue: 0,
      endValue: 7,
      samples,
      weights: [1, 2, 1, 3],
    };
    const text = JSON.stringify({
      $schema: 'https://www.speedscope.app/file-format-schema.json',
      shared: { frames },
      profiles: [profile],
    });
    const session = await openSession([memorySource('t.speedscope.json', new TextEncoder().encode(text))]);
    const made = pictureOf(await ask(session, { view: 'flame', options: { samples: true } }), { inTime: true });
    const placed = layout(made, 'name');
    deepStrictEqual(
      Array.from({ length: made.length }, (_, node) => [nameOf(made, node), placed.x[node], placed.width[node]]),
      [
        ['all', 0, 7],
        ['main', 0, 7],
        ['a', 0, 3],
        ['b', 3, 1],
        ['a', 4, 3],
      ],
    );
  });

  it('has no samples where the recording has neither threads nor times', async () => {
    const session = await openSession([memorySource('a.txt', new TextEncoder().encode('a;b 1\na;c 2\n'))]);
    equal((await ask(session, { view: 'flame', options: { samples: true } })).samples, null);
  });
});

/** Boxes as text: for each depth the runs of equal paths in the order of time. */
function naive(events: readonly PlainEvent[], threads: readonly string[]): string[] {
  const order = events
    .filter(({ count, frames }) => count > 0 && frames.length > 0)
    .map((event, row) => ({ ...event, row, at: threads.indexOf(event.thread) }))
    .sort((a, b) => a.at - b.at || a.time - b.time || a.row - b.row);
  const boxes: string[] = [];
  const deepest = Math.max(0, ...order.map(({ frames }) => frames.length));
  for (let depth = 0; depth < deepest; depth++) {
    let [path, from, now] = ['', 0, 0];
    const close = (): void => {
      if (path !== '') boxes.push(`${depth} ${from} ${now - from} ${path.split(';').at(-1)}`);
    };
    let thread = -2;
    for (const { frames, at, count } of order) {
      const here =
        frames.length > depth
          ? frames
              .slice(0, depth + 1)
              .map(signatureOf)
              .join(';')
          : '';
      if (here !== path || at !== thread) {
        close();
        [path, from, thread] = [here, now, at];
      }
      now += count;
    }
    close();
  }
  return boxes;
}
