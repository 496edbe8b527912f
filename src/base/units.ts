/**
 * Units, and the one place where numbers become text.
 * Times are nanoseconds, sizes are bytes; a table shows all values of a column in one unit of its own.
 */
/**
 * `parts`: named shares of a whole (`{name, count, share}`); `list`: texts, each below the next one; `names`: texts;
 * `states`: of a thread, one after the other, null if there is none.
 */
export const UNITS = [
  'none',
  'count',
  'samples',
  'ns',
  'bytes',
  'ratio',
  'bci',
  'text',
  'parts',
  'list',
  'names',
  'states',
] as const;
export type Unit = (typeof UNITS)[number];

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const decimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A value as text for a table: `12,345`, `81.20 %`, `1,234.57 ms`, `3.41 MB`. */
export function formatValue(value: number, unit: Unit, resolution = 0): string {
  if (resolution > 0) return formatRounded(value, unit, resolution);
  switch (unit) {
    case 'count':
    case 'samples':
      return formatCount(value);
    case 'ratio':
      return formatRatio(value);
    case 'ns':
      return `${decimals.format(value / 1e6)} ms`;
    case 'bytes':
      return formatBytes(value);
    case 'none':
      return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
    case 'bci':
    case 'text':
    case 'parts':
    case 'list':
    case 'names':
    case 'states':
      return String(value);
  }
}

/** A value that is known in steps of `resolution`, with one digit below that: `≈ 1,500,000 ms` for 1,499,800 in steps of 1,000,000. */
function formatRounded(value: number, unit: Unit, resolution: number): string {
  const step = resolution / 10;
  const rounded = Math.round(value / step) * step;
  const text = unit === 'ns' && step >= 1e6 ? `${grouped.format(rounded / 1e6)} ms` : formatValue(rounded, unit);
  return `≈ ${text}`;
}

/** Per cent with two places. Rare is not shown as never, nor nearly always as always. */
function formatRatio(value: number): string {
  const size = Math.abs(value);
  const sign = value < 0 ? '-' : '';
  if (size > 0 && size < 0.00005) return `${sign}<0.01 %`;
  if (size > 0.99995 && size < 1) return `${sign}>99.99 %`;
  return `${decimals.format(value * 100)} %`;
}

/** A whole number with groups of three; a fraction keeps two places. */
export function formatCount(value: number): string {
  // Adding 0 turns -0 into 0.
  return Number.isInteger(value) ? grouped.format(value + 0) : decimals.format(value);
}

/** A size for people: 1 KB is 1,000 bytes. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  // 999.995 and more would be shown as 1,000.00.
  while (Math.abs(value) >= (unit === 0 ? 1000 : 999.995) && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 ? grouped.format(value) : decimals.format(value)} ${units[unit] ?? ''}`;
}

/** `1 problem`, `2 problems`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}
