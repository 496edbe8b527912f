/** The HPROF agent on running JVMs: programs that count their own calls, the genuine agent's files, and what our readers make of the text. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { spawnCommand } from '../../cli/testing/spawn-command.js';
import { openInputs } from '../../session/open.node.js';
import { ask } from '../../session/session.js';
import { amount } from '../../testing/amount.js';
import { sharedData } from '../../testing/shared-data.js';
import { hprofFolder } from '../agent/build.node.js';
import { compiledFor, compileInto, folder } from '../agent/testing/probed.js';
import { hprofRun, type Run } from './testing/hprof-run.js';

/** Calls by method of a table CPU TIME: rows are `rank self accum count trace method`. */
function callsByMethod(text: string): Map<string, number> {
  const calls = new Map<string, number>();
  const table = text.slice(text.lastIndexOf('CPU TIME (ms) BEGIN'), text.lastIndexOf('CPU TIME (ms) END'));
  for (const [, count, method = ''] of table.matchAll(/^ *\d+ +[\d.]+% +[\d.]+% +(\d+) +\d+ (.*)$/gm))
    calls.set(method, (calls.get(method) ?? 0) + Number(count));
  return calls;
}

const rowsOf = (stdout: string): [string, number][] =>
  stdout.split('\n').flatMap((line) => {
    const [method = '', count] = line.split(' ');
    return count === undefined ? [] : [[method, Number(count)]];
  });

const RUNS = amount(
  [
    ['17', '1', '900'],
    ['17', '8', '300'],
    ['25', '2', '300'],
    ['25', '60', '200', 'virtual'],
  ],
  [
    ['17', '2', '200'],
    ['25', '20', '200', 'virtual'],
  ],
);

/** The table CALL COUNTS has the same columns. */
const countsAsTimes = (text: string): string => text.replaceAll('CALL COUNTS ', 'CPU TIME (ms) ');

const COUNTED = amount(
  [
    ['17', '1', '900'],
    ['17', '2', '600'],
    ['17', '8', '300'],
    ['25', '8', '300'],
    ['25', '60', '200', 'virtual'],
  ],
  [['25', '20', '200', 'virtual']],
);

describe('the HPROF agent', () => {
  for (const [version = '', ...words] of COUNTED)
    test(`JDK ${version}: cpu=counts has the calls of ${words.join(' ')} that the program counts itself`, async (t) => {
      const home = compiledFor(t, version, 'Calls');
      if (home === undefined) return;
      const { status, stdout, stderr, text } = hprofRun(home, 'cpu=counts,cutoff=0', 'Calls', ...words);
      equal(status, 0, stderr);
      const calls = callsByMethod(countsAsTimes(text));
      const ownRows = rowsOf(stdout);
      equal(ownRows.length, 4);
      for (const [method, count] of ownRows) equal(calls.get(method), count, method);
      const all = Number(words[0]) * Number(words[1]);
      for (const method of ['round', 'table', 'sparse', 'wide']) equal(calls.get(`Calls.${method}`), all, method);
      equal(calls.get('Calls$Base.<init>'), all * 0.9);
      const session = await openInputs([join(folder, 'java.hprof.txt')], {
        cache: false,
        announce: () => undefined,
        work: {},
      });
      deepEqual((await ask(session, { view: 'check' })).rows, []);
      const { rows } = await ask(session, { view: 'functions', page: { limit: 0 } });
      const countOf = new Map(rows.map(({ function: name, self }) => [name, Number(self)]));
      for (const [method, count] of ownRows) equal(countOf.get(method), count, method);
      await session.close();
    });

  test('each SIGQUIT writes the calls of cpu=counts since the time before', (t) => {
    const home = compiledFor(t, '17', 'Quit');
    if (home === undefined) return;
    const { status, stderr, text } = hprofRun(home, 'cpu=counts,cutoff=0', 'Quit');
    equal(status, 0, stderr);
    deepEqual(
      text.split(/^CALL COUNTS BEGIN /m).map((table) => / (\d+) +\d+ Quit\.half$/m.exec(table)?.[1]),
      [undefined, '1', '1'],
    );
  });

  for (const [version = '', ...words] of RUNS)
    test(`JDK ${version}: counts the calls of ${words.join(' ')} that the program counts itself`, (t) => {
      const home = compiledFor(t, version, 'Calls');
      if (home === undefined) return;
      const { status, stdout, stderr, text } = hprofRun(home, 'cpu=times,cutoff=0,depth=3', 'Calls', ...words);
      equal(status, 0, stderr);
      const calls = callsByMethod(text);
      const ownRows = rowsOf(stdout);
      equal(ownRows.length, 4);
      for (const [method, count] of ownRows) equal(calls.get(method), count, method);
      const [threads, rounds] = words.map(Number);
      const all = (threads ?? 0) * (rounds ?? 0);
      equal(calls.get('Calls.work'), threads);
      for (const method of ['round', 'table', 'sparse', 'wide']) equal(calls.get(`Calls.${method}`), all, method);
      // `check` throws at 7, the other constructor at 3: it is not called at 7.
      equal(calls.get('Calls$Derived.<init>'), all);
      equal(calls.get('Calls$Base.<init>'), all * 0.9);
      const starts = text.match(/^THREAD START /gm)?.length ?? 0;
      ok(starts > (threads ?? 0), `${starts} threads`);
    });

  test('who called whom is right behind exceptions, of constructors, too', (t) => {
    const home = compiledFor(t, '17', 'Calls');
    if (home === undefined) return;
    const { status, stderr, text } = hprofRun(home, 'cpu=old', 'Calls', '2', '100');
    equal(status, 0, stderr);
    const pairs = new Map(
      text.split('\n').flatMap((line): [string, number][] => {
        const [count, callee, caller] = line.split(' ');
        return caller === undefined ? [] : [[`${callee} ${caller}`, Number(count)]];
      }),
    );
    const expected = {
      'Calls.leaf(I)I Calls.thrower(I)V': 600,
      // Itself, and in both handlers: 20 of the constructors end with an exception in 100 rounds.
      'Calls.leaf(I)I Calls.round(I)V': 200 + 200 + 40,
      'Calls.leaf(I)I Calls.table(I)I': 134,
      'Calls.leaf(I)I Calls.sparse(I)I': 66,
      'Calls.thrower(I)V Calls.thrower(I)V': 600,
      'Calls.thrower(I)V Calls.round(I)V': 200,
      'Calls$Derived.<init>(I)V Calls.round(I)V': 200,
      'Calls$Derived.check(I)I Calls$Derived.<init>(I)V': 200,
      'Calls$Base.<init>(I)V Calls$Derived.<init>(I)V': 180,
      'Calls.fib(I)I Calls.round(I)V': 200,
      'Calls.fib(I)I Calls.fib(I)I': 24 * 200,
    };
    deepEqual(Object.fromEntries(Object.keys(expected).map((pair) => [pair, pairs.get(pair)])), expected);
  });

  test('sums by trace are those of the genuine agent', (t) => {
    const data = sharedData(t, 'hprof');
    const home = data === undefined ? undefined : compiledFor(t, '17', 'Calls');
    if (data === undefined || home === undefined) return;
    compileInto(folder, home, join(data, 'programs/CpuDemo.java'));
    const { status, stderr, text } = hprofRun(home, 'cpu=times,cutoff=0', 'CpuDemo', '30', '20');
    equal(status, 0, stderr);
    const genuine = callsByTrace(readFileSync(join(data, 'agent/cpu-times.txt'), 'latin1'));
    const agentCalls = callsByTrace(text);
    ok(genuine.size >= 8);
    deepEqual(
      Object.fromEntries([...genuine.keys()].map((trace) => [trace, agentCalls.get(trace)])),
      Object.fromEntries(genuine),
    );
  });

  test('each SIGQUIT writes the calls since the time before, doe=n none at the end', (t) => {
    const home = compiledFor(t, '17', 'Quit');
    if (home === undefined) return;
    for (const [option, dumps] of [
      ['doe=y', 2],
      ['doe=n', 1],
    ] as const) {
      const { status, stderr, text } = hprofRun(home, `cpu=times,cutoff=0,${option}`, 'Quit');
      equal(status, 0, stderr);
      const tables = text.split(/^CPU TIME \(ms\) BEGIN /m).slice(1);
      deepEqual(
        tables.map((table) => table.match(/ Quit\.half$/gm)?.length),
        Array.from({ length: dumps }, () => 1),
      );
    }
  });

  test('our readers find the calls in the file, and no problem', async (t) => {
    const home = compiledFor(t, '25', 'Calls');
    if (home === undefined) return;
    const { status, stderr, text } = hprofRun(home, 'cpu=times,cutoff=0,thread=y,depth=6', 'Calls', '2', '50');
    equal(status, 0, stderr);
    const session = await openInputs([join(folder, 'java.hprof.txt')], {
      cache: false,
      announce: () => undefined,
      work: {},
    });
    deepEqual((await ask(session, { view: 'check' })).rows, []);
    const { rows } = await ask(session, { view: 'functions', page: { limit: 0 } });
    const sum = rows.reduce((all, { self }) => all + Number(self), 0);
    const [, total] = /^CPU TIME \(ms\) BEGIN \(total = (\d+)\)/m.exec(text) ?? [];
    ok(Math.abs(sum / 1e6 - Number(total)) <= 1, `${sum} ns are not ${total} ms`);
    ok(rows.some(({ function: name }) => name === 'Calls.fib'));
    await session.close();
  });
});

/** Calls of the program's methods by trace, its frames as they are printed. */
function callsByTrace(text: string): Map<string, number> {
  const frames = new Map<string, string>();
  for (const [, serial = '', lines = ''] of text.matchAll(/^TRACE (\d+):.*\n((?:\t.*\n)*)/gm))
    frames.set(serial, lines);
  const calls = new Map<string, number>();
  for (const [, count, serial = ''] of text.matchAll(/^ *\d+ +[\d.]+% +[\d.]+% +(\d+) +(\d+) CpuDemo\./gm)) {
    const lines = frames.get(serial) ?? '';
    calls.set(lines, (calls.get(lines) ?? 0) + Number(count));
  }
  return calls;
}

/** A run of the agent that fails, or prints, before the program starts. */
function refusal(t: TestContext, options: string, env: Readonly<Record<string, string>> = {}): Run | undefined {
  const home = compiledFor(t, '17', 'Calls');
  if (home === undefined) return undefined;
  const variables = { ...process.env, ...env, LD_LIBRARY_PATH: hprofFolder(process.env), JAVA_TOOL_OPTIONS: undefined };
  const words = [`-agentlib:hprof=${options}`, '-cp', folder, 'Calls', '1', '1'];
  const { status, stdout, stderr } = spawnSync(join(home, 'bin/java'), words, { encoding: 'utf8', env: variables });
  return { status, stdout, stderr, text: '' };
}

test('record hprof says what the file has, and ends with the code of the program', (t) => {
  const home = compiledFor(t, '17', 'Calls');
  if (home === undefined) return;
  const file = join(folder, 'recorded.txt');
  const command = ['record', 'hprof', '-o', file, '--', join(home, 'bin/java'), '-cp', folder, 'Calls'];
  const env = { JAVA_TOOL_OPTIONS: undefined };
  const { status, stdout, stderr } = spawnCommand([...command, '1', '10'], { env });
  equal(status, 0, stderr);
  match(stderr, /Expected price, as measured on another machine: 65 to 75 ns for each call/);
  const ownCalls = rowsOf(stdout).reduce((sum, [, count]) => sum + count, 0);
  const [, calls = '0'] = /: CPU time .*, Calls ([\d,]+)$/m.exec(stderr) ?? [];
  ok(Number(calls.replaceAll(',', '')) > ownCalls, `${calls} with those of the JDK, ${ownCalls} of the program`);
  // Without its arguments, the program ends with an exception.
  equal(spawnCommand(command, { env }).status, 1);
  match(spawnCommand(['record', 'hprof', '--', 'ls'], { env }).stderr, /must begin with java/);
});

describe('options of the HPROF agent', () => {
  test('help lists all of them, and the program does not start', (t) => {
    const run = refusal(t, 'help');
    if (run === undefined) return;
    deepEqual([run.status, run.stderr], [0, '']);
    for (const option of [
      'cpu',
      'interval',
      'monitor',
      'depth',
      'cutoff',
      'thread',
      'file',
      'force',
      'doe',
      'verbose',
      'lineno',
    ])
      match(run.stdout, new RegExp(`^  ${option} +`, 'm'));
  });

  for (const [options, reason] of [
    ['cpu=times,depth=x', 'a number from 0 on is expected: depth'],
    ['cpu=times,cutoff=nan', 'a number from 0 on is expected: cutoff'],
    ['cpu=times,thread=maybe', 'y or n is expected: thread'],
    ['cpu=never', 'samples, times, old or counts is expected: cpu'],
    ['heap=most', 'dump, sites or all is expected: heap'],
    ['cpu=old,heap=sites', 'cpu=old writes nothing else: heap'],
    ['cpu=times,format=b', 'format=b has no sections of cpu=times, cpu=old, cpu=counts and monitor=y: format'],
    ['monitor=y,format=c', 'a or b is expected: format'],
    ['cpu=old,monitor=y', 'cpu=old writes nothing else: monitor'],
    ['cpu=counts,thread=y', 'cpu=counts adds the calls of all threads: thread'],
    ['cpu=samples,net=nowhere', 'host:port is expected: net'],
    ['cpu=samples,net=127.0.0.1:1', 'nobody listens at the address of net'],
    ['cpu=samples,interval=0', 'at least 0.1 ms is expected: interval'],
    ['cpu=times,nothing', 'name=value is expected: nothing'],
    ['cpu=times,file=', 'a path is expected: file'],
    ['cpu=times,aVeryLongNameOfAnOption=1', 'there is no such option: aVeryLongNameOfAnOption'],
    ['cpu=times,file=/no/folder/x.txt', 'the file cannot be written'],
  ] as const)
    test(`${options}: ${reason}`, (t) => {
      const run = refusal(t, options);
      if (run === undefined) return;
      deepEqual([run.status, run.stdout], [1, '']);
      ok(run.stderr.startsWith('HPROF ERROR: '), run.stderr);
      ok(run.stderr.includes(reason), run.stderr);
    });

  test('_JAVA_HPROF_OPTIONS adds options', (t) => {
    const run = refusal(t, 'cpu=times', { _JAVA_HPROF_OPTIONS: 'doe=maybe' });
    if (run === undefined) return;
    equal(run.status, 1);
    match(run.stderr, /y or n is expected: doe \(cpu=times,doe=maybe\)/);
  });
});
