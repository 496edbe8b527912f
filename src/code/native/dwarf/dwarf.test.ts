/**
 * Lines and inlined calls of compiled programs against `addr2line -i` of binutils, for every address of their functions: DWARF 2 to 5, 32 and 64 bit,
 * compressed, split. Damaged programs neither crash nor hang.
 */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { memorySource } from '../../../bytes/byte-source.js';
import { runs } from '../../../testing/amount.js';
import { temporaryFolder } from '../../../testing/byte-sources.js';
import { Random } from '../../../testing/random.js';
import { type ElfFile, readElf } from '../elf.js';
import { elfFunctions } from '../functions.js';
import { offsetOf } from '../object.js';
import { type Address, binutils, foreignBinutils, ours, plain } from '../testing/binutils.js';
import { DebugInfo } from './debug-info.js';
import { dwarfFile } from './file.js';

const C = `
int sink;
static inline int square(int x) { sink = x; return x * x; }
static inline int twice(int x) {
  return square(x) +
    square(x + 1);
}
static int __attribute__((cold, noinline)) failed(int x) { sink = x; return x + 1; }
int outer(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += twice(i);
    if (s < -5) s = failed(s);
  }
  return s;
}
int main(int argc, char **argv) { return outer(argc) + twice(argc); }
void _start(void) { main(1, 0); for (;;) ; }
`;
const CPP = `
namespace shapes {
struct Shape { virtual double area() const = 0; };
template <class T> struct Box : Shape {
  T a, b;
  Box(T x, T y) : a(x), b(y) {}
  double area() const override { return a * b; }
};
}
static double sum(shapes::Shape **all, int n) { double t = 0; for (int i = 0; i < n; i++) t += all[i]->area(); return t; }
int main(int n, char **) { shapes::Box<int> a(n, 2); shapes::Box<double> b(n, 3); shapes::Shape *all[] = {&a, &b}; return (int) sum(all, 2); }
`;

async function debugOf(bytes: Uint8Array, folder: string): Promise<DebugInfo> {
  const elf = await elfOf(bytes);
  return new DebugInfo(await dwarfFile(elf), elf, async ({ name }) => {
    const split = await elfOf(readFileSync(join(folder, name)));
    return dwarfFile(split, undefined, '.dwo');
  });
}

async function elfOf(bytes: Uint8Array): Promise<ElfFile> {
  const elf = await readElf(memorySource('test', bytes));
  if (typeof elf === 'string') throw new Error(elf);
  return elf;
}

async function compare(file: string, expected: readonly Address[], folder: string): Promise<void> {
  const debug = await debugOf(readFileSync(file), folder);
  let inlined = 0;
  for (const { address, frames } of expected) {
    const found = ours(await debug.at(address));
    deepStrictEqual(found, plain(frames), `${file} at 0x${address.toString(16)}`);
    inlined = Math.max(inlined, found.length);
  }
  deepStrictEqual([debug.problems, debug.missing], [[], []]);
  equal(inlined, 3, 'a call inlined into an inlined one');
}

const BARE = ['-O2', '-nostdlib', '-static', '-fno-asynchronous-unwind-tables', '-fcf-protection=none'];

/** A folder with the sources. */
async function sources(t: TestContext): Promise<string> {
  const folder = await temporaryFolder(t);
  writeFileSync(join(folder, 'a.c'), C);
  writeFileSync(join(folder, 'b.cc'), CPP);
  return folder;
}

/** Compiles the C program. Names of split files are relative, as in any build. */
function build(folder: string, name: string, ...options: readonly string[]): string {
  execFileSync('gcc', [...BARE, ...options, '-o', name, 'a.c'], { cwd: folder });
  return join(folder, name);
}

describe('debug information', () => {
  const has = ['gcc', 'addr2line', 'nm'].every((program) => spawnSync(program, ['--version']).status === 0);

  for (const [name, ...options] of [
    ['v2', '-gdwarf-2'],
    ['v3', '-gdwarf-3'],
    ['v4', '-gdwarf-4'],
    ['v5', '-gdwarf-5'],
    ['zlib', '-gdwarf-5', '-gz=zlib'],
    ['zlib-gnu', '-gdwarf-4', '-gz=zlib-gnu'],
    ['narrow', '-gdwarf-5', '-m32'],
  ] as const)
    test(`${name} is that of addr2line`, async (t) => {
      if (!has) return t.skip('gcc or binutils are not installed');
      const folder = await sources(t);
      const file = build(folder, name, ...options);
      const expected = binutils(file);
      ok(expected.length > 100);
      await compare(file, expected, folder);
    });

  for (const [name, ...options] of [
    ['split4', '-gdwarf-4', '-gsplit-dwarf'],
    ['split5', '-gdwarf-5', '-gsplit-dwarf'],
    ['dwarf64', '-gdwarf-5', '-gdwarf64'],
  ] as const)
    test(`${name} is that of the same code without it`, async (t) => {
      if (!has) return t.skip('gcc or binutils are not installed');
      const folder = await sources(t);
      // binutils 2.40 misreads these two forms itself.
      const expected = binutils(build(folder, `${name}-plain`, '-gdwarf-5'));
      await compare(build(folder, name, ...options), expected, folder);
    });

  for (const [name, machine, ...options] of [
    ['big-endian, 64 bit, DWARF 5', 'powerpc64-linux-gnu-', '-gdwarf-5'],
    ['big-endian, 64 bit, DWARF 3', 'powerpc64-linux-gnu-', '-gdwarf-3'],
    ['big-endian, 32 bit, DWARF 4', 'powerpc64-linux-gnu-', '-m32', '-gdwarf-4', '-gz=zlib'],
    ['32 bit, DWARF 5', 'arm-linux-gnueabihf-', '-gdwarf-5'],
  ] as const)
    test(`${name} is that of addr2line, functions are those of nm`, async (t) => {
      if (spawnSync(`${machine}gcc`, ['--version']).status !== 0) return t.skip(`${machine}gcc is not installed`);
      const folder = await sources(t);
      const file = join(folder, 'foreign');
      const own = BARE.filter((option) => option !== '-fcf-protection=none');
      execFileSync(`${machine}gcc`, [...own, ...options, '-o', file, join(folder, 'a.c')]);
      const expected = foreignBinutils(file, machine).filter(
        ({ frames }) => !frames.some((each) => each.endsWith('??:?')),
      );
      ok(expected.length > 40);
      await compare(file, expected, folder);
      const elf = await elfOf(readFileSync(file));
      const functions = await elfFunctions(elf);
      for (const { address, frames } of expected) {
        const found = functions.at(offsetOf(elf, address) ?? -1)?.name ?? '';
        equal(`${plain([found])[0]}`, plain(frames).at(-1)?.split(' ')[0], address.toString(16));
      }
    });

  test('functions of C++ have the names of the linker', async (t) => {
    if (!has) return t.skip('gcc or binutils are not installed');
    const folder = await sources(t);
    const file = join(folder, 'b');
    execFileSync('gcc', ['-O2', '-g', '-shared', '-fPIC', '-o', file, join(folder, 'b.cc')]);
    const debug = await debugOf(readFileSync(file), folder);
    const expected = binutils(file).filter(({ frames }) => frames.every((each) => !each.endsWith('?')));
    ok(expected.length > 50);
    for (const { address, frames } of expected) {
      const found = ours(await debug.at(address));
      // binutils 2.40 gives functions inlined into code of libraries the name of the function around them.
      const lines = (some: readonly string[]): string[] => some.map((each) => each.replace(/^\S+ /, ''));
      deepStrictEqual(lines(found), lines(frames), address.toString(16));
      equal(found.at(-1), frames.at(-1));
    }
  });

  test('damage is reported, and costs neither memory nor time', async (t) => {
    if (!has) return t.skip('gcc or binutils are not installed');
    const folder = await sources(t);
    const whole = readFileSync(build(folder, 'damaged', '-gdwarf-5'));
    const sections = (await elfOf(whole)).sections.filter(({ name }) => name.startsWith('.debug_'));
    const random = new Random(11);
    let reported = 0;
    for (let i = runs(600).numRuns ?? 0; i > 0; i--) {
      const copy = Uint8Array.from(whole);
      for (let k = random.below(4); k >= 0; k--) {
        const section = sections[random.below(sections.length)];
        if (section !== undefined) copy[section.offset + random.below(section.size)] = random.below(256);
      }
      const debug = await debugOf(copy, folder);
      for (let at = 0x401000; at < 0x401100; at += 16) await debug.at(at);
      reported += debug.problems.length;
      for (const problem of debug.problems) ok(/^\.debug_\w+ at offset \d+: /.test(problem), problem);
    }
    ok(reported > 0);
  });
});
