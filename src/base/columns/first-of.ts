/** The first of many items in an order: items that later ones displace are dropped in batches. */

/** Fewer items are not worth a batch. */
const FEWEST = 1024;

export class FirstOf<Item> {
  readonly #most: number;
  readonly #compare: (a: Item, b: Item) => number;
  #items: Item[] = [];
  #last: Item | undefined;

  /** `most`: how many are wanted. Equal items stay in the order in which they were added. */
  constructor(most: number, compare: (a: Item, b: Item) => number) {
    this.#most = most;
    this.#compare = compare;
  }

  /** The last one of those that are the first so far: items that are not before it need not be added. Undefined before the first batch. */
  get last(): Item | undefined {
    return this.#last;
  }

  add(item: Item): void {
    if (this.#items.push(item) < Math.max(2 * this.#most, FEWEST)) return;
    this.#select();
    this.#last = this.#items.at(-1);
  }

  #select(): void {
    this.#items.sort(this.#compare);
    this.#items.length = Math.min(this.#items.length, this.#most);
  }

  /** The first ones, in order. */
  finish(): readonly Item[] {
    this.#select();
    return this.#items;
  }
}
