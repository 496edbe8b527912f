/**
 * The boxes of a flame graph without zoom: an offset and a width for each node in units of the metric, in columns of
 * places. A place is a node's position in its level from left to right; places of a level are consecutive.
 *
 *   place   0                           x[place], width[place]
 *           1        2                  order[place] = node, placeOf[node] = place
 *           3  4     5
 *
 * Widths of children never add up to more than their parent's. The width of a node is its own part plus its children;
 * its own part is the excess of its total over theirs (at least 0, even in damaged recordings). With a base, the own
 * part is that of the larger of the two, so vanished nodes have room, too.
 *
 * `layout` is O(nodes); `spans` costs a few steps for each covered pixel, independent of the number of nodes.
 */
import { lowerBoundNear } from '../../base/columns/search.js';
import type { FlamePicture } from './picture.js';

export const SIBLING_ORDERS = ['name', 'weight'] as const;
/** By name from left to right, or the heaviest first. */
export type SiblingOrder = (typeof SIBLING_ORDERS)[number];

export interface FlameLayout {
  readonly order: Int32Array;
  /** Children of the node at a place: children[place] ≤ place of child < children[place + 1]. */
  readonly children: Int32Array;
  readonly placeOf: Int32Array;
  readonly x: Float64Array;
  readonly width: Float64Array;
  /** Places of depth d: levels[d] ≤ place < levels[d + 1]. */
  readonly levels: Int32Array;
}

export function layout(picture: FlamePicture, siblings: SiblingOrder): FlameLayout {
  const { length, first, levels } = picture;
  const weight = weights(picture);
  const order = new Int32Array(length);
  const children = new Int32Array(length + 1);
  const placeOf = new Int32Array(length);
  const x = new Float64Array(length);
  const width = new Float64Array(length);
  width[0] = weight[0];
  let next = 1;
  for (let place = 0; place < length; place++) {
    const node = order[place];
    const from = next;
    children[place] = from;
    for (let child = first[node]; child < first[node + 1]; child++) order[next++] = child;
    if (siblings === 'weight' && picture.start === undefined && next - from > 1)
      order.subarray(from, next).sort((a, b) => weight[b] - weight[a] || a - b);
    let left = x[place];
    for (let at = from; at < next; at++) {
      placeOf[order[at]] = at;
      x[at] = picture.start?.[order[at]] ?? left;
      width[at] = weight[order[at]];
      left += width[at];
    }
  }
  children[length] = length;
  return { order, children, placeOf, x, width, levels };
}

/** The weight of each node: its own part and those of all nodes below it. */
function weights(picture: FlamePicture): Float64Array {
  const own = ownParts(picture, picture.total);
  if (picture.base !== undefined) {
    const ofBase = ownParts(picture, picture.base.total);
    for (let node = 0; node < own.length; node++) own[node] = Math.max(own[node], ofBase[node]);
  }
  for (let node = own.length - 1; node > 0; node--) own[picture.parent[node]] += own[node];
  return own;
}

function ownParts(picture: FlamePicture, total: Float64Array): Float64Array {
  const own = total.slice();
  for (let node = own.length - 1; node > 0; node--) own[picture.parent[node]] -= total[node];
  for (let node = 0; node < own.length; node++) own[node] = Math.max(0, own[node]);
  return own;
}

/** The visible part of the width: from unit `from` on, `scale` pixels a unit, `pixels` total. */
export interface WidthWindow {
  readonly from: number;
  readonly scale: number;
  readonly pixels: number;
}

/**
 * Receives places `first` to `last`, drawn as one box from pixel `left` to `right`; the ends may be outside of the
 * window.
 */
export type SpanReceiver = (first: number, last: number, left: number, right: number) => void;

/** Narrower boxes (in pixels) are not drawn one by one, and the keyboard passes over them. */
export const NARROWEST = 0.5;

/**
 * Calls `receive` for each box of depth `depth` in the window, from left to right: one for each node at least
 * `narrowest` pixels wide, and one for each run of narrower nodes with smaller gaps between them.
 *
 * Of the nodes that begin in a cell all but the last are narrower than it, so a binary search for the next cell's first
 * node leaves no wide one out.
 */
export function spans(layout: FlameLayout, depth: number, window: WidthWindow, receive: SpanReceiver): void {
  const { x, width, levels } = layout;
  const { from, scale, pixels } = window;
  const end = levels[depth + 1];
  let place = firstReaching(layout, depth, from);
  while (place < end) {
    const left = (x[place] - from) * scale;
    if (left >= pixels) return;
    const right = left + width[place] * scale;
    if (right - left >= NARROWEST) {
      receive(place, place, left, right);
      place++;
      continue;
    }
    const cell = from + ((Math.floor(left / NARROWEST) + 1) * NARROWEST) / scale;
    // At least one step: a cell may be too narrow for the precision of these numbers.
    const next = Math.max(place + 1, lowerBoundNear(x, cell, place + 1, end));
    const last = next - 1;
    // A node before the last one may be wide only if cells are too narrow for the precision of these numbers.
    const behind = last > place && width[last] * scale >= NARROWEST ? last : next;
    receive(place, behind - 1, left, (x[behind - 1] + width[behind - 1] - from) * scale);
    place = behind;
  }
}

/** First place of a level that ends after unit `from`. Nodes of width 0 end where they begin. */
export function firstReaching(layout: FlameLayout, depth: number, from: number): number {
  const { x, width, levels } = layout;
  const place = lowerBoundNear(x, from, levels[depth], levels[depth + 1]);
  return place > levels[depth] && x[place - 1] + width[place - 1] > from ? place - 1 : place;
}

/** The place at unit `at` of a level, -1 if there is none. */
export function placeAt(layout: FlameLayout, depth: number, at: number): number {
  const { x, width, levels } = layout;
  if (depth < 0 || depth >= levels.length - 1) return -1;
  // If nodes of width 0 begin at the same position as a wider one, the wider one is the last.
  let place = lowerBoundNear(x, at, levels[depth], levels[depth + 1]);
  while (place + 1 < levels[depth + 1] && x[place + 1] === at) place++;
  if (place >= levels[depth + 1] || x[place] > at) place--;
  return place >= levels[depth] && at >= x[place] && at < x[place] + width[place] ? place : -1;
}
