/** Completion scripts for shells and the man page, both made from the definition of the commands. */
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { type Host, type Invocation, print, write } from '../host.js';
import { manPage } from '../man.js';

/** Adds `man` and `completion`; all other commands must be there already. */
export function registerShell(program: Command, invocation: Invocation): void {
  program
    .command('man')
    .description('print the man page (kansoku man | man -l -)')
    .action(() => print(invocation, manPage(program, new Date().toISOString().slice(0, 10))));
  // Also the hidden command that the scripts call.
  tab(program, { completionCommandName: 'completion' });
  for (const command of program.commands)
    if (command.name() === 'completion') command.description('print the completion script of a shell');
}

/** Directives at the end of a list for the scripts: use the list only, or complete file names. */
const LIST_ONLY = ':4';
const FILES_TOO = ':0';

/**
 * Runs `work` with the output of the completion library redirected to the host: it prints with `console.log`. It never
 * lets the shell complete file names, but most of our arguments are files: if it has no candidates, the shell may.
 */
export async function printingCompletion(host: Host, work: () => Promise<unknown>): Promise<void> {
  const { log } = console;
  let offered = 0;
  console.log = (line: string) => {
    write(host.stdout, `${line === LIST_ONLY && offered === 0 ? FILES_TOO : line}\n`);
    offered++;
  };
  try {
    await work();
  } finally {
    console.log = log;
  }
}
