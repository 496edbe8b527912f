/** Each line of docs/differences-gprofng.md: what `print --strict` and `print` show of the same experiment. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openExperiment } from './peer/experiment.js';
import { printedFor } from './testing/expected.js';

const DATA = process.env.KANSOKU_DATA;

async function both(name: string, words: readonly string[]): Promise<{ readonly peer: string; readonly own: string }> {
  const texts: string[] = [];
  for (const strict of [true, false]) {
    const experiment = await openExperiment(join(DATA ?? '', 'experiments', `${name}.er.tar.gz`), { strict });
    texts.push((await printedFor(experiment, words)).out);
    await experiment.close();
  }
  return { peer: texts[0] ?? '', own: texts[1] ?? '' };
}

describe('differences from gprofng', { skip: DATA === undefined && 'KANSOKU_DATA is not set' }, () => {
  test('a chain of realloc leaks its last block', async () => {
    const { peer, own } = await both('heap-leaks', ['-leaks']);
    const leaksOf = (text: string): string[] =>
      text.split('\n\n').flatMap((block) => /(Instances = .*)\n {2}realloc/.exec(block)?.[1] ?? []);
    deepEqual(leaksOf(own), ['Instances = 2, Bytes Leaked = 32800']);
    ok(leaksOf(peer).includes('Instances = 12, Bytes Leaked = 65520'));
  });

  test('times are not cut to microseconds', async () => {
    const metrics = ['-metrics', 'i.ioreadtime:i.ioothertime:name', '-limit', '1', '-functions'];
    const { peer, own } = await both('io-trace', metrics);
    const reads = (text: string): number => Number(/^(\S+) .*<Total>$/m.exec(text)?.[1]);
    ok(reads(own) > reads(peer), `${reads(own)} and ${reads(peer)}`);
  });

  test('all calls that close count', async () => {
    const { peer, own } = await both('io-trace', ['-iostat']);
    const others = (text: string): string | undefined => /Other I\/O Statistics.*?Total calls +(\d+)/s.exec(text)?.[1];
    deepEqual([others(peer), others(own)], ['26', '30']);
  });

  test('names of templates, and methods that were compiled several times', async () => {
    const { peer, own } = await both('java17', ['-viewmode', 'machine', '-functions']);
    const closure = (text: string): string | undefined =>
      /(?:void )?G1ScanCardClosure::do_oop_work.*$/m.exec(text)?.[0];
    equal(closure(peer), 'void G1ScanCardClosure::do_oop_work<narrowOop>(narrowOop*)');
    equal(closure(own), 'G1ScanCardClosure::do_oop_work<narrowOop>(narrowOop*)');
    const spin = (text: string): string[] =>
      [...text.matchAll(/^(\S+) .* Work\.spin\(long\)$/gm)].map(([, self]) => self ?? '');
    deepEqual([spin(peer), spin(own)], [['1.271', '0.030'], ['1.301']]);
  });

  test('the file system of a call is what was recorded', async () => {
    const { peer, own } = await both('io-trace', ['-diotrace']);
    const systems = (text: string): string[] => [
      ...new Set([...text.matchAll(/fstype = (\d+)/g)].map(([, n]) => n ?? '')),
    ];
    deepEqual([systems(peer), systems(own)], [['0'], ['24', '0']]);
  });

  test('inlined calls are those of all places', async () => {
    const { peer, own } = await both('c-single', ['-pcs']);
    const places = (text: string): (string | undefined)[] =>
      ['38', '3C'].map((at) => new RegExp(`matmul \\+ 0x000000${at}(.*)`).exec(text)?.[1]?.trim());
    const call = ', line 23 in "cpuwork.c" <-- mac cpuwork.c:9';
    deepEqual(
      [places(peer), places(own)],
      [
        [call, ', line 9 in "cpuwork.c"'],
        [call, call],
      ],
    );
  });

  test('functions begin where code is', async () => {
    const { peer, own } = await both('deep-signals', ['-metrics', 'address:size:name', '-functions']);
    const starts = (text: string): number[] =>
      [...text.matchAll(/^\d+:(0x[\da-f]+) .*libopaque/gm)].map(([, start]) => Number(start));
    equal(Math.max(...starts(peer)), 0x199);
    ok(starts(own).length > 0 && Math.min(...starts(own)) >= 0x1000);
  });

  test('a place is in one function', async () => {
    const { peer, own } = await both('deep-signals', ['-pcs']);
    const repeated = (text: string): number => {
      const places = [...text.matchAll(/(\S*libopaque\S*.*\+ 0x[\dA-F]+)$/gm)].map(([, place]) => place);
      return places.length - new Set(places).size;
    };
    ok(own.includes('libopaque'));
    deepEqual([repeated(peer), repeated(own)], [1, 0]);
  });

  const SOURCE = ['-source', 'matmul', '1'];

  test('shares of lines are those of the total', async () => {
    const { peer, own } = await both('c-single', SOURCE);
    const shares = (text: string): string | undefined => /^## 0\.891 +(\S+) .* 22\. /m.exec(text)?.[1];
    deepEqual([shares(peer), shares(own)], ['0.', '40.09']);
    // Percent of 2.222 s, with the digits of the printed values.
    ok(Math.abs(Number(shares(own)) - (100 * 0.891) / 2.222) < 0.05);
  });

  test('branches lead to addresses', async () => {
    const { peer, own } = await both('c-single', ['-disasm', 'main', '1']);
    const target = (text: string): string | undefined => / 12fa: {2}jg +(.*)$/m.exec(text)?.[1];
    deepEqual([target(peer), target(own)], ['0x121', '0x141b <main+0x133>']);
    equal(0x12fa + 0x121, 0x141b);
  });

  test('calls that were inlined in several ranges are on the line of the call', async () => {
    const { peer, own } = await both('c-single', ['-disasm', 'main', '1']);
    const tag = (text: string): string | undefined => /\[ *(\d+)\] +1300: /.exec(text)?.[1];
    deepEqual([tag(peer), tag(own)], ['13', '55']);
    match(own, / 1300: .* <-- fill cpuwork\.c:13 $/m);
    match(own, /^ +55\. {3}fill\(\);$/m);
  });

  test('clones begin where the function is declared', async () => {
    const { peer, own } = await both('c-single-O2', ['-source', 'main', '1']);
    const next = (text: string): string | undefined =>
      /<Function: hash_text\.constprop\.0>\n[^\n]*? (\d+)\. {1,3}\S/.exec(text)?.[1];
    deepEqual([next(peer), next(own)], ['44', '42']);
  });

  test('sizes of lines are those of their rows', async () => {
    const { peer, own } = await both('c-single', ['-limit', '2', '-lsummary']);
    const size = (text: string): string | undefined => /matmul, line 22 [\s\S]*?Size: +(-?\d+)/.exec(text)?.[1];
    deepEqual([size(peer), size(own)], ['-23', '26']);
  });

  test('DWARF 5 has lines', async () => {
    const { peer, own } = await both('c-single-dwarf5', ['-lines']);
    match(peer, /<Function: matmul, instructions without line numbers>/);
    match(own, /matmul, line 22 in "cpuwork\.c"/);
  });

  test('code of OpenMP programs on a CPU works', async () => {
    const { peer, own } = await both('synthetic-omp', ['-metrics', 'e.ompwork:name', '-limit', '1', '-functions']);
    const work = (text: string): string | undefined => /^(\S+) +<Total>$/m.exec(text)?.[1];
    deepEqual([work(peer), work(own)], ['0.', '0.290']);
  });

  test('of several names of a function one is chosen, and the others are listed', async () => {
    const { peer, own } = await both('io-trace', ['-disasm', 'lseek', '1']);
    const names = (text: string): string | undefined => /<Function: (\S+)>/.exec(text)?.[1];
    deepEqual([names(peer), names(own)], ['lseek', 'lseek64']);
    const { own: summary } = await both('heap-leaks', ['-fsingle', 'strdup', '1']);
    match(summary, /Aliases: __strdup$/m);
  });
});
