/** The disassembler against `objdump -d` over all code of two compiled programs, and against encodings of the Arm architecture manual. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { memorySource } from '../../bytes/byte-source.js';
import type { CodeInstruction } from '../../models/program/code.js';
import { temporaryFolder } from '../../testing/byte-sources.js';
import { capstoneDisassembler } from './capstone.node.js';
import { bytesAt, readElf } from './elf.js';

const SOURCE = `
double values[64];
struct pair { long a; double b; };
long switched(long x) { switch (x) { case 0: return 5; case 1: return x * 7; case 2: return x / 3; case 3: return x << 2; default: return -x; } }
double summed(struct pair *p, int n) { double s = 0; for (int i = 0; i < n; i++) s += p[i].a * values[p[i].a & 63] + p[i].b; return s; }
unsigned char lowered(unsigned char c) { return c >= 'A' && c <= 'Z' ? c | 32 : c; }
void copied(char *to, const char *from, unsigned long n) { __builtin_memcpy(to, from, n); }
void _start(void) { struct pair p[4] = {{1, 2}, {2, 3}}; values[0] = summed(p, switched(2)) + lowered(3); copied((char *) p, (char *) values, 32); for (;;) ; }
void *memcpy(void *to, const void *from, unsigned long n) { char *t = to; const char *f = from; while (n--) *t++ = *f++; return to; }
`;

/** binutils leave out the suffix of a size that the operands show, and spell prefixes of padding. */
function plain(text: string): string {
  const words = text.replace(/\s+/g, ' ').replace(/^((data16|cs|bnd|notrack|rep|repz|lock) )+/, '');
  return words.startsWith('xchg %ax,%ax') ? 'nop' : (words.split(' ')[0] ?? '');
}

function isSame(own: string, theirs: string): boolean {
  const [a, b] = [plain(own), plain(theirs)];
  return a === b || (a.startsWith(b) && /^[bwlq]$/.test(a.slice(b.length)));
}

/** All instructions of the code of a program. */
async function disassembled(file: string, architecture: string): Promise<readonly CodeInstruction[]> {
  const elf = await readElf(memorySource(file, readFileSync(file)));
  if (typeof elf === 'string') throw new Error(elf);
  const text = elf.sections.find((section) => section.name === '.text');
  if (text === undefined) throw new Error('no code');
  const code = await bytesAt(elf.source, text.offset, text.size);
  const listing = await capstoneDisassembler().disassemble(code, text.address, architecture);
  if ('reason' in listing) throw new Error(listing.text);
  return listing;
}

for (const [name, ...options] of [
  ['small', '-Os'],
  ['fast', '-O3', '-march=x86-64-v3'],
] as const)
  test(`addresses and mnemonics of ${name} are those of objdump`, async (t) => {
    if (['gcc', 'objdump'].some((program) => spawnSync(program, ['--version']).status !== 0))
      return t.skip('gcc or binutils are not installed');
    const folder = await temporaryFolder(t);
    const [source, file] = [join(folder, 'a.c'), join(folder, 'a')];
    writeFileSync(source, SOURCE);
    execFileSync('gcc', [...options, '-nostdlib', '-static', '-fno-builtin-memcpy', '-o', file, source]);
    const own = await disassembled(file, 'x86_64');
    const dumped = execFileSync('objdump', ['-d', '--no-show-raw-insn', '-j', '.text', file], { encoding: 'utf8' });
    const theirs = [...dumped.matchAll(/^ *([\da-f]+):\t(.*)$/gm)].map(([, at = '', code_ = '']) => [
      Number.parseInt(at, 16),
      code_,
    ]);
    ok(own.length > 50);
    deepStrictEqual(
      own.map(({ offset }) => offset),
      theirs.map(([at]) => at),
    );
    for (const [i, { offset, text: spelled }] of own.entries())
      ok(isSame(spelled, String(theirs[i]?.[1])), `0x${offset.toString(16)}: ${spelled}; ${theirs[i]?.[1]}`);
  });

/** Names of one condition. */
const CONDITIONS: Readonly<Record<string, string>> = { cc: 'lo', cs: 'hs' };

/**
 * An instruction of AArch64 in one spelling: without notes, conditions and immediates under one name, as many bits of these as the target has. A move that
 * widens without a shift is an alias.
 */
function canonical(text: string): string {
  const bare = text
    .replace(/\s*(?:\/\/|<).*$/, '')
    .replace(/\s+/g, ' ')
    .trim();
  const [, word = '', operands = ''] = /^(\S+) ?(.*)$/.exec(bare) ?? [];
  const isBranch = /^(?:b|bl|b\..*|cbn?z|tbn?z|adrp?)$/.test(word);
  const placed = isBranch ? operands.replace(/(?<=^|, )(?:#?0x)?([\da-f]+)$/, '#0x$1') : operands;
  const bits = placed.startsWith('w') ? 32 : 64;
  const spelled = placed
    .replace(/#(-?)(0x[\da-f]+|[\d.]+(?:e[+-]\d+)?)/g, (_, sign: string, digits: string) => {
      if (digits.includes('.')) return `#${Number(sign + digits)}`;
      const value = BigInt(digits);
      return `#${BigInt.asUintN(bits, sign === '' ? value : -value)}`;
    })
    .replace(/\b(?:cc|cs)\b/, (name) => CONDITIONS[name] ?? name);
  const named = word.replace(/(?<=^b\.)(?:cc|cs)$/, (name) => CONDITIONS[name] ?? name);
  const widened = /^([us])shll2?$/.exec(named);
  return widened === null || !spelled.endsWith(', #0')
    ? `${named} ${spelled}`
    : `${named.replace('shll', 'xtl')} ${spelled.replace(/, #0$/, '')}`;
}

test('all instructions of a library of AArch64 are those of objdump', async (t) => {
  const library = '/usr/aarch64-linux-gnu/lib/libgcc_s.so.1';
  if (!existsSync(library) || spawnSync('aarch64-linux-gnu-objdump', ['--version']).status !== 0)
    return t.skip('gcc-aarch64-linux-gnu is not installed');
  const own = await disassembled(library, 'aarch64');
  const words = ['-d', '--no-show-raw-insn', '-j', '.text', library];
  const dumped = execFileSync('aarch64-linux-gnu-objdump', words, { encoding: 'utf8', maxBuffer: 1 << 26 });
  const theirs = new Map(
    [...dumped.matchAll(/^ *([\da-f]+):\t(.*)$/gm)].map(([, at = '', spelled = '']) => [
      Number.parseInt(at, 16),
      spelled,
    ]),
  );
  ok(own.length > 10_000);
  const different = own.filter(
    ({ offset, text: spelled }) => canonical(spelled) !== canonical(theirs.get(offset) ?? ''),
  );
  deepStrictEqual(
    different.map(({ offset, text: spelled }) => [spelled, theirs.get(offset)]),
    [],
  );
});

test('code of AArch64', async () => {
  const words = [0xa9bf7bfd, 0x910003fd, 0x94000002, 0xb85fc401, 0xb26183e0, 0xd65f03c0];
  const code = Uint8Array.from(words.flatMap((word) => [0, 8, 16, 24].map((shift) => (word >>> shift) & 255)));
  const listing = await capstoneDisassembler().disassemble(code, 0x1000, 'aarch64');
  if ('reason' in listing) throw new Error(listing.text);
  deepStrictEqual(
    listing.map(({ offset, text }) => [offset, text]),
    [
      [0x1000, 'stp x29, x30, [sp, #-0x10]!'],
      [0x1004, 'mov x29, sp'],
      [0x1008, 'bl #0x1010'],
      [0x100c, 'ldr w1, [x0], #-4'],
      [0x1010, 'mov x0, #0xffffffff80000000'],
      [0x1014, 'ret'],
    ],
  );
});

test('bytes that are no instruction are data, and other architectures are refused', async () => {
  const disassembler = capstoneDisassembler();
  const listing = await disassembler.disassemble(Uint8Array.from([0x06, 0x90]), 16, 'x86_64');
  deepStrictEqual(listing, [
    { offset: 16, text: '.byte 0x06', line: 0 },
    { offset: 17, text: 'nop', line: 0 },
  ]);
  const refused = await disassembler.disassemble(new Uint8Array(4), 0, 'sparcv9');
  equal('reason' in refused && refused.reason, 'other architecture');
  deepStrictEqual(await disassembler.disassemble(new Uint8Array(), 0, 'x86_64'), []);
});

test('code of several pieces is decoded without a seam', async () => {
  // `movabs` has 10 bytes, which do not divide the size of a piece.
  const count = 20_000;
  const code = new Uint8Array(count * 10);
  for (let i = 0; i < count; i++) code.set([0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8], i * 10);
  const listing = await capstoneDisassembler().disassemble(code, 0x5000, 'x86_64');
  if ('reason' in listing) throw new Error(listing.text);
  equal(listing.length, count);
  ok(listing.every(({ offset, text }, i) => offset === 0x5000 + 10 * i && text.startsWith('movabs')));
});
