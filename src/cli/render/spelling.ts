/**
 * Phrases as the command line writes them: parts of a question are flags, questions are commands. A question to a recording with a name is a line to run,
 * quoted for a shell; one to any recording is a command between backticks.
 */
import type { KansokuError } from '../../base/errors.js';
import type { Note } from '../../base/note.js';
import { shellWord } from '../../base/parsing/shell-word.js';
import {
  type InputName,
  type InputReference,
  type OptionValue,
  type PageReference,
  type Phrase,
  type Reference,
  type StepReference,
  spellPhrase,
  type TransformReference,
  type ViewReference,
} from '../../base/phrase.js';
import { printable } from '../../base/text.js';
import { flagName } from '../../questions/command-words.js';

/** The text of a phrase on the command line. */
export function commandLineText(text: Phrase): string {
  return spellPhrase(text, inFlags);
}

/** The lines of an error: what is wrong, which is one line, and what to do about it. Line feeds of names are escaped. */
export function errorLines({ message, text, advice, lines }: KansokuError): string[] {
  const messageLine = typeof text === 'string' ? message : commandLineText(text);
  return [messageLine, ...(advice === undefined ? [] : [commandLineText(advice)]), ...lines].map(printable);
}

/** The texts of notes. */
export function noteTexts(notes: readonly Note[]): string[] {
  return notes.map(({ text }) => commandLineText(text));
}

/** A result with its notes and headlines as texts, as the published schemas have them. */
export function withTexts<Result extends object>(result: Result): Result {
  const notes = 'notes' in result && areNotes(result.notes) ? { notes: noteTexts(result.notes) } : {};
  const headlines =
    'headlines' in result && arePhrases(result.headlines) ? { headlines: result.headlines.map(commandLineText) } : {};
  return { ...result, ...notes, ...headlines };
}

function areNotes(notes: unknown): notes is readonly Note[] {
  return Array.isArray(notes) && notes.every((each) => typeof each === 'object' && each !== null && 'code' in each);
}

function arePhrases(headlines: unknown): headlines is readonly Phrase[] {
  return Array.isArray(headlines) && headlines.every((each) => typeof each === 'string' || Array.isArray(each));
}

function inFlags(reference: Reference): string {
  if ('view' in reference) return question(reference);
  if ('transform' in reference) return writing(reference);
  if ('field' in reference) return '--format json';
  if ('option' in reference)
    return optionWords(reference.option, reference.value ?? reference.choose ?? true).join(' ');
  const value = reference.value ?? reference.choose;
  const flag = flagOf(reference);
  return value === undefined ? flag : `${flag} ${value}`;
}

function flagOf(reference: StepReference | InputReference | PageReference): string {
  if ('step' in reference) return `--${reference.step}`;
  return 'input' in reference ? INPUT_FLAGS[reference.input] : `--${reference.page}`;
}

/** Options whose flags have another name. */
const OPTION_FLAGS: Readonly<Record<string, string>> = { version: '--to', format: '--as', types: '--type' };

function optionFlag(name: string): string {
  const flag = Object.hasOwn(OPTION_FLAGS, name) ? OPTION_FLAGS[name] : undefined;
  if (flag !== undefined) return flag;
  return `--${flagName(name)}`;
}

const INPUT_FLAGS: Readonly<Record<InputName, string>> = {
  classes: '--classes',
  oldClasses: '--old-classes',
  sources: '--source-path',
  observed: '--observed',
  counts: '--counts',
  base: '--base',
};

/** What stands for an input that a person chooses. */
const PLACEHOLDERS: Readonly<Partial<Record<InputName, string>>> = {
  classes: 'CLASSPATH',
  oldClasses: 'OLD_CLASSPATH',
  base: 'BASE',
};

/** Views that are another command, or one of a group. */
const COMMANDS: Readonly<Record<string, string>> = { 'event-types': 'events', 'calls-tree': 'tree' };

/** Options that follow the recording without a flag. */
const POSITIONAL: Readonly<Record<string, string>> = {
  callers: 'function',
  disasm: 'method',
  events: 'types',
  'pgo-inlining': 'method',
};

const GROUPED = /^(heap|pgo|calls)-/;

function question({ view, recording, inputs = {}, options = {}, choose = {} }: ViewReference): string {
  const { base, ...others } = inputs;
  const optionValues = { ...options, ...choose };
  const positional = POSITIONAL[view];
  const words = [
    COMMANDS[view] ?? view.replace(GROUPED, '$1 '),
    // What is compared comes first where both are named.
    ...(base === undefined ? [] : [base ?? PLACEHOLDERS.base ?? '']),
    ...[choose.base ?? []].flat(),
    ...[recording ?? choose.recording ?? []].flat(),
    ...(positional === undefined || optionValues[positional] === undefined ? [] : [String(optionValues[positional])]),
    ...inputWords(others),
    ...Object.entries(optionValues).flatMap(([name, value]) =>
      name === positional || name === 'recording' || name === 'base' ? [] : optionWords(name, value),
    ),
  ];
  return recording === undefined ? `\`${words.join(' ')}\`` : commandLine(words);
}

function writing({ transform, recording, inputs = {} }: TransformReference): string {
  if (recording === undefined) return `\`${transform}\``;
  const { command, output } = TRANSFORMS[transform] ?? { command: transform, output: [] };
  return commandLine([command, recording, ...inputWords(inputs), ...output]);
}

const TRANSFORMS: Readonly<Record<string, { readonly command: string; readonly output: readonly string[] }>> = {
  repair: { command: 'pgo stale', output: ['--repair', 'repaired.iprof'] },
};

function inputWords(inputs: Readonly<Partial<Record<InputName, string | null>>>): string[] {
  return INPUT_NAMES.flatMap((name) =>
    inputs[name] === undefined ? [] : [INPUT_FLAGS[name], inputs[name] ?? PLACEHOLDERS[name] ?? 'FILE'],
  );
}

const INPUT_NAMES: readonly InputName[] = ['oldClasses', 'classes', 'sources', 'observed', 'counts', 'base'];

function optionWords(name: string, value: OptionValue): string[] {
  if (value === false) return [`--no-${optionFlag(name).slice(2)}`];
  return value === true || value === '' ? [optionFlag(name)] : [optionFlag(name), String(value)];
}

/** A line for a shell. The first word may be several. */
function commandLine([command = '', ...words]: readonly string[]): string {
  return ['kansoku', command, ...words.map(shellWord)].join(' ');
}
