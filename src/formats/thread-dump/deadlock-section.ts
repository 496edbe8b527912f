/**
 * The deadlocks that the VM reports (`DeadlockCycle::print_on_with` of HotSpot). They are kept beside the lines of the
 * threads, and add the owners of java.util.concurrent locks, which a dump without `-l` has only here.
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
import type { LockLine } from './lock-line.js';

const WAITER = /^"(.*)":$/s;
const HELD = /^(?: {2}| {2}in JNI, )?which is held by "(.*)"$/s;
/** The VM does not find the owner among the Java threads. */
const NOBODY =
  /^(?: {2}| {2}in JNI, )?which (?:is held by (?:UNKNOWN_owner_addr|non-Java thread)=|has now been released)/;
const OBJECT = / \(object 0x([0-9a-f]{1,16}), a (.+)\),?$/;
const SYNCHRONIZER = / synchronizer 0x([0-9a-f]{1,16}), \(a (.+)\),?$/;

interface Waiter {
  readonly name: string;
  lock: LockLine | undefined;
  /** undefined: the line is missing. `nobody`: the owner is unknown to the VM. */
  owner: { readonly name: string } | 'nobody' | undefined;
}

export class DeadlockSection {
  readonly #builder: DumpBuilder;
  readonly #damage: Damage;
  #waiters: Waiter[] = [];
  #offset = 0;
  #listing = false;
  /** Inside the section, before its last line. */
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
    if (waiter !== null) this.#waiters.push({ name: waiter[1] ?? '', lock: undefined, owner: undefined });
    const last = this.#waiters.at(-1);
    if (last === undefined) return;
    last.lock = lockOf(text) ?? last.lock;
    const held = HELD.exec(text);
    if (held !== null) last.owner = { name: held[1] ?? '' };
    else if (NOBODY.test(text)) last.owner = 'nobody';
  }

  /**
   * Ends a list of waiters, which is a deadlock even if the threads do not show it. The dump is damaged if they do not
   * show that they wait for these locks, or if one does not block the one before.
   */
  #close(): void {
    const waiters = this.#waiters;
    const listed = this.#listing;
    this.#listing = false;
    this.#waiters = [];
    if (!listed) return;
    const fits = waiters.map((waiter) => this.#waiter(waiter));
    const rows = fits.map(({ row }) => row);
    let circle = true;
    for (const [i, { owner }] of waiters.entries()) {
      const next = (i + 1) % waiters.length;
      const isNext = typeof owner === 'object' && owner.name === waiters[next]?.name;
      if (isNext) this.#builder.locks.heldBy(rows[i] ?? -1, rows[next] ?? -1);
      circle &&= isNext || owner === 'nobody';
    }
    this.#builder.locks.addDeadlock(rows);
    if (waiters.length === 0 || !circle || fits.some(({ shown }) => !shown))
      this.#damage.lost(
        'deadlock',
        this.#offset,
        'a deadlock reported by the VM does not match the threads of the dump',
      );
  }

  /** Row of a waiter, and whether its thread shows the wait for this lock. */
  #waiter({ name, lock }: Waiter): { readonly row: number; readonly shown: boolean } {
    const { locks } = this.#builder;
    const named = this.#builder.named(name);
    const row = named.find((one) => locks.wants(one, lock?.address ?? -1));
    if (row !== undefined) return { row, shown: true };
    const other = named[0] ?? this.#builder.absent(name);
    if (lock !== undefined) locks.wantsAlso(other, lock);
    return { row: other, shown: false };
  }

  /** Ends the section with the input or the dump. */
  end(offset: number): void {
    this.#close();
    if (this.open) this.#damage.lost('cut', offset, 'the deadlock section ends early');
    this.open = false;
  }
}

function lockOf(text: string): LockLine | undefined {
  const object = OBJECT.exec(text);
  const match = object ?? SYNCHRONIZER.exec(text);
  if (match === null) return undefined;
  const [, address, type = ''] = match;
  return {
    verb: object === null ? 'acquire' : 'enter',
    address: Number(`0x${address}`),
    class: type,
    classObject: false,
  };
}
