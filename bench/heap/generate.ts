/**
 * Writes a dump of known content for the benchmarks, and prints what is in it: objects, references, and the retained sizes
 * of some objects. The same number of customers gives the same bytes.
 *
 *   node dist/bench/heap/generate.js FILE [CUSTOMERS]
 *
 * 190,000 customers, the default, are about 1 GB and 16 million objects; it takes 10 s and 150 MB of memory.
 */
import { statSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { PlacedHeap } from '../../src/formats/hprof/testing/placed-heap.js';
import { FileSink } from './file-sink.js';
import { type Known, Shop } from './shop.js';

export interface Facts {
  readonly bytes: number;
  /** Instances and arrays. */
  readonly objects: number;
  readonly classes: number;
  /** Of fields, elements and statics, without null and the references to classes, superclasses and loaders. */
  readonly references: number;
  /** Of the objects in the heap: HotSpot with compressed references. */
  readonly heapBytes: number;
  /** Without class objects. Weak references hold, and locals belong to their threads. */
  readonly known: readonly Known[];
  readonly histogram: readonly { readonly name: string; readonly objects: number; readonly bytes: number }[];
}

/** Writes FILE and, beside it, FILE.json with the facts. */
export function generate(file: string, customers = 190_000): Facts {
  const sink = new FileSink(file);
  const heap = new PlacedHeap(sink);
  const shop = new Shop(heap);
  shop.write({ customers, list: 645_000, linked: 215_000, large: 1_200_000 });
  sink.close();
  const used = heap.classes.filter(({ objects }) => objects > 0);
  const facts: Facts = {
    bytes: statSync(file).size,
    objects: used.reduce((sum, { objects }) => sum + objects, 0),
    classes: heap.classes.length,
    references: heap.references,
    heapBytes: used.reduce((sum, { heapBytes }) => sum + heapBytes, 0),
    known: shop.known,
    histogram: used
      .map(({ name, objects, heapBytes }) => ({ name, objects, bytes: heapBytes }))
      .sort((a, b) => b.bytes - a.bytes),
  };
  writeFileSync(`${file}.json`, `${JSON.stringify(facts, undefined, 1)}\n`);
  return facts;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , file = 'writer.hprof', customers = '190000'] = process.argv;
  const { histogram, known, ...counts } = generate(file, Number(customers));
  const lines = Object.entries(counts).map(([key, value]) => `${key} ${value}`);
  for (const { what, address, retained } of known) lines.push(`0x${address.toString(16)} retains ${retained}: ${what}`);
  for (const { name, objects, bytes } of histogram.slice(0, 20)) lines.push(`${objects} ${bytes} ${name}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}
