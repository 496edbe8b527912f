/** Runs commands of `gprofng display text` in their order: of a command line, of scripts, of a prompt. */
import { readFile } from 'node:fs/promises';
import { KansokuError, UsageError } from '../../base/errors.js';
import { COMMANDS, indexCommand } from './commands.js';
import type { Command } from './language/command.js';
import { descendantsOf, LACKING, SESSION_COMMANDS } from './language/commands.js';
import { type CommandName, NAMES, resolvedName } from './language/names.js';
import { lineWords } from './language/words.js';
import type { Printer } from './print.js';
import type { Descendants } from './several/descendants.js';

/** Scripts that run each other are this deep at most. */
const DEEPEST = 8;
const SCRIPT = 'script';
const QUIT = 'quit';

/** Which of the words of a command line is the first one that is a command; the first word never is. All before are experiments. */
export function commandsFrom(words: readonly string[]): number {
  const place = words.findIndex((word, i) => i > 0 && (word.startsWith('-') || Object.hasOwn(COMMANDS, word)));
  return place < 0 ? words.length : place;
}

interface Entry {
  /** As commands are called. */
  readonly name: string;
  readonly command: Command;
  readonly words: readonly string[];
  readonly facts: CommandName | undefined;
}

/** How a script ended: at its end, or by `quit`. */
export type ScriptEnd = 'end' | 'quit';

/** Runs all commands, which begin with a `-`, each with its words. Throws `UsageError` for one that is unknown. */
export async function runCommands(printer: Printer, words: readonly string[]): Promise<ScriptEnd> {
  const entries = commandsIn(printer, words);
  const isEarly = ({ command }: Entry): boolean => printer.recorded.strict && command.isEarly === true;
  for (const entry of [...entries.filter(isEarly), ...entries.filter((each) => !isEarly(each))])
    if ((await runEntry(printer, entry, { depth: 0, isScript: false })) === 'quit') return 'quit';
  return 'end';
}

interface Situation {
  readonly depth: number;
  /** In scripts, messages go to the file that lists go to. */
  readonly isScript: boolean;
}

async function runEntry(printer: Printer, entry: Entry, { depth, isScript }: Situation): Promise<ScriptEnd> {
  const { name, words, command, facts } = entry;
  if (name === QUIT) return 'quit';
  if (name === SCRIPT) return runFile(printer, words[0] ?? '', depth);
  printer.state.isMessage = facts?.isMessage === true && !isScript;
  try {
    await command.run(printer, words);
  } finally {
    printer.state.isMessage = false;
  }
  return 'end';
}

async function runFile(printer: Printer, path: string, depth: number): Promise<ScriptEnd> {
  if (depth >= DEEPEST) throw new UsageError(`${path}: scripts that run each other`);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) {
    printer.note(`Error: Script file cannot be opened: ${path}`);
    return 'end';
  }
  return runLines(printer, text.split('\n'), { depth: depth + 1, isScript: true });
}

/** Runs the commands of lines, until one ends the script. Mistakes are messages. */
async function runLines(printer: Printer, lines: Iterable<string>, situation: Situation): Promise<ScriptEnd> {
  let number = 0;
  for (const line of lines) if ((await runLine(printer, line, ++number, situation)) === 'quit') return 'quit';
  return 'end';
}

/** Runs the command of one line, such as of a prompt. Mistakes are messages. */
export async function runLine(
  printer: Printer,
  line: string,
  number = 1,
  situation: Situation = { depth: 0, isScript: false },
): Promise<ScriptEnd> {
  const [name, ...words] = lineWords(line);
  if (name === undefined) {
    if (line.trim() !== '' && situation.isScript) printer.note(line.trim());
    return 'end';
  }
  try {
    const entry = entryOf(printer, name);
    if (typeof entry === 'string') {
      printer.note(entry === 'ambiguous' ? `Error: Ambiguous command: ${name}` : entry);
      return 'end';
    }
    const most = entry.command.words + (entry.command.optional === true ? 1 : 0);
    if (words.length > most) printer.note(`Warning: extra arguments to ${name} command, line ${number}`);
    if (words.length < entry.command.words) throw new UsageError(`${entry.name} needs another word`);
    return await runEntry(printer, { ...entry, words: words.slice(0, most) }, situation);
  } catch (error) {
    if (!(error instanceof KansokuError)) throw error;
    printer.note(`Error: ${error.message}`);
    return 'end';
  }
}

/** The commands of words. Those that others define have no words. */
function commandsIn(printer: Printer, words: readonly string[]): Entry[] {
  const entries: Entry[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const name = word.replace(/^-/, '');
    const entry = entryOf(printer, name);
    if (entry === 'ambiguous') throw new UsageError(`ambiguous command ${name}`, 'docs/print.md lists the commands.');
    if (typeof entry === 'string') {
      if (Object.hasOwn(LACKING, name)) throw new UsageError(entry);
      // Types of index objects are defined by the commands before.
      entries.push({ name, command: lateCommand(name), words: [], facts: undefined });
      continue;
    }
    const { command, facts } = entry;
    if (facts?.where === 'script')
      throw new UsageError(`${entry.name} can only be in a script or at the prompt`, 'Name all experiments before --.');
    const values = rest.splice(0, command.words);
    const [next] = rest;
    if (command.optional === true && next !== undefined && !next.startsWith('-')) values.push(...rest.splice(0, 1));
    if (values.length < command.words) throw new UsageError(`${name} needs another word`);
    entries.push({ ...entry, words: values });
  }
  return entries;
}

function lateCommand(name: string): Command {
  return {
    words: 0,
    run: (printer) => {
      const command = indexCommand(name, printer);
      if (command === undefined) throw new UsageError(`unknown command ${name}`, 'docs/print.md lists the commands.');
      return command.run(printer, []);
    },
  };
}

/** The command of a name, which may be shortened; a message if there is none. */
function entryOf(printer: Printer, word: string): Entry | string {
  // The analyser that gprofng comes from had this name; gprofng has not.
  const isOldName = !printer.recorded.strict && word.toLowerCase() === 'src';
  const facts = resolvedName(isOldName ? 'source' : word);
  if (facts === 'ambiguous') return facts;
  const name = facts?.name ?? word.toLowerCase();
  const command = commandNamed(name) ?? indexCommand(word, printer);
  if (command !== undefined) return { name, command, words: [], facts };
  return Object.hasOwn(LACKING, name) ? `${name}: ${LACKING[name]}` : `Error: Invalid command: ${word}`;
}

function commandNamed(name: string): Command | undefined {
  if (name === SCRIPT) return { words: 1, run: () => undefined };
  if (name === QUIT) return { words: 0, run: () => undefined };
  if (Object.hasOwn(SESSION_COMMANDS, name)) return SESSION_COMMANDS[name];
  return Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

/** Which descendants the words of a command line choose; undefined if none does. */
export function descendantsIn(words: readonly string[]): Descendants | undefined {
  const place = words.findLastIndex((word) => /^-en_desc$/i.test(word));
  return place < 0 ? undefined : descendantsOf(words[place + 1] ?? '');
}

/** Commands that are about a function. */
const ABOUT_FUNCTION = ['fsingle', 'csingle', 'cprepend', 'cappend', 'source', 'disasm'];
const MOST_COMPLETIONS = 100;

/** What the last word of a line may become, and that word: names of commands, then of functions. */
export function completions(printer: Printer, line: string): [string[], string] {
  const [, before = '', word = ''] = /^(.*?)(\S*)$/.exec(line) ?? [];
  const command = resolvedName(before.trim());
  const isAboutFunction = typeof command === 'object' && ABOUT_FUNCTION.includes(command.name);
  const all =
    before.trim() === ''
      ? commandNames(printer)
      : isAboutFunction
        ? printer.experiment.functions.map(({ short }) => short)
        : [];
  const fitting = all.filter((name) => name.startsWith(word));
  return [[...new Set(fitting)].sort().slice(0, MOST_COMPLETIONS), word];
}

function commandNames({ state }: Printer): readonly string[] {
  const names = NAMES.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]));
  return [...names, ...Object.keys(COMMANDS), ...state.indexTypes.map(({ name }) => name)];
}
