/**
 * The numbers that a file gives its classes and functions, and texts made of them.
 *
 *   #2280                  a class or function
 *   19551:34               a place: function and bytecode index
 *   4669:0<19551:34        a context, as PGO profiles write it: the innermost place first, each call it is inlined into behind it
 */
import { rowsWhere } from '../../base/columns/marks.js';
import { UsageError } from '../../base/errors.js';
import { NONE } from '../../base/flavor.js';
import type { StackId, StackTable } from '../../models/profile/profile.js';
import { bciOf, nativePlace } from '../../models/program/places.js';
import type { FunctionId, LocationId, Program } from '../../models/program/program.js';

/** Rows that may have a number of the file. */
interface Numbered {
  readonly length: number;
  /** -1 of rows without one. */
  readonly fileId: Int32Array;
}

const FILE_ID = /^#(\d+)$/;

/** The number in `#4669`; undefined for all other texts. */
export function fileIdIn(text: string): number | undefined {
  const [, digits] = FILE_ID.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** A place of a context: number of its function, and bytecode index. */
interface ContextPlace {
  readonly id: number;
  readonly index: number;
}

const CONTEXT = /^#\d+:-?\d+(?:<\d+:-?\d+)*$/;

/** The places in `#4669:0<19551:34`, the innermost first; undefined for all other texts. */
export function contextIn(text: string): readonly ContextPlace[] | undefined {
  if (!CONTEXT.test(text)) return undefined;
  return text
    .slice(1)
    .split('<')
    .map((place) => {
      const [id = 0, index = 0] = place.split(':').map(Number);
      return { id, index };
    });
}

/** The functions of each place of a context. Throws `UsageError` for a number that no function has. */
export function functionsOfContext(
  { functions }: Program,
  text: string,
  context: readonly ContextPlace[],
): readonly (readonly FunctionId[])[] {
  return context.map(({ id }) => {
    const rows = rowsWhere(functions.length, (row) => functions.fileId[row] === id);
    if (rows.length === 0)
      throw new UsageError(`${text}: no function of this recording has the number ${id}`, { code: 'no-such-name' });
    return [...rows];
  });
}

/** The rows with the number in `#4669`; undefined if the text has no number, or no row has it. */
export function rowsOfFileId({ length, fileId }: Numbered, text: string): Int32Array | undefined {
  const number = fileIdIn(text);
  if (number === undefined) return undefined;
  const rows = rowsWhere(length, (row) => fileId[row] === number);
  return rows.length === 0 ? undefined : rows;
}

/** The number of a row in the file; null if it has none, or there is no such row. */
export function fileIdOf({ fileId }: Numbered, row: number): number | null {
  const number = row < 0 ? NONE : fileId[row];
  return number < 0 ? null : number;
}

/** A place in numbers of the file; null if its function has none. Native places have no bytecode index: only that of the function. */
export function placeIds(program: Program, location: LocationId): string | null {
  const id = fileIdOf(program.functions, program.locations.function[location]);
  if (id === null) return null;
  const hasIndex = program.locations.bci !== undefined && nativePlace(program, location) === undefined;
  return hasIndex ? `${id}:${bciOf(program, location)}` : String(id);
}

/** The context of a stack in numbers of the file; null without a stack, or if one of its functions has none. */
export function contextIds(program: Program, { location, parent }: StackTable, stack: StackId): string | null {
  const places: string[] = [];
  for (let id = stack; id >= 0; id = parent[id]) {
    const place = placeIds(program, location[id]);
    if (place === null) return null;
    places.push(place);
  }
  return places.length === 0 ? null : places.join('<');
}
