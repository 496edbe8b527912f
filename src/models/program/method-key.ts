/**
 * The identity of a method or class across recordings. Ids are valid only in their recording; a key contains what the
 * recording has: HPROF text lacks parameter types, `.iprof` lacks the loader. `analysis/identity` decides which keys
 * are the same method.
 */
import { stringAt } from '../../base/text.js';
import { className, fileName, functionName } from './names.js';
import { CLASS_KINDS, type ClassId, FUNCTION_KINDS, type FunctionId, type Program, type UnitId } from './program.js';

export interface ClassKey {
  /** With dots and `$`, arrays as `T[]`. */
  readonly name: string;
  /** Java module or class loader, if recorded. */
  readonly loader?: string;
}

export interface MethodKey {
  /** Of the declaring class; undefined for functions without one. */
  readonly class?: ClassKey;
  readonly name: string;
  /** Java source types, if known. */
  readonly parameters?: readonly string[];
  readonly returns?: string;
  /** Source file, for functions without a class. */
  readonly file?: string;
  /** Compile unit and path of the load object of native functions, if known. */
  readonly unit?: string;
  readonly loadObject?: string;
}

/** The key of a class; undefined if the recording has only a number for it. */
export function classKey(program: Program, id: ClassId): ClassKey | undefined {
  const { classes, names } = program;
  if (id < 0 || classes.kind[id] === MISSING) return undefined;
  const loader = classes.module?.[id] ?? -1;
  return { name: className(program, id), ...(loader < 0 ? {} : { loader: stringAt(names, loader) }) };
}

/** How types are spelled; callers that need many keys cache those of classes. */
export interface TypeKeys {
  readonly key: (program: Program, id: ClassId) => ClassKey | undefined;
  readonly name: (program: Program, id: ClassId) => string;
}

const MISSING = CLASS_KINDS.indexOf('missing');
const PLAIN: TypeKeys = { key: classKey, name: className };

/** Keys and names of the classes of one program, each made once. `name` spells a class. */
export function cachedTypes(name: TypeKeys['name'] = className): TypeKeys {
  const keys: (ClassKey | undefined)[] = [];
  const names: (string | undefined)[] = [];
  return {
    key: (program, id) => {
      const known = keys[id] ?? classKey(program, id);
      if (id >= 0) keys[id] = known;
      return known;
    },
    name: (program, id) => {
      const known = names[id] ?? name(program, id);
      if (id >= 0) names[id] = known;
      return known;
    },
  };
}

/** The key of a function; undefined if the recording has only a number for it, its class or one of its types. */
export function methodKey(program: Program, id: FunctionId, types: TypeKeys = PLAIN): MethodKey | undefined {
  const { functions, names, classes } = program;
  if (id < 0 || FUNCTION_KINDS[functions.kind[id]] === 'missing') return undefined;
  const declaring = functions.class[id];
  if (declaring < 0) {
    const file = functions.file?.[id] ?? -1;
    const known = { name: functionName(program, id), ...(file < 0 ? {} : { file: stringAt(names, file) }) };
    // The pseudo function of a load object is identified by its name.
    const isPseudo = FUNCTION_KINDS[functions.kind[id]] === 'pseudo';
    return functions.unit === undefined || isPseudo ? known : { ...known, ...unitKey(program, functions.unit[id]) };
  }
  const key = types.key(program, declaring);
  if (key === undefined) return undefined;
  const name = stringAt(names, functions.name[id]);
  const from = functions.signatureStart[id];
  const to = functions.signatureStart[id + 1] ?? from;
  if (to <= from) return { class: key, name };
  const parameters: string[] = [];
  for (let i = from; i < to; i++) {
    const type = functions.signature[i];
    if (type < 0 || classes.kind[type] === MISSING) return undefined;
    if (i > from) parameters.push(types.name(program, type));
  }
  return { class: key, name, returns: types.name(program, functions.signature[from]), parameters };
}

function unitKey({ names, units, loadObjects }: Program, id: UnitId): Pick<MethodKey, 'unit' | 'loadObject'> {
  if (id < 0 || units === undefined) return {};
  const [name, loadObject] = [units.name[id], units.loadObject[id]];
  return {
    ...(name < 0 ? {} : { unit: stringAt(names, name) }),
    ...(loadObject < 0 || loadObjects === undefined
      ? {}
      : { loadObject: stringAt(names, loadObjects.path[loadObject]) }),
  };
}

/** A key as text: `java.util.HashMap.get(java.lang.Object)`, `main (tracer.py)`. */
export function keyText(key: MethodKey): string {
  const name = key.class === undefined ? key.name : `${key.class.name}.${key.name}`;
  const home = key.file ?? key.unit ?? (key.loadObject === undefined ? undefined : fileName(key.loadObject));
  if (home !== undefined) return `${name} (${home})`;
  return key.parameters === undefined ? name : `${name}(${key.parameters.join(', ')})`;
}
