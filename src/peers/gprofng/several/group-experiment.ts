/** The events of one group of experiments. */
import { filteredExperiment } from '../filters/filtered.js';
import type { Experiment } from '../peer/experiment.js';
import type { PrintState } from '../state.js';

/** The experiment with the events of one group. */
export function groupExperiment(
  experiment: Experiment,
  state: Pick<PrintState, 'names' | 'indexTypes'>,
  group: number,
): Experiment {
  const others = experiment.processes.filter((process) => process.group !== group);
  const thread = new Map(others.map(({ id }) => [id, []]));
  return filteredExperiment(experiment, experiment.profile, state, { expression: undefined, selections: { thread } });
}
