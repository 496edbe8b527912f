/** Tables with packed columns look like others, and stay packed where nothing reads their values. */
import { deepEqual, equal, throws } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BLOCK, PackedBuilder, type PackedColumn, sequence } from '../base/columns/packed.js';
import { defineEvents } from './events/event-kind.js';
import { WAIT_EVENTS } from './events/wait.js';
import {
  chosenColumns,
  columnsOfRows,
  fromKept,
  lazyColumns,
  rowParts,
  toKept,
  valueIn,
  withColumns,
} from './packed-columns.js';
import { hasField, type Table } from './table.js';

const LENGTH = 2 * BLOCK + 5;

function packedRow(wide: boolean, value: (row: number) => number): PackedColumn {
  const builder = new PackedBuilder(wide, -1);
  for (let row = 0; row < LENGTH; row++) builder.appendSame(1, value(row));
  return builder.finish();
}

const packed = {
  thread: packedRow(false, (row) => row % 7),
  reason: Int32Array.from({ length: LENGTH }, (_, row) => row % 3),
  waited: packedRow(true, (row) => row / 2),
};

function table(): Table {
  return defineEvents(WAIT_EVENTS.kind, WAIT_EVENTS.title, WAIT_EVENTS.fields).table(lazyColumns(packed));
}

describe('tables with packed columns', () => {
  test('have the values of the columns, and their number of rows', () => {
    const found = table();
    equal(found.length, LENGTH);
    deepEqual(
      found.fields.map(({ key }) => key),
      ['thread', 'reason', 'waited'],
    );
    equal(found.columns.thread[9], 2);
    equal(found.columns.waited[9], 4.5);
    const rows = WAIT_EVENTS.rows(found);
    equal(rows.length, LENGTH);
    deepEqual(
      Array.from(rows.thread.subarray(LENGTH - 3)),
      [0, 1, 2].map((i) => (LENGTH - 3 + i) % 7),
    );
    equal(rows.waited, rows.waited);
    equal(hasField(found, 'waited'), true);
    equal(hasField(found, 'time'), false);
  });

  test('are kept as they are, and are the same again', () => {
    const kept = toKept(table());
    equal(kept.columns.thread, packed.thread);
    equal(kept.columns.reason, packed.reason);
    const again = fromKept(structuredClone(kept));
    deepEqual(Object.keys(again.columns), ['thread', 'reason', 'waited']);
    deepEqual(again.columns.waited, table().columns.waited);
  });

  test('are read in parts, which have each row once', () => {
    const found = table();
    const whole = [0, 0, 0];
    let rows = 0;
    for (const { length, columns } of rowParts(found, ['waited', 'reason', 'no such', 'thread'])) {
      const [waited, reason, none, thread] = columns;
      equal(none, undefined);
      for (let i = 0; i < length; i++) {
        const row = rows + i;
        if (waited?.[i] !== row / 2 || reason?.[i] !== row % 3 || thread?.[i] !== row % 7) whole[0]++;
      }
      rows += length;
      whole[1]++;
    }
    deepEqual([rows, whole[0], whole[1] > 2], [LENGTH, 0, true]);
    // Without packed ones, all at once.
    equal([...rowParts(found, ['reason'])].length, 1);
  });

  test('are read in parts by the kind of the table, without columns that it lacks', () => {
    let [rows, wrong] = [0, 0];
    for (const { length, waited, thread, stack } of WAIT_EVENTS.parts(table(), ['waited', 'thread', 'stack'])) {
      equal(stack, undefined);
      for (let i = 0; i < length; i++, rows++) if (waited[i] !== rows / 2 || thread[i] !== rows % 7) wrong++;
    }
    deepEqual([rows, wrong], [LENGTH, 0]);
    const lacking: Table = { ...table(), columns: chosenColumns(table().columns, ['thread']) };
    throws(() => [...WAIT_EVENTS.parts(lacking, ['thread', 'waited'])], /without waited/);
  });

  test('have single values, some columns replaced or added, and other rows, and stay packed', () => {
    const rows = Int32Array.from({ length: LENGTH }, (_, i) => LENGTH - 1 - i);
    const added = withColumns(table().columns, { number: sequence(1, LENGTH), thread: new Int32Array(LENGTH).fill(5) });
    deepEqual(Object.keys(added), ['thread', 'reason', 'waited', 'number']);
    equal(toKept({ ...table(), columns: added }).columns.waited, packed.waited);
    const turned = columnsOfRows(added, rows);
    const [waited, number, reason, none] = ['waited', 'number', 'reason', 'no such'].map((key) => valueIn(turned, key));
    equal(none, undefined);
    // More blocks than are unpacked one by one.
    for (let i = 0; i < 400; i++) {
      const row = (i * 60_013) % LENGTH;
      const from = LENGTH - 1 - row;
      deepEqual([waited?.(row), number?.(row), reason?.(row)], [from / 2, from + 1, from % 3]);
    }
    deepEqual(
      turned.number,
      rows.map((row) => row + 1),
    );
    const again = columnsOfRows(turned, rows);
    equal(again.waited?.[3], 1.5);
    let seen = 0;
    for (const { length, columns } of rowParts({ ...table(), columns: turned }, ['number', 'waited'])) {
      for (let i = 0; i < length; i++, seen++)
        if (columns[0]?.[i] !== LENGTH - seen || columns[1]?.[i] !== (LENGTH - 1 - seen) / 2)
          throw new Error(`${seen}`);
    }
    equal(seen, LENGTH);
    deepEqual(fromKept(toKept({ ...table(), columns: turned })).columns.number?.[0], LENGTH);
  });
});
