/**
 * Finds the methods that need their parameter types to be distinguished: those with equal class and name but different
 * types. Creates no strings; runs once per program: one pass over its functions, 16 to 32 bytes each while it runs, one
 * byte each afterwards.
 */
import { NONE } from '../../base/flavor.js';
import { IntTable } from '../../base/hash.js';
import type { FunctionId, Program } from './program.js';

const known = new WeakMap<Program, Uint8Array>();

/** Whether the program has another method of the same class and name, with other types. */
export function isOverloaded(program: Program, id: FunctionId): boolean {
  if (id < 0) return false;
  let overloaded = known.get(program);
  if (overloaded === undefined) {
    overloaded = overloadedFunctions(program);
    known.set(program, overloaded);
  }
  return overloaded[id] === 1;
}

/** By function, 1 for the overloaded ones. Methods without types are never among them: no types can be shown of them. */
function overloadedFunctions(program: Program): Uint8Array {
  const { functions, classes } = program;
  const groups = new IntTable();
  const groupOf = new Int32Array(functions.length).fill(NONE);
  /** By group: its first method, and whether another one has other types. */
  const first: number[] = [];
  const differ: boolean[] = [];
  for (let id = 0; id < functions.length; id++) {
    const declaring = functions.class[id];
    if (declaring < 0 || (functions.signatureStart[id + 1] ?? 0) <= functions.signatureStart[id]) continue;
    // Classes of one name, which loaders or modules have each for themselves, are spelled alike.
    const name = classes.name[declaring];
    const group = groups.add(name < 0 ? -2 - declaring : name, functions.name[id]);
    groupOf[id] = group;
    first[group] ??= id;
    differ[group] ||= !haveSameParameters(program, first[group], id);
  }
  return Uint8Array.from(groupOf, (group) => (group >= 0 && differ[group] ? 1 : 0));
}

/** The first type of a signature is what is returned, which names do not show. */
function haveSameParameters({ functions: { signature, signatureStart } }: Program, a: number, b: number): boolean {
  const length = signatureStart[a + 1] - signatureStart[a];
  if (signatureStart[b + 1] - signatureStart[b] !== length) return false;
  for (let i = 1; i < length; i++)
    if (signature[signatureStart[a] + i] !== signature[signatureStart[b] + i]) return false;
  return true;
}
