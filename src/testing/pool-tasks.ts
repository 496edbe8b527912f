/** Tasks for the tests of the worker pool: good ones, and ones that never end or never have enough. */
import { Transfer } from './pool.node.js';

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Doubles every number; the column moves both ways. */
export async function doubled(column: Float64Array<ArrayBuffer>) {
  for (let i = 0; i < column.length; i++) column[i] *= 2;
  return new Transfer({ column, length: column.length }, [column.buffer]);
}

export function fails(message: string): never {
  throw new RangeError(message);
}

export function hangs(_argument: null): never {
  for (;;);
}

export function grows(_argument: null): number {
  const kept: number[][] = [];
  for (;;) kept.push(new Array<number>(1000).fill(kept.length));
}

/** Sleeps so many milliseconds. */
export function sleeps(milliseconds: number): string {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  return 'slept';
}

/** Reports that it runs, then waits for the signal to continue. */
export function waits(flags: Int32Array<SharedArrayBuffer>): number {
  Atomics.add(flags, 0, 1);
  Atomics.notify(flags, 0);
  Atomics.wait(flags, 1, 0);
  return flags[0];
}
