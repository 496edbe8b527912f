/** The target of the pointer: a box, or the boxes around it that are too narrow to draw separately. */
import { lowerBoundNear } from '../../base/columns/search.js';
import { type FlameLayout, firstReaching, placeAt, type WidthWindow } from './layout.js';

/** Places `first` to `last` of a level, adjacent on the screen. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** Boxes at least this wide, in pixels, are pointed at one by one. */
const POINTED = 1;
/** A stretch reaches at most this far to either side of the pointer, in pixels. */
const REACH = 4;

/**
 * The box at pixel `at` of a level if it is wide enough; else all narrower ones up to `REACH` pixels to the left and right,
 * as far as neither a wide box nor a gap of a pixel is between; undefined where no box is within a pixel.
 */
export function stretchAt(layout: FlameLayout, depth: number, window: WidthWindow, at: number): Stretch | undefined {
  const { x, width, levels } = layout;
  const { from, scale } = window;
  if (!(scale > 0) || depth < 0 || depth >= levels.length - 1) return undefined;
  const place = placeAt(layout, depth, from + at / scale);
  if (place >= 0 && width[place] * scale >= POINTED) return { first: place, last: place };
  const left = (of: number): number => (x[of] - from) * scale;
  const right = (of: number): number => left(of) + width[of] * scale;
  const isNarrow = (of: number): boolean => width[of] * scale < POINTED;
  let first = place;
  if (first < 0) {
    // Beside the pointer, in the same pixel: a box too narrow to be hit.
    const next = Math.min(
      lowerBoundNear(x, from + at / scale, levels[depth], levels[depth + 1]),
      levels[depth + 1] - 1,
    );
    const isNear = (of: number): boolean =>
      of >= levels[depth] && isNarrow(of) && left(of) - at < POINTED && at - right(of) < POINTED;
    first = isNear(next) ? next : next - 1;
    if (!isNear(first)) return undefined;
  }
  let last = first;
  const start = firstReaching(layout, depth, from + (at - REACH) / scale);
  while (first > start && isNarrow(first - 1) && left(first) - right(first - 1) < POINTED) first--;
  while (
    last + 1 < levels[depth + 1] &&
    left(last + 1) < at + REACH &&
    isNarrow(last + 1) &&
    left(last + 1) - right(last) < POINTED
  )
    last++;
  return { first, last };
}

/** The place of the largest width in a stretch; the first of several. */
export function heaviestOf({ width }: FlameLayout, { first, last }: Stretch): number {
  let heaviest = first;
  for (let place = first + 1; place <= last; place++) if (width[place] > width[heaviest]) heaviest = place;
  return heaviest;
}
