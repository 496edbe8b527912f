/** Integers of 64 bits, unsigned ones and floats of JFR events keep their values in every answer. */
import { deepEqual, equal, fail } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { jdkHome } from '../../../scripts/testing/programs.js';
import { memorySource } from '../../bytes/byte-source.js';
import { runCommand } from '../../cli/testing/run-command.js';
import { jdkTool } from '../../code/java/testing/jdks.js';
import { jfrBytes, type WrittenField } from '../../formats/jfr/testing/jfr-writer.js';
import { ask, openSession } from '../../session/session.js';
import { amount } from '../../testing/amount.js';
import { ROOT } from '../../testing/shared-data.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-exact-'));
after(() => rmSync(folder, { recursive: true }));

const field = (name: string, type: string, ...[content, value = '']: string[]): WrittenField => ({
  name,
  type,
  ...(content !== undefined && { content: [content, value] }),
});
const SPANS = [2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 2n, 2n ** 53n + 3n, -(2n ** 63n), 2n ** 63n - 1n, 5n];

const BYTES = jfrBytes([
  {
    types: [
      {
        name: 'my.Span',
        event: true,
        fields: [
          field('startTime', 'long', 'Timestamp', 'TICKS'),
          field('span', 'long'),
          field('ul', 'long', 'Unsigned', ''),
          field('ui', 'int', 'Unsigned', ''),
          field('us', 'short', 'Unsigned', ''),
          field('ub', 'byte', 'Unsigned', ''),
          field('ns', 'long', 'Timespan', 'NANOSECONDS'),
          field('f', 'float'),
        ],
      },
    ],
    records: SPANS.map((span, i) => ({
      type: 'my.Span',
      values: { startTime: BigInt(i), span, ul: span, ui: -5, us: -3, ub: -4, ns: BigInt(i) - 1n, f: 0.1 },
    })),
  },
]);

const FILE = join(folder, 'spans.jfr');

const spans = () => openSession([memorySource('spans.jfr', BYTES)], { extent: 'outline' });
const types = ['my.Span'];

/** As results have an integer. */
const written = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : String(value));

describe('integers with more digits than a double', () => {
  writeFileSync(FILE, BYTES);

  test('are in rows, with a sign and without', async () => {
    const { rows } = await ask(await spans(), { view: 'events', options: { types } });
    deepEqual(
      rows.map(({ span }) => span),
      SPANS.map(written),
    );
    deepEqual(
      rows.map(({ ul }) => ul),
      SPANS.map((span) => written(BigInt.asUintN(64, span))),
    );
    deepEqual(
      rows.map(({ ui, us, ub }) => [ui, us, ub]),
      SPANS.map(() => [4294967291, 65533, 252]),
    );
    deepEqual(
      rows.map(({ ns, f }) => [ns, f]),
      SPANS.map((_, i) => [i - 1, 0.1]),
    );
  });

  test('are in every format', async () => {
    const texts = SPANS.map(String);
    const csv = (await runCommand(['events', FILE, 'my.Span', '--format', 'csv'])).stdout.trim().split('\n').slice(1);
    deepEqual(
      csv.map((line) => line.split(',')[2]),
      texts,
    );
    for (const format of ['table', 'md', 'ndjson', 'json']) {
      const { stdout } = await runCommand(['events', FILE, 'my.Span', '--format', format]);
      for (const text of texts) equal(stdout.includes(text), true, `${text} in ${format}`);
    }
  });

  test('make groups of their own, with their sums', async () => {
    const session = await spans();
    const options = { types, by: ['span'], value: 'span' };
    const { rows } = await ask(session, { view: 'event-groups', options, page: { limit: 0, sort: '-span' } });
    const sorted = [...SPANS].sort((a, b) => (a < b ? -1 : 1)).map(written);
    deepEqual(
      rows.map(({ span, events, sum, max, p50 }) => [span, events, sum, max, p50]),
      sorted.map((v) => [v, 1, v, v, v]),
    );
    const all = await ask(session, { view: 'event-groups', options: { types, by: ['type'], value: 'span' } });
    deepEqual(
      all.rows.map(({ sum, max }) => [sum, max]),
      [[written(SPANS.reduce((sum, span) => sum + span, 0n)), written(2n ** 63n - 1n)]],
    );
  });

  test('are compared and sorted', async () => {
    const session = await spans();
    for (const [filter, expected] of [
      ['span = 9007199254740993', [1]],
      ['span != 9007199254740993', [0, 2, 3, 4, 5, 6]],
      ['span > 9007199254740993', [2, 3, 5]],
      ['span <= 9007199254740992', [0, 4, 6]],
      ['span = -9223372036854775808', [4]],
      ['span >= 0x7fffffffffffffff', [5]],
      ['ul = 9223372036854775808', [4]],
      ['f = 0.1', [0, 1, 2, 3, 4, 5, 6]],
      ['ns = -1', [0]],
    ] as const) {
      const scope = [{ kind: 'filter', expression: filter }] as const;
      const { rows } = await ask(session, { view: 'events', options: { types }, scope: [...scope] });
      deepEqual(
        rows.map(({ event }) => Number(String(event).split('#')[1]) - 1),
        expected,
        filter,
      );
    }
    const { rows } = await ask(session, { view: 'events', options: { types }, page: { sort: 'span' } });
    deepEqual(
      rows.map(({ span }) => span),
      [...SPANS].sort((a, b) => (a > b ? -1 : 1)).map(written),
    );
  });
});

/** Spans of whole nanoseconds, as `PT1H2M3.5S`; null and `for ever` as results have them. */
function nanosOf(text: string): unknown {
  const [, hours = '0', minutes = '0', sign = '', seconds = '0', fraction = ''] =
    /^PT(?:(-?\d+)H)?(?:(-?\d+)M)?(?:(-?)(\d+)(?:\.(\d+))?S)?$/.exec(text) ?? fail(text);
  const rest = BigInt(seconds) * 10n ** 9n + BigInt(fraction.padEnd(9, '0'));
  const nanos = (BigInt(hours) * 60n + BigInt(minutes)) * 60n * 10n ** 9n + (sign === '-' ? -rest : rest);
  if (nanos === -(2n ** 63n) * 10n ** 9n) return null;
  return nanos >= (2n ** 63n - 1n) * 10n ** 9n ? Infinity : written(nanos);
}

/** The values that `jfr print` of JDK 25 has, without the loss of `JSON.parse`. */
function printedValues(file: string): readonly Readonly<Record<string, unknown>>[] {
  const json = jdkTool(jdkHome('25') ?? fail('no JDK 25'), 'jfr', ['print', '--json', file]);
  const exact = json.replace(/(?<=": )-?\d{16,}(?=[,\s}])/g, (digits) => JSON.stringify(written(BigInt(digits))));
  const { recording } = JSON.parse(exact);
  return recording.events.map(({ values }: { values: Readonly<Record<string, unknown>> }) => values);
}

function spanOrValue(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('PT') ? nanosOf(value) : value;
}

/** An address: the JSON of `jfr print` has its bits as a signed number, its text as an unsigned one, `0xFFFFFFFFFFFFFFFF`. */
function unsignedOf(value: unknown): unknown {
  return written(BigInt.asUintN(64, BigInt(String(value))));
}

describe('recordings of JVMs', () => {
  for (const version of amount(['17', '25'], []))
    test(`all values of JDK ${version} are those that jfr print has`, async () => {
      const file = join(folder, `values-${version}.jfr`);
      jdkTool(jdkHome(version) ?? fail(`no JDK ${version}`), 'java', [
        join(ROOT, 'src/formats/jfr/fixtures/Values.java'),
        file,
      ]);
      const session = await openSession([memorySource('v.jfr', new Uint8Array(readFileSync(file)))], {
        extent: 'outline',
      });
      const options = { types: ['exact.Values'] };
      const { rows } = await ask(session, { view: 'events', options, page: { limit: 0 } });
      const expected = printedValues(file);
      equal(rows.length, expected.length);
      for (const [
        i,
        { startTime: _, eventThread: __, stackTrace: ___, duration: ____, ...values },
      ] of expected.entries())
        for (const [key, value] of Object.entries(values))
          equal(rows[i]?.[key], key === 'address' ? unsignedOf(value) : spanOrValue(value), `${key} of ${i}`);
    });
});
