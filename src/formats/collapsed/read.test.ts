/** Collapsed stacks as read, compared with speedscope and awk on the same files, and by hand. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { stringAt } from '../../base/text.js';
import { type ByteSource, memorySource } from '../../bytes/byte-source.js';
import { functionName } from '../../models/program/names.js';
import type { Recording } from '../../models/recording.js';
import { column } from '../../models/table.js';
import { ROOT, sharedData } from '../../testing/shared-data.js';
import { sourcesBelow } from '../../testing/sources.js';
import { readCollapsed } from './read.js';
import { seenLines } from './testing/collapsed-oracle.js';

const FIXTURES = join(ROOT, 'src', 'formats', 'collapsed', 'fixtures');

/** Files of the data collection; those of other licences are not shipped. */
const REAL = [
  'ap44-warehouse-threads.collapsed.gz',
  'async-sample1.collapsed',
  'firefox-flamegraph.txt',
  'own-depot-second-run.collapsed',
  'own-depot.collapsed',
  'pyspy-tracer.collapsed',
  'speedscope-alternating.txt',
  'speedscope-recursion.txt',
  'speedscope-simple-crlf.txt',
  'speedscope-simple-utf16-be.txt',
  'speedscope-simple-utf16-le.txt',
  'speedscope-simple-with-invalids.txt',
  'speedscope-simple.txt',
  'speedscope-tall.txt',
] as const;

function bytesOf(path: string): Uint8Array {
  const bytes = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

export function read(text: string | Uint8Array): Promise<Recording> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return readCollapsed(memorySource('test.collapsed', bytes));
}

/** Values by stack text, for comparison in any order. */
function byStack(lines: readonly (readonly [string, ...number[]])[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [stack, count = 0] of lines) {
    const text = Buffer.from(stack, 'latin1').toString('utf8');
    sums.set(text, (sums.get(text) ?? 0) + count);
  }
  return sums;
}

/** The rows of one kind in what speedscope said, without their first cell. */
function said(path: string, kind: string): string[][] {
  const plain = existsSync(`${path}.gz`) ? `${path}.gz` : path;
  const lines = Buffer.from(bytesOf(plain)).toString('utf8').split('\n');
  return lines
    .map((line) => line.split('\t'))
    .filter((cells) => cells[0] === kind)
    .map((cells) => cells.slice(2));
}

describe('real files', () => {
  for (const name of REAL) {
    test(`${name}: stacks, self and total as in speedscope`, async (t) => {
      const path = sharedData(t, `interop/collapsed/${name}`);
      const expected = sharedData(t, 'interop/collapsed/expected');
      if (path === undefined || expected === undefined) return;
      const recording = await read(bytesOf(path));
      const lines = seenLines(recording);
      const truth = join(expected, `${name.replace(/\.gz$/, '')}.speedscope.txt`);
      const stacks = new Map(said(truth, 'stack').map(([weight = '', stack = '']) => [stack, Number(weight)]));
      assert.deepEqual(new Map([...byStack(lines)].sort()), new Map([...stacks].sort()));
      const frames = said(truth, 'frame').map(([self = '', total = '', frame = '']) => [
        frame,
        Number(self),
        Number(total),
      ]);
      assert.deepEqual(selfAndTotal(lines).sort(), frames.sort());
    });
  }

  test('sums as computed by awk', async (t) => {
    const table = sharedData(t, 'interop/collapsed/expected/totals.tsv');
    if (table === undefined) return;
    const rows = readFileSync(table, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'));
    assert.ok(rows.length >= 12);
    for (const [name = '', stacks, sum] of rows) {
      const path = sharedData(t, `interop/collapsed/${name}`);
      if (path === undefined) return;
      const lines = seenLines(await read(bytesOf(path)));
      assert.equal(lines.length, Number(stacks), name);
      assert.equal(
        lines.reduce((all, [, count = 0]) => all + count, 0),
        Number(sum),
        name,
      );
    }
  });

  test('a differential file of inferno has both sums of its source files', async () => {
    const recording = await read(bytesOf(join(FIXTURES, 'depot-diff.txt')));
    const lines = seenLines(recording);
    const sum = (which: number): number => lines.reduce((all, line) => all + Number(line[which]), 0);
    assert.deepEqual([sum(1), sum(2)], [599198392, 595190376]);
    const own = seenLines(await read(bytesOf(join(FIXTURES, 'own-depot.collapsed'))));
    assert.equal(
      own.reduce((all, [, count = 0]) => all + count, 0),
      595190376,
    );
    assert.deepEqual(
      recording.profile?.metrics.map(({ id }) => id),
      ['samples', 'base'],
    );
  });
});

/** Self and total by frame text; of a recursive frame the outermost counts. */
function selfAndTotal(lines: readonly (readonly [string, ...number[]])[]): (string | number)[][] {
  const values = new Map<string, [number, number]>();
  for (const [stack, count = 0] of lines) {
    const frames = Buffer.from(stack, 'latin1').toString('utf8').split(';');
    for (const frame of new Set(frames)) {
      const value = values.get(frame) ?? [0, 0];
      value[1] += count;
      if (frames.at(-1) === frame) value[0] += count;
      values.set(frame, value);
    }
  }
  return [...values].map(([frame, [self, total]]) => [frame, self, total]);
}

describe('shipped recordings', () => {
  test('threads of async-profiler are threads', async () => {
    const { program, profile } = await read(bytesOf(join(FIXTURES, 'ap44-threads.collapsed')));
    const threads = profile?.threads;
    assert.ok(profile !== undefined && threads !== undefined);
    const names = [...column(threads, 'name')].map(
      (id, row) => `${stringAt(program.names, id)} ${column(threads, 'tid')[row]}`,
    );
    assert.ok(names.includes('VM Thread 6500') && names.includes('DestroyJavaVM 6494'));
    assert.ok([...column(profile.events[0] ?? threads, 'thread')].every((thread) => thread >= 0));
  });
});

test('hidden classes of async-profiler are shown with dots', async () => {
  const { program } = await read('java/lang/invoke/LambdaForm$MH.0x00007fc36c001400.invoke 1');
  assert.equal(functionName(program, 0), 'java.lang.invoke.LambdaForm$MH.0x00007fc36c001400.invoke');
});

describe('unusual lines', () => {
  const numbers = async (text: string) => seenLines(await read(text));

  test('line ends, marks, blanks, comments and the last line', async () => {
    assert.deepEqual(await numbers('a;b 1\r\n\r\n   \n# c 5\n// d 6\na;c\t2 \n\ufeffx 3\nd 4'), [
      ['a;b', 1],
      ['a;c', 2],
      ['\u00ef\u00bb\u00bfx', 3],
      ['d', 4],
    ]);
    assert.deepEqual(await numbers('\ufeffa 1\n'), [['a', 1]]);
  });

  test('fractional, negative, zero and large counts, and counts with an exponent', async () => {
    const recording = await read('a 1.25\nb -3\nc 0\nd 9007199254740993\ne 2.5e3\nf -0\ng 7.\n');
    assert.deepEqual(
      seenLines(recording).map(([, count]) => count),
      [1.25, -3, 0, 9007199254740992, 2500, 0, 7],
    );
    assert.deepEqual(recording.problems.counts, { 'collapsed-negative-count': 1, 'collapsed-inexact': 1 });
    assert.equal(recording.complete, true);
  });

  test('text that is not a count', async () => {
    const recording = await read('a;b 1\nno count\n5\na;b 1x\na;b 0x10\na;b 1e999\nc 2\n');
    assert.deepEqual(seenLines(recording), [
      ['a;b', 1],
      ['c', 2],
    ]);
    const { list, counts } = recording.problems;
    assert.deepEqual(counts, { 'collapsed-no-count': 5 });
    assert.deepEqual(
      list.map(({ offset }) => offset),
      [6, 15, 17, 24, 33],
    );
    assert.equal(recording.complete, false);
  });

  test('two numbers a line only if all lines have them', async () => {
    assert.deepEqual(await numbers('a 1 2\nb 3 4'), [
      ['a', 2, 1],
      ['b', 4, 3],
    ]);
    assert.deepEqual(await numbers('thread 1 2\nb 4'), [
      ['thread 1', 2],
      ['b', 4],
    ]);
    assert.deepEqual(await numbers('# one count a line\nthread 1 2\n'), [['thread 1', 2]]);
    const mixed = await read(`${'a 1 2\n'.repeat(20_000)}b 3\n`);
    assert.deepEqual(mixed.problems.counts, { 'collapsed-one-count': 1 });
    assert.equal(mixed.problems.list[0]?.offset, 120_000);
  });

  test('empty frames, and blanks in frames', async () => {
    assert.deepEqual(await numbers('a;;b 1\n;a 2\n 3\na; b ;c  4\nfoo(int, char);x 5'), [
      ['a;;b', 1],
      [';a', 2],
      ['', 3],
      ['a; b ;c ', 4],
      ['foo(int, char);x', 5],
    ]);
  });

  test('a thread without frames has an event', async () => {
    const recording = await read('[main tid=7] 3\n[main tid=7];a 4\n[tid=8];a 1\n[x];a 1\n[tid=9 tid=9];b 1\n');
    const { profile, program } = recording;
    assert.ok(profile?.threads !== undefined);
    assert.deepEqual([...column(profile.events[0] ?? profile.threads, 'thread')], [0, 0, 1, -1, -1]);
    assert.deepEqual(
      [...column(profile.threads, 'name')].map((id) => stringAt(program.names, id)),
      ['main', 'tid=8'],
    );
    assert.deepEqual(seenLines(recording)[0], ['[main tid=7]', 3]);
  });

  test('UTF-16 in both orders, with pairs of surrogates and lone ones', async () => {
    const text = 'a;\u00fc\u65e5\u{1f600}\ud800 1\nnone\na;\ud83d 2\n';
    const little = Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')]);
    const big = Buffer.from(little).swap16();
    for (const bytes of [little, big]) {
      const recording = await read(bytes);
      const { program, profile } = recording;
      const names = [...(profile?.stacks.location ?? [])].map((place) =>
        stringAt(program.names, program.functions.name[program.locations.function[place]]),
      );
      assert.deepEqual(names, ['a', '\u00fc\u65e5\u{1f600}\ud800', '\ud83d']);
      assert.equal(recording.problems.list[0]?.offset, 2 + 2 * text.indexOf('none'));
    }
    const cut = await read(little.subarray(0, little.length - 1));
    assert.equal(cut.problems.counts['text-encoding'], 1);
    assert.equal(cut.complete, false);
  });

  test('bytes that are not text stay unchanged; Java\u2019s modified UTF-8 is text', async () => {
    const bytes = Buffer.from('a;caf\xe9 1\na;\xed\xa0\xbd\xed\xb8\x80 2\n', 'latin1');
    const recording = await read(bytes);
    assert.deepEqual(seenLines(recording), [
      ['a;caf\xe9', 1],
      ['a;\xed\xa0\xbd\xed\xb8\x80', 2],
    ]);
    assert.deepEqual(
      recording.problems.list.map(({ code, offset }) => [code, offset]),
      [['collapsed-encoding', 2]],
    );
  });

  test('a line above the size limit is left out, and the rest is read', async () => {
    const long = Buffer.alloc((65 << 20) + 3, 'x;');
    const recording = await read(Buffer.concat([Buffer.from('a 1\n'), long, Buffer.from(' 2\nb 3\n')]));
    assert.deepEqual(seenLines(recording), [
      ['a', 1],
      ['b', 3],
    ]);
    assert.equal(recording.problems.list[0]?.code, 'collapsed-too-large');
    assert.equal(recording.problems.list[0]?.offset, 4);
  });

  test('text without any stack is an error', async () => {
    await assert.rejects(read('one\ntwo\n'), /collapsed: byte 0: expected lines of frames/);
  });

  test('windows of any size give the same lines', async () => {
    const bytes = bytesOf(join(FIXTURES, 'ap44-threads.collapsed'));
    const source = memorySource('x', bytes);
    const whole = seenLines(await readCollapsed(source));
    const small: ByteSource = { ...source, size: 64 };
    assert.deepEqual(seenLines(await readCollapsed(small)), whole);
  });
});

test('every code of the sources has a line in the documents', () => {
  const text = sourcesBelow('src/formats/collapsed');
  const known = new Set([...text.matchAll(/'(collapsed-[a-z-]+)'/g)].map((match) => match[1]));
  const page = readFileSync(join(ROOT, 'docs', 'formats', 'collapsed.md'), 'utf8');
  const documented = new Set([...page.matchAll(/^\| `(collapsed-[a-z-]+)`/gm)].map((match) => match[1]));
  assert.ok(known.size >= 6);
  assert.deepEqual([...documented].sort(), [...known].sort());
});

describe('repeated lines', () => {
  /** The stacks and counts of lines, told apart by their text alone. */
  async function sameAsSplit(lines: readonly string[]): Promise<void> {
    const { profile, program } = await read(lines.map((line, i) => `${line} ${i}\n`).join(''));
    assert.ok(profile !== undefined);
    const [table] = profile.events;
    assert.ok(table !== undefined);
    const { parent, location } = profile.stacks;
    const stacks = column(table, 'stack');
    const found = lines.map((_, row) => {
      const names: string[] = [];
      for (let id = stacks[row]; id >= 0; id = parent[id])
        names.unshift(functionName(program, program.locations.function[location[id]]));
      return names.join(';');
    });
    assert.deepEqual(found, lines);
    assert.deepEqual([...column(table, 'count')], [...lines.keys()]);
  }

  const frames = (length: number, character: string): string => `f${character.repeat(length)};g;h${character}`;

  test('of every length, and lines of one length that differ in one place', async () => {
    const lengths = Array.from({ length: 90 }, (_, length) => frames(length, 'x'));
    const places = Array.from({ length: 80 }, (_, place) => `${'a'.repeat(place)}b${'a'.repeat(80 - place)};c`);
    await sameAsSplit([...lengths, ...places, ...[...places, ...lengths].reverse(), ...lengths]);
  });

  test('that share their sample, more than the table tries', async () => {
    const between = Array.from({ length: 300 }, (_, i) => `aaaa${String(i).padStart(28, 'z')}aaaa${'z'.repeat(28)};c`);
    await sameAsSplit([...between, ...between, ...[...between].reverse()]);
  });

  test('beyond the first windows and blocks', async () => {
    const long = Array.from({ length: 300 }, (_, i) => frames(5000 + i, 'y'));
    await sameAsSplit([...long, ...long]);
  });
});
