/**
 * What `kansoku analyze` costs from start to exit, by cut-off, on a program that prints a line over the java.base of a JDK, and on javac; beside
 * SootUp's rapid type analysis (entries `main` and `System.initPhase1`) on the same classes, if its jars are given.
 *
 *   node dist/bench/pointsto/run.js [--jdk HOME] [--cutoffs 0,20,inf] [--sootup FOLDER-OF-JARS] [--runs 3] [--javac]
 *
 * Needs dist/bundle. The jars: `mvn dependency:copy-dependencies` of org.soot-oss:sootup.java.bytecode.frontend and sootup.callgraph 3.0.1.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { jdkTool, ownJdk } from '../../src/code/java/testing/jdks.js';
import { median } from '../compare.js';
import { costOf, type ProcessCost } from '../process.js';

const KANSOKU = fileURLToPath(new URL('../../bundle/node/main.js', import.meta.url));
const PEER = fileURLToPath(new URL('../../../bench/pointsto/Rta.java.txt', import.meta.url));
const HELLO = 'class Hello { public static void main(String[] args) { System.out.println("Hello " + args.length); } }';

/** A command with what it prints to say how many methods are reachable. */
interface Command {
  readonly title: string;
  readonly program: string;
  readonly words: readonly string[];
}

const { values } = parseArgs({
  options: {
    jdk: { type: 'string' },
    cutoffs: { type: 'string', default: '0,20,inf' },
    sootup: { type: 'string' },
    runs: { type: 'string', default: '3' },
    javac: { type: 'boolean', default: false },
  },
});
const jdk = values.jdk ?? ownJdk();
if (jdk === undefined) throw new Error('java is not in PATH: name a JDK with --jdk');
const folder = mkdtempSync(join(tmpdir(), 'kansoku-pointsto-'));
const base = join(folder, 'jdk');

/** The classes of java.base as a folder that `--jdk` takes. */
function extractBase(home: string): void {
  const image = join(home, 'lib', 'modules');
  jdkTool(home, 'jimage', [
    'extract',
    `--dir=${join(base, 'modules')}`,
    '--include',
    'regex:/java.base/.*\\.class',
    image,
  ]);
}

function compile(home: string, name: string, source: string, jars: readonly string[] = []): void {
  const file = join(folder, `${name}.java`);
  writeFileSync(file, source);
  jdkTool(home, 'javac', ['-nowarn', '-cp', [folder, ...jars].join(delimiter), '-d', join(folder, 'classes'), file]);
}

function commands(home: string): Command[] {
  const program = process.execPath;
  const classes = join(folder, 'classes');
  const list = values.cutoffs.split(',').map((cutoff): Command => {
    const words = [KANSOKU, 'analyze', classes, '--main', 'Hello', '--jdk', base, '--cutoff', cutoff];
    return { title: `analyze --cutoff ${cutoff}`, program, words };
  });
  if (values.javac) {
    const words = [KANSOKU, 'analyze', home, '--main', 'com.sun.tools.javac.Main', '--jdk', home];
    list.push({ title: 'analyze javac', program, words });
  }
  if (values.sootup !== undefined) {
    const path = [join(values.sootup, '*'), classes].join(delimiter);
    const input = [classes, join(base, 'modules', 'java.base')].join(':');
    const words = ['-Xmx6g', '-cp', path, 'Rta', input, 'rta', 'Hello'];
    list.push({ title: 'SootUp RTA', program: join(home, 'bin', 'java'), words });
  }
  return list;
}

function row(cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell, i) => (i === 0 ? cell.padEnd(24) : cell.padStart(10))).join('')}\n`);
}

try {
  mkdirSync(join(folder, 'classes'));
  extractBase(jdk);
  compile(jdk, 'Hello', HELLO);
  if (values.sootup !== undefined) compile(jdk, 'Rta', readFileSync(PEER, 'utf8'), [join(values.sootup, '*')]);
  row(['', 'CPU s', 'wall s', 'RSS MB']);
  const all = commands(jdk);
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
