/** Types of index objects that a user defines: an expression gives each event a number. */
import type { IndexType, Place } from '../index-type.js';
import type { Experiment } from '../peer/experiment.js';
import { evaluated, type Folded, type Width } from './evaluate.js';
import { TableProperties } from './properties.js';

const UNKNOWN = 2n ** 64n - 1n;

/** The type of a name. Numbers have 64 bits: those of the list count the ones that were found. */
export function definedType(name: string, formula: string, expression: Folded): IndexType {
  const known = new Map<bigint, number>();
  const numbers: bigint[] = [];
  const properties = new Map<Place['table'], TableProperties>();
  const propertiesOf = ({ table, facts }: Place, experiment: Experiment): TableProperties => {
    const { profile } = experiment;
    const made = properties.get(table) ?? new TableProperties({ experiment, profile, table, facts });
    properties.set(table, made);
    return made;
  };
  return {
    name,
    formula,
    of: (place, experiment) => {
      const width: Width = experiment.strict ? 'unsigned' : 'signed';
      const event = propertiesOf(place, experiment);
      event.row = place.row;
      // As in gprofng, events that lack a property have the number 0.
      const number = BigInt.asUintN(64, evaluated(expression, event, width)?.[0] ?? 0n);
      if (number === UNKNOWN) return -1;
      const index = known.get(number) ?? numbers.push(number) - 1;
      known.set(number, index);
      return index;
    },
    label: (index) => {
      const number = numbers[index] ?? 0n;
      return `${name} 0x${number.toString(16).padStart(16, '0')} (${number})`;
    },
    order: (a, b) =>
      Number((numbers[a] ?? -1n) > (numbers[b] ?? -1n)) - Number((numbers[a] ?? -1n) < (numbers[b] ?? -1n)),
  };
}
