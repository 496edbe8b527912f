/** Commands made of the questions of the catalogue: their arguments, options, help and examples, and the answer. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import { UsageError } from '../../base/errors.js';
import type { CatalogueEntry, ComparedInput } from '../../questions/catalogue/entry.js';
import type { RecordingTraits } from '../../questions/catalogue/traits.js';
import { flagName } from '../../questions/command-words.js';
import { ANALYSIS_OPTIONS } from '../../questions/options/analysis.js';
import type { ViewQuestion } from '../../questions/options/index.js';
import { type OptionDefinition, optionDefinitions } from '../../questions/options/option.js';
import type { RecordingFacts } from '../../session/workspace/workspace.js';
import type { ViewName } from '../../views/index.js';
import type { Invocation } from '../host.js';
import { type AnswerOptions, answer, type Printing } from './answer.js';
import { addDebugOptions } from './debug-options.js';
import {
  addBaseDump,
  addExamples,
  addLimitOption,
  addOffsetOption,
  addOutputOptions,
  addPageOptions,
  addScopeOptions,
  addSortOption,
  addTableOptions,
  listOf,
  percentage,
  repeated,
  wholeNumber,
} from './options.js';
import { patternsIn } from './pattern-file.js';

/** A question as the words of a command line gave it. */
export interface GivenQuestion<Options extends z.ZodObject> {
  readonly files: readonly string[];
  readonly options: z.output<Options>;
  /** The option that named what the recordings are compared with, and its files. */
  readonly compared?: { readonly key: ComparedInput['key']; readonly files: readonly string[] };
  /** Options of output, page, scope, code and those of the command itself. */
  readonly words: AnswerOptions;
}

type Answering = () => Promise<readonly RecordingFacts[]>;

/** What a command adds to its question. */
export interface CommandExtras<Options extends z.ZodObject> {
  /** Behind the title of the question. */
  readonly also?: string;
  /** Options of the command, before those that all commands have. */
  readonly extend?: (command: Command) => void;
  /** Adds to the question what options of the command give. */
  readonly given?: (given: GivenQuestion<Options>, command: Command) => GivenQuestion<Options>;
  readonly printing?: (given: GivenQuestion<Options>, command: Command) => Printing<ViewName>;
  /** Does something else with some options; `usual` answers the question and returns the recordings that it asked. */
  readonly run?: (given: GivenQuestion<Options>, usual: Answering, command: Command) => Promise<unknown>;
}

/** Adds the command of a question below `parent`, whose words its name begins with. */
export function registerQuestion<Options extends z.ZodObject>(
  parent: Command,
  invocation: Invocation,
  entry: CatalogueEntry<Options>,
  extras: CommandExtras<Options> = {},
): Command {
  const command = parent.command(entry.id.split(' ').at(-1) ?? '').description(`${entry.title}${extras.also ?? ''}`);
  addQuestion(command, entry, extras.extend);
  command.action(async () => {
    const words = givenQuestion(command, entry);
    const question = extras.given?.(words, command) ?? words;
    const usual = () => answerQuestion(invocation, entry, question, extras.printing?.(question, command));
    await (extras.run?.(question, usual, command) ?? usual());
  });
  return addExamples(command, entry.examples);
}

/** Adds the arguments and options of a question. */
export function addQuestion<Options extends z.ZodObject>(
  command: Command,
  entry: CatalogueEntry<Options>,
  extend?: (command: Command) => void,
): void {
  const { recordings, subject, options, compared, code, analyses, namesNative, page, hasScope, steps } = entry;
  command.argument(recordings.several ? '<file...>' : '<file>', fileMeaning(recordings.description));
  for (const option of optionDefinitions(options))
    if (option.key === subject)
      command.argument(option.isRequired ? `<${option.value}>` : `[${option.value}]`, meaningOf(option));
    else command.addOption(commandOption(option));
  const base = compared.find(({ key }) => key === 'base');
  for (const input of compared) if (input !== base) addCompared(command, input);
  for (const { key, description } of code) command.option(`--${flagName(key)} <path>`, description, repeated);
  extend?.(command);
  if (analyses) addAnalysisOptions(command, 'of class files: ');
  addOutputOptions(command);
  if (base !== undefined) addBaseDump(addCompared(command, base));
  PAGES[page](command);
  if (namesNative) addDebugOptions(command);
  if (hasScope) addScopeOptions(command, steps);
}

/** Recordings of any kind may be anywhere: the help of their commands says how such places are written. */
export function fileMeaning(recordings: string): string {
  return /^recordings?$/.test(recordings)
    ? `${recordings}; - is standard input, archive.zip!/inner/path a member, a.er+b.er experiments as one recording`
    : recordings;
}

function addCompared(command: Command, { key, value, description, several }: ComparedInput): Command {
  return several === true
    ? command.option(`--${key} <${value}>`, description, repeated)
    : command.option(`--${key} <${value}>`, description);
}

const PAGES: Readonly<Record<CatalogueEntry['page'], (command: Command) => Command>> = {
  'sorted-rows': addPageOptions,
  rows: addOffsetOption,
  sorted: (command) => addSortOption(addLimitOption(command)),
  limit: addLimitOption,
  // Code is read as a whole: all rows are shown unless a limit is given.
  code: (command) =>
    addTableOptions(command)
      .option('--limit <rows>', 'number of rows; 0 for all', wholeNumber, 0)
      .option('--offset <rows>', 'rows to skip', wholeNumber, 0),
  none: (command) => command,
};

/** The option of a command for an option of a question. */
export function commandOption(definition: OptionDefinition): Option {
  const { key, type, value = 'value', cleared, choices } = definition;
  const name = flagName(key);
  if (cleared !== undefined) return new Option(`--no-${name}`, cleared);
  if (type === 'flag') return new Option(`--${name}`, definition.description);
  const option = new Option(`--${name} <${value}>`, meaningOf(definition));
  if (type === 'number') {
    option.argParser(definition.unit === 'ratio' ? percentage(definition.most * 100) : numberParser(definition));
    if (typeof definition.default === 'number' && definition.unit !== 'ratio') option.default(definition.default);
  } else if (definition.repeats === true) option.argParser(repeated);
  else if (type === 'list') option.argParser(choices === undefined ? listOf : (text) => chosenList(text, choices));
  else if (choices !== undefined) {
    option.choices(choices);
    if (typeof definition.default === 'string') option.default(definition.default);
  }
  return option;
}

/** What an option does, and what holds without it where the command has no default that says so. */
function meaningOf({ type, description, choices, usual, unit, repeats, default: value }: OptionDefinition): string {
  // The help lists the choices of other options itself.
  if (repeats === true) return `${description}; repeat it for several`;
  if (type === 'list' && choices !== undefined) return `${description}, comma-separated: ${choices.join(', ')}`;
  const unset = usual ?? (unit === 'ratio' && typeof value === 'number' ? String(value * 100) : undefined);
  return unset === undefined ? description : `${description} (default: ${unset})`;
}

function numberParser({ least, most }: OptionDefinition): (text: string) => number {
  return (text) => {
    const count = wholeNumber(text);
    if (count >= least && count <= most) return count;
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`A whole number ${range} is expected.`);
  };
}

function chosenList(text: string, choices: readonly string[]): string[] {
  return text.split(',').map((part) => {
    const word = part.trim();
    if (choices.includes(word)) return word;
    throw new InvalidArgumentError(`${word} is unknown; expected one of ${choices.join(', ')}.`);
  });
}

/** The question that the parsed words of a command give. Throws `UsageError` for two options that name what to compare with. */
export function givenQuestion<Options extends z.ZodObject>(
  command: Command,
  { options, subject, recordings, compared, analyses }: CatalogueEntry<Options>,
): GivenQuestion<Options> {
  const [files, argument] = command.processedArgs;
  const namedOptions = optionDefinitions(options).flatMap((definition) => {
    const { key, type, unit } = definition;
    const word: unknown = key === subject ? argument : wordOf(command, definition);
    if (word === undefined) return [];
    if (key === subject && type === 'list') return [[key, listOf(String(word))]];
    return [[key, unit === 'ratio' && typeof word === 'number' ? word / 100 : word]];
  });
  const inputs = compared.flatMap(({ key }) => {
    const word: unknown = command.getOptionValue(key);
    return typeof word === 'string' || Array.isArray(word) ? [{ key, files: [word].flat().map(String) }] : [];
  });
  const [first, second] = inputs;
  if (first !== undefined && second !== undefined)
    throw new UsageError(`--${first.key} and --${second.key} exclude each other`);
  return {
    files: recordings.several && Array.isArray(files) ? files : [String(files)],
    options: options.parse(Object.fromEntries(namedOptions)),
    ...(first !== undefined && { compared: first }),
    words: {
      ...command.opts<AnswerOptions>(),
      ...(analyses && { analysis: analysisRequest(command) }),
    },
  };
}

/** What the words of a command have for an option; undefined if nothing. */
function wordOf(command: Command, definition: OptionDefinition): unknown {
  return command.getOptionValue(commandOption(definition).attributeName());
}

/** Adds the options of an analysis of class files, and a file of entries. `about`: before the meaning of each. */
export function addAnalysisOptions(command: Command, about = ''): Command {
  for (const definition of optionDefinitions(ANALYSIS_OPTIONS)) {
    const { key, description } = definition;
    command.addOption(commandOption({ ...definition, description: `${about}${description}` }));
    if (key === 'entry') command.option('--entry-file <file>', `${about}such methods, one a line, behind # comments`);
  }
  return command;
}

/** The analysis that the parsed words of a command ask for. Throws `UnreadableError` for a file of entries that is not there. */
export function analysisRequest(command: Command): z.output<typeof ANALYSIS_OPTIONS> {
  const path: unknown = command.getOptionValue('entryFile');
  const inFile = typeof path === 'string' ? patternsIn(path) : [];
  const words = optionDefinitions(ANALYSIS_OPTIONS).flatMap((definition) => {
    const word = wordOf(command, definition);
    if (definition.key === 'entry') return [['entry', [word ?? [], inFile].flat()]];
    return word === undefined ? [] : [[definition.key, word]];
  });
  return ANALYSIS_OPTIONS.parse(Object.fromEntries(words));
}

/** The view that answers a question of recordings with these traits. */
export function viewQuestion<Options extends z.ZodObject>(
  { view }: CatalogueEntry<Options>,
  { options, compared }: GivenQuestion<Options>,
  traits: readonly RecordingTraits[],
): ViewQuestion {
  return view(options, {
    traits,
    ...(compared !== undefined && { compared: compared.key }),
  });
}

/** Asks the question of each file and prints the answers. Returns the recordings that were asked. */
export function answerQuestion<Options extends z.ZodObject>(
  invocation: Invocation,
  entry: CatalogueEntry<Options>,
  question: GivenQuestion<Options>,
  printing: Printing<ViewName> = {},
): Promise<readonly RecordingFacts[]> {
  const { files, compared, words } = question;
  return answer<ViewName>(
    invocation,
    files,
    (traits) => viewQuestion(entry, question, traits),
    { ...words, ...(compared !== undefined && { base: compared.files }) },
    { runs: entry.takesRuns && compared !== undefined, ...printing },
  );
}
