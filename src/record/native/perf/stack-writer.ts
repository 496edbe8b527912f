/** Stacks of a process as experiments have them: calls in place of what they return to, and the names of code without a file that they touch. */
import type { AddressedCode, NativeStack } from '../../../formats/experiment/write/index.js';
import { CALL_BYTES, callLength } from './call-start.js';
import type { CodeBytes } from './code-bytes.node.js';
import { KERNEL_BASE, KERNEL_ELSEWHERE } from './kernel-address.js';
import type { NamedCodes, NamedRange } from './named-code.node.js';
import type { PerfMapping, PerfProcess, PerfStack } from './perf-script.js';

/** What a stack is read with. */
export interface StackReading {
  /** As the recorder names the machine: `x86_64`. */
  readonly architecture: string;
  /** Addresses of callers are a byte before those that calls return to, as unwinding by tables leaves them. */
  readonly unwound: boolean;
  /** Frames that a stack has at most. */
  readonly deepest: number;
  readonly kernel: NamedCodes;
  /** Code that the process made at run time. */
  readonly runtimeCode: NamedCodes;
  readonly code: CodeBytes;
}

/** Samples whose own code was made at run time, how many of them have a name, and how many are of an interpreter. */
export interface RuntimeSamples {
  readonly samples: number;
  readonly withName: number;
  readonly interpreted: number;
}

/** Code that the kernel gives each process. */
const VDSO = '[vdso]';
/** All of the kernel, where it does not name its functions. */
const KERNEL = '[kernel]';
const KERNEL_SIZE = KERNEL_ELSEWHERE + 1 - KERNEL_BASE;

/** Whether a mapping is of a file, which has names. */
export function isFile(name: string): boolean {
  return name.startsWith('/') && !name.startsWith('//anon');
}

/** How HotSpot names its interpreter in perf maps. */
const INTERPRETER = /^Interpreter\b/;

export class StackWriter {
  readonly #process: PerfProcess;
  readonly #reading: StackReading;
  readonly #calls = new Map<number, number>();
  readonly #used = new Map<number, NamedRange>();

  constructor(process: PerfProcess, sources: StackReading) {
    this.#process = process;
    this.#reading = sources;
  }

  stack({ addresses, user }: PerfStack): NativeStack {
    const written = addresses.map((address, i) => {
      if (i === 0 || i === user) return address;
      if (address === KERNEL_ELSEWHERE) return address;
      return address >= KERNEL_BASE ? address - 1 : this.#callOf(address + (this.#reading.unwound ? 1 : 0));
    });
    for (const address of written) this.#use(address);
    return { addresses: written, end: addresses.length >= this.#reading.deepest ? 'cut' : 'whole' };
  }

  /** Functions without a file that the stacks have. */
  functions(): AddressedCode[] {
    return [...this.#used.values()];
  }

  /** Of the samples of the process, by their innermost frame in the program. */
  runtimeSamples(): RuntimeSamples {
    const { stacks, builders } = this.#process;
    const counts = { samples: 0, withName: 0, interpreted: 0 };
    for (const id of builders.stack.finish()) {
      const { addresses = [], user = 0 } = stacks[id] ?? {};
      const address = addresses[user];
      if (address === undefined || this.#fileAt(address) !== undefined) continue;
      const code = this.#reading.runtimeCode.at(address);
      counts.samples++;
      if (code !== undefined) counts.withName++;
      if (code !== undefined && INTERPRETER.test(code.name)) counts.interpreted++;
    }
    return counts;
  }

  /** The file that is mapped at an address: the last one that was. */
  #fileAt(address: number): PerfMapping | undefined {
    const mapping = this.#process.mappings.findLast(
      (each) => address >= each.address && address < each.address + each.size,
    );
    return mapping !== undefined && (isFile(mapping.name) || mapping.name === VDSO) ? mapping : undefined;
  }

  #callOf(back: number): number {
    const cached = this.#calls.get(back);
    if (cached !== undefined) return cached;
    const { architecture, code } = this.#reading;
    const file = this.#fileAt(back - 1);
    const bytes = file && code.before(file.name, file.offset + back - file.address, CALL_BYTES);
    const call = back - (bytes === undefined ? 1 : callLength(architecture, bytes));
    this.#calls.set(back, call);
    return call;
  }

  #use(address: number): void {
    const code = this.#codeAt(address);
    if (code !== undefined) this.#used.set(code.address, code);
  }

  #codeAt(address: number): NamedRange | undefined {
    const { kernel, runtimeCode } = this.#reading;
    if (address >= KERNEL_BASE) {
      const whole = { address: KERNEL_BASE, size: KERNEL_SIZE, name: KERNEL };
      return kernel.length === 0 ? whole : (kernel.at(address) ?? { address, size: 1, name: KERNEL });
    }
    const file = this.#fileAt(address);
    if (file === undefined) return runtimeCode.at(address);
    return file.name === VDSO ? { address: file.address, size: file.size, name: VDSO } : undefined;
  }
}
