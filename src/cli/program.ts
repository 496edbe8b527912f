/**
 * The command line from one definition: `--help`, completion, the man page and the tests of the examples are all made
 * of the commands registered here.
 */
import { Command, CommanderError } from 'commander';
import { registerCode } from './commands/code.js';
import { registerConvert } from './commands/convert.js';
import { registerDemo } from './commands/demo.js';
import { registerDiff } from './commands/diff.js';
import { registerFlame } from './commands/flame.js';
import { registerHeap } from './commands/heap.js';
import { registerMerge } from './commands/merge.js';
import { registerPgo } from './commands/pgo.js';
import { registerRecordingViews } from './commands/recording.js';
import { printingCompletion, registerCompletion, registerShell } from './commands/shell.js';
import { EXIT, type ExitCode } from './exit.js';
import type { Host, Invocation, Output } from './host.js';
import { withMeaning } from './suggest.js';

/** Builds the program. `invocation` receives the exit code of the command that runs. */
export function buildProgram(invocation: Invocation): Command {
  const { stdout, stderr } = invocation.host;
  const program = new Command('kansoku');
  program
    .configureOutput({
      outputError: (text, write) => write(withMeaning(program, text)),
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
    })
    .description('Opens recordings of many profilers, answers questions about them, and checks them.')
    .usage('<command> FILE…')
    .showSuggestionAfterError(true)
    .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
    .option('-V, --version', 'print the version');
  registerRecordingViews(program, invocation);
  registerCode(program, invocation);
  registerFlame(program, invocation);
  registerDiff(program, invocation);
  registerHeap(program, invocation);
  registerPgo(program, invocation);
  registerConvert(program, invocation);
  registerMerge(program, invocation);
  registerDemo(program, invocation);
  registerShell(program, invocation);
  registerCompletion(program);
  program.addHelpText('after', '\n`kansoku <command> --help` lists its options and examples.');
  return program;
}

/** Columns of help where nobody sees how wide it is. */
const USUAL_WIDTH = 80;

function widthOf({ isTTY, columns }: Output): number {
  return isTTY === true ? (columns ?? USUAL_WIDTH) : USUAL_WIDTH;
}

/** Runs one command line and returns its exit code. Throws the errors that `explain` knows. */
export async function runProgram(words: readonly string[], host: Host): Promise<ExitCode> {
  const invocation: Invocation = { host, exitCode: EXIT.done };
  const program = buildProgram(invocation);
  for (const command of allCommands(program)) command.exitOverride();
  if (words.length === 0) {
    program.outputHelp({ error: true });
    return EXIT.usage;
  }
  try {
    await printingCompletion(host, () => program.parseAsync([...words], { from: 'user' }));
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return invocation.exitCode;
}

export function allCommands(program: Command): Command[] {
  return [program, ...program.commands.flatMap((command) => allCommands(command))];
}
