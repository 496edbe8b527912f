/** Lines with the options that several commands share, and those of commands with many. For placeholders see templates.ts. */
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
export function behind(start: string, ...lines: readonly (readonly string[])[]): string[] {
  return lines.flat().map((line) => `${start} ${line}`);
}

export const OUTPUT = [
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
export const LAYOUT = ['--width 60', '--width 90 --notes', '--units', '--units --format csv'];
export const LIMIT = ['--limit 0', '--limit 3 --json', '--limit x', ...LAYOUT];
export const SORT = ['--sort {column}', '--sort -{column} --limit 7 --json', '--sort no-such-column'];
export const PAGE = [...LIMIT, ...SORT, '--offset 2 --limit 3', '--offset 1000000', '--offset 3 --format csv'];
export const SCOPE = [
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
  '--during sample',
  '--during x',
  '--time 00:00..23:59',
  '--process 1 --json',
  '--process 1,2',
  '--process no-such-process',
  "--filter 'process = 1'",
  '--view-mode user',
  '--view-mode machine',
  '--view-mode expert --json',
  '--view-mode no-such-mode',
  '--dump 1',
  '--dump 2 --json',
  '--dump 99',
  '--origin own',
  '--origin jdk,own --json',
  '--origin no-such-origin',
];
export const METRIC = ['--metric {metric}', '--metric {metric} --json', '--metric no-such-metric'];
export const DEBUG = [
  '--debug-path no-such-folder',
  '--debug-path {examples}:no-such-folder --json',
  '--path-map /no/such/folder=/tmp',
  '--path-map x',
  '--debuginfod x',
];
/** Of class files: recordings do not depend on them. */
export const ANALYSIS = [
  '--main no.Such --entry no.such --library --metadata no-such --jdk no-such --cutoff 5',
  '--entry-file no-such-file',
  '--entry-observed no-such-file',
  '--algo cha --clinit roots --json',
  '--algo rta --clinit edges',
  '--algo pta --clinit skip-jdk --predicates',
];
export const SEVERAL = ['{file} {next}', '{file} {next} --json', '{file} {other} --format csv', '{file} no-such-file'];
export const LOOPS = '--classes {examples}/loops';
export const CLASSES = [
  LOOPS,
  `${LOOPS} --json`,
  '--classes {examples}/stale/shop-1.jar --json',
  '--classes {examples}/stale/shop-1.jar:{examples}/loops',
  '--classes no-such-folder',
];
export const SOURCES = [
  '--source-path {examples}/loops',
  `${LOOPS} --source-path {examples}/loops`,
  '--classes {examples}/stale/shop-1.jar --source-path {examples}/stale/shop-1 --json',
];

/** A view of files: its options, and several files at a time. */
export function view(...options: readonly (readonly string[])[]): Template {
  return {
    plain: '{file}',
    probe: '{file} --json',
    lines: [...behind('{file}', OUTPUT, ...options), ...SEVERAL],
  };
}

/** Which references, roots and sizes count. */
export const HEAP_CHOICE = [
  '--without weak',
  '--without soft,weak,phantom,final --json',
  '--without x',
  '--roots vm',
  '--sizes vm',
  '--sizes mat --roots mat',
];

/** A view of one place in a file, which `name` stands for. */
export function viewOf(name: string, ...options: readonly (readonly string[])[]): Template {
  const start = `{file} ${name}`;
  return {
    plain: start,
    probe: `${start} --json`,
    lines: [...behind(start, OUTPUT, ...options), '{file} no.such.thing', '{file} (', '{file} .', '{file}'],
  };
}

export const BASE = [
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

export const ENDINGS = [
  'collapsed',
  'speedscope.json',
  'cpuprofile',
  'pb',
  'iprof',
  'hprof.txt',
  'histo',
  'tdump',
  'unknown',
];
export const WRITTEN_AS = [
  'iprof',
  'hprof-text',
  'collapsed',
  'speedscope',
  'cpuprofile',
  'pprof',
  'jfr',
  'call-tree',
  'object-tree',
  'experiment',
  'graphml',
  'cypher',
].map((format) => `out.any --as ${format}`);
export const VERSIONS = ['0.2.0', '0.3.0', '0.4.0', '1.0.0', '1.1.0', '9.9.9', '1.0.1', '1.0.2'];

export const CONVERT: Template = {
  plain: '{file} out.collapsed',
  lines: behind(
    '{file}',
    ENDINGS.flatMap((ending) => [`out.${ending}`, `out.${ending}.gz`]),
    WRITTEN_AS,
    VERSIONS.flatMap((version) => [`out.iprof --to ${version}`, `out.hprof.txt --to ${version}`]),
    ['-', 'out.er', '- --as collapsed', '{own}', 'no-such-folder/out.collapsed', 'out.csv', 'out.csv --to 21.3'],
    behind('out.collapsed', SCOPE, METRIC, DEBUG, ['--lines']),
    behind('out.speedscope.json', SCOPE, ['--lines']),
    behind('out.pb.gz', METRIC),
    ['out.iprof --focus {functionPattern}', 'out.jfr --secrets', 'out.collapsed --expand-types *'],
    behind('out.txt --as object-tree', [
      '--suppress-types java.*',
      '--expand-types * --suppress-roots java.*',
      '--suppress-roots * --expand-roots java.util.Locale',
    ]),
    behind('out.jfr', SCOPE, ['--type GarbageCollection,jdk.GC', '--type ExecutionSample --secrets', '--lines']),
  ),
};

export const MERGE: Template = {
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

export const FLAME: Template = {
  plain: '{file} -o out.html',
  probe: '{file} --json',
  lines: behind(
    '{file}',
    [
      '',
      '--json',
      '-o out.svg',
      ...DEBUG.map((options) => `--json ${options}`),
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

export const DIFF: Template = {
  plain: '{file} {next}',
  probe: '{file} {next} --json',
  lines: [
    ...behind(
      '{file} {next}',
      OUTPUT,
      ANALYSIS,
      PAGE,
      SCOPE,
      METRIC,
      ['function', 'class', 'root', 'context', 'branch', 'receiver', 'instanceof', 'inlining', 'no-such-thing'].flatMap(
        (by) => [`--by ${by}`, `--by ${by} --json --all`],
      ),
      ['thread', 'site-class', 'monitor'].flatMap((by) => [`--by ${by}`, `--by ${by} --json`]),
      ['cause', 'package', 'entry', 'site', 'target'].flatMap((by) => [`--by ${by}`, `--by ${by} --json --limit 0`]),
      [
        '--fail-on new-entry,new-package,growth=5%',
        '--fail-on growth=0 --json',
        '--fail-on x',
        '--fail-on new-root,growth=5%',
        '--fail-on new-class --json',
      ],
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

export const STRIP: Template = {
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

export const ERROR = ['--error', '--error --json'];
export const DURATIONS = ['--durations', '--durations --metric blocked --json'];
export const CONTEXTS = ['--contexts', '--contexts --json', '--contexts --sort {column}'];
export const SHOP = '--classes {examples}/stale/shop-2.jar';
export const OLD_SHOP = '--old-classes {examples}/stale/shop-1.jar';

export const STALE = [
  SHOP,
  `${SHOP} ${OLD_SHOP}`,
  `${SHOP} ${OLD_SHOP} --json`,
  `${SHOP} --ids`,
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

export const COVERAGE = [
  '--by package',
  '--by class',
  '--by method',
  '--by method --ids',
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

export const SALVAGED = ['out', ...ENDINGS.map((ending) => `out.${ending}`), 'out.iprof.gz', '-', '{own}'];

/** Of the listing of events. */
export const EVENTS = [
  '--all',
  ...behind('no-such-type', ['', '--json', '--follow']),
  ...behind('sample', OUTPUT, LIMIT, [
    '--stack-depth 3',
    '--secrets',
    '--clock',
    '--ids',
    '--group-by stack --value count',
  ]),
  ...behind('state', ['--json --limit 3', '--filter state=blocked', '--group-by state,thread --json']),
  ...behind('wait --group-by time:1ms', ['-o out.svg', '-o out.html', '--clock -o out.txt']),
];
