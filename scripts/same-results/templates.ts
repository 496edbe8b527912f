/**
 * What same-results.ts runs of each command: lines with placeholders in braces, which facts.ts fills in for each input.
 *
 * `{file}` is the input, `{next}` the next one of its format and `{other}` one of another format. `{function}`,
 * `{class}` and `{thread}` are names in the input, with the suffix `Pattern` as regular expressions. `{column}` and
 * `{metric}` stand for a line each. `{examples}` is the folder of examples. `{own}` is the input where it is a copy
 * that may be written over, and its line is skipped for others. `{empty}` is an empty word.
 */

import { THREAD_STATES } from '../../src/models/events/state.js';

export interface Template {
  /** The line that each input is asked. */
  readonly plain: string;
  /** The line whose JSON answer says what can be asked further: columns and names. */
  readonly probe?: string;
  /** Each is tried with some input of every format. */
  readonly lines: readonly string[];
}

/** `lines` after `start`. */
function behind(start: string, ...lines: readonly (readonly string[])[]): string[] {
  return lines.flat().map((line) => `${start} ${line}`);
}

const OUTPUT = [
  '--json',
  '--format table',
  '--format json',
  '--format ndjson',
  '--format csv',
  '--format tsv',
  '--format md',
  '--json --format csv',
  '--no-color',
  '--notes',
];
const LAYOUT = ['--width 60', '--width 90 --notes', '--units', '--units --format csv'];
const LIMIT = ['--limit 0', '--limit 3 --json', '--limit x', ...LAYOUT];
const SORT = ['--sort {column}', '--sort -{column} --limit 7 --json', '--sort no-such-column'];
const PAGE = [...LIMIT, ...SORT, '--offset 2 --limit 3', '--offset 1000000', '--offset 3 --format csv'];
const SCOPE = [
  '--focus {functionPattern}',
  '--ignore {functionPattern}',
  '--hide {functionPattern}',
  '--show {functionPattern}',
  '--hide {functionPattern} --focus {classPattern}',
  '--focus no.such.function --json',
  '--focus (',
  '--thread {threadPattern}',
  '--thread no-such-thread',
  '--state runnable,parked',
  ...THREAD_STATES.map((state) => `--state ${state} --json`),
  '--state no-such-state',
  '--time 0..1',
  '--time 0.5..',
  '--time x',
  '--filter no_such_field=1',
  '--filter (',
  '--at sample#1',
  '--at x',
  '--dump 1',
  '--dump 2 --json',
  '--dump 99',
  '--origin own',
  '--origin jdk,own --json',
  '--origin no-such-origin',
];
const METRIC = ['--metric {metric}', '--metric {metric} --json', '--metric no-such-metric'];
const SEVERAL = ['{file} {next}', '{file} {next} --json', '{file} {other} --format csv', '{file} no-such-file'];
const LOOPS = '--classes {examples}/loops';
const CLASSES = [
  LOOPS,
  `${LOOPS} --json`,
  '--classes {examples}/stale/shop-1.jar --json',
  '--classes {examples}/stale/shop-1.jar:{examples}/loops',
  '--classes no-such-folder',
];
const SOURCES = [
  '--source-path {examples}/loops',
  `${LOOPS} --source-path {examples}/loops`,
  '--classes {examples}/stale/shop-1.jar --source-path {examples}/stale/shop-1 --json',
];

/** A view of files: its options, and several files at a time. */
function view(...options: readonly (readonly string[])[]): Template {
  return {
    plain: '{file}',
    probe: '{file} --json',
    lines: [...behind('{file}', OUTPUT, ...options), ...SEVERAL],
  };
}

/** Which references, roots and sizes count. */
const HEAP_CHOICE = [
  '--without weak',
  '--without soft,weak,phantom,final --json',
  '--without x',
  '--roots vm',
  '--sizes vm',
  '--sizes mat --roots mat',
];

/** A view of one place in a file, which `name` stands for. */
function viewOf(name: string, ...options: readonly (readonly string[])[]): Template {
  const start = `{file} ${name}`;
  return {
    plain: start,
    probe: `${start} --json`,
    lines: [...behind(start, OUTPUT, ...options), '{file} no.such.thing', '{file} (', '{file} .', '{file}'],
  };
}

const BASE = [
  '--base {next}',
  '--base {next} --json',
  '--base {next} --focus {functionPattern} --format csv',
  '--base {next} --sort name --limit 5',
  '--base {file} --dump 2 --base-dump 1',
  '--base {next} --base-dump 1',
  '--base-dump 1',
  '--base no-such-file',
  '--base {other}',
];

const ENDINGS = ['collapsed', 'speedscope.json', 'iprof', 'hprof.txt', 'histo', 'tdump', 'unknown'];
const WRITTEN_AS = ['iprof', 'hprof-text', 'collapsed', 'speedscope'].map((format) => `out.any --as ${format}`);
const VERSIONS = ['0.2.0', '0.3.0', '0.4.0', '1.0.0', '1.1.0', '9.9.9', '1.0.1', '1.0.2'];

const CONVERT: Template = {
  plain: '{file} out.collapsed',
  lines: behind(
    '{file}',
    ENDINGS.flatMap((ending) => [`out.${ending}`, `out.${ending}.gz`]),
    WRITTEN_AS,
    VERSIONS.flatMap((version) => [`out.iprof --to ${version}`, `out.hprof.txt --to ${version}`]),
    ['-', '- --as collapsed', '{own}', 'no-such-folder/out.collapsed'],
    behind('out.collapsed', SCOPE, METRIC, ['--lines']),
    behind('out.speedscope.json', SCOPE, ['--lines']),
    ['out.iprof --focus {functionPattern}'],
  ),
};

const MERGE: Template = {
  plain: '{file} {next} -o out.collapsed',
  lines: [
    ...behind(
      '{file} {next}',
      ENDINGS.map((ending) => `-o out.${ending}`),
      WRITTEN_AS.map((line) => `-o ${line}`),
      VERSIONS.map((version) => `-o out.iprof --to ${version}`),
      ['-o - --as collapsed', '-o out.iprof --weights 1,1/3', '-o out.collapsed --weights 2,0.5', '-o out.iprof.gz'],
      ['-o out.collapsed --weights 1', '-o out.collapsed --lines', '-o {own}', ''],
      METRIC.map((line) => `-o out.collapsed ${line}`),
    ),
    '{file} {file} -o out.iprof --weights 0.5,0.5',
    '{file} {other} -o out.speedscope.json',
    '{file} -o out.iprof',
  ],
};

const FLAME: Template = {
  plain: '{file} -o out.html',
  probe: '{file} --json',
  lines: behind(
    '{file}',
    [
      '',
      '--json',
      '-o out.svg',
      '-o out.svg --notes',
      '-o -',
      '-o out.txt',
      '--json -o out.html',
      '-o no-such-folder/out.svg',
    ],
    ...['-o out.svg', '--json', '-o out.html'].map((start) =>
      behind(start, ['--inverted', '--depth 3', '--min-share 5', '--min-share 5 --inverted', '--base {next}'], METRIC),
    ),
    behind('--json', SCOPE, [
      '--base {other}',
      '--base {next} --normalise',
      '--normalise',
      '--base no-such-file',
      '--min-share x',
      '--depth x',
    ]),
    behind('-o out.svg', SCOPE),
  ),
};

const DIFF: Template = {
  plain: '{file} {next}',
  probe: '{file} {next} --json',
  lines: [
    ...behind(
      '{file} {next}',
      OUTPUT,
      PAGE,
      SCOPE,
      METRIC,
      ['function', 'class', 'context', 'branch', 'receiver', 'instanceof', 'inlining', 'no-such-thing'].flatMap(
        (by) => [`--by ${by}`, `--by ${by} --json --all`],
      ),
      ['--by thread', '--by thread --json'],
      ['--match {functionPattern}', '--match {classPattern} --all', '--match ('],
      ['--normalise', '--noise 10', '--noise 0 --json', '--noise x', '--same', '--all', '--same --json --limit 0'],
      ['--base-dump 1', '--base-dump 2 --dump 1'],
    ),
    '--base {next} --base {file} {file}',
    '--base {next} {file} {file} {next} --json',
    '--base {other} {file}',
    '{file}',
    '{file} {file} {file}',
    '{file} {other}',
    '{file} {file} --json --all',
  ],
};

const STRIP: Template = {
  plain: '{file} -o out.iprof',
  lines: behind('{file}', [
    '',
    '-o out.iprof.gz',
    '-o -',
    '-o out.collapsed',
    '-o {own}',
    '-o out.iprof --min-count 10',
    '-o out.iprof --min-count 1000000000000',
    '-o out.iprof --kinds call,branch',
    '-o out.iprof --kinds no-such-kind',
    '-o out.iprof --drop-kinds call',
    '-o out.iprof --no-profiler',
    '-o out.iprof --anonymise',
    '-o out.iprof --anonymise --keep-names {classPattern}',
    '-o out.iprof --anonymise --keep-names (',
    '-o out.iprof --anonymise --salt pepper',
    '-o out.iprof --salt pepper',
    '-o out.iprof --focus {functionPattern}',
    '-o out.iprof --ignore {functionPattern} --min-count 2',
    ...VERSIONS.map((version) => `-o out.iprof --to ${version}`),
  ]),
};

const ERROR = ['--error', '--error --json'];
const CONTEXTS = ['--contexts', '--contexts --json', '--contexts --sort {column}'];
const SHOP = '--classes {examples}/stale/shop-2.jar';
const OLD_SHOP = '--old-classes {examples}/stale/shop-1.jar';

const STALE = [
  SHOP,
  `${SHOP} ${OLD_SHOP}`,
  `${SHOP} ${OLD_SHOP} --json`,
  `${SHOP} ${OLD_SHOP} --repair out.iprof`,
  `${SHOP} --repair out.iprof.gz`,
  `${SHOP} --repair - --json`,
  `${LOOPS} --repair out.iprof`,
  '--repair out.iprof',
  `${SHOP} ${OLD_SHOP} --state moved,gone,changed,new`,
  `${SHOP} --state no-such-state`,
  `${SHOP} ${OLD_SHOP} --fail-above 5`,
  `${LOOPS} --fail-above 0`,
  `${OLD_SHOP} --classes {examples}/stale/shop-1.jar`,
];

const COVERAGE = [
  '--by package',
  '--by class',
  '--by method',
  '--by module --sort {column}',
  '--by class --origin own --json',
  '--missing omit',
  '--lcov out.info',
  `--lcov out.info ${LOOPS} --source-path {examples}/loops`,
  `--lcov - ${LOOPS}`,
  `--lcov out.info ${LOOPS} --missing omit`,
  `--lcov out.info ${LOOPS} --missing zero --focus {functionPattern}`,
  `--lcov out.info ${LOOPS} --by class`,
  '--lcov out.info --classes {examples}/stale/shop-1.jar --source-path {examples}/stale/shop-1',
];

const SALVAGED = ['out', ...ENDINGS.map((ending) => `out.${ending}`), 'out.iprof.gz', '-', '{own}'];

/** By the command's words. Names come from the answers of the first ones. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  summary: view(),
  functions: view(PAGE, SCOPE, METRIC, BASE, ERROR),
  threads: view(PAGE, SCOPE, METRIC, BASE, [
    '--group stack',
    '--group pool --json',
    '--group x',
    '--group pool --base {next}',
  ]),
  'heap histogram': view(PAGE, SCOPE, BASE, ['--class {classPattern}', '--class no-such-class', '--class (']),
  'heap dominators': view(PAGE, SCOPE, HEAP_CHOICE, [
    '--by object',
    '--by class',
    '--by loader --json',
    '--by package --without weak',
    '--by x',
    '--parent 0x1',
  ]),
  'heap objects': view(PAGE, SCOPE, HEAP_CHOICE, [
    '--class {classPattern}',
    '--limit 0 --format csv',
    '--class {classPattern} --sort retained',
  ]),
  'heap paths': {
    plain: '{file} --class {classPattern}',
    lines: [
      ...behind('{file} --class {classPattern}', OUTPUT, LIMIT, SCOPE, HEAP_CHOICE, ['--no-merge']),
      ...behind('{file}', ['', '0x1', '0x1 --json']),
    ],
  },
  'heap inspect': {
    plain: '{file} 0x1',
    lines: [
      ...behind('{file} 0x1', OUTPUT, LIMIT, SCOPE, HEAP_CHOICE, ['--offset 2', '--limit 0 --roots mat', '--no-graph']),
      ...behind('{file}', ['x', '']),
    ],
  },
  'pgo hot': view(PAGE, SCOPE),
  check: view(PAGE, behind('--salvage', SALVAGED)),
  callers: viewOf('{function}', LIMIT, SORT, SCOPE, METRIC, ERROR),
  tree: view(LIMIT, SCOPE, METRIC, ERROR, [
    '--inverted',
    '--inverted --json',
    '--depth 2',
    '--depth x',
    '--inverted --depth 1',
  ]),
  events: view(PAGE, SCOPE, [
    '--all',
    ...behind('no-such-type', ['', '--json']),
    ...behind('sample', OUTPUT, LIMIT, ['--stack-depth 3', '--secrets', '--group-by stack --value count']),
    ...behind('state', ['--json --limit 3', '--filter state=blocked', '--group-by state,thread --json']),
  ]),
  timeline: view(SCOPE, ['--width 7', '--width 0', '--limit 1 --json', '-o out.svg', '-o out.txt']),
  gc: view(PAGE, SCOPE, BASE, [
    '--by cause',
    '--by collector --json',
    '--by phase',
    '--by concurrent',
    '--by all',
    '--by pause',
    '--by x',
  ]),
  monitors: view(PAGE, SCOPE, ['--contention', '--contention --json', '--fail-on-deadlock']),
  sites: view(PAGE, SCOPE),
  source: viewOf('{function}', LIMIT, ['--offset 2'], SCOPE, METRIC, ERROR, CLASSES, SOURCES, [
    `${LOOPS} --source-path {examples}/loops --disasm`,
  ]),
  disasm: viewOf('{function}', LIMIT, ['--offset 2'], SCOPE, METRIC, ERROR, CLASSES, SOURCES),
  flame: FLAME,
  diff: DIFF,
  'pgo branches': view(PAGE, SCOPE, CONTEXTS, CLASSES),
  'pgo receivers': view(PAGE, SCOPE, CONTEXTS, CLASSES, [
    '--instanceof',
    '--instanceof --contexts --json',
    '--monomorphic 90',
  ]),
  'pgo inlining': viewOf('{function}', LIMIT, SCOPE, ['--into', '--into --json', '--depth 2', '--into --depth 1']),
  'pgo stale': view(PAGE, SCOPE, STALE),
  'pgo strip': STRIP,
  'pgo coverage': view(PAGE, SCOPE, SOURCES, COVERAGE),
  convert: CONVERT,
  merge: MERGE,
};

/** Commands that take no recording, with what to run of them. */
export const WITHOUT_INPUT: Readonly<Record<string, readonly string[]>> = {
  '': ['', '--help', 'no-such-command', 'sumary', '--no-such-option', 'pgo', 'heap', 'pgo no-such-command'],
  pgo: ['--help', '--no-such-option'],
  heap: ['--help', '--no-such-option'],
  demo: ['', 'too many'],
  man: ['', 'too many'],
  completion: ['', 'bash', 'zsh', 'fish', 'powershell', 'no-such-shell'],
  complete: ['', '-- {empty}', '-- pgo {empty}', '-- pgo -', '-- no-such-command {empty}'],
};

/** Options of the examples with code; commands that take code also run with them. */
export const CODE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'examples/loops/loops.iprof': { '--classes': '{examples}/loops', '--source-path': '{examples}/loops' },
  'examples/stale/shop.iprof': {
    '--classes': '{examples}/stale/shop-2.jar',
    '--old-classes': '{examples}/stale/shop-1.jar',
    '--source-path': '{examples}/stale/shop-2',
  },
};

/** Lines of commands with the classes of a JDK, where there is one. */
export const WITH_JDK: Readonly<Record<string, readonly string[]>> = {
  'pgo branches': ['', '--json --limit 0', '--contexts --sort iterations --format csv'],
  'pgo receivers': ['', '--json --limit 0', '--instanceof'],
  'pgo stale': ['', '--json --limit 0', '--old-classes {jdk} --limit 0 --format csv'],
  'pgo coverage': ['', '--by class --json --limit 0', '--lcov out.info --missing omit --focus HashMap'],
  source: ['java.util.HashMap.putVal', 'java.lang.String.hashCode --disasm --json'],
  disasm: ['java.util.HashMap.putVal', 'java.lang.String.hashCode --json'],
};
