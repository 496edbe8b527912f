import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../../base/errors.js';
import type { Profile } from '../../models/profile/profile.js';
import { ARCS, COUNTERS, RANGES, TRACES } from '../../models/profile/tables.js';
import { locationName } from '../../models/program/names.js';
import { ORIGINS, type ScopeStep } from '../../models/scope.js';
import type { NewRow } from '../../models/table.js';
import { column, type Field, type Table } from '../../models/table.js';
import type { TableKind } from '../../models/table-kind.js';
import { runs } from '../../testing/amount.js';
import { type Picture, picture, tree, treeText } from '../../testing/pictures/picture.js';
import { drawn, type PlainEvent, plain, plainEvents, signatureOf } from '../../testing/pictures/random-picture.js';
import { applyScope } from './scope.js';

function scoped(source: Picture, ...steps: ScopeStep[]): Picture {
  return { program: source.program, profile: applyScope(source.program, source.profile, steps).profile };
}

function check(source: Picture, steps: ScopeStep[], expected: string): void {
  assert.equal(treeText(scoped(source, ...steps)), tree(expected));
}

const source = picture(`
  @thread  main       main       worker-1   worker-2
  @time    0          10         20         30
  @count   5          1          2          8
           App.main   App.main   Pool.run   Pool.run
           App.get:7  App.get:9  App.get:7  Pool.park
           Map.hash              Map.get
                                 Map.hash
`);

describe('the scope of a question', () => {
  test('native frames are found by function, compile unit and load object, inlined or not', () => {
    const native = picture(`
      @count  5                     2             1
              app!main@10           app!main@18   app!main@18
              ~app!shop.c|add@10    lib.so!@20    ~app!shop.c|add@18
              lib.so!copy@40
    `);
    const whole = treeText(native);
    check(
      native,
      [
        { kind: 'focus', pattern: '^add \\(shop' },
        { kind: 'ignore', pattern: 'lib\\.so' },
      ],
      `
      app!main@18 0 1
        ~app!shop.c|add@18 1 1
    `,
    );
    check(
      native,
      [{ kind: 'focus', pattern: '^\\[lib' }],
      `
      app!main@18 0 2
        lib.so!@20 2 2
    `,
    );
    // The place keeps the function it was inlined into, even if that frame is hidden.
    check(
      native,
      [{ kind: 'hide', pattern: '^main' }],
      `
      ~app!shop.c|add@10 0 5
        lib.so!copy@40 5 5
      lib.so!@20 2 2
      ~app!shop.c|add@18 1 1
    `,
    );
    assert.equal(treeText(native), whole);
  });

  test('focus keeps events with a frame that matches', () => {
    check(
      source,
      [{ kind: 'focus', pattern: '^Map' }],
      `
      App.main 0 5
        App.get:7 0 5
          Map.hash 5 5
      Pool.run 0 2
        App.get:7 0 2
          Map.get 0 2
            Map.hash 2 2
      `,
    );
  });

  test('ignore drops events with a frame that matches', () => {
    check(
      source,
      [{ kind: 'ignore', pattern: 'hash$' }],
      `
      App.main 0 1
        App.get:9 1 1
      Pool.run 0 8
        Pool.park 8 8
      `,
    );
  });

  test('hide moves values to the nearest remaining frame, and drops events that lose all frames', () => {
    check(
      source,
      [{ kind: 'hide', pattern: 'App|Pool' }],
      `
      Map.hash 5 5
      Map.get 0 2
        Map.hash 2 2
      `,
    );
  });

  test('hide in the middle joins the frames above and below', () => {
    check(
      source,
      [{ kind: 'hide', pattern: 'get' }],
      `
      App.main 1 6
        Map.hash 5 5
      Pool.run 0 10
        Map.hash 2 2
        Pool.park 8 8
      `,
    );
  });

  test('show removes all other frames', () => {
    check(
      source,
      [{ kind: 'show', pattern: 'Pool|hash' }],
      `
      Map.hash 5 5
      Pool.run 0 10
        Map.hash 2 2
        Pool.park 8 8
      `,
    );
  });

  test('thread keeps events of threads with a matching name', () => {
    check(
      source,
      [{ kind: 'thread', pattern: 'worker-[2-9]' }],
      `
      Pool.run 0 8
        Pool.park 8 8
      `,
    );
  });

  test('time keeps events from its beginning to before its end', () => {
    check(
      source,
      [{ kind: 'time', from: 10, to: 20 }],
      `
      App.main 0 1
        App.get:9 1 1
      `,
    );
  });

  test('steps are applied in order', () => {
    check(
      source,
      [
        { kind: 'focus', pattern: 'get' },
        { kind: 'hide', pattern: 'get' },
      ],
      `
      App.main 1 6
        Map.hash 5 5
      Pool.run 0 2
        Map.hash 2 2
      `,
    );
    check(
      source,
      [
        { kind: 'hide', pattern: 'get' },
        { kind: 'focus', pattern: 'get' },
      ],
      '',
    );
  });

  test('all occurrences of a recursive function are hidden', () => {
    const recursive = picture(`
      a  a
      f  f
      f  b
      b
      f
    `);
    check(
      recursive,
      [{ kind: 'hide', pattern: '^f$' }],
      `
      a 0 2
        b 2 2
      `,
    );
  });

  test('values of a site are removed with its frame', () => {
    const sites = picture(
      `
      @calls  5  1  2
              a  a  b
              f  g
      `,
      { nature: 'site' },
    );
    check(
      sites,
      [{ kind: 'hide', pattern: '^f$' }],
      `
      a 0 1
        g 1 1
      b 2 2
      `,
    );
    check(
      sites,
      [{ kind: 'hide', pattern: '^[ab]$' }],
      `
      f 5 5
      g 1 1
      `,
    );
  });

  test('stacks that begin in different ways are not joined', () => {
    const endings = picture(`
      @ending  whole  cut
               h      h
               a      a
    `);
    const { stacks } = scoped(endings, { kind: 'hide', pattern: '^h$' }).profile;
    assert.deepEqual([stacks.length, ...stacks.ending], [2, 0, 1]);
  });

  test('reports the data it cannot be applied to', () => {
    assert.throws(() => scoped(source, { kind: 'focus', pattern: '(' }), UsageError);
    assert.throws(() => scoped(source, { kind: 'thread', pattern: '[' }), UsageError);
    assert.throws(() => scoped(picture('a'), { kind: 'thread', pattern: 'a' }), /no threads to select by/);
    assert.throws(() => scoped(picture('a'), { kind: 'time', from: 0, to: 1 }), /no times to select by/);
  });

  test('lists the kinds of events that a step did not change', () => {
    const other = picture('@time 7\n      a').profile.events;
    const both = { ...source.profile, events: [...source.profile.events, ...other.map((t) => ({ ...t, kind: 'gc' }))] };
    const result = applyScope(source.program, both, [{ kind: 'thread', pattern: 'main' }]);
    assert.deepEqual([...result.unscoped], ['gc']);
    assert.deepEqual(
      result.profile.events.map(({ length }) => length),
      [2, 1],
    );
  });
});

/** All steps but those by dump and by state, which need a recording of dumps, those by events (during.test.ts), view modes (experiments have them), and filters (filter.test.ts). */
type UsualStep = Exclude<
  ScopeStep,
  { kind: 'dump' | 'process' | 'state' | 'filter' | 'at' | 'during' | 'clock' | 'view-mode' }
>;

/** The scope once more, over plain lists. */
function naive(events: readonly PlainEvent[], step: UsualStep): PlainEvent[] {
  if (step.kind === 'time') return events.filter(({ time }) => time >= step.from && time < (step.to ?? Infinity));
  if (step.kind === 'depth') return events.map((event) => ({ ...event, frames: event.frames.slice(-step.frames) }));
  if (step.kind === 'origin')
    // Functions without a class are of unknown origin, all classes here are the program's own.
    return events.filter(({ frames }) => {
      const leaf = frames.at(-1);
      return leaf !== undefined && step.origins.includes(/^[CD]\./.test(leaf) ? 'own' : 'unknown');
    });
  const matches = (text: string): boolean => new RegExp(step.pattern, 'u').test(signatureOf(text));
  switch (step.kind) {
    case 'thread':
      return events.filter(({ thread }) => matches(thread));
    case 'focus':
      return events.filter(({ frames }) => frames.some(matches));
    case 'ignore':
      return events.filter(({ frames }) => !frames.some(matches));
    case 'hide':
    case 'show':
      return events
        .map((event) => ({ ...event, frames: event.frames.filter((text) => matches(text) === (step.kind === 'show')) }))
        .filter(({ frames }) => frames.length > 0);
  }
}

const pattern = fc.constantFrom('a', 'b', '^C', '^a$|c', '.', 'nothing', '\\(n\\)$', '^\\[n', '^h');
const step: fc.Arbitrary<UsualStep> = fc.oneof(
  fc.record({ kind: fc.constantFrom('focus', 'ignore', 'hide', 'show'), pattern }),
  fc.record({ kind: fc.constant('thread' as const), pattern: fc.constantFrom('main', 'worker', '-2$') }),
  fc.record({ kind: fc.constant('time' as const), from: fc.nat(100), to: fc.nat(100) }),
  fc.record({ kind: fc.constant('origin' as const), origins: fc.subarray([...ORIGINS]) }),
  fc.record({ kind: fc.constant('depth' as const), frames: fc.integer({ min: 1, max: 7 }) }),
);

describe('tables beside the events', () => {
  const { program, profile } = picture(`
    @thread  main  worker
    @time    10    20
             App.a Pool.b
             hash  hash
  `);
  const table = <F extends Field>(kind: TableKind<F>, rows: readonly NewRow<F>[]): Table => {
    const builder = kind.builder();
    for (const row of rows) builder.add(row);
    return builder.finish();
  };
  const all: Profile = {
    ...profile,
    traces: table(TRACES, [
      { serial: 300001, stack: 1, thread: 0 },
      { serial: 300002, stack: 3, thread: 1 },
    ]),
    arcs: table(ARCS, [{ caller: 0, callee: 1, calls: 4, value: 9 }]),
    counters: table(COUNTERS, [
      { track: 0, time: 5, value: 1 },
      { track: 0, time: 15, value: 2 },
    ]),
    ranges: table(RANGES, [
      { track: 0, thread: 0, time: 0, duration: 5 },
      { track: 0, thread: 1, time: 12, duration: 5 },
    ]),
  };
  const values = (found: Table | undefined, key: string): number[] =>
    found === undefined ? [] : [...column(found, key)];

  test('traces follow stacks that lose frames', () => {
    const scoped = applyScope(program, all, [{ kind: 'hide', pattern: 'hash' }]).profile;
    assert.deepEqual(values(scoped.traces, 'serial'), [300001, 300002]);
    const leaves = values(scoped.traces, 'stack').map((id) => locationName(program, scoped.stacks.location[id]));
    assert.deepEqual(leaves, ['App.a:0', 'Pool.b:0']);
  });

  test('time and threads select in all tables that have them', () => {
    const late = applyScope(program, all, [{ kind: 'time', from: 12, to: 30 }]);
    assert.deepEqual(values(late.profile.counters, 'time'), [15]);
    assert.deepEqual(values(late.profile.ranges, 'time'), [12]);
    assert.deepEqual([...late.unscoped].sort(), ['arc', 'trace']);
    const worker = applyScope(program, all, [{ kind: 'thread', pattern: 'worker' }]).profile;
    assert.deepEqual(values(worker.ranges, 'thread'), [1]);
    assert.deepEqual(values(worker.traces, 'serial'), [300002]);
  });
});

describe('the scope of any profile', () => {
  test('equals filtering plain lists', () => {
    fc.assert(
      fc.property(plainEvents, fc.array(step, { maxLength: 4 }), (events, steps) => {
        let wanted = events;
        for (const next of steps) {
          // A step that nothing is left for is a usage error or nothing, which the tests above say.
          if (wanted.every(({ frames }) => frames.length === 0)) return;
          wanted = naive(wanted, next);
        }
        assert.deepEqual(plain(scoped(drawn(events), ...steps)), wanted);
      }),
      runs(2000),
    );
  });

  test('drops only site events with a hidden own frame', () => {
    fc.assert(
      fc.property(plainEvents, pattern, (events, hidden) => {
        const expression = new RegExp(hidden, 'u');
        const kept = naive(
          events.filter(({ frames }) => frames.length > 0 && !expression.test(signatureOf(frames.at(-1) ?? ''))),
          { kind: 'hide', pattern: hidden },
        );
        assert.deepEqual(plain(scoped(drawn(events, { nature: 'site' }), { kind: 'hide', pattern: hidden })), kept);
      }),
      runs(500),
    );
  });

  test('focus and ignore partition the events', () => {
    fc.assert(
      fc.property(plainEvents, pattern, (events, text) => {
        const drawing = drawn(events);
        const both = [
          ...plain(scoped(drawing, { kind: 'focus', pattern: text })),
          ...plain(scoped(drawing, { kind: 'ignore', pattern: text })),
        ];
        assert.equal(both.length, events.length);
      }),
      runs(100),
    );
  });
});
