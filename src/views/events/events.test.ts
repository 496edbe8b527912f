/** Types, rows and groups of events: of a drawn recording that reads its events when asked, and of other formats. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { UsageError } from '../../base/errors.js';
import { fileSource } from '../../bytes/file.node.js';
import { commandLineText, noteTexts } from '../../cli/render/spelling.js';
import type { EventType } from '../../models/event-types.js';
import { openedRecording } from '../../models/open-recording.js';
import { StackBuilder } from '../../models/profile/stack-builder.js';
import { THREADS } from '../../models/profile/tables.js';
import { ProgramBuilder } from '../../models/program/program-builder.js';
import type { ScopeStep } from '../../models/scope.js';
import { HIDDEN } from '../../models/secrets.js';
import { type Field, selectRows, type Table, TableBuilder } from '../../models/table.js';
import { ask, openSession, type Session, sessionOfOpen } from '../../session/session.js';
import { drawnRecording } from '../../testing/recordings.js';
import { ROOT } from '../../testing/shared-data.js';

const plain = { holds: 'number', unit: 'none', meaning: '', wide: true } as const;
const START: Field = { ...plain, key: 'startTime', title: 'Start Time', unit: 'ns' };
const DURATION: Field = { ...plain, key: 'duration', title: 'Duration', unit: 'ns', unknown: -1 };
const BY: Field = { ...plain, key: 'eventThread', title: 'Event Thread', holds: 'thread' };
const TEXT: Field = { ...plain, key: 'key', title: 'Key', holds: 'string' };

const TABLES: Readonly<Record<string, readonly Field[]>> = {
  'jdk.ThreadPark': [START, DURATION, BY],
  'jdk.JavaMonitorEnter': [START, DURATION, BY, { ...plain, key: 'address', title: 'Address', unit: 'address' }],
  'jdk.InitialSystemProperty': [START, TEXT, { ...TEXT, key: 'value', title: 'Value' }],
  'shop.Order': [START, { ...plain, key: 'express', title: 'Express' }, { ...plain, key: 'event', title: 'Event' }],
  'jdk.ThreadStart': [START, BY],
};

/** Rows in the order of the file; texts are names, and threads by name. */
const ROWS: Readonly<Record<string, readonly (readonly (number | string)[])[]>> = {
  'jdk.ThreadPark': [
    [100, 50, 'main'],
    [300, 10, 'main'],
    [200, -1, 'pool (1)'],
    [120, 7, 'pool (1)'],
  ],
  'jdk.JavaMonitorEnter': [[110, 20, 'main', 4096]],
  'jdk.InitialSystemProperty': [
    [0, 'java.home', '/opt/jdk'],
    [0, 'db.password', 'hush'],
    [0, 'sun.java.command', 'Main --token hush'],
  ],
  'shop.Order': [[150, 1, 7]],
  'jdk.ThreadStart': [],
};
const THREAD_NAMES = ['main', 'pool (1)'];

/** A recording whose events are read from its source; `reads` lists the types of each read. */
function drawn(): { session: Session; reads: string[][] } {
  const program = new ProgramBuilder();
  const threads = THREADS.builder();
  for (const name of THREAD_NAMES) threads.add({ name: program.name(name) });
  const tables = Object.entries(TABLES).map(([type, fields]): Table => {
    const table = new TableBuilder(type, type, fields);
    for (const row of ROWS[type] ?? []) {
      const cells = fields.map(({ key, holds }, i) => {
        const cell = row[i] ?? -1;
        if (typeof cell === 'number') return [key, cell];
        return [key, holds === 'thread' ? THREAD_NAMES.indexOf(cell) : program.name(cell)];
      });
      table.add(Object.fromEntries(cells));
    }
    const has = fields.includes(BY);
    return { ...table.finish(), shared: { time: 'startTime', ...(has && { thread: 'eventThread' }) } };
  });
  const eventTypes = tables.map(
    ({ kind, length, fields }): EventType => ({
      name: kind,
      label: kind.replace(/^.*\./, ''),
      description: '',
      category: ['Java'],
      count: length,
      bytes: length * 10,
      fields: fields.map(({ key, title, unit }) => ({
        name: key,
        label: title,
        description: '',
        type: key === 'express' ? 'boolean' : 'long',
        unit,
      })),
    }),
  );
  const reads: string[][] = [];
  const whole = { stacks: new StackBuilder().finish(), metrics: [], threads: threads.finish() };
  const finished = program.finish();
  const recording = { ...drawnRecording({ program: finished }), eventTypes };
  const source = openedRecording(recording, {
    events: {
      read: (types) => {
        reads.push([...types]);
        const events = tables.filter(({ kind, length }) => types.includes(kind) && length > 0);
        return Promise.resolve({ program: finished, profile: { ...whole, events } });
      },
      parts: async function* () {
        reads.push(['parts']);
        yield* halves(tables).map((events) => ({ program: finished, profile: { ...whole, events } }));
      },
    },
  });
  return { session: sessionOfOpen([source]), reads };
}

/** Tables as two parts of a file. */
function halves(tables: readonly Table[]): Table[][] {
  const rows = (length: number, first: number): Int32Array =>
    Int32Array.from({ length: Math.ceil((length - first) / 2) }, (_, i) => first + 2 * i);
  return [0, 1].map((first) =>
    tables.filter(({ length }) => length > first).map((table) => selectRows(table, rows(table.length, first))),
  );
}

async function rowsOf(types: readonly string[], scope: readonly ScopeStep[] = [], options = {}) {
  return ask(drawn().session, { view: 'events', options: { types: [...types], ...options }, scope });
}

describe('types of events', () => {
  test('without a scope are counted by the outline: nothing is read', async () => {
    const { session, reads } = drawn();
    const { rows, events, notes } = await ask(session, { view: 'event-types' });
    assert.deepEqual(
      rows.map(({ type, count, bytes }) => [type, count, bytes]),
      [
        ['jdk.ThreadPark', 4, 40],
        ['jdk.InitialSystemProperty', 3, 30],
        ['jdk.JavaMonitorEnter', 1, 10],
        ['shop.Order', 1, 10],
      ],
    );
    assert.deepEqual([events, reads, noteTexts(notes)], [9, [], ['1 type without events (--all lists them).']]);
    assert.equal((await ask(session, { view: 'event-types', options: { all: true } })).total, 5);
  });

  test('within a scope are counted in it; those without threads are named', async () => {
    const scope: ScopeStep[] = [
      { kind: 'thread', pattern: 'main' },
      { kind: 'time', from: 100, to: 200 },
    ];
    const { rows, notes } = await ask(drawn().session, { view: 'event-types', scope });
    assert.deepEqual(
      rows.map(({ type, count, share }) => [type, count, share]),
      [
        ['jdk.ThreadPark', 1, 0.5],
        ['jdk.JavaMonitorEnter', 1, 0.5],
      ],
    );
    assert.match(noteTexts(notes).join('\n'), /cannot be applied to 2 types: jdk.InitialSystemProperty, shop.Order/);
  });
});

describe('events', () => {
  test('are in the order of time with their own numbers; only their type is read', async () => {
    const { session, reads } = drawn();
    const page = { limit: 2, offset: 1 };
    const { rows, total, columns } = await ask(session, { view: 'events', options: { types: ['ThreadPark'] }, page });
    assert.deepEqual(rows, [
      { event: 'jdk.ThreadPark#2', startTime: 120, duration: 7, eventThread: 'pool (1)' },
      { event: 'jdk.ThreadPark#3', startTime: 200, duration: null, eventThread: 'pool (1)' },
    ]);
    assert.deepEqual([total, reads], [4, [['jdk.ThreadPark']]]);
    assert.deepEqual(
      columns.map(({ key, unit }) => `${key} ${unit}`),
      ['event text', 'startTime ns', 'duration ns', 'eventThread text'],
    );
  });

  test('of several types have one order, and the fields of all', async () => {
    const { rows } = await rowsOf(['park', 'Enter']);
    assert.deepEqual(
      rows.map(({ event, address }) => [event, address]),
      [
        ['jdk.ThreadPark#1', null],
        ['jdk.JavaMonitorEnter#1', 4096],
        ['jdk.ThreadPark#2', null],
        ['jdk.ThreadPark#3', null],
        ['jdk.ThreadPark#4', null],
      ],
    );
  });

  test('of several types: a field has the title of all, those of two, or its key', async () => {
    const path = join(ROOT, 'src/formats/iprof/fixtures/fib-1.0.0.iprof');
    const session = await openSession([await fileSource(path)]);
    const titleOf = async (...types: string[]): Promise<string | undefined> => {
      const { columns } = await ask(session, { view: 'events', options: { types } });
      return columns.find(({ key }) => key === 'count')?.title;
    };
    assert.equal(await titleOf('call'), 'Calls');
    assert.equal(await titleOf('sample', 'call'), 'Samples / Calls');
    assert.equal(await titleOf('*'), 'count');
    await session.close();
  });

  test('keep their numbers in a scope; filters know their fields and the shared ones', async () => {
    for (const expression of ['duration < 20ns and time > 1ns', 'not (duration >= 20ns or duration = null)'])
      assert.deepEqual(
        (await rowsOf(['ThreadPark'], [{ kind: 'filter', expression }])).rows.map(({ event }) => event),
        ['jdk.ThreadPark#2', 'jdk.ThreadPark#4'],
      );
    const { rows, notes } = await rowsOf(['ThreadPark'], [{ kind: 'filter', expression: 'thread = main' }]);
    assert.deepEqual(
      rows.map(({ event }) => event),
      ['jdk.ThreadPark#1', 'jdk.ThreadPark#4'],
    );
    assert.deepEqual(noteTexts(notes), ['In scope: 2 of 4 events; shares refer to these.']);
  });

  test('truth values are such, and a field named as a column of ours has its own', async () => {
    assert.deepEqual((await rowsOf(['shop.Order'])).rows, [
      { event: 'shop.Order#1', startTime: 150, express: true, event_: 7 },
    ]);
    assert.equal((await rowsOf(['shop.Order'], [{ kind: 'filter', expression: 'express = false' }])).total, 0);
  });

  test('secrets are hidden unless asked for', async () => {
    const hidden = await rowsOf(['SystemProp']);
    assert.deepEqual(
      hidden.rows.map(({ value }) => value),
      ['/opt/jdk', HIDDEN, `Main --token ${HIDDEN}`],
    );
    assert.match(noteTexts(hidden.notes).join('\n'), /secrets/);
    const openResult = await rowsOf(['SystemProp'], [], { secrets: true });
    assert.deepEqual([openResult.rows[1]?.value, noteTexts(openResult.notes)], ['hush', []]);
  });

  test('a type without events is an empty listing; names that fit none or several are refused', async () => {
    const { session } = drawn();
    const options = { types: ['ThreadStart'] };
    const none = await ask(session, { view: 'events', options, page: { sort: 'duration' } });
    assert.equal(none.total, 0, 'whatever it is sorted by');
    assert.match(noteTexts(none.notes).join('\n'), /^No event of this type was recorded;/);
    await assert.rejects(
      rowsOf(['ThreadParc']),
      (error) => error instanceof UsageError && /jdk.ThreadPark/.test(commandLineText(error.advice ?? '')),
    );
    await assert.rejects(rowsOf(['nothing like it']), /has no events of type nothing like it/);
    await assert.rejects(rowsOf(['a']), /a names 3 types of events/);
  });
});

describe('what happened during an event', () => {
  const at = (event: string): readonly ScopeStep[] => [{ kind: 'at', event }];

  test('is on its thread from its begin to its end', async () => {
    // main parks from 100 to 150; the event at 120 is of another thread.
    assert.deepEqual(
      (await rowsOf(['park', 'enter'], at('ThreadPark#1'))).rows.map(({ event }) => event),
      ['jdk.ThreadPark#1', 'jdk.JavaMonitorEnter#1'],
    );
    assert.deepEqual(
      (await rowsOf(['park'], at('jdk.ThreadPark#2'))).rows.map(({ event }) => event),
      ['jdk.ThreadPark#2'],
    );
  });

  test('is shown of all types with threads; types without them are named, and refused where they were asked for', async () => {
    const { rows, notes } = await rowsOf(['*'], at('ThreadPark#1'));
    assert.deepEqual(
      rows.map(({ event }) => event),
      ['jdk.ThreadPark#1', 'jdk.JavaMonitorEnter#1'],
    );
    assert.match(noteTexts(notes).join('\n'), /cannot be applied to 2 types: jdk.InitialSystemProperty, shop.Order/);
    const { rows: groups } = await ask(drawn().session, {
      view: 'event-groups',
      options: { types: ['*'], by: ['type'] },
      scope: at('ThreadPark#1'),
    });
    assert.deepEqual(
      groups.map(({ type, events }) => [type, events]),
      [
        ['jdk.ThreadPark', 1],
        ['jdk.JavaMonitorEnter', 1],
      ],
    );
    await assert.rejects(
      rowsOf(['*', 'shop.Order'], at('ThreadPark#1')),
      (error) =>
        error instanceof UsageError &&
        /shop.Order/.test(error.message) &&
        /--at/.test(commandLineText(error.advice ?? '')),
    );
  });

  test('of events that do not exist is refused', async () => {
    await assert.rejects(rowsOf(['park'], at('ThreadPark#5')), /has no event ThreadPark#5/);
    await assert.rejects(rowsOf(['park'], at('ThreadPark#0')), /expected TYPE#NUMBER/);
    await assert.rejects(rowsOf(['park'], at('Nothing#1')), /has no events of type Nothing/);
  });
});

describe('groups of events', () => {
  const grouped = async (types: string[], by: string[], options = {}) =>
    ask(drawn().session, { view: 'event-groups', options: { types, by, ...options } });

  test('count, and sum up durations that are known', async () => {
    const { rows, value } = await grouped(['park', 'enter'], ['type', 'thread']);
    const numbers = rows.map((row) => [
      row.type,
      row.eventThread,
      row.events,
      row.share,
      row.sum,
      row.mean,
      row.max,
      row.p50,
    ]);
    assert.deepEqual(numbers, [
      ['jdk.ThreadPark', 'main', 2, 0.4, 60, 30, 50, 30],
      ['jdk.JavaMonitorEnter', 'main', 1, 0.2, 20, 20, 20, 20],
      ['jdk.ThreadPark', 'pool (1)', 2, 0.4, 7, 7, 7, 7],
    ]);
    assert.equal(value, 'duration');
  });

  test('only count events without durations', async () => {
    const { rows, columns, value } = await grouped(['shop.Order'], ['express']);
    assert.deepEqual(
      rows.map(({ events, express, sum }) => [events, express, sum]),
      [[1, true, null]],
    );
    assert.deepEqual([columns.map(({ key }) => key), value], [['events', 'share', 'express'], null]);
  });

  test('are refused for fields that the events do not have', async () => {
    await assert.rejects(grouped(['park'], ['colour']), /the events have no field colour/);
    await assert.rejects(grouped(['park'], ['thread'], { value: 'thread' }), /eventThread is no number/);
  });
});

describe('events of other formats', () => {
  const opened = async (path: string): Promise<Session> => openSession([await fileSource(join(ROOT, path))]);

  test('are their kinds: states of threads, with words for numbers', async () => {
    const session = await opened('examples/deadlock-jstack.txt');
    const types = await ask(session, { view: 'event-types' });
    assert.deepEqual(
      types.rows.map(({ type, bytes }) => [type, bytes]),
      [['state', null]],
    );
    const scope: ScopeStep[] = [{ kind: 'filter', expression: 'state = blocked and thread ~ /teller/' }];
    const { rows, total } = await ask(session, {
      view: 'events',
      options: { types: ['state'], stack_depth: 0 },
      scope,
    });
    assert.ok(total > 0 && rows.every(({ state, thread }) => state === 'blocked' && /teller/.test(String(thread))));
    assert.ok(Array.isArray(rows[0]?.stack) && rows[0].stack.length > 1);
  });

  test('samples with weights', async () => {
    const session = await opened('src/formats/speedscope/fixtures/depot.speedscope.json');
    const { rows } = await ask(session, { view: 'event-types' });
    const [first] = rows;
    assert.ok(first !== undefined);
    const listing = await ask(session, { view: 'events', options: { types: [first.type] } });
    assert.equal(listing.total, first.count);
  });
});
