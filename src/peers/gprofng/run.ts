/** Runs commands of `gprofng display text` in their order. */
import { UsageError } from '../../base/errors.js';
import { COMMANDS, type Command, commandOf } from './commands.js';
import type { Printer } from './print.js';

/** Which of the words of a command line is the first one that is a command; the first word never is. All before are experiments. */
export function commandsFrom(words: readonly string[]): number {
  const place = words.findIndex((word, i) => i > 0 && (word.startsWith('-') || Object.hasOwn(COMMANDS, word)));
  return place < 0 ? words.length : place;
}

interface Given {
  readonly name: string;
  readonly words: readonly string[];
}

/** Runs all commands, which begin with a `-`, each with its words. Throws `UsageError` for one that is unknown. */
export async function runCommands(printer: Printer, words: readonly string[]): Promise<void> {
  const given = commandsIn(printer, words);
  const isEarly = ({ name }: Given): boolean => printer.recorded.strict && commandOf(name, printer)?.isEarly === true;
  for (const { name, words: own } of [...given.filter(isEarly), ...given.filter((each) => !isEarly(each))])
    await commandNamed(printer, name).run(printer, own);
}

/** Commands that others define have no words. */
function commandsIn(printer: Printer, words: readonly string[]): Given[] {
  const given: Given[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const name = word.replace(/^-/, '');
    const command = commandOf(name, printer);
    const own = rest.splice(0, command?.words ?? 0);
    const more = rest[0];
    if (command?.optional === true && more !== undefined && !more.startsWith('-')) own.push(...rest.splice(0, 1));
    if (own.length < (command?.words ?? 0)) throw new UsageError(`${name} needs another word`);
    given.push({ name, words: own });
  }
  return given;
}

function commandNamed(printer: Printer, name: string): Command {
  const command = commandOf(name, printer);
  if (command === undefined) throw new UsageError(`unknown command ${name}`, 'docs/print.md lists the commands.');
  return command;
}
