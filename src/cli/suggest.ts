/** Did you mean …? Commands by what people of other tools type, added to the nearest names that Commander finds. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { someNames } from '../base/some-names.js';

/** Words of jstack, jmap, jcmd, er_print, perf and pprof, and everyday ones, with the command that answers. */
export const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  monitors: ['deadlock', 'deadlocks', 'lock', 'locks', 'contention', 'waiters'],
  threads: ['jstack', 'stacks', 'thread', 'thread_list', 'Thread.print', 'pools'],
  functions: ['top', 'hot', 'hotspots', 'methods', 'func', 'report', 'fsummary', 'flat', 'self'],
  callers: ['callees', 'callers-callees', 'callgraph', 'peek', 'gprof'],
  tree: ['calltree', 'call-tree', 'traces', 'bottom-up', 'top-down'],
  'heap histogram': ['histo', 'jmap', 'classes', 'objects', 'class_histogram', 'GC.class_histogram'],
  sites: ['alloc', 'allocs', 'allocations', 'leaks'],
  source: ['list', 'weblist', 'lines', 'annotate'],
  disasm: ['disassemble', 'asm', 'bytecode', 'javap', 'pcs'],
  events: ['jfr', 'event', 'metadata'],
  print: ['er_print', 'gprofng', 'gp-display-text', 'display'],
  flame: ['flamegraph', 'flame-graph', 'web', 'svg', 'html', 'graph'],
  summary: ['info', 'overview', 'header', 'describe', 'show', 'stat', 'stats'],
  check: ['validate', 'verify', 'lint', 'doctor'],
  'check --salvage': ['salvage', 'recover', 'rescue'],
  diff: ['compare', 'delta'],
  convert: ['convert-to', 'export', 'collapse', 'folded', 'collapsed', 'speedscope', 'raw'],
  merge: ['add', 'combine', 'join', 'sum'],
  'pgo coverage --lcov': ['lcov', 'gcov'],
  'pgo receivers': ['types', 'virtual-calls'],
  'pgo stale --repair': ['repair'],
  'pgo stale': ['fits', 'outdated'],
};

/** The commands that `word` may mean, by its sense and as the name of a subcommand. Without `kansoku`. */
export function meantBy(program: Command, word: string): string[] {
  const lower = word.toLowerCase();
  const inGroups = program.commands.flatMap((group) =>
    group.commands.filter((command) => command.name() === lower).map(fullName),
  );
  const bySense = Object.entries(SYNONYMS).flatMap(([command, words]) =>
    words.some((synonym) => synonym.toLowerCase() === lower) ? [command] : [],
  );
  return [...new Set([...bySense, ...inGroups])];
}

/** Commands that an error names. */
const MOST_COMMANDS = 4;

/** Which of all commands have the option that an error of Commander calls unknown; empty if none has. */
export function optionElsewhere(commands: readonly Command[], text: string): string {
  const [, option] = /^error: unknown option '(--[\w-]+)/.exec(text) ?? [];
  const names = commands
    .filter(({ parent, options }) => parent !== null && options.some(({ long, hidden }) => long === option && !hidden))
    .map(fullName);
  if (names.length === 0) return '';
  return `(Commands with ${option}: ${someNames(names, MOST_COMMANDS)})\n`;
}

/** The name of a command behind those of its groups, without `kansoku`. */
export function fullName(command: Command): string {
  const parent = command.parent;
  return parent?.parent == null ? command.name() : `${fullName(parent)} ${command.name()}`;
}

/** An error of Commander; of an unknown command with what it may mean, which says more than a name that looks alike. */
export function withMeaning(program: Command, text: string): string {
  const match = /^error: unknown command '(.+)'/.exec(text);
  if (match?.[1] !== undefined && existsSync(match[1]))
    return `${match[0]}\n(Did you mean \`kansoku summary ${match[1]}\`?)\n`;
  const meant = match?.[1] === undefined ? [] : meantBy(program, match[1]);
  if (match === null || meant.length === 0) return text;
  return `${match[0]}\n(Did you mean ${meant.join(' or ')}?)\n`;
}
