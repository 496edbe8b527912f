/**
 * Shared by the benchmarks of readers: each reader in a process of its own, figures side by side, medians of several
 * runs.
 */
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';

/** What one run of a reader cost; `failed` is the reason if there is nothing to compare. */
export interface Cost {
  /** Seconds of CPU of all threads, user and system. */
  readonly cpu: number;
  /** Seconds from start of reading to its end. */
  readonly wall: number;
  /** Most memory, bytes. */
  readonly rss: number;
  /** Number of entries read, if the reader says it; see `sameEntries`. */
  readonly entries?: number;
  readonly failed: string;
}

/** Prints, as JSON, what this process cost since `started` (of `performance.now()`). */
export function printCost(started: number, entries: number, failed = ''): void {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cost: Cost = {
    cpu: (userCPUTime + systemCPUTime) / 1e6,
    wall: (performance.now() - started) / 1e3,
    rss: maxRSS * 1024,
    entries,
    failed,
  };
  process.stdout.write(`${JSON.stringify(cost)}\n`);
}

/** Runs a script of ours in a process of its own; its last line is what `printCost` printed. */
export function runSubject(flags: readonly string[], script: string, words: readonly string[]): Cost {
  const text = execFileSync(process.execPath, [...flags, script, ...words], { encoding: 'utf8' });
  return JSON.parse(text.trim().split('\n').at(-1) ?? '');
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

function line(cells: readonly string[], left: number): void {
  process.stdout.write(
    `${cells.map((cell, i) => (i < left ? cell.padEnd(i === 0 ? 11 : 22) : cell.padStart(11))).join(' ')}\n`,
  );
}

/** A reader by name: runs on a file and returns its cost. */
export type Readers = Readonly<Record<string, (file: string) => Cost>>;

export interface CompareOptions {
  /** Name of the reader that ratios refer to. */
  readonly yardstick: string;
  readonly runs: number;
  /** All readers must find the same number of entries. */
  readonly sameEntries?: boolean;
}

/**
 * Runs the readers in turn `runs` times on each file and prints medians. The ratio is of CPU to that of the yardstick in
 * the same turn.
 */
export function compare(files: readonly string[], readers: Readers, options: CompareOptions): void {
  const { yardstick, runs, sameEntries = false } = options;
  line(['file', 'reader', 'entries', 'CPU s', 'CPU ratio', 'min-max', 'wall s', 'MB/s', 'RSS MB', 'RSS / file'], 2);
  for (const file of files) {
    const size = statSync(file).size;
    const costs = new Map<string, Cost[]>(Object.keys(readers).map((name) => [name, []]));
    for (let i = 0; i < runs; i++) for (const [name, run] of Object.entries(readers)) costs.get(name)?.push(run(file));
    const base = costs.get(yardstick) ?? [];
    for (const [name, list] of costs) report(size, name, list, base);
    const found = new Set([...costs.values()].map((list) => list[0]?.entries));
    if (sameEntries && found.size > 1) throw new Error(`the readers disagree: ${[...found].join(', ')}`);
  }
}

function report(size: number, name: string, list: readonly Cost[], base: readonly Cost[]): void {
  const title = [`${(size / 1e6).toFixed(1)} MB`, name];
  const failed = list.find((cost) => cost.failed !== '');
  if (failed !== undefined) {
    line([...title, `cannot: ${failed.failed}`], 2);
    return;
  }
  const comparable = base.every((cost) => cost.failed === '');
  const ratios = list.map((cost, i) => cost.cpu / (base[i]?.cpu ?? NaN)).sort((a, b) => a - b);
  const rss = median(list.map((cost) => cost.rss));
  const cpu = median(list.map((cost) => cost.cpu));
  line(
    [
      ...title,
      String(list[0]?.entries ?? ''),
      cpu.toFixed(2),
      comparable ? median(ratios).toFixed(2) : '',
      comparable ? `${ratios[0]?.toFixed(2)}-${ratios.at(-1)?.toFixed(2)}` : '',
      median(list.map((cost) => cost.wall)).toFixed(2),
      (size / 1e6 / cpu).toFixed(0),
      (rss / 1e6).toFixed(0),
      (rss / size).toFixed(2),
    ],
    2,
  );
}
