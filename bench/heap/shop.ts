/** What is in the heap of the benchmark: customers with orders, lists, maps, a leak, threads, class loaders, garbage. */
import {
  ROOT_JAVA_FRAME,
  ROOT_THREAD_OBJECT,
  TYPE_BYTE,
  TYPE_DOUBLE,
  TYPE_INT,
  TYPE_LONG,
  TYPE_OBJECT,
} from '../../src/formats/hprof/tags.js';
import type { JavaClass, PlacedHeap } from '../../src/formats/hprof/testing/placed-heap.js';
import { Random } from '../../src/testing/random.js';
import { defineTypes, type Types } from './shop-types.js';

/** An object whose retained size is known by construction. */
export interface Known {
  readonly what: string;
  readonly address: number;
  readonly retained: number;
}

const THREADS = 24;
const LOADERS = 60;
const CLASSES_OF_LOADER = 10;
const STATES = ['OPEN', 'PAID', 'SENT', 'LOST'];
const ARTICLES = 1000;
const ORDERS = 5;
const LINES = 4;
const STICKS = 4;

/** How many there are of the larger parts. */
export interface Amounts {
  readonly customers: number;
  /** Nodes of the list in one direction. */
  readonly list: number;
  readonly linked: number;
  /** Elements of the two large arrays. */
  readonly large: number;
}

export class Shop {
  readonly known: Known[] = [];
  readonly #heap: PlacedHeap;
  readonly #random = new Random(20261121);
  readonly #types: Types;
  /** Elements of the static array that holds everything. */
  readonly #registry: number;
  readonly #all: number[] = [];
  readonly #articles: number[] = [];
  readonly #states: number[] = [];
  readonly #plugins: JavaClass[][];
  readonly #loaders: number[];
  readonly #traces: number[] = [];

  constructor(heap: PlacedHeap) {
    this.#heap = heap;
    this.#registry = heap.takeArray(TYPE_OBJECT, 16);
    this.#types = defineTypes(heap, this.#registry);
    this.#loaders = Array.from({ length: LOADERS }, () => heap.take(this.#types.loader));
    this.#plugins = this.#loaders.map((loader) =>
      Array.from({ length: CLASSES_OF_LOADER }, (_, i) =>
        heap.define(`plugin/Part${i}`, {
          parent: this.#types.object,
          loader,
          fields: [
            ['data', TYPE_OBJECT],
            ['count', TYPE_INT],
          ],
        }),
      ),
    );
    this.#writeTraces();
  }

  #writeTraces(): void {
    const { writer } = this.#heap;
    const text = (name: string): number => this.#heap.name(name);
    for (let i = 0; i < THREADS; i++) {
      const names = [text(`work${i % 5}`), text('()V'), text('Worker.java')] as const;
      writer.frame([i + 1, ...names], 1, 10 + i);
      this.#traces.push(i + 2);
    }
    writer.trace(1, 0, []);
    for (const [i, trace] of this.#traces.entries()) writer.trace(trace, i + 1, [i + 1]);
  }

  /** Writes the whole heap. */
  write({ customers, list, linked, large }: Amounts): void {
    const heap = this.#heap;
    heap.writeClasses();
    const elements = [
      this.#pools(),
      this.#customers(customers),
      this.#list(list),
      this.#linked(linked),
      this.#leak(Math.ceil(customers / 100)),
      this.#numbers(large),
      this.#loaded(),
      this.#weak(customers),
    ];
    this.#garbage(customers);
    while (elements.length < 16) elements.push(0);
    heap.objects(this.#registry, this.#types.objects, elements);
    this.#threads();
    heap.writeClassRoots();
    heap.writer.end();
  }

  #know(what: string, address: number, retained: number): void {
    this.known.push({ what, address, retained });
  }

  #string(text: string): number {
    return this.#heap.string(this.#types, text);
  }

  /** Strings and states that many objects share. */
  #pools(): number {
    const heap = this.#heap;
    for (let i = 0; i < ARTICLES; i++) this.#articles.push(this.#string(`article ${i}`));
    for (const [i, name] of STATES.entries()) {
      const at = heap.take(this.#types.state);
      const text = this.#string(name);
      const out = heap.instance(at, this.#types.state);
      heap.reference(out, text);
      out.u4(i);
      this.#states.push(at);
    }
    const shared = [...this.#articles, ...this.#states];
    const at = heap.takeArray(TYPE_OBJECT, shared.length);
    heap.objects(at, this.#types.objects, shared);
    return at;
  }

  #customers(count: number): number {
    const names: number[] = [];
    for (let i = 0; i < count; i++) names.push(this.#customer(i));
    const list = this.#arrayList(this.#all, count);
    this.#know('shop.Customer list: the customers are in a map, too', list, this.#arrayListBytes(count));
    const byName = this.#map(names.map((name, i) => [name, this.#all[i] ?? 0]));
    const at = this.#heap.takeArray(TYPE_OBJECT, 2);
    this.#heap.objects(at, this.#types.objects, [list, byName]);
    return at;
  }

  /** Writes a customer and what belongs to it. Returns the name, which the map of customers holds, too. */
  #customer(number: number): number {
    const heap = this.#heap;
    const types = this.#types;
    const name = this.#string(`Customer ${number}`);
    const at = heap.take(types.customer);
    const friend = this.#all[this.#random.below(number)] ?? 0;
    this.#all.push(at);
    const address = this.#address(number);
    const orders: [number, number][] = [];
    for (let i = 0; i < ORDERS; i++) orders.push(this.#order(at, number * ORDERS + i));
    const map = this.#map(orders);
    const notes =
      number % 3 === 0 ? this.#arrayList([], 10) : this.#arrayList([this.#string(`day ${number % 365}`)], 10);
    const picture = number % 2 === 0 ? this.#bytes(this.#random.below(4000)) : 0;
    const out = heap.instance(at, types.customer);
    for (const to of [name, address, map, notes, picture, friend]) heap.reference(out, to);
    out.u4(number);
    if (number === 0 || number === 10) this.#know(`shop.Customer ${number}`, at, heap.space.next - at);
    return name;
  }

  #address(number: number): number {
    const heap = this.#heap;
    const at = heap.take(this.#types.address);
    const street = this.#string(`Street ${number % 5000}`);
    const city = this.#string('Reykjavik');
    const out = heap.instance(at, this.#types.address);
    heap.reference(out, street);
    heap.reference(out, city);
    out.u4(number % 200);
    return at;
  }

  /** Returns key and order. */
  #order(customer: number, number: number): [number, number] {
    const heap = this.#heap;
    const types = this.#types;
    const key = heap.take(types.long);
    heap.instance(key, types.long).u8(number);
    const at = heap.take(types.order);
    const lines: number[] = [];
    for (let i = 0; i < LINES; i++) lines.push(this.#line(at, number * LINES + i));
    const list = this.#arrayList(lines, 10);
    const weights = heap.takeArray(TYPE_DOUBLE, number % STICKS);
    const values = heap.primitives(weights, types.doubles, TYPE_DOUBLE, number % STICKS);
    for (let i = 0; i < number % STICKS; i++) values.f8(i + number / 8);
    const out = heap.instance(at, types.order);
    for (const to of [customer, list, this.#states[number % STATES.length] ?? 0, weights]) heap.reference(out, to);
    out.u8(number);
    return [key, at];
  }

  #line(order: number, number: number): number {
    const heap = this.#heap;
    const at = heap.take(this.#types.line);
    const own = number % 3 === 0;
    const article = own ? this.#string(`article ${number % ARTICLES}`) : (this.#articles[number % ARTICLES] ?? 0);
    const out = heap.instance(at, this.#types.line);
    heap.reference(out, order);
    heap.reference(out, article);
    out.u8(100 + number);
    out.u2(number % 9);
    out.u1(number % 7 === 0 ? 1 : 0);
    return at;
  }

  #bytes(length: number): number {
    const at = this.#heap.takeArray(TYPE_BYTE, length);
    this.#heap.primitives(at, this.#types.bytes, TYPE_BYTE, length).zeros(length);
    return at;
  }

  #arrayList(elements: readonly number[], room: number): number {
    const heap = this.#heap;
    const at = heap.take(this.#types.arrayList);
    const data = heap.takeArray(TYPE_OBJECT, Math.max(room, elements.length));
    const out = heap.instance(at, this.#types.arrayList);
    heap.reference(out, data);
    out.u4(elements.length);
    out.u4(elements.length);
    const padding: number[] = new Array(Math.max(0, room - elements.length)).fill(0);
    heap.objects(data, this.#types.objects, [...elements, ...padding]);
    return at;
  }

  #arrayListBytes(length: number): number {
    return this.#types.arrayList.bytes + 16 + Math.ceil(length / 2) * 8;
  }

  /** A map of keys and values that are there already; four entries a bucket at most. */
  #map(entries: readonly (readonly [key: number, value: number])[]): number {
    const heap = this.#heap;
    const types = this.#types;
    const at = heap.take(types.hashMap);
    const capacity = Math.max(16, 2 ** Math.floor(Math.log2(entries.length || 1)));
    const table = heap.takeArray(TYPE_OBJECT, capacity);
    const out = heap.instance(at, types.hashMap);
    heap.reference(out, table);
    out.id(0);
    for (const value of [entries.length, entries.length, Math.floor(capacity * 0.75)]) out.u4(value);
    out.f4(0.75);
    out.id(0);
    out.id(0);
    const buckets: number[] = new Array(capacity).fill(0);
    for (const [i, [key, value]] of entries.entries()) {
      const node = heap.take(types.hashNode);
      const values = heap.instance(node, types.hashNode);
      values.u4(i);
      for (const to of [key, value, buckets[i % capacity] ?? 0]) heap.reference(values, to);
      buckets[i % capacity] = node;
    }
    heap.objects(table, types.hashNodes, buckets);
    return at;
  }

  /** A list in one direction, each node behind the one before it. */
  #list(length: number): number {
    const heap = this.#heap;
    const { node } = this.#types;
    const first = heap.space.next;
    for (let i = 0; i < length; i++) {
      const at = heap.take(node);
      const out = heap.instance(at, node);
      heap.reference(out, i === length - 1 ? 0 : at + node.bytes);
      out.u4(i);
    }
    for (const i of [0, length / 2, length - 1])
      this.#know(`shop.Node ${i} of ${length}`, first + i * node.bytes, (length - i) * node.bytes);
    return first;
  }

  #linked(length: number): number {
    const heap = this.#heap;
    const { linkedList, linkedNode, integer } = this.#types;
    const at = heap.take(linkedList);
    const first = heap.space.next;
    const step = linkedNode.bytes + integer.bytes;
    const last = first + (length - 1) * step;
    for (let i = 0; i < length; i++) {
      const node = heap.take(linkedNode);
      const item = heap.take(integer);
      const out = heap.instance(node, linkedNode);
      for (const to of [item, i < length - 1 ? node + step : 0, i > 0 ? node - step : 0]) heap.reference(out, to);
      heap.instance(item, integer).u4(i);
    }
    const out = heap.instance(at, linkedList);
    out.u4(length);
    heap.reference(out, first);
    heap.reference(out, last);
    out.u4(length);
    this.#know(`java.util.LinkedList of ${length}`, at, heap.space.next - at);
    this.#know(`its node ${length / 2}, held from both sides`, first + (length / 2) * step, step);
    return at;
  }

  /** A map from names to images that nobody empties. */
  #leak(count: number): number {
    const before = this.#heap.space.next;
    const entries: [number, number][] = [];
    for (let i = 0; i < count; i++) entries.push([this.#string(`image-${i}`), this.#bytes(2000)]);
    const at = this.#map(entries);
    this.#know(`java.util.HashMap, a leak of ${count} images`, at, this.#heap.space.next - before);
    return at;
  }

  /** Large arrays: rows, and two that are longer than a segment. */
  #numbers(length: number): number {
    const heap = this.#heap;
    const types = this.#types;
    const rows: number[] = [];
    for (let i = 0; i < 200; i++) {
      const row = heap.takeArray(TYPE_DOUBLE, 1000);
      heap.primitives(row, types.doubles, TYPE_DOUBLE, 1000).zeros(8000);
      rows.push(row);
    }
    const at = heap.takeArray(TYPE_OBJECT, rows.length);
    heap.objects(at, types.doubleRows, rows);
    const longs = heap.takeArray(TYPE_LONG, length);
    heap.primitives(longs, types.longs, TYPE_LONG, length).zeros(8 * length);
    const bytes = this.#bytes(8 * length);
    const all = heap.takeArray(TYPE_OBJECT, 3);
    heap.objects(all, types.objects, [at, longs, bytes]);
    this.#know('double[200][1000]', at, 200 * 8016 + 816);
    this.#know('array of the large arrays', all, 200 * 8016 + 816 + 2 * (8 * length + 16) + 32);
    return all;
  }

  /** Instances of the classes that loaders defined, and the loaders. */
  #loaded(): number {
    const heap = this.#heap;
    for (const [i, loader] of this.#loaders.entries()) {
      const parts = (this.#plugins[i] ?? []).map((type) => {
        const at = heap.take(type);
        const data = this.#bytes(400);
        const out = heap.instance(at, type);
        heap.reference(out, data);
        out.u4(i);
        return at;
      });
      const all = this.#arrayList(parts, 10);
      const out = heap.instance(loader, this.#types.loader);
      heap.reference(out, all);
      out.id(0);
    }
    return this.#arrayList(this.#loaders, LOADERS);
  }

  #weak(customers: number): number {
    const heap = this.#heap;
    const references: number[] = [];
    for (let i = 0; i < customers; i += 50) {
      const at = heap.take(this.#types.weak);
      const out = heap.instance(at, this.#types.weak);
      heap.reference(out, this.#all[i] ?? 0);
      for (let rest = 0; rest < 3; rest++) out.id(0);
      references.push(at);
    }
    return this.#arrayList(references, references.length);
  }

  /** Strings that nobody holds. */
  #garbage(count: number): void {
    for (let i = 0; i < count; i++) this.#string(`garbage ${i}`);
  }

  /** Threads with an array and a string in a frame; they hold these only where locals belong to their thread. */
  #threads(): void {
    const heap = this.#heap;
    const { thread, ints } = this.#types;
    const roots: [tag: number, object: number, numbers: readonly number[]][] = [];
    for (const [i, trace] of this.#traces.entries()) {
      const at = heap.take(thread);
      const name = this.#string(`worker-${i}`);
      const out = heap.instance(at, thread);
      heap.reference(out, name);
      out.u8(i);
      const local = heap.takeArray(TYPE_INT, 1000 + i);
      heap.primitives(local, ints, TYPE_INT, 1000 + i).zeros(4 * (1000 + i));
      const text = this.#string(`local of ${i}`);
      roots.push([ROOT_THREAD_OBJECT, at, [i + 1, trace]]);
      for (const object of [local, text]) roots.push([ROOT_JAVA_FRAME, object, [i + 1, 0]]);
      if (i === 0) this.#know('java.lang.Thread worker-0 with its locals', at, heap.space.next - at);
    }
    for (const [tag, object, numbers] of roots) heap.writer.root(tag, object, numbers);
  }
}
