/**
 * One reader in a process of its own: reads the file and prints what it cost, as JSON.
 *
 *   node dist/bench/iprof/subject.js kansoku|json-parse FILE
 */
import { readFileSync } from 'node:fs';
import { fileSource } from '../../src/bytes/file.node.js';
import { readIprof } from '../../src/formats/iprof/read.js';
import { printCost } from '../compare.js';

const [subject = '', file = ''] = process.argv.slice(2);
const started = performance.now();
let entries = 0;
let failed = '';

if (subject === 'kansoku') {
  const recording = await readIprof(await fileSource(file));
  entries = recording.sections.reduce((sum, section) => sum + section.entries, 0);
} else {
  try {
    const json: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
    for (const section of Object.values(json)) entries += Array.isArray(section) ? section.length : 0;
  } catch (error) {
    failed = error instanceof Error ? error.message : String(error);
  }
}

printCost(started, entries, failed);
