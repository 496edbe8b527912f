/**
 * One reader of collapsed stacks in a process of its own: reads the file and prints what it cost and the sum of the
 * counts, as JSON.
 *
 *   node dist/bench/collapsed/subject.js kansoku|readline|lines FILE
 *
 * `readline` does what a script would do: Node's readline, split at semicolons, self and total of each frame in a Map.
 * `lines`: readline alone, which counts and sums the numbers.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileSource } from '../../src/bytes/file.node.js';
import { readCollapsed } from '../../src/formats/collapsed/read.js';
import { column } from '../../src/models/table.js';
import { printCost } from '../compare.js';

const [subject = '', file = ''] = process.argv.slice(2);
const started = performance.now();
let sum = 0;

if (subject === 'kansoku') {
  const { profile } = await readCollapsed(await fileSource(file));
  const table = profile?.events[0];
  if (table !== undefined) for (const count of column(table, 'count')) sum += count;
} else {
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const blank = line.lastIndexOf(' ');
    const count = Number(line.slice(blank + 1));
    sum += count;
    if (subject === 'lines') continue;
    const frames = line.slice(0, blank).split(';');
    const leaf = frames.at(-1) ?? '';
    self.set(leaf, (self.get(leaf) ?? 0) + count);
    for (const frame of new Set(frames)) total.set(frame, (total.get(frame) ?? 0) + count);
  }
}

printCost(started, sum);
