/** The load objects of an experiment as gprofng numbers them, and where they were mapped. */
import type { ProcessDetails } from '../../../formats/experiment/index.js';
import type { ClassId } from '../../../models/program/program.js';
import { COMPILED_METHODS, DYNAMIC_FUNCTIONS } from './generated.js';

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
}

/** The load objects of all processes; of each one the classes come first. */
export function loadObjectsOf(processes: readonly Pick<ProcessDetails, 'map' | 'classes'>[]): NumberedObjects {
  const found: LoadObject[] = [UNKNOWN_OBJECT];
  const known = new Set<string>();
  const numbers = new Map<ClassId, number>();
  const add = (path: string, key = path): void => {
    if (known.has(key)) return;
    known.add(key);
    const index = FIRST + found.length - 1 + numbers.size;
    found.push({ path, name: `<${path.slice(path.lastIndexOf('/') + 1)}>`, index });
  };
  for (const [process, { map, classes }] of processes.entries()) {
    for (const id of classes) if (!numbers.has(id)) numbers.set(id, FIRST + found.length - 1 + numbers.size);
    for (const { kind, attributes } of map) {
      const object = attributes.get('object');
      if (kind !== 'map') continue;
      if (object === 'segment') {
        const modes = Number(attributes.get('modes'));
        const path = attributes.get('name') ?? '';
        if (path !== '' && (modes & EXECUTABLE) !== 0 && (modes & SHARED) === 0) add(path);
        // Descendants share one for their generated code.
      } else if (object === 'jcm') add(COMPILED_METHODS);
      else add(DYNAMIC_FUNCTIONS, `${DYNAMIC_FUNCTIONS} ${process > 0}`);
    }
  }
  return { objects: found, classes: numbers };
}
