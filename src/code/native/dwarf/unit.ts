/** What is known of a compile unit before its entries are read, and how its entries look. */
import type { DwarfFile } from './file.js';

/** What an entry looks like: its tag, and the attributes in their order. */
export interface Abbreviation {
  readonly tag: number;
  readonly hasChildren: boolean;
  /** Attribute, form and the value of `DW_FORM_implicit_const`, three numbers each. */
  readonly attributes: readonly number[];
}

export interface DwarfUnit {
  readonly file: DwarfFile;
  readonly offset: number;
  readonly end: number;
  readonly version: number;
  readonly type: number;
  readonly addressSize: number;
  readonly offsetSize: 4 | 8;
  /** Where its first entry is. */
  readonly first: number;
  /** `DW_AT_dwo_id` of version 5; undefined if it has none. */
  readonly splitId: number | undefined;
  readonly abbreviations: () => ReadonlyMap<number, Abbreviation>;
}
