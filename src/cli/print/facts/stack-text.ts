/** Stacks as lists of places, innermost first. */
import type { Profile } from '../../../models/profile/profile.js';
import { codePlaces, placeName } from '../code/places.js';
import type { PrintState } from '../state.js';
import type { Asked } from '../values.js';

/** Gives the lines of a stack. */
export async function stackPrinter(
  asked: Asked,
  state: PrintState,
  { stacks }: Profile,
): Promise<(stack: number) => string> {
  const places = await codePlaces(asked.experiment);
  return (stack) => {
    const lines: string[] = [];
    for (let at = stack; at >= 0; at = stacks.parent[at])
      lines.push(`  ${placeName(asked, state, stacks.location[at], places)}\n`);
    return lines.join('');
  };
}
