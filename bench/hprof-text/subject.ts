/**
 * One reader of HPROF text in a process of its own: reads the file and prints what it cost, as JSON.
 *
 *   node dist/bench/hprof-text/subject.js kansoku|readline FILE
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileSource } from '../../src/bytes/file.node.js';
import { readHprofText } from '../../src/formats/hprof-text/read.js';
import { printCost } from '../compare.js';

const [subject = '', file = ''] = process.argv.slice(2);
const started = performance.now();

/** Does what a script would do: split lines, match each object and trace, count them. It keeps nothing. */
async function withReadline(): Promise<number> {
  const record = /^(?:(?:OBJ|ARR|CLS) ([0-9a-f]+) \((?:sz=(\d+)|name=)|TRACE (\d+):)/;
  let entries = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
    if (record.test(line)) entries++;
  return entries;
}

async function withKansoku(): Promise<number> {
  const recording = await readHprofText(await fileSource(file));
  const entries = (name: string): number => recording.sections.find((section) => section.name === name)?.entries ?? 0;
  return entries('HEAP DUMP') + entries('TRACE');
}

printCost(started, subject === 'kansoku' ? await withKansoku() : await withReadline());
