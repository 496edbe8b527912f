/** What one run of the command line shares, and the parts that commands are made of. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { DamagedError, UsageError } from '../base/errors.js';
import type { Recording } from '../models/recording.js';
import type { ScopeStep } from '../models/scope.js';
import type { LibraryPaths } from '../session/library.node.js';
import { openInputs } from '../session/open.node.js';
import { ask, joinSessions, type Question, type Session, USUAL_LIMIT } from '../session/session.js';
import type { ResultOf, ViewName } from '../views/index.js';
import { EXIT, type ExitCode, explain } from './exit.js';
import { progressLine } from './progress.js';
import {
  type AnyResult,
  OUTPUT_FORMATS,
  type OutputFormat,
  readable,
  remarks,
  render,
  renderTogether,
} from './render.js';

export interface Invocation {
  readonly signal: AbortSignal;
  exitCode: ExitCode;
}

/** Options of every command that prints a result. */
export interface OutputOptions {
  readonly format?: OutputFormat;
  readonly json?: true;
  readonly color?: boolean;
  readonly cache: boolean;
}

/** Options of every view that shows as many rows as are asked for. */
export interface LimitOptions extends OutputOptions {
  readonly limit: number;
  readonly scope?: readonly ScopeStep[];
}

export interface SortedOptions extends LimitOptions {
  readonly sort?: string;
}

/** Options of every listing. */
export interface ListingOptions extends SortedOptions {
  readonly offset: number;
}

/** Options of what code tells more about. */
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
    .option('--no-cache', 'read the file itself even if a copy of what was read is cached, and cache nothing');
}

export function addPageOptions(command: Command): Command {
  return addSortOption(addLimitOption(command).option('--offset <rows>', 'rows to leave out first', wholeNumber, 0));
}

/** All of a page that a tree takes: its siblings are ordered by weight, and each row hangs below another. */
export function addLimitOption(command: Command): Command {
  return command.option('--limit <rows>', 'rows to show; 0 for all', wholeNumber, USUAL_LIMIT);
}

export function addSortOption(command: Command): Command {
  return command.option('--sort <column>', 'column to sort by; -column the other way round');
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

/** All scope options; their steps go to one list, too. */
export function addScopeOptions(command: Command): Command {
  const steps = addPatternOptions(command, ['focus', 'ignore', 'hide', 'show', 'thread']);
  return command
    .addOption(
      new Option('--time <from..to>', 'only this span of time, in seconds since the recording began').argParser(
        (text: string) => {
          steps.push(timeStep(text));
          command.setOptionValue('scope', steps);
          return text;
        },
      ),
    )
    .addOption(
      new Option(
        '--dump <number>',
        'only what was written with this dump, where there are several (1 is the first)',
      ).argParser((text: string) => {
        steps.push({ kind: 'dump', number: wholeNumber(text) });
        command.setOptionValue('scope', steps);
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

/** Opens the inputs, with progress. */
export async function open(
  invocation: Invocation,
  files: readonly string[],
  options: { readonly cache: boolean } & CodeOptions,
): Promise<Session> {
  const line = await progressLine(files.length === 1 ? (files[0] ?? '') : `${files.length} inputs`);
  try {
    return await openInputs(files, {
      cache: options.cache,
      announce: (message) => process.stderr.write(`kansoku: ${message}\n`),
      work: { signal: invocation.signal, progress: line.report },
      library: libraryOf(options),
    });
  } finally {
    line.stop();
  }
}

/** Opens what must be one recording; `UsageError` where it is several. */
export async function openOne(
  invocation: Invocation,
  files: readonly string[],
  options: { readonly cache: boolean },
): Promise<Recording> {
  const session = await open(invocation, files, options);
  const [recording] = session.recordings;
  if (recording !== undefined && session.recordings.length === 1) return recording;
  throw new UsageError(
    `${files[0] ?? ''} holds ${session.recordings.length} recordings`,
    'Name one of them: archive.zip!/inner/path.',
  );
}

interface Printing<Name extends ViewName> {
  readonly page?: (result: AnyResult) => string;
  /** Throws where an answer is none for what was asked. */
  readonly refuse?: (result: ResultOf<Name>) => void;
  /** Undefined where the answer is neither yes nor no. */
  readonly exit?: (result: ResultOf<Name>) => ExitCode | undefined;
  /** All recordings of a side are runs of one thing, and there is one answer. */
  readonly runs?: boolean;
}

function libraryOf({ classes, oldClasses, sourcePath }: CodeOptions): LibraryPaths {
  return {
    ...(classes === undefined ? {} : { classes }),
    ...(oldClasses === undefined ? {} : { oldClasses }),
    ...(sourcePath === undefined ? {} : { sources: sourcePath }),
  };
}

/** A question without what the command line adds to each. */
type Asked<Name extends ViewName> = Omit<
  Question<Name>,
  'recording' | 'base' | 'runs' | 'baseRuns' | 'page' | 'scope' | 'baseScope'
>;

type AnswerOptions = OutputOptions & Partial<ListingOptions> & BaseOptions & CodeOptions;

/**
 * Puts a question to each recording of the files and prints the answers: one after the other in tables, else together in
 * one document. Of several recordings, one that cannot answer does not keep the others from it.
 */
export async function answer<Name extends ViewName>(
  invocation: Invocation,
  files: readonly string[],
  question: Asked<Name>,
  options: AnswerOptions,
  print: Printing<Name> = {},
): Promise<void> {
  const format = outputFormat(options);
  const opened = await openCompared(invocation, files, options, print.runs === true);
  try {
    await answerFrom(opened, invocation, question, { ...options, format }, print);
  } finally {
    await opened.session.close();
  }
}

async function answerFrom<Name extends ViewName>(
  { session, asked: names, compared }: Compared,
  invocation: Invocation,
  question: Asked<Name>,
  options: AnswerOptions & { readonly format: OutputFormat },
  print: Printing<Name>,
): Promise<void> {
  const { format } = options;
  const page = {
    limit: options.limit ?? USUAL_LIMIT,
    offset: options.offset ?? 0,
    ...(options.sort === undefined ? {} : { sort: options.sort }),
  };
  const several = names.length > 1;
  const together: AnyResult[] = [];
  let refused: ExitCode = EXIT.done;
  for (const [index, { name }] of names.entries()) {
    let result: ResultOf<Name>;
    try {
      const asked = { ...question, ...compared, recording: index, page, scope: options.scope ?? [] };
      result = await ask(session, asked, { signal: invocation.signal });
      print.refuse?.(result);
    } catch (error) {
      if (!several || !(error instanceof UsageError || error instanceof DamagedError)) throw error;
      const { code, text } = explain(error);
      process.stderr.write(`${readable(name)}: ${text}\n`);
      if (refused !== EXIT.usage) refused = code;
      continue;
    }
    if (several && format !== 'table') together.push(result);
    else await write(await render(result, { format, colour: useColour(options), page: print.page }));
    for (const remark of remarks(result))
      process.stderr.write(several ? `${readable(name)}: ${remark}\n` : `${remark}\n`);
    const code = print.exit?.(result) ?? (result.complete ? EXIT.done : EXIT.partial);
    if (code !== EXIT.done) invocation.exitCode = code;
  }
  if (together.length > 0 && format !== 'table') await write(await renderTogether(together, format));
  if (refused !== EXIT.done) invocation.exitCode = refused;
}

interface Compared {
  readonly session: Session;
  readonly asked: Session['recordings'];
  readonly compared: Pick<Question<ViewName>, 'base' | 'baseScope' | 'runs' | 'baseRuns'>;
}

/**
 * Opens the files and, where there is one, the base, which stands last in the session and is not asked itself. Of `runs`
 * only the first recording is asked, and the others stand beside it.
 */
async function openCompared(
  invocation: Invocation,
  files: readonly string[],
  options: AnswerOptions,
  runs: boolean,
): Promise<Compared> {
  const session = await open(invocation, files, options);
  const asked = session.recordings;
  if (options.base === undefined) {
    if (options.baseDump === undefined) return { session, asked, compared: {} };
    throw new UsageError('--base-dump needs a base', 'Name it with --base FILE.');
  }
  const names = [options.base].flat();
  const beside = await open(invocation, names, { cache: options.cache });
  const bases = beside.recordings;
  if (!runs && bases.length !== 1)
    throw new UsageError(`${names.join(', ')} holds ${bases.length} recordings; a base is one`);
  const steps = options.scope ?? [];
  const moment = options.baseDump === undefined ? [] : [{ kind: 'dump', number: options.baseDump } as const];
  const baseScope = moment.length === 0 ? steps : [...steps.filter((step) => step.kind !== 'dump'), ...moment];
  const compared = { base: asked.length, baseScope };
  const together = joinSessions(session, beside);
  if (!runs) return { session: together, asked, compared };
  const others = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  const furtherRuns = { runs: others(1, asked.length), baseRuns: others(asked.length + 1, together.recordings.length) };
  return { session: together, asked: asked.slice(0, 1), compared: { ...compared, ...furtherRuns } };
}

function outputFormat(options: OutputOptions): OutputFormat {
  if (options.json === true && options.format !== undefined && options.format !== 'json') {
    throw new UsageError(`--json and --format ${options.format} exclude each other`);
  }
  return options.json === true ? 'json' : (options.format ?? 'table');
}

function useColour(options: OutputOptions): boolean {
  if (options.color === false || (process.env.NO_COLOR ?? '') !== '') return false;
  return process.stdout.isTTY === true || (process.env.FORCE_COLOR ?? '') !== '';
}

/** Writes to standard output and waits until it is taken. */
export async function write(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  await new Promise((resolve) => process.stdout.once('drain', resolve));
}
