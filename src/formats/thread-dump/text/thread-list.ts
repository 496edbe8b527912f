/**
 * The list of threads that the VM writes before them since JDK 10 ("Threads class SMR info"): addresses in braces. Each
 * must be in the dump, so the list shows which threads were lost by damage.
 */
import type { Damage } from '../damage.js';

const BEGIN = /^_java_thread_list=0x[0-9a-f]{1,16}, length=(\d{1,9}), elements=\{$/;

export class ThreadList {
  readonly #damage: Damage;
  readonly #listed = new Set<number>();
  #length = -1;
  #listing = false;

  constructor(damage: Damage) {
    this.#damage = damage;
  }

  /** Reads a line of the list; returns false for other lines. */
  line(text: string, offset: number): boolean {
    if (text === 'Threads class SMR info:') return true;
    const begin = BEGIN.exec(text);
    if (begin !== null) {
      this.#listed.clear();
      this.#length = Number(begin[1]);
      this.#listing = true;
      return true;
    }
    if (!this.#listing) return false;
    if (text === '}') {
      this.#listing = false;
      if (this.#listed.size !== this.#length)
        this.#damage.lost('list', offset, `the SMR thread list has ${this.#listed.size} of ${this.#length} addresses`);
      return true;
    }
    for (const address of text.split(/, ?/)) if (/^0x[0-9a-f]{1,16}$/.test(address)) this.#listed.add(Number(address));
    return true;
  }

  /** A thread with this address was read. */
  has(address: number): void {
    this.#listing = false;
    this.#listed.delete(address);
  }

  /** Ends the list: reports missing threads. */
  end(offset: number): void {
    if (this.#listed.size > 0) {
      const [first = 0] = this.#listed;
      const missing = this.#listed.size;
      const named = `the first at 0x${first.toString(16).padStart(16, '0')}`;
      this.#damage.lost('missing', offset, `${missing} of the threads listed by the VM are not in the dump, ${named}`);
    }
    this.#listed.clear();
    this.#listing = false;
  }
}
