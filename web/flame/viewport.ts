/** The visible part of a flame graph, and its changes: zoom, pan, scroll. Pure. */
import type { FlameLayout, WidthWindow } from '../../src/pictures/flame/layout.js';
import { depthOf, type FlamePicture } from '../../src/pictures/flame/picture.js';
import type { Size } from '../shared/canvas.js';

/** Height of a level in CSS pixels. */
export const ROW = 19;

export interface Viewport {
  /** Units of the metric at the left and the right edge. */
  readonly from: number;
  readonly to: number;
  /** CSS pixels above the upper edge. */
  readonly scroll: number;
  /** The node that was zoomed to, 0 if everything is visible. */
  readonly zoomed: number;
}

export function whole(layout: FlameLayout): Viewport {
  return { from: 0, to: layout.width[0], scroll: 0, zoomed: 0 };
}

export function windowOf(viewport: Viewport, size: Size): WidthWindow {
  const span = viewport.to - viewport.from;
  return { from: viewport.from, scale: span > 0 ? size.width / span : 0, pixels: size.width };
}

export function contentHeight(picture: FlamePicture): number {
  return picture.depth * ROW;
}

/** The node over the whole width, with a few of its ancestors above it. A node without width is ignored. */
export function zoomTo(picture: FlamePicture, layout: FlameLayout, node: number, size: Size, now: Viewport): Viewport {
  const place = layout.placeOf[node];
  const from = layout.x[place];
  const to = from + layout.width[place];
  if (!(to > from)) return now;
  const zoomed = { ...now, from, to, zoomed: node };
  return scrolledTo(zoomed, picture, depthOf(picture, node), size);
}

/** Scrolls as little as possible to make the level visible, with two more levels on either side if any. */
export function scrolledTo(viewport: Viewport, picture: FlamePicture, depth: number, size: Size): Viewport {
  const margin = Math.min(2 * ROW, Math.max(0, (size.height - ROW) / 2));
  const top = depth * ROW - margin;
  const bottom = (depth + 1) * ROW + margin;
  const scroll = Math.max(Math.min(viewport.scroll, top), bottom - size.height);
  return scrolled(viewport, picture, scroll, size);
}

export function scrolled(viewport: Viewport, picture: FlamePicture, scroll: number, size: Size): Viewport {
  const most = Math.max(0, contentHeight(picture) - size.height);
  return { ...viewport, scroll: Math.min(most, Math.max(0, scroll)) };
}

/** Highest zoom at which doubles distinguish pixels. */
const DEEPEST_ZOOM = 1e-12;

/** Moves and stretches the visible width; `zoomed` becomes the nearest node above that still holds all of it. */
export function panned(
  viewport: Viewport,
  picture: FlamePicture,
  layout: FlameLayout,
  from: number,
  span: number,
): Viewport {
  const all = layout.width[0];
  const width = Math.min(all, Math.max(span, all * DEEPEST_ZOOM));
  const start = Math.min(all - width, Math.max(0, from));
  let { zoomed } = viewport;
  const holds = (node: number): boolean => {
    const place = layout.placeOf[node];
    return layout.x[place] <= start && layout.x[place] + layout.width[place] >= start + width;
  };
  while (zoomed > 0 && !holds(zoomed)) zoomed = picture.parent[zoomed];
  return { ...viewport, from: start, to: start + width, zoomed };
}
