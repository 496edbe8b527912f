/**
 * The deadlocks that the VM reports (`DeadlockCycle::print_on_with` of HotSpot), behind the threads, and those of the
 * serviceability agent, before them. They are kept beside the lines of the threads, and add the owners of
 * java.util.concurrent locks, which a dump without `-l` has only here.
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
import type { Damage } from '../damage.js';
import type { DumpBuilder } from '../dump-builder.js';
import { type LockLine, lockOfObject } from './lock-line.js';

/** The first line of a list of waiters; JDK 1.4 shouts. */
export const DEADLOCK_HEADING = /^(?:Found one Java-level deadlock|FOUND A JAVA LEVEL DEADLOCK):$/;
export const DEADLOCKS_END = /^Found (?:a total of )?\d+ deadlocks?\.$/;
const STACKS = /^java stack information/i;
const WAITER = /^"(.*)":$/s;
const HELD = /^(?:in JNI, )?which is (?:held|locked) by "(.*)"$/s;
/** The VM does not find the owner among the Java threads. */
const NOBODY = /^(?:in JNI, )?which (?:is held by (?:UNKNOWN_owner_addr|non-Java thread)=|has now been released)/;
const OBJECT = / \([oO]bject[ @](?:0x)?([0-9a-f]{1,16}), a (.+)\),?$/;
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
  /** The lists of waiters so far; they are compared with the threads once all of these are known. */
  #lists: { readonly waiters: Waiter[]; readonly offset: number }[] = [];
  #listing = false;
  /** Inside the section, before its last line. */
  open = false;

  constructor(builder: DumpBuilder, damage: Damage) {
    this.#builder = builder;
    this.#damage = damage;
  }

  begin(offset: number): void {
    this.#lists.push({ waiters: [], offset });
    this.#listing = true;
    this.open = true;
  }

  line(text: string): void {
    if (DEADLOCKS_END.test(text)) {
      this.#listing = false;
      this.open = false;
      return;
    }
    if (!this.#listing) return;
    if (STACKS.test(text)) {
      this.#listing = false;
      return;
    }
    const waiters = this.#lists.at(-1)?.waiters ?? [];
    const waiter = WAITER.exec(text);
    if (waiter !== null) waiters.push({ name: waiter[1] ?? '', lock: undefined, owner: undefined });
    const last = waiters.at(-1);
    if (last === undefined) return;
    last.lock = lockOf(text) ?? last.lock;
    const words = text.trimStart();
    const held = HELD.exec(words);
    if (held !== null) last.owner = { name: held[1] ?? '' };
    else if (NOBODY.test(words)) last.owner = 'nobody';
  }

  /** The address of the lock that the thread of this name waits for, if the section stands before the threads. */
  wantedBy(name: string): number | undefined {
    for (const { waiters } of this.#lists)
      for (const waiter of waiters) if (waiter.name === name) return waiter.lock?.address;
    return undefined;
  }

  /**
   * Compares a list with the threads of the dump. It is a deadlock even if the threads do not show it. The dump is
   * damaged if they do not show that they wait for these locks, or if one does not block the one before.
   */
  #compare({ waiters, offset }: { readonly waiters: readonly Waiter[]; readonly offset: number }): void {
    const waiterRows = waiters.map((waiter) => this.#waiter(waiter));
    const rows = waiterRows.map(({ row }) => row);
    const first = cycleStart(waiters);
    let circle = first >= 0;
    for (const [i, { owner }] of waiters.entries()) {
      const next = i + 1 < waiters.length ? i + 1 : Math.max(0, first);
      const isNext = typeof owner === 'object' && owner.name === waiters[next]?.name;
      if (isNext) this.#builder.locks.heldBy(rows[i] ?? -1, rows[next] ?? -1);
      circle &&= isNext || owner === 'nobody';
    }
    this.#builder.locks.addDeadlock(rows.slice(Math.max(0, first)));
    if (waiters.length === 0 || !circle || waiterRows.some(({ shown }) => !shown))
      this.#damage.lost('deadlock', offset, 'a deadlock reported by the VM does not match the threads of the dump');
  }

  /** Row of a waiter, and whether its thread shows the wait for this lock. */
  #waiter({ name, lock }: Waiter): { readonly row: number; readonly shown: boolean } {
    const { locks } = this.#builder;
    const named = this.#builder.named(name);
    const row = named.find((one) => locks.wants(one, lock?.address ?? -1));
    if (row !== undefined) return { row, shown: true };
    const other = named[0] ?? this.#builder.absent(name);
    if (lock !== undefined) locks.wantsAlso(other, lock);
    return { row: other, shown: named.length === 0 && this.#builder.nameless };
  }

  /** Ends the section with the input or the dump. */
  end(offset: number): void {
    for (const list of this.#lists) this.#compare(list);
    this.#lists = [];
    if (this.open) this.#damage.lost('cut', offset, 'the deadlock section ends early');
    this.#listing = false;
    this.open = false;
  }
}

/**
 * The waiter with which the cycle begins: the VM walks into it from its oldest thread, so threads that only wait behind it
 * may come first. The last waiter closes the cycle: it waits for what this one holds. -1 if it waits for none of them.
 */
function cycleStart(waiters: readonly Waiter[]): number {
  const owner = waiters.at(-1)?.owner;
  if (owner === 'nobody') return 0;
  return owner === undefined ? -1 : waiters.findIndex(({ name }) => name === owner.name);
}

function lockOf(text: string): LockLine | undefined {
  const object = OBJECT.exec(text);
  const match = object ?? SYNCHRONIZER.exec(text);
  if (match === null) return undefined;
  const [, address = '', type = ''] = match;
  return lockOfObject(object === null ? 'acquire' : 'enter', type, address);
}
