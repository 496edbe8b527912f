/** Class ids → small numbers, in the order of their first appearance: a hash table over typed arrays. */

const FIRST_SLOTS = 1 << 12;

export class ClassSlots {
  length = 0;
  /** By number. */
  high: Uint32Array = new Uint32Array(FIRST_SLOTS / 2);
  low: Uint32Array = new Uint32Array(FIRST_SLOTS / 2);
  #slots = new Int32Array(FIRST_SLOTS);
  #mask = FIRST_SLOTS - 1;

  /** The number of a class id, given as two halves; a new one if it was not there. */
  add(high: number, low: number): number {
    const slots = this.#slots;
    let slot = hash(high, low) & this.#mask;
    for (let found = slots[slot]; found !== 0; found = slots[slot]) {
      if (this.low[found - 1] === low && this.high[found - 1] === high) return found - 1;
      slot = (slot + 1) & this.#mask;
    }
    const number = this.length++;
    this.high[number] = high;
    this.low[number] = low;
    slots[slot] = number + 1;
    if (this.length === this.high.length) this.#grow();
    return number;
  }

  /** The number of a class id; -1 if it was not added. */
  find(high: number, low: number): number {
    const slots = this.#slots;
    let slot = hash(high, low) & this.#mask;
    for (let found = slots[slot]; found !== 0; found = slots[slot]) {
      if (this.low[found - 1] === low && this.high[found - 1] === high) return found - 1;
      slot = (slot + 1) & this.#mask;
    }
    return -1;
  }

  /** The ids by number, as doubles. */
  ids(): Float64Array {
    const ids = new Float64Array(this.length);
    for (let i = 0; i < ids.length; i++) ids[i] = this.high[i] * 2 ** 32 + this.low[i];
    return ids;
  }

  #grow(): void {
    const more = this.high.length * 2;
    this.high = copied(this.high, more);
    this.low = copied(this.low, more);
    this.#slots = new Int32Array(more * 2);
    this.#mask = more * 2 - 1;
    for (let i = 0; i < this.length; i++) {
      let slot = hash(this.high[i], this.low[i]) & this.#mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask;
      this.#slots[slot] = i + 1;
    }
  }
}

function hash(high: number, low: number): number {
  const mixed = Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

function copied(values: Uint32Array, length: number): Uint32Array {
  const copy = new Uint32Array(length);
  copy.set(values);
  return copy;
}
