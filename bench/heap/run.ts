/**
 * What the heap commands cost, from start to exit, beside a scan in C and other tools on the same dumps.
 *
 *   node dist/bench/heap/run.js [--files DUMP,…] [--runs 3] [--folder FOLDER] [--peers] [--main MAIN]
 *       [--commands 'heap histogram FILE,heap dominators FILE']
 *
 * Without files: `writer.hprof` of `generate.ts` and `java.hprof` of `Big.java`, 1 GB each, made in FOLDER if they are
 * missing; a JDK must be in PATH. gcc compiles the yardstick. `--peers` installs hprof-slurp and hprof-analyzer with cargo.
 *
 * Each command of Kansoku runs twice in a turn: cold, with an empty cache of its own, then warm, with the cache that the
 * cold run wrote. The files are in the page cache. Then the phases of `heap dominators` with their memory (`phases.ts`).
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Cost, compare } from '../compare.js';
import { costOf } from '../process.js';
import { generate } from './generate.js';
import { dumpJava } from './java-dump.js';

/** Other tools, from crates.io. */
const PEERS = [
  { crate: 'hprof-slurp', command: 'FILE' },
  { crate: 'hprof-analyzer', command: 'FILE' },
] as const;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '' },
    runs: { type: 'string', default: '3' },
    folder: { type: 'string', default: join(tmpdir(), 'kansoku-bench', 'heap') },
    peers: { type: 'boolean', default: false },
    main: { type: 'string', default: join(ROOT, 'dist/bundle/node/main.js') },
    commands: { type: 'string', default: 'heap histogram FILE,heap dominators FILE' },
  },
});
const folder = resolve(values.folder);
const cache = join(folder, 'cache');

async function dumps(): Promise<string[]> {
  if (values.files !== '') return values.files.split(',').map((file) => resolve(file));
  const [writer, java] = [join(folder, 'writer.hprof'), join(folder, 'java.hprof')];
  if (!existsSync(writer)) generate(writer);
  if (!existsSync(java)) await dumpJava(java, folder);
  return [writer, java];
}

/** Path of the compiled scan. */
function yardstick(): string {
  const program = join(folder, 'scan');
  execFileSync('gcc', ['-O3', '-o', program, join(ROOT, 'bench/heap/scan.c')]);
  return program;
}

/** Cost of a program for `compare`; a program that fails has a row that says why. */
function cost(program: string, words: readonly string[]): Cost {
  try {
    const { cpu, wall, rss = NaN } = costOf(program, words, cache, folder);
    return { cpu, wall, rss, failed: '' };
  } catch (error) {
    const failed = String(error).trim().split('\n').at(-1) ?? '';
    return { cpu: NaN, wall: NaN, rss: NaN, failed };
  }
}

function words(template: string, file: string): string[] {
  return template.split(' ').map((word) => (word === 'FILE' ? file : word));
}

function withEmptyCache(run: () => Cost): Cost {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache);
  return run();
}

function readers(): Record<string, (file: string) => Cost> {
  const scan = yardstick();
  const found: Record<string, (file: string) => Cost> = { 'scan in C': (file) => cost(scan, [file]) };
  for (const template of values.commands.split(',')) {
    const run = (file: string): Cost => cost(process.execPath, [values.main, ...words(template, file)]);
    const title = template.replace(' FILE', '');
    found[title] = (file) => withEmptyCache(() => run(file));
    found[`${title}, warm`] = run;
  }
  const programs = join(folder, 'peers');
  for (const { crate, command } of values.peers ? PEERS : []) {
    const program = join(programs, 'bin', crate);
    if (!existsSync(program))
      execFileSync('cargo', ['install', '--locked', '--root', programs, crate], { stdio: 'inherit' });
    found[crate] = (file) => withEmptyCache(() => cost(program, words(command, file)));
  }
  return found;
}

mkdirSync(folder, { recursive: true });
const files = await dumps();
compare(files, readers(), { yardstick: 'scan in C', runs: Number(values.runs) });
for (const file of files) {
  process.stdout.write(`\n${basename(file)}, by phase\n`);
  execFileSync(process.execPath, [join(ROOT, 'dist/bench/heap/phases.js'), file], { stdio: 'inherit' });
}
process.stdout.write(`${readFileSync('/proc/loadavg', 'latin1').trim()} (load), Node ${process.version}\n`);
