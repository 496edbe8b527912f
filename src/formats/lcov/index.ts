/**
 * Writes coverage as LCOV does (man geninfo, FILES): one record per source file. Unknown values have no line, since the
 * format has no notation for them, except `-` for a branch that was never reached.
 */

export interface LcovFunction {
  readonly name: string;
  readonly line: number;
  readonly calls: number;
}

export interface LcovBranch {
  readonly line: number;
  /** Number of the branch instruction in the file, and of its outcome. */
  readonly block: number;
  readonly branch: number;
  /** Undefined if the branch was never reached. */
  readonly taken: number | undefined;
}

export interface LcovLine {
  readonly line: number;
  readonly count: number;
}

export interface LcovFile {
  /** Path of the source file, as genhtml will look for it. */
  readonly source: string;
  readonly functions: readonly LcovFunction[];
  readonly branches: readonly LcovBranch[];
  readonly lines: readonly LcovLine[];
}

/** `test`: name of the run; LCOV allows only letters, digits and underscores; other characters become underscores. */
export function writeLcov(test: string, files: readonly LcovFile[]): string {
  const name = test.replace(/\W+/g, '_');
  return files.map((file) => record(name, file)).join('');
}

function record(test: string, { source, functions, branches, lines }: LcovFile): string {
  const rows = [
    `TN:${test}`,
    `SF:${source}`,
    ...functions.map(({ line, name }) => `FN:${line},${name}`),
    ...functions.map(({ calls, name }) => `FNDA:${digits(calls)},${name}`),
    `FNF:${functions.length}`,
    `FNH:${functions.filter(({ calls }) => calls > 0).length}`,
    ...branches.map((one) => `BRDA:${one.line},${one.block},${one.branch},${takenText(one.taken)}`),
    `BRF:${branches.length}`,
    `BRH:${branches.filter(({ taken }) => taken !== undefined && taken > 0).length}`,
    ...lines.map(({ line, count }) => `DA:${line},${digits(count)}`),
    `LF:${lines.length}`,
    `LH:${lines.filter(({ count }) => count > 0).length}`,
    'end_of_record',
  ];
  return `${rows.join('\n')}\n`;
}

function takenText(taken: number | undefined): string {
  return taken === undefined ? '-' : digits(taken);
}

/** All digits of a count: LCOV reads no exponents. */
function digits(count: number): string {
  return BigInt(Math.round(count)).toString();
}
