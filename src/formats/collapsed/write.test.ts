/** Written data equals read data; omitted data is reported. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { memorySource } from '../../bytes/byte-source.js';
import { commandLineText } from '../../cli/render/spelling.js';
import type { Recording } from '../../models/recording.js';
import type { Nature } from '../../models/table.js';
import { runs } from '../../testing/amount.js';
import { picture } from '../../testing/pictures/picture.js';
import { drawn, plain, plainEvents, writtenFrame } from '../../testing/pictures/random-picture.js';
import { drawnRecording } from '../../testing/recordings.js';
import { ROOT } from '../../testing/shared-data.js';
import { decimalText } from '../shared/written-values.js';
import { readCollapsed } from './read.js';
import { naiveLines } from './testing/collapsed-oracle.js';
import { writeCollapsed } from './write.js';

const FIXTURES = join(ROOT, 'src', 'formats', 'collapsed', 'fixtures');

function read(text: string | Uint8Array): Promise<Recording> {
  return readCollapsed(memorySource('test', typeof text === 'string' ? new TextEncoder().encode(text) : text));
}

function written(recording: Recording, metric?: string): { text: string; dropped: readonly string[] } {
  const result = writeCollapsed(recording, metric === undefined ? {} : { metric });
  return { text: Buffer.concat([...result.chunks]).toString('latin1'), dropped: result.dropped.map(commandLineText) };
}

/** Lines with equal stacks summed where the first of them stands; one character a byte. */
function merged(lines: readonly (readonly [string, ...number[]])[]): string {
  const sums = new Map<string, number[]>();
  for (const [stack, ...numbers] of lines) {
    const known = sums.get(stack);
    if (known === undefined) sums.set(stack, [...numbers]);
    else for (const [i, number] of numbers.entries()) known[i] = (known[i] ?? 0) + number;
  }
  return [...sums]
    .map(([stack, [count = 0, ...base]]) => `${stack} ${[...base, count].map(decimalText).join(' ')}\n`)
    .join('');
}

describe('recordings read from collapsed stacks', () => {
  for (const name of ['own-depot.collapsed', 'pyspy-tracer.collapsed', 'depot-diff.txt']) {
    test(`${name} is written back byte for byte`, async () => {
      const bytes = readFileSync(join(FIXTURES, name));
      const { text, dropped } = written(await read(bytes));
      assert.equal(text, bytes.toString('latin1'));
      assert.deepEqual(dropped, []);
    });
  }

  test('threads and suffixes, with equal lines summed', async () => {
    const bytes = readFileSync(join(FIXTURES, 'ap44-threads.collapsed'));
    const lines = naiveLines(bytes)?.lines ?? [];
    assert.equal(lines.length, 216);
    assert.equal(written(await read(bytes)).text, merged(lines));
  });

  test('any lines with frames and numbers', async () => {
    const frame = fc.oneof(
      fc.constantFrom(
        'a',
        'b',
        'java/util/HashMap.get_[j]',
        'x:3',
        '',
        ' ',
        'do_x_[k]',
        '[t tid=3]',
        'n 1',
        '#',
        '//',
        'f (a.c:2)',
      ),
      fc.string({ unit: 'binary', maxLength: 5 }).map((text) => text.replace(/[;\n\r]/g, '.')),
    );
    const line = fc.tuple(
      fc.array(frame, { minLength: 1, maxLength: 5 }),
      fc.integer(),
      fc.double({ noNaN: true, min: -1e30, max: 1e30 }),
    );
    const text = fc
      .tuple(fc.array(line, { minLength: 1, maxLength: 8 }), fc.boolean())
      .map(([lines, two]) =>
        lines
          .map(([frames, one, other]) => `${frames.join(';')} ${one}${two ? ` ${decimalText(other)}` : ''}\n`)
          .join(''),
      );
    await fc.assert(
      fc.asyncProperty(text, async (source) => {
        const bytes = new TextEncoder().encode(source);
        const wanted = naiveLines(bytes);
        if (wanted === undefined || wanted.lost > 0 || wanted.lines.length === 0) return;
        const recording = await read(bytes);
        const out = Buffer.from(written(recording).text, 'latin1');
        const again = naiveLines(out);
        assert.equal(merged(again?.lines ?? []), merged(wanted.lines));
        assert.equal(written(await read(out)).text, out.toString('latin1'));
      }),
      runs(1500),
    );
  });

  test('lost comments are reported; a chosen metric is written alone', async () => {
    const recording = await read('# one\na 1 2\nb 3 4\n');
    assert.deepEqual(written(recording), { text: 'a 1 2\nb 3 4\n', dropped: ['1 comment'] });
    const base = written(recording, 'base');
    assert.equal(base.text, 'a 1\nb 3\n');
    assert.match(base.dropped[0] ?? '', /1 metric: .*: samples/);
    assert.throws(() => written(recording, 'bytes'), /no metric bytes/);
  });

  test('names that end in numbers are not read back as counts', async () => {
    const { text } = written(await read('# one count a line\nthread 1 5\nthread 2 6\n'));
    assert.equal(text, '# one count a line\nthread 1 5\nthread 2 6\n');
  });
});

describe('other recordings', () => {
  test('random profiles keep the values of their stacks', async () => {
    await fc.assert(
      fc.asyncProperty(plainEvents, async (events) => {
        const source = drawn(events);
        const expected = new Map<string, number>();
        for (const { frames, count } of plain(source)) {
          const stack = frames.map((frame) => writtenFrame(frame, true)).join(';');
          if (frames.length > 0) expected.set(stack, (expected.get(stack) ?? 0) + count);
        }
        const lines = naiveLines(Buffer.from(written(drawnRecording(source), 'count').text, 'latin1'))?.lines ?? [];
        const found = new Map<string, number>();
        for (const [stack, count = 0] of lines) found.set(stack, (found.get(stack) ?? 0) + count);
        assert.deepEqual([...found].sort(), [...expected].sort());
      }),
      runs(300),
    );
  });

  test('offsets in native code are lost, functions are kept', () => {
    const source = drawnRecording(
      picture(`
        @count  5
                app!main@10(7)
                ~app!shop.c|add@10
                lib.so!@20
      `),
    );
    assert.deepEqual(written(source), {
      text: 'main:7;add_[i];[lib.so] 5\n',
      dropped: [
        'offsets in load objects: only functions and lines are written',
        'the compile units and load objects of functions',
      ],
    });
  });

  test('lost data is reported', async () => {
    const source = drawnRecording(
      picture(`
        @thread  main     worker   main
        @time    0        10       20
        @count   5        1        8
        @bytes   100      3        7
        @ending  partial  whole    whole
                 App.a    App.b:7
      `),
    );
    const { text, dropped } = written(source);
    assert.equal(text, 'App.a 5\nApp.b 1\n');
    assert.deepEqual(dropped, [
      '1 event: without a stack',
      '1 metric: the file has one number per stack, count: bytes',
      'threads: equal stacks of several threads become one line',
      'the times of the events',
      'bytecode indexes: only functions and lines are written',
      'which stacks are incomplete: 1 root lacks its callers',
    ]);
  });

  test('counts of places are written with a warning about their meaning', () => {
    const source = (nature: Nature): Recording => drawnRecording(picture('@calls 5\n       a', { nature }));
    assert.match(written(source('site')).dropped[0] ?? '', /belong only to the last frame of each stack/);
    assert.deepEqual(
      written(source('flow')).dropped.filter((line) => /last frame/.test(line)),
      [],
    );
  });

  test('semicolons and line feeds in names are replaced, and reported', async () => {
    const recording = await read('a 1\n');
    const names = recording.program.names;
    const bytes = new TextEncoder().encode('a;b\nc');
    const renamed = {
      ...recording,
      program: { ...recording.program, names: { bytes, offsets: Int32Array.of(0, bytes.length) } },
    };
    assert.equal(names.offsets.length, 2);
    assert.deepEqual(written(renamed), {
      text: 'a:b c 1\n',
      dropped: ['semicolons and line feeds in 1 name: written as colons and spaces'],
    });
  });
});

test('numbers have the digits they need and no exponent', () => {
  assert.deepEqual([0, -0, 1.5, 1e21, 1.25e22, -1e-7, 1.5e-9, 123456789012345680000, 0.1 + 0.2].map(decimalText), [
    '0',
    '0',
    '1.5',
    '1000000000000000000000',
    '12500000000000000000000',
    '-0.0000001',
    '0.0000000015',
    '123456789012345680000',
    '0.30000000000000004',
  ]);
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      assert.equal(Number(decimalText(value)), value + 0);
      assert.match(decimalText(value), /^-?\d+(?:\.\d+)?$/);
    }),
    runs(100),
  );
});
