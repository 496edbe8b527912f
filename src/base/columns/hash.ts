/**
 * Hash tables over typed arrays: open addressing, at most half full. Neither has the 16.7 M entry limit of `Map`, nor
 * one object per entry. Keys get dense ids in the order of their first appearance.
 */
import { ByteBuilder, doubled, Int32Builder, sameBytes } from './columns.js';

const FIRST_SLOTS = 1 << 8;

/** Mixes three 32-bit integers into a well spread 32-bit hash (the finishing steps of MurmurHash3). */
function mix(a: number, b: number, c: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return h ^ (h >>> 13);
}

/** Neighbouring slots that are tried before a key goes to the slot of its hash: half a cache line. */
const NEAR_SLOTS = 8;

/**
 * Keys of one to three 32-bit integers → dense ids. 12 bytes per key and 8 to 16 bytes of slots.
 *
 * The integers of a key are adjacent, so a look-up costs one cache miss. Keys that follow each other mostly have near
 * first numbers (a parent's children, a method's places), so a key is first looked for near the slot of its first
 * number: on a 213 MB profile that halves the time of building stacks. If these slots are full, it goes to the slot of
 * its hash and on from there by a step of its own, away from the runs that near keys fill.
 */
export class IntTable {
  length = 0;
  /** Key `id` is `#keys[3 * id]` and the next two. */
  #keys: Int32Array;
  #slots: Int32Array;
  #mask: number;

  constructor(capacity: number = FIRST_SLOTS / 2) {
    const slots = slotsFor(capacity);
    this.#keys = new Int32Array((slots >> 1) * 3);
    this.#slots = new Int32Array(slots);
    this.#mask = slots - 1;
  }

  /** The id of the key; a new one if it was not there. */
  add(a: number, b = 0, c = 0): number {
    const slot = this.#slotOf(a, b, c);
    const knownId = this.#slots[slot] - 1;
    if (knownId >= 0) return knownId;
    const id = this.length++;
    const keys = this.#keys;
    keys[3 * id] = a;
    keys[3 * id + 1] = b;
    keys[3 * id + 2] = c;
    this.#slots[slot] = id + 1;
    if (this.length * 2 > this.#mask) this.#grow();
    return id;
  }

  /** The id of the key, or -1. */
  find(a: number, b = 0, c = 0): number {
    return this.#slots[this.#slotOf(a, b, c)] - 1;
  }

  /** The first, second or third number of a key that was added. */
  key(id: number, which: 0 | 1 | 2): number {
    return this.#keys[3 * id + which];
  }

  /** The first, second or third numbers of the keys from an id on, by default of all. */
  column(which: 0 | 1 | 2, first = 0): Int32Array {
    const column = new Int32Array(this.length - first);
    for (let row = 0, at = 3 * first + which; row < column.length; row++, at += 3) column[row] = this.#keys[at];
    return column;
  }

  /** The slot that holds the key, or the empty one where it belongs. */
  #slotOf(a: number, b: number, c: number): number {
    const keys = this.#keys;
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = Math.imul(a >= 0 ? a : b, 2) & mask;
    for (let near = 0; near < NEAR_SLOTS; near++) {
      const at = (slots[slot] - 1) * 3;
      if (at < 0 || (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c)) return slot;
      slot = (slot + 1) & mask;
    }
    const hash = mix(a, b, c);
    // Odd, so that all slots are visited. A step of 1 would not work: neighbouring keys fill long runs of slots.
    const step = (Math.imul(hash, 0x9e3779b1) >>> 11) | 1;
    slot = hash & mask;
    for (let at = (slots[slot] - 1) * 3; at >= 0; at = (slots[slot] - 1) * 3) {
      if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c) return slot;
      slot = (slot + step) & mask;
    }
    return slot;
  }

  #grow(): void {
    const keys = new Int32Array(this.#keys.length * 2);
    keys.set(this.#keys);
    this.#keys = keys;
    this.#slots = new Int32Array(this.#slots.length * 2);
    this.#mask = this.#slots.length - 1;
    for (let id = 0; id < this.length; id++) {
      this.#slots[this.#slotOf(keys[3 * id], keys[3 * id + 1], keys[3 * id + 2])] = id + 1;
    }
  }
}

function slotsFor(keys: number): number {
  let slots = 16;
  while (slots < keys * 2) slots *= 2;
  return slots;
}

/**
 * Start value and step of the hash that `ByteInterner` expects; scanners that hash while they scan use them too. The
 * start value is not a secret and could not be one: whether two blocks of bytes lead FNV-1a from a state to the same
 * state depends on seven or eight bits of it, so chained blocks that collide from one start do so from every 128th.
 */
export const HASH_SEED = 0x811c9dc5 | 0;
export const HASH_PRIME = 0x01000193;

/** The hash of a run of bytes (FNV-1a), as `ByteInterner.addHashed` expects it. */
export function hashBytes(bytes: Uint8Array, from: number, to: number): number {
  let hash = HASH_SEED;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ bytes[i], HASH_PRIME);
  return hash;
}

/** Slots of `ByteInterner` that are tried; half full, one in a million keys of a usual file finds all of them taken. */
const MOST_PROBES = 64;

/**
 * Byte strings → dense ids. The bytes of all keys lie in one run; 8 bytes per key beside them, and 8 to 16 of slots.
 *
 * The writer of a file can choose names that collide. A key that finds no slot within `MOST_PROBES` slots goes to a
 * second table under a hash that cannot be predicted, so no choice of names makes this slow.
 */
export class ByteInterner {
  readonly bytes = new ByteBuilder(1 << 12);
  /** Where each key begins; one more entry than keys. */
  readonly offsets = new Int32Builder();
  readonly #hashes = new Int32Builder();
  #slots = new Int32Array(FIRST_SLOTS);
  #mask = FIRST_SLOTS - 1;
  #crowded = new CrowdedKeys();

  constructor() {
    this.offsets.push(0);
  }

  get length(): number {
    return this.#hashes.length;
  }

  add(source: Uint8Array, from: number, to: number): number {
    return this.addHashed(source, from, to, hashBytes(source, from, to));
  }

  /** As `add`, with the `hashBytes` of the run already known; or, if all keys have it, another hash. */
  addHashed(source: Uint8Array, from: number, to: number, hash: number): number {
    const hashes = this.#hashes.values;
    let slot = firstSlot(hash) & this.#mask;
    for (let probes = 0; probes < MOST_PROBES; probes++) {
      const id = this.#slots[slot] - 1;
      if (id < 0) {
        this.#slots[slot] = this.length + 1;
        return this.#append(source, from, to, hash);
      }
      if (hashes[id] === hash && this.equals(id, source, from, to)) return id;
      slot = (slot + 1) & this.#mask;
    }
    return this.#addCrowded(source, from, to, hash);
  }

  #addCrowded(source: Uint8Array, from: number, to: number, hash: number): number {
    const crowded = this.#crowded;
    const keyed = keyedHash(source, from, to);
    for (let at = crowded.first(keyed); at >= 0; at = crowded.next(at)) {
      const id = crowded.idAt(at, keyed);
      if (id >= 0 && this.equals(id, source, from, to)) return id;
    }
    crowded.push(keyed, this.length);
    return this.#append(source, from, to, hash);
  }

  #append(source: Uint8Array, from: number, to: number, hash: number): number {
    const id = this.#hashes.push(hash);
    this.bytes.append(source, from, to);
    this.offsets.push(this.bytes.length);
    if (id * 2 >= this.#mask) this.#grow();
    return id;
  }

  /** Whether `source[from .. to)` is the key `id`. */
  equals(id: number, source: Uint8Array, from: number, to: number): boolean {
    const { values } = this.offsets;
    return sameBytes(this.bytes.bytes, values[id], values[id + 1], source, from, to);
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    const crowded = new CrowdedKeys();
    const offsets = this.offsets.values;
    for (let id = 0; id < this.length; id++) {
      let slot = firstSlot(this.#hashes.values[id]) & mask;
      let probes = 0;
      while (slots[slot] !== 0 && ++probes < MOST_PROBES) slot = (slot + 1) & mask;
      if (probes < MOST_PROBES) slots[slot] = id + 1;
      else crowded.push(keyedHash(this.bytes.bytes, offsets[id], offsets[id + 1]), id);
    }
    this.#slots = slots;
    this.#mask = mask;
    this.#crowded = crowded;
  }
}

/**
 * Runs of 32-bit integers → dense ids: a key of any number of them costs one look-up. The numbers of a key are pushed
 * one by one, then `add` ends it. 4 bytes a number of a key, 16 to 24 bytes a key beside them.
 *
 * A new key is written behind all others, and stays there if it was not known: no key is copied. Keys of the writer of a
 * file that find no slot within `MOST_PROBES` are compared as bytes.
 */
export class IntRuns {
  #numbers: Int32Array;
  /** End of the key that is being made. */
  #end = 0;
  /** Where each key begins; one more entry than keys. */
  readonly #starts: Int32Builder;
  readonly #hashes: Int32Builder;
  #slots: Int32Array;
  #mask: number;
  #crowded = new ByteInterner();
  #crowdedIds = new Int32Builder(16);

  /** `keys`: about how many there will be, `length`: numbers of each. */
  constructor(keys: number = FIRST_SLOTS / 2, length = 4) {
    this.#numbers = new Int32Array(Math.max(16, keys * length));
    this.#starts = new Int32Builder(keys + 1);
    this.#starts.push(0);
    this.#hashes = new Int32Builder(keys);
    this.#slots = new Int32Array(slotsFor(keys));
    this.#mask = this.#slots.length - 1;
  }

  get length(): number {
    return this.#hashes.length;
  }

  /** Appends a number to the key that is being made. */
  push(value: number): void {
    if (this.#end === this.#numbers.length) this.#numbers = doubled(this.#numbers);
    this.#numbers[this.#end++] = value;
  }

  /** The id of the pushed key; a new one if it was not there. The next key is empty. */
  add(): number {
    const start = this.#starts.values[this.length];
    const hash = hashNumbers(this.#numbers, start, this.#end);
    const hashes = this.#hashes.values;
    const near = this.#nearSlot(hash, start, this.#end);
    for (let probe = 0; probe < MOST_PROBES; probe++) {
      const slot = (probe < NEAR_SLOTS ? near + probe : hash + probe) & this.#mask;
      const id = this.#slots[slot] - 1;
      if (id < 0) {
        this.#slots[slot] = this.length + 1;
        return this.#append(hash);
      }
      if (hashes[id] === hash && this.#equals(id, start)) return this.#known(id, start);
    }
    const at = this.#crowded.add(new Uint8Array(this.#numbers.buffer), start * 4, this.#end * 4);
    if (at < this.#crowdedIds.length) return this.#known(this.#crowdedIds.values[at], start);
    this.#crowdedIds.push(this.length);
    return this.#append(hash);
  }

  #known(id: number, start: number): number {
    this.#end = start;
    return id;
  }

  #append(hash: number): number {
    const id = this.#hashes.push(hash);
    this.#starts.push(this.#end);
    if (id * 2 >= this.#mask) this.#grow();
    return id;
  }

  /** Keys that follow each other mostly have near first numbers, as in `IntTable`; each number has room for some keys. */
  #nearSlot(hash: number, from: number, to: number): number {
    return from === to ? hash : (this.#numbers[from] << 4) + (hash & 15);
  }

  #equals(id: number, keyStart: number): boolean {
    const numbers = this.#numbers;
    const start = this.#starts.values[id];
    const length = this.#starts.values[id + 1] - start;
    if (length !== this.#end - keyStart) return false;
    for (let i = 0; i < length; i++) if (numbers[start + i] !== numbers[keyStart + i]) return false;
    return true;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    const hashes = this.#hashes.values;
    const starts = this.#starts.values;
    this.#crowded = new ByteInterner();
    this.#crowdedIds = new Int32Builder(16);
    for (let id = 0; id < this.length; id++) {
      const near = this.#nearSlot(hashes[id], starts[id], starts[id + 1]);
      let probe = 0;
      let slot = near & mask;
      while (slots[slot] !== 0 && ++probe < MOST_PROBES)
        slot = (probe < NEAR_SLOTS ? near + probe : hashes[id] + probe) & mask;
      if (probe < MOST_PROBES) slots[slot] = id + 1;
      else {
        this.#crowded.add(new Uint8Array(this.#numbers.buffer), starts[id] * 4, starts[id + 1] * 4);
        this.#crowdedIds.push(id);
      }
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}

function hashNumbers(numbers: Int32Array, from: number, to: number): number {
  let hash = HASH_SEED ^ (to - from);
  for (let i = from; i < to; i++) {
    hash = Math.imul(hash ^ numbers[i], 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return mix(hash, 0, 0);
}

/** FNV's low bits are weak for short keys: fold the high ones in. */
function firstSlot(hash: number): number {
  return hash ^ (hash >>> 15);
}

/** A prime below 2^26: products of two smaller numbers are exact. */
const KEYED_PRIME = 67_108_859;
const KEYED_POINT = 1 + Math.floor(Math.random() * (KEYED_PRIME - 1));

/**
 * The polynomial with the bytes as coefficients at a point that is drawn once a process, modulo a prime: two keys of at
 * most n bytes collide with probability below n / 2^25. It changes slots, but no results.
 */
function keyedHash(source: Uint8Array, from: number, to: number): number {
  let hash = 1;
  for (let i = from; i < to; i++) hash = (hash * KEYED_POINT + source[i]) % KEYED_PRIME;
  return hash;
}

/** Ids of keys by their keyed hash: chains over columns, 12 bytes per key and 4 to 8 of chain heads. */
class CrowdedKeys {
  readonly #ids = new Int32Builder(16);
  readonly #hashes = new Int32Builder(16);
  readonly #next = new Int32Builder(16);
  #heads = new Int32Array(16);

  /** The first entry of the chain of a hash, or -1. */
  first(hash: number): number {
    return this.#heads[this.#headOf(hash)] - 1;
  }

  /** The entry after `entry`, or -1. */
  next(entry: number): number {
    return this.#next.values[entry];
  }

  /** The id of an entry if its hash is `hash`, else -1. */
  idAt(entry: number, hash: number): number {
    return this.#hashes.values[entry] === hash ? this.#ids.values[entry] : -1;
  }

  push(hash: number, id: number): void {
    const entry = this.#ids.push(id);
    this.#hashes.push(hash);
    this.#next.push(-1);
    if (this.#ids.length > this.#heads.length) {
      this.#heads = new Int32Array(this.#heads.length * 2);
      for (let each = 0; each < entry; each++) this.#link(each);
    }
    this.#link(entry);
  }

  #link(entry: number): void {
    const head = this.#headOf(this.#hashes.values[entry]);
    this.#next.values[entry] = this.#heads[head] - 1;
    this.#heads[head] = entry + 1;
  }

  #headOf(hash: number): number {
    return mix(hash, 0, 0) & (this.#heads.length - 1);
  }
}
