/** Stacks as lists of places. */
import type { Profile, StackTable } from '../../../models/profile/profile.js';
import { codePlaces, isNamedPlain, placeName } from '../code/places.js';
import type { PrintState } from '../state.js';
import type { Asked } from '../values.js';

/** Gives the name of the place of a location. */
export async function placeNames(asked: Asked, state: PrintState): Promise<(location: number) => string> {
  const places = await codePlaces(asked.experiment);
  const names = new Map<number, string>();
  return (location) => {
    const plain = !names.has(location) && isNamedPlain(asked, state, location, places);
    const name = names.get(location) ?? placeName(asked, state, location, places, plain);
    names.set(location, name);
    return name;
  };
}

/** A stack and those that it goes on from, innermost first. */
export function stackPath({ parent }: StackTable, leaf: number): number[] {
  const path: number[] = [];
  for (let stack = leaf; stack >= 0; stack = parent[stack]) path.push(stack);
  return path;
}

/** Gives the lines of a stack, innermost first. */
export async function stackPrinter(
  asked: Asked,
  state: PrintState,
  { stacks }: Profile,
): Promise<(stack: number) => string> {
  const names = await placeNames(asked, state);
  return (leaf) =>
    stackPath(stacks, leaf)
      .map((stack) => `  ${names(stacks.location[stack])}\n`)
      .join('');
}
