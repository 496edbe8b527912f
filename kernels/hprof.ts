/**
 * Kernels of the HPROF reader: the passes over the sub-records of a heap dump (`src/formats/hprof/heap/kernel` lays out the
 * memory, the passes there describe what is read). Each takes instances and arrays of a window as long as they are usual,
 * and stops before any other sub-record: the caller reads that one in TypeScript and calls again.
 *
 * Memory is shared by threads where tables say so. Nothing here allocates. Ids are compared as they stand in the file where
 * their order does not matter: that saves turning them round.
 */

const INSTANCE: u32 = 0x21;
const OBJECT_ARRAY: u32 = 0x22;
const PRIMITIVE_ARRAY: u32 = 0x23;
/** Ids from here on have no exact double: bits to shift. */
const HUGE: u64 = 53;
/** Classes 4 to 11 are types: version 1.0. */
const FIRST_TYPE: u64 = 4;
const TYPES: u64 = 8;

/** As in `references.ts`. */
const LONGEST_VALUES: u32 = 1 << 21;
const LAST_REFERENCE: u32 = 0x80000000;
const NO_REFERENT: u32 = 0x7fffffff;
const NO_ROW: u32 = 0xffffffff;

@inline
function id<T>(at: usize): u64 {
  return sizeof<T>() === 8 ? bswap<u64>(load<u64>(at)) : <u64>bswap<u32>(load<u32>(at));
}

/** An id as it stands in the file. */
@inline
function raw<T>(at: usize): u64 {
  return sizeof<T>() === 8 ? load<u64>(at) : <u64>load<u32>(at);
}

@inline
function number(at: usize): u32 {
  return bswap<u32>(load<u32>(at));
}

/** Length of the head of an instance or array; 0 where another sub-record begins, or the head is cut. */
@inline
function headOf<T>(at: u64, last: u64): u64 {
  const idSize: u64 = sizeof<T>();
  const tag = <u32>load<u8>(<usize>at);
  if (tag - INSTANCE > 2) return 0;
  const head = tag === PRIMITIVE_ARRAY ? 10 + idSize : 9 + 2 * idSize;
  return at + head > last ? 0 : head;
}

/** Where a class is in a table of 16 bytes a place: its id as in the file, then two numbers; the last is 0 where none is. */
@inline
function placeOf(table: usize, mask: u32, key: u64): usize {
  let place = <u32>((key * 0x9e3779b97f4a7c15) >> 40);
  while (true) {
    const at = table + (<usize>(place & mask) << 4);
    if (load<u32>(at, 12) === 0) return 0;
    if (load<u64>(at) === key) return at;
    place++;
  }
}

/** Adds a class, or changes its numbers. */
export function addClass(table: usize, mask: u32, idSize: u32, at: usize, first: u32, second: u32): void {
  const key = idSize === 8 ? raw<u64>(at) : raw<u32>(at);
  let place = <u32>((key * 0x9e3779b97f4a7c15) >> 40);
  while (true) {
    const taken = table + (<usize>(place & mask) << 4);
    if (load<u32>(taken, 12) === 0 || load<u64>(taken) === key) break;
    place++;
  }
  const free = table + (<usize>(place & mask) << 4);
  store<u64>(free, key);
  store<u32>(free, first, 8);
  store<u32>(free, second, 12);
}

// The scan. Tables at `state`: see `scan-kernel.ts`.

const BEFORE: usize = 0;
const BLOCK: usize = 8;
const GAP: usize = 16;
const TRACE: usize = 20;
const TRACED: usize = 24;
const BITS: usize = 28;
const OBJECTS: usize = 32;
const BLOCKS: usize = 36;
const CLASS_MASK: usize = 40;
const CLASS_TABLE: usize = 44;
const COUNTS: usize = 48;
const ARRAY_GAPS: usize = 52;
const PRIMITIVES: usize = 56;
const CODES: usize = 60;
const BLOCK_LIST: usize = 64;
const BLOCK_CACHE: usize = 68;
/** 1 if it stops where ids do not ascend. */
const IN_ORDER: usize = 72;

/** Counters of a class: gap, instances, bytes of values, arrays, elements, arrays by residue; 8 bytes each. */
const CLASS_SHIFT: usize = 7;
const GAP_LENGTHS: u32 = 64;
const GAP_PLACES: u32 = 12 * GAP_LENGTHS;
/** Counters of a type: arrays, elements, arrays by residue. */
const TYPE_BYTES: usize = (2 + 256) * 8;
const BLOCK_SHIFT: u64 = 20;
const MOST_BLOCKS: u32 = 1 << 12;
const CACHE_MASK: u64 = (1 << 12) - 1;

@inline
function count(at: usize, by: u64): void {
  store<u64>(at, load<u64>(at) + by);
}

/** Counts objects from `from` to before `end`; returns where it stopped, which may be behind `end`. */
@inline
function scan<T>(from: usize, end: usize, state: usize): f64 {
  const idSize: u64 = sizeof<T>();
  const last: u64 = end;
  const mask = load<u32>(state, CLASS_MASK);
  const table = load<u32>(state, CLASS_TABLE);
  const counts = load<u32>(state, COUNTS);
  const arrayGaps = load<u32>(state, ARRAY_GAPS);
  const primitives = load<u32>(state, PRIMITIVES);
  const codes = load<u32>(state, CODES);
  const blockList = load<u32>(state, BLOCK_LIST);
  const cache = load<u32>(state, BLOCK_CACHE);
  const inOrder = load<u32>(state, IN_ORDER) !== 0;
  let before = load<u64>(state, BEFORE);
  let block = load<u64>(state, BLOCK);
  let trace = load<u32>(state, TRACE);
  let bits = load<u32>(state, BITS);
  let objects = load<u32>(state, OBJECTS);
  let blocks = load<u32>(state, BLOCKS);
  let gap = load<u32>(state, GAP);
  let gapAt = gap < GAP_PLACES ? arrayGaps + (gap << 3) : counts + ((gap - GAP_PLACES) << CLASS_SHIFT);
  let at: u64 = from;
  while (at < last && blocks < MOST_BLOCKS) {
    const head = headOf<T>(at, last);
    if (head === 0) break;
    const p = <usize>at;
    const tag = <u32>load<u8>(p);
    const object = id<T>(p + 1);
    if (object >> HUGE !== 0 || (inOrder && object <= before)) break;
    const rest = p + 5 + <usize>idSize;
    if (tag === INSTANCE) {
      const place = placeOf(table, mask, raw<T>(rest));
      if (place === 0) break;
      const length = <u64>number(rest + <usize>idSize);
      if (length + 1 !== <u64>load<u32>(place, 12)) break;
      gap = GAP_PLACES + load<u32>(place, 8);
      const counter = counts + (load<u32>(place, 8) << CLASS_SHIFT);
      count(counter + 8, 1);
      count(counter + 16, length);
      at += head + length;
      if (object > before && object - before < load<u64>(gapAt)) store<u64>(gapAt, object - before);
      gapAt = counter;
    } else {
      const elements = number(rest);
      if (tag === PRIMITIVE_ARRAY) {
        const code = codes + (<usize>load<u8>(rest + 4) << 1);
        const size = <u64>load<u8>(code);
        if (size === 0) break;
        const type = <u32>load<u8>(code, 1);
        const counter = primitives + <usize>type * TYPE_BYTES;
        count(counter, 1);
        count(counter + 8, <u64>elements);
        count(counter + 16 + (<usize>(elements & 255) << 3), 1);
        gap = elements < GAP_LENGTHS ? type * GAP_LENGTHS + elements : 0;
        at += head + <u64>elements * size;
      } else {
        const place = placeOf(table, mask, raw<T>(rest + 4));
        if (place === 0) break;
        const counter = counts + (load<u32>(place, 8) << CLASS_SHIFT);
        count(counter + 24, 1);
        count(counter + 32, <u64>elements);
        count(counter + 40 + (<usize>(elements & 7) << 3), 1);
        gap = elements < GAP_LENGTHS ? 2 * GAP_LENGTHS + elements : 0;
        at += head + <u64>elements * idSize;
      }
      if (object > before && object - before < load<u64>(gapAt)) store<u64>(gapAt, object - before);
      gapAt = arrayGaps + (gap << 3);
    }
    before = object;
    bits |= <u32>object;
    objects++;
    const own = load<u32>(p + 1, sizeof<T>());
    if (own !== trace) {
      trace = own;
      store<u32>(state, load<u32>(state, TRACED) + 1, TRACED);
    }
    if (object >> BLOCK_SHIFT !== block) {
      block = object >> BLOCK_SHIFT;
      const known = cache + <usize>((block & CACHE_MASK) << 3);
      if (load<u64>(known) !== block + 1) {
        store<u64>(known, block + 1);
        store<u64>(blockList + (blocks++ << 3), block);
      }
    }
  }
  store<u64>(state, before, BEFORE);
  store<u64>(state, block, BLOCK);
  store<u32>(state, gap, GAP);
  store<u32>(state, trace, TRACE);
  store<u32>(state, bits, BITS);
  store<u32>(state, objects, OBJECTS);
  store<u32>(state, blocks, BLOCKS);
  return <f64>(at - from);
}

export function scan4(from: usize, end: usize, state: usize): f64 {
  return scan<u32>(from, end, state);
}

export function scan8(from: usize, end: usize, state: usize): f64 {
  return scan<u64>(from, end, state);
}

// Ids and references. Tables at `graph`, the same for all threads: see `graph-kernel.ts`.

const BASE: usize = 0;
const PAGE_SHIFT: usize = 8;
const SLOT_SHIFT: usize = 12;
const WORDS_SHIFT: usize = 16;
const PAGES: usize = 20;
const DIRECTORY: usize = 24;
const WORDS: usize = 28;
const GRAPH_CODES: usize = 32;
const GRAPH_MASK: usize = 36;
const GRAPH_CLASSES: usize = 40;
const FIRST: usize = 44;
const OFFSET: usize = 48;

let base: u64 = 0;
let pageShift: u64 = 0;
let slotShift: u64 = 0;
let wordsShift: u32 = 0;
let pages: u64 = 0;
let directory: usize = 0;
let words: usize = 0;

/** Reads the layout of the ids. */
@inline
function layOut(graph: usize): void {
  base = load<u64>(graph, BASE);
  pageShift = load<u32>(graph, PAGE_SHIFT);
  slotShift = load<u32>(graph, SLOT_SHIFT);
  wordsShift = load<u32>(graph, WORDS_SHIFT);
  pages = load<u32>(graph, PAGES);
  directory = load<u32>(graph, DIRECTORY);
  words = load<u32>(graph, WORDS);
}

/** The bit of an id in the word that `wordAt` returned last. */
let bit: u32 = 0;

/** Address of the word of an id; 0 if there is none. */
@inline
function wordAt(object: u64): usize {
  const offset = object - base;
  const page = offset >> pageShift;
  if (page >= pages) return 0;
  const number = load<i32>(directory + (<usize>page << 2));
  if (number < 0) return 0;
  const inPage = <u32>offset & ((1 << <u32>pageShift) - 1);
  const slot = inPage >> <u32>slotShift;
  if (slot << <u32>slotShift !== inPage) return 0;
  bit = slot & 31;
  return words + ((<usize>((<u32>number << wordsShift) + (slot >> 5))) << 3);
}

@inline
function rowOf(object: u64): u32 {
  const at = wordAt(object);
  if (at === 0) return NO_ROW;
  const bits = load<u32>(at);
  if (((bits >> bit) & 1) === 0) return NO_ROW;
  return load<u32>(at, 4) + <u32>popcnt(bits & ((1 << bit) - 1));
}

/** Sets the bits of all objects. */
@inline
function ids<T>(from: usize, end: usize, graph: usize): f64 {
  layOut(graph);
  const idSize: u64 = sizeof<T>();
  const last: u64 = end;
  const codes = load<u32>(graph, GRAPH_CODES);
  let at: u64 = from;
  // Objects that follow each other often have their bits in one word.
  let word: usize = 0;
  let bits: u32 = 0;
  while (at < last) {
    const head = headOf<T>(at, last);
    if (head === 0) break;
    const p = <usize>at;
    const tag = <u32>load<u8>(p);
    let length: u64;
    if (tag === INSTANCE) length = number(p + 5 + 2 * <usize>idSize);
    else if (tag === PRIMITIVE_ARRAY) {
      const size = <u64>load<u8>(codes + (<usize>load<u8>(p + 9 + <usize>idSize) << 3));
      if (size === 0) break;
      length = <u64>number(p + 5 + <usize>idSize) * size;
    } else {
      if (id<T>(p + 9 + <usize>idSize) - FIRST_TYPE < TYPES) break;
      length = <u64>number(p + 5 + <usize>idSize) * idSize;
    }
    const found = wordAt(id<T>(p + 1));
    if (found === 0) break;
    if (found !== word) {
      if (word !== 0) atomic.or<u32>(word, bits);
      word = found;
      bits = 0;
    }
    bits |= 1 << bit;
    at += head + length;
  }
  if (word !== 0) atomic.or<u32>(word, bits);
  return <f64>(at - from);
}

export function ids4(from: usize, end: usize, graph: usize): f64 {
  return ids<u32>(from, end, graph);
}

export function ids8(from: usize, end: usize, graph: usize): f64 {
  return ids<u64>(from, end, graph);
}

/** Results of the last call: objects, their references, references without an object; whether the columns are full. */
export let objects: u32 = 0;
export let references: u32 = 0;
export let missing: u32 = 0;
export let full: u32 = 0;

/**
 * The objects and their references, to columns at `out`: row, class, elements, place behind the first reference, trace, each
 * `most` long; the references, `room` of them, follow.
 */
@inline
function refer<T>(from: usize, end: usize, graph: usize, out: usize, most: u32, room: u32): f64 {
  layOut(graph);
  const idSize: u64 = sizeof<T>();
  const last: u64 = end;
  const codes = load<u32>(graph, GRAPH_CODES);
  const mask = load<u32>(graph, GRAPH_MASK);
  const table = load<u32>(graph, GRAPH_CLASSES);
  const firstOf = load<u32>(graph, FIRST);
  const offsets = load<u32>(graph, OFFSET);
  const column = <usize>most << 2;
  const targets = out + column * 5;
  let at: u64 = from;
  let count: u32 = 0;
  let used: u32 = 0;
  let unknown: u32 = 0;
  full = 0;
  while (at < last) {
    const head = headOf<T>(at, last);
    if (head === 0) break;
    const p = <usize>at;
    const tag = <u32>load<u8>(p);
    if (count === most) {
      full = 1;
      break;
    }
    const row = rowOf(id<T>(p + 1));
    if (row === NO_ROW) break;
    let next: u64;
    let heapClass: u32;
    let elements: u32 = 0;
    const start = used;
    if (tag === INSTANCE) {
      const place = placeOf(table, mask, raw<T>(p + 5 + <usize>idSize));
      if (place === 0) break;
      heapClass = load<u32>(place, 8);
      if (heapClass === 0) break;
      const length = number(p + 5 + 2 * <usize>idSize);
      const values = p + <usize>head;
      next = at + head + length;
      if (next > last || length > LONGEST_VALUES) break;
      // The first of a class with referents has its upper bit set.
      let field = load<u32>(firstOf + ((<usize>heapClass - 1) << 2));
      const to = load<u32>(firstOf + (<usize>heapClass << 2)) & 0x7fffffff;
      const hasReferent = field >> 31 !== 0;
      field &= 0x7fffffff;
      if (to - field > room - used) {
        full = used > 0 ? 1 : 0;
        break;
      }
      if (hasReferent && field < to) {
        const place = load<u32>(offsets + (<usize>field << 2));
        const object: u64 = <u64>place + idSize > <u64>length ? 0 : id<T>(values + place);
        const target = object === 0 ? NO_ROW : rowOf(object);
        if (target === NO_ROW && object !== 0) unknown++;
        store<u32>(targets + (<usize>used << 2), target === NO_ROW ? NO_REFERENT : target);
        used++;
        field++;
      }
      for (; field < to; field++) {
        const place = load<u32>(offsets + (<usize>field << 2));
        if (<u64>place + idSize > <u64>length) continue;
        const object = id<T>(values + place);
        if (object === 0) continue;
        const target = rowOf(object);
        store<u32>(targets + (<usize>used << 2), target);
        if (target === NO_ROW) unknown++;
        else used++;
      }
    } else {
      elements = number(p + 5 + <usize>idSize);
      if (tag === PRIMITIVE_ARRAY) {
        const code = codes + (<usize>load<u8>(p + 9 + <usize>idSize) << 3);
        const size = <u64>load<u32>(code);
        if (size === 0) break;
        heapClass = load<u32>(code, 4);
        next = at + head + <u64>elements * size;
      } else {
        const place = placeOf(table, mask, raw<T>(p + 9 + <usize>idSize));
        if (place === 0) break;
        heapClass = load<u32>(place, 12);
        if (heapClass === NO_ROW) break;
        next = at + head + <u64>elements * idSize;
        if (next > last) break;
        if (elements > room - used) {
          full = used > 0 ? 1 : 0;
          break;
        }
        for (let each = p + <usize>head; each < <usize>next; each += <usize>idSize) {
          const object = id<T>(each);
          if (object === 0) continue;
          const target = rowOf(object);
          store<u32>(targets + (<usize>used << 2), target);
          if (target === NO_ROW) unknown++;
          else used++;
        }
      }
    }
    const columns = out + (<usize>count << 2);
    count++;
    at = next;
    store<u32>(columns, row);
    store<u32>(columns + column, heapClass);
    store<u32>(columns + column * 2, elements);
    store<u32>(columns + column * 4, number(p + 1 + <usize>idSize));
    if (used === start) store<u32>(columns + column * 3, 0);
    else {
      store<u32>(columns + column * 3, start + 1);
      const latest = targets + (<usize>(used - 1) << 2);
      store<u32>(latest, load<u32>(latest) | LAST_REFERENCE);
    }
  }
  objects = count;
  references = used;
  missing = unknown;
  return <f64>(at - from);
}

export function references4(from: usize, end: usize, graph: usize, out: usize, most: u32, room: u32): f64 {
  return refer<u32>(from, end, graph, out, most, room);
}

export function references8(from: usize, end: usize, graph: usize, out: usize, most: u32, room: u32): f64 {
  return refer<u64>(from, end, graph, out, most, room);
}
