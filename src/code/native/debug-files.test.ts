/**
 * Debug files of compiled programs, wherever they are: functions, lines and inlined calls of each address are those that `addr2line -i` finds in the
 * program before its debug information was taken away. What is not found is reported.
 */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { fileSource } from '../../bytes/file.node.js';
import type { DebugPlaces } from '../../models/program/debug-files.js';
import { temporaryFolder } from '../../testing/byte-sources.js';
import { debugFiles } from './debug-files.node.js';
import { buildIdOf, debugLinkOf } from './debug-links.js';
import { readElf } from './elf.js';
import { framesAt, type NativeObject, offsetOf, openNative } from './object.js';
import { type Address, binutils, ours, plain } from './testing/binutils.js';

const HEADER = `
struct item { int weight; struct item *next; };
extern int sink;
static inline int square(int x) { sink = x; return x * x; }
static inline int twice(int x) {
  return square(x) + square(x + 1);
}
int total(struct item *list);
int deep(struct item *list, int n);
`;
const MAIN = `
#include "item.h"
int sink;
static int __attribute__((noinline)) hidden(int x) { sink = x + 3; return twice(x); }
int main(int argc, char **argv) {
  struct item one = { hidden(argc), 0 };
  return total(&one) + deep(&one, argc);
}
`;
const SECOND = `
#include "item.h"
static int __attribute__((noinline)) weigh(struct item *of) { sink = of->weight; return of->weight * 3; }
int total(struct item *list) { int sum = 0; for (; list; list = list->next) sum += weigh(list) + twice(sum); return sum; }
int deep(struct item *list, int n) { return n > 0 ? deep(list, n - 1) + weigh(list) : square(n); }
`;
/** Where the recorded machine had the program. */
const HOME = '/opt/recorded/bin';

function has(...programs: readonly string[]): boolean {
  return programs.every((program) => spawnSync(program, ['--version']).status === 0);
}

/** A folder with the program `whole` and what binutils say of it; undefined, and the test is skipped, without the programs. */
async function built(t: TestContext, needs: readonly string[], ...options: readonly string[]) {
  const missing = ['gcc', 'addr2line', 'nm', 'objcopy', ...needs].find((each) => !has(each));
  if (missing !== undefined) {
    t.skip(`${missing} is not installed`);
    return undefined;
  }
  const folder = await temporaryFolder(t);
  for (const [name, text] of [
    ['item.h', HEADER],
    ['main.c', MAIN],
    ['second.c', SECOND],
  ] as const)
    writeFileSync(join(folder, name), text);
  run(folder, 'gcc', '-O2', '-g', '-Wl,--build-id', ...options, '-c', 'main.c', 'second.c');
  run(folder, 'gcc', '-Wl,--build-id', ...options, '-o', 'whole', 'main.o', 'second.o');
  const expected = binutils(join(folder, 'whole')).filter(({ frames }) => frames.every((each) => !each.includes('?')));
  ok(expected.length > 100);
  return { folder, expected };
}

function run(folder: string, program: string, ...options: readonly string[]): void {
  execFileSync(program, options, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], timeout: 20_000 });
}

/** Takes the debug information of `whole` away: `app` without it, `app.debug` with nothing else. */
function stripped(folder: string, ...options: readonly string[]): void {
  run(folder, 'objcopy', '--only-keep-debug', ...options, 'whole', 'app.debug');
  run(folder, 'objcopy', '--strip-all', '--add-gnu-debuglink=app.debug', 'whole', 'app');
}

async function buildId(file: string): Promise<string> {
  const elf = await readElf(await fileSource(file));
  return (typeof elf === 'string' ? undefined : await buildIdOf(elf)) ?? '';
}

/** Where `.build-id` has the debug file of a program. */
async function idPath(folder: string, program: string): Promise<string> {
  const id = await buildId(join(folder, program));
  const place = join(folder, 'debug/.build-id', id.slice(0, 2));
  mkdirSync(place, { recursive: true });
  return join(place, `${id.slice(2)}.debug`);
}

/** Opens a program of the folder as a recording does that has a copy of it. */
async function opened(t: TestContext, folder: string, places: DebugPlaces, program = 'app') {
  const messages: string[] = [];
  const finder = debugFiles(places, (message) => messages.push(message));
  const path = `${HOME}/${program}`;
  const copyOf = async (of: string) => (of === path ? fileSource(join(folder, program)) : finder.mapped(of));
  const object = await openNative(path, { copyOf, debugFiles: finder });
  if (typeof object === 'string') throw new Error(object);
  t.after(async () => {
    await object.close();
    await finder.close();
  });
  return { object, messages };
}

async function compare(object: NativeObject, expected: readonly Address[]): Promise<void> {
  for (const { address, frames } of expected) {
    const found = ours(await framesAt(object, offsetOf(object.elf, address) ?? -1));
    deepStrictEqual(found, plain(frames), `0x${address.toString(16)}`);
  }
  deepStrictEqual([object.problems, object.missing, object.debug?.problems, object.debug?.missing], [[], [], [], []]);
  equal(await nameOf(object, expected, 'hidden'), 'hidden');
}

/** The symbol at the first address that belongs to a function. */
function nameOf(object: NativeObject, expected: readonly Address[], name: string): string | undefined {
  const at = expected.find(({ frames }) => frames.at(-1)?.startsWith(`${name} `));
  return object.functions.at(offsetOf(object.elf, at?.address ?? 0) ?? -1)?.name;
}

describe('a debug file is found', () => {
  test('by its build id, compressed or not', async (t) => {
    const made = await built(t, []);
    if (made === undefined) return;
    const { folder, expected } = made;
    for (const options of [[], ['--compress-debug-sections=zlib']]) {
      stripped(folder, ...options);
      copyFileSync(join(folder, 'app.debug'), await idPath(folder, 'app'));
      rmSync(join(folder, 'app.debug'));
      const { object } = await opened(t, folder, { folders: [join(folder, 'none'), join(folder, 'debug')] });
      await compare(object, expected);
    }
  });

  test('by the name and checksum of its link, in each place', async (t) => {
    const made = await built(t, [], '-Wl,--build-id=none');
    if (made === undefined) return;
    const { folder, expected } = made;
    stripped(folder);
    equal(await buildId(join(folder, 'app')), '');
    const maps = [{ from: '/opt/recorded', to: join(folder, 'moved') }];
    const debug = { folders: [join(folder, 'debug')] };
    for (const [place, places] of [
      ['moved/bin/app.debug', { maps }],
      ['moved/bin/.debug/app.debug', { maps }],
      [`debug${HOME}/app.debug`, debug],
      ['debug/app.debug', debug],
    ] as const) {
      const target = join(folder, place);
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(join(folder, 'app.debug'), target);
      const { object } = await opened(t, folder, places);
      await compare(object, expected);
      rmSync(target);
      // A file of that name with other bytes is another file.
      writeFileSync(target, Buffer.concat([readFileSync(join(folder, 'app.debug')), Buffer.from('x')]));
      const { object: other } = await opened(t, folder, places);
      equal(other.debug, undefined);
      equal(other.missing.length, 1);
      rmSync(target);
    }
  });

  test('on a debuginfod server, if one is named', async (t) => {
    const made = await built(t, []);
    if (made === undefined) return;
    const { folder, expected } = made;
    stripped(folder);
    const id = await buildId(join(folder, 'app'));
    const asked: string[] = [];
    const url = await served(t, (request, response) => {
      asked.push(request.url ?? '');
      const isKnown = request.url === `/some/buildid/${id}/debuginfo`;
      response.writeHead(isKnown ? 200 : 404).end(isKnown ? readFileSync(join(folder, 'app.debug')) : 'unknown');
    });
    const { object, messages } = await opened(t, folder, { servers: [url, `${url}/some/`] });
    await compare(object, expected);
    deepStrictEqual(asked, [`/buildid/${id}/debuginfo`, `/some/buildid/${id}/debuginfo`]);
    deepStrictEqual(messages, [`${url}/some/buildid/${id}/debuginfo: downloading`]);
    const { object: without } = await opened(t, folder, {});
    equal(without.debug, undefined);
    equal(asked.length, 2, 'no server is asked without a request');
  });

  test('not on a server that fails, or has another file', async (t) => {
    const made = await built(t, []);
    if (made === undefined) return;
    const { folder } = made;
    stripped(folder);
    const wrong = readFileSync('/proc/self/exe').subarray(0, 100_000);
    const answers: readonly (readonly [RequestListener, RegExp])[] = [
      [
        (_, response) => response.writeHead(500).end('broken'),
        /^\S+: not asked for more debug files: the answer is 500 /,
      ],
      [
        (_, response) =>
          void response.writeHead(200, { 'content-length': 10_000 }).write('cut', () => response.destroy()),
        /terminated|aborted|other side closed/,
      ],
      [(_, response) => response.writeHead(200).end(wrong), /: downloading$/],
      [(_, response) => response.writeHead(200).end('<html>'), /: downloading$/],
    ];
    for (const [answer, message] of answers) {
      const url = await served(t, answer);
      const { object, messages } = await opened(t, folder, { servers: [url] });
      equal(object.debug, undefined);
      equal(object.missing.length, 1);
      match(messages.at(-1) ?? '', message);
    }
  });
});

/** The URL of a server that answers as given. */
async function served(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

test('symbols in .gnu_debugdata name functions; what they do not say is reported', async (t) => {
  const made = await built(t, ['xz']);
  if (made === undefined) return;
  const { folder, expected } = made;
  stripped(folder);
  run(folder, 'objcopy', '--strip-debug', '--remove-section=.comment', 'app.debug', 'mini');
  run(folder, 'xz', 'mini');
  run(folder, 'objcopy', '--add-section', '.gnu_debugdata=mini.xz', 'app');
  const { object } = await opened(t, folder, { folders: [join(folder, 'debug')] });
  for (const name of ['hidden', 'weigh', 'total', 'main'])
    match(nameOf(object, expected, name) ?? '', RegExp(`^${name}\\b`));
  const id = await buildId(join(folder, 'app'));
  deepStrictEqual(object.missing, [
    `lines and inlined calls are unknown: no debug file (app.debug, build id ${id}) in ${join(folder, 'debug')}`,
  ]);
  // Damaged ones are a problem, and take no name away that the dynamic symbols have.
  const whole = readFileSync(join(folder, 'app'));
  const at = whole.indexOf(Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]));
  whole.fill(0x55, at + 40, at + 60);
  writeFileSync(join(folder, 'app'), whole);
  const { object: damaged } = await opened(t, folder, {});
  match(damaged.problems.join(), /^section .gnu_debugdata is no valid xz stream$/);
  match(nameOf(damaged, expected, 'weigh') ?? '', /^<static>@0x/);
});

describe('parts that dwz moved to another file', () => {
  for (const version of ['4', '5'])
    test(`are found, DWARF ${version}`, async (t) => {
      const made = await built(t, ['dwz'], `-gdwarf-${version}`);
      if (made === undefined) return;
      const { folder, expected } = made;
      stripped(folder);
      copyFileSync(join(folder, 'app.debug'), join(folder, 'twin.debug'));
      run(folder, 'dwz', '-m', 'common', '-M', '../../../common', 'app.debug', 'twin.debug');
      const file = await idPath(folder, 'app');
      renameSync(join(folder, 'app.debug'), file);
      const places = { folders: [join(folder, 'debug')] };
      const { object } = await opened(t, folder, places);
      await compare(object, expected);
      renameSync(join(folder, 'common'), join(folder, 'debug/common'));
      await compare((await opened(t, folder, places)).object, expected);
      rmSync(join(folder, 'debug/common'));
      const { object: without } = await opened(t, folder, places);
      deepStrictEqual(without.missing, [
        `names, lines and inlined calls are incomplete: no file ../../../common in ${join(folder, 'debug')}`,
      ]);
    });
});

/** Compiles with split units: `app` with `main.dwo` and `second.dwo`. */
function splitUnits(folder: string, version: string): void {
  for (const name of ['main', 'second'])
    run(folder, 'gcc', '-O2', '-g', `-gdwarf-${version}`, '-gsplit-dwarf', '-c', `${name}.c`);
  run(folder, 'gcc', '-o', 'app', 'main.o', 'second.o');
}

describe('a package of split units beside the program', () => {
  const maps = (folder: string) => ({ maps: [{ from: HOME, to: folder }] });
  test('DWARF 4 by dwp', async (t) => {
    const made = await built(t, ['dwp'], '-gdwarf-4');
    if (made === undefined) return;
    const { folder, expected } = made;
    splitUnits(folder, '4');
    run(folder, 'dwp', '-e', 'app', '-o', 'app.dwp');
    for (const name of ['main.dwo', 'second.dwo']) rmSync(join(folder, name));
    const { object } = await opened(t, folder, maps(folder));
    await compare(object, expected);
    rmSync(join(folder, 'app.dwp'));
    const { object: without } = await opened(t, folder, maps(folder));
    for (const { address } of expected) await framesAt(without, offsetOf(without.elf, address) ?? -1);
    deepStrictEqual([...(without.debug?.missing ?? [])].sort(), ['main.dwo', 'second.dwo']);
  });

  // The dwp of binutils 2.40 ends with an error for such units, and the one of LLVM 14 does not end.
  test('DWARF 5, packed here', async (t) => {
    const made = await built(t, [], '-gdwarf-5');
    if (made === undefined) return;
    const { folder, expected } = made;
    splitUnits(folder, '5');
    await packed5(folder, 'main.dwo');
    rmSync(join(folder, 'main.dwo'));
    const { object } = await opened(t, folder, maps(folder));
    const inMain = expected.filter(({ frames }) => frames.at(-1)?.includes(' main.c:'));
    ok(inMain.some(({ frames }) => frames.length === 3));
    await compare(object, inMain);
  });
});

/** Writes `app.dwp` with one unit, whose sections begin behind bytes of others (DWARF 5, section 7.3.5.3). */
async function packed5(folder: string, unit: string): Promise<void> {
  const elf = await readElf(await fileSource(join(folder, unit)));
  if (typeof elf === 'string') throw new Error(elf);
  const parts = [
    [1, '.debug_info.dwo'],
    [3, '.debug_abbrev.dwo'],
    [4, '.debug_line.dwo'],
    [6, '.debug_str_offsets.dwo'],
    [8, '.debug_rnglists.dwo'],
  ] as const;
  const whole = readFileSync(join(folder, unit));
  const columns: { readonly id: number; readonly size: number }[] = [];
  const options: string[] = [];
  let splitId = 0n;
  for (const [id, name] of parts) {
    const section = elf.sections.find((each) => each.name === name);
    if (section === undefined) continue;
    const bytes = whole.subarray(section.offset, section.offset + section.size);
    // Behind length, version, type, size of addresses and offset of abbreviations.
    if (id === 1) splitId = bytes.readBigUInt64LE(12);
    writeFileSync(join(folder, name), Buffer.concat([Buffer.alloc(16, 0xff), bytes]));
    options.push('--update-section', `${name}=${name}`);
    columns.push({ id, size: section.size });
  }
  const words = (...numbers: readonly number[]) => Buffer.from(Uint32Array.from(numbers).buffer);
  const id = Buffer.alloc(8);
  id.writeBigUInt64LE(splitId);
  const index = Buffer.concat([
    words(5, columns.length, 1, 2),
    ...[Buffer.alloc(8), id, words(0, 1)],
    words(...columns.map((each) => each.id)),
    words(...columns.map(() => 16)),
    words(...columns.map((each) => each.size)),
  ]);
  writeFileSync(join(folder, 'index'), index);
  run(folder, 'objcopy', ...options, '--add-section', '.debug_cu_index=index', unit, 'app.dwp');
}

test('sections that zstd compressed', async (t) => {
  const made = await built(t, []);
  if (made === undefined) return;
  const { folder, expected } = made;
  const { status } = spawnSync('objcopy', ['--compress-debug-sections=zstd', 'whole', 'app'], { cwd: folder });
  if (status !== 0) return t.skip('objcopy is built without zstd');
  const { object } = await opened(t, folder, {});
  ok(object.elf.sections.some(({ name, flags }) => name === '.debug_info' && (flags & 0x800) !== 0));
  await compare(object, expected);
  // Any damage is reported, with the name of the section.
  const bytes = readFileSync(join(folder, 'app'));
  const section = object.elf.sections.find(({ name }) => name === '.debug_info');
  for (const at of [4, 30, (section?.size ?? 0) - 20]) {
    const copy = Uint8Array.from(bytes);
    copy.fill(0xee, (section?.offset ?? 0) + at, (section?.offset ?? 0) + at + 8);
    writeFileSync(join(folder, 'damaged'), copy);
    const { object: damaged } = await opened(t, folder, {}, 'damaged');
    match(damaged.problems.join(), /^section .debug_info at offset \d+ /);
  }
});

test('a link with folders in its name leads nowhere', async (t) => {
  const made = await built(t, []);
  if (made === undefined) return;
  const { folder } = made;
  stripped(folder);
  const bytes = readFileSync(join(folder, 'app'));
  const at = bytes.lastIndexOf('app.debug');
  bytes.write('../.debug', at);
  writeFileSync(join(folder, 'app'), bytes);
  const elf = await readElf(await fileSource(join(folder, 'app')));
  equal(typeof elf === 'string' ? elf : await debugLinkOf(elf), undefined);
});
