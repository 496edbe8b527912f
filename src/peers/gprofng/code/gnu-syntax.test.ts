/** Our spelling of instructions beside that of `objdump -d`, where it is installed, over programs of this machine. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { capstoneDisassembler } from '../../../code/native/capstone.node.js';
import { gnuText } from './gnu-syntax.js';

const hex = (text: string): Uint8Array => Uint8Array.from(text.split(' '), (byte) => Number.parseInt(byte, 16));

/** Address, bytes, as Capstone has it, as `objdump` has it with targets relative to the instruction. */
const SPELLINGS: readonly (readonly [address: number, bytes: string, capstone: string, gnu: string])[] = [
  [0x12f2, 'bb 01 00 00 00', 'movl $1, %ebx', 'mov    $0x1,%ebx'],
  [0x1281, '75 ee', 'jne 0x1271', 'jne    0xfffffffffffffff0'],
  [0x128a, '75 05', 'jne 0x1291', 'jne    0x7'],
  [0x1300, '4c 8d 05 39 fe 0b 00', 'leaq 0xbfe39(%rip), %r8', 'lea    0xbfe39(%rip),%r8        # 0xbfe40'],
  [0, '0f 1f 40 00', 'nopl (%rax)', 'nopl   0x0(%rax)'],
  [0, '66 66 2e 0f 1f 84 00 00 00 00 00', 'nopw %cs:(%rax, %rax)', 'data16 cs nopw 0x0(%rax,%rax,1)'],
  [0, '66 90', 'nop', 'xchg   %ax,%ax'],
  [0, 'd1 f9', 'sarl $1, %ecx', 'sar    %ecx'],
  [0, 'c1 f9 01', 'sarl $1, %ecx', 'sar    $0x1,%ecx'],
  [0, '48 c7 44 24 f8 ff ff ff ff', 'movq $-1, -8(%rsp)', 'movq   $0xffffffffffffffff,-0x8(%rsp)'],
  [0, 'f3 48 ab', 'rep stosq %rax, (%rdi)', 'rep stos %rax,%es:(%rdi)'],
  [0, 'c3', 'retq', 'ret'],
  [0, 'f2 48 0f 2a c8', 'cvtsi2sdq %rax, %xmm1', 'cvtsi2sd %rax,%xmm1'],
  [0, '66 48 0f 6e c2', 'movq %rdx, %xmm0', 'movq   %rdx,%xmm0'],
];

test('spellings', () => {
  for (const [address, bytes, text, wanted] of SPELLINGS)
    equal(gnuText({ address, origin: address, bytes: hex(bytes), text }), wanted);
});

/** Instructions of the x87 unit, whose operands Capstone leaves out. */
const X87 = /^f/;

test('instructions of programs of this machine', async (t) => {
  const programs = ['/bin/cat', '/bin/true'].filter((path) => existsSync(path));
  if (process.arch !== 'x64' || spawnSync('objdump', ['--version']).status !== 0)
    return t.skip('no objdump for x86-64');
  for (const path of programs) {
    const sections = spawnSync('objdump', ['-h', path], { encoding: 'utf8' }).stdout;
    const [, size = 0, start = 0, offset = 0] = (/\.text\s+(\S+)\s+(\S+)\s+\S+\s+(\S+)/.exec(sections) ?? []).map(
      (each) => Number.parseInt(each, 16),
    );
    const code = readFileSync(path).subarray(offset, offset + size);
    const words = ['-d', '--no-show-raw-insn', '-j', '.text', path];
    const dump = spawnSync('objdump', words, { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout;
    const listing = await capstoneDisassembler().disassemble(code, start, 'x86_64');
    if ('reason' in listing) throw new Error(listing.text);
    const own = new Map(
      listing.map(({ offset: at, text }, i) => {
        const end = listing[i + 1]?.offset ?? start + size;
        return [at, gnuText({ address: at, origin: at, bytes: code.subarray(at - start, end - start), text })];
      }),
    );
    const wrong: (readonly [string, string | undefined])[] = [];
    for (const [, at = '', text = ''] of dump.matchAll(/^\s+([\da-f]+):\s+(.*)$/gm)) {
      const address = Number.parseInt(at, 16);
      const wanted = relativeTo(text.trimEnd(), address);
      if (own.get(address) !== wanted && !X87.test(wanted)) wrong.push([wanted, own.get(address)]);
    }
    deepEqual(wrong, [], path);
    ok(own.size > 100);
  }
});

/** Without names of targets, and with targets relative to the instruction, as gprofng has them. */
function relativeTo(text: string, address: number): string {
  const relative = (at: string): string =>
    `0x${BigInt.asUintN(64, BigInt(Number.parseInt(at, 16) - address)).toString(16)}`;
  return text
    .replace(/ <.*>$/, '')
    .replace(/(# )([\da-f]+)$/, (_, mark: string, at: string) => mark + relative(at))
    .replace(
      /^((?:notrack |bnd |rep |repz |lock )*(?:j[a-z]+|call|loop\w*|xbegin)\s+)([\da-f]+)$/,
      (_, head: string, at: string) => head + relative(at),
    );
}
