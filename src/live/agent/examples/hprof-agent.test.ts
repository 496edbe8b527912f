/** The HPROF agent of the document, in TypeScript (examples/jvmpi/hprof.ts), beside what the genuine one wrote of the same programs. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { hasProgram, jdkHome } from '../../../../scripts/testing/programs.js';
import { amount } from '../../../testing/amount.js';
import { sharedData } from '../../../testing/shared-data.js';
import { compileInto, runAgent } from '../testing/probed.js';

const folder = mkdtempSync(join(tmpdir(), 'kansoku-hprof-'));
after(() => rmSync(folder, { recursive: true }));

interface Row {
  readonly share: number;
  readonly numbers: readonly number[];
  /** Frames without lines, the innermost first. */
  readonly frames: readonly string[];
  readonly name: string;
}

/** The rows of a section with the frames of their traces, read by expressions. */
function rowsOf(text: string, section: string): Row[] {
  const traces = new Map<string, string[]>();
  for (const [, trace = '', frames = ''] of text.matchAll(/^TRACE (\d+):.*\n((?:\t.*\n)*)/gm))
    traces.set(
      trace,
      [...frames.matchAll(/^\t(.*)\(.*\)$/gm)].map(([, frame = '']) => frame),
    );
  const part = text.slice(text.indexOf(`\n${section} BEGIN`), text.indexOf(`\n${section} END`));
  return [...part.matchAll(/^ *\d+ +([\d.]+)% +[\d.]+% +((?:\d+ +)+)(\S+)$/gm)].map(
    ([, share = '', numbers = '', name = '']) => {
      const all = numbers.trim().split(/ +/);
      return { share: Number(share), numbers: all.map(Number), frames: traces.get(all.at(-1) ?? '') ?? [], name };
    },
  );
}

/** Runs a program with our agent, and with the collector that the VM chooses: loops have safepoints with G1. Gives its file and that of the genuine agent. Undefined where the test is skipped. */
function both(t: TestContext, version: string, program: readonly string[], options: string, genuine: string) {
  const source = sharedData(t, `hprof/programs/${program[0]}.java`);
  if (source === undefined || !hasProgram(t, `jdk-${version}`) || !hasProgram(t, 'gcc')) return undefined;
  const home = jdkHome(version) ?? '';
  compileInto(folder, home, source);
  const file = join(folder, `${program[0]}-${version}.txt`);
  const agent = `examples/jvmpi/hprof.ts:${options},file=${file}`;
  const { status, stderr } = runAgent(agent, [join(home, 'bin/java'), '-cp', folder, ...program]);
  assert.deepEqual([status, stderr], [0, '']);
  return {
    own: readFileSync(file, 'utf8'),
    genuine: textOf(sharedData(t, `hprof/agent/${genuine}`) ?? ''),
  };
}

function textOf(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

/** A stack as the genuine agent saw it, which instruments no hidden classes: without their frames, four frames deep. */
const visible = (frames: readonly string[]): string =>
  frames
    .filter((frame) => !frame.includes('$$Lambda'))
    .slice(0, 4)
    .join(' < ');

describe('the HPROF agent', () => {
  it('cpu=times counts each call, and has the stacks of the genuine agent', (t) => {
    const texts = both(t, '17', ['CpuDemo', '3', '2'], 'cpu=times,depth=5,cutoff=0', 'cpu-times.txt');
    if (texts === undefined) return;
    const own = rowsOf(texts.own, 'CPU TIME (ms)');
    const stacks = new Set(own.map(({ frames }) => visible(frames)));
    const expected = rowsOf(texts.genuine, 'CPU TIME (ms)').filter(({ name }) => /^CpuDemo\.(?!throwing|<)/.test(name));
    assert.ok(expected.length >= 6);
    for (const { frames } of expected) assert.ok(stacks.has(visible(frames)), visible(frames));
    const calls = (name: string): number =>
      own.filter((row) => row.name === `CpuDemo.${name}`).reduce((sum, { numbers: [count = 0] }) => sum + count, 0);
    // Two threads, 3 rounds: hot, warm and cool once each, mix 700 * 2 times in hot; throwing calls itself 5 times.
    assert.deepEqual(['hot', 'warm', 'cool', 'mix', 'throwing'].map(calls), [6, 6, 6, 8400, 36]);
  });

  it('cpu=samples has the shares of the genuine agent', (t) => {
    const rounds = String(amount(2000, 600));
    const texts = both(t, '17', ['CpuDemo', rounds, '200'], 'cpu=samples,depth=6,interval=1', 'cpu-samples.txt');
    if (texts === undefined) return;
    // What a method calls belongs to it. The rest of both runs is start-up, of which a longer run has less.
    const [own, genuine] = [texts.own, texts.genuine].map((text) => {
      const rows = rowsOf(text, 'CPU SAMPLES');
      const of = (method: string): number =>
        rows
          .filter(({ frames }) => frames.includes(`CpuDemo.${method}`))
          .reduce((sum, { numbers: [count = 0] }) => sum + count, 0);
      const all = ['hot', 'warm', 'cool'].map(of);
      const total = all.reduce((sum, count) => sum + count, 0);
      return { total, shares: all.map((count) => (100 * count) / total) };
    });
    assert.ok((own?.total ?? 0) >= 100, `${own?.total} samples`);
    own?.shares.forEach((share, place) => {
      const other = genuine?.shares[place] ?? 0;
      assert.ok(Math.abs(share - other) <= 5, `${own.shares} and ${genuine?.shares}`);
    });
  });

  it('cpu=old counts the calls of each pair, with the time of the callee', (t) => {
    const texts = both(t, '17', ['CpuDemo', '3', '2'], 'cpu=old', 'cpu-old.txt');
    if (texts === undefined) return;
    const arcs = (text: string): Map<string, readonly number[]> =>
      new Map(
        [...text.matchAll(/^(\d+) (\S+) (\S+) (\d+)$/gm)].map(([, calls, callee, caller, time]) => [
          `${callee} ${caller}`,
          [Number(calls), Number(time)],
        ]),
      );
    const [own, genuine] = [arcs(texts.own), arcs(texts.genuine)];
    assert.match(texts.own, /^count callee caller time\n/);
    // 30 rounds of 20 there, 3 of 2 here; each on two threads.
    for (const method of ['hot(I)V', 'warm(I)V', 'cool(I)V']) {
      const pair = `CpuDemo.${method} CpuDemo.round(I)V`;
      assert.deepEqual([own.get(pair)?.[0], genuine.get(pair)?.[0]], [6, 60], pair);
    }
    const mix = 'CpuDemo.mix(D)D CpuDemo.hot(I)V';
    assert.deepEqual([own.get(mix)?.[0], genuine.get(mix)?.[0]], [8400, 840_000]);
    const [, ofHot = 0] = own.get('CpuDemo.hot(I)V CpuDemo.round(I)V') ?? [];
    const [, ofMix = 0] = own.get(mix) ?? [];
    assert.ok(ofHot >= ofMix, `${ofHot} ms with ${ofMix} of mix`);
  });

  it('heap=sites has the bytes, objects and stacks of the genuine agent', (t) => {
    const texts = both(t, '25', ['AllocDemo'], 'heap=sites,cutoff=0', 'alloc-heap-sites.txt');
    if (texts === undefined) return;
    // The genuine agent sees an object in Object.<init>, ours where it is made.
    const key = ({ name, numbers: [, , bytes, objects], frames }: Row): string =>
      `${name} ${bytes} ${objects} ${visible(frames.filter((frame) => !frame.endsWith('.<init>')).slice(0, 3))}`;
    const own = new Set(rowsOf(texts.own, 'SITES').map(key));
    // Nodes, and the arrays that keepArrays makes one by one.
    const expected = rowsOf(texts.genuine, 'SITES').filter(
      ({ name, frames }) => frames[0] === 'AllocDemo.keepArrays' || name === 'AllocDemo$Node',
    );
    assert.ok(expected.length >= 7, `${expected.length}`);
    const missing = expected.map(key).filter((each) => !own.has(each));
    assert.deepEqual(missing, []);
  });
});

it('help of the HPROF agent lists the options with their defaults, and the program does not run', (t) => {
  const version = '25';
  if (!hasProgram(t, `jdk-${version}`) || !hasProgram(t, 'gcc')) return;
  const java = join(jdkHome(version) ?? '', 'bin/java');
  const { status, stdout, stderr } = runAgent('examples/jvmpi/hprof.ts:help', [java, '-cp', folder, 'NoSuchClass']);
  assert.deepEqual([status, stderr], [0, '']);
  const rows = stdout.split('\n').map((line) => line.trimEnd().split(/ {2,}/));
  const defaults = Object.fromEntries(rows.map(([option = '', , usual]) => [option.replace(/=.*/, ''), usual]));
  assert.deepEqual(
    [defaults.depth, defaults.interval, defaults.cutoff, defaults.lineno, defaults.thread, defaults.doe],
    ['4', '10', '0.0001', 'y', 'n', 'y'],
  );
  assert.equal(rows.filter(([option]) => option?.includes('=')).length, 11);
});

/** What each kind of line of the text begins with. */
const PARTS: Readonly<Record<string, RegExp>> = {
  header: /^JAVA PROFILE 1\.0\.1, created /m,
  start: /^THREAD START \(obj=[0-9a-f]+, id = \d+, name="/m,
  end: /^THREAD END \(id = \d+\)$/m,
  waits: /^WAIT: MONITOR /m,
  waited: /^WAITED: MONITOR /m,
  traces: /^TRACE \d+:$/m,
  'traces with threads': /^TRACE \d+: \(thread=\d+\)$/m,
  'no frames': /^\t<empty>$/m,
  lines: /^\t\S+\([^():]+\.java:\d+\)$/m,
  'heap dump': /^HEAP DUMP BEGIN \(\d+ objects, \d+ bytes\)/m,
  roots: /^ROOT [0-9a-f]+ \(kind=</m,
  classes: /^CLS [0-9a-f]+ \(name=/m,
  objects: /^OBJ [0-9a-f]+ \(sz=/m,
  arrays: /^ARR [0-9a-f]+ \(sz=/m,
  sites: /^SITES BEGIN \(ordered by live bytes\)/m,
  samples: /^CPU SAMPLES BEGIN \(total = \d+\)/m,
  times: /^CPU TIME \(ms\) BEGIN \(total = \d+\)/m,
  monitors: /^MONITOR DUMP BEGIN$/m,
  'threads of monitors': /^ {4}THREAD \d+, trace \d+, status: /m,
  'monitors of monitors': /^ {4}MONITOR /m,
};

describe('the HPROF agent has the sections of the genuine one', () => {
  const runs: readonly (readonly [program: readonly string[], options: string, genuine: string])[] = [
    [['AllocDemo'], 'depth=4', 'alloc-default.txt.gz'],
    [['ThreadsDemo'], 'cpu=samples,thread=y,depth=8,interval=5', 'threads-cpu-samples-thread-depth8.txt'],
    [['ContendDemo', '20'], 'monitor=y,depth=6', 'contend-monitor.txt'],
    [['AllocDemo'], 'heap=sites,depth=0', 'alloc-heap-sites-depth0.txt'],
    [['AllocDemo'], 'heap=sites,lineno=n', 'alloc-heap-sites-nolineno.txt'],
    [['AllocDemo'], 'heap=dump', 'alloc-heap-dump.txt.gz'],
    [['CpuDemo', '3', '2'], 'cpu=times,thread=y,depth=10', 'cpu-times-thread-depth10.txt'],
    [['CpuDemo', '50', '50'], 'cpu=samples,doe=n', 'dump-on-exit-no.txt'],
  ];
  for (const [program, options, genuine] of amount(runs, runs.slice(0, 1)))
    it(`${program.join(' ')}: ${options}`, (t) => {
      const texts = both(t, '17', program, options, genuine);
      if (texts === undefined) return;
      const partsOf = (text: string): string[] => Object.keys(PARTS).filter((name) => PARTS[name]?.test(text));
      assert.deepEqual(partsOf(texts.own), partsOf(texts.genuine));
    });
});
