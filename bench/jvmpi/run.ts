/**
 * What the JVMPI agent costs the program that it profiles, and what Kansoku costs beside it.
 *
 *   node dist/bench/jvmpi/run.js [--pairs 30] [--calls 10000000] [--jdks 17,25] [--parts idle,stream,hprof] [--dump DUMP]
 *
 * idle: the program with the agent loaded and nothing enabled, beside the program alone, in turns: the ratio of the CPU time that the thread
 * measures itself. stream: METHOD_ENTRY and METHOD_EXIT of a program that does nothing but call, recorded into a file: events a second of
 * the thread's CPU, and the CPU of Kansoku for each second of the run. All events must be in the file or counted as lost. hprof: a heap dump (default: 250 MB, made first) as the bytes of
 * HEAP_DUMP at level 2, from start to exit.
 */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '../compare.js';
import { generate } from '../heap/generate.js';
import { compile, jdks, type Run, runKansoku, runProgram, say } from './programs.js';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '30' },
    calls: { type: 'string', default: '10000000' },
    jdks: { type: 'string', default: '17,25' },
    parts: { type: 'string', default: 'idle,stream,hprof' },
    dump: { type: 'string' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'kansoku-jvmpi-bench-'));
const homes = jdks(values.jdks.split(','));
const parts = new Set(values.parts.split(','));

/** What Load printed: nanoseconds of its thread for an operation. */
function measured({ status, stdout, stderr }: Run): number {
  const [, ns, operations] = /^(\d+) (\d+)$/m.exec(stdout) ?? [];
  if (status !== 0 || ns === undefined) throw new Error(`Load failed: ${stderr}`);
  return Number(ns) / Number(operations);
}

async function idle(version: string, home: string): Promise<void> {
  const agent = join(folder, 'nothing.mts');
  writeFileSync(agent, "import { agent } from 'kansoku/jvmpi';\nexport const { JVM_OnLoad } = agent(() => {});\n");
  const java = [join(home, 'bin/java'), '-XX:+UseSerialGC', '-cp', folder, 'Load', 'mix', '200000'] as const;
  const [program, ...words] = java;
  const ratios: number[] = [];
  for (let i = 0; i < Number(values.pairs); i++) {
    const alone = async () => measured(await runProgram(program, words));
    const loaded = async () => measured(await runKansoku(['jvmpi', 'run', agent, '--', ...java]));
    const first = i % 2 === 0 ? await alone() : await loaded();
    const second = i % 2 === 0 ? await loaded() : await alone();
    ratios.push(i % 2 === 0 ? second / first : first / second);
  }
  ratios.sort((a, b) => a - b);
  const at = (part: number): string => (ratios[Math.floor((ratios.length - 1) * part)] ?? NaN).toFixed(3);
  say([version, ratios.length, at(0.1), median(ratios).toFixed(3), at(0.9), '1.03'], [8, 6, 6, 7, 6, 6]);
}

/** Events of METHOD_ENTRY and METHOD_EXIT in a recording. */
async function counted(file: string): Promise<number> {
  const { stdout } = await runKansoku(['summary', file, '--json', '--no-cache']);
  const { sections }: { sections: Record<string, number> } = JSON.parse(stdout);
  return (sections.METHOD_ENTRY ?? 0) + (sections.METHOD_EXIT ?? 0);
}

async function stream(version: string, home: string): Promise<void> {
  const file = join(folder, 'calls.jvmpi');
  const java = [join(home, 'bin/java'), '-XX:+UseSerialGC', '-cp', folder, 'Load', 'calls', values.calls];
  const run = await runKansoku(['jvmpi', 'record', '-o', file, '--events', 'METHOD_ENTRY,METHOD_EXIT', '--', ...java]);
  const nanoseconds = measured(run);
  const lost = Number(/([\d,]+) events/.exec(run.stderr)?.[1]?.replaceAll(',', '') ?? 0);
  const found = await counted(file);
  const least = 2 * Number(values.calls);
  if (found + lost < least) throw new Error(`${found} events and ${lost} lost, of ${least} at least`);
  const cells = [
    version,
    (found / 1e6).toFixed(1),
    (lost / 1e6).toFixed(1),
    (2e3 / nanoseconds).toFixed(2),
    '3',
    (run.cpu / run.wall).toFixed(2),
    '0.3',
    (run.cpu / (found / 1e6)).toFixed(3),
    (statSync(file).size / found).toFixed(1),
  ];
  say(cells, [8, 9, 9, 12, 4, 12, 4, 12, 8]);
}

async function hprof(): Promise<void> {
  const file = values.dump ?? join(folder, 'heap.hprof');
  if (values.dump === undefined) generate(file, 40_000);
  const bytes = statSync(file).size;
  const runs: Run[] = [];
  for (let i = 0; i < 5; i++) {
    const run = await runKansoku(['jvmpi', 'dump', file, '-o', join(folder, 'heap.bytes'), '--no-cache']);
    if (run.status !== 0) throw new Error(run.stderr);
    runs.push(run);
  }
  const rate = (seconds: (run: Run) => number): string => (bytes / 1e6 / median(runs.map(seconds))).toFixed(0);
  say(
    [(bytes / 1e6).toFixed(0), runs.length, rate(({ cpu }) => cpu), rate(({ wall }) => wall), '100'],
    [8, 6, 12, 10, 6],
  );
}

try {
  for (const home of homes.values()) compile(home, 'Load', folder);
  if (parts.has('idle')) {
    process.stdout.write('agent loaded, nothing enabled: CPU of the thread, ratio to the program alone\n');
    say(['JDK', 'pairs', 'p10', 'median', 'p90', 'bar'], [8, 6, 6, 7, 6, 6]);
    for (const [version, home] of homes) await idle(version, home);
  }
  if (parts.has('stream')) {
    process.stdout.write('METHOD_ENTRY and METHOD_EXIT, recorded\n');
    const titles = ['JDK', 'M events', 'M lost', 'M/s of CPU', 'bar', 'Kansoku core', 'bar', 'CPU s / M', 'B/event'];
    say(titles, [8, 9, 9, 12, 4, 12, 4, 12, 8]);
    for (const [version, home] of homes) await stream(version, home);
  }
  if (parts.has('hprof')) {
    process.stdout.write('binary HPROF to HEAP_DUMP at level 2\n');
    say(['MB', 'runs', 'MB/s of CPU', 'MB/s', 'bar'], [8, 6, 12, 10, 6]);
    await hprof();
  }
} finally {
  rmSync(folder, { recursive: true });
}
