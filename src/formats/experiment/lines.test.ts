/** Lines and places of real experiments against what `gprofng display text -lines` and `-pcs` printed for them; ratios of hardware counters. */
import { deepStrictEqual, equal, ok, rejects } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { openInputs } from '../../session/open.node.js';
import { ask, type Session } from '../../session/session.js';
import { MadeExperiment } from './testing/made-experiment.js';

const DATA = process.env.KANSOKU_DATA;
const folder = mkdtempSync(join(tmpdir(), 'kansoku-lines-'));
after(() => rmSync(folder, { recursive: true }));

/** Without inlined frames: the peer counts inlined calls for the function that they are in. */
const opened = (path: string): Promise<Session> =>
  openInputs([path], { cache: false, announce: () => undefined, work: {}, inlinedFrames: false });

const seconds = (nanos: number): string => (nanos === 0 ? '0.' : (nanos / 1e9).toFixed(3));

/** Exclusive seconds, inclusive seconds, name. */
function expectedRows(file: string): string[] {
  const text = readFileSync(join(DATA ?? '', 'experiments/expected', file), 'utf8');
  return text.split('\n').flatMap((line) => {
    const [, self = '', total = '', name = ''] = /^\s*([\d.]+)\s+[\d.]+\s+([\d.]+)\s+[\d.]+\s+(\S.*)$/.exec(line) ?? [];
    return name === '' || name === '<Total>' ? [] : [`${self} ${total} ${name}`];
  });
}

async function ownRows(name: string, by: 'line' | 'place', nameOf: (shown: string) => string): Promise<string[]> {
  const session = await opened(join(DATA ?? '', 'experiments', `${name}.er.tar.gz`));
  const { rows } = await ask(session, { view: 'functions', options: { metric: 'cpu', by }, page: { limit: 0 } });
  await session.close();
  return rows.map((row) => `${seconds(row.self ?? 0)} ${seconds(row.total ?? 0)} ${nameOf(row.function)}`).sort();
}

/** Our name of a line as the peer writes it. */
function lineName(shown: string): string {
  const [, name, file, line] = /^(.*)\((.*):(\d+)\)$/.exec(shown) ?? [];
  if (name !== undefined) return `${name}, line ${line} in "${file}"`;
  const plain = shown.replace(/, no line$/, '').replace(/ \((.*)\)$/, (_, object) => ` (<${object}>)`);
  return `<Function: ${plain}, instructions without line numbers>`;
}

/** Both names of a place without the line: the peer finds none for inlined code in several ranges. */
function placeName(shown: string): string {
  const [, name = shown, offset = ''] = /^([^(+]*)(?:\(.*:\d+\) )?\+0x([\da-f]+)$/.exec(shown) ?? [];
  return `${name}+${offset}`;
}
const peerPlace = (row: string): string =>
  row.replace(
    /^(\S+ \S+ \S+)(?: \(<.*>\))? \+ 0x0*([\dA-F]+).*$/,
    (_, name, offset) => `${name}+${offset.toLowerCase()}`,
  );

describe('lines and places of real experiments are those of gprofng', () => {
  for (const name of ['c-single', 'c-single-O2', 'dlopen', 'descend'])
    test(name, async (t) => {
      if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
      const lines = expectedRows(`${name}/lines.txt`);
      ok(lines.length > 5);
      deepStrictEqual(await ownRows(name, 'line', lineName), lines.sort());
      const places = expectedRows(`${name}/pcs.txt`).map(peerPlace);
      deepStrictEqual(await ownRows(name, 'place', placeName), places.sort());
    });
});

test('load objects have the sum of their code, outermost calls first', async (t) => {
  if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
  const session = await opened(join(DATA, 'experiments/c-single.er.tar.gz'));
  const options = { metric: 'cpu', by: 'object' } as const;
  const { rows } = await ask(session, { view: 'functions', options });
  await session.close();
  // README of the data: 2.222 s, all in the program, which libc called.
  deepStrictEqual(
    rows.map((row) => [row.function, seconds(row.self ?? 0), seconds(row.total ?? 0)]),
    [
      ['cpuwork', '2.222', '2.222'],
      ['libc.so.6', '0.', '2.222'],
    ],
  );
});

test('IPC and CPI of two counters are those of gprofng', async (t) => {
  if (spawnSync('gprofng', ['--version']).status !== 0) return t.skip('gprofng is not installed');
  const made = new MadeExperiment(undefined, [], ['cycles', 'insts']);
  for (const [i, name] of ['f', 'g', 'h'].entries()) {
    made.counter({ stack: { native: ['main', name] }, time: i * 1e6 }, 1000 * (i + 1), 0);
    if (i < 2) made.counter({ stack: { native: ['main', name] }, time: i * 1e6 }, 1700 - 600 * i, 1);
  }
  const path = join(folder, 'ipc.er');
  mkdirSync(path);
  for (const [file, bytes] of made.files()) writeFileSync(join(path, file), bytes);
  const words = ['-metrics', 'e+cycles:e+IPC:i+IPC:e+CPI:i+CPI', '-functions', path];
  const text = execFileSync('gprofng', ['display', 'text', ...words], { encoding: 'utf8', cwd: folder });
  const rounded = (value: unknown): number => Math.round(Number(value ?? 0) * 1000);
  const wanted = text.split('\n').flatMap((line) => {
    const [cycles, ...cells] = line.trim().split(/\s+/);
    const name = cells.pop() ?? '';
    return /^\d+$/.test(cycles ?? '') && name !== '<Total>' ? [[name, Number(cycles), ...cells.map(rounded)]] : [];
  });
  const session = await opened(path);
  const asked = (also: string[]) =>
    ask(session, { view: 'functions', options: { metric: 'cycles', also }, page: { limit: 0 } });
  const { rows, columns } = await asked(['ipc', 'CPI', 'insts']);
  await rejects(asked(['llm']), /no metric llm/);
  await session.close();
  equal(wanted.length, 4);
  deepStrictEqual(
    rows
      .map((row) => [
        row.function.replace(' ([generated code])', ''),
        row.self,
        ...[row.IPC_self, row.IPC_total, row.CPI_self, row.CPI_total].map(rounded),
      ])
      .sort(),
    wanted.sort(),
  );
  deepStrictEqual(
    rows.filter((row) => row.insts_self === 0).map((row) => [row.IPC_self, row.CPI_self]),
    [
      [0, null],
      [null, null],
    ],
  );
  ok(columns.some(({ title }) => title === 'Self insts'));
});
