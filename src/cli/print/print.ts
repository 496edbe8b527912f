/** What commands print to, and what they chose so far. */
import type { ViewMode } from '../../models/scope.js';
import { baseMetrics, usualMetrics, usualSorting } from './metrics.js';
import type { Experiment } from './peer/experiment.js';
import type { PrintState } from './state.js';
import { Asked } from './values.js';

/** Where commands print. */
export interface Printed {
  out(text: string): void | Promise<void>;
  /** What relative paths of commands are relative to; the folder of the process if absent. */
  readonly folder?: string;
  /** A line beside the data. */
  note(line: string): void;
}

/** An experiment, and what the commands so far chose. */
export class Printer {
  readonly experiment: Experiment;
  readonly state: PrintState;
  readonly #to: Printed;
  #asked: Asked | undefined;

  constructor(experiment: Experiment, to: Printed) {
    this.experiment = experiment;
    this.#to = to;
    const bases = baseMetrics(
      experiment.profile,
      experiment.processes.map(({ log }) => log),
    );
    this.state = {
      bases,
      metrics: usualMetrics(bases),
      sorting: usualSorting(bases),
      limit: 0,
      printMode: 'text',
      mode: 'user',
      names: { long: true, library: false },
      fragment: [],
      code: {
        sourceThreshold: 75,
        disassemblyThreshold: 75,
        showsSource: true,
        onlyFunction: false,
        searchPath: ['$expts', '.'],
        folder: to.folder ?? '.',
      },
    };
  }

  get asked(): Asked {
    this.#asked ??= new Asked(this.experiment, this.state.mode);
    return this.#asked;
  }

  set mode(mode: ViewMode) {
    this.state.mode = mode;
    this.#asked = undefined;
  }

  async out(text: string): Promise<void> {
    await this.#to.out(text);
  }

  note(line: string): void {
    this.#to.note(line);
  }
}
