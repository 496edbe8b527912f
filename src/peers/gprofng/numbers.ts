/** Numbers as C prints them. */

/** `%.{digits}f`: the exact value of the double, ties to even. */
export function fixed(value: number, digits: number): string {
  const text = value.toFixed(digits);
  const scaled = Math.abs(value) * 10 ** digits;
  if (scaled % 1 !== 0.5) return text;
  const exact = value.toFixed(60);
  const rest = exact.slice(exact.indexOf('.') + 1 + digits);
  if (!/^50*$/.test(rest)) return text;
  const down = Math.floor(scaled);
  const even = down % 2 === 0 ? down : down + 1;
  return ((Math.sign(value) * even) / 10 ** digits).toFixed(digits);
}

/** Microseconds as seconds; `0.` for zero. */
export function seconds(micros: number): string {
  return micros === 0 ? '0.' : fixed(micros / 1e6, 3);
}

/** Nanoseconds as `sec.nnnnnnnnn`, exact. */
export function nanos(value: number): string {
  const whole = Math.floor(value / 1e9);
  return `${whole}.${String(value - whole * 1e9).padStart(9, '0')}`;
}

export function hex(value: number | bigint, width: number): string {
  return `0x${value.toString(16).padStart(width, '0')}`;
}

/** Where code is: `12:0x00001f40`. In front of the beginning is the end of the load object with the number before. */
export function addressText(object: number, start: number): string {
  const before = start < 0 ? 1 : 0;
  return `${(object - before) >>> 0}:${hex(start + before * 2 ** 32, 8)}`;
}

/** Lower in the alphabet of bytes, as `strcmp` has it. */
export function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Nanoseconds of a time of the log, `2.5` in seconds; 0 if it is missing. */
export function nanoseconds(text: string | undefined): number {
  const [, whole = '0', part = ''] = /^(\d+)(?:\.(\d{1,9}))?$/.exec(text ?? '') ?? [];
  return Number(whole) * 1e9 + Number(part.padEnd(9, '0'));
}
