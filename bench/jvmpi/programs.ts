/** Runs programs of Java under `kansoku jvmpi`, and measures both sides. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { jdkHome } from '../../scripts/testing/programs.js';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
export const MAIN = join(ROOT, 'dist/bundle/node/main.js');

/** Prints the CPU seconds of the process that loads it, without its children, at its end, to descriptor 3. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  "import{writeSync}from'node:fs';process.on('exit',()=>{const{user,system}=process.cpuUsage();writeSync(3,String((user+system)/1e6))})",
)}`;

export interface Run {
  /** Null if a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Seconds. */
  readonly wall: number;
  /** CPU seconds of Kansoku's process alone; NaN if it is not Kansoku. */
  readonly cpu: number;
}

function environment(): NodeJS.ProcessEnv {
  const { JAVA_TOOL_OPTIONS: _, NODE_EXTRA_CA_CERTS: __, ...env } = process.env;
  return { ...env, NO_COLOR: undefined, FORCE_COLOR: undefined };
}

async function run(program: string, words: readonly string[], reports: boolean): Promise<Run> {
  const begin = performance.now();
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], env: environment() });
  const [, out, err, third] = child.stdio;
  if (!out || !err || !third || !('setEncoding' in third)) throw new Error('no pipes');
  const texts = Promise.all([text(out), text(err), text(third)]);
  await once(child, 'exit');
  const [stdout, stderr, cpu] = await texts;
  return {
    status: child.exitCode,
    stdout,
    stderr,
    wall: (performance.now() - begin) / 1000,
    cpu: reports ? Number(cpu) : NaN,
  };
}

export function runProgram(program: string, words: readonly string[]): Promise<Run> {
  return run(program, words, false);
}

export function runKansoku(words: readonly string[]): Promise<Run> {
  return run(process.execPath, ['--import', REPORT, MAIN, ...words], true);
}

/** The JDKs that are there, by version. */
export function jdks(versions: readonly string[]): Map<string, string> {
  return new Map(
    versions.flatMap((version) => {
      const home = jdkHome(version);
      return home !== undefined && existsSync(join(home, 'bin/java')) ? [[version, home] as const] : [];
    }),
  );
}

/** Compiles `bench/jvmpi/NAME.java` into a folder. */
export function compile(home: string, name: string, folder: string): void {
  execFileSync(join(home, 'bin/javac'), [
    '--release',
    '17',
    '-g',
    '-d',
    folder,
    join(ROOT, `bench/jvmpi/${name}.java`),
  ]);
}

export function say(cells: readonly (string | number)[], widths: readonly number[]): void {
  const padded = cells.map((cell, i) =>
    i === 0 ? String(cell).padEnd(widths[0] ?? 0) : String(cell).padStart(widths[i] ?? 0),
  );
  process.stdout.write(`${padded.join('  ').trimEnd()}\n`);
}
