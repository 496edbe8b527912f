/** Contracts of tables: building, reading and rejecting. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defineEvents } from './events/event-kind.js';
import type { Profile } from './profile/profile.js';
import { TableBuilder } from './table.js';
import { defineTable, optional, rowsOf } from './table-kind.js';

const STACK = { key: 'stack', title: 'Stack', holds: 'stack', unit: 'none', meaning: 'where' } as const;
const THREAD = { key: 'thread', title: 'Thread', holds: 'thread', unit: 'none', meaning: 'whose' } as const;
const SPENT = {
  key: 'spent',
  title: 'Spent',
  holds: 'number',
  unit: 'ns',
  meaning: 'there',
  wide: true,
  nature: 'flow',
} as const;
const KIND = defineTable('work', 'Work', [STACK, optional(THREAD), SPENT]);
const LEVEL = { key: 'level', title: 'Level', holds: 'number', unit: 'none', meaning: 'of the format' } as const;

const keys = (fields: readonly { readonly key: string }[]): string[] => fields.map(({ key }) => key);

describe('a kind of tables', () => {
  test('builds tables without optional fields, and reads them as columns', () => {
    const builder = KIND.builder();
    builder.add({ stack: 3, spent: 2 ** 40 });
    builder.add({ stack: 4 });
    const table = builder.finish();
    assert.deepEqual(
      [table.kind, table.title, table.length, keys(table.fields)],
      ['work', 'Work', 2, ['stack', 'spent']],
    );
    const { length, stack, thread, spent } = KIND.rows(table);
    assert.deepEqual([length, [...stack], thread, [...spent]], [2, [3, 4], undefined, [2 ** 40, -1]]);
    assert.equal(stack, table.columns.stack);
  });

  test('with an optional field builds it in its position, and is read by all code', () => {
    const threaded = KIND.having(['thread']);
    const builder = threaded.builder('Threaded work');
    builder.builders.stack.push(1);
    builder.builders.thread.push(7);
    builder.builders.spent.push(5);
    const table = builder.finish();
    assert.deepEqual([table.title, keys(table.fields)], ['Threaded work', ['stack', 'thread', 'spent']]);
    assert.deepEqual([[...threaded.rows(table).thread], [...(KIND.rows(table).thread ?? [])]], [[7], [7]]);
  });

  test('makes a table of columns that are there', () => {
    const stack = Int32Array.of(1, 2);
    const spent = Float64Array.of(3, 4);
    assert.deepEqual(keys(KIND.table({ stack, thread: undefined, spent }).fields), ['stack', 'spent']);
    assert.deepEqual(keys(KIND.table({ spent, stack, thread: stack }).fields), ['stack', 'thread', 'spent']);
  });

  test('is extended after its own fields, with marked ones', () => {
    const extended = KIND.having(['thread']).extended([LEVEL]);
    assert.deepEqual(
      extended.fields.map(({ key, extension }) => [key, extension]),
      [
        ['stack', undefined],
        ['thread', undefined],
        ['spent', undefined],
        ['level', true],
      ],
    );
    assert.throws(() => KIND.extended([STACK]), /two fields of work are stack/);
  });

  test('rejects tables of another kind, and tables that lack required fields', () => {
    const other = new TableBuilder('other', 'Other', [STACK, SPENT]).finish();
    assert.throws(() => KIND.rows(other), /a table other does not match the kind work/);
    const poor = new TableBuilder('work', 'Work', [THREAD]).finish();
    assert.throws(() => KIND.rows(poor), /a table work without stack, spent does not match the kind work/);
    assert.equal(rowsOf(other, [STACK]).length, 0);
  });

  test('makes its metrics, with unit and nature of the field by default', () => {
    assert.deepEqual(KIND.metric('spent', { id: 'time', title: 'Time' }), {
      unit: 'ns',
      nature: 'flow',
      table: 'work',
      field: 'spent',
      id: 'time',
      title: 'Time',
    });
    assert.equal(KIND.metric('spent', { id: 'time', title: 'Time', unit: 'count' }).unit, 'count');
    assert.deepEqual(KIND.rowMetric({ id: 'rows', title: 'Rows', unit: 'count', nature: 'level' }), {
      id: 'rows',
      title: 'Rows',
      unit: 'count',
      nature: 'level',
      table: 'work',
    });
  });
});

test('a kind of events finds its table in a profile', () => {
  const kind = defineEvents('work', 'Work', [STACK, SPENT]);
  const profile: Profile = {
    stacks: { length: 0, parent: new Int32Array(0), location: new Int32Array(0), ending: new Uint8Array(0) },
    events: [kind.table({ stack: Int32Array.of(9), spent: Float64Array.of(1) })],
    metrics: [],
  };
  assert.deepEqual([...(kind.of(profile)?.stack ?? [])], [9]);
  assert.equal(kind.of({ ...profile, events: [] }), undefined);
  assert.equal(kind.of(undefined), undefined);
});
