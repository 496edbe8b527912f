/** The commands of `gprofng display text`, by their names. */
import { UsageError } from '../../base/errors.js';
import { VIEW_MODES } from '../../models/scope.js';
import { callTreeText } from './call-tree.js';
import { callersText, fragmentText } from './callers.js';
import { functionNamed, NOT_USED } from './chosen.js';
import { annotated } from './code/annotate.js';
import { lineList, lineRows, placeList, placeRows } from './code/places.js';
import { describeText } from './facts/describe.js';
import { collectionsText, DUMPS, dump } from './facts/dumps.js';
import { eventCounts } from './facts/events.js';
import { headerText } from './facts/header.js';
import { blocksText, heapByStack } from './facts/heap-blocks.js';
import { heapStatistics } from './facts/heap-statistics.js';
import { ioFilesText } from './facts/io-by-file.js';
import { ioByStack, ioStatistics } from './facts/io-statistics.js';
import { mapDump } from './facts/map-dump.js';
import { overviewText } from './facts/overview.js';
import { stacksText } from './facts/stack-tree.js';
import { sampleDetail, statisticsText } from './facts/statistics.js';
import { unknownPlaces } from './facts/unknown-places.js';
import { changeFilter, changeSelection, defineType } from './filters/commands.js';
import { SELECTED } from './filters/selections.js';
import { functionList } from './functions.js';
import { INDEX_TYPES, indexText } from './index-objects.js';
import type { Command } from './language/command.js';
import { type Listing, listText } from './list.js';
import { delimitedText, htmlText } from './list-modes.js';
import {
  callerMetricList,
  currentMetrics,
  distinctList,
  experimentList,
  indexTypeList,
  metricList,
  objectLines,
  objectList,
  sampleList,
} from './lists.js';
import { parseMetrics, sortingOf, sortTitle, usualSorting } from './metrics.js';
import { type Display, displayed } from './object-display.js';
import { type Experiment, hasData } from './peer/experiment.js';
import { UNKNOWN_OBJECT } from './peer/load-objects.js';
import type { Printer } from './print.js';
import { regionType } from './regions.js';
import { COMPARE_MODES } from './several/compare.js';
import type { ChosenFunction, PrintState } from './state.js';
import { codeSummaryText, summaryText, withoutGroups } from './summary.js';

const NO_COLLECTIONS = '\nJava garbage collection information was not requested when recording experiments\n\n';

const prints = (text: (printer: Printer) => string | Promise<string>): Command => ({
  words: 0,
  run: async (printer) => printer.out(await text(printer)),
});

const annotates = (disassembly: boolean): Command => ({
  words: 1,
  optional: true,
  run: async (printer, [name = '', number]) => {
    const found = await annotated(printer.asked, printer.state, { name, number, disassembly });
    if ('error' in found) printer.note(found.error.replace(/\n$/, ''));
    else await printer.out(found.text);
  },
});

/** Changes which functions of these load objects are shown, and lists the objects. `others`: how all others are; as before if not given. */
const displays = (display: Display, others?: Display): Command => ({
  words: 1,
  isEarly: others === undefined,
  run: async (printer, [names = 'all']) => {
    const { recorded, state } = printer;
    const everyOther = recorded.objects.map(({ index }) => [index, others ?? 'show'] as const);
    const before = others === undefined ? state.objects : new Map(everyOther);
    printer.show(displayed(recorded, before, names, display));
    // Where gprofng runs it early, it has not read yet which objects there are.
    const isUnread = recorded.strict && others === undefined;
    await printer.out(objectList(isUnread ? [UNKNOWN_OBJECT] : recorded.objects, state.objects));
  },
});

/** A command about a function, or about one of several of its name. */
const onFunction = (run: (printer: Printer, of: ChosenFunction) => Promise<void> | void): Command => ({
  words: 1,
  optional: true,
  run: async (printer, [name = '', number]) => {
    const of = await functionNamed(printer, name, number);
    if (of !== undefined) await run(printer, of);
  },
});

async function oneSummary(printer: Printer, { id, name }: ChosenFunction): Promise<void> {
  const text = id === NOT_USED ? undefined : await summaryText(printer.asked, printer.state, id);
  if (text === undefined) printer.note(`Error: Specified item \`${name}' had no recorded metrics.`);
  else await printer.out(text);
}

async function showFragment(printer: Printer, fragment: readonly ChosenFunction[]): Promise<void> {
  printer.state.fragment = fragment;
  await printer.out(await fragmentText(printer.asked, printer.state));
}

async function shortenFragment(printer: Printer, from: number, to: number | undefined): Promise<void> {
  const { fragment } = printer.state;
  if (fragment.length > 1) return showFragment(printer, fragment.slice(from, to));
  printer.note('Warning: there is only one function in the stack segment; cannot remove it.');
}

function listed(what: string, state: PrintState, list: Listing): string {
  const { metric } = state.sorting;
  const title = `${what} sorted by metric: ${sortTitle(state.sorting)}`;
  if (state.printMode === 'text') return `${title}\n\n${listText(list, state.limit)}`;
  if (state.printMode === 'html') return htmlText(list, state.limit, title, metric);
  return delimitedText(list, state.limit, state.printMode, metric);
}

function changePrintMode(printer: Printer, text: string): void {
  if (text !== 'text' && text !== 'html' && text.length !== 1) {
    printer.note(`Error: Invalid print mode: ${text}`);
    return;
  }
  printer.state.printMode = text;
  printer.note(`printmode is set to \`${text}'\n`);
}

async function changeMetrics(printer: Printer, text: string): Promise<void> {
  const { state } = printer;
  const chosen = parseMetrics(text, state.bases);
  if (typeof chosen === 'string') {
    printer.note(`Error: ${chosen}`);
    await printer.out(metricList(state));
    return;
  }
  printer.useMetrics(chosen, text === 'default' ? usualSorting(state.bases) : sortingOf(chosen));
  await printer.out(currentMetrics(state));
}

async function changeSorting(printer: Printer, text: string): Promise<void> {
  const { state } = printer;
  const wanted = text.replace(/^-/, '').replace(/[.+%!]+/, '.');
  const found = state.metrics.find(({ base, flavour }) =>
    flavour === undefined ? base.id === wanted : `${flavour}.${base.id}` === wanted,
  );
  if (found === undefined) {
    printer.note(`Error: Invalid sort specification: ${text}\n`);
    await printer.out(currentMetrics(state));
    return;
  }
  state.sorting = { metric: found, reversed: text.startsWith('-') };
  await printer.out(currentMetrics(state).replace(/^.*\n/, ''));
}

async function changeMode(printer: Printer, text: string): Promise<void> {
  const mode = VIEW_MODES.find((each) => each === text);
  if (mode === undefined) printer.note(`Error: Invalid argument to command: ${text}`);
  else await printer.changeMode(mode);
  printer.note(`Viewmode set to ${printer.state.mode}`);
}

async function changeComparison(printer: Printer, text: string): Promise<void> {
  const mode = { '0': 'off', '1': 'on' }[text] ?? text.toLowerCase();
  const choice = COMPARE_MODES.find((each) => each === mode);
  if (choice === undefined)
    return printer.out("The argument to `compare' must be `on', `off', `delta', or `ratio'\n\n");
  printer.compare(choice);
}

/** What gprofng does not print while it compares groups of experiments. */
const alone = (command: Command, data?: string): Command => ({
  ...command,
  run: (printer, words) =>
    printer.state.compare === 'off' || (data !== undefined && !hasData(printer.recorded, data))
      ? command.run(printer, words)
      : printer.out('\nNot available when comparing experiments\n\n'),
});

function changeLimit(printer: Printer, text: string): void {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`limit ${text}: not a number`);
  printer.state.limit = Number(text);
  printer.note(`Print limit set to ${text}`);
}

function changeNames(printer: Printer, text: string): void {
  const { state } = printer;
  const [how = '', library = 'nosoname'] = text.split(':');
  if (!/^(?:long|short|mangled)$/.test(how) || !/^(?:no)?soname$/.test(library)) {
    printer.note(`Error: Invalid argument to command: ${text}`);
    return;
  }
  state.names = { how: how === 'short' || how === 'mangled' ? how : 'long', library: library === 'soname' };
}

/** A command about one process by its number, or about all. */
const onProcesses = (text: (experiment: Experiment) => string): Command => ({
  words: 0,
  optional: true,
  run: async (printer, [which = 'all']) => {
    const { experiment } = printer;
    const chosen =
      which === 'all'
        ? experiment.processes
        : experiment.processes.filter(({ id }) => id === Number.parseInt(which, 10));
    if (chosen.length > 0) await printer.out(text({ ...experiment, processes: chosen }));
    else printer.note(`Error: Invalid number entered: ${which}\nType "exp_list" for a list of all experiments.`);
  },
});

/** Shares of the largest value above which lines are hot. */
function changeThreshold(printer: Printer, text: string, which: 'sourceThreshold' | 'disassemblyThreshold'): void {
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value > 100) printer.note(`Error: argument to command is out-of-range: ${text}`);
  else printer.state.code[which] = value;
}

/** Classes of comments of Sun compilers, which other compilers do not write; `src` is the source itself. */
function changeComments(printer: Printer, text: string): void {
  printer.state.code.showsSource = /(?:^|:)(?:src|all|srcmetric)(?:$|:)/.test(text) || text === 'all';
}

async function addPath(printer: Printer, text: string): Promise<void> {
  const { code } = printer.state;
  code.searchPath = [...new Set([...code.searchPath, ...text.split(':').filter((each) => each !== '')])];
  await printer.out(`search path:\n${code.searchPath.map((each) => `\t${each}\n`).join('')}`);
}

async function setPath(printer: Printer, text: string): Promise<void> {
  printer.state.code.searchPath = [];
  await addPath(printer, text);
}

/** The list of an index type by its name. */
async function indexObjects(printer: Printer, name: string): Promise<void> {
  const { asked, experiment, state } = printer;
  const types = [...INDEX_TYPES, ...state.indexTypes];
  const known = types.find((each) => each.name.toLowerCase() === name.toLowerCase());
  const type = known ?? (name === 'OMP_preg' ? await regionType(asked, state) : undefined);
  if (type === undefined) printer.note(`Error: Unknown Index Object type: ${name}`);
  else await printer.out(indexText(experiment, state, type));
}

/** gprofng runs them before it reads the experiments. */
const EARLY: ReadonlySet<string> = new Set(['printmode', 'addpath', 'setpath']);

const CHANGES: Readonly<Record<string, (printer: Printer, word: string) => void | Promise<void>>> = {
  metrics: changeMetrics,
  sort: changeSorting,
  limit: changeLimit,
  name: changeNames,
  viewmode: changeMode,
  filters: changeFilter,
  ...Object.fromEntries(
    SELECTED.map((of) => [`${of}_select`, (printer: Printer, text: string) => changeSelection(printer, of, text)]),
  ),
  indxobj: indexObjects,
  printmode: changePrintMode,
  sthresh: (printer, text) => changeThreshold(printer, text, 'sourceThreshold'),
  dthresh: (printer, text) => changeThreshold(printer, text, 'disassemblyThreshold'),
  scc: () => undefined,
  dcc: changeComments,
  cc: changeComments,
  addpath: addPath,
  setpath: setPath,
};

/** The list of a type of index objects by its name, which is a command, too; undefined if there is no such type. */
export function indexCommand(name: string, { state }: Printer): Command | undefined {
  const isDefined = state.indexTypes.some((type) => type.name.toLowerCase() === name.toLowerCase());
  return isDefined || name === 'OMP_preg' ? { words: 0, run: (printer) => indexObjects(printer, name) } : undefined;
}

/** All commands; those that change something have one word. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  ...Object.fromEntries(
    Object.entries(CHANGES).map(([name, run]) => [
      name,
      { words: 1, isEarly: EARLY.has(name), run: (printer, [word = '']) => run(printer, word) } satisfies Command,
    ]),
  ),
  ...Object.fromEntries(
    INDEX_TYPES.map((type) => [
      type.name.toLowerCase(),
      prints(({ experiment, state }) => indexText(experiment, state, type)),
    ]),
  ),
  header: onProcesses(headerText),
  sample_detail: onProcesses(sampleDetail),
  statistics: onProcesses(statisticsText),
  compare: { words: 0, optional: true, run: (printer, [word = '']) => changeComparison(printer, word) },
  fsingle: onFunction(oneSummary),
  csingle: onFunction((printer, of) => showFragment(printer, [of])),
  cprepend: onFunction((printer, of) => showFragment(printer, [of, ...printer.state.fragment])),
  cappend: onFunction((printer, of) => showFragment(printer, [...printer.state.fragment, of])),
  crmfirst: { words: 0, run: (printer) => shortenFragment(printer, 1, undefined) },
  crmlast: { words: 0, run: (printer) => shortenFragment(printer, 0, -1) },
  source: annotates(false),
  disasm: annotates(true),
  functions: prints(async ({ asked, state }) => listed('Functions', state, await functionList(asked, state))),
  lines: prints(async ({ asked, state }) => listed('Lines', state, await lineList(asked, state))),
  pcs: prints(async ({ asked, state }) => listed('PCs', state, await placeList(asked, state))),
  lsummary: prints(async ({ asked, state }) =>
    codeSummaryText(asked, state, await lineList(asked, withoutGroups(state)), await lineRows(asked, state)),
  ),
  psummary: prints(async ({ asked, state }) =>
    codeSummaryText(asked, state, await placeList(asked, withoutGroups(state)), await placeRows(asked, state)),
  ),
  fsummary: prints(async ({ asked, state }) => (await summaryText(asked, state)) ?? ''),
  calltree: alone(prints(({ asked, state }) => callTreeText(asked, state))),
  'callers-callees': prints(({ asked, state }) => callersText(asked, state)),
  overview: prints(({ asked, state }) => overviewText(asked, state)),
  experiment_list: prints(({ experiment }) => experimentList(experiment)),
  sample_list: prints(({ recorded, state }) => sampleList(recorded, state.filter.selections.sample)),
  ...Object.fromEntries(
    (['thread', 'lwp', 'cpu'] as const).map((of) => [
      `${of}_list`,
      prints(({ recorded, state }) =>
        distinctList(recorded, of, { selection: state.filter.selections[of], isBlind: state.blind.has(of) }),
      ),
    ]),
  ),
  metric_list: prints(({ state }) => metricList(state)),
  cmetric_list: prints(({ state }) => callerMetricList(state)),
  indxobj_list: prints(({ experiment, state }) => indexTypeList(experiment, state)),
  indxobj_define: {
    words: 2,
    isEarly: true,
    run: (printer, [name = '', text = '']) => defineType(printer, name, text),
  },
  object_list: prints(({ experiment, state }) => objectList(experiment.objects, state.objects)),
  object_show: displays('show'),
  object_hide: displays('hide'),
  object_api: displays('API-only'),
  object_select: displays('show', 'hide'),
  objects_default: { ...displays('show', 'show'), words: 0, isEarly: true },
  objects: prints(({ experiment }) => objectLines(experiment)),
  ...Object.fromEntries(
    Object.entries(DUMPS).map(([name, kind]) => [
      name,
      { words: 0, run: (printer) => dump(printer.whole, printer.state, kind, printer) } satisfies Command,
    ]),
  ),
  // Trees of gprofng have nodes of the recorder, too, in the order in which it read events.
  dstacks: prints((printer) => {
    const isRead = !printer.recorded.strict || printer.state.hasRead;
    return stacksText(printer.whole, printer.state, isRead);
  }),
  dunkpc: prints(({ recorded, state }) => unknownPlaces(recorded, !recorded.strict || state.hasRead)),
  dumpgc: prints(({ experiment }) => (hasData(experiment, 'jprofile') ? collectionsText(experiment) : NO_COLLECTIONS)),
  // gprofng has none before it has read events.
  procstats: prints(({ experiment, recorded, state }) =>
    state.hasRead || !recorded.strict ? eventCounts(experiment) : '',
  ),
  describe: prints(({ experiment }) => describeText(experiment)),
  leaks: alone(
    prints(async ({ asked, state }) => blocksText(asked, state, 'Leak')),
    'heaptrace',
  ),
  heap: prints(({ asked, state }) => heapByStack(asked, state)),
  heapstat: prints(({ experiment }) => heapStatistics(experiment)),
  ioactivity: alone(
    prints(({ experiment, state }) => ioFilesText(experiment, state, false)),
    'iotrace',
  ),
  iodetail: prints(({ experiment, state }) => ioFilesText(experiment, state, true)),
  iostat: prints(({ experiment }) => ioStatistics(experiment)),
  iocallstack: prints(({ asked, state }) => ioByStack(asked, state)),
  allocs: prints(async ({ asked, state }) => blocksText(asked, state, 'Allocation')),
  dmap: prints(({ experiment }) => mapDump(experiment)),
};
