/** Types of index objects that a user defines: an expression gives each event a number. */
import type { Table } from '../../../models/table.js';
import type { IndexType, Place } from '../index-type.js';
import type { Experiment } from '../peer/experiment.js';
import type { Folded } from './evaluate.js';
import { valueByRow } from './fast.js';
import { TableProperties } from './properties.js';

/** -1 in 64 bits. */
const UNKNOWN = 2n ** 64n - 1n;

/** The type of a name. Its numbers may have 64 bits, so the list has their order of appearance instead. */
export function definedType(name: string, formula: string, expression: Folded): IndexType {
  const known = new Map<number | bigint, number>();
  const numbers: bigint[] = [];
  const values = new Map<Table, ReturnType<typeof valueByRow>>();
  const valuesOf = ({ table, facts }: Place, experiment: Experiment): ReturnType<typeof valueByRow> => {
    const { profile, strict } = experiment;
    const properties = (): TableProperties => new TableProperties({ experiment, profile, table, facts });
    const made = values.get(table) ?? valueByRow(expression, properties(), strict ? 'unsigned' : 'signed');
    values.set(table, made);
    return made;
  };
  return {
    name,
    formula,
    of: (place, experiment) => {
      // As in gprofng, events that lack a property have the number 0.
      const value = valuesOf(place, experiment)(place.row) ?? 0;
      const before = known.get(value);
      if (before !== undefined) return before;
      const number = BigInt.asUintN(64, BigInt(value));
      const index = number === UNKNOWN ? -1 : numbers.push(number) - 1;
      known.set(value, index);
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
