/** Tables and numbers that the JDK's `jfr view` prints. */

const FACTORS: Readonly<Record<string, number>> = {
  ...{ bytes: 1, kB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 },
  ...{ ns: 1, us: 1e3, μs: 1e3, ms: 1e6, s: 1e9 },
};

/** Whether a number (bytes, nanoseconds) is what the JDK printed: three digits of it, 1 kB is 1,024 bytes. */
export function printedAs(value: number | null, [number = '', unit = '']: readonly string[]): boolean {
  if (number === 'N/A') return true;
  const factor = FACTORS[unit] ?? Number.NaN;
  const decimals = number.split('.')[1]?.length ?? 0;
  return value !== null && Math.abs(value / factor - Number(number)) <= 0.5001 * 10 ** -decimals;
}

/** The rows of a printed table, cell by cell: its columns are as wide as the dashes below its titles. */
export function viewRows(printed: string): string[][] {
  const lines = printed.split('\n');
  const dashes = lines.findIndex((line) => /^-+( -+)+\s*$/.test(line));
  const columns = [...(lines[dashes] ?? '').matchAll(/-+/g)].map(
    ({ index, 0: dash }) => [index, index + dash.length] as const,
  );
  const rows: string[][] = [];
  for (const line of lines.slice(dashes + 1)) {
    if (line.trim() === '') break;
    rows.push(columns.map(([from, to]) => line.slice(from, to).trim()));
  }
  return rows;
}
