/** Options of the HPROF agent, as `-Xrunhprof` has them. */

export interface Options {
  readonly cpu: 'samples' | 'times' | 'old' | undefined;
  /** HEAP DUMP, SITES. */
  readonly dump: boolean;
  readonly sites: boolean;
  readonly monitor: boolean;
  readonly binary: boolean;
  /** Frames of traces. */
  readonly depth: number;
  /** Ms between samples. */
  readonly interval: number;
  /** Rows with a smaller part of the total are left out. */
  readonly cutoff: number;
  readonly lineno: boolean;
  readonly thread: boolean;
  /** Whether the end of the VM writes the profile. */
  readonly doe: boolean;
  readonly file: string;
}

const DEFAULTS: Readonly<Record<string, string>> = {
  heap: '',
  cpu: '',
  monitor: 'n',
  format: 'a',
  file: '',
  depth: '4',
  interval: '10',
  cutoff: '0.0001',
  lineno: 'y',
  thread: 'n',
  doe: 'y',
};
const YES = ['y', 'n'];
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  heap: ['dump', 'sites', 'all'],
  cpu: ['samples', 'y', 'times', 'old'],
  monitor: YES,
  format: ['a', 'b'],
  lineno: YES,
  thread: YES,
  doe: YES,
};

const MEANINGS: Readonly<Record<string, readonly [values: string, meaning: string]>> = {
  heap: ['dump|sites|all', 'objects of the heap, and where they were made'],
  cpu: ['samples|times|old', 'where CPU time is spent: samples, calls with times, or pairs of methods'],
  monitor: ['y|n', 'monitors, and threads that wait for them'],
  format: ['a|b', 'text, or binary'],
  file: ['FILE', 'file to write'],
  depth: ['FRAMES', 'frames of traces'],
  interval: ['MS', 'time between samples'],
  cutoff: ['PART', 'rows with a smaller part of the total are left out'],
  lineno: ['y|n', 'lines of code in traces'],
  thread: ['y|n', 'the thread of each trace'],
  doe: ['y|n', 'write the profile when the program ends'],
};
const SPECIAL: Readonly<Record<string, string>> = {
  heap: 'all, without cpu and monitor',
  cpu: 'off',
  file: 'java.hprof.txt; b: java.hprof',
};

/** What `help` prints: all options with their defaults. */
export function helpText(): string {
  const rows = Object.entries(MEANINGS).map(([key, [values, meaning]]) => [
    `${key}=${values}`,
    meaning,
    SPECIAL[key] ?? DEFAULTS[key] ?? '',
  ]);
  const table = [['Option', 'Meaning', 'Default'], ...rows];
  const widths = [0, 1].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return `HPROF agent: what java -Xrunhprof:OPTIONS of JDK 1.2 to 8 was is
  kansoku jvmpi run hprof.ts:OPTIONS -- java …
with options separated by commas:

${lines.join('\n')}
`;
}

function wrong(word: string, why: string): never {
  throw new Error(`HPROF agent: ${word}: ${why}`);
}

function numberOf(key: string, text: string, smallest: number): number {
  const value = Number(text);
  return text !== '' && value >= smallest ? value : wrong(`${key}=${text}`, `a number from ${smallest} on is needed`);
}

function checked(word: string): readonly [string, string] {
  const at = word.indexOf('=');
  const [key, value] = at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
  if (!Object.hasOwn(DEFAULTS, key)) wrong(word, `options are ${Object.keys(DEFAULTS).join(', ')}`);
  if (ALLOWED[key]?.includes(value) === false) wrong(word, `${key} is ${ALLOWED[key]?.join(' or ')}`);
  return [key, value];
}

/** Throws at a word that is no option. Later options win, except that `heap` adds up. */
export function optionsOf(text: string): Options {
  const given = text.split(',').flatMap((word) => (word === '' ? [] : [checked(word)]));
  const all: Record<string, string> = { ...DEFAULTS, ...Object.fromEntries(given) };
  const { cpu = '', format, monitor, file = '', depth = '', interval = '', cutoff = '' } = all;
  const heap = new Set(given.flatMap(([key, value]) => (key === 'heap' ? [value] : [])));
  if (!given.some(([key]) => ['cpu', 'heap', 'monitor'].includes(key))) heap.add('all');
  const binary = format === 'b';
  if (binary && (cpu === 'times' || cpu === 'old' || monitor === 'y'))
    wrong('format=b', 'binary files have neither cpu=times, cpu=old nor monitor=y');
  const has = (kind: string): boolean => heap.has(kind) || heap.has('all');
  return {
    cpu: cpu === 'y' || cpu === 'samples' ? 'samples' : cpu === 'times' || cpu === 'old' ? cpu : undefined,
    dump: has('dump'),
    sites: has('sites'),
    monitor: monitor === 'y',
    binary,
    depth: cpu === 'old' ? 2 : Math.trunc(numberOf('depth', depth, 0)),
    interval: numberOf('interval', interval, 1),
    cutoff: numberOf('cutoff', cutoff, 0),
    lineno: all.lineno === 'y',
    thread: all.thread === 'y',
    doe: all.doe === 'y',
    file: file === '' ? (binary ? 'java.hprof' : 'java.hprof.txt') : file,
  };
}
