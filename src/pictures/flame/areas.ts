/**
 * The pixels of a level. Each is the mean of what it covers, boxes and background alike, so a stretch of boxes too narrow
 * to see is as pale as the share of it that has none: nothing gets wider by being drawn.
 *
 *   boxes     ████████▌ ▖▗▐ ▖   █        (any number in one column of pixels)
 *   pixels    ██████▓▒▒░   ▓
 *
 * The means come from sums over the places of the layout, by binary search: a column costs the same whether it covers two
 * boxes or a million. Memory: 36 bytes a node.
 */
import { lowerBoundNear } from '../../base/columns/search.js';
import { type FlameLayout, firstReaching, type WidthWindow } from './layout.js';

export interface Areas {
  /** Colour of each place, as a pixel. */
  readonly pixels: Int32Array;
  /**
   * Four numbers a place, next to each other since they are read together: the sum over earlier places of
   * width × (colour − background) for red, green and blue; and its width.
   */
  readonly sums: Float64Array;
  readonly background: number;
}

/** Pixels as in `ImageData` on little-endian machines: red, green and blue from the lowest byte on, then opacity. Signed, since engines handle such numbers fastest. */
const OPAQUE = -0x1000000;

/** `colour`: the pixel of a place. `reused` gives its memory to the result. */
export function areasOf(
  layout: FlameLayout,
  colour: (place: number) => number,
  background: number,
  reused?: Areas,
): Areas {
  const { length } = layout.order;
  const pixels = reused?.pixels.length === length ? reused.pixels : new Int32Array(length);
  const sums = reused?.pixels.length === length ? reused.sums : new Float64Array(4 * (length + 1));
  const [low, middle, high] = [background & 255, (background >> 8) & 255, (background >> 16) & 255];
  let [a, b, c] = [0, 0, 0];
  for (let place = 0; place < length; place++) {
    const pixel = colour(place);
    const width = layout.width[place];
    pixels[place] = pixel;
    a += width * ((pixel & 255) - low);
    b += width * (((pixel >> 8) & 255) - middle);
    c += width * (((pixel >> 16) & 255) - high);
    const at = 4 * place;
    sums[at + 3] = width;
    sums[at + 4] = a;
    sums[at + 5] = b;
    sums[at + 6] = c;
  }
  return { pixels, sums, background };
}

/** Receives a box that fills the columns from `start` to before `stop`; its edges are `left` and `right`, in pixels. */
export type BarReceiver = (place: number, start: number, stop: number, left: number, right: number) => void;

/**
 * Writes the pixels of a level to `target`, from index `offset` on, `window.pixels` of them. Whole columns of one box go
 * to `bar` instead. Columns without boxes are left as they are.
 */
export function paintLevel(
  areas: Areas,
  layout: FlameLayout,
  depth: number,
  window: WidthWindow,
  target: Int32Array,
  offset: number,
  bar: BarReceiver,
): void {
  const { x, levels } = layout;
  const { from, scale, pixels: columns } = window;
  const { sums } = areas;
  const end = levels[depth + 1];
  let place = firstReaching(layout, depth, from);
  let column = 0;
  while (place < end && column < columns) {
    const left = (x[place] - from) * scale;
    if (left >= columns) return;
    if (left >= column + 1) column = Math.floor(left);
    const wide = sums[4 * place + 3] * scale;
    if (left <= column && left + wide >= column + 1) {
      const stop = Math.min(columns, Math.floor(left + wide));
      bar(place, column, stop, left, left + wide);
      column = stop;
      if (left + wide <= column) place++;
      continue;
    }
    const next = lowerBoundNear(x, from + (column + 1) / scale, place + 1, end);
    const last = next - 1;
    const leftOfLast = (x[last] - from) * scale;
    const wideLast = sums[4 * last + 3] * scale;
    // Rounded edges may lie just outside of the column, those of boxes without a width, too.
    const before = left < column && wide > 0 ? Math.min(1, (column - left) / wide) : 0;
    const isCut = wideLast > 0 && leftOfLast + wideLast > column + 1;
    const inside = isCut ? Math.max(0, (column + 1 - leftOfLast) / wideLast) : 1;
    target[offset + column] = mean(areas, place, before, last, inside, scale);
    column++;
    place = inside < 1 ? last : next;
  }
}

/** Mean of a pixel with the boxes `first` to `last`, but for the part `before` of the first, and with `inside` of the last. */
function mean(
  { sums, background }: Areas,
  first: number,
  before: number,
  last: number,
  inside: number,
  scale: number,
): number {
  const a = 4 * first;
  const b = 4 * last;
  const red = sums[b] + inside * (sums[b + 4] - sums[b]) - (sums[a] + before * (sums[a + 4] - sums[a]));
  const green =
    sums[b + 1] + inside * (sums[b + 5] - sums[b + 1]) - (sums[a + 1] + before * (sums[a + 5] - sums[a + 1]));
  const blue =
    sums[b + 2] + inside * (sums[b + 6] - sums[b + 2]) - (sums[a + 2] + before * (sums[a + 6] - sums[a + 2]));
  const low = channel((background & 255) + red * scale);
  const middle = channel(((background >> 8) & 255) + green * scale);
  return OPAQUE | low | (middle << 8) | (channel(((background >> 16) & 255) + blue * scale) << 16);
}

/** Rounded, within a byte. */
function channel(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0;
}
