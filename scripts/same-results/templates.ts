/**
 * What same-results.ts runs of each command: lines with placeholders in braces, which facts.ts fills in for each input.
 *
 * `{file}` is the input, `{next}` the next one of its format and `{other}` one of another format. `{function}`,
 * `{class}` and `{thread}` are names in the input, with the suffix `Pattern` as regular expressions. `{column}` and
 * `{metric}` stand for a line each. `{examples}` is the folder of examples. `{own}` is the input where it is a copy
 * that may be written over, and its line is skipped for others. `{empty}` is an empty word.
 */
import {
  BASE,
  behind,
  CLASSES,
  CONTEXTS,
  CONVERT,
  COVERAGE,
  DEBUG,
  DIFF,
  DURATIONS,
  ERROR,
  EVENTS,
  FLAME,
  HEAP_CHOICE,
  LIMIT,
  LOOPS,
  MERGE,
  METRIC,
  OUTPUT,
  PAGE,
  SALVAGED,
  SCOPE,
  SORT,
  SOURCES,
  STALE,
  STRIP,
  type Template,
  view,
  viewOf,
} from './option-lines.js';

export type { Template };

/** By the command's words. Names come from the answers of the first ones. */
export const TEMPLATES: Readonly<Record<string, Template>> = {
  summary: view(['--follow']),
  functions: view(PAGE, SCOPE, METRIC, BASE, ERROR, DURATIONS, DEBUG, [
    '--by line',
    '--by place --json --limit 3',
    '--by object --error',
    '--by function --also cpu',
    '--by line --base {other}',
    '--also no-such-metric',
    '--also IPC',
  ]),
  threads: view(PAGE, SCOPE, METRIC, BASE, [
    '--group stack',
    '--group none',
    '--group pool --json',
    '--group x',
    '--group pool --base {next}',
  ]),
  'heap histogram': view(PAGE, SCOPE, BASE, [
    '--class {classPattern}',
    '--by class',
    '--by loader',
    '--by package --json',
    '--class (',
  ]),
  'heap dominators': view(PAGE, SCOPE, BASE, HEAP_CHOICE, [
    '--by object',
    '--by class',
    '--by loader --json',
    '--by package --without weak',
    '--by loader --base {next} --json',
    '--by x',
    '--parent 0x1',
    '--parent 0',
    '--parent 0',
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
      ...behind('{file}', ['', '0x1', '0x1 --json', '0', '0 --json']),
    ],
  },
  'heap inspect': {
    plain: '{file} 0x1',
    lines: [
      ...behind('{file} 0x1', OUTPUT, LIMIT, SCOPE, HEAP_CHOICE, ['--offset 2', '--limit 0 --roots mat', '--no-graph']),
      ...behind('{file}', ['x', '', '0', '0 --json --offset 1']),
    ],
  },
  'calls why': viewOf('{function}', PAGE, ['--paths 0 --limit 20', '--via java', '--not-via java']),
  'calls graph': viewOf('{function}', PAGE, ['--depth 2 --most 10', '-o out.svg', '-o out.dot']),
  'calls entries': view(PAGE, [
    '--by reason',
    '--by package',
    '--by class',
    '--by loader',
    '--by module --classes {examples}/points-to/shop.jar',
  ]),
  'calls methods': view(PAGE, [
    '--by package',
    '--by class',
    '--by loader',
    '--by module --classes {examples}/points-to/shop.jar',
  ]),
  'calls cut': view(PAGE, [
    '--by method',
    '--by class --json',
    '{function}',
    '--class {classPattern}',
    '--package java.util --by package',
    '"{function} -> java"',
  ]),
  'calls unreached': view(PAGE, [
    '--classes {examples}/points-to/shop.jar',
    '--classes {examples}/points-to/shop.jar --by class --json',
    '--classes {examples}/points-to/shop.jar --by module',
    '--classes {examples}/points-to/shop.jar --by package --format csv',
    '--observed {other} --by method',
    '--observed {other} --observed {next} --json',
  ]),
  'calls unobserved': view(PAGE, [
    '--observed {other}',
    '--observed {other} --by class --json --classes {examples}/points-to/shop.jar',
    '--observed {other} --by method --limit 3',
    '--observed {other} --by package --sort name',
    '--observed {other} --by module --classes {examples}/points-to/shop.jar',
    '--observed no-such-file',
  ]),
  'pgo hot': view(PAGE, SCOPE),
  check: view(PAGE, DEBUG, behind('--salvage', SALVAGED)),
  callers: viewOf('{function}', LIMIT, SORT, SCOPE, METRIC, BASE, ERROR, DEBUG, [
    '--counts {other}',
    '--counts {examples}/krisfoster-binary-tree.iprof --json',
    '--counts {examples}/krisfoster-binary-tree.iprof --classes {examples}/points-to/shop.jar',
  ]),
  tree: view(LIMIT, SCOPE, METRIC, BASE, ERROR, DURATIONS, DEBUG, [
    '--from {function} --depth 2',
    '--from "java.util.*" --json --limit 9',
    '--inverted',
    '--inverted --json',
    '--depth 2',
    '--depth x',
    '--inverted --depth 1',
    '--counts {examples}/krisfoster-binary-tree.iprof --limit 9',
    '--counts {examples}/krisfoster-binary-tree.iprof --classes {examples}/points-to/shop.jar --limit 3',
  ]),
  'jvmpi events': view(PAGE, SCOPE, BASE, EVENTS),
  events: view(PAGE, SCOPE, BASE, EVENTS),
  timeline: view(SCOPE, ['--width 7', '--width 0', '--limit 1 --json', '-o out.svg', '-o out.html', '-o out.txt']),
  'io files': view(PAGE, SCOPE, ['--by file --json', '--by opening', '--by x']),
  'io sizes': view(PAGE, SCOPE),
  memory: view(PAGE, SCOPE),
  processes: view(PAGE),
  usage: view(PAGE, ['--by process --json', '--by sample', '--by x']),
  index: view(PAGE, SCOPE, METRIC, [
    '--by process',
    '--by processor',
    '--by sample --json',
    '--by collection',
    '--by second',
    '--by size',
    '--by duration --json',
    '--by region',
    '--by task',
    '--by x',
  ]),
  gc: view(PAGE, SCOPE, BASE, [
    '--by cause',
    '--by collector --json',
    '--by phase',
    '--by concurrent',
    '--by all',
    '--by pause',
    '--by x',
  ]),
  monitors: view(PAGE, SCOPE, BASE, ['--contention', '--contention --json', '--fail-on-deadlock']),
  sites: view(PAGE, SCOPE, BASE, [
    '--by class',
    '--by method --json',
    '--by site --format csv',
    '--by x',
    '--memory native',
    '--memory objects --json',
  ]),
  source: viewOf('{function}', LIMIT, ['--offset 2'], SCOPE, METRIC, ERROR, CLASSES, SOURCES, DEBUG, [
    `${LOOPS} --source-path {examples}/loops --disasm`,
  ]),
  disasm: viewOf('{function}', LIMIT, ['--offset 2'], SCOPE, METRIC, ERROR, CLASSES, SOURCES, DEBUG),
  flame: FLAME,
  print: {
    plain: '{file} -- -functions',
    lines: [
      '--strict {file} -- -limit 3 -calltree -pcs',
      '{file} -- -overview -header all',
      '--path-map /home=no-such-folder {file} -- -functions',
      '{file} -- -no_such',
      '{file}',
    ],
  },
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
  io: ['--help', '--no-such-option'],
  calls: ['--help', '--no-such-option'],
  jvmpi: ['--help', '--no-such-option'],
  // Programs that run differ from run to run: only what is wrong before one starts.
  'jvmpi agent': ['--help', '--no-such-option', 'too many'],
  'jvmpi attach': ['--help', 'x no-such-agent.ts', '1'],
  'jvmpi capabilities': ['--help', '', 'x', '1 --vm {examples}', '--vm {examples}'],
  'jvmpi dump': [
    '--help',
    '-o out.jvmpi-heap {examples}/heap/graph.hprof.gz',
    '-o out.jvmpi-heap --level 1 --byte-order big {examples}/heap/graph.hprof.gz --dump 0',
    '-o out.jvmpi-heap {examples}/ORIGIN.md',
    '-o out.jvmpi-heap {examples}/heap/graph.hprof.gz --dump 7',
  ],
  'jvmpi run': ['--help', 'no-such-agent.ts -- java -version', '{examples}/ORIGIN.md -- java', 'no-such-agent.ts'],
  'jvmpi record': ['--help', '-- java -version', '-o out.jvmpi --events NO_EVENT -- java -version'],
  'jvmpi replay': [
    '--help',
    'no-such-agent.ts {examples}/jvmpi/contended.jvmpi',
    '{examples}/jvmpi/class-loads.ts no-such-file',
  ],
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
