/**
 * What each kernel saves: whole commands with it, and with the same loops in TypeScript, as on engines without WebAssembly.
 *
 *   node dist/bench/kernels/run.js [--pairs 5] [--only WORD] [--folder FOLDER] [--jfr FILE] [--hprof FILE]
 *
 * Files that are not given are generated in FOLDER and kept for the next run: 100 MB of JFR, a heap dump of 310 MB. Both
 * runs of a pair follow one another, the other one first in each second pair, each with an empty cache. Shown are medians of the CPU time of
 * all threads, user and system, and the median, least and largest ratio of a pair. A kernel that saves less than 1.3 is not worth its code.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CODE as PACKING } from '../../src/base/columns/packing-code.js';
import { CODE as HPROF } from '../../src/formats/hprof/heap/kernel/kernel-code.js';
import { CODE as JFR } from '../../src/formats/jfr/kernel/kernel-code.js';
import { median } from '../compare.js';
import { generate as generateHeap } from '../heap/generate.js';
import { generate as generateRecording } from '../jfr/generate.js';
import { costOf } from '../process.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MAIN = join(ROOT, 'dist/bundle/node/main.js');

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    folder: { type: 'string', default: join(tmpdir(), 'kansoku-bench') },
    jfr: { type: 'string' },
    hprof: { type: 'string' },
  },
});

type FileKind = 'jfr' | 'hprof';

interface Row {
  readonly kernel: string;
  readonly code: string;
  readonly file: FileKind;
  /** FILE stands for the file. */
  readonly command: string;
}

const ROWS: readonly Row[] = [
  { kernel: 'jfr', code: JFR, file: 'jfr', command: 'summary FILE' },
  { kernel: 'jfr', code: JFR, file: 'jfr', command: 'functions FILE --metric tlab-bytes' },
  { kernel: 'jfr', code: JFR, file: 'jfr', command: 'events FILE jdk.ExecutionSample' },
  { kernel: 'hprof', code: HPROF, file: 'hprof', command: 'heap histogram FILE' },
  { kernel: 'hprof', code: HPROF, file: 'hprof', command: 'heap dominators FILE' },
  { kernel: 'packing', code: PACKING, file: 'jfr', command: 'functions FILE --metric tlab-bytes' },
  { kernel: 'packing', code: PACKING, file: 'jfr', command: 'tree FILE --metric tlab-bytes' },
  { kernel: 'packing', code: PACKING, file: 'jfr', command: 'timeline FILE' },
];

/** A module that refuses to instantiate the code of so many bytes; 0: none. The kernels have different lengths. */
function refusing(bytes: number): string {
  const script = `const { instantiate } = WebAssembly;
    WebAssembly.instantiate = (code, ...more) =>
      code.length === ${bytes} ? Promise.reject(new Error('refused')) : instantiate(code, ...more);`;
  return `data:text/javascript,${encodeURIComponent(script)}`;
}

/** CPU seconds of a command, without the code of so many bytes. */
function seconds(words: readonly string[], bytes: number): number {
  const cache = mkdtempSync(join(values.folder, 'cache-'));
  try {
    return costOf(process.execPath, ['--import', refusing(bytes), MAIN, ...words], cache).cpu;
  } finally {
    rmSync(cache, { recursive: true });
  }
}

function fileOf(kind: FileKind): string {
  const given = values[kind];
  if (given !== undefined) return given;
  const file = join(values.folder, `kernels.${kind}`);
  if (existsSync(file)) return file;
  if (kind === 'jfr') generateRecording(file, 100);
  else generateHeap(file, 50_000);
  return file;
}

function line(cells: readonly (string | number)[]): void {
  const texts = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(2) : cell));
  const columns = texts.map((text, i) => (i === 1 ? text.padEnd(42) : i === 0 ? text.padEnd(9) : text.padStart(10)));
  process.stdout.write(`${columns.join('')}\n`);
}

mkdirSync(values.folder, { recursive: true });
line(['kernel', 'command', 'MB', 'with, s', 'without', 'ratio', 'least', 'largest']);
for (const { kernel, code, file: kind, command } of ROWS.filter((row) =>
  `${row.kernel} ${row.command}`.includes(values.only),
)) {
  const file = fileOf(kind);
  const words = command.split(' ').map((word) => (word === 'FILE' ? file : word));
  const bytes = Buffer.from(code, 'base64').length;
  const costs: { readonly with: number; readonly without: number }[] = [];
  for (let pair = 0; pair < Number(values.pairs); pair++) {
    const first = seconds(words, pair % 2 === 0 ? 0 : bytes);
    const second = seconds(words, pair % 2 === 0 ? bytes : 0);
    costs.push(pair % 2 === 0 ? { with: first, without: second } : { with: second, without: first });
  }
  const ratios = costs.map((cost) => cost.without / cost.with);
  line([
    kernel,
    command,
    (statSync(file).size / 1e6).toFixed(1),
    median(costs.map((cost) => cost.with)),
    median(costs.map((cost) => cost.without)),
    median(ratios),
    Math.min(...ratios),
    Math.max(...ratios),
  ]);
}
