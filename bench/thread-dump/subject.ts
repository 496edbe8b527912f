/**
 * One reader of thread dumps in a process of its own: reads the file and prints the cost as JSON. An entry is a
 * thread of a dump.
 *
 *   node dist/bench/thread-dump/subject.js kansoku|readline FILE
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileSource } from '../../src/bytes/file.node.js';
import { readThreadDump } from '../../src/formats/thread-dump/read.js';
import { printCost } from '../compare.js';

const [subject = '', file = ''] = process.argv.slice(2);
const started = performance.now();
let entries = 0;

if (subject === 'kansoku') {
  const recording = await readThreadDump(await fileSource(file));
  entries = recording.sections.find(({ name }) => name === 'thread states')?.entries ?? 0;
} else {
  // What a quick script would do: each line is matched, counted and forgotten.
  let frames = 0;
  let locks = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (/^"(.*)" #(\d+) .*tid=0x([0-9a-f]+)/.test(line)) entries++;
    else if (/^\tat ([^(]+)\(([^)]*)\)$/.test(line)) frames++;
    else if (/^\t- (locked|waiting to lock|waiting on|parking to wait for) +<0x([0-9a-f]+)>/.test(line)) locks++;
  }
  if (frames + locks === 0) throw new Error('no frames and no locks');
}
printCost(started, entries);
