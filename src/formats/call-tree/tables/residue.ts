/** What the tables of a report have beyond the graph: plain data, with which they are written as they were. */
import type { StringTable } from '../../../base/text.js';
import type { MethodRows } from './method-table.js';
import type { Layout } from './set-names.js';

export interface TablesResidue {
  readonly layout: Layout;
  readonly crlf: boolean;
  readonly texts: StringTable;
  readonly methods: MethodRows;
  /** Of `seven`. */
  readonly virtualMethods?: MethodRows;
  /** Of `seven`, in the order of the file: rows of `virtualMethods`, and FunctionIds. */
  readonly overrides?: { readonly declared: Int32Array<ArrayBufferLike>; readonly callee: Int32Array<ArrayBufferLike> };
  /** Of `three`: the Id of each site. */
  readonly invokeIds?: Int32Array<ArrayBufferLike>;
  /** The report marks no entries; those of the graph are methods that nothing calls. */
  readonly noEntries: boolean;
}

export function isTablesResidue(residue: unknown): residue is TablesResidue {
  return typeof residue === 'object' && residue !== null && 'layout' in residue && 'texts' in residue;
}
