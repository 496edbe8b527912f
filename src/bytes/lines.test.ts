import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../testing/amount.js';
import { memorySource } from './byte-source.js';
import { eachLine, type LineOptions } from './lines.js';

interface Seen {
  readonly text: string;
  readonly offset: number;
  readonly ended: boolean;
}

async function linesOf(text: string, options: LineOptions = {}): Promise<Seen[]> {
  const seen: Seen[] = [];
  const source = memorySource('text', Buffer.from(text, 'latin1'));
  await eachLine(
    source,
    (bytes, from, to, offset, ended) =>
      seen.push({ text: Buffer.from(bytes.subarray(from, to)).toString('latin1'), offset, ended }),
    options,
  );
  return seen;
}

describe('lines', () => {
  test('end with LF or CR LF, the last one perhaps not at all', async () => {
    assert.deepEqual(await linesOf('a\r\n\nb\rc\nlast'), [
      { text: 'a', offset: 0, ended: true },
      { text: '', offset: 3, ended: true },
      { text: 'b\rc', offset: 4, ended: true },
      { text: 'last', offset: 8, ended: false },
    ]);
    assert.deepEqual(await linesOf(''), []);
    assert.deepEqual(await linesOf('abc\ndef\n', { skip: 2 }), [
      { text: 'c', offset: 2, ended: true },
      { text: 'def', offset: 4, ended: true },
    ]);
  });

  test('above the limit come in pieces, which are marked', async () => {
    const told: number[] = [];
    const text = `${'x'.repeat(10000)}\nend\n`;
    const seen = await linesOf(text, { longest: 4096, tooLong: (offset) => told.push(offset) });
    assert.equal(seen.map((line) => line.text).join(''), text.replaceAll('\n', ''));
    assert.deepEqual(told, [0, 4096]);
    assert.equal(seen.at(-1)?.text, 'end');
  });

  test('are the same for all ends of windows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: fc.constantFrom('a', '\n', '\r', 'bc'), maxLength: 9000 }), { maxLength: 3 }),
        async (parts) => {
          const text = parts.join('');
          const seen = await linesOf(text);
          const expected = text.split('\n');
          if (expected.at(-1) === '') expected.pop();
          assert.deepEqual(
            seen.map((line) => line.text),
            expected.map((line, i) =>
              (i < expected.length - 1 || text.endsWith('\n')) && line.endsWith('\r') ? line.slice(0, -1) : line,
            ),
          );
          for (const line of seen) assert.equal(text.slice(line.offset, line.offset + line.text.length), line.text);
        },
      ),
      runs(60),
    );
  });
});
