/**
 * What the VM itself says of deadlocks (`DeadlockCycle::print_on_with` of HotSpot). It is kept beside what the threads
 * tell, and fills in who holds a lock of java.util.concurrent, which a dump without `-l` says here only.
 *
 *   Found one Java-level deadlock:
 *   =============================
 *   "A":
 *     waiting to lock monitor 0x… (object 0x…, a X),
 *     which is held by "B"
 *   …
 *   Java stack information for the threads listed above:
 *   …
 *   Found 1 deadlock.
 */
import type { Damage } from './damage.js';
import type { DumpBuilder } from './dump-builder.js';

const WAITER = /^"(.*)":$/s;
const HELD = /^(?: {2}| {2}in JNI, )?which is held by "(.*)"$/s;
const ADDRESS = / (?:\(object 0x([0-9a-f]{1,16}), a |synchronizer 0x([0-9a-f]{1,16}), \(a )/;

interface Waiter {
  readonly name: string;
  address: number;
  owner: string | undefined;
}

export class DeadlockSection {
  readonly #builder: DumpBuilder;
  readonly #damage: Damage;
  #waiters: Waiter[] = [];
  #offset = 0;
  #listing = false;
  /** The section was begun and its last line has not come. */
  open = false;

  constructor(builder: DumpBuilder, damage: Damage) {
    this.#builder = builder;
    this.#damage = damage;
  }

  begin(offset: number): void {
    this.#close();
    this.#offset = offset;
    this.#listing = true;
    this.open = true;
  }

  line(text: string): void {
    if (/^Found \d+ deadlocks?\.$/.test(text)) {
      this.#close();
      this.open = false;
      return;
    }
    if (!this.#listing) return;
    if (text.startsWith('Java stack information')) {
      this.#close();
      return;
    }
    const waiter = WAITER.exec(text);
    if (waiter !== null) this.#waiters.push({ name: waiter[1] ?? '', address: -1, owner: undefined });
    const last = this.#waiters.at(-1);
    if (last === undefined) return;
    const address = ADDRESS.exec(text);
    if (address !== null) last.address = Number(`0x${address[1] ?? address[2]}`);
    const held = HELD.exec(text);
    if (held !== null) last.owner = held[1];
  }

  /** Ends a list of waiters: it names a deadlock where each is held up by the next one. */
  #close(): void {
    const waiters = this.#waiters;
    this.#listing = false;
    this.#waiters = [];
    if (waiters.length === 0) return;
    const { locks } = this.#builder;
    const rows = waiters.map(({ name, address }) => this.#builder.named(name).find((row) => locks.wants(row, address)));
    const known = rows.filter((row) => row !== undefined);
    const circle = waiters.every(({ owner }, i) => owner === waiters[(i + 1) % waiters.length]?.name);
    if (known.length < rows.length || !circle) {
      this.#damage.lost('deadlock', this.#offset, 'a deadlock that the VM names does not fit the threads of the dump');
      return;
    }
    for (const [i, row] of known.entries()) locks.heldBy(row, known[(i + 1) % known.length]);
    locks.addDeadlock(known);
  }

  /** The input, or the dump, ends here. */
  end(offset: number): void {
    this.#close();
    if (this.open) this.#damage.lost('cut', offset, 'the list of deadlocks ends early');
    this.open = false;
  }
}
