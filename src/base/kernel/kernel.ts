/**
 * Kernels: inner loops in WebAssembly, where a benchmark proves that TypeScript is slower. Their sources are in `kernels`;
 * `scripts/kernels.ts` compiles them into modules that hold the code as text, so that the same file serves tests, the
 * bundle and browsers. Whoever uses a kernel also has the same loop in TypeScript: for places without WebAssembly or its
 * vectors, and as the reference of its tests.
 */
import { decodeBase64 } from '../base64.js';

const PAGE = 1 << 16;

/** A function of a kernel: numbers to a number. */
export type KernelFunction = (...values: number[]) => number;

/** The parts in use of the interface that engines share; the types of Node lack it. */
declare const WebAssembly: {
  readonly Memory: new () => { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly Global: new () => { readonly value: unknown };
  instantiate(
    code: Uint8Array,
  ): Promise<{ readonly instance: { readonly exports: Readonly<Record<string, unknown>> } }>;
};

/** An instance of a kernel and its memory, which only its owner lays out: kernels do not allocate. */
export class Kernel {
  readonly #exports: Readonly<Record<string, unknown>>;
  /** The memory; its size is fixed. */
  readonly buffer: ArrayBuffer;

  constructor(exports: Readonly<Record<string, unknown>>, bytes: number) {
    this.#exports = exports;
    const { memory } = exports;
    if (!(memory instanceof WebAssembly.Memory)) throw new TypeError('the kernel has no memory');
    memory.grow(Math.ceil(bytes / PAGE) - memory.buffer.byteLength / PAGE);
    this.buffer = memory.buffer;
  }

  function(name: string): KernelFunction {
    const found = this.#exports[name];
    if (typeof found !== 'function') throw new TypeError(`the kernel has no function ${name}`);
    return (...values) => Number(found(...values));
  }

  /** The value of a variable of the kernel. */
  variable(name: string): number {
    const found = this.#exports[name];
    if (!(found instanceof WebAssembly.Global)) throw new TypeError(`the kernel has no variable ${name}`);
    return Number(found.value);
  }
}

/** Instantiates a kernel with `bytes` of memory; undefined where WebAssembly or its vectors are missing or forbidden. */
export async function loadKernel(code: string, bytes: number): Promise<Kernel | undefined> {
  if (typeof WebAssembly === 'undefined') return undefined;
  try {
    const { instance } = await WebAssembly.instantiate(decodeBase64(code));
    return new Kernel(instance.exports, bytes);
  } catch {
    return undefined;
  }
}
