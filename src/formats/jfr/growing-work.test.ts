/** What a refresh reads and copies, counted without a clock; and whether the recording is that of its bytes after each flush. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { describe, test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import type { OpenRecording } from '../../models/open-recording.js';
import { toKept } from '../../models/packed-columns.js';
import type { Recording } from '../../models/recording.js';
import { SEED } from '../../testing/amount.js';
import { Random } from '../../testing/random.js';
import { openGrowing } from './growing.js';
import { readEvents, readJfr } from './read.js';
import { type Flush, FlushedChunk, usualFlush } from './testing/flushed-chunk.js';
import { GrowingBytes } from './testing/growing-bytes.js';
import { difference } from './testing/jfr-oracle.js';
import type { WrittenChunk, WrittenType } from './testing/jfr-writer.js';
import { plainJfr } from './testing/plain-jfr.js';
import { printedRows } from './testing/printed-rows.js';
import { SMALL_TYPES } from './testing/small-recording.js';

const HEADER_BYTES = 68;
const FINISHED = 0;

/** A recording in one file of a chunk, which has so many flushes when it is opened. */
async function follow(chunk: FlushedChunk, flushes = 1): Promise<{ file: GrowingBytes; opened: OpenRecording }> {
  const file = new GrowingBytes('grows.jfr');
  file.bytes = chunk.after(flushes);
  return { file, opened: await openGrowing(() => Promise.resolve([file.open()]), 'grows') };
}

async function refreshed(opened: OpenRecording): Promise<Recording> {
  await opened.refresh?.();
  return opened.current().recording;
}

/** The memory of each column of the program and of the stacks. */
function memoryOf({ program, profile }: Recording): ReadonlyMap<string, ArrayBufferLike> {
  const { names, classes, functions, locations } = program;
  const columns = {
    ...{ 'names bytes': names.bytes, names: names.offsets, classes: classes.name, functions: functions.name },
    ...{ signatures: functions.signature, kinds: functions.kind, locations: locations.function },
    ...{ lines: locations.line, modes: locations.mode, parents: profile?.stacks.parent },
    ...{ frames: profile?.stacks.location, endings: profile?.stacks.ending, threads: profile?.threads?.columns.name },
  };
  return new Map(Object.entries(columns).flatMap(([key, values]) => (values ? [[key, values.buffer] as const] : [])));
}

/** The blocks of all packed columns of events. */
function blocksOf({ profile }: Recording): ReadonlyMap<string, readonly object[]> {
  const entries = (profile?.events ?? []).flatMap((table) =>
    Object.entries(toKept(table).columns).flatMap(([key, values]) =>
      ArrayBuffer.isView(values) ? [] : [[`${table.kind} ${key}`, values.blocks] as const],
    ),
  );
  return new Map(entries);
}

describe('a refresh', () => {
  const FLUSHES = 400;
  const chunk = new FlushedChunk(Array.from({ length: FLUSHES }, (_, number) => usualFlush(number)));

  test('reads the header and the bytes that were added, however many there are', async () => {
    const { file, opened } = await follow(chunk);
    for (let flushes = 2; flushes <= FLUSHES; flushes++) {
      file.bytes = chunk.after(flushes);
      file.bytesRead = 0;
      await refreshed(opened);
      equal(file.bytesRead, HEADER_BYTES + chunk.size(flushes) - chunk.size(flushes - 1), `flush ${flushes}`);
    }
    file.bytesRead = 0;
    await refreshed(opened);
    equal(file.bytesRead, HEADER_BYTES, 'nothing was added');
    await opened.close();
  });

  test('shares the memory of the snapshot before', async () => {
    const { file, opened } = await follow(chunk);
    const moves = new Map<string, number>();
    let before = opened.current().recording;
    for (let flushes = 2; flushes <= FLUSHES; flushes++) {
      file.bytes = chunk.after(flushes);
      const recording = await refreshed(opened);
      const memory = memoryOf(before);
      for (const [key, buffer] of memoryOf(recording))
        if (memory.get(key) !== buffer) moves.set(key, (moves.get(key) ?? 0) + 1);
      const blocks = blocksOf(recording);
      // A block that is full stays; the last one has what was added.
      if (flushes > 2)
        for (const [key, columnBlocks] of blocksOf(before))
          for (const [i, block] of columnBlocks.slice(0, -1).entries())
            equal(blocks.get(key)?.[i], block, `${key} block ${i}`);
      before = recording;
    }
    // Memory doubles where it is full.
    ok(moves.size > 8);
    for (const [key, count] of moves) ok(count <= 2 + Math.log2(16 * FLUSHES), `${key} moved ${count} times`);
    await opened.close();
  });

  test('opens no file again that was read to its end', async () => {
    const names = ['2026_11_23_01_45_00.jfr', '2026_11_23_01_45_01.jfr', '2026_11_23_01_45_02.jfr'];
    const files = names.map((name) => new GrowingBytes(name));
    const chunks = names.map((_, second) => new FlushedChunk([usualFlush(0), usualFlush(1)], second));
    const openedNames: string[] = [];
    let count = 1;
    const list = (isRead: (name: string) => boolean) => {
      const unread = names.slice(0, count).filter((name) => !isRead(name));
      openedNames.push(...unread);
      return Promise.resolve(files.filter((_, i) => unread.includes(names[i])).map((file) => file.open()));
    };
    files[0].bytes = chunks[0].after(1);
    const opened = await openGrowing(list, 'repository');
    for (count = 2; count <= 3; count++) {
      files[count - 2].bytes = chunks[count - 2].after(2, FINISHED);
      files[count - 1].bytes = chunks[count - 1].after(1);
      await refreshed(opened);
    }
    openedNames.length = 0;
    count = 3;
    files[2].bytes = chunks[2].after(2);
    const { metadata, sections } = await refreshed(opened);
    deepEqual(openedNames, [names[2]]);
    equal(metadata.find(({ key }) => key === 'chunks')?.value, '3');
    equal(sections.find(({ name }) => name === 'jdk.ExecutionSample')?.entries, 60);
    await opened.close();
  });
});

/** A type that the first metadata lack, and constants of it. */
const LATER_TYPES: readonly WrittenType[] = [
  ...SMALL_TYPES,
  { name: 'shop.Kind', fields: [{ name: 'name', type: 'java.lang.String' }] },
  {
    name: 'shop.Sale',
    event: true,
    fields: [
      { name: 'startTime', type: 'long', content: ['Timestamp', 'TICKS'] },
      { name: 'kind', type: 'shop.Kind', pooled: true },
      { name: 'stackTrace', type: 'jdk.types.StackTrace', pooled: true },
    ],
  },
];

type Records = WrittenChunk['records'];

const order = (time: number, text: bigint | string): Records[number] => ({
  type: 'shop.Order',
  values: { startTime: BigInt(2000 + time), text, letter: 65, price: 0.5, share: 0.25, parts: [{ id: time, size: 1 }] },
});
const sale = (time: number, kind: number, stackTrace: number): Records[number] => ({
  type: 'shop.Sale',
  values: { startTime: BigInt(3000 + time), kind, stackTrace },
});
const sample = (time: number, stackTrace: bigint): Records[number] => ({
  type: 'jdk.ExecutionSample',
  values: { startTime: BigInt(4000 + time), sampledThread: 1, stackTrace },
});
const frame = (method: bigint, lineNumber: number) => ({ method, lineNumber, bytecodeIndex: 1, type: 1 });

/** A flush with more records. */
function withRecords(number: number, records: Records, types?: readonly WrittenType[]): Flush {
  return { records: [...usualFlush(number, 4).records, ...records], ...(types && { types }) };
}

const WIDE = 0x7000_0000_0000_0005n;

/** Flushes with what is seldom: keys that are no small numbers, pooled strings, constants again and late, types that are added. */
const SELDOM: readonly Flush[] = [
  withRecords(0, [order(1, 'chars-日本')]),
  withRecords(1, [
    order(2, 7n),
    {
      checkpoint: [
        {
          type: 'java.lang.String',
          constants: [
            [7n, 'seven'],
            [-8n, 'minus eight'],
          ],
        },
      ],
    },
  ]),
  withRecords(2, [order(3, 7n), order(4, -8n), order(5, 'chars-日本')]),
  // The method of a stack is named by the next flush.
  withRecords(3, [
    {
      checkpoint: [
        { type: 'jdk.types.StackTrace', constants: [[WIDE, { truncated: true, frames: [frame(WIDE, 5)] }]] },
      ],
    },
  ]),
  withRecords(4, [
    sample(1, WIDE),
    {
      checkpoint: [
        { type: 'jdk.types.Symbol', constants: [[WIDE, { string: 'late' }]] },
        { type: 'jdk.types.Method', constants: [[WIDE, { type: 1, name: WIDE, descriptor: 1 }]] },
      ],
    },
  ]),
  withRecords(5, [sample(2, WIDE), sample(3, 1n)]),
  // The first constant of a key counts.
  withRecords(6, [
    sample(4, WIDE),
    {
      checkpoint: [
        {
          type: 'jdk.types.Symbol',
          constants: [
            [WIDE, { string: 'again' }],
            [2n, { string: 'other' }],
          ],
        },
      ],
    },
  ]),
  withRecords(
    7,
    [sale(1, 1, 3), { checkpoint: [{ type: 'shop.Kind', constants: [[1n, { name: 'retail' }]] }] }],
    LATER_TYPES,
  ),
  withRecords(8, [
    sale(2, 1, 5),
    sale(3, 2, 0),
    { checkpoint: [{ type: 'shop.Kind', constants: [[2n, { name: 'trade' }]] }] },
  ]),
  withRecords(9, [sale(4, 2, 1), sale(5, 3, 99_999)]),
];

/** Numbers of flushes at which a follower looks; the last one is among them. */
function looks(count: number, random: Random): readonly number[] {
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  return numbers.filter((number) => number === count || random.below(3) > 0);
}

describe('after each refresh', () => {
  const chunk = new FlushedChunk(SELDOM);

  for (let turn = 0; turn < 6; turn++)
    test(`the recording is that of the bytes so far, turn ${turn}`, async () => {
      const random = new Random(SEED + turn);
      const [first, ...others] = turn === 0 ? SELDOM.map((_, i) => i + 1) : looks(SELDOM.length, random);
      const { file, opened } = await follow(chunk, first);
      const types = ['shop.Order', 'jdk.ExecutionSample', 'shop.Sale'];
      for (const flushes of [first, ...others]) {
        file.bytes = chunk.after(flushes);
        const recording = await refreshed(opened);
        const { program, profile } = recording;
        const whole = chunk.after(flushes, FINISHED);
        const expected = await readJfr(memorySource('whole.jfr', whole));
        equal(difference(plainJfr(whole), recording), undefined, `${flushes} flushes`);
        ok(profile && expected.profile);
        deepEqual(printedRows(program, profile), printedRows(expected.program, expected.profile));
        deepEqual(recording.sections, expected.sections);
        deepEqual(recording.problems.list, expected.problems.list);
        deepEqual(
          profile.metrics.map(({ id }) => id),
          expected.profile.metrics.map(({ id }) => id),
        );
        // From the second look on, events of these types are read as they come.
        if (turn % 2 === 1) continue;
        const events = await opened.events?.read(types);
        const expectedEvents = await readEvents(memorySource('whole.jfr', whole), types);
        ok(events !== undefined);
        deepEqual(
          printedRows(events.program, events.profile),
          printedRows(expectedEvents.program, expectedEvents.profile),
        );
      }
      await opened.close();
    });

  test('older snapshots stay as they are', async () => {
    const { file, opened } = await follow(chunk);
    const snapshots: { readonly recording: Recording; readonly rows: readonly string[] }[] = [];
    const unread: Recording[] = [];
    for (let flushes = 1; flushes <= SELDOM.length; flushes++) {
      file.bytes = chunk.after(flushes);
      const recording = await refreshed(opened);
      // What follows from other rows is computed when it is asked for: it must not see later ones.
      if (flushes % 2 === 0) unread.push(recording);
      else snapshots.push({ recording, rows: rowsOf(recording) });
    }
    for (const { recording, rows } of snapshots) deepEqual(rowsOf(recording), rows);
    for (const [i, recording] of unread.entries()) {
      const whole = await readJfr(memorySource('whole.jfr', chunk.after(2 * i + 2, FINISHED)));
      deepEqual(rowsOf(recording), rowsOf(whole));
    }
    await opened.close();
  });
});

function rowsOf({ program, profile }: Recording): readonly string[] {
  ok(profile);
  return printedRows(program, profile);
}
