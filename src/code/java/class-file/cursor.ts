/** Reads the contents of an attribute forward, big-endian; every step is checked against the attribute's end. */
import { FormatError } from '../../../base/errors.js';
import type { Problem } from '../../../base/problems.js';
import type { ConstantPool } from './constant-pool.js';

export class Cursor {
  at: number;
  readonly end: number;
  readonly pool: ConstantPool;
  /** Name of the data in messages: `LineNumberTable`. */
  readonly #what: string;

  constructor(pool: ConstantPool, what: string, from: number, end: number) {
    this.pool = pool;
    this.#what = what;
    this.at = from;
    this.end = end;
  }

  /** Throws FormatError unless `bytes` more bytes are there: call it before allocating anything of that size. */
  need(bytes: number): void {
    if (this.at + bytes > this.end)
      throw this.pool.damaged(this.at, `${bytes} bytes of ${this.#what}`, `${this.end - this.at} left`);
  }

  u1(): number {
    this.need(1);
    return this.pool.bytes[this.at++];
  }

  u2(): number {
    this.need(2);
    const { bytes } = this.pool;
    const value = (bytes[this.at] << 8) | bytes[this.at + 1];
    this.at += 2;
    return value;
  }

  u4(): number {
    return this.u2() * 65536 + this.u2();
  }

  /** Reads a count of items of at least `size` bytes each. */
  count(size: number, width: 1 | 2 = 2): number {
    const count = width === 1 ? this.u1() : this.u2();
    this.need(count * size);
    return count;
  }

  /** `count` items, one after the other. */
  list<T>(count: number, read: () => T): T[] {
    const list: T[] = [];
    for (let i = 0; i < count; i++) list.push(read());
    return list;
  }

  /** Throws FormatError unless all was read. */
  finish(): void {
    if (this.at !== this.end)
      throw this.pool.damaged(this.at, `the end of ${this.#what}`, `${this.end - this.at} more bytes`);
  }
}

/** The result of `read`, or the FormatError that it throws. */
export function attempt<T>(read: () => T): T | FormatError {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) return error;
    throw error;
  }
}

/** Damage found by a reader, as a problem of the class file. */
export function damageOf(error: FormatError): Problem {
  return { code: 'class-file-damaged', severity: 'error', message: error.message, offset: error.offset };
}
