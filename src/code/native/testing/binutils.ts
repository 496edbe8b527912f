/** What binutils say of the addresses of a program, and ours in the same words. */
import { execFileSync } from 'node:child_process';
import type { DwarfFrame } from '../dwarf/debug-info.js';

/** What `addr2line -i` says of an address. */
export interface Address {
  readonly address: number;
  /** Innermost first: function and line, the file without folders. */
  readonly frames: readonly string[];
}

/** What binutils say of each address in the functions of a file that have a size. */
export function binutils(file: string): Address[] {
  const symbols = execFileSync('nm', ['-S', '--defined-only', file], { encoding: 'utf8' });
  const addresses = [...symbols.matchAll(/^([\da-f]+) ([\da-f]+) [tTwW] /gm)].flatMap(([, start = '', size = '']) =>
    Array.from({ length: Number.parseInt(size, 16) }, (_, i) => Number.parseInt(start, 16) + i),
  );
  return placesOf(file, addresses, 'addr2line');
}

/** What binutils of another machine say of each instruction of a file, but those between functions. Symbols of some machines are no addresses of code. */
export function foreignBinutils(file: string, prefix: string): Address[] {
  const code = execFileSync(`${prefix}objdump`, ['-d', '-j', '.text', file], { encoding: 'utf8' });
  const addresses = [...code.matchAll(/^ *([\da-f]+):\t[\da-f ]+\t(?!nop|\.long)/gm)].map(([, address = '']) =>
    Number.parseInt(address, 16),
  );
  return placesOf(file, addresses, `${prefix}addr2line`);
}

function placesOf(file: string, addresses: readonly number[], program: string): Address[] {
  const input = addresses.map((each) => `0x${each.toString(16)}\n`).join('');
  const text = execFileSync(program, ['-a', '-i', '-f', '-e', file], { input, encoding: 'utf8' });
  return text
    .split(/^0x/m)
    .slice(1)
    .map((block) => {
      const [at = '', ...lines] = block.trimEnd().split('\n');
      const frames: string[] = [];
      for (let i = 0; i + 1 < lines.length; i += 2) frames.push(`${lines[i]} ${where(lines[i + 1] ?? '')}`);
      return { address: Number.parseInt(at, 16), frames };
    });
}

export function where(text: string): string {
  return text.replace(/ \(discriminator \d+\)$/, '').replace(/^.*\//, '');
}

export function ours(frames: readonly DwarfFrame[]): string[] {
  return frames.map(({ function: of, file, line }) => `${of?.name} ${where(`${file}:${line || '?'}`)}`).reverse();
}

/** Compilers' clones have a suffix as symbols, which debug information does not know. */
export function plain(frames: readonly string[]): string[] {
  return frames.map((each) => each.replace(/^([^ .]+)\.\S+/, '$1'));
}
