/** Stacks as filters name them: of each view mode, as functions, lines or instructions. */
import { EXPERT_STACK, MACHINE_STACK, STACK } from '../../../models/events/shared-fields.js';
import type { StackTable } from '../../../models/profile/profile.js';
import { columnOf, type Field } from '../../../models/table.js';
import { codePlaces } from '../code/places.js';
import type { Experiment } from '../peer/experiment.js';

/** Numbers of lines and instructions are above those that users write, and are no numbers of functions: gprofng has numbers of its own. */
const LINES = 1n << 41n;
const INSTRUCTIONS = 1n << 42n;

export type StackUnit = 'function' | 'line' | 'instruction';

/** The stack of a view mode; undefined: of the current one. */
export interface StackName {
  readonly field: Field | undefined;
  readonly unit: StackUnit;
}

const MODES: Readonly<Record<string, Field | undefined>> = {
  '': undefined,
  U: STACK,
  X: EXPERT_STACK,
  M: MACHINE_STACK,
};
const UNITS: Readonly<Record<string, StackUnit>> = { '': 'function', L: 'line', I: 'instruction' };

/** What a name such as `STACK`, `MSTACK` or `USTACKL` means; undefined of other properties. */
export function stackName(name: string): StackName | undefined {
  const [, mode, unit] = /^([UXM]?)STACK([LI]?)$/.exec(name) ?? [];
  const stackUnit = unit === undefined ? undefined : UNITS[unit];
  return mode === undefined || stackUnit === undefined ? undefined : { field: MODES[mode], unit: stackUnit };
}

const lineNumbers = new WeakMap<Experiment, Int32Array>();

/** Reads the lines of all places of an experiment, which filters need for `STACKL`. */
export async function readLines(experiment: Experiment): Promise<void> {
  if (lineNumbers.has(experiment)) return;
  const places = await codePlaces(experiment);
  const numbers = new Map<string, number>();
  const { function: functionOf } = experiment.program.locations;
  const rows = Int32Array.from(places, ({ line, file }, id) => {
    const key = line > 0 ? `${line} ${file ?? ''}` : `of ${functionOf[id]}`;
    const row = numbers.get(key) ?? numbers.size;
    numbers.set(key, row);
    return row;
  });
  lineNumbers.set(experiment, rows);
}

/** The number of a place in stacks of lines or instructions. */
export function placeNumber(experiment: Experiment, unit: 'line' | 'instruction', location: number): bigint {
  if (unit === 'instruction') return INSTRUCTIONS + BigInt(location);
  return LINES + BigInt(lineNumbers.get(experiment)?.[location] ?? 0);
}

/** The stacks of a table in a view mode, by row; those of a recording without modes are all the same. */
export function recordedStacks(
  { profile }: Experiment,
  kind: string,
  field: Field,
): { readonly stacks: StackTable; readonly column: ArrayLike<number> | undefined } {
  const table = profile.events.find((each) => each.kind === kind);
  return { stacks: profile.stacks, column: table && (columnOf(table, field) ?? columnOf(table, STACK)) };
}
