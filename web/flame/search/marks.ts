/**
 * Marks of matches that are too narrow to see. Their share of a pixel is drawn as it is, which may be next to nothing; a mark
 * at the foot of the level says that there is one.
 *
 *   level    ░░░░░░░░░░░░▒▒▒▒▒▒▒▒░░░░░░░░░
 *   marks        ▂         ▂  ▂               at most one in each cell, so that many matches do not look like more
 *
 * Cells begin at unit 0, not at the edge of the window: marks do not jump while the view moves.
 */
import { lowerBoundNear } from '../../../src/base/columns/search.js';
import { type FlameLayout, firstReaching, type WidthWindow } from '../../../src/pictures/flame/layout.js';

/** In CSS pixels: a mark, and the cell that has at most one. */
export const MARK = { width: 2, height: 4, cell: 12 } as const;

/**
 * Calls `receive` with the left edges, in pixels of the window, of the first match narrower than `narrow` pixels in each cell
 * of a level. `matches`: for each place the matches before it. Costs a few searches a mark, whatever the number of nodes.
 */
export function marksOf(
  layout: FlameLayout,
  matches: Int32Array,
  depth: number,
  window: WidthWindow,
  cell: number,
  narrow: number,
  receive: (left: number) => void,
): void {
  const { x, width, levels } = layout;
  const { from, scale, pixels } = window;
  if (!(scale > 0)) return;
  const end = levels[depth + 1];
  const units = cell / scale;
  let place = nextMatched(matches, firstReaching(layout, depth, from), end);
  while (place < end) {
    const left = (x[place] - from) * scale;
    if (left >= pixels) return;
    let next = place + 1;
    if (width[place] * scale < narrow) {
      receive(Math.max(0, left));
      next = lowerBoundNear(x, (Math.floor(x[place] / units) + 1) * units, next, end);
    }
    place = nextMatched(matches, next, end);
  }
}

/** The first match at a place from `from` on, `end` if there is none before it; searched in growing steps. */
export function nextMatched(matches: Int32Array, from: number, end: number): number {
  const before = matches[from];
  let low = from;
  let high = from;
  for (let step = 1; high < end && matches[high + 1] === before; step *= 2) {
    low = high + 1;
    high = Math.min(end, high + step);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (matches[middle + 1] === before) low = middle + 1;
    else high = middle;
  }
  return low;
}
