/**
 * What the HPROF agent costs: `node dist/bench/hprof-agent/price.js [PAIRS]`. Each program runs without and with the agent in turn; it prints
 * the CPU time of its thread for as many calls as it is told. The table has medians, the ratio with its range, and ns a call that the agent adds.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jdkHome } from '../../scripts/testing/programs.js';
import { hprofFolder } from '../../src/live/agent/build.node.js';
import { ROOT } from '../../src/testing/shared-data.js';
import { median } from '../compare.js';

/** Calls of a fifth of the measured part. */
const WORKLOADS = [
  ['large', 2_000],
  ['mix', 168_000],
  ['tiny', 1_000_000],
] as const;

const pairs = Number(process.argv[2] ?? 5);
const folder = mkdtempSync(join(tmpdir(), 'kansoku-price-'));
const options = `cpu=times,verbose=n,file=${join(folder, 'java.hprof.txt')}`;

process.stdout.write('JDK  program  calls      without ms    with ms    ratio (range)          ns a call\n');
for (const version of ['17', '25']) {
  const home = jdkHome(version);
  if (home === undefined) continue;
  execFileSync(join(home, 'bin/javac'), ['-d', folder, join(ROOT, 'bench/hprof-agent/Price.java')]);
  const cpu = (agent: readonly string[], words: readonly string[]): number =>
    Number(execFileSync(join(home, 'bin/java'), [...agent, '-cp', folder, 'Price', ...words], { encoding: 'utf8' })) /
    1e6;
  for (const [name, calls] of WORKLOADS) {
    const measured = Array.from({ length: pairs }, () => {
      const without = cpu([], [name, String(calls)]);
      const agent = `-agentpath:${join(hprofFolder(process.env), 'libhprof.so')}=${options}`;
      return [without, cpu([agent], [name, String(calls)])] as const;
    });
    const without = median(measured.map(([first]) => first));
    const withAgent = median(measured.map(([, second]) => second));
    const ratios = measured.map(([first, second]) => second / first).sort((a, b) => a - b);
    const range = `${median(ratios).toFixed(2)} (${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)})`;
    const added = ((withAgent - without) * 1e6) / (5 * calls);
    const cells = [version.padEnd(4), name.padEnd(8), String(5 * calls).padEnd(10), without.toFixed(1).padStart(10)];
    process.stdout.write(
      `${[...cells, withAgent.toFixed(1).padStart(10), range.padStart(22), added.toFixed(0).padStart(10)].join(' ')}\n`,
    );
  }
}
rmSync(folder, { recursive: true });
