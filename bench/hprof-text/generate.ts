/**
 * Makes an HPROF text of a given size as the JVMTI agent writes it: threads, traces, a heap dump that fills most of the
 * file, sites, samples. The same seed gives the same file.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Random } from '../../src/testing/random.js';

const CLASSES = 4000;
const METHODS = 12;
const TRACES_PER_MB = 300;
const CHUNK = 1 << 20;
const DATE = 'Sat Nov 21 01:42:25 2026';

const className = (id: number): string => `org.example.module${id % 40}.part${id % 200}.Class${id}`;
const classId = (id: number): string => (0x50000100 + id).toString(16);
const FIRST_OBJECT = 0x50100000;

export async function generate(file: string, bytes: number, seed = 1): Promise<void> {
  const text = new TextFile(file);
  const random = new Random(seed);
  const traces = Math.max(10, Math.round((bytes / 1e6) * TRACES_PER_MB));
  text.put(`JAVA PROFILE 1.0.1, created ${DATE}\n\n--------\n\n`);
  for (let id = 0; id < 40; id++) {
    const object = (0x50000000 + id).toString(16);
    text.put(`THREAD START (obj=${object}, id = ${200000 + id}, name="worker-${id}", group="main")\n`);
  }
  await writeTraces(text, random, traces);
  await writeHeap(text, random, traces, bytes * 0.97);
  writeSamples(text, Math.min(traces, 2000));
  await text.end();
}

/** A file that is written in chunks. */
class TextFile {
  readonly #output;
  #chunk: string[] = [];
  #length = 0;
  written = 0;

  constructor(file: string) {
    this.#output = createWriteStream(file);
  }

  put(text: string): void {
    this.#chunk.push(text);
    this.#length += text.length;
    this.written += text.length;
  }

  async flush(least = CHUNK): Promise<void> {
    if (this.#length < least) return;
    const text = this.#chunk.join('');
    this.#chunk = [];
    this.#length = 0;
    if (!this.#output.write(text)) await once(this.#output, 'drain');
  }

  async end(): Promise<void> {
    await this.flush(0);
    this.#output.end();
    await once(this.#output, 'finish');
  }
}

async function writeTraces(text: TextFile, random: Random, traces: number): Promise<void> {
  for (let trace = 0; trace < traces; trace++) {
    text.put(`TRACE ${300000 + trace}:\n`);
    for (let depth = 0; depth < 8; depth++) {
      const id = random.below(CLASSES);
      text.put(`\t${className(id)}.method${random.below(METHODS)}(Class${id}.java:${random.below(900) + 1})\n`);
    }
    await text.flush();
  }
}

async function writeHeap(text: TextFile, random: Random, traces: number, until: number): Promise<void> {
  text.put(`HEAP DUMP BEGIN (0 objects, 0 bytes) ${DATE}\n`);
  for (let object = FIRST_OBJECT; text.written < until; object++) {
    const type = random.below(CLASSES);
    const trace = 300000 + random.below(traces);
    const id = object.toString(16);
    const earlier = (): string => (FIRST_OBJECT + random.below(object - FIRST_OBJECT + 1)).toString(16);
    if (random.below(4) === 0) {
      const count = random.below(12);
      const of = `${className(type)}[]@${classId(type)}`;
      text.put(`ARR ${id} (sz=${16 + 4 * count}, trace=${trace}, nelems=${count}, elem type=${of})\n`);
      for (let i = 0; i < count; i++) text.put(`\t[${i}]\t\t${earlier()}\n`);
    } else {
      const size = 16 + 8 * random.below(8);
      text.put(`OBJ ${id} (sz=${size}, trace=${trace}, class=${className(type)}@${classId(type)})\n`);
      for (let i = random.below(4); i > 0; i--) text.put(`\tfield${i}\t\t${earlier()}\n`);
    }
    await text.flush();
  }
  for (let type = 0; type < CLASSES; type++)
    text.put(`CLS ${classId(type)} (name=${className(type)}, trace=300000)\n\tsuper\t\t50000100\n`);
  text.put('HEAP DUMP END\n');
}

function writeSamples(text: TextFile, rows: number): void {
  text.put(`CPU SAMPLES BEGIN (total = ${rows}) ${DATE}\nrank   self  accum   count trace method\n`);
  const share = (100 / rows).toFixed(2).padStart(5);
  for (let row = 1; row <= rows; row++) {
    const sum = ((100 * row) / rows).toFixed(2).padStart(5);
    text.put(`${String(row).padStart(4)} ${share}% ${sum}%       1 ${300000 + row - 1} x.y\n`);
  }
  text.put('CPU SAMPLES END\n');
}
