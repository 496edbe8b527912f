/**
 * One way to read the classes of a file, in a process of its own; prints the cost as JSON. An entry is a class, of
 * `bytes` a window.
 *
 *   node dist/bench/classpath/subject.js index|load|bytes FILE
 */
import { fileSource } from '../../src/bytes/file.node.js';
import { openClassPath } from '../../src/code/java/class-path/class-path.node.js';
import { printCost } from '../compare.js';

const WINDOW = 4 << 20;

const [subject = '', file = ''] = process.argv.slice(2);
const started = performance.now();
let entries = 0;

if (subject === 'bytes') {
  const stream = await (await fileSource(file)).open();
  const window = new Uint8Array(WINDOW);
  while ((await stream.read(window)) > 0) entries++;
  await stream.close();
} else {
  const path = await openClassPath([file]);
  if (subject === 'index') entries = path.size;
  else await path.load('all', () => entries++, {});
  await path.close();
}
printCost(started, entries);
