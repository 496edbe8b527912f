/** Runs commands of `gprofng display text` in their order. */
import { UsageError } from '../../base/errors.js';
import { commandOf } from './commands.js';
import type { Printer } from './print.js';

/** Runs all commands, which begin with a `-`, each with its words. Throws `UsageError` for one that is unknown. */
export async function runCommands(printer: Printer, words: readonly string[]): Promise<void> {
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const name = word.replace(/^-/, '');
    const command = commandOf(name, printer);
    if (command === undefined) throw new UsageError(`unknown command ${name}`, 'docs/print.md lists the commands.');
    const own = rest.splice(0, command.words);
    const more = rest[0];
    if (command.optional === true && more !== undefined && !more.startsWith('-')) own.push(...rest.splice(0, 1));
    if (own.length < command.words) throw new UsageError(`${name} needs another word`);
    await command.run(printer, own);
  }
}
