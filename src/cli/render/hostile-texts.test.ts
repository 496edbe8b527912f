/** No text of a file controls the terminal: names, labels and members with control characters, in every output. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { terminalText } from '../../base/text.js';
import { makeZip } from '../../code/java/testing/made-zip.js';
import { jfrBytes } from '../../formats/jfr/testing/jfr-writer.js';
import { amount, SEED } from '../../testing/amount.js';
import { fixturePaths } from '../../testing/fuzz/fixtures.node.js';
import { FUZZED_READERS } from '../../testing/fuzz/readers.js';
import { Random } from '../../testing/random.js';
import { ROOT } from '../../testing/shared-data.js';
import { type CommandResult, runCommand } from '../testing/run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-hostile-'));
after(() => rmSync(folder, { recursive: true }));

/** The title of a terminal, colours as one byte and as C1, a line, the other direction, a bell, a lone carriage return. */
const HOSTILE = '\u001b]0;pwned\u0007\u009b31m\u202e\rX\nINJECTED';
const CONTROL = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/** Fails if output can control a terminal, or has a line that a name began. `data`: csv may quote line feeds. */
function assertTame({ stdout, stderr, status }: CommandResult, words: readonly string[]): void {
  const line = words.join(' ');
  assert.notEqual(status, 70, `${line}\n${stderr}`);
  for (const text of [stdout.replaceAll('\r\n', '\n'), stderr])
    assert.ok(!CONTROL.test(text), `${line}\n${JSON.stringify(text)}`);
  if (!words.includes('csv')) assert.doesNotMatch(stdout, /^INJECTED/m, line);
  assert.doesNotMatch(stderr, /^INJECTED/m, line);
}

async function assertAllTame(lines: readonly (readonly string[])[], env: Record<string, string> = {}): Promise<void> {
  for (const words of lines) assertTame(await runCommand(words, { cwd: folder, env }), words);
}

const withFormats = (words: readonly string[]): string[][] =>
  ['table', 'csv', 'json', 'md'].map((format) => [...words, '--format', format]);

test('labels, types, threads and texts of a JFR recording', async () => {
  const name = (text: string) => ({ name: text, type: 'java.lang.String', content: ['Label', HOSTILE] }) as const;
  const bytes = jfrBytes([
    {
      types: [{ name: 'my.E', label: HOSTILE, event: true, fields: [name('x'), name('y')] }],
      records: [1, 2, 3].map(() => ({ type: 'my.E', values: { x: HOSTILE, y: 'plain' } })),
    },
  ]);
  writeFileSync(join(folder, 'label.jfr'), bytes);
  await assertAllTame([
    ...withFormats(['events', 'label.jfr', 'my.E']),
    ...withFormats(['events', 'label.jfr', 'my.E', '--group-by', 'x']),
    ...withFormats(['events', 'label.jfr']),
    ...withFormats(['summary', 'label.jfr']),
    ['events', 'label.jfr', 'my.E', '--sort', 'nope'],
    ['events', 'label.jfr', 'my.E', '--filter', 'nope = 1'],
    ['events', 'label.jfr', 'my.F'],
  ]);
  // As JSON escapes, the characters are those of the file.
  const { stdout } = await runCommand(['events', 'label.jfr', 'my.E', '--format', 'json'], { cwd: folder });
  assert.equal(JSON.parse(stdout).rows[0].x, HOSTILE);
});

test('names of members of an archive', async () => {
  makeZip(join(folder, 'one.zip'), { [`${HOSTILE}.jfr`]: 'nothing' });
  makeZip(join(folder, 'folded.zip'), { [`${HOSTILE}.folded`]: 'main;work 3\n' });
  await assertAllTame(
    ['one.zip', 'folded.zip'].flatMap((file) =>
      ['summary', 'check', 'functions', 'events', 'gc', 'tree'].flatMap((command) => withFormats([command, file])),
    ),
  );
});

test('styles of our own are kept, those of files are not', () => {
  assert.equal(terminalText('\u001b[1mTitle\u001b[22m\u001b[2J', true), '\u001b[1mTitle\u001b[22m\\u001b[2J');
  assert.equal(terminalText('\u001b[1mTitle\u001b[22m'), '\\u001b[1mTitle\\u001b[22m');
  assert.equal(terminalText('a\tb\r\nc\rd\n'), 'a\tb\r\nc\\u000dd\n');
});

describe('fixtures of all readers with hostile texts', () => {
  const fixtures = FUZZED_READERS.flatMap(({ small, medium }) => fixturePaths([...small, ...medium]));
  // One fixture a reader in the quick tier.
  const tried = amount(
    fixtures,
    FUZZED_READERS.flatMap(({ small }) => fixturePaths(small.slice(0, 1))),
  );
  for (const [i, path] of tried.entries())
    test(basename(path), async () => {
      const original = readFileSync(path);
      const file = `${i}${extname(path)}`;
      for (let variant = 0; variant < amount(8, 1); variant++) {
        writeFileSync(join(folder, file), overwritten(original, SEED + 97 * i + variant));
        await assertAllTame(
          ['summary', 'check', 'functions', 'threads', 'events', 'heap histogram', 'calls methods', 'pgo hot'].flatMap(
            (command, k) => {
              const words = [...command.split(' '), file];
              return variant === 0 && k < 3 ? withFormats(words) : [words];
            },
          ),
        );
      }
    });
});

test('only one module writes to the streams of the command line', () => {
  const sources = readdirSync(join(ROOT, 'src/cli'), { recursive: true, encoding: 'utf8' });
  const writers = sources.filter(
    (path) =>
      /(?<!test)\.ts$/.test(path) &&
      /\bstd(?:out|err)\.write\(/.test(readFileSync(join(ROOT, 'src/cli', path), 'utf8')),
  );
  // `main.ts` says that Node is too old, or that the output cannot be written.
  assert.deepEqual(writers.sort(), ['host.ts', 'main.ts']);
});

/** Some texts of a file, by the seed, overwritten by control characters as the format can hold them; lengths stay. */
function overwritten(bytes: Buffer, seed: number): Buffer {
  const random = new Random(seed);
  const result = Buffer.from(bytes);
  const hostile = hostileFor(bytes);
  for (const { index, 0: run } of bytes.toString('latin1').matchAll(/[A-Za-z_$.]{6,}/g)) {
    if (random.below(10) < 7 || run.length < hostile.least) continue;
    hostile.text.copy(result, index, 0, Math.min(run.length, hostile.text.length));
  }
  return result;
}

/** `least`: letters of a text that can be overwritten. Line feeds are part of a text in binary files, and as escapes in JSON. */
function hostileFor(bytes: Buffer): { readonly text: Buffer; readonly least: number } {
  if (/^\s*[[{]/.test(bytes.toString('latin1', 0, 100)))
    return { text: Buffer.from('\\nINJECTED\\u001b\\u202e'), least: 22 };
  const text = bytes.includes(0) ? '\nINJECTED\u001b[31m\u009b2J\u202e\u0007' : '\u001b[31m\u009b2J\u202e\u0007';
  return { text: Buffer.from(text), least: 0 };
}
