/** Lines of text in any encoding, with the offsets that they have in the file. */
import { deepEqual, equal } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { memorySource } from '../../bytes/byte-source.js';
import { runs } from '../../testing/amount.js';
import { readHprofText } from '../hprof-text/read.js';
import { eachTextLine, type TextOptions } from './text-lines.js';

interface Seen {
  readonly text: string;
  readonly offset: number;
  readonly end: number;
  readonly ended: boolean;
}

async function linesOf(bytes: Uint8Array, options: TextOptions = {}): Promise<Seen[]> {
  const seen: Seen[] = [];
  await eachTextLine(
    memorySource('text', bytes),
    (line, from, to, offset, ended, end) =>
      seen.push({ text: Buffer.from(line.subarray(from, to)).toString('utf8'), offset, end, ended }),
    options,
  );
  return seen;
}

/** The lines by a split of the text; `bytesOf` says how long a text is in the file. */
function expected(text: string, mark: number, bytesOf: (text: string) => number): Seen[] {
  const seen: Seen[] = [];
  for (let from = 0; from < text.length; ) {
    const feed = text.indexOf('\n', from);
    const ended = feed >= 0;
    const line = text.slice(from, ended ? feed : text.length);
    const own = ended ? line.replace(/\r$/, '') : line;
    const offset = mark + bytesOf(text.slice(0, from));
    seen.push({ text: own, offset, end: offset + bytesOf(own), ended });
    from = ended ? feed + 1 : text.length;
  }
  return seen;
}

describe('lines of text', () => {
  test('in every encoding have their offsets in the file', async () => {
    const unit = fc.constantFrom('a', '\n', '\r\n', 'ü', '日', '\u{1f600}', ' ');
    await fc.assert(
      fc.asyncProperty(fc.string({ unit, maxLength: 200 }), async (text) => {
        const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
        const ofWide = expected(text, 2, (part) => 2 * part.length);
        deepEqual(await linesOf(wide), ofWide);
        deepEqual(await linesOf(Buffer.from(wide).swap16()), ofWide);
        const ofNarrow = (mark: number) => expected(text, mark, (part) => Buffer.byteLength(part));
        deepEqual(await linesOf(Buffer.from(`\ufeff${text}`)), ofNarrow(3));
        deepEqual(await linesOf(Buffer.from(text)), ofNarrow(0));
      }),
      runs(300),
    );
  });

  test('of double-spaced texts are those of the text, with offsets of the file', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'ü', '日', ' '), maxLength: 9 }).map((words) => `x${words}`);
    const lines = fc.array(fc.oneof(line, fc.constant('')), { minLength: 20, maxLength: 60 });
    const feeds = fc.constantFrom('\n\n', '\r\r', '\r\n\r\n', '\n \n');
    await fc.assert(
      fc.asyncProperty(lines, feeds, async (rest, feed) => {
        const texts = ['first', ...rest];
        fc.pre(texts.filter((text) => text !== '').length >= 8);
        const bytes = Buffer.from(texts.map((text) => text + feed).join(''));
        const rows = await linesOf(bytes, { withoutMargin: true });
        deepEqual(
          rows.map(({ text }) => text),
          texts,
        );
        for (const { text, offset, end } of rows) equal(bytes.toString('utf8', offset, end), text);
      }),
      runs(200),
    );
  });

  test('of texts that stop being double-spaced keep their empty lines', async () => {
    const start = Array.from({ length: 2000 }, (_, i) => `entry ${i}\n\n`).join('');
    const rows = await linesOf(Buffer.from(`${start}one\ntwo\n\nthree\n`), { withoutMargin: true });
    deepEqual(
      rows.slice(1999).map(({ text }) => text),
      ['entry 1999', 'one', 'two', '', 'three'],
    );
  });

  test('longer than a window of code units', async () => {
    const text = `${'x'.repeat((1 << 18) - 1)}\u{1f600}\nnext\n`;
    const seen = await linesOf(Buffer.from(`\ufeff${text}`, 'utf16le'));
    deepEqual(
      seen.map(({ text, offset }) => [text.length, offset]),
      [
        [(1 << 18) + 1, 2],
        [4, 2 + 2 * ((1 << 18) + 2)],
      ],
    );
  });

  test('HPROF text reads the same in UTF-16', async () => {
    const folder = new URL('../../../../src/formats/hprof-text/testing/fixtures/', import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
    equal(files.length > 5, true);
    for (const name of files) {
      const text = readFileSync(new URL(name, folder), 'utf8');
      if (text.includes('\ufffd')) continue;
      const read = async (bytes: Uint8Array) => {
        const recording = await readHprofText(memorySource('text', bytes));
        // Threads and dumps have the offsets at which they begin and end.
        return JSON.stringify(recording, (key, value: unknown) => (/^(?:offset|started|ended)$/.test(key) ? 0 : value));
      };
      equal(await read(Buffer.from(`\ufeff${text}`, 'utf16le')), await read(Buffer.from(text)), name);
    }
  });
});
