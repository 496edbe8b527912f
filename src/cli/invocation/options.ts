/** Options that several commands have, and how their values are read. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { THREAD_STATES } from '../../models/events/state.js';
import type { ScopeStep } from '../../models/scope.js';
import { USUAL_LIMIT } from '../../session/session.js';
import { OUTPUT_FORMATS, type OutputFormat } from '../render/render.js';

/** Options of every command that prints a result. */
export interface OutputOptions {
  readonly format?: OutputFormat;
  readonly json?: true;
  readonly color?: boolean;
  readonly notes?: true;
  readonly cache: boolean;
}

/** Options of every view that shows as many rows as are asked for. */
export interface LimitOptions extends OutputOptions {
  readonly limit: number;
  readonly width?: number;
  readonly units?: true;
  readonly scope?: readonly ScopeStep[];
}

export interface SortedOptions extends LimitOptions {
  readonly sort?: string;
}

/** Options of every listing. */
export interface ListingOptions extends SortedOptions {
  readonly offset: number;
}

/** Options of commands that read classes and sources beside the recording. */
export interface CodeOptions {
  readonly classes?: readonly string[];
  readonly oldClasses?: readonly string[];
  readonly sourcePath?: readonly string[];
}

/** Options of what can be compared with another recording; `diff` takes several. */
export interface BaseOptions {
  readonly base?: string | readonly string[];
  readonly baseDump?: number;
}

export function addOutputOptions(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'how to print').choices(OUTPUT_FORMATS))
    .option('--json', 'short for --format json')
    .option('--no-color', 'no colours, also with NO_COLOR set')
    .option('--notes', 'show all notes, not only the first three')
    .option('--no-cache', 'read the file itself even if a copy of what was read is cached, and cache nothing');
}

export function addPageOptions(command: Command): Command {
  return addSortOption(addLimitOption(command).option('--offset <rows>', 'rows to leave out first', wholeNumber, 0));
}

/** All of a page that a tree takes: its siblings are ordered by weight, and each row hangs below another. */
export function addLimitOption(command: Command): Command {
  return addTableOptions(command.option('--limit <rows>', 'rows to show; 0 for all', wholeNumber, USUAL_LIMIT));
}

/** How listings are laid out. */
export function addTableOptions(command: Command): Command {
  return command
    .option('--width <columns>', "width of tables; 0 for any; usually the terminal's", wholeNumber)
    .option('--units', 'name the unit of each column in the head of csv and tsv');
}

export function addSortOption(command: Command): Command {
  return command.option('--sort <column>', 'column to sort by, by its title or key; -column the other way round');
}

const PATTERN_HELP = {
  focus: 'only what has a matching function on its stack',
  ignore: 'only what has no matching function on its stack',
  hide: 'take matching functions out of the stacks',
  show: 'take all other functions out of the stacks',
  thread: 'only matching threads',
} as const;

/** The steps of `kinds` alone, to one list in the order in which they were written: the order matters. */
export function addPatternOptions(command: Command, kinds: readonly (keyof typeof PATTERN_HELP)[]): ScopeStep[] {
  const steps: ScopeStep[] = [];
  for (const kind of kinds) {
    const option = new Option(`--${kind} <regex>`, PATTERN_HELP[kind]).argParser((text: string) => {
      steps.push({ kind, pattern: text });
      command.setOptionValue('scope', steps);
      return text;
    });
    command.addOption(option);
  }
  return steps;
}

/** Several states with commas between; the choices are for help and completion, the scope itself names an unknown one. */
function stateOption(add: (step: ScopeStep) => void): Option {
  const option = new Option('--state <list>', 'only threads in these states, with commas between').choices(
    THREAD_STATES,
  );
  return option.argParser((text: string) => {
    add({ kind: 'state', states: text.split(',') });
    return text;
  });
}

/** All scope options; their steps go to one list, too. Where a command has a `--state` of its own, that one stays. */
export function addScopeOptions(command: Command): Command {
  const steps = addPatternOptions(command, ['focus', 'ignore', 'hide', 'show', 'thread']);
  const add = (step: ScopeStep): void => {
    steps.push(step);
    command.setOptionValue('scope', steps);
  };
  const time = new Option('--time <from..to>', 'only this span of time, in seconds since the recording began');
  const dump = new Option(
    '--dump <number>',
    'only what was written with this dump, where there are several (1 is the first)',
  );
  if (command.options.every(({ long }) => long !== '--state')) command.addOption(stateOption(add));
  return command
    .addOption(
      time.argParser((text: string) => {
        add(timeStep(text));
        return text;
      }),
    )
    .addOption(
      dump.argParser((text: string) => {
        add({ kind: 'dump', number: wholeNumber(text) });
        return text;
      }),
    );
}

export function addBaseOptions(command: Command): Command {
  return command
    .option('--base <file>', 'show what changed since this recording')
    .option('--base-dump <number>', 'which dump of the base, where it has several', wholeNumber);
}

export function addSourceOptions(command: Command): Command {
  return command.option(
    '--source-path <path>',
    'sources of what was recorded: directories, jars, src.zip, JDKs; several joined by : or with the option again',
    repeated,
  );
}

export function addCodeOptions(command: Command): Command {
  return command.option(
    '--classes <path>',
    'classes of what was recorded: directories, jars, JDKs; several joined by : or with the option again',
    repeated,
  );
}

/** The values of an option that may be given several times, in their order. */
export function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

function timeStep(text: string): ScopeStep {
  const match = /^(\d+(?:\.\d+)?)?\.\.(\d+(?:\.\d+)?)?$/.exec(text);
  if (match === null) throw new InvalidArgumentError('Two times in seconds are expected, as in 1.5..3 or 10..');
  return {
    kind: 'time',
    from: Number(match[1] ?? 0) * 1e9,
    to: match[2] === undefined ? Infinity : Number(match[2]) * 1e9,
  };
}

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('A whole number is expected, 0 or more.');
  return Number(text);
}

/** Reads `5`, `7.5` or `5%`, up to `most`. */
export function percentage(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text.replace(/ ?%$/, ''));
    if (!/^\d+(?:\.\d+)?(?: ?%)?$/.test(text) || value > most)
      throw new InvalidArgumentError(`A percentage from 0 to ${most} is expected.`);
    return value;
  };
}

/** Examples at the end of a command's help; a test runs each of them. */
const examples = new WeakMap<Command, readonly string[]>();

export function addExamples(command: Command, lines: readonly string[]): Command {
  examples.set(command, lines);
  return command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  kansoku ${line}`).join('\n')}`);
}

export function examplesOf(command: Command): readonly string[] {
  return examples.get(command) ?? [];
}
