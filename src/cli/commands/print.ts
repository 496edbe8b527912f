/** `print`: an experiment of gprofng in the words of its own text viewer. */
import type { Command } from 'commander';
import { type Invocation, noteLines, print } from '../host.js';
import { addPathMap, type DebugOptions } from '../invocation/debug-options.js';
import { addExamples } from '../invocation/options.js';

const EXAMPLE = 'src/formats/experiment/fixtures/cpu-samples.er.tar.gz';

interface PrintOptions extends Pick<DebugOptions, 'pathMap'> {
  readonly strict?: boolean;
}

export function registerPrint(program: Command, invocation: Invocation): void {
  const command = program
    .command('print')
    .description('prints an experiment as `gprofng display text` does, by its commands')
    .usage('[options] <experiments...> [-- <commands...>]')
    .argument(
      '<words...>',
      'directories of experiments, archives of them or groups (.erg), whose values are added; then, after --, commands of `gprofng display text`: -metrics e.totalcpu:name -functions',
    )
    .option('--strict', 'print what gprofng 2.40 prints, also where it is wrong')
    .action((words: string[], options: PrintOptions) => printExperiments(invocation, words, options));
  addPathMap(command);
  addExamples(command, [
    `print ${EXAMPLE} -- -functions`,
    `print --strict ${EXAMPLE} -- -limit 10 -calltree`,
    `print ${EXAMPLE} -- -metric_list -sort name -lines`,
  ]);
}

async function printExperiments(
  invocation: Invocation,
  words: readonly string[],
  { strict = false, pathMap: maps = [] }: PrintOptions,
): Promise<void> {
  const { openExperiments } = await import('../../peers/gprofng/peer/experiment.js');
  const { Printer } = await import('../../peers/gprofng/print.js');
  const { commandsFrom, runCommands } = await import('../../peers/gprofng/run.js');
  const first = commandsFrom(words);
  const experiment = await openExperiments(words.slice(0, first), { strict, maps });
  try {
    const printer = new Printer(experiment, {
      out: (text) => print(invocation, text),
      note: (text) => noteLines(invocation, text),
    });
    await runCommands(printer, words.slice(first));
  } finally {
    await experiment.close();
  }
}
