/** Options shared by several commands, and the parsers of their values. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UNIT_NAMES } from '../../analysis/scope/filter-language.js';
import { THREAD_STATES } from '../../models/events/state.js';
import { ORIGINS, type Origin, type ScopeStep, VIEW_MODES } from '../../models/scope.js';
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

/** Options of views with a limit of rows. */
export interface LimitOptions extends OutputOptions {
  readonly limit: number;
  readonly width?: number;
  readonly units?: true;
  readonly scope?: readonly ScopeStep[];
  /** The words that the scope was given with. */
  readonly scopeWords?: readonly string[];
}

export interface SortedOptions extends LimitOptions {
  readonly sort?: string;
}

/** Options of every listing. */
export interface ListingOptions extends SortedOptions {
  readonly offset: number;
}

/** Options of commands that read classes and sources. */
export interface CodeOptions {
  readonly classes?: readonly string[];
  readonly oldClasses?: readonly string[];
  readonly sourcePath?: readonly string[];
}

/** Options of views that compare with another recording; `diff` accepts several. */
export interface BaseOptions {
  readonly base?: string | readonly string[];
  readonly baseDump?: number;
}

export function addOutputOptions(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'output format').choices(OUTPUT_FORMATS))
    .option('--json', 'same as --format json')
    .option('--no-color', 'no colours (as with NO_COLOR set)')
    .option('--notes', 'show all notes instead of the first three')
    .option('--no-cache', 'read the file itself; neither use nor write the cache');
}

export function addPageOptions(command: Command): Command {
  return addSortOption(addOffsetOption(command));
}

/** Pages of rows in a fixed order. */
export function addOffsetOption(command: Command): Command {
  return addLimitOption(command).option('--offset <rows>', 'rows to skip', wholeNumber, 0);
}

/** The only page option of a tree: siblings are ordered by weight, and each row belongs below another. */
export function addLimitOption(command: Command): Command {
  return addTableOptions(command.option('--limit <rows>', 'number of rows; 0 for all', wholeNumber, USUAL_LIMIT));
}

/** Adds the options for the layout of listings. */
export function addTableOptions(command: Command): Command {
  return command
    .option('--width <columns>', "table width in characters; 0 for unlimited (default: the terminal's)", wholeNumber)
    .option('--units', 'add units to the column heads of csv and tsv');
}

/** Of views whose answer changes while a recording is written. */
export function addFollow(command: Command): Command {
  return command.option('--follow', 'read on while the recording is written, until it ends or you press Ctrl-C');
}

export function addSortOption(command: Command): Command {
  return command.option('--sort <column>', 'column to sort by, title or key; -COLUMN reverses the order');
}

const PATTERN_HELP = {
  focus: 'keep events with a matching function on the stack',
  ignore: 'drop events with a matching function on the stack',
  hide: 'remove matching functions from the stacks',
  show: 'remove all other functions from the stacks',
  thread: 'keep events of matching threads',
} as const;

/** Adds the options of `kinds`; their steps go to one list in the order on the command line, which matters. */
export function addPatternOptions(command: Command, kinds: readonly (keyof typeof PATTERN_HELP)[]): ScopeStep[] {
  const steps: ScopeStep[] = [];
  for (const kind of kinds)
    addStep(command, steps, new Option(`--${kind} <regex>`, PATTERN_HELP[kind]), (pattern) => ({ kind, pattern }));
  return steps;
}

/** Adds an option; each use adds a step to the command's scope, and the words to its `scopeWords`. */
function addStep(command: Command, steps: ScopeStep[], option: Option, stepOf: (text: string) => ScopeStep): void {
  command.addOption(
    option.argParser((text: string) => {
      steps.push(stepOf(text));
      command.setOptionValue('scope', steps);
      const words: unknown = command.getOptionValue('scopeWords');
      command.setOptionValue('scopeWords', [...(Array.isArray(words) ? words : []), option.long, text]);
      return text;
    }),
  );
}

const PATTERN_STEPS = ['focus', 'ignore', 'hide', 'show', 'thread'] as const;

/** Adds scope options, by default all; their steps go to one list, too. A command's own `--state` stays. */
export function addScopeOptions(command: Command, kinds?: readonly ScopeStep['kind'][]): Command {
  const means = (kind: string): boolean => kinds === undefined || kinds.some((each) => each === kind);
  const steps = addPatternOptions(command, PATTERN_STEPS.filter(means));
  const add = (flags: string, help: string, stepOf: (text: string) => ScopeStep, choices?: readonly string[]): void => {
    const [, kind = ''] = /^--([\w-]+)/.exec(flags) ?? [];
    if (!means(kind)) return;
    const option = new Option(flags, help);
    addStep(command, steps, choices === undefined ? option : option.choices(choices), stepOf);
  };
  add(
    '--process <processes>',
    'keep events of these processes: numbers as in `processes`, comma-separated, or a pattern of their names and commands',
    (processes) => ({ kind: 'process', processes }),
  );
  const has = (name: string): boolean => command.options.some(({ long }) => long === name);
  add('--origin <list>', `keep events in code of these origins, comma-separated: ${ORIGINS.join(', ')}`, (text) => ({
    kind: 'origin',
    origins: originList(text),
  }));
  // The choices are for help and completion; the scope itself reports an unknown state.
  if (!has('--state'))
    add(
      '--state <list>',
      'keep events of threads in these states, comma-separated',
      (text) => ({ kind: 'state', states: text.split(',') }),
      THREAD_STATES,
    );
  add(
    '--filter <expression>',
    "keep events whose fields fit, as in 'duration > 20ms and thread ~ /pool/'",
    (expression) => ({
      kind: 'filter',
      expression,
    }),
  );
  add(
    '--time <from..to>',
    'keep events in this time span: seconds since the start, +200ms..+2s, or times of day, as in 08:07:58..08:08:01',
    timeStep,
  );
  addEventSteps(add);
  add(
    '--view-mode <mode>',
    'which stack of Java and OpenMP programs counts',
    (text) => ({ kind: 'view-mode', mode: VIEW_MODES.find((mode) => mode === text) ?? 'user' }),
    VIEW_MODES,
  );
  add('--dump <number>', 'keep the data of this dump (1 is the first)', (text) => ({
    kind: 'dump',
    number: wholeNumber(text),
  }));
  return command;
}

type AddStep = (flags: string, help: string, stepOf: (text: string) => ScopeStep) => void;

/** What happened during events. */
function addEventSteps(add: AddStep): void {
  add('--at <event>', 'keep what happened on the thread of this event during it, as in jdk.ThreadPark#3', (event) => ({
    kind: 'at',
    event,
  }));
  add(
    '--during <events>',
    "keep what happened on the threads of these events during them, as in 'acme.Request and duration > 150ms'",
    (events) => ({ kind: 'during', events }),
  );
}

function originList(text: string): Origin[] {
  return text.split(',').map((word) => {
    const origin = ORIGINS.find((name) => name === word);
    if (origin === undefined)
      throw new InvalidArgumentError(`${word} is unknown; expected one of ${ORIGINS.join(', ')}.`);
    return origin;
  });
}

export function addBaseDump(command: Command): Command {
  return command.option('--base-dump <number>', 'dump of the base, if it has several', wholeNumber);
}

/** The values of an option that may be given several times, in their order. */
export function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** The parts of a list with commas, trimmed, without empty ones. */
export function listOf(text: string): string[] {
  return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
}

/** A time since the start: seconds, or a number with a unit. */
const SINCE_START = /^\+?(\d+(?:\.\d+)?|\.\d+)\s*(ns|us|µs|ms|s|min|h)?$/;

function timeStep(text: string): ScopeStep {
  const [, first = '', last = ''] = /^(.*?)\.\.(.*)$/.exec(text) ?? [];
  if (first === '' && last === '')
    throw new InvalidArgumentError('Two times are expected, as in 1.5..3, 10.., +200ms..+2s or 08:07:58..08:08:01.');
  const [start, end] = [first, last].map((part) => (part === '' ? undefined : sinceStart(part)));
  const isSinceStart = (part: string, time: number | undefined): boolean => part === '' || time !== undefined;
  if (isSinceStart(first, start) && isSinceStart(last, end))
    return { kind: 'time', from: start ?? 0, ...(end !== undefined && { to: end }) };
  return { kind: 'clock', ...(first !== '' && { from: first }), ...(last !== '' && { to: last }) };
}

/** In ns; undefined for other texts, such as times of day. */
function sinceStart(text: string): number | undefined {
  const [, number, unit = 's'] = SINCE_START.exec(text) ?? [];
  const [, size = NaN] = UNIT_NAMES[unit] ?? [];
  return number === undefined ? undefined : Number(number) * size;
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
