/** What gprofng printed for each command of the experiments of `KANSOKU_DATA`, and what we print for it. */
import { fail } from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { KansokuError } from '../../../base/errors.js';
import { readWhole } from '../../../code/read-whole.js';
import type { PathMap } from '../../../models/program/debug-files.js';
import { type Experiment, openExperiment, openExperiments } from '../peer/experiment.js';
import { Printer } from '../print.js';
import { runCommands } from '../run.js';

export interface ExpectedFile {
  /** `c-single`. */
  readonly experiment: string;
  /** `functions`; with its folder if it is of another version. */
  readonly output: string;
  readonly words: readonly string[];
  readonly out: string;
  readonly err: string;
}

/** All expected files of an experiment, in the order of their names. */
export function expectedFiles(folder: string, experiment: string): ExpectedFile[] {
  const lines = readFileSync(join(folder, experiment, 'COMMANDS.tsv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return lines.map((line) => {
    const [output = '', words = ''] = line.split('\t');
    const text = (ending: string): string => {
      const path = join(folder, experiment, `${output}${ending}`);
      if (existsSync(path)) return readFileSync(path, 'utf8');
      return existsSync(`${path}.gz`) ? gunzipSync(readFileSync(`${path}.gz`)).toString('utf8') : '';
    };
    return { experiment, output, words: splitWords(words), out: text('.txt'), err: text('.err') };
  });
}

/** Words as a shell splits them: single quotes join. */
function splitWords(text: string): string[] {
  return [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

export function experimentsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'COMMANDS.tsv')));
}

export interface Outcome {
  readonly out: string;
  readonly err: string;
  /** Why nothing was printed. */
  readonly refused?: string;
}

/** What we print; commands that are unknown are refused. `folder`: what relative paths are relative to. */
export async function printedFor(experiment: Experiment, words: readonly string[], folder?: string): Promise<Outcome> {
  let [out, err] = ['', ''];
  const printer = new Printer(experiment, {
    ...(folder !== undefined && { folder }),
    out: (text) => {
      out += text;
    },
    note: (line) => {
      err += `${line}\n`;
    },
  });
  try {
    await runCommands(printer, words);
    return { out, err };
  } catch (error) {
    if (!(error instanceof KansokuError)) throw error;
    return { out, err, refused: error.message };
  }
}

/** Outputs of several experiments, and these. */
const SEVERAL = 'compare';
const COMPARED = ['c-single', 'c-single-O2'];

/** The experiment that was stopped before it had copies of its program and libraries, and another one of the same program. */
const UNCOPIED = 'killed';
const COPIED = 'timelimit';
const ORIGINALS = ['/tmp/demo/longrun', '/usr/lib/x86_64-linux-gnu/libc.so.6'];

/** Opens an experiment; `scratch`: an empty folder, for copies of the files of one that has none. */
export async function openByName(data: string, name: string, scratch: string): Promise<Experiment> {
  const pathOf = (experiment: string): string => join(data, 'experiments', `${experiment}.er.tar.gz`);
  const open = (of: string, maps: readonly PathMap[] = []): Promise<Experiment> =>
    openExperiment(pathOf(of), { strict: true, maps });
  if (name === SEVERAL) return openExperiments(COMPARED.map(pathOf), { strict: true });
  if (name !== UNCOPIED) return open(name);
  const other = await open(COPIED);
  for (const path of ORIGINALS) {
    const bytes = await readWhole(async () => (await other.open?.(path)) ?? fail(path), 1 << 24, 'copy-missing');
    if ('code' in bytes) fail(`${path}: ${bytes.message}`);
    mkdirSync(dirname(join(scratch, path)), { recursive: true });
    writeFileSync(join(scratch, path), bytes);
  }
  await other.close();
  return open(name, [{ from: '/', to: scratch }]);
}

/**
 * Addresses of the peer's own memory become numbers in the order in which they appear: nodes of its tree of stacks, each with the one above. Its
 * names for stacks are left out.
 */
function withoutPointers(text: string): string {
  const numbers = new Map([['0'.repeat(16), 0]]);
  const numberOf = (pointer: string): number => {
    const number = numbers.get(pointer) ?? numbers.size;
    numbers.set(pointer, number);
    return number;
  };
  return text
    .replace(
      /^node: 0x([\da-f]{16}) anc: 0x([\da-f]{16})/gm,
      (_, node: string, above: string) => `node: ${numberOf(node)} anc: ${numberOf(above)}`,
    )
    .replace(/^(Stack )0x[\da-f]+$/gm, '$1');
}

/** Our output is the expected one. Limits are announced on standard error, which the data keeps only beside other lines. */
export function isSame({ out, err, refused }: Outcome, expected: ExpectedFile): boolean {
  const own = err.trim();
  const isLimit = /^(?:Print limit set to \d+\s*)+$/.test(own) && expected.err === '';
  return (
    refused === undefined &&
    withoutPointers(out) === withoutPointers(expected.out) &&
    (isLimit || own === expected.err.trim())
  );
}
