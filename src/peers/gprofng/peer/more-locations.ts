/** Programs with locations behind those of the recording, for functions that only gprofng has. */
import { NONE } from '../../../base/flavor.js';
import {
  type LocationId,
  type LocationTable,
  NO_LINE,
  type Program,
  UNKNOWN_BCI,
} from '../../../models/program/program.js';

/** Locations with more rows, each like the one that it names; without a function, a place and a line for `NONE`. */
export function withMoreLocations(locations: LocationTable, like: readonly LocationId[]): LocationTable {
  const length = locations.length + like.length;
  const longer = <Values extends Int32Array | Float64Array | Uint8Array>(
    into: Values,
    from: Values,
    none: number,
  ): Values => {
    into.set(from);
    for (const [i, location] of like.entries()) into[from.length + i] = location < 0 ? none : from[location];
    return into;
  };
  const { bci, loadObject, offset, inlinedInto, line, mode } = locations;
  return {
    length,
    function: longer(new Int32Array(length), locations.function, NONE),
    ...(bci && { bci: longer(new Int32Array(length), bci, UNKNOWN_BCI) }),
    ...(loadObject && { loadObject: longer(new Int32Array(length), loadObject, NONE) }),
    ...(offset && { offset: longer(new Float64Array(length), offset, NONE) }),
    ...(inlinedInto && { inlinedInto: longer(new Int32Array(length), inlinedInto, NONE) }),
    ...(line && { line: longer(new Int32Array(length), line, NO_LINE) }),
    ...(mode && { mode: longer(new Uint8Array(length), mode, 0) }),
  };
}

/** The program with more locations, one for each of these functions, and with `count` functions; new ones are known by their numbers only. */
export function withLocations(program: Program, added: readonly number[], count: number): Program {
  const locations = withMoreLocations(
    program.locations,
    added.map(() => NONE),
  );
  locations.function.set(added, program.locations.length);
  return { ...program, functions: { ...program.functions, length: count }, locations };
}
