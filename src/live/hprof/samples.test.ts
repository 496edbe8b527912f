/** cpu=samples of the HPROF agent: programs that measure the CPU time of their own methods, and what our readers make of the text. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { amount } from '../../testing/amount.js';
import { compiledFor, folder } from '../agent/testing/probed.js';
import { hprofRun } from './testing/hprof-run.js';

const FILE = join(folder, 'java.hprof.txt');

async function opened(path: string) {
  return openInputs([path], { cache: false, announce: () => undefined, work: {} });
}

/** Samples by the innermost frame of a trace that is of `type`. */
function samplesOf(text: string, type: string): Map<string, number> {
  const methods = new Map<string, string>();
  for (const [, serial = '', lines = ''] of text.matchAll(/^TRACE (\d+):.*\n((?:\t.*\n)*)/gm))
    methods.set(serial, new RegExp(`^\t(${type}[.]\\w+)`, 'm').exec(lines)?.[1] ?? '');
  const samples = new Map<string, number>();
  const table = text.slice(text.lastIndexOf('CPU SAMPLES BEGIN'), text.lastIndexOf('CPU SAMPLES END'));
  for (const [, count, serial = ''] of table.matchAll(/^ *\d+ +[\d.]+% +[\d.]+% +(\d+) +(\d+) /gm)) {
    const method = methods.get(serial) ?? '';
    samples.set(method, (samples.get(method) ?? 0) + Number(count));
  }
  return samples;
}

const RUNS = amount([['17'], ['25'], ['25', 'virtual']], [['25', 'virtual']]);

for (const [version = '', ...words] of RUNS)
  test(`JDK ${version}: shares are those that the program measures ${words.join('')}`, async (t) => {
    const home = compiledFor(t, version, 'Share');
    if (home === undefined) return;
    const options = 'cpu=samples,interval=1,cutoff=0,depth=3,thread=y';
    const { status, stdout, stderr, text } = hprofRun(home, options, 'Share', '1500', ...words);
    equal(status, 0, stderr);
    const ownTimes = [...stdout.matchAll(/^(\S+) (\d+)$/gm)].map(
      ([, method = '', ns]) => [method, Number(ns)] as const,
    );
    equal(ownTimes.length, 2);
    const samples = samplesOf(text, 'Share');
    const sum = ownTimes.reduce((all, [method]) => all + (samples.get(method) ?? 0), 0);
    ok(sum > 50, `${sum} samples`);
    const ownSum = ownTimes.reduce((all, [, ns]) => all + ns, 0);
    for (const [method, ns] of ownTimes) {
      const share = (samples.get(method) ?? 0) / sum;
      // Four times the deviation that so many samples have by chance.
      const slack = 4 * Math.sqrt((0.75 * 0.25) / sum);
      ok(Math.abs(share - ns / ownSum) < slack, `${method}: ${share}, the program says ${ns / ownSum}`);
    }
    const head = /^Samples: interval 1[.]000 ms, asked (\d+), delivered (\d+), without a stack (\d+), /m.exec(text);
    const [, askedCount = 0, deliveredCount = 0, unseenCount = 0] = (head ?? []).map(Number);
    const [, total] = /^CPU SAMPLES BEGIN \(total = (\d+)\)/m.exec(text) ?? [];
    equal(Number(total), deliveredCount);
    ok(
      deliveredCount <= askedCount * 1.01 && unseenCount < deliveredCount / 10,
      `asked ${askedCount}, ${deliveredCount}, without ${unseenCount}`,
    );
    if (words.length === 0)
      ok(Math.abs(askedCount - ownSum / 1e6) < askedCount * 0.25, `${askedCount} asked for, ${ownSum} ns`);
    match(text, /^Price: \d+[.]\d\d% of the CPU time of the sampled threads/m);
    // A thread that sleeps has no samples.
    const [, sleeper = ''] = /id = (\d+), name="sleeper"/.exec(text) ?? [];
    ok(sleeper !== '' && !text.includes(`(thread=${sleeper})\n\tjava.lang.Thread.sleep`));
    const session = await opened(FILE);
    deepEqual((await ask(session, { view: 'check' })).rows, []);
    const { rows } = await ask(session, { view: 'functions', page: { limit: 0 } });
    equal(
      rows.reduce((all, { self }) => all + Number(self), 0),
      deliveredCount,
    );
    await session.close();
    await saysFew(text, deliveredCount);
  });

/** Of a file that says of itself that less than half was delivered, each view says so; of one that has half, none does. */
async function saysFew(text: string, delivered: number): Promise<void> {
  for (const [askedCount, expected] of [
    [delivered * 2 + 1, true],
    [delivered * 2, false],
  ] as const) {
    const path = join(folder, 'few.txt');
    writeFileSync(path, text.replace(/asked \d+,/, `asked ${askedCount},`), 'latin1');
    const session = await opened(path);
    const { notes } = await ask(session, { view: 'summary' });
    equal(
      notes.some(({ code }) => code === 'few-delivered'),
      expected,
    );
    await session.close();
  }
}

test('beside a recording of JFR, which stops threads by a signal, samples have their stacks', (t) => {
  const home = amount('25', '') === '' ? undefined : compiledFor(t, '25', 'Share');
  if (home === undefined) return;
  const beside = `-XX:StartFlightRecording=filename=${join(folder, 'beside.jfr')},settings=profile`;
  const { status, stderr, text } = hprofRun(home, 'cpu=samples,interval=4,cutoff=0,thread=y', beside, 'Share', '1000');
  equal(status, 0, stderr);
  const [, worker = ''] = /id = (\d+), name="worker"/.exec(text) ?? [];
  // That of the worker, if it has one.
  const [, trace = ''] = new RegExp(`^TRACE (\\d+): \\(thread=${worker}\\)\n\t<empty>$`, 'm').exec(text) ?? [];
  const [, without = '0'] = new RegExp(` (\\d+) +${trace || 'none'} <empty trace>$`, 'm').exec(text) ?? [];
  ok(worker !== '' && Number(without) <= 10, `${without} of about 250 have none`);
});

test('each SIGQUIT writes the samples since the time before', (t) => {
  const home = compiledFor(t, '17', 'Quit');
  if (home === undefined) return;
  const { status, stderr, text } = hprofRun(home, 'cpu=samples,interval=0.1,cutoff=0', 'Quit');
  equal(status, 0, stderr);
  const totals = [...text.matchAll(/^CPU SAMPLES BEGIN \(total = (\d+)\)/gm)].map(([, total]) => Number(total));
  const [, delivered] = /, delivered (\d+),/.exec(text) ?? [];
  // A half in which no tick of the kernel came has no table; each sample is in one.
  ok(totals.length >= 1, text);
  equal(
    totals.reduce((sum, total) => sum + total, 0),
    Number(delivered),
  );
});
