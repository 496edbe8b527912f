/** Filters on fields, compared with a second evaluator that asks each row. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../../base/errors.js';
import type { Profile } from '../../models/profile/profile.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { THREADS } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import { column, type Field, TableBuilder } from '../../models/table.js';
import { runs } from '../../testing/amount.js';
import { applyScope } from './scope.js';

const FIELDS = [
  { key: 'startTime', title: 'Start', holds: 'number', unit: 'ns', meaning: '', wide: true },
  { key: 'duration', title: 'Duration', holds: 'number', unit: 'ns', meaning: '', wide: true, unknown: -1 },
  { key: 'size', title: 'Heap size', holds: 'number', unit: 'bytes', meaning: '', wide: true },
  { key: 'load', title: 'Load', holds: 'number', unit: 'ratio', meaning: '', wide: true },
  { key: 'gc.name', title: 'Collector', holds: 'string', unit: 'none', meaning: '' },
  { key: 'eventThread', title: 'Event Thread', holds: 'thread', unit: 'none', meaning: '' },
  { key: 'thread', title: 'Another', holds: 'number', unit: 'none', meaning: '' },
  { key: 'on', title: 'On', holds: 'number', unit: 'none', meaning: '', names: ['false', 'true'] },
] as const satisfies readonly Field[];

type Cells = Readonly<Record<string, number | string | null>>;

const TEXTS = ['G1 New', 'Old', 'pool-1', "it's", 'null'];

/** A profile with one table of these rows; texts are rows of its names and threads. */
function profileOf(rows: readonly Cells[]): { program: ReturnType<ProgramBuilder['finish']>; profile: Profile } {
  const program = new ProgramBuilder();
  const threads = THREADS.builder();
  for (const text of TEXTS) threads.add({ name: program.name(text) });
  const table = new TableBuilder('made.Event', 'Made', FIELDS);
  for (const row of rows) {
    const cells = FIELDS.map(({ key, holds }) => {
      const cell = row[key] ?? null;
      if (cell === null) return [key, key === 'load' ? NaN : -1];
      if (holds === 'number') return [key, cell === 'false' ? 0 : cell === 'true' ? 1 : cell];
      return [key, holds === 'thread' ? TEXTS.indexOf(String(cell)) : program.name(String(cell))];
    });
    table.add(Object.fromEntries(cells));
  }
  const shared = { time: 'startTime', thread: 'eventThread' };
  return {
    program: program.finish(),
    profile: {
      stacks: new StackBuilder().finish(),
      events: [{ ...table.finish(), shared }],
      metrics: [],
      threads: threads.finish(),
    },
  };
}

/** The start times of the rows that are left. */
function left(rows: readonly Cells[], expression: string): number[] {
  const { program, profile } = profileOf(rows);
  const scoped = applyScope(program, profile, [{ kind: 'filter', expression }]).profile;
  const [table] = scoped.events;
  return table === undefined ? [] : [...column(table, 'startTime')];
}

const ROWS: readonly Cells[] = [
  {
    startTime: 0,
    duration: 5e6,
    size: 1000,
    load: 0.5,
    'gc.name': 'G1 New',
    eventThread: 'pool-1',
    thread: 7,
    on: 'true',
  },
  { startTime: 1, duration: 3e7, size: 2e6, load: 0.05, 'gc.name': 'Old', eventThread: "it's", thread: 8, on: 'false' },
  { startTime: 2, duration: null, size: 1024, load: null, 'gc.name': null, eventThread: null, thread: 9, on: null },
];

describe('filters', () => {
  const cases: readonly [string, number[]][] = [
    ['duration > 20ms', [1]],
    ['duration>=5ms && duration<0.02s', [0]],
    ['duration != 5ms', [1, 2]],
    ['duration = null', [2]],
    ['not duration = null', [0, 1]],
    ['size = 1KB or size == 1KiB', [0, 2]],
    ['`heap SIZE` = 2MB', [1]],
    ['load < 6%', [1]],
    ['load <= .5', [0, 1]],
    ['gc.name = Old', [1]],
    ['Collector = "G1 New"', [0]],
    ["gc.name = 'G1 New'", [0]],
    ["eventThread = 'it\\'s'", [1]],
    ['eventthread ~ /POOL-[0-9]/i', [0]],
    ['eventThread !~ pool', [1, 2]],
    ['`Event Thread` = "null" or `Event Thread` = null', [2]],
    ['thread = 7 or thread = 0x8', [0, 1]],
    ['on = true', [0]],
    ['on != true', [1, 2]],
    ['!(on = true or on = false)', [2]],
    ['time = 1ns AND (on = false OR on = true)', [1]],
    ['not not on = true', [0]],
  ];
  for (const [expression, expected] of cases)
    test(expression, () => assert.deepEqual(left(ROWS, expression), expected));

  const bare = ['/order', '127.0.0.1', '3fa9c', '2024-05-01', '8:30', '*', 'a.b.C$D', '5.', '10.0.0.1:8080', '1e5x7'];
  for (const value of bare)
    test(`gc.name = ${value} needs no quotes`, () => {
      const rows = [{ ...ROWS[0], 'gc.name': value }, ROWS[1]].filter((row) => row !== undefined);
      assert.deepEqual(left(rows, `gc.name = ${value}`), [0]);
      assert.deepEqual(left(rows, `(gc.name!=${value})&&size>5`), [1]);
    });

  const mistakes: readonly [string, RegExp][] = [
    ['', /character 1: expected a field.*found the end/],
    ['duration', /character 9: expected = != .* after duration, found the end/],
    ['duration > ', /character 12: expected a value/],
    ['duration > soon', /character 12: expected a number after >/],
    ['duration > 5parsecs', /parsecs is no unit; expected one of ns, /],
    ['thread = 7or thread = 8', /or is no unit/],
    ['duration > 5MB', /character 12: duration is a time, as in 20ms, found 5MB/],
    ['size > 5ms', /size is a size, as in 1MB, found 5ms/],
    ['thread > 5ms', /thread has no unit, found 5ms/],
    ['(on = true', /expected `\)`, found the end/],
    ['on = true)', /character 10: expected `and`, `or` or the end, found \)/],
    ['on = true on = true', /character 11: expected `and`/],
    ['gc.name > 5', /character 1: gc.name is a text, which > cannot compare/],
    ['size ~ /5/', /size is a number, which has no pattern/],
    ['size = large', /character 8: size is a number, so a number is expected/],
    ['gc.name ~ /(/', /not a regular expression/],
    ['gc.name ~ /a/g', /flags of a pattern are i, m and s, found g/],
    ['on = true and colour = red', /character 15: no events have a field colour/],
    [`${'('.repeat(101)}on = true${')'.repeat(101)}`, /more than 100 brackets/],
    [`on = ${'x'.repeat(20_000)}`, /longer than 20000 characters/],
  ];
  for (const [expression, message] of mistakes)
    test(`${expression.slice(0, 30)}: refused with the place`, () =>
      assert.throws(
        () => left(ROWS, expression),
        (error) => error instanceof UsageError && message.test(error.message),
      ));

  test('an error shows the place and the fields', () =>
    assert.throws(
      () => left(ROWS, 'on = true and colour = red'),
      (error) =>
        error instanceof UsageError &&
        error.lines.join('\n').startsWith('on = true and colour = red\n              ^\nFields: startTime, duration'),
    ));

  test('kinds of events without the fields stay, and are named', () => {
    const { program, profile } = profileOf(ROWS);
    const other = new TableBuilder('other', 'Other', [{ ...FIELDS[2], key: 'bytes', title: 'Bytes' }]);
    other.add({ bytes: 5 });
    const both = { ...profile, events: [...profile.events, other.finish()] };
    const scoped = applyScope(program, both, [{ kind: 'filter', expression: 'bytes = 4B' }]);
    assert.deepEqual([...scoped.unscoped], ['made.Event']);
    assert.deepEqual(
      scoped.profile.events.map(({ length }) => length),
      [3, 0],
    );
    assert.throws(
      () => applyScope(program, both, [{ kind: 'filter', expression: 'bytes = 4 and on = true' }]),
      /no kind of events has all of these fields/,
    );
  });
});

/** A filter as the tests know it, and how it is written. */
type Drawn =
  | { readonly op: 'and' | 'or'; readonly parts: readonly Drawn[] }
  | { readonly op: 'not'; readonly part: Drawn }
  | { readonly op: string; readonly key: string; readonly value: number | string | null };

function written(drawn: Drawn): string {
  if ('parts' in drawn) return `(${drawn.parts.map(written).join(` ${drawn.op} `)})`;
  if ('part' in drawn) return `not ${written(drawn.part)}`;
  const { key, op, value } = drawn;
  if (op === '~' || op === '!~') return `${key} ${op} /${String(value)}/`;
  return `${key}${op}${typeof value === 'string' ? JSON.stringify(value) : String(value)}`;
}

/** The rule of the language, for one row. */
function holds(row: Cells, drawn: Drawn): boolean {
  if ('parts' in drawn)
    return drawn.op === 'and'
      ? drawn.parts.every((part) => holds(row, part))
      : drawn.parts.some((part) => holds(row, part));
  if ('part' in drawn) return !holds(row, drawn.part);
  const { key, op, value } = drawn;
  const cell = row[key] ?? null;
  if (op.startsWith('!')) return !holds(row, { ...drawn, op: op.slice(1) });
  if (value === null) return cell === null;
  if (cell === null) return false;
  if (op === '~') return new RegExp(String(value), 'u').test(String(cell));
  if (op === '=') return cell === value;
  return op === '<' ? cell < value : op === '<=' ? cell <= value : op === '>' ? cell > value : cell >= value;
}

const text = fc.constantFrom(...TEXTS);
const size = fc.nat(4);
const compared: fc.Arbitrary<Drawn> = fc.oneof(
  fc.record({
    op: fc.constantFrom('=', '!=', '<', '<=', '>', '>='),
    key: fc.constantFrom('duration', 'size', 'load', 'thread'),
    value: size,
  }),
  fc.record({ op: fc.constantFrom('=', '!='), key: fc.constantFrom('gc.name', 'eventThread'), value: fc.option(text) }),
  fc.record({
    op: fc.constantFrom('~', '!~'),
    key: fc.constantFrom('gc.name', 'eventThread'),
    value: fc.constantFrom('o', '^O', '[0-9]$', 'x'),
  }),
  fc.record({ op: fc.constantFrom('=', '!='), key: fc.constant('on'), value: fc.constantFrom('true', 'false', null) }),
);
const { filter } = fc.letrec<{ filter: Drawn }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    compared,
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ op: fc.constant('not' as const), part: tie('filter') }),
  ),
}));
const cells = fc.record({
  duration: fc.option(size),
  size,
  load: fc.option(size),
  'gc.name': fc.option(text),
  eventThread: fc.option(text),
  thread: size,
  on: fc.option(fc.constantFrom('true', 'false')),
});

describe('any filter', () => {
  test('leaves the rows that the rule leaves', () => {
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 12 }), filter, (drawn, wanted) => {
        const rows = drawn.map((row, startTime) => ({ ...row, startTime }));
        const expected = rows.filter((row) => holds(row, wanted)).map(({ startTime }) => startTime);
        assert.deepEqual(left(rows, written(wanted)), expected);
      }),
      runs(2000),
    );
  });

  test('of any characters is answered or refused', () => {
    const piece = fc.constantFrom(
      'on',
      ' ',
      '=',
      '(',
      ')',
      'not',
      '~',
      '/',
      "'",
      '`',
      '5',
      'ms',
      'and',
      '!',
      '\\',
      '"',
      'é',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          left(ROWS, pieces.join(''));
        } catch (error) {
          if (!(error instanceof UsageError)) throw error;
        }
      }),
      runs(2000),
    );
  });
});
