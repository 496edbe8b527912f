/** The load objects of an experiment as gprofng numbers them, and where they were mapped. */
import type { ProcessDetails } from '../../../formats/experiment/index.js';
import type { ClassId } from '../../../models/program/program.js';
import { markedLike, plainPath } from '../../../session/together/marked-path.js';
import { COMPILED_METHODS, DYNAMIC_FUNCTIONS, GENERATED } from './generated.js';

export interface LoadObject {
  readonly path: string;
  /** `<libc.so.6>`. */
  readonly name: string;
  readonly index: number;
}

export const UNKNOWN_OBJECT: LoadObject = { path: '<Unknown>', name: '<Unknown>', index: 0 };
/** `<Total>` has the number before. */
const FIRST = 2;
const EXECUTABLE = 4;
const SHARED = 8;

export interface NumberedObjects {
  /** In the order in which they appear; the first one is unknown. */
  readonly objects: readonly LoadObject[];
  /** Numbers of the classes of Java, which are load objects, too. */
  readonly classes: ReadonlyMap<ClassId, number>;
  /** By process, the numbers of its objects, classes among them. */
  readonly ofProcess: readonly ReadonlySet<number>[];
}

/** The load objects of all processes; of each one the classes come first. `keyOf`: what load objects of a path are called, by index of the process. */
export function loadObjectsOf(
  processes: readonly (Pick<ProcessDetails, 'map' | 'classes' | 'prefix'> & { readonly part: number })[],
  keyOf: (process: number, path: string) => string = (_, path) => path,
): NumberedObjects {
  const found: LoadObject[] = [UNKNOWN_OBJECT];
  const indexes = new Map<string, number>();
  const numbers = new Map<ClassId, number>();
  const ofProcess: Set<number>[] = [];
  const add = (path: string, key = path): void => {
    const index = indexes.get(key) ?? FIRST + found.length - 1 + numbers.size;
    ofProcess.at(-1)?.add(index);
    if (indexes.has(key)) return;
    indexes.set(key, index);
    found.push({ path, name: `<${plainPath(path).replace(/^.*\//s, '')}>`, index });
  };
  for (const [process, { map, classes, part, prefix }] of processes.entries()) {
    const generated = keyOf(process, GENERATED);
    const indexSet = new Set<number>();
    ofProcess.push(indexSet);
    for (const id of classes) {
      const number = numbers.get(id) ?? FIRST + found.length - 1 + numbers.size;
      numbers.set(id, number);
      indexSet.add(number);
    }
    for (const { kind, attributes } of map) {
      const object = attributes.get('object');
      if (kind !== 'map') continue;
      if (object === 'segment') {
        const modes = Number(attributes.get('modes'));
        const path = keyOf(process, attributes.get('name') ?? '');
        if (path !== '' && (modes & EXECUTABLE) !== 0 && (modes & SHARED) === 0) add(path);
        // Descendants share one for their generated code.
      } else if (object === 'jcm') add(COMPILED_METHODS);
      else add(markedLike(DYNAMIC_FUNCTIONS, generated), `${DYNAMIC_FUNCTIONS} ${part} ${prefix !== ''}`);
    }
  }
  return { objects: found, classes: numbers, ofProcess };
}
