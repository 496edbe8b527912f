/** Real histograms against a plain search of their text, and the forms that no JDK here writes any more. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { FormatError } from '../../base/errors.js';
import { memorySource } from '../../bytes/byte-source.js';
import type { Recording } from '../../models/recording.js';
import { ROOT } from '../../testing/shared-data.js';
import { sourcesBelow } from '../../testing/sources.js';
import { headOf } from '../capabilities/probe.js';
import { probeClassHistogram } from './probe.js';
import { readClassHistogram } from './read.js';
import { rowsOf } from './testing/histogram-oracle.js';

const FIXTURES = join(ROOT, 'src', 'formats', 'class-histogram', 'fixtures');
const SMALL = join(ROOT, 'src', 'formats', 'class-histogram', 'testing', 'fixtures');
const REAL = readdirSync(FIXTURES).filter((name) => name.endsWith('.txt'));

const read = (text: string): Promise<Recording> => readClassHistogram(memorySource('text', Buffer.from(text)));
const codes = (recording: Recording): string[] => Object.keys(recording.problems.counts);

describe('real histograms', () => {
  test('exist', () => ok(REAL.length >= 6, REAL.join(' ')));
  for (const name of REAL) {
    test(`${name}: every row, every total, no problem`, async () => {
      const text = readFileSync(join(FIXTURES, name), 'utf8');
      const recording = await read(text);
      deepStrictEqual(recording.problems, { list: [], counts: {} });
      ok(recording.complete);
      const found = [...text.matchAll(/ \d+: +(\d+) +(\d+) {2}(\S+)(?: \((\S+)\))?$/gm)];
      ok(found.length > 200);
      deepStrictEqual(
        rowsOf(recording).map((row) => row.slice(row.indexOf(' ') + 1)),
        found.map(([, objects, bytes, type, module = '']) => `${objects} ${bytes} ${type}|${module}`),
      );
      const totals = [...text.matchAll(/Total +(\d+) +(\d+)$/gm)].map(([, objects, bytes]) => `${objects} ${bytes}`);
      deepStrictEqual(sums(recording), totals);
      equal(recording.sections[0]?.entries, totals.length);
    });
  }

  test('the process ID is known', async () => {
    const recording = await read(readFileSync(join(FIXTURES, 'jdk17-before.txt'), 'utf8'));
    const number = /^\d+/.exec(readFileSync(join(FIXTURES, 'jdk17-before.txt'), 'utf8'))?.[0];
    deepStrictEqual(recording.metadata, [{ key: 'process', value: number }]);
  });

  test('are recognised; within a thread dump with less certainty than the dump', () => {
    for (const name of REAL) {
      const bytes = readFileSync(join(FIXTURES, name));
      const { confidence } = probeClassHistogram(headOf(name, bytes, true));
      equal(confidence, name.includes('sigquit') ? 0.92 : 1, name);
    }
  });
});

function sums(recording: Recording): string[] {
  const dumps: [number, number][] = [];
  for (const row of rowsOf(recording)) {
    const [dump = 0, objects = 0, bytes = 0] = row.split(' ', 3).map(Number);
    dumps[dump] ??= [0, 0];
    dumps[dump][0] += objects;
    dumps[dump][1] += bytes;
  }
  return dumps.map(([objects, bytes]) => `${objects} ${bytes}`);
}

describe('other forms', () => {
  test('of OpenJ9: no colons, no total; a row of HotSpot among them is none', async () => {
    const text =
      ' num   object count     total size    class name\n-------------------------------------------------\n  1          12034        1123456    [B\n  2          10000         240000    java.lang.String\n';
    const recording = await read(text);
    deepStrictEqual(rowsOf(recording), ['0 12034 1123456 [B|', '0 10000 240000 java.lang.String|']);
    deepStrictEqual([recording.complete, codes(recording)], [true, []]);
    equal(probeClassHistogram(headOf('x', Buffer.from(text), true)).confidence, 0.95);
    ok(codes(await read(`${text}   3:  1  2  demo.Thing\n`)).includes('class-histogram-line'));
  });

  test('numbers with separators; whole text indented or quoted, with the command above', async () => {
    const titles = ' num     #instances         #bytes  class name\n----------------------------------------------\n';
    for (const separator of [',', '.', "'", '\u2019', '\u00a0', '\u202f']) {
      const rows = '   1:     1,311,300    165,611,968  [B\n   2:       427,903     34,915,848  demo.Thing\n';
      const total = 'Total       1,739,203    200,527,816\n';
      const text = titles + (rows + total).replaceAll(',', separator);
      const expectedRows = ['0 1311300 165611968 [B|', '0 427903 34915848 demo.Thing|'];
      deepStrictEqual(rowsOf(await read(text)), expectedRows, separator);
      for (const margin of ['    ', '\t', '> ', '> > ']) {
        const quoted = `$ jmap -histo 17151\n${text}`.replace(/^(?=.)/gm, margin);
        const recording = await read(quoted);
        deepStrictEqual([rowsOf(recording), codes(recording)], [expectedRows, []], margin);
        ok(probeClassHistogram(headOf('x', Buffer.from(quoted), true)).confidence > 0.9);
      }
    }
  });

  test('a Markdown page with a sample is not a histogram', () => {
    const sample =
      ' num     #instances         #bytes  class name (module)\n   1:  10  240  java.lang.String (java.base)\n';
    const probe = (text: string) => probeClassHistogram(headOf('x', new TextEncoder().encode(text), true)).confidence;
    equal(probe(sample), 1);
    equal(probe(`# Heaps\n\nAsk for one:\n\n\`\`\`\n${sample}\`\`\`\n`), 0);
    equal(probe(`Heaps\n\n~~~\n${sample}~~~\n`), 0);
    equal(probe(`4711:\n${sample}`), 1);
  });

  const small = async (name: string): Promise<Recording> => read(readFileSync(join(SMALL, name), 'utf8'));
  test('of JDK 8 with CR LF: no modules', async () => {
    const recording = await small('jdk8-crlf.txt');
    equal(recording.program.classes.module, undefined);
    deepStrictEqual(rowsOf(recording).slice(3), ['0 12 480 [Ljava.lang.Object;|', '0 3 72 Demo$$Lambda$1/1234|']);
    deepStrictEqual(codes(recording), []);
  });
  test("of JDK 6: with the VM's class data", async () => {
    ok(rowsOf(await small('jdk6.txt')).includes('0 30500 2445000 <methodKlass>|'));
  });
  test('of the serviceability agent, with its messages before and after', async () => {
    const recording = await small('agent-jdk6.txt');
    deepStrictEqual(rowsOf(recording), [
      '0 5100 512000 char[]|',
      '0 5000 120000 java.lang.String|',
      '0 12 480 * ConstMethodKlass|',
    ]);
    deepStrictEqual(codes(recording), []);
  });
  test('rows alone', async () => {
    const recording = await small('bare.txt');
    equal(rowsOf(recording).length, 4);
    deepStrictEqual(codes(recording), ['class-histogram-bare']);
    ok(recording.complete);
  });
  test('of two moments, and in a log between other lines', async () => {
    deepStrictEqual(sums(await small('two-moments.txt')), ['1772 84352', '1851 86832']);
    deepStrictEqual(sums(await small('log.txt')), ['1705 83280', '705 60080']);
  });
});

describe('damage', () => {
  const HEAD = ' num     #instances         #bytes  class name\n-----\n';
  const cases: readonly [string, string, string, number][] = [
    ['a total that differs', `${HEAD}1: 5 80 A\nTotal 6 80\n`, 'class-histogram-total', 63],
    ['no total', `${HEAD}1: 5 80 A\n2: 1 8 B\n`, 'class-histogram-cut', 71],
    ['a row that is cut', `${HEAD}1: 5 80 A\n2: 1 8 B`, 'class-histogram-cut', 71],
    ['a row that is missing', `${HEAD}1: 5 80 A\n3: 1 8 B\nTotal 6 88\n`, 'class-histogram-number', 63],
    ['a line that is no row', `${HEAD}1: 5 80 A\nx\nTotal 5 80\n`, 'class-histogram-line', 63],
    ['no titles', '1: 5 80 A\nTotal 5 80\n', 'class-histogram-titles', 0],
  ];
  for (const [what, text, code, offset] of cases) {
    test(what, async () => {
      const recording = await read(text);
      deepStrictEqual(
        recording.problems.list.map((problem) => [problem.code, problem.offset]),
        [[code, offset]],
      );
      equal(recording.complete, code === 'class-histogram-titles');
      equal(rowsOf(recording)[0], '0 5 80 A|');
    });
  }
  test('a row that a splice turned into a time is lost, not a line of a log', async () => {
    // Found by random damage: jdk25-after.txt at 13480.
    const row = '1: 5 80 Agnal (java.base@25.0.3)\n';
    const splice = 'lass>\nMar 29 10:00:05 h';
    const damaged = await read(`${HEAD}${row.slice(0, 10)}${splice}${row.slice(10)}Total 5 80\n`);
    deepStrictEqual(
      [damaged.complete, damaged.problems.list.map(({ code, offset }) => [code, offset])],
      [false, [['class-histogram-line', HEAD.length + 16]]],
    );
    for (const line of [
      'Mar 29 10:00:05 host-1 sshd[815]: opened',
      'Mar  1 10:00:05 host cron: x',
      'Mar 29 10:00:05 INFO x',
    ]) {
      const logged = await read(`${HEAD}${line}\n${row}Total 5 80\n`);
      deepStrictEqual([logged.complete, logged.problems.list.map(({ code }) => code)], [true, ['log-other-output']]);
    }
  });
  test('a blank between the decorations of a line changes nothing', async () => {
    // Found by random damage, seed 516021752: log.txt with a blank at 78, behind the time of the titles.
    const text = readFileSync(join(SMALL, 'log.txt'), 'utf8');
    const whole = await read(text);
    const betweenDecorations = [...text.matchAll(/\](?=\[)/g)].map(({ index }) => index + 1);
    ok(betweenDecorations.includes(78));
    for (const at of betweenDecorations) {
      const spliced = await read(`${text.slice(0, at)} ${text.slice(at)}`);
      deepStrictEqual([at, rowsOf(spliced), codes(spliced)], [at, rowsOf(whole), codes(whole)]);
    }
    const other = await read(text.replaceAll('[0.742s]', '[2026-03-29T10:00:05.123+0000] '));
    deepStrictEqual(rowsOf(other), rowsOf(whole));
  });
  test('a decoration of the titles that lost its end is not a prefix: the rows are read without titles', async () => {
    // Found by random damage, seed 516026335.
    const text = readFileSync(join(SMALL, 'log.txt'), 'utf8');
    const damaged = await read(`${text.slice(0, 95)}\u00d7_\t: 6b%n${text.slice(110)}`);
    deepStrictEqual(rowsOf(damaged), rowsOf(await read(text)));
    ok(codes(damaged).includes('class-histogram-titles'));
  });
  test('damage within the decorations of later titles is no prefix: the rows below are read without titles', async () => {
    // Found by random damage, seed 7008572.
    const text = readFileSync(join(SMALL, 'log.txt'), 'utf8');
    const damaged = await read(`${text.slice(0, 824)} o 5 -a  ])1 4 G] m8 ${text.slice(845)}`);
    deepStrictEqual(rowsOf(damaged), rowsOf(await read(text)));
    deepStrictEqual(codes(damaged), ['class-histogram-titles']);
  });
  test('text within the decorations of later titles is no prefix, nor is a time before it', async () => {
    // Found by random damage, seeds 267808223 and 267812716.
    const text = readFileSync(join(SMALL, 'log.txt'), 'utf8');
    for (const [at, more] of [
      [810, '742s]'],
      [815, 'histo      ] '],
    ] as const) {
      const damaged = await read(text.slice(0, at) + more + text.slice(at));
      deepStrictEqual(rowsOf(damaged), rowsOf(await read(text)));
      deepStrictEqual(codes(damaged), ['class-histogram-titles']);
    }
  });
  test('dashes before a bar are no service: damage to the line below the titles is reported', async () => {
    // Found by random damage, seeds 771000110 and 771002881.
    const text = readFileSync(join(SMALL, 'agent-jdk6.txt'), 'utf8');
    for (const [from, to, splice] of [
      [205, 213, '  |    3'],
      [224, 234, '  | 2026-1'],
    ] as const) {
      const damaged = await read(`${text.slice(0, from)}${splice}${text.slice(to)}`);
      deepStrictEqual(
        damaged.problems.list.map(({ code, offset }) => [code, offset]),
        [['class-histogram-line', text.indexOf('\n---') + 1]],
      );
      deepStrictEqual([damaged.complete, rowsOf(damaged)], [false, rowsOf(await read(text))]);
    }
  });
  test('a service before the decorations is a prefix: the rows of each are a histogram of their own', async () => {
    const line = (service: string, content: string): string =>
      `[${service}] [0.742s][trace][gc,classhisto] GC(1) ${content}\n`;
    const contents = [' num     #instances         #bytes  class name', '   1:  5  80  A', 'Total  5  80'];
    const recording = await read(contents.flatMap((content) => ['web', 'db'].map((of) => line(of, content))).join(''));
    deepStrictEqual([rowsOf(recording), recording.complete], [['0 5 80 A|', '1 5 80 A|'], true]);
  });
  test('a row with a cut name is not read', async () => {
    equal(rowsOf(await read(`${HEAD}1: 5 80 A\n2: 1 8 java.lang.Str`)).length, 1);
  });
  test('text without a row is an error', async () => {
    await rejects(read(HEAD), FormatError);
    await rejects(read('hello\n'), FormatError);
  });
  test('a long line of blanks takes linear time', async () => {
    const recording = await read(`${HEAD}1: 5 80 A${' '.repeat(200_000)}B\nTotal 5 80\n`);
    equal(rowsOf(recording).length, 1);
  });
  test('every code is documented', () => {
    const page = readFileSync(join(ROOT, 'docs', 'formats', 'class-histogram.md'), 'utf8');
    const source = sourcesBelow('src/formats/class-histogram');
    const used = new Set(source.match(/'class-histogram-[a-z]+'/g)?.map((code) => code.slice(1, -1)));
    equal(used.size, 7);
    for (const code of used) ok(page.includes(`| \`${code}\` |`), code);
  });
});
