/** Tables of call trees: their headings. Two tables have too usual headings, so their rows or file names must fit as well. */
import { type Guess, type Head, NO_GUESS } from '../../capabilities/probe.js';
import { filledLines, share, textOf } from '../../shared/head-text.js';
import { METHOD_COLUMNS, SEVEN_TABLES, THREE_TABLES, tableFileOf } from './set-names.js';

interface Table {
  readonly heading: string;
  readonly table: string;
  readonly since: string;
  /** Shape of the rows, if the heading alone is too common. */
  readonly row?: RegExp;
  /** Confidence without a matching file name. */
  readonly unnamed: number;
}

const OLD = 'before GraalVM 24.1';
const NEW = 'since GraalVM 24.1';

const TABLES: readonly Table[] = [
  { heading: THREE_TABLES.methods, table: 'methods', since: NEW, unnamed: 1 },
  { heading: THREE_TABLES.invokes, table: 'invokes', since: NEW, unnamed: 1 },
  { heading: 'Id,MethodId,BytecodeIndexes,IsDirect', table: 'invokes', since: NEW, unnamed: 0.9 },
  { heading: THREE_TABLES.targets, table: 'targets', since: NEW, unnamed: 0.9 },
  { heading: METHOD_COLUMNS, table: 'methods or virtual_methods', since: OLD, unnamed: 1 },
  { heading: SEVEN_TABLES.direct_edges, table: 'direct_edges or virtual_edges', since: OLD, unnamed: 1 },
  { heading: SEVEN_TABLES.override_by_edges, table: 'override_by_edges', since: OLD, unnamed: 0.9 },
  { heading: SEVEN_TABLES.vm, table: 'vm', since: OLD, row: /^0,VM$/, unnamed: 0.7 },
  { heading: SEVEN_TABLES.entry_points, table: 'entry_points', since: OLD, row: /^\d{1,10}$/, unnamed: 0.3 },
];

/** A row of virtual_methods, which had no heading before August 2022. */
const METHOD_ROW = /^\d{1,10},[^,]{1,200},[^,]{1,300},[^,]{1,300},[^,]{1,300},[^,]{1,300},[a-zA-Z]{0,12}$/;

export function probeTables(head: Head): Guess {
  const [first, ...rows] = filledLines(head, 'keep', 50).map((line) => line.trim());
  if (first === undefined || textOf(head).binary) return NO_GUESS;
  const isNamed = tableFileOf(head.name) !== undefined;
  const table = TABLES.find((candidate) => candidate.heading === first);
  if (table !== undefined && (table.row === undefined || share(rows, table.row) >= 0.9)) {
    const because = `its columns are ${first}: the table ${table.table}, ${table.since}`;
    return { confidence: isNamed ? 1 : table.unnamed, because };
  }
  if (isNamed && share([first, ...rows], METHOD_ROW) >= 0.9)
    return { confidence: 0.8, because: 'rows of virtual_methods, without a heading' };
  return isNamed ? { confidence: 0.3, because: 'a file name of such a table' } : NO_GUESS;
}
