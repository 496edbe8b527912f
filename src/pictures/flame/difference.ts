/** The difference of a node of a flame graph from the base. */
import { formatValue } from '../../base/units.js';
import { type FlamePicture, valueText } from './picture.js';

export type ValueChange = 'new' | 'vanished' | 'more' | 'less' | 'equal';

export interface Difference {
  readonly change: ValueChange;
  readonly now: number;
  readonly base: number;
  readonly delta: number;
  /** The difference as a part of the larger of the two values: -1 vanished, 1 new. */
  readonly part: number;
}

/** The difference of the totals; all zero without a base. */
export function difference(picture: FlamePicture, node: number): Difference {
  const now = picture.total[node];
  const base = picture.base?.total[node] ?? now;
  const delta = now - base;
  const larger = Math.max(Math.abs(now), Math.abs(base));
  const part = larger === 0 ? 0 : Math.max(-1, Math.min(1, delta / larger));
  return { change: changeOf(now, base), now, base, delta, part };
}

/** Sums of scaled values differ by rounding, as parts of themselves. */
const ROUNDING = 1e-12;

function changeOf(now: number, base: number): ValueChange {
  if (Math.abs(now - base) <= ROUNDING * Math.abs(base)) return 'equal';
  if (base === 0) return 'new';
  if (now === 0) return 'vanished';
  return now > base ? 'more' : 'less';
}

/** `+1,234 (+12.34 %)`, `new`, `vanished`, `no difference`. */
export function differenceText(picture: FlamePicture, node: number): string {
  const { change, base, delta } = difference(picture, node);
  if (change === 'equal') return 'no difference';
  const value = signed(delta, valueText(picture, Math.abs(delta)));
  if (change === 'new') return `${value} (new)`;
  if (change === 'vanished') return `${value} (vanished)`;
  return `${value} (${signed(delta, formatValue(Math.abs(delta / base), 'ratio'))})`;
}

function signed(value: number, text: string): string {
  return `${value < 0 ? '\u2212' : '+'}${text}`;
}

/** The mark before the name in a box of a comparison: the difference, '' if there is none. */
export function differenceMark(picture: FlamePicture, node: number): string {
  const { change, delta, base } = difference(picture, node);
  if (change === 'equal') return '';
  if (change === 'new' || change === 'vanished') return `${change}: `;
  const percent = Math.abs(delta / base) * 100;
  const shown = percent >= 1000 ? '>999' : percent.toFixed(percent < 10 ? 1 : 0);
  return `${signed(delta, shown)} % `;
}
