/**
 * Entries of functions as they stand: what each says itself, without what it refers to. gprofng takes the functions of a unit from these, also from
 * declarations.
 */
import { AT, TAG } from './constants.js';
import { type Entry, walkBelow } from './entries.js';
import type { UnitReader } from './units.js';

export interface Subprogram {
  /** The linker's name, else the plain name where it may be one; undefined if it has neither. */
  readonly name: string | undefined;
  /** Where its code begins; 0 if the entry does not say, or it has several ranges. */
  readonly start: number;
  /** Number of the file that declares it, and the line; 0 if the entry does not say. */
  readonly file: number;
  readonly line: number;
}

/** The functions of a unit in the order of their entries, without copies of others and plain declarations. */
export function subprogramsOf(reader: UnitReader): Subprogram[] {
  const subprograms: Subprogram[] = [];
  // The place of an entry: whether plain names there are those of the linker.
  walkBelow(reader.unit, reader.root, true, (entry, isPlain) => {
    const subprogram = entry.tag === TAG.subprogram ? subprogramOf(reader, entry, isPlain) : undefined;
    if (subprogram !== undefined) subprograms.push(subprogram);
    return !(entry.tag === TAG.namespace || entry.tag === TAG.classType || entry.tag === TAG.subprogram);
  });
  return subprograms;
}

function subprogramOf(reader: UnitReader, { values }: Entry, isPlain: boolean): Subprogram | undefined {
  if (values.has(AT.abstractOrigin)) return undefined;
  const linked = reader.text(values.get(AT.linkageName) ?? values.get(AT.mipsLinkageName));
  if (linked === undefined && values.has(AT.declaration)) return undefined;
  const number = (attribute: number): number => values.get(attribute)?.number ?? 0;
  return {
    name: linked ?? (isPlain ? reader.text(values.get(AT.name)) : undefined),
    start: reader.address(values.get(AT.lowPc)) ?? 0,
    file: number(AT.declarationFile),
    line: number(AT.declarationLine),
  };
}
