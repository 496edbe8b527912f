/** The HPROF agent of the document, in TypeScript (examples/jvmpi/hprof.ts), beside what the genuine one wrote of the same programs. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, type TestContext } from 'node:test';
import { hasProgram, jdkHome } from '../../../scripts/testing/programs.js';
import { sharedData } from '../../testing/shared-data.js';
import { runAgent } from './testing/probed.js';

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

/** Runs a program with our agent; gives its file and that of the genuine agent. Undefined where the test is skipped. */
function both(t: TestContext, version: string, program: readonly string[], options: string, genuine: string) {
  const source = sharedData(t, `hprof/programs/${program[0]}.java`);
  if (source === undefined || !hasProgram(t, `jdk-${version}`) || !hasProgram(t, 'gcc')) return undefined;
  const home = jdkHome(version) ?? '';
  const compiled = spawnSync(join(home, 'bin/javac'), ['-g', '-d', folder, source]);
  assert.equal(compiled.status, 0, String(compiled.stderr));
  const file = join(folder, `${program[0]}-${version}.txt`);
  const agent = `examples/jvmpi/hprof.ts:${options},file=${file}`;
  const { status, stderr } = runAgent(agent, [join(home, 'bin/java'), '-XX:+UseSerialGC', '-cp', folder, ...program]);
  assert.deepEqual([status, stderr], [0, '']);
  return {
    own: readFileSync(file, 'utf8'),
    genuine: readFileSync(sharedData(t, `hprof/agent/${genuine}`) ?? '', 'utf8'),
  };
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
    const texts = both(t, '17', ['CpuDemo', '200', '200'], 'cpu=samples,depth=6', 'cpu-samples.txt');
    if (texts === undefined) return;
    // Suspended threads stop at safepoints, which are few in inlined code: methods that call hot, warm and cool, not these.
    const [own = 0, genuine = 0] = [texts.own, texts.genuine].map((text) => {
      const of = (method: RegExp): number =>
        rowsOf(text, 'CPU SAMPLES')
          .filter(({ frames }) => frames.some((frame) => method.test(frame)))
          .reduce((sum, { share }) => sum + share, 0);
      return of(/^CpuDemo[.]round$/) / of(/^CpuDemo[.]/);
    });
    // Of about 60 samples.
    assert.ok(Math.abs(own - genuine) < 0.1, `${own} and ${genuine}`);
  });

  it('heap=sites has the bytes, objects and stacks of the genuine agent', (t) => {
    const texts = both(t, '25', ['AllocDemo'], 'heap=sites,cutoff=0', 'alloc-heap-sites.txt');
    if (texts === undefined) return;
    // The genuine agent sees an object in Object.<init>, ours where it is made.
    const key = ({ name, numbers: [, , bytes, objects], frames }: Row): string =>
      `${name} ${bytes} ${objects} ${visible(frames.filter((frame) => !frame.endsWith('.<init>')).slice(0, 3))}`;
    const own = new Set(rowsOf(texts.own, 'SITES').map(key));
    // Nodes, and the arrays that keepArrays makes one by one; the document has no class for arrays of objects.
    const expected = rowsOf(texts.genuine, 'SITES').filter(
      ({ name, frames }) =>
        (/^(?:AllocDemo\$\w+|boolean\[\]|char\[\]|short\[\]|int\[\]|long\[\]|float\[\]|double\[\])$/.test(name) &&
          frames[0] === 'AllocDemo.keepArrays') ||
        name === 'AllocDemo$Node',
    );
    assert.ok(expected.length >= 7, `${expected.length}`);
    const missing = expected.map(key).filter((each) => !own.has(each));
    assert.deepEqual(missing, []);
  });
});
