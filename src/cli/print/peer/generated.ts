/** Functions that a program made at run time, as gprofng names their load object. */
import type { MapEvent } from '../../../formats/experiment/index.js';
import type { GeneratedCode } from '../../../models/program/code.js';

/** The load object that the reader has for them, and that of gprofng. */
export const GENERATED = '[generated code]';
export const DYNAMIC_FUNCTIONS = 'DYNAMIC_FUNCTIONS';

/** A function that was made at run time. */
export interface GeneratedFunction {
  /** In the load object, where they are one after the other. */
  readonly start: number;
  readonly size: number;
  /** In memory. */
  readonly address: number;
}

/** By name, the first function of it. */
export function generatedCode(map: readonly MapEvent[]): ReadonlyMap<string, GeneratedFunction> {
  const found = new Map<string, GeneratedFunction>();
  let start = 0;
  for (const { kind, attributes } of map) {
    const object = attributes.get('object');
    const name = attributes.get('name') ?? '';
    if (kind !== 'map' || (object !== 'function' && object !== 'jcm') || name.startsWith('[')) continue;
    const size = Number(attributes.get('size') ?? 0);
    if (object === 'function' && !found.has(name))
      found.set(name, { start, size, address: Number(attributes.get('vaddr') ?? 0) });
    start += size;
  }
  return found;
}

/** The same, as gprofng has them: their code begins where it is in the file dyntext, if it is there. */
export function placed(
  functions: ReadonlyMap<string, GeneratedFunction>,
  codes: readonly GeneratedCode[],
): ReadonlyMap<string, GeneratedFunction> {
  return new Map(
    [...functions].map(([name, of]) => {
      const code = codes.find(({ offset }) => offset === of.start);
      return [name, code === undefined ? of : { ...of, address: code.place }];
    }),
  );
}
