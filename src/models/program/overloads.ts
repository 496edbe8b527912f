/**
 * Finds the methods that need their parameter types to be distinguished: those with equal class and name but different
 * types. Creates no strings. The first methods are looked for one by one; then one pass over all functions, 16 to 32 bytes each
 * while it runs, and one byte each afterwards.
 */
import { IntTable } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import type { ClassId, FunctionId, Program } from './program.js';

interface Known {
  /** Methods that were looked for one by one. */
  readonly single: Map<FunctionId, boolean>;
  /** All, once there were many. */
  all: Uint8Array | undefined;
}

const known = new WeakMap<Program, Known>();

/** A listing shows a few of a million methods: so many are looked for one by one, each by a pass over a column. */
const FEW = 64;

/** Whether the program has another method of the same class and name, with other types. */
export function isOverloaded(program: Program, id: FunctionId): boolean {
  if (id < 0) return false;
  let found = known.get(program);
  if (found === undefined) {
    found = { single: new Map(), all: undefined };
    known.set(program, found);
  }
  if (found.all !== undefined) return found.all[id] === 1;
  const single = found.single.get(id);
  if (single !== undefined) return single;
  if (found.single.size < FEW) {
    const is = hasOverload(program, id);
    found.single.set(id, is);
    return is;
  }
  found.all = overloadedFunctions(program);
  return found.all[id] === 1;
}

/** The answer for one method, by the rule of `overloadedFunctions`. */
function hasOverload(program: Program, id: FunctionId): boolean {
  const { class: declaring, name } = program.functions;
  if (!hasTypes(program, id)) return false;
  const own = nameOfClass(program, declaring[id]);
  const wanted = name[id];
  for (let other = 0; other < name.length; other++)
    if (
      name[other] === wanted &&
      hasTypes(program, other) &&
      nameOfClass(program, declaring[other]) === own &&
      !haveSameParameters(program, id, other)
    )
      return true;
  return false;
}

function hasTypes({ functions }: Program, id: FunctionId): boolean {
  return functions.class[id] >= 0 && (functions.signatureStart[id + 1] ?? 0) > functions.signatureStart[id];
}

/** Classes of one name, which loaders or modules have each for themselves, are spelled alike. */
function nameOfClass({ classes }: Program, id: ClassId): number {
  const name = classes.name[id];
  return name < 0 ? -2 - id : name;
}

/** By function, 1 for the overloaded ones. Methods without types are never among them: no types can be shown of them. */
function overloadedFunctions(program: Program): Uint8Array {
  const { functions } = program;
  const groups = new IntTable(functions.length);
  const groupOf = new Int32Array(functions.length).fill(NONE);
  /** By group: its first method, and 1 if another one has other types. */
  const first = new Int32Array(functions.length);
  const differ = new Uint8Array(functions.length);
  for (let id = 0; id < functions.length; id++) {
    if (!hasTypes(program, id)) continue;
    const before = groups.length;
    const group = groups.add(nameOfClass(program, functions.class[id]), functions.name[id]);
    groupOf[id] = group;
    if (group === before) first[group] = id;
    else if (differ[group] === 0 && !haveSameParameters(program, first[group], id)) differ[group] = 1;
  }
  const overloaded = new Uint8Array(functions.length);
  for (let id = 0; id < overloaded.length; id++) if (groupOf[id] >= 0) overloaded[id] = differ[groupOf[id]];
  return overloaded;
}

/** The first type of a signature is what is returned, which names do not show. */
function haveSameParameters({ functions: { signature, signatureStart } }: Program, a: number, b: number): boolean {
  const length = signatureStart[a + 1] - signatureStart[a];
  if (signatureStart[b + 1] - signatureStart[b] !== length) return false;
  for (let i = 1; i < length; i++)
    if (signature[signatureStart[a] + i] !== signature[signatureStart[b] + i]) return false;
  return true;
}
