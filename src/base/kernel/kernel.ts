/**
 * Kernels: inner loops in WebAssembly, where a benchmark proves that TypeScript is slower. Their sources are in `kernels`;
 * `scripts/kernels.ts` compiles them into modules that hold the code as text, so that the same file serves tests, the
 * bundle and browsers. Whoever uses a kernel also has the same loop in TypeScript: for places without WebAssembly or its
 * vectors, and as the reference of its tests.
 */
import { decodeBase64 } from '../base64.js';

const PAGE = 1 << 16;
/** 32-bit addresses reach so far. */
const MOST_PAGES = 1 << 16;

/** A function of a kernel: numbers to a number. */
export type KernelFunction = (...values: number[]) => number;

/** Memory that threads share; kernels get it, and it can be sent to a thread as it is. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
}

/** The parts in use of the interface that engines share; the types of Node lack it. */
declare const WebAssembly: {
  readonly Memory: {
    new (): { readonly buffer: ArrayBuffer; grow(pages: number): number };
    new (size: { initial: number; maximum: number; shared: true }): SharedMemory;
  };
  readonly Global: new () => { readonly value: unknown };
  instantiate(
    code: Uint8Array,
    imports?: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ): Promise<{ readonly instance: { readonly exports: Readonly<Record<string, unknown>> } }>;
};

/** An instance of a kernel and its memory, which only its owner lays out: kernels do not allocate. */
export class Kernel<Buffer extends ArrayBufferLike = ArrayBuffer> {
  readonly #exports: Readonly<Record<string, unknown>>;
  /** The memory; its size is fixed. */
  readonly buffer: Buffer;

  constructor(exports: Readonly<Record<string, unknown>>, buffer: Buffer) {
    this.#exports = exports;
    this.buffer = buffer;
  }

  function(name: string): KernelFunction {
    const exportedValue = this.#exports[name];
    if (typeof exportedValue !== 'function') throw new TypeError(`the kernel has no function ${name}`);
    return (...values) => Number(exportedValue(...values));
  }

  /** The value of a variable of the kernel. */
  variable(name: string): number {
    const exportedValue = this.#exports[name];
    if (!(exportedValue instanceof WebAssembly.Global)) throw new TypeError(`the kernel has no variable ${name}`);
    return Number(exportedValue.value);
  }
}

/** Instantiates a kernel with `bytes` of memory; undefined where WebAssembly or its vectors are missing or forbidden. */
export async function loadKernel(code: string, bytes: number): Promise<Kernel | undefined> {
  const exports = await instantiated(code);
  if (exports === undefined) return undefined;
  const { memory } = exports;
  if (!(memory instanceof WebAssembly.Memory) || !('grow' in memory)) throw new TypeError('the kernel has no memory');
  memory.grow(Math.ceil(bytes / PAGE) - memory.buffer.byteLength / PAGE);
  return new Kernel(exports, memory.buffer);
}

/** Memory for kernels of several threads, zeros; undefined where there is none of that size. Its parts take room when they are used. */
export function sharedMemory(bytes: number): SharedMemory | undefined {
  const pages = Math.ceil(bytes / PAGE);
  if (pages > MOST_PAGES || typeof WebAssembly === 'undefined') return undefined;
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch {
    return undefined;
  }
}

/** Instantiates a kernel for shared memory; undefined where it cannot run. */
export async function loadSharedKernel(
  code: string,
  memory: SharedMemory,
): Promise<Kernel<SharedArrayBuffer> | undefined> {
  const exports = await instantiated(code, memory);
  return exports && new Kernel(exports, memory.buffer);
}

async function instantiated(
  code: string,
  memory?: SharedMemory,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  if (typeof WebAssembly === 'undefined') return undefined;
  try {
    const { instance } = await WebAssembly.instantiate(decodeBase64(code), { env: { memory } });
    return instance.exports;
  } catch {
    return undefined;
  }
}
