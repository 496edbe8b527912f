/** Output: the same rows in every format, pages, colours, the scope, a base. */
import { deepStrictEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { printable } from '../base/text.js';
import { BINARY_TREE, ROOT } from '../testing/shared-data.js';
import { EXIT } from './exit.js';
import { runCommand } from './testing/run-command.js';

const [BEFORE, AFTER] = ['before', 'after'].map((name) => join(ROOT, 'examples', 'histogram', `${name}.txt`));

const words = ['pgo', 'branches', BINARY_TREE, '--focus', 'java.util.HashMap', '--limit', '7'];
const json = JSON.parse((await runCommand([...words, '--json'])).stdout);

describe('output', () => {
  it('every format shows the same rows', async () => {
    const ndjson = (await runCommand([...words, '--format', 'ndjson'])).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    deepStrictEqual(ndjson, json.rows);
    for (const [format, separator] of [
      ['csv', ','],
      ['tsv', '\t'],
    ] as const) {
      const lines = (await runCommand([...words, '--format', format])).stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(separator));
      equal(lines.length, 8);
      deepStrictEqual(
        lines.slice(1).map((cells) => Number(cells[0])),
        json.rows.map((row: { executed: number }) => row.executed),
      );
    }
    const table = (await runCommand(words)).stdout.trimEnd().split('\n');
    equal(table.length, 9);
    json.rows.forEach((row: { executed: number; site: string }, index: number) => {
      const line = table[index + 2] ?? '';
      equal(Number(line.trim().split(' ')[0]?.replaceAll(',', '')), row.executed);
      ok(line.includes(row.site));
    });
    const markdown = (await runCommand([...words, '--format', 'md'])).stdout.trimEnd().split('\n');
    equal(markdown.length, 9);
    match(markdown[1] ?? '', /^\| -+: \|/);
  });

  it('pages follow each other', async () => {
    const second = JSON.parse(
      (await runCommand([...words.slice(0, 5), '--limit', '3', '--offset', '4', '--json'])).stdout,
    );
    deepStrictEqual(second.rows, json.rows.slice(4));
    equal(second.offset, 4);
  });

  it('colours appear only if enabled', async () => {
    ok(!(await runCommand(words)).stdout.includes('\u001b'));
    ok((await runCommand(words, { env: { FORCE_COLOR: '1' } })).stdout.includes('\u001b'));
    ok(!(await runCommand(words, { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stdout.includes('\u001b'));
    ok(!(await runCommand([...words, '--no-color'], { env: { FORCE_COLOR: '1' } })).stdout.includes('\u001b'));
    ok((await runCommand(words, { tty: true })).stdout.includes('\u001b'));
    ok(!(await runCommand(words, { tty: true, env: { NO_COLOR: '1' } })).stdout.includes('\u001b'));
  });

  it('names cannot control the terminal', () => {
    equal(printable('a\u001b[31mb\u009b\u202ec\td'), 'a\\u001b[31mb\\u009b\\u202ec\\u0009d');
    equal(printable('観測.計測点'), '観測.計測点');
  });

  it('reports how much is within the scope', async () => {
    match((await runCommand(['functions', BINARY_TREE, '--ignore', '.'])).stderr, /In scope: 0 of 31,266 events/);
  });

  it('scope options apply in the order written', async () => {
    const hidden = ['--hide', 'HashMap', '--focus', 'HashMap'];
    const first = JSON.parse((await runCommand(['functions', BINARY_TREE, '--json', ...hidden])).stdout);
    const second = JSON.parse(
      (await runCommand(['functions', BINARY_TREE, '--json', ...hidden.slice(2), ...hidden.slice(0, 2)])).stdout,
    );
    equal(first.total, 0);
    ok(second.total > 0);
  });
});

describe('a base', () => {
  it('is compared with each file, without an answer of its own', async () => {
    const command = ['heap', 'histogram', AFTER, BEFORE, '--base', BEFORE, '--class', 'Order', '--json'];
    const [grown, same] = JSON.parse((await runCommand(command)).stdout);
    deepStrictEqual([grown.rows[0].delta, grown.base.recording, same.total], [288000, BEFORE, 0]);
    equal(
      JSON.parse((await runCommand(['functions', BINARY_TREE, '--base', BINARY_TREE, '--json'])).stdout).states.changed,
      0,
    );
    equal(
      JSON.parse((await runCommand(['diff', BEFORE, AFTER, '--match', 'Order', '--json'])).stdout).rows[0].delta,
      288000,
    );
  });
});

describe('handles', () => {
  it('are in JSON only', async () => {
    match((await runCommand(['summary', BINARY_TREE, '--json'])).stdout, /"handle": "function#/);
    for (const format of ['csv', 'tsv', 'md', 'ndjson'])
      doesNotMatch((await runCommand(['summary', BINARY_TREE, '--format', format])).stdout, /handle/, format);
  });

  it('that name nothing are refused, as are keys that are none', async () => {
    for (const text of ['function:nonsense', 'function:', 'function#1-00000000'])
      equal((await runCommand(['functions', BINARY_TREE, '--focus', text])).status, EXIT.usage, text);
  });
});
