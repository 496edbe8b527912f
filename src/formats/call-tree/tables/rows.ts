/** The rows of one table of a report, and what is wrong with them: each problem names its file. */
import { named, type Problem, type ProblemLog } from '../../../base/problems.js';
import type { Work } from '../../../base/progress.js';
import { decodeUtf8 } from '../../../base/text.js';
import type { FileTree } from '../../../bytes/file-tree.js';
import type { Recording } from '../../../models/recording.js';
import type { FileSet } from '../../capabilities/sets.js';
import { eachTextLine } from '../../shared/text-lines.js';
import { Cells } from './cells.js';
import type { TableName } from './set-names.js';

const LONGEST_ROW = 1 << 20;

/** The part of a recording that the tables of one generation give. */
export type FromTables = Pick<Recording, 'sections' | 'program' | 'callGraph' | 'residue'>;

/** Takes a row. Returns what is wrong with it: then it is not part of the graph. */
export type TakeRow = (cells: Cells) => string | MissingRow | undefined;

/** A row refers to an id that another table does not list. */
export interface MissingRow {
  readonly id: number;
  readonly column: string;
  readonly table: TableName;
  /** The row is a part of the graph without it. */
  readonly kept?: true;
}

/** Files of a set, read one after another. */
export class Tables {
  readonly #tree: FileTree;
  readonly #set: FileSet;
  readonly #problems: ProblemLog;
  readonly #work: Work;
  /** By table: rows that refer to nothing. */
  readonly #missing = new Map<TableName, { count: number; in: TableName }>();
  /** Whether a part of the report was lost. */
  lost = false;
  /** Whether a file has lines that end as on Windows. */
  crlf = false;

  constructor(tree: FileTree, set: FileSet, problems: ProblemLog, work: Work) {
    this.#tree = tree;
    this.#set = set;
    this.#problems = problems;
    this.#work = work;
  }

  has(table: TableName): boolean {
    return this.#set.parts.has(table);
  }

  nameOf(table: TableName): string {
    return this.#tree.nameOf(this.#set.parts.get(table) ?? '');
  }

  problem(table: TableName, problem: Problem): void {
    this.#problems.add(named(this.nameOf(table), problem));
  }

  lose(table: TableName, code: string, message: string, offset?: number): void {
    this.lost = true;
    this.problem(table, { code, severity: 'error', message, ...(offset !== undefined && { offset }) });
  }

  /** The first line of a table, without its end. */
  async heading(table: TableName): Promise<string> {
    const source = await this.#tree.open(this.#set.parts.get(table) ?? '');
    const stream = await source.open();
    try {
      const bytes = new Uint8Array(200);
      const length = await stream.read(bytes);
      return (
        decodeUtf8(bytes, 0, length)
          .replace(/^\ufeff/, '')
          .split(/\r?\n/, 1)[0] ?? ''
      );
    } finally {
      await stream.close();
    }
  }

  /**
   * Reads a table; returns the number of its rows. `headings`: those it may have. A table that is not in the set is a
   * problem, except where `optional`.
   */
  async read(
    table: TableName,
    headings: readonly string[],
    take: TakeRow,
    { bare = false, optional = false } = {},
  ): Promise<number> {
    const path = this.#set.parts.get(table);
    if (path === undefined) {
      if (!optional) this.lose('methods', 'call-tree-table', `the table ${table} of this report is missing`);
      return 0;
    }
    const cells = new Cells();
    let isFirst = true;
    let rows = 0;
    const visit = (bytes: Uint8Array, from: number, to: number, offset: number, ended: boolean): void => {
      if (ended && bytes[to] === 13) this.crlf = true;
      if (!ended) this.lose(table, 'call-tree-cut', 'the last row has no end: the file is cut here', offset);
      const wasFirst = isFirst;
      isFirst = false;
      if (wasFirst && this.#isHeading(table, headings, decodeUtf8(bytes, from, Math.min(to, from + 200)), offset, bare))
        return;
      cells.split(bytes, from, to);
      const fault = take(cells);
      rows++;
      if (fault !== undefined) this.#fault(table, fault, offset);
    };
    const source = await this.#tree.open(path);
    const damage = await eachTextLine(source, visit, { work: this.#work, longest: LONGEST_ROW });
    if (damage !== undefined) this.lose(table, damage.code, damage.message, damage.offset);
    if (isFirst) this.lose(table, 'call-tree-table', 'the file is empty', 0);
    this.#tellMissing(table, rows);
    return rows;
  }

  /** Whether the first line is no row: a heading, maybe another one than expected. */
  #isHeading(table: TableName, headings: readonly string[], line: string, offset: number, bare: boolean): boolean {
    if (headings.includes(line)) return true;
    const isRow = /^\d/.test(line);
    if (isRow && bare) return false;
    this.lose(
      table,
      'call-tree-table',
      `expected the columns ${headings[0]}, found: ${line.slice(0, 80)}; the rows are read as such`,
      offset,
    );
    return !isRow;
  }

  #fault(table: TableName, fault: string | MissingRow, offset: number): void {
    if (typeof fault === 'string') {
      this.lose(table, 'call-tree-row', fault, offset);
      return;
    }
    const missing = this.#missing.get(table) ?? { count: 0, in: fault.table };
    this.#missing.set(table, { ...missing, count: missing.count + 1 });
    const message = `${fault.column} ${fault.id} is not in the table ${fault.table}${fault.kept ? '' : '; row skipped'}`;
    this.lose(table, 'call-tree-reference', message, offset);
  }

  /** Where rows refer to nothing, the tables are not those of one run, or a table is not whole. */
  #tellMissing(table: TableName, rows: number): void {
    const missing = this.#missing.get(table);
    if (missing === undefined) return;
    const other = this.nameOf(missing.in);
    this.lose(
      table,
      'call-tree-runs',
      `${missing.count} of its ${rows} rows refer to ids that ${other} does not list: the tables are of different runs, or one is damaged`,
    );
  }
}
