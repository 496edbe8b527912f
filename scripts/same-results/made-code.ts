/**
 * Recordings for same-results.ts that name every line of the class files among the fixtures, and one that is large enough
 * to be cached.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Classes in folders of their packages, and a recording of all lines of their methods. */
export interface MadeCode {
  readonly recording: string;
  readonly classes: string;
  readonly sources: string;
  readonly methods: readonly string[];
}

/** What is made of each folder of classes with a `javap.txt` in it; `files` are all inputs. */
export function makeCode(files: readonly string[], made: string): MadeCode[] {
  return files.filter((path) => basename(path) === 'javap.txt').map((path) => codeOf(dirname(path), made));
}

function codeOf(folder: string, made: string): MadeCode {
  const home = join(made, `code-${basename(folder)}`);
  const [classes, sources] = [join(home, 'classes'), join(home, 'sources')];
  const lines = linesOf(readFileSync(join(folder, 'javap.txt'), 'utf8'));
  const beside = join(folder, '..', 'sources');
  for (const inner of new Set(lines.map(({ owner }) => owner.split('.').slice(0, -1).join('/')))) {
    copyAll(folder, join(classes, inner), '.class');
    if (existsSync(beside)) copyAll(beside, join(sources, inner), '.java');
  }
  const recording = join(home, 'methods.hprof.txt');
  writeFileSync(recording, samplesOf(lines));
  return { recording, classes, sources, methods: [...new Set(lines.map(({ method }) => method))] };
}

interface Line {
  readonly owner: string;
  readonly method: string;
  /** `Flow.java:12`. */
  readonly place: string;
}

/** The lines of all methods in what `javap -v -l` prints. */
function linesOf(text: string): Line[] {
  const found: Line[] = [];
  let [owner, method, file] = ['', '', ''];
  for (const line of text.split('\n')) {
    file = /^ {2}Compiled from "(.*)"/.exec(line)?.[1] ?? file;
    owner = /^(?:[a-z]+ )*(?:class|interface|enum) ([\w.$]+)/.exec(line)?.[1] ?? owner;
    const name = /^ {2}(?:[\w.<>[\], ?$]+ )?([\w.$]+)\(.*\)/.exec(line)?.[1];
    if (name !== undefined) method = `${owner}.${name === owner ? '<init>' : name}`;
    if (line === '  static {};') method = `${owner}.<clinit>`;
    const number = /^ +line (\d+): \d+$/.exec(line)?.[1];
    if (number !== undefined) found.push({ owner, method, place: `${file}:${number}` });
  }
  return found;
}

const FIRST_TRACE = 300001;

/** An HPROF text of 1, 2, 3, … samples in the lines. */
function samplesOf(lines: readonly Line[]): string {
  const total = (lines.length * (lines.length + 1)) / 2;
  const traces = lines.map(({ method, place }, index) => `TRACE ${FIRST_TRACE + index}:\n\t${method}(${place})\n`);
  let sum = 0;
  const rows = lines.map(({ method }, index) => {
    const count = lines.length - index;
    sum += count;
    const shares = [count, sum].map((part) => `${((100 * part) / total).toFixed(2)}%`).join(' ');
    return `${index + 1} ${shares} ${count} ${FIRST_TRACE + index} ${method}\n`;
  });
  const created = 'Sat Nov 21 01:50:05 2026';
  return [
    `JAVA PROFILE 1.0.1, created ${created}\n\n--------\n\n`,
    ...traces,
    `CPU SAMPLES BEGIN (total = ${total}) ${created}\nrank   self  accum   count trace method\n`,
    ...rows,
    'CPU SAMPLES END\n',
  ].join('');
}

function copyAll(from: string, to: string, ending: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) if (name.endsWith(ending)) copyFileSync(join(from, name), join(to, name));
}

/** Recordings are cached from 16 MiB on. */
const CACHED_BYTES = 17 << 20;

/** A recording that is cached when it was read. */
export function makeLarge(made: string): string {
  const path = join(made, 'large.collapsed');
  const lines: string[] = [];
  for (let bytes = 0, i = 0; bytes < CACHED_BYTES; i++) {
    const line = `app.Main.main;app.Part${i % 97}.run;app.Step${i % 1009}.next ${(i % 13) + 1}\n`;
    bytes += line.length;
    lines.push(line);
  }
  writeFileSync(path, lines.join(''));
  return path;
}
