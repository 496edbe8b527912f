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
    .argument('<experiment>', 'directory of an experiment, or an archive of it')
    .argument('<commands...>', 'commands of `gprofng display text`, after --: -metrics e.totalcpu:name -functions')
    .option('--strict', 'print what gprofng 2.40 prints, also where it is wrong')
    .action((experiment: string, commands: string[], options: PrintOptions) =>
      printExperiment(invocation, experiment, commands, options),
    );
  addPathMap(command);
  addExamples(command, [
    `print ${EXAMPLE} -- -functions`,
    `print --strict ${EXAMPLE} -- -limit 10 -calltree`,
    `print ${EXAMPLE} -- -metric_list -sort name -lines`,
  ]);
}

async function printExperiment(
  invocation: Invocation,
  path: string,
  commands: readonly string[],
  { strict = false, pathMap: maps = [] }: PrintOptions,
): Promise<void> {
  const { openExperiment } = await import('../../peers/gprofng/peer/experiment.js');
  const { Printer } = await import('../../peers/gprofng/print.js');
  const { runCommands } = await import('../../peers/gprofng/run.js');
  const experiment = await openExperiment(path, { strict, maps });
  try {
    const printer = new Printer(experiment, {
      out: (text) => print(invocation, text),
      note: (text) => noteLines(invocation, text),
    });
    await runCommands(printer, commands);
  } finally {
    await experiment.close();
  }
}
