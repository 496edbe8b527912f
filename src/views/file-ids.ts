/** Columns with numbers of the file, which answers have on demand: of functions, types and contexts. */
import { z } from 'zod';
import { fileIdOf } from '../analysis/identity/file-ids.js';
import { type Note, note } from '../base/note.js';
import type { FunctionId, Program } from '../models/program/program.js';
import type { ResultColumn } from './listing.js';

const ON_DEMAND = '; only on demand';

/** The number of a function or class. */
export const FILE_ID = z
  .number()
  .nullable()
  .optional()
  .meta({ title: 'Id', unit: 'none', description: `number in the file, if it has one${ON_DEMAND}` });

/** A place or context. */
export const CONTEXT_IDS = z
  .string()
  .nullable()
  .optional()
  .meta({
    title: 'Ids',
    unit: 'text',
    description: `method and bytecode index in numbers of the file, the innermost first${ON_DEMAND}`,
  });

/** The number of a class in a list. */
export const PART_ID = z.number().nullable().optional().describe(`number of the class in the file${ON_DEMAND}`);

/** The cell with the number of a function; nothing if numbers are not asked for. */
export function idCell(
  ids: boolean,
  { functions }: Program,
  idOf: (row: number) => FunctionId,
): { file_id?: (row: number) => number | null } {
  return ids ? { file_id: (row) => fileIdOf(functions, idOf(row)) } : {};
}

/** The columns, without those of numbers that are not asked for. */
export function withIds(columns: ResultColumn[], ids: boolean): ResultColumn[] {
  return ids ? columns : columns.filter(({ key }) => key !== 'file_id' && key !== 'context');
}

/** Says that a file has no numbers, if they are asked for. */
export function idNotes(ids: boolean, { functions, classes }: Program): Note[] {
  const isNumbered = ({ fileId }: { readonly fileId: Int32Array }): boolean => fileId.some((number) => number >= 0);
  return !ids || isNumbered(functions) || isNumbered(classes)
    ? []
    : [note('no-file-ids', 'The file numbers neither functions nor classes.')];
}
