/** The commands about the session itself: files to print to, experiments that are opened and closed, and those that say why they cannot answer. */
import { KansokuError } from '../../../base/errors.js';
import { exclusiveOnce } from '../index-objects.js';
import { sortTitle, specOf } from '../metrics.js';
import type { Printer } from '../print.js';
import type { Descendants } from '../several/descendants.js';
import type { Command } from './command.js';
import { helpText } from './names.js';

const NO_FREQUENCIES = '\nInstruction frequency data was not requested when recording experiments\n\n';

/** Why commands have no answer. `--strict` says what gprofng says, which runs them as well. */
const REFUSED: Readonly<Record<string, string>> = {
  deadlocks: 'the thread analyser, which recorded deadlocks, is no part of gprofng',
  dsummary: 'the thread analyser, which recorded deadlocks, is no part of gprofng',
  r_accs: 'the thread analyser, which recorded data races, is no part of gprofng',
  preload_libdirs: 'no folders of libraries are searched; pathmap says where files are',
  dnodes: 'dstacks prints this tree',
  dentities: 'describe, thread_list, lwp_list and cpu_list print these numbers',
};
/** Commands of the Performance Analyzer that gprofng lacks. */
export const LACKING: Readonly<Record<string, string>> = {
  data_objects: 'data objects come with a later version; GNU compilers write nothing that names them',
  data_single: 'data objects come with a later version; GNU compilers write nothing that names them',
  data_layout: 'data objects come with a later version; GNU compilers write nothing that names them',
  memobj: 'memory objects come with a later version',
  mobj_list: 'memory objects come with a later version',
  mobj_define: 'memory objects come with a later version; indxobj_define defines types by any property',
  races: 'the thread analyser, which recorded data races, is no part of gprofng',
  rdetail: 'the thread analyser, which recorded data races, is no part of gprofng',
  machinemodel: 'memory objects come with a later version; indxobj_define defines types by any property',
  ...Object.fromEntries(
    ['dmpi_funcs', 'dmpi_msgs', 'dmpi_events', 'dmpi_io'].map((name) => [
      name,
      'gprofng records no messages; of old experiments the metrics of MPI are in functions, callers-callees and calltree',
    ]),
  ),
  ddetail: 'the thread analyser, which recorded deadlocks, is no part of gprofng',
};

const refuses = (name: string, why: string): Command => ({
  words: name === 'dsummary' || name === 'preload_libdirs' ? 1 : 0,
  run: (printer) => printer.note(printer.recorded.strict ? 'Error: Invalid option' : `${name}: ${why}`),
});

async function openFile(printer: Printer, path: string, mode: 'w' | 'a'): Promise<void> {
  try {
    await printer.outputTo(path === '-' ? undefined : path, mode);
  } catch (error) {
    if (error instanceof KansokuError) throw error;
    printer.note(`Error: Unable to open file: ${path}`);
  }
}

/** Opens experiments, and says what became of the one that was named. */
async function reopen(printer: Printer, words: readonly string[], name: string, done: string): Promise<void> {
  try {
    await printer.reopen(words);
    printer.note(`Experiment ${name} has been ${done}`);
  } catch (error) {
    if (!(error instanceof KansokuError)) throw error;
    printer.note(`${name}: *** Error: ${error.message}`);
  }
}

async function dropExperiment(printer: Printer, name: string): Promise<void> {
  const place = printer.words.indexOf(name);
  if (place < 0) printer.note(`Error: experiment ${name} has not been opened.`);
  else if (printer.words.length === 1) printer.note(`Error: ${name} is the only experiment; quit ends.`);
  else
    await reopen(
      printer,
      printer.words.filter((_, i) => i !== place),
      name,
      'dropped',
    );
}

async function mapPath(printer: Printer, old: string, replacement: string): Promise<void> {
  const { state } = printer;
  state.maps = [...state.maps, { from: old, to: replacement }];
  const lines = state.maps.map((each) => `\t\`${each.from}' -> \`${each.to}'\n`);
  await printer.out(`Path mappings: from -> to\n${lines.join('')}`);
}

/** Reads `on`, `off` or `=PATTERN`; undefined for all else. */
export function descendantsOf(text: string): Descendants | undefined {
  if (/^on$/i.test(text)) return 'all';
  if (/^off$/i.test(text)) return 'none';
  try {
    return text.startsWith('=') ? new RegExp(`^(?:${text.slice(1)})$`) : undefined;
  } catch {
    return undefined;
  }
}

function chooseDescendants(printer: Printer, text: string): void {
  const chosen = descendantsOf(text);
  if (chosen === undefined) printer.note(`Error: Invalid argument to command: ${text}`);
  else printer.state.descendants = chosen;
}

function indexMetricList({ state }: Printer): string {
  const specs = exclusiveOnce(state.metrics).map(specOf).join(':');
  const { metric, reversed } = state.sorting;
  const sorting = { metric: { ...metric, ...(metric.flavour && { flavour: 'e' as const }) }, reversed };
  return `Current index-object metrics: ${specs}\nCurrent index-object sort Metric: ${sortTitle(sorting)}\n`;
}

/** A command of files of settings. */
const isSetting = (name: string): Command => ({
  words: 1,
  run: (printer) => printer.note(printer.recorded.strict ? 'Error: Invalid option' : `${name} is for .gprofng.rc only`),
});

const printing = (text: (printer: Printer) => string): Command => ({
  words: 0,
  run: (printer) => printer.out(text(printer)),
});

export const SESSION_COMMANDS: Readonly<Record<string, Command>> = {
  outfile: { words: 1, run: (printer, [path = '']) => openFile(printer, path, 'w') },
  appendfile: { words: 1, run: (printer, [path = '']) => openFile(printer, path, 'a') },
  open_exp: { words: 1, run: (printer, [name = '']) => reopen(printer, [name], name, 'loaded') },
  add_exp: { words: 1, run: (printer, [name = '']) => reopen(printer, [...printer.words, name], name, 'loaded') },
  drop_exp: { words: 1, run: (printer, [name = '']) => dropExperiment(printer, name) },
  pathmap: {
    words: 2,
    isEarly: true,
    run: (printer, [old = '', replacement = '']) => mapPath(printer, old, replacement),
  },
  en_desc: { words: 1, isEarly: true, run: (printer, [text = '']) => chooseDescendants(printer, text) },
  indx_metric_list: printing(indexMetricList),
  ifreq: printing(() => NO_FREQUENCIES),
  version: printing(({ version }) => `Kansoku ${version}\n`),
  help: printing(helpText),
  ...Object.fromEntries(['dmetrics', 'dsort', 'tabs', 'tlmode', 'tldata'].map((name) => [name, isSetting(name)])),
  ...Object.fromEntries(Object.entries(REFUSED).map(([name, why]) => [name, refuses(name, why)])),
};
