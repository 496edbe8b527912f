/**
 * How fast HPROF text is read: Kansoku's whole model against a script that splits lines with `node:readline`, matches
 * each record and keeps nothing, and against `wc -l`.
 *
 *   node dist/bench/hprof-text/run.js [FOLDER] [MEGABYTES,…] [RUNS]
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Cost, compare, runSubject } from '../compare.js';
import { generate } from './generate.js';

const [folder = join(tmpdir(), 'kansoku-bench'), sizes = '100,1000', runs = '3'] = process.argv.slice(2);
const subject = fileURLToPath(new URL('./subject.js', import.meta.url));
mkdirSync(folder, { recursive: true });
const files: string[] = [];
for (const megabytes of sizes.split(',')) {
  const file = join(folder, `${megabytes}.hprof.txt`);
  if (!existsSync(file)) await generate(file, Number(megabytes) * 1e6);
  files.push(file);
}

function countLines(file: string): Cost {
  const before = process.resourceUsage();
  const started = performance.now();
  const text = execFileSync('bash', ['-c', 'times; wc -l < "$1"; times', '-', file], { encoding: 'utf8' });
  const seconds = [
    ...text
      .trim()
      .split('\n')
      .slice(-1)[0]
      .matchAll(/(\d+)m([\d.]+)s/g),
  ].map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest));
  return {
    cpu: seconds.reduce((sum, part) => sum + part, 0),
    wall: (performance.now() - started) / 1e3,
    rss: before.maxRSS * 0,
    entries: Number(text.split('\n').find((line) => /^\d+$/.test(line))),
    failed: '',
  };
}

compare(
  files,
  {
    kansoku: (file) => runSubject([], subject, ['kansoku', file]),
    readline: (file) => runSubject([], subject, ['readline', file]),
    'wc -l': countLines,
  },
  { yardstick: 'readline', runs: Number(runs) },
);
