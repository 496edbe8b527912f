/** `print`: an experiment of gprofng in the words of its own text viewer. */
import type { Command } from 'commander';
import type { Experiment } from '../../peers/gprofng/peer/experiment.js';
import { type Invocation, noteLines, print } from '../host.js';
import { addPathMap, type DebugOptions } from '../invocation/debug-options.js';
import { addExamples } from '../invocation/options.js';
import { programVersion } from '../start/version.js';

const EXAMPLE = 'src/formats/experiment/fixtures/cpu-samples.er.tar.gz';

interface PrintOptions extends Pick<DebugOptions, 'pathMap'> {
  readonly strict?: boolean;
  /** False with `--no-settings`. */
  readonly settings: boolean;
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
    .option('--no-settings', 'do not read .gprofng.rc of this folder, of the home folder and of /etc')
    .action((words: string[], options: PrintOptions) => printExperiments(invocation, words, options));
  addPathMap(command);
  addExamples(command, [
    `print ${EXAMPLE} -- -functions`,
    `print --strict ${EXAMPLE} -- -limit 10 -calltree`,
    `print ${EXAMPLE} -- -metric_list -sort name -lines`,
    `print ${EXAMPLE} ${EXAMPLE} -- -compare ratio -functions`,
  ]);
}

async function printExperiments(
  invocation: Invocation,
  words: readonly string[],
  { strict = false, pathMap = [], settings: hasSettings }: PrintOptions,
): Promise<void> {
  const { openExperiments } = await import('../../peers/gprofng/peer/experiment.js');
  const { Printer } = await import('../../peers/gprofng/print.js');
  const { commandsFrom, descendantsIn, runCommands } = await import('../../peers/gprofng/run.js');
  const { applySettings, NO_SETTINGS, openingSettings, readSettings } = await import(
    '../../peers/gprofng/language/settings.js'
  );
  const { env, stdin } = invocation.host;
  const settings = hasSettings ? await readSettings('.', env.HOME) : NO_SETTINGS;
  const opening = openingSettings(settings);
  const first = commandsFrom(words);
  const [names, commands] = [words.slice(0, first), words.slice(first)];
  const open = (
    chosen: readonly string[],
    { maps, descendants }: Pick<typeof opening, 'maps' | 'descendants'>,
  ): Promise<Experiment> => openExperiments(chosen, { strict, descendants, maps: [...pathMap, ...maps] });
  const chosen = { ...opening, descendants: descendantsIn(commands) ?? opening.descendants };
  const printer = new Printer(await open(names, chosen), {
    out: (text) => print(invocation, text),
    note: (text) => noteLines(invocation, text),
    version: programVersion(),
    opener: { ...chosen, words: names, open },
  });
  try {
    await applySettings(printer, settings);
    if (commands.length > 0) await runCommands(printer, commands);
    else if (stdin !== undefined)
      await (await import('../invocation/print-prompt.js')).prompt(invocation, stdin, printer);
  } finally {
    await printer.close();
  }
}
