/**
 * Numbers of unknown meaning: in unknown sections, under unknown keys, in invalid entries. Any of them may be the id of
 * a type or a method.
 */
import type { IprofResidue } from '../residue.js';

const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
/** Ids are 32-bit integers. */
const MOST_DIGITS = 10;

/** Time: one pass over the parts kept as bytes. */
export function namedNumbers(residue: IprofResidue): ReadonlySet<number> {
  const numbers = new Set<number>();
  for (const { kind, raw } of residue.sections) if (kind === 'unknown' && raw !== undefined) collect(raw, numbers);
  const { verbatim, sections } = residue;
  for (let i = 0; i < verbatim.length; i++) {
    const kind = sections[verbatim.section[i]]?.kind;
    // A type or method with unknown keys has its own id among its numbers: it would keep itself.
    if (verbatim.replaces[i] === 1 && (kind === 'types' || kind === 'methods')) continue;
    collect(verbatim.bytes.subarray(verbatim.start[i], verbatim.start[i + 1]), numbers);
  }
  return numbers;
}

function collect(bytes: Uint8Array, numbers: Set<number>): void {
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] < ZERO || bytes[at] > NINE) continue;
    const negative = at > 0 && bytes[at - 1] === MINUS;
    const start = at;
    let value = 0;
    for (; at < bytes.length && bytes[at] >= ZERO && bytes[at] <= NINE; at++) value = value * 10 + bytes[at] - ZERO;
    if (at - start <= MOST_DIGITS) numbers.add(negative ? -value : value);
  }
}
