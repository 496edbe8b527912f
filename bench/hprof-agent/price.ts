/**
 * What the HPROF agent costs: `node dist/bench/hprof-agent/price.js [PAIRS] [OPTIONS…]`; options are those of the agent, `cpu=times` unless given.
 * Each program runs without and with the agent in turn; it prints the CPU time of its thread for as many calls as it is told. The table has medians,
 * the geometric mean of the ratios with its interval of 95 %, and ns a call that the agent adds.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jdkHome } from '../../scripts/testing/programs.js';
import { hprofFolder } from '../../src/live/agent/build.node.js';
import { ROOT } from '../../src/testing/shared-data.js';
import { median } from '../compare.js';

/** Calls of a fifth of the measured part; of javac, classes. */
const WORKLOADS = [
  ['large', 2_000],
  ['mix', 168_000],
  ['tiny', 1_000_000],
  ['branches', 200_000],
  ['javac', 500],
] as const;

const pairs = Number(process.argv[2] ?? 5);
const choices = process.argv.length > 3 ? process.argv.slice(3) : ['cpu=times'];
const folder = mkdtempSync(join(tmpdir(), 'kansoku-price-'));

/** Two-sided 95 % of Student's t by degrees of freedom; 1.96 beyond. */
const STUDENT = [
  NaN,
  12.71,
  4.3,
  3.18,
  2.78,
  2.57,
  2.45,
  2.36,
  2.31,
  2.26,
  2.23,
  2.2,
  2.18,
  2.16,
  2.14,
  2.13,
  2.12,
  2.11,
];

/** The geometric mean, and the ends of its interval. */
function meanOf(ratios: readonly number[]): [number, number, number] {
  const logs = ratios.map(Math.log);
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, logs.length - 1);
  const slack = (STUDENT[logs.length - 1] ?? 2.1) * Math.sqrt(variance / logs.length);
  return [Math.exp(mean), Math.exp(mean - slack), Math.exp(mean + slack)];
}

function measure(version: string, home: string, choice: string, name: string, calls: number): void {
  const cpu = (agent: readonly string[]): number => {
    const words = [...agent, '-cp', folder, 'Price', name, String(calls)];
    return Number(execFileSync(join(home, 'bin/java'), words, { encoding: 'utf8' })) / 1e6;
  };
  const library = join(hprofFolder(process.env), 'libhprof.so');
  const agent = [`-agentpath:${library}=${choice},verbose=n,file=${join(folder, 'java.hprof.txt')}`];
  const measured = Array.from({ length: pairs }, (_, i) => {
    // Which is first alternates.
    const first = i % 2 === 0 ? cpu([]) : cpu(agent);
    const second = i % 2 === 0 ? cpu(agent) : cpu([]);
    return i % 2 === 0 ? ([first, second] as const) : ([second, first] as const);
  });
  const without = median(measured.map(([first]) => first));
  const withAgent = median(measured.map(([, second]) => second));
  const [mean, lowest, highest] = meanOf(measured.map(([first, second]) => second / first));
  const ratio = `${mean.toFixed(3)} (${lowest.toFixed(3)} to ${highest.toFixed(3)})`;
  const added = ((withAgent - without) * 1e6) / (5 * calls);
  const cells = [choice.padEnd(20), version.padEnd(4), name.padEnd(8), String(5 * calls).padEnd(9)];
  const figures = [without.toFixed(1).padStart(10), withAgent.toFixed(1).padStart(10), ratio.padStart(26)];
  process.stdout.write(`${[...cells, ...figures, added.toFixed(1).padStart(9)].join(' ')}\n`);
}

process.stdout.write(
  'options              JDK  program  calls     without ms    with ms      ratio (95 % interval)  ns a call\n',
);
for (const version of ['17', '25']) {
  const home = jdkHome(version);
  if (home === undefined) continue;
  execFileSync(join(home, 'bin/javac'), ['-d', folder, join(ROOT, 'bench/hprof-agent/Price.java')]);
  for (const choice of choices) for (const [name, calls] of WORKLOADS) measure(version, home, choice, name, calls);
}
rmSync(folder, { recursive: true });
