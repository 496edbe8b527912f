/** Keyboard navigation of a flame graph: from box to box, among the visible ones. Pure functions of nodes. */
import { type FlameLayout, NARROWEST, type WidthWindow } from '../../src/pictures/flame/layout.js';
import type { FlamePicture } from '../../src/pictures/flame/picture.js';

/** Levels that Page Up and Page Down skip. */
const PAGE = 10;

export const WALK_KEYS = [
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'Home',
  'End',
  'PageUp',
  'PageDown',
] as const;
export type WalkKey = (typeof WALK_KEYS)[number];

/** Whether a place is wide enough to be drawn, and in the window. */
export function isSeen(layout: FlameLayout, window: WidthWindow, place: number): boolean {
  const left = (layout.x[place] - window.from) * window.scale;
  const right = left + layout.width[place] * window.scale;
  return right - left >= NARROWEST && right > 0 && left < window.pixels;
}

/** The target of a key from a node; the node itself if there is none. */
export function walk(
  picture: FlamePicture,
  layout: FlameLayout,
  window: WidthWindow,
  node: number,
  key: WalkKey,
): number {
  const place = layout.placeOf[node];
  switch (key) {
    case 'ArrowUp':
      return Math.max(0, picture.parent[node]);
    case 'ArrowDown':
      return widestChild(layout, window, node);
    case 'ArrowLeft':
      return firstSeen(layout, window, place - 1, siblings(picture, layout, node).from - 1, -1) ?? node;
    case 'ArrowRight':
      return firstSeen(layout, window, place + 1, siblings(picture, layout, node).to, 1) ?? node;
    case 'Home':
      return firstSeen(layout, window, siblings(picture, layout, node).from, place, 1) ?? node;
    case 'End':
      return firstSeen(layout, window, siblings(picture, layout, node).to - 1, place, -1) ?? node;
    case 'PageUp':
      return repeated(node, (at) => Math.max(0, picture.parent[at]));
    case 'PageDown':
      return repeated(node, (at) => widestChild(layout, window, at));
  }
}

/** Children that cannot be reached because they are too narrow. */
export function hiddenChildren(layout: FlameLayout, window: WidthWindow, node: number): number {
  const place = layout.placeOf[node];
  let hidden = 0;
  for (let child = layout.children[place]; child < layout.children[place + 1]; child++)
    if (!isSeen(layout, window, child)) hidden++;
  return hidden;
}

function repeated(node: number, step: (node: number) => number): number {
  let at = node;
  for (let i = 0; i < PAGE; i++) at = step(at);
  return at;
}

function siblings(picture: FlamePicture, layout: FlameLayout, node: number): { from: number; to: number } {
  const parent = picture.parent[node];
  if (parent < 0) return { from: 0, to: 1 };
  const place = layout.placeOf[parent];
  return { from: layout.children[place], to: layout.children[place + 1] };
}

/** The node at the first visible place, from `from` on towards `end` (not included). */
function firstSeen(
  layout: FlameLayout,
  window: WidthWindow,
  from: number,
  end: number,
  step: 1 | -1,
): number | undefined {
  for (let place = from; (end - place) * step > 0; place += step)
    if (isSeen(layout, window, place)) return layout.order[place];
  return undefined;
}

/** The first of the widest children; the node itself if none is wide enough. */
function widestChild(layout: FlameLayout, window: WidthWindow, node: number): number {
  const place = layout.placeOf[node];
  let widest = -1;
  for (let child = layout.children[place]; child < layout.children[place + 1]; child++)
    if (isSeen(layout, window, child) && (widest < 0 || layout.width[child] > layout.width[widest])) widest = child;
  return widest < 0 ? node : layout.order[widest];
}
