/** Names of code without a file: of the kernel, and of code that a process made at run time and wrote down in a perf map. */
import { lstatSync, readFileSync } from 'node:fs';
import { KERNEL_BASE, kernelAddress } from './kernel-address.js';

/** Code at an address. */
export interface NamedRange {
  readonly address: number;
  readonly size: number;
  readonly name: string;
}

/** By address, in ascending order, for search. */
export class NamedCodes {
  readonly #codes: readonly NamedRange[];

  constructor(codes: readonly NamedRange[]) {
    this.#codes = codes.toSorted((a, b) => a.address - b.address);
  }

  get length(): number {
    return this.#codes.length;
  }

  /** The code that an address lies in. */
  at(address: number): NamedRange | undefined {
    let [low, high] = [0, this.#codes.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#codes[middle]?.address ?? 0) <= address) low = middle + 1;
      else high = middle;
    }
    const code = this.#codes[low - 1];
    return code !== undefined && address < code.address + code.size ? code : undefined;
  }
}

const SYMBOL = /^([0-9a-f]{16}) [tTwW] (\S+)/;
/** Behind the last symbol. */
const LAST_SIZE = 4096;
/** What marks functions of the kernel in stacks of perf. */
const KERNEL_SUFFIX = '_[k]';

/** Functions of the kernel that runs; none where it hides their addresses. */
export function kernelCode(): NamedCodes {
  const symbols: { address: number; name: string }[] = [];
  for (const line of textOf('/proc/kallsyms').split('\n')) {
    const [, digits = '', name = ''] = SYMBOL.exec(line) ?? [];
    const address = kernelAddress(digits);
    if (address !== undefined && address >= KERNEL_BASE) symbols.push({ address, name });
  }
  symbols.sort((a, b) => a.address - b.address);
  return new NamedCodes(
    symbols.flatMap(({ address, name }, i) => {
      const size = (symbols[i + 1]?.address ?? address + LAST_SIZE) - address;
      // Of several names for one address the last is taken.
      return size === 0 ? [] : [{ address, size, name: `${name}${KERNEL_SUFFIX}` }];
    }),
  );
}

const MADE = /^(?:0x)?0*([0-9a-f]+) (?:0x)?([0-9a-f]+) (.+)$/;
/** HotSpot writes what a method returns: `void Shop.price(int)`. */
const RETURNING = /^\S+ ([^\s(]+\.[^\s(]+\(.*\))$/;

/** Where a process writes its perf map. */
export function perfMapPath(pid: number): string {
  return `/tmp/perf-${pid}.map`;
}

/**
 * The perf map of a process: `address size name`. None if it wrote none since `date` (seconds since 1970), or if another user did: anyone may write to
 * /tmp.
 */
export function perfMapCode(pid: number, date: number): NamedCodes {
  const path = perfMapPath(pid);
  const codes = (isTrusted(path, date) ? textOf(path) : '').split('\n').flatMap((line): NamedRange[] => {
    const [, address = '', size = '', name = ''] = MADE.exec(line) ?? [];
    if (name === '' || address.length > 12) return [];
    return [
      {
        address: Number.parseInt(address, 16),
        size: Number.parseInt(size, 16),
        name: RETURNING.exec(name)?.[1] ?? name,
      },
    ];
  });
  return new NamedCodes(codes);
}

/** Clocks of files are coarser than ours. */
const TOLERANCE = 1;

function isTrusted(path: string, date: number): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined || !facts.isFile() || facts.mtimeMs / 1000 < date - TOLERANCE) return false;
  return facts.uid === 0 || facts.uid === process.getuid?.();
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
