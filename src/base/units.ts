/**
 * Units, and the one place where numbers become text.
 * Times are nanoseconds, sizes are bytes; a table shows all values of a column in one unit of its own.
 */
/**
 * `address`: of memory, shown in base 16. `parts`: named shares of a whole (`{name, count, share}`); `list`: texts, each below
 * the next one; `names`: texts; `states`: of a thread, one after the other, null if there is none.
 */
export const UNITS = [
  'none',
  'count',
  'samples',
  'ns',
  'bytes',
  'ratio',
  'bci',
  'address',
  'date',
  'text',
  'parts',
  'list',
  'names',
  'states',
] as const;
export type Unit = (typeof UNITS)[number];

/** Digits that a number surely holds exactly. */
const EXACT_DIGITS = 15;

/**
 * A number with `places` decimals, rounded half away from zero in its shortest decimal form, and groups of three: as
 * `Intl.NumberFormat('en-US')` writes it, whose first use takes a fifth of the time of a small command.
 */
export function formatDecimal(value: number, places: number): string {
  const digits = String(Math.abs(value));
  if (digits.includes('e') && Math.abs(value) < 0.4 * 10 ** -places) return formatDecimal(value < 0 ? -0 : 0, places);
  if (!/^[\d.]+$/.test(digits)) return intl(value, places);
  const [whole = '', fraction = ''] = digits.split('.');
  let scaled = `${whole}${fraction.slice(0, places).padEnd(places, '0')}`;
  if (fraction.charCodeAt(places) >= 0x35) {
    if (scaled.length > EXACT_DIGITS) return intl(value, places);
    scaled = String(Number(scaled) + 1).padStart(places + 1, '0');
  }
  const end = scaled.length - places;
  const grouped = scaled.slice(0, end).replace(/\B(?=(?:\d{3})+$)/g, ',');
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  return places === 0 ? `${sign}${grouped}` : `${sign}${grouped}.${scaled.slice(end)}`;
}

/** Numbers with an exponent, or with more digits than a double holds; infinities. */
function intl(value: number, places: number): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: places, maximumFractionDigits: places });
}

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
      return value === Infinity ? 'Forever' : formatMillis(value / 1e6);
    case 'bytes':
      return formatBytes(value);
    case 'none':
      return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
    case 'address':
      return value < 0 || !Number.isInteger(value) ? String(value) : `0x${value.toString(16)}`;
    case 'date':
      return formatDate(value);
    case 'bci':
    case 'text':
    case 'parts':
    case 'list':
    case 'names':
    case 'states':
      return String(value);
  }
}

/** The same of an integer with more digits than a double: all of them, unless the unit rounds. */
export function formatInteger(value: bigint, unit: Unit): string {
  switch (unit) {
    case 'none':
      return String(value);
    case 'count':
    case 'samples':
      return value.toLocaleString('en-US');
    case 'address':
      return value < 0n ? String(value) : `0x${value.toString(16)}`;
    default:
      return formatValue(Number(value), unit);
  }
}

/** The most milliseconds that a date has, before and after 1970. */
const LAST_DATE = 8.64e15;

/** Milliseconds since 1970 as `2026-11-23T01:50:23.517Z`. */
function formatDate(value: number): string {
  return Math.abs(value) <= LAST_DATE ? new Date(value).toISOString() : String(value);
}

/** Half a nanosecond: less is no time. */
const SMALLEST_MILLIS = 5e-7;

/** Two places; below a hundredth, two digits: pauses of a few microseconds are not shown as none. */
function formatMillis(value: number): string {
  const size = Math.abs(value);
  const places = size >= SMALLEST_MILLIS && size < 0.01 ? Math.min(6, 1 - Math.floor(Math.log10(size))) : 2;
  return `${formatDecimal(value, places)} ms`;
}

/** A value that is known in steps of `resolution`, with one digit below that: `≈ 1,500,000 ms` for 1,499,800 in steps of 1,000,000. */
function formatRounded(value: number, unit: Unit, resolution: number): string {
  const step = resolution / 10;
  const rounded = Math.round(value / step) * step;
  const text = unit === 'ns' && step >= 1e6 ? `${formatDecimal(rounded / 1e6, 0)} ms` : formatValue(rounded, unit);
  return `≈ ${text}`;
}

/** Per cent with two places. Rare is not shown as never, nor nearly always as always. */
function formatRatio(value: number): string {
  const size = Math.abs(value);
  const sign = value < 0 ? '-' : '';
  if (size > 0 && size < 0.00005) return `${sign}<0.01 %`;
  if (size > 0.99995 && size < 1) return `${sign}>99.99 %`;
  return `${formatDecimal(value * 100, 2)} %`;
}

/** A whole number with groups of three; a fraction below 1,000 keeps two places. */
export function formatCount(value: number): string {
  // Adding 0 turns -0 into 0.
  return formatDecimal(value + 0, Number.isInteger(value) || Math.abs(value) >= 1000 ? 0 : 2);
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
  return `${unit === 0 ? formatDecimal(value, 0) : formatDecimal(value, 2)} ${units[unit] ?? ''}`;
}

/** `1 problem`, `2 problems`. */
export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : nouns}`;
}
