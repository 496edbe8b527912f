/**
 * The disassembler: Capstone, compiled to WebAssembly, in the syntax of AT&T that `objdump` uses for x86. It is loaded at its first use, which takes
 * 0.1 s; then it decodes about half a million instructions a second.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from 'zod';
import { packageFile } from '../../base/package.node.js';
import { uniqueName } from '../../base/unique.js';
import type { CodeInstruction, Disassembler, NoCode } from '../../models/program/code.js';
import { NO_LINE } from '../../models/program/program.js';

/** What is used of the package, which has no types. */
interface Capstone {
  readonly ARCH_X86: number;
  readonly ARCH_ARM64: number;
  readonly MODE_32: number;
  readonly MODE_64: number;
  readonly MODE_LITTLE_ENDIAN: number;
  readonly OPT_SYNTAX: number;
  readonly OPT_SYNTAX_ATT: number;
  readonly OPT_SKIPDATA: number;
  readonly OPT_ON: number;
  readonly Capstone: new (architecture: number, mode: number) => Decoder;
}

interface Decoder {
  option(option: number, value: number): void;
  disasm(code: Uint8Array, address: number): readonly Decoded[];
  close(): void;
}

interface Decoded {
  readonly address: bigint | number;
  readonly mnemonic: string;
  readonly op_str: string;
}

/** Code that is decoded at once; the decoder takes 240 bytes of memory an instruction. */
const PIECE = 1 << 16;
/** Bytes of the longest instruction of x86. */
const LONGEST = 15;
/** Larger functions are not listed. */
const MOST_CODE = 16 << 20;

let loading: Promise<Capstone> | undefined;

/** The disassembler of this machine. */
export function capstoneDisassembler(): Disassembler {
  return { id: uniqueName('disassembler'), disassemble };
}

async function disassemble(
  code: Uint8Array,
  address: number,
  architecture: string,
): Promise<readonly CodeInstruction[] | NoCode> {
  if (code.length > MOST_CODE) return { reason: 'too large', text: `the function has ${code.length} bytes of code` };
  loading ??= load();
  const capstone = await loading;
  const decoder = decoderFor(capstone, architecture);
  if (decoder === undefined)
    return {
      reason: 'other architecture',
      text: `code of ${architecture} cannot be disassembled, only x86_64, i386 and aarch64`,
    };
  try {
    return decodeAll(decoder, code, address);
  } finally {
    decoder.close();
  }
}

function decodeAll(decoder: Decoder, code: Uint8Array, address: number): CodeInstruction[] {
  const listing: CodeInstruction[] = [];
  for (let from = 0; from < code.length; ) {
    const piece = code.subarray(from, from + PIECE);
    const decoded = decoder.disasm(piece, address + from);
    const isLast = from + piece.length >= code.length;
    // An instruction at the end of a piece may go on in the next one.
    const end = address + from + piece.length - (isLast ? 0 : LONGEST);
    const kept = isLast ? decoded : decoded.filter(({ address: at }) => Number(at) <= end);
    const last = kept.at(-1);
    for (const { address: at, mnemonic, op_str: operands } of isLast ? kept : kept.slice(0, -1))
      listing.push({ offset: Number(at), text: `${mnemonic} ${signed(operands)}`.trimEnd(), line: NO_LINE });
    if (isLast || last === undefined) break;
    from = Number(last.address) - address;
  }
  return listing;
}

/**
 * Numbers of AArch64 that the library spells wrongly: steps back behind an address are unsigned, `[x0], #0xfffffffffffffffc` for `[x0], #-4`, and
 * some negative numbers are written as unsigned ones behind a sign, `#-0xffffffff80000000`.
 */
function signed(operands: string): string {
  return operands
    .replace(/(?<=\], #)0xffffffff[\da-f]{8}$/, (step) => `${BigInt.asIntN(64, BigInt(step))}`)
    .replace(/#-(?=0x[89a-f][\da-f]{15}\b)/, '#');
}

function decoderFor(capstone: Capstone, architecture: string): Decoder | undefined {
  const { ARCH_X86, ARCH_ARM64, MODE_32, MODE_64, MODE_LITTLE_ENDIAN } = capstone;
  const modes: Readonly<Record<string, readonly [architecture: number, mode: number]>> = {
    x86_64: [ARCH_X86, MODE_64],
    i386: [ARCH_X86, MODE_32],
    aarch64: [ARCH_ARM64, MODE_LITTLE_ENDIAN],
  };
  const mode = modes[architecture];
  if (mode === undefined) return undefined;
  const decoder = new capstone.Capstone(...mode);
  if (mode[0] === ARCH_X86) decoder.option(capstone.OPT_SYNTAX, capstone.OPT_SYNTAX_ATT);
  decoder.option(capstone.OPT_SKIPDATA, capstone.OPT_ON);
  return decoder;
}

const Loader = z.custom<(options: { readonly wasmBinary: Uint8Array }) => Promise<Capstone>>(
  (value) => typeof value === 'function',
);

async function load(): Promise<Capstone> {
  const path = packageFile('dist/bundle/native/capstone.cjs');
  const loader = Loader.parse(createRequire(path)(path));
  return loader({ wasmBinary: readFileSync(packageFile('dist/bundle/native/capstone.wasm')) });
}
