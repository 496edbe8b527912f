/** Recognition of logs with records in them. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { memorySource } from '../bytes/byte-source.js';
import { PREFIX_KINDS, prefixed } from '../formats/shared/testing/prefixes.js';
import { ROOT } from '../testing/shared-data.js';
import { detect } from './inputs/detect.js';

const FORMATS = join(ROOT, 'src', 'formats');
const DUMP = readFileSync(join(FORMATS, 'thread-dump', 'fixtures', 'cycle-of-three.jcmd-17.txt'), 'utf8');
const HISTOGRAM = readFileSync(join(FORMATS, 'class-histogram', 'testing', 'fixtures', 'jdk6.txt'), 'utf8');

/** Id of the format; undefined if the input is not recognised. */
async function kindOf(bytes: string | Uint8Array): Promise<string | undefined> {
  const source = memorySource('input', typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  return detect(source).then(
    ({ id }) => id,
    () => undefined,
  );
}

describe('a log with records', () => {
  for (const kind of PREFIX_KINDS)
    test(`after ${kind.name}`, async () => {
      const others = `${kind.other(1)}\n${kind.other(2)}\n`;
      assert.equal(await kindOf(others + prefixed(DUMP, kind)), 'thread-dump');
      assert.equal(await kindOf(others + prefixed(HISTOGRAM, kind)), 'class-histogram');
    });

  test('far after the first lines, across windows, and in UTF-16', async () => {
    const line = (n: number): string => `2024-02-29 10:00:00,000 INFO request ${n}\n`;
    for (const bytes of [70_000, 1_000_000, (1 << 20) - 60, (1 << 20) - 20, 3_000_000]) {
      const before = line(1).repeat(bytes / line(1).length);
      assert.equal(await kindOf(before + DUMP), 'thread-dump');
      assert.equal(await kindOf(before + prefixed(HISTOGRAM, PREFIX_KINDS[0])), 'class-histogram');
      assert.equal(await kindOf(Buffer.from(`\ufeff${before}${DUMP}`, 'utf16le')), 'thread-dump');
      assert.equal(await kindOf(before), undefined);
    }
  });
});

describe('documentation with a sample of a record', () => {
  const pages = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.md') && !/(?:^|\/)(?:node_modules|dist)\//.test(path),
  );

  test('pages of this project are not recordings', async () => {
    assert.ok(pages.length > 10);
    for (const path of pages) assert.equal(await kindOf(readFileSync(join(ROOT, path))), undefined, path);
  });

  test('fenced, indented or quoted samples are not records, at any length of the page', async () => {
    for (const sample of [DUMP, HISTOGRAM])
      for (const words of ['', 'Words about dumps.\n\n'.repeat(5000)]) {
        const page = (text: string): string =>
          `# Dumps\n\n${words}A dump looks like this:\n\n${text}\n\nIt has threads.\n`;
        const lines = sample.split('\n');
        assert.equal(await kindOf(page(`\`\`\`text\n${sample}\`\`\``)), undefined);
        assert.equal(await kindOf(page(`~~~~\n${sample}\n~~~\n~~~~`)), undefined);
        assert.equal(await kindOf(page(lines.map((line) => `    ${line}`).join('\n'))), undefined);
        assert.equal(await kindOf(page(lines.map((line) => `> ${line}`).join('\n'))), undefined);
        assert.equal(await kindOf(`<!DOCTYPE html>\n<pre>\n${words}${sample}</pre>\n`), undefined);
      }
  });

  test('a log line with closed backticks does not hide the records after it', async () => {
    assert.equal(await kindOf(`said:\n\`\`\`\nx\n\`\`\`\n${DUMP}`), 'thread-dump');
  });
});
