/**
 * The command line from one definition: `--help`, completion, the man page and the tests of the examples are all made
 * of the commands registered here.
 */
import { Command, CommanderError } from 'commander';
import { EXIT, type ExitStatus } from './exit.js';
import { type Host, type Invocation, type Output, write } from './host.js';
import { optionElsewhere, withMeaning } from './suggest.js';

type Register = (program: Command, invocation: Invocation) => void;

/** Modules of commands, in the order of `--help`, with the commands that each registers. */
const MODULES: readonly { readonly commands: readonly string[]; readonly load: () => Promise<Register> }[] = [
  {
    commands: ['summary', 'check', 'functions', 'callers', 'tree', 'threads', 'monitors', 'sites'],
    load: async () => (await import('./commands/recording.js')).registerRecordingViews,
  },
  { commands: ['open'], load: async () => (await import('./commands/open.js')).registerOpen },
  { commands: ['events'], load: async () => (await import('./commands/events.js')).registerEvents },
  { commands: ['gc'], load: async () => (await import('./commands/gc.js')).registerGc },
  {
    commands: ['io', 'memory', 'processes', 'usage', 'index'],
    load: async () => (await import('./commands/process.js')).registerProcess,
  },
  { commands: ['timeline'], load: async () => (await import('./commands/timeline.js')).registerTimeline },
  { commands: ['source', 'disasm'], load: async () => (await import('./commands/code.js')).registerCode },
  { commands: ['flame'], load: async () => (await import('./commands/flame.js')).registerFlame },
  { commands: ['diff'], load: async () => (await import('./commands/diff.js')).registerDiff },
  { commands: ['heap'], load: async () => (await import('./commands/heap.js')).registerHeap },
  { commands: ['analyze'], load: async () => (await import('./commands/analyze.js')).registerAnalyze },
  { commands: ['calls'], load: async () => (await import('./commands/calls.js')).registerCalls },
  { commands: ['pgo'], load: async () => (await import('./commands/pgo.js')).registerPgo },
  { commands: ['jvmpi'], load: async () => (await import('./commands/jvm/jvmpi.js')).registerJvmpi },
  { commands: ['hprof'], load: async () => (await import('./commands/jvm/hprof.js')).registerHprof },
  { commands: ['record'], load: async () => (await import('./commands/record/native.js')).registerRecord },
  { commands: ['archive'], load: async () => (await import('./commands/record/archive.js')).registerArchive },
  { commands: ['print'], load: async () => (await import('./commands/print.js')).registerPrint },
  { commands: ['convert'], load: async () => (await import('./commands/convert.js')).registerConvert },
  { commands: ['merge'], load: async () => (await import('./commands/merge.js')).registerMerge },
  { commands: ['schema'], load: async () => (await import('./commands/schema.js')).registerSchema },
  { commands: ['demo'], load: async () => (await import('./commands/demo.js')).registerDemo },
  // These describe the whole program: they need all others before them.
  { commands: [], load: async () => (await import('./commands/shell.js')).registerShell },
];

/**
 * Builds the program. `invocation` receives the exit code of the command that runs. Of a command line that begins with a
 * command only that command's module is loaded; help, completion and the man page need all.
 */
export async function buildProgram(invocation: Invocation, words: readonly string[] = []): Promise<Command> {
  const { stdout, stderr } = invocation.host;
  const program = new Command('kansoku');
  program
    .configureOutput({
      outputError: (text, write) => write(withMeaning(program, text)),
      writeOut: (text) => write(stdout, text),
      writeErr: (text) => write(stderr, text),
      getOutHelpWidth: () => widthOf(stdout),
      getErrHelpWidth: () => widthOf(stderr),
    })
    .description('Opens recordings of many profilers, answers questions about them, and checks them.')
    .usage('<command> FILE…')
    .showSuggestionAfterError(true)
    .configureHelp({ showGlobalOptions: false, sortSubcommands: false })
    .option('-V, --version', 'print the version');
  const namedModules = MODULES.filter(({ commands }) => commands.includes(words[0] ?? ''));
  for (const { load } of namedModules.length > 0 ? namedModules : MODULES) (await load())(program, invocation);
  program.addHelpText('after', '\n`kansoku <command> --help` lists its options and examples.');
  return program;
}

/** Columns of help without a terminal. */
const USUAL_WIDTH = 80;

function widthOf({ isTTY, columns }: Output): number {
  return isTTY === true ? (columns ?? USUAL_WIDTH) : USUAL_WIDTH;
}

/** Runs one command line and returns its exit code. Throws errors for `explain`. */
export async function runProgram(words: readonly string[], host: Host): Promise<ExitStatus> {
  const invocation: Invocation = { host, exitCode: EXIT.done };
  const program = await buildProgram(invocation, words);
  for (const command of allCommands(program)) command.exitOverride();
  if (words.length === 0) {
    program.outputHelp({ error: true });
    return EXIT.usage;
  }
  try {
    const run = () => program.parseAsync([...words], { from: 'user' });
    // `completion` prints a script, and `complete` is what that script calls.
    if (/^complet/.test(words[0] ?? '')) await (await import('./commands/shell.js')).printingCompletion(host, run);
    else await run();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // The module of this command knows no others.
    if (error.code === 'commander.unknownOption')
      write(host.stderr, optionElsewhere(allCommands(await buildProgram(invocation)), error.message));
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return invocation.exitCode;
}

export function allCommands(program: Command): Command[] {
  return [program, ...program.commands.flatMap((command) => allCommands(command))];
}
