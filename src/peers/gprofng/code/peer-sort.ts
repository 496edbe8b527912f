/**
 * Sorts as gprofng does, where the order of equal elements shows: a quicksort around the median of the first, middle and last element, which moves
 * elements across the pivot in pairs; short parts by insertion.
 */
const SHORT = 6;

export function peerSort<Item>(items: readonly Item[], compare: (a: Item, b: Item) => number): Item[] {
  const sorted = [...items];
  const open: (readonly [from: number, to: number])[] = [[0, sorted.length]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [from, to] = part;
    if (to - from < SHORT) insertionSort(sorted, from, to, compare);
    else {
      const pivot = partition(sorted, from, to, compare);
      open.push([from, pivot], [pivot + 1, to]);
    }
  }
  return sorted;
}

function insertionSort<Item>(items: Item[], from: number, to: number, compare: (a: Item, b: Item) => number): void {
  for (let i = from + 1; i < to; i++)
    for (let at = i; at > from && ordered(items, at - 1, at, compare) > 0; at--) swap(items, at - 1, at);
}

function ordered<Item>(items: readonly Item[], a: number, b: number, compare: (a: Item, b: Item) => number): number {
  const [first, second] = [items[a], items[b]];
  return first === undefined || second === undefined ? 0 : compare(first, second);
}

function swap<Item>(items: Item[], a: number, b: number): void {
  const [first, second] = [items[a], items[b]];
  if (first === undefined || second === undefined) return;
  items[a] = second;
  items[b] = first;
}

/** Brings the first, middle and last element into order; then smaller elements before a pivot. Returns where the pivot is. */
function partition<Item>(items: Item[], from: number, to: number, compare: (a: Item, b: Item) => number): number {
  const after = (a: number, b: number): boolean => ordered(items, a, b, compare) > 0;
  let pivot = from + Math.floor((to - from) / 2);
  const last = to - 1;
  sortThree(items, [from, pivot, last], after);
  let [low, high] = [from + 1, last - 1];
  for (;;) {
    while (low < pivot && !after(low, pivot)) low++;
    while (high > pivot && !after(pivot, high)) high--;
    if (low === high) return pivot;
    swap(items, low, high);
    if (low === pivot) {
      pivot = high;
      low++;
    } else if (high === pivot) {
      pivot = low;
      high--;
    } else {
      low++;
      high--;
    }
  }
}

function sortThree<Item>(
  items: Item[],
  [first, middle, last]: readonly [number, number, number],
  after: (a: number, b: number) => boolean,
): void {
  if (after(first, middle)) {
    if (after(middle, last)) swap(items, first, last);
    else if (after(first, last)) {
      swap(items, first, middle);
      swap(items, middle, last);
    } else swap(items, first, middle);
  } else if (after(middle, last)) {
    if (after(first, last)) {
      swap(items, first, last);
      swap(items, middle, last);
    } else swap(items, middle, last);
  }
}
