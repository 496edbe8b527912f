/** The commands that are measured, with their bars as multiples of the yardstick. */
import { join } from 'node:path';

/** Undefined: there is no bar. */
export type Bar = number | undefined;

export interface Command {
  readonly title: string;
  /** The words of the command line; `folder` has the files of the benchmark. */
  readonly words: (folder: string) => readonly string[];
  readonly bar: Bar;
  /** For the second run, with the cache that the first one wrote. */
  readonly warmBar: Bar;
}

const JDK = process.env.JAVA_HOME ?? '/usr/lib/jvm/default-java';
/** Of listings that read a cached recording. */
const FROM_CACHE = 0.2;

const profile = (folder: string): string => join(folder, 'commands.iprof');
const other = (folder: string): string => join(folder, 'commands-other.iprof');
const out = (folder: string): string => join(folder, 'written.iprof');

function onProfile(title: string, bar: Bar, warmBar: Bar, words: (file: string, folder: string) => string[]): Command {
  return { title, bar, warmBar, words: (folder) => words(profile(folder), folder) };
}

export const PROFILE_COMMANDS: readonly Command[] = [
  onProfile('summary', 0.6, FROM_CACHE, (file) => ['summary', file]),
  onProfile('functions', 0.6, FROM_CACHE, (file) => ['functions', file]),
  onProfile('check', 0.6, FROM_CACHE, (file) => ['check', file]),
  onProfile('pgo hot', 0.6, FROM_CACHE, (file) => ['pgo', 'hot', file]),
  onProfile('pgo branches', 0.8, FROM_CACHE, (file) => ['pgo', 'branches', file]),
  onProfile('pgo branches --classes', 1.2, undefined, (file) => ['pgo', 'branches', file, '--classes', JDK]),
  onProfile('callers', 0.9, FROM_CACHE, (file) => ['callers', file, 'java.util.HashMap.hash']),
  onProfile('pgo coverage', 0.9, FROM_CACHE, (file) => ['pgo', 'coverage', file]),
  onProfile('flame --inverted', 0.9, undefined, (file, folder) => [
    'flame',
    file,
    '--inverted',
    '-o',
    join(folder, 'flame.html'),
  ]),
  onProfile('pgo strip', 0.9, undefined, (file, folder) => ['pgo', 'strip', file, '-o', out(folder)]),
  onProfile('pgo stale', 2.0, undefined, (file) => ['pgo', 'stale', file, '--classes', JDK]),
  onProfile('diff of two', 2.0, undefined, (file, folder) => ['diff', file, other(folder)]),
  onProfile('merge of two', 2.5, undefined, (file, folder) => ['merge', file, other(folder), '-o', out(folder)]),
];

export const START_COMMANDS: readonly Command[] = [
  { title: '--version', bar: 1.3, warmBar: undefined, words: () => ['--version'] },
  ...['examples/deadlock-jstack.txt', 'examples/hprof/cpu-samples.txt'].map((file) => ({
    title: `summary ${file}`,
    bar: 3,
    warmBar: undefined,
    words: () => ['summary', file],
  })),
];

export const COLLAPSED_COMMANDS: readonly Command[] = [
  {
    title: 'summary',
    bar: 1.0,
    warmBar: undefined,
    words: (folder) => ['summary', join(folder, 'commands.collapsed')],
  },
  { title: 'tree', bar: 1.6, warmBar: undefined, words: (folder) => ['tree', join(folder, 'commands.collapsed')] },
];
