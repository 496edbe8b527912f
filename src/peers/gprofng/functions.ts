/** Functions, with their names as the format of names has them. */
import { type Listing, listing, type RowFacts, TOTAL_FACTS } from './list.js';
import { type PeerFunction, TOTAL } from './peer/peer-program.js';
import { sizesByGroup } from './several/comparable.js';
import type { PrintState } from './state.js';
import type { Asked, Grouping } from './values.js';

export function functionGrouping({ experiment }: Asked): Grouping {
  const { program, functions } = experiment;
  return { ofLocation: program.locations.function, count: functions.length };
}

/** The name of a function in the chosen format. */
export function nameIn(
  { names }: Pick<PrintState, 'names'>,
  { name, short, objectName, symbol, java }: Pick<PeerFunction, 'name' | 'short' | 'objectName' | 'symbol' | 'java'>,
): string {
  const linked = symbol ?? (java === undefined ? name : short);
  const plain = names.how === 'long' ? name : names.how === 'short' ? short : linked;
  return names.library ? `${plain} [${objectName}]` : plain;
}

/** What static metrics show of a function. */
export function factsOf(entry: PeerFunction = TOTAL): Omit<RowFacts, 'name'> {
  return { object: entry.object, start: entry.address ?? entry.start, size: entry.size };
}

export async function functionList(asked: Asked, state: PrintState): Promise<Listing> {
  const { functions } = asked.experiment;
  return listing(
    asked,
    functionGrouping(asked),
    (row) => {
      const entry = functions[row];
      if (entry === undefined) throw new Error(`no function ${row}`);
      const sizes = sizesByGroup(asked.experiment, row);
      return { name: nameIn(state, entry), ...factsOf(entry), ...(sizes && { sizes }) };
    },
    { ...state, total: { ...TOTAL_FACTS, name: nameIn(state, TOTAL) } },
  );
}
