/** What whole programs cost, from start to exit. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childSeconds } from '../scripts/test-run/cpu.js';

export interface ProcessCost {
  /** Seconds of CPU of all threads and children. */
  readonly cpu: number;
  readonly wall: number;
  /** Peak memory, bytes; undefined of programs other than Node without GNU time. */
  readonly rss: number | undefined;
}

/** Prints the peak memory of the process that loads it, at its end, to descriptor 3. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  "import{writeSync}from'node:fs';process.on('exit',()=>writeSync(3,String(process.resourceUsage().maxRSS*1024)))",
)}`;
/** GNU time. It starts the program from a small process: one that Node starts begins with the memory of Node. It costs less than `REPORT`. */
const TIME = '/usr/bin/time';

/** Runs a program and returns its cost; `cache`: folder of its cache. Exit codes above 1 are errors. */
export function costOf(program: string, words: readonly string[], cache: string, cwd?: string): ProcessCost {
  if (!existsSync(TIME)) {
    if (program !== process.execPath) return run(program, words, cache, cwd).cost;
    const { cost, third } = run(program, ['--import', REPORT, ...words], cache, cwd);
    return { ...cost, rss: Number(third) };
  }
  const folder = mkdtempSync(join(tmpdir(), 'kansoku-time-'));
  const file = join(folder, 'kilobytes');
  try {
    const { cost } = run(TIME, ['-q', '-f', '%M', '-o', file, program, ...words], cache, cwd);
    return { ...cost, rss: Number(readFileSync(file, 'latin1')) * 1024 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(
  program: string,
  words: readonly string[],
  cache: string,
  cwd?: string,
): { cost: ProcessCost; third: string } {
  // Node reads certificates at start where this is set, which takes longer than the start.
  const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env;
  const before = childSeconds() ?? NaN;
  const begin = performance.now();
  const done = spawnSync(program, words, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...environment, XDG_CACHE_HOME: cache },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const wall = (performance.now() - begin) / 1000;
  if (done.error !== undefined || (done.status ?? 99) > 1)
    throw new Error(`${words.join(' ')}: ${done.error?.message ?? done.stderr}`);
  const cost = { cpu: (childSeconds() ?? NaN) - before, wall, rss: undefined };
  return { cost, third: done.output[3]?.toString() ?? '' };
}
