/**
 * What `kansoku analyze` costs from start to exit, by cut-off, on a program that prints a line over the java.base of a JDK, and on javac; beside
 * SootUp's rapid type analysis, and WALA's with its 0-CFA (entries `main` and `System.initPhase1`), on the same classes, if their jars are given.
 *
 *   node dist/bench/pointsto/run.js [--jdk HOME] [--cutoffs 0,20,inf] [--sootup FOLDER-OF-JARS] [--wala FOLDER-OF-JARS] [--runs 3] [--javac]
 *
 * Needs dist/bundle. The jars: see edges.ts. Commands of `analyze` do not use the cache.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ownJdk } from '../../src/code/java/testing/jdks.js';
import { median } from '../compare.js';
import { costOf, type ProcessCost } from '../process.js';
import { type Inputs, type PeerCommand, peerCommands, prepareInputs } from './peers.js';

const KANSOKU = fileURLToPath(new URL('../../bundle/node/main.js', import.meta.url));
const { values } = parseArgs({
  options: {
    jdk: { type: 'string' },
    cutoffs: { type: 'string', default: '0,20,inf' },
    sootup: { type: 'string' },
    wala: { type: 'string' },
    runs: { type: 'string', default: '3' },
    javac: { type: 'boolean', default: false },
  },
});
const jdk = values.jdk ?? ownJdk();
if (jdk === undefined) throw new Error('java is not in PATH: name a JDK with --jdk');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-pointsto-'));

function commands(home: string, inputs: Inputs): PeerCommand[] {
  const program = process.execPath;
  const { classes, jdk: base } = inputs;
  const list = values.cutoffs.split(',').map((cutoff): PeerCommand => {
    const words = [KANSOKU, 'analyze', classes, '--main', 'Hello', '--jdk', base, '--cutoff', cutoff, '--no-cache'];
    return { title: `analyze --cutoff ${cutoff}`, program, words };
  });
  if (values.javac) {
    const words = [KANSOKU, 'analyze', home, '--main', 'com.sun.tools.javac.Main', '--jdk', home, '--no-cache'];
    list.push({ title: 'analyze javac', program, words });
  }
  list.push(...peerCommands(home, inputs, values));
  return list;
}

function row(cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell, i) => (i === 0 ? cell.padEnd(24) : cell.padStart(10))).join('')}\n`);
}

try {
  row(['', 'CPU s', 'wall s', 'RSS MB']);
  const all = commands(jdk, prepareInputs(jdk, folder));
  const costs = all.map((): ProcessCost[] => []);
  for (let turn = 0; turn < Number(values.runs); turn++)
    for (const [i, { program, words }] of all.entries()) costs[i]?.push(costOf(program, words, folder, folder));
  for (const [i, { title }] of all.entries()) {
    const runs = costs[i] ?? [];
    const middle = (value: (cost: ProcessCost) => number): number => median(runs.map(value));
    row([
      title,
      middle(({ cpu }) => cpu).toFixed(2),
      middle(({ wall }) => wall).toFixed(2),
      (middle(({ rss }) => rss ?? Number.NaN) / 1e6).toFixed(0),
    ]);
  }
} finally {
  rmSync(folder, { recursive: true });
}
