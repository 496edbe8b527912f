/**
 * Source and disassembly of native code against what `gprofng display text` printed for real experiments: the seconds of each source line, and address,
 * line and seconds of each instruction.
 */
import { deepStrictEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { UsageError } from '../../base/errors.js';
import { commandLineText } from '../../cli/render/spelling.js';
import type { DebugPlaces } from '../../models/program/debug-files.js';
import { functionSignature } from '../../models/program/names.js';
import { openInputs } from '../../session/open.node.js';
import { ask, namedRecordings, type Session } from '../../session/session.js';
import { temporaryFolder } from '../../testing/byte-sources.js';
import { nativeTarget } from './native-source.js';

const DATA = process.env.KANSOKU_DATA;

/** The session of an experiment; with the frames of the peer, which counts inlined calls for the function that they are in. */
async function experiment(t: TestContext, name: string, inlinedFrames = false): Promise<Session | undefined> {
  if (DATA === undefined) {
    t.skip('set KANSOKU_DATA to the folder of the test data');
    return undefined;
  }
  const session = await openInputs([join(DATA, 'experiments', `${name}.er.tar.gz`)], {
    cache: false,
    announce: () => undefined,
    work: {},
    library: {},
    inlinedFrames,
  });
  t.after(() => session.close());
  return session;
}

function expected(file: string): string {
  return readFileSync(join(DATA ?? '', 'experiments/expected', `${file}.txt`), 'utf8');
}

/** Nanoseconds as the peer prints them. */
function seconds(value: number | null): string {
  return value === null || value === 0 ? '0.' : (value / 1e9).toFixed(3);
}

/** Exclusive and inclusive seconds by line of a listing of the peer; lines without code are left out. */
function peerLines(text: string): Map<number, readonly [string, string]> {
  const lines = new Map<number, readonly [string, string]>();
  for (const [, self = '', total = '', line] of text.matchAll(/^[# ]*([\d.]+) +[\d.]+ +([\d.]+) +[\d.]+ +(\d+)\. /gm))
    lines.set(Number(line), [self, total]);
  return lines;
}

/**
 * Lines with other numbers, and ours. The peer has no frames for inlined calls: it gives their time to the line of the call (c-single) or to no line
 * (c-single-O2, whose inlined code is in several ranges), and the line of a call has nothing of what was inlined (fortran).
 */
const INLINED: Readonly<Record<string, Readonly<Record<number, readonly [self: string, total: string]>>>> = {
  'c-single': { 9: ['0.300', '0.300'], 23: ['0.', '0.300'] },
  'c-single-O2': { 9: ['0.040', '0.040'], 23: ['0.110', '0.150'] },
  // Both entries of `body` are calls of one function, which the compiler inlined (`addr2line -i`).
  fortran: {
    31: ['0.', '0.040'],
    39: ['0.', '0.050'],
    43: ['0.020', '0.020'],
    44: ['0.070', '0.070'],
    64: ['0.', '0.060'],
  },
};

test('code that was made at run time has its instructions, with the lines and numbers of the peer', async (t) => {
  const session = await experiment(t, 'api-dyn');
  if (session === undefined) return;
  const { rows } = await ask(session, { view: 'disasm', options: { method: 'countdown' } });
  const peer = peerInstructions(expected('api-dyn/disasm-countdown'));
  // The peer begins each function at 0.
  const start = rows[0]?.address ?? 0;
  ok(start > 2 ** 40);
  const ownInstructions = rows.map(({ address, self, total, line }): [number, PeerInstruction] => [
    (address ?? 0) - start,
    { self: seconds(self), total: seconds(total), line: String(line) },
  ]);
  deepStrictEqual(new Map(ownInstructions), peer);
  // It jumps back to the instruction before it, which the peer prints relative to nothing.
  equal(rows[4]?.code, `jne 0x${(start + 7).toString(16)}`);
});

test('code that was made at run time and not recorded is named as such, not as inlined', async (t) => {
  if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
  const folder = await temporaryFolder(t);
  execFileSync('tar', ['-xzf', join(DATA, 'experiments/api-dyn.er.tar.gz'), '-C', folder]);
  rmSync(join(folder, 'api-dyn.er/dyntext'));
  const options = { cache: false, announce: () => undefined, work: {} };
  const session = await openInputs([join(folder, 'api-dyn.er')], { ...options, library: {} });
  t.after(() => session.close());
  const answer = ask(session, { view: 'disasm', options: { method: 'countdown' } });
  await rejects(answer, /countdown was made at run time: its instructions were not recorded/);
});

test('code of a JVM that was made at run time has the numbers of its instructions', async (t) => {
  const session = await experiment(t, 'java17');
  if (session === undefined) return;
  const scope = [{ kind: 'view-mode', mode: 'machine' }] as const;
  const page = { limit: 0 };
  const { rows } = await ask(session, { view: 'disasm', options: { method: 'Interpreter' }, scope, page });
  const { rows: functions } = await ask(session, { view: 'functions', scope, page });
  const interpreter = functions.find(({ function: name }) => name === 'Interpreter ([generated code])');
  ok((interpreter?.self ?? 0) > 0);
  equal(
    rows.reduce((sum, { self }) => sum + (self ?? 0), 0),
    interpreter?.self,
  );
});

describe('lines of native sources have the numbers of the peer', () => {
  for (const [name, source] of [
    ['c-single', 'source-main'],
    ['c-single-O2', 'source-main'],
    ['fortran', 'source-MAIN'],
    ['deep-signals', 'source-dive'],
    ['openmp', 'source-critical_region'],
    ['dlopen', 'source-blue_loop'],
    ['descend', 'source-main'],
    ['api-dyn', 'source-phase'],
  ] as const)
    test(name, async (t) => {
      const session = await experiment(t, name, true);
      if (session === undefined) return;
      const text = expected(`${name}/${source}`);
      const file = /^Source file: (?:\S*\/)?(\S+)/.exec(text)?.[1] ?? '';
      const { rows } = await ask(session, { view: 'source', options: { name: file }, page: { limit: 0 } });
      const peer = peerLines(text);
      ok(peer.size > 0);
      for (const { line, self, total } of rows) {
        const lineValues = [seconds(self), seconds(total)];
        const theirs = INLINED[name]?.[line ?? 0] ?? peer.get(line ?? 0) ?? ['0.', '0.'];
        deepStrictEqual(lineValues, theirs, `${name}: line ${line}`);
      }
    });
});

interface PeerInstruction {
  readonly self: string;
  readonly total: string;
  /** Undefined where it is of another file. */
  readonly line: string | undefined;
}

/** By address. */
function peerInstructions(text: string): Map<number, PeerInstruction> {
  const instructions = new Map<number, PeerInstruction>();
  let isOther = false;
  for (const row of text.split('\n')) {
    if (row.includes('<Function: ')) isOther = row.includes('instructions from source file');
    const [, self = '', total = '', line = '', address = ''] =
      /^[# ]*([\d.]+) +[\d.]+ +([\d.]+) +[\d.]+ +\[ *(\d+|\?)\] +([\da-f]+): /.exec(row) ?? [];
    if (address !== '')
      instructions.set(Number.parseInt(address, 16), { self, total, line: isOther ? undefined : line });
  }
  return instructions;
}

/** Lines of cpuwork.c in functions that are inlined. */
const OF_INLINED: ReadonlySet<number> = new Set([9, 11, 12, 13, 14, 15]);

async function compareInstructions(session: Session, name: string, method: string): Promise<void> {
  const { rows } = await ask(session, { view: 'disasm', options: { method }, page: { limit: 0 } });
  const peer = peerInstructions(expected(`${name}/disasm-${method}`));
  const instructions = rows.filter(({ kind }) => kind === 'instruction');
  ok(instructions.length > 10);
  for (const { address, self, total, line } of instructions) {
    const theirs = peer.get(address ?? 0);
    // Code inlined from another file has the line of its call, the only one in this file. Of `mac` and `fill`, which are inlined, the peer prints
    // the line of the call where their code is one range, and their own where it is several.
    const isFree = theirs?.line === undefined || (line !== null && OF_INLINED.has(line));
    const lineText = isFree ? theirs?.line : String(line ?? '?');
    const values = { self: seconds(self), total: seconds(total), line: lineText };
    deepStrictEqual(values, theirs, `${method} at 0x${address?.toString(16)}`);
  }
}

describe('instructions have the addresses, lines and numbers of the peer', () => {
  for (const [name, functions] of [
    ['c-single', ['matmul', 'hash_text', 'is_even', 'main']],
    ['c-single-O2', ['main']],
  ] as const)
    test(name, async (t) => {
      const session = await experiment(t, name);
      if (session === undefined) return;
      for (const method of functions) await compareInstructions(session, name, method);
    });
});

test('inlined calls are frames with lines of their own', async (t) => {
  const session = await experiment(t, 'c-single', true);
  if (session === undefined) return;
  const { rows: functions } = await ask(session, { view: 'functions', page: { limit: 0 } });
  const cpu = (name: string) => functions.find(({ function: functionName }) => functionName.startsWith(`${name} `));
  // The peer prints 0.300 s for line 23 of matmul, which calls mac; mac is line 9 (README of the data: an inlined helper).
  equal(seconds(cpu('mac')?.self ?? 0), '0.300');
  equal(seconds(cpu('matmul')?.total ?? 0), '1.191');
  const { rows, source } = await ask(session, { view: 'source', options: { name: 'cpuwork.c' }, page: { limit: 0 } });
  match(source, /cpuwork\.c$/);
  const at = (line: number) => rows.find((row) => row.line === line);
  deepStrictEqual([seconds(at(9)?.self ?? 0), seconds(at(23)?.total ?? 0), at(23)?.self ?? 0], ['0.300', '0.300', 0]);
  const sum = rows.reduce((total, { self }) => total + (self ?? 0), 0);
  equal(seconds(sum), '2.222', 'all samples are in this file');
});

test('DWARF 5, which the peer cannot read, gives lines too', async (t) => {
  const session = await experiment(t, 'c-single-dwarf5');
  if (session === undefined) return;
  const { rows } = await ask(session, { view: 'source', options: { name: 'matmul' }, page: { limit: 0 } });
  // Its own numbers: those of another run. The hottest line is the inner loop, as in c-single.
  const hottest = rows.reduce((best, row) => ((row.self ?? 0) > (best.self ?? 0) ? row : best));
  equal(hottest.line, 22);
});

describe('source with disassembly has each instruction of disasm once, with its values', () => {
  for (const [name, subject] of [
    ['c-single', 'matmul'],
    ['c-single', 'cpuwork.c'],
    ['c-single-O2', 'main'],
    ['fortran', 'fortwork.f90'],
  ] as const)
    test(`${name}: ${subject}`, async (t) => {
      const session = await experiment(t, name, true);
      if (session === undefined) return;
      const all = { page: { limit: 0 } };
      const plain = (await ask(session, { view: 'source', options: { name: subject }, ...all })).rows;
      const { rows } = await ask(session, { view: 'source', options: { name: subject, disasm: true }, ...all });
      const isLine = (row: { readonly kind: string }) => row.kind === 'line';
      deepStrictEqual(rows.filter(isLine), plain, 'lines are those without disassembly');
      const { program } = (await namedRecordings(session))[0] ?? {};
      ok(program !== undefined);
      const methods = nativeTarget(program, subject)?.functions.filter(
        (id) => (program.functions.start?.[id] ?? -1) >= 0,
      );
      const expected = new Map<number | null, unknown>();
      for (const method of new Set(methods?.map((id) => functionSignature(program, id))))
        for (const row of (await ask(session, { view: 'disasm', options: { method }, ...all })).rows)
          if (!isLine(row)) expected.set(row.address, row);
      ok(expected.size > 10);
      const instructions = rows.filter((row) => !isLine(row));
      equal(instructions.length, expected.size);
      for (const row of instructions) deepStrictEqual(row, expected.get(row.address));
      // An instruction stands below its own line, where that is shown.
      const shownLines = new Set(plain.map(({ line }) => line));
      let below: number | null = null;
      for (const row of rows)
        if (isLine(row)) below = row.line;
        else if (shownLines.has(row.line)) equal(row.line, below);
    });
});

test('programs and sources of another machine are found where a path map says', async (t) => {
  if (DATA === undefined) return t.skip('set KANSOKU_DATA to the folder of the test data');
  const folder = await temporaryFolder(t);
  execFileSync('tar', ['-xzf', join(DATA, 'experiments/c-single.er.tar.gz'), '-C', folder]);
  const archives = join(folder, 'c-single.er/archives');
  mkdirSync(join(folder, 'here/src'), { recursive: true });
  for (const copy of readdirSync(archives)) {
    const name = copy.slice(0, -12);
    if (name.startsWith('cpuwork'))
      copyFileSync(join(archives, copy), join(folder, 'here', name.endsWith('.c') ? `src/${name}` : name));
    rmSync(join(archives, copy));
  }
  const maps = [{ from: '/tmp/demo', to: join(folder, 'here') }];
  const opened = (debug: DebugPlaces) =>
    openInputs([join(folder, 'c-single.er')], {
      cache: false,
      announce: () => undefined,
      work: {},
      library: {},
      debug,
    });
  const [moved, lost] = [await opened({ maps }), await opened({})];
  t.after(async () => {
    await moved.close();
    await lost.close();
  });
  const original = await experiment(t, 'c-single', true);
  if (original === undefined) return;
  const names = async (session: Session) =>
    (await ask(session, { view: 'functions', page: { limit: 0 } })).rows.map((row) => [row.function, row.self]);
  const mapped = (row: readonly unknown[]) => !String(row[0]).includes('libc');
  deepStrictEqual((await names(moved)).filter(mapped), (await names(original)).filter(mapped));
  deepStrictEqual((await names(lost)).map(([name]) => name).sort(), ['[cpuwork]', '[libc.so.6]']);
  const question = { view: 'source', options: { name: 'matmul' }, page: { limit: 0 } } as const;
  deepStrictEqual((await ask(moved, question)).rows, (await ask(original, question)).rows);
});

test('a name that the recording does not have is refused', async (t) => {
  const session = await experiment(t, 'c-single');
  if (session === undefined) return;
  const answer = ask(session, { view: 'source', options: { name: 'matmull' } });
  await rejects(answer, (error) => {
    match(String(error), /matmull is no native function or source file of the recording/);
    ok(error instanceof UsageError && commandLineText(error.advice ?? '').startsWith('Did you mean matmul?'));
    return true;
  });
  await rejects(ask(session, { view: 'disasm', options: { method: 'cpuwork.c' } }), /is a file: name a function of it/);
});
