/** What commands print to, and what they chose so far. */

import { UsageError } from '../../base/errors.js';
import type { PathMap } from '../../models/program/debug-files.js';
import type { ViewMode } from '../../models/scope.js';
import { filteredExperiment } from './filters/filtered.js';
import { readLines } from './filters/stacks.js';
import { OutputFile } from './language/output-file.js';
import { baseMetrics, type ShownMetric, type Sorting, usualMetrics, usualSorting } from './metrics.js';
import { displayedExperiment, type ObjectDisplay } from './object-display.js';
import type { Experiment } from './peer/experiment.js';
import { comparableExperiment } from './several/comparable.js';
import { type CompareMode, comparedMetrics, groupNames, plainMetrics } from './several/compare.js';
import type { Descendants } from './several/descendants.js';
import { groupExperiment } from './several/group-experiment.js';
import type { FilterState, PrintState } from './state.js';
import { Asked } from './values.js';

/** Where commands print. */
export interface Printed {
  out(text: string): void | Promise<void>;
  /** What relative paths of commands are relative to; the folder of the process if absent. */
  readonly folder?: string;
  /** A line beside the data. */
  note(line: string): void;
  /** What `version` says. */
  readonly version?: string;
  /** Opens experiments anew. Absent where commands cannot open or close some. */
  readonly opener?: ExperimentOpener;
}

export interface ExperimentOpener {
  /** The experiments and groups that are open, as they were named. */
  readonly words: readonly string[];
  /** What they were opened with. */
  readonly maps: readonly PathMap[];
  readonly descendants: Descendants;
  /** Opens others; the caller closes them. */
  open(words: readonly string[], options: ReopenOptions): Promise<Experiment>;
}

export interface ReopenOptions {
  readonly maps: readonly PathMap[];
  readonly descendants: Descendants;
}

/** An experiment, and what the commands so far chose. */
export class Printer {
  readonly #files: OutputFile;
  #isQuiet = false;
  /** All of it. */
  recorded: Experiment;
  readonly state: PrintState;
  /** What the experiments are called that are open. */
  words: readonly string[];
  readonly #to: Printed;
  /** With the chosen events and whole stacks; the same with the functions that are shown. */
  #chosen: Experiment;
  #experiment: Experiment;
  #asked: Asked | undefined;

  constructor(experiment: Experiment, to: Printed) {
    this.recorded = experiment;
    this.#chosen = experiment;
    this.#experiment = experiment;
    this.#to = to;
    this.#files = new OutputFile();
    this.words = to.opener?.words ?? [];
    const bases = baseMetrics(
      experiment.profile,
      experiment.processes.map(({ log }) => log),
    );
    this.state = {
      bases,
      metrics: usualMetrics(bases),
      sorting: usualSorting(bases),
      compare: 'off',
      limit: 0,
      printMode: 'text',
      mode: 'user',
      names: { how: 'long', library: false },
      fragment: [],
      indexTypes: [],
      filter: { text: '1', expression: undefined, selections: {} },
      objects: new Map(),
      blind: new Set(),
      hasRead: false,
      isMessage: false,
      maps: to.opener?.maps ?? [],
      descendants: to.opener?.descendants ?? 'all',
      code: {
        sourceThreshold: 75,
        disassemblyThreshold: 75,
        showsSource: true,
        onlyFunction: false,
        searchPath: ['$expts', '.'],
        folder: to.folder ?? '.',
        named: new Map(),
      },
    };
  }

  /** The experiment with the chosen events and the functions that are shown. */
  get experiment(): Experiment {
    return this.#experiment;
  }

  get asked(): Asked {
    this.state.hasRead = true;
    this.#asked ??= this.#askedWith(this.#experiment);
    return this.#asked;
  }

  /** The chosen events with whole stacks. */
  get whole(): Asked {
    return this.#chosen === this.#experiment ? this.asked : new Asked(this.#chosen, this.state.mode);
  }

  #askedWith(experiment: Experiment): Asked {
    const { state } = this;
    if (state.compare === 'off') return new Asked(experiment, state.mode);
    const groups = new Map<number, Asked>();
    return new Asked(experiment, state.mode, (group) => {
      const subject = groups.get(group) ?? new Asked(groupExperiment(experiment, state, group), state.mode);
      groups.set(group, subject);
      return subject;
    });
  }

  /** Changes how groups of experiments are compared, which the metrics then are of. A comparison needs several groups. */
  compare(mode: CompareMode): void {
    const { state } = this;
    const names = groupNames(this.recorded);
    state.compare = names.length > 1 ? mode : 'off';
    this.useMetrics(plainMetrics(state.metrics), state.sorting);
    this.show(state.objects);
  }

  /** Changes the metrics that are shown, and the sorting: of every group if groups are compared. */
  useMetrics(metrics: readonly ShownMetric[], { metric, reversed }: Sorting): void {
    const { state } = this;
    const groups = { mode: state.compare, names: groupNames(this.recorded) };
    state.metrics = comparedMetrics(metrics, groups);
    const [sorted = metric] = comparedMetrics(plainMetrics([metric]), groups);
    state.sorting = { metric: sorted, reversed };
  }

  /** Changes which functions of load objects are shown. */
  show(objects: ObjectDisplay): void {
    this.state.objects = objects;
    const { compare } = this.state;
    const compared = compare === 'off' ? this.#chosen : comparableExperiment(this.#chosen);
    this.#experiment = displayedExperiment(compared, objects);
    this.#asked = undefined;
  }

  /** Changes the view mode, in which the filter is evaluated anew. */
  async changeMode(mode: ViewMode): Promise<void> {
    this.state.mode = mode;
    await this.choose(this.state.filter);
  }

  /** Changes which events commands are about. */
  async choose(filter: FilterState): Promise<void> {
    const { state, recorded } = this;
    const isWhole = filter.expression === undefined && Object.keys(filter.selections).length === 0;
    const profile = isWhole ? undefined : await new Asked(recorded, state.mode).profile();
    if (/stackl/i.test(filter.text)) await readLines(recorded);
    this.#chosen = profile === undefined ? recorded : filteredExperiment(recorded, profile, state, filter);
    this.state.filter = filter;
    this.show(this.state.objects);
  }

  /** Prints to standard output, or to the file that was chosen. */
  async out(text: string): Promise<void> {
    if (this.#isQuiet) return;
    if (this.#files.isOpen && !this.state.isMessage) await this.#files.write(text);
    else await this.#to.out(text);
  }

  get version(): string {
    return this.#to.version ?? '';
  }

  /** Changes something without a word. */
  async quietly(change: () => Promise<void>): Promise<void> {
    this.#isQuiet = true;
    try {
      await change();
    } finally {
      this.#isQuiet = false;
    }
  }

  /** Prints to a file from now on; to standard output again without one. Throws the error of the system if it cannot be opened. */
  async outputTo(path: string | undefined, mode: 'w' | 'a'): Promise<void> {
    await this.#files.open(path, mode);
  }

  /** Opens other experiments in place of those that are open, whose choices of metrics, events and load objects end. */
  async reopen(words: readonly string[]): Promise<void> {
    const { opener } = this.#to;
    if (opener === undefined) throw new UsageError('experiments cannot be opened here');
    const { maps, descendants } = this.state;
    const before = this.recorded;
    this.recorded = await opener.open(words, { maps, descendants });
    this.words = words;
    await before.close();
    const { state, recorded } = this;
    const logs = recorded.processes.map(({ log }) => log);
    state.bases = baseMetrics(recorded.profile, logs);
    state.fragment = [];
    state.objects = new Map();
    state.hasRead = false;
    state.code.named.clear();
    if (groupNames(recorded).length < 2) state.compare = 'off';
    this.useMetrics(usualMetrics(state.bases), usualSorting(state.bases));
    await this.choose({ text: '1', expression: undefined, selections: {} });
  }

  async close(): Promise<void> {
    await this.#files.open(undefined, 'w');
    await this.recorded.close();
  }

  note(line: string): void {
    if (!this.#isQuiet) this.#to.note(line);
  }
}
