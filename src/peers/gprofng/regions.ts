/** Parallel regions of OpenMP as index objects. */
import { CPU_SAMPLE_EVENTS } from '../../models/events/thread-samples.js';
import { eventTable } from '../../models/profile/profile.js';
import type { Table } from '../../models/table.js';
import { codePlaces, lineName } from './code/places.js';
import type { IndexType } from './index-type.js';
import type { Experiment } from './peer/experiment.js';
import type { PrintState } from './state.js';
import type { Asked } from './values.js';

function clockTable({ profile }: Experiment): Table | undefined {
  return eventTable(profile, CPU_SAMPLE_EVENTS.kind);
}

/** Whether an experiment has parallel regions. */
export function hasRegions(experiment: Experiment): boolean {
  return CPU_SAMPLE_EVENTS.of(experiment.profile)?.omp_region !== undefined;
}

/** The name of code outside of all regions. */
export const IMPLICIT_REGION = 'Implicit OpenMP Parallel Region';

/** The stacks of pragmas of the regions in which something ran, as they first appear. */
export function regionStacks(experiment: Experiment): readonly number[] {
  const stacks = CPU_SAMPLE_EVENTS.of(experiment.profile)?.omp_region_stack;
  return stacks === undefined ? [] : [...new Set(stacks)].filter((stack) => stack >= 0);
}

export function regionName(line: string): string {
  return `OpenMP Parallel Region from ${line}`;
}

/** The regions of an experiment; undefined if it has none. Code outside of all is in the implicit one. */
export async function regionType(asked: Asked, state: PrintState): Promise<IndexType | undefined> {
  const { experiment } = asked;
  const table = clockTable(experiment);
  const { omp_region: region, omp_region_stack: stacks } = table ? CPU_SAMPLE_EVENTS.rows(table) : {};
  if (table === undefined || region === undefined || stacks === undefined) return undefined;
  const places = await codePlaces(experiment);
  const { location } = experiment.profile.stacks;
  const names = new Map<number, string>();
  for (let row = 0; row < table.length; row++)
    if (stacks[row] >= 0 && !names.has(region[row]))
      names.set(region[row], regionName(lineName(asked, state, location[stacks[row]], places)));
  return {
    name: 'OMP_preg',
    formula: 'CPRID',
    of: (place) => (place.table === table ? (region[place.row] ?? 0) : 0),
    label: (index) => names.get(index) ?? IMPLICIT_REGION,
    always: [0],
  };
}
