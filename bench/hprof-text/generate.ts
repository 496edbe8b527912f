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
const DATE = 'Sat Nov 21 01:42:25 2026';

export async function generate(file: string, bytes: number, seed = 1): Promise<void> {
  const random = new Random(seed);
  const output = createWriteStream(file);
  let written = 0;
  let chunk: string[] = [];
  let length = 0;
  const flush = async (): Promise<void> => {
    const text = chunk.join('');
    chunk = [];
    length = 0;
    if (!output.write(text)) await once(output, 'drain');
  };
  const put = (text: string): void => {
    chunk.push(text);
    length += text.length;
    written += text.length;
  };
  const className = (id: number): string => `org.example.module${id % 40}.part${id % 200}.Class${id}`;
  put(`JAVA PROFILE 1.0.1, created ${DATE}\n\n--------\n\n`);
  for (let id = 0; id < 40; id++)
    put(
      `THREAD START (obj=${(0x50000000 + id).toString(16)}, id = ${200000 + id}, name="worker-${id}", group="main")\n`,
    );
  const traces = Math.max(10, Math.round((bytes / 1e6) * TRACES_PER_MB));
  for (let trace = 0; trace < traces; trace++) {
    put(`TRACE ${300000 + trace}:\n`);
    for (let depth = 0; depth < 8; depth++) {
      const id = random.below(CLASSES);
      put(`\t${className(id)}.method${random.below(METHODS)}(Class${id}.java:${random.below(900) + 1})\n`);
    }
    if (length > 1 << 20) await flush();
  }
  put(`HEAP DUMP BEGIN (0 objects, 0 bytes) ${DATE}\n`);
  let object = 0x50100000;
  const objectBytes = bytes * 0.97;
  while (written < objectBytes) {
    const type = random.below(CLASSES);
    const trace = 300000 + random.below(traces);
    const earlier = (): string => (0x50100000 + random.below(object - 0x50100000 + 1)).toString(16);
    if (random.below(4) === 0) {
      const count = random.below(12);
      put(
        `ARR ${object.toString(16)} (sz=${16 + 4 * count}, trace=${trace}, nelems=${count}, elem type=${className(type)}[]@${(0x50000100 + type).toString(16)})\n`,
      );
      for (let i = 0; i < count; i++) put(`\t[${i}]\t\t${earlier()}\n`);
    } else {
      put(
        `OBJ ${object.toString(16)} (sz=${16 + 8 * random.below(8)}, trace=${trace}, class=${className(type)}@${(0x50000100 + type).toString(16)})\n`,
      );
      for (let i = random.below(4); i > 0; i--) put(`\tfield${i}\t\t${earlier()}\n`);
    }
    object++;
    if (length > 1 << 20) await flush();
  }
  for (let type = 0; type < CLASSES; type++)
    put(`CLS ${(0x50000100 + type).toString(16)} (name=${className(type)}, trace=300000)\n\tsuper\t\t50000100\n`);
  put('HEAP DUMP END\n');
  const rows = Math.min(traces, 2000);
  put(`CPU SAMPLES BEGIN (total = ${rows}) ${DATE}\nrank   self  accum   count trace method\n`);
  for (let row = 1; row <= rows; row++) {
    const share = (100 / rows).toFixed(2).padStart(5);
    put(
      `${String(row).padStart(4)} ${share}% ${((100 * row) / rows).toFixed(2).padStart(5)}%       1 ${300000 + row - 1} x.y\n`,
    );
  }
  put('CPU SAMPLES END\n');
  await flush();
  output.end();
  await once(output, 'finish');
}
