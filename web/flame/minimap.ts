/**
 * An overview of a deep flame graph beside it, at most one pixel row per level, with a frame around the visible part.
 * It is drawn once and copied for each frame.
 */
import { type FlameLayout, spans } from '../../src/views/flame/layout.js';
import type { FlamePicture } from '../../src/views/flame/picture.js';
import type { Painter } from './painter.js';
import type { PixelRows } from './pixel-rows.js';
import { contentHeight, type Size, type Viewport } from './viewport.js';

export const MINIMAP_WIDTH = 88;
/** Levels are not stretched to more than this. */
const HIGHEST_LEVEL = 4;
/** Minimum size of the frame around the visible part, so that it can be seen and dragged. */
const SMALLEST_FRAME = 8;

/** Height of a level in the minimap, in CSS pixels; often less than one. */
export function levelHeight(picture: FlamePicture, size: Size): number {
  return Math.min(HIGHEST_LEVEL, size.height / picture.depth);
}

/** Draws the overview, to be copied: one row of pixels per pixel of height. */
export function drawWhole(
  rows: PixelRows,
  picture: FlamePicture,
  layout: FlameLayout,
  painter: Painter,
  size: Size,
  ratio: number,
): void {
  const width = Math.round(MINIMAP_WIDTH * ratio);
  const count = Math.max(1, Math.round(size.height * ratio));
  rows.clear(width, count, painter.background);
  const height = levelHeight(picture, size) * ratio;
  const window = { from: 0, scale: layout.width[0] > 0 ? width / layout.width[0] : 0, pixels: width };
  for (let row = 0; row < Math.min(count, Math.ceil(picture.depth * height)); row++) {
    const depth = Math.min(picture.depth - 1, Math.floor(row / height));
    spans(
      layout,
      depth,
      window,
      (first, last, left, right) => {
        const colour = first === last ? painter.box(layout.order[first], false) : painter.merged(false);
        rows.bar(row, left, right, colour);
      },
      1,
    );
  }
}

export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The frame around the visible part, in CSS pixels of the minimap. */
export function frameOf(picture: FlamePicture, layout: FlameLayout, viewport: Viewport, size: Size): Frame {
  const scale = MINIMAP_WIDTH / (layout.width[0] || 1);
  const shrunk = (levelHeight(picture, size) * picture.depth) / contentHeight(picture);
  const width = Math.min(MINIMAP_WIDTH, Math.max(SMALLEST_FRAME, (viewport.to - viewport.from) * scale));
  const height = Math.max(SMALLEST_FRAME, Math.min(size.height, contentHeight(picture)) * shrunk);
  return {
    x: Math.min(MINIMAP_WIDTH - width, viewport.from * scale),
    y: Math.max(0, Math.min(size.height - height, viewport.scroll * shrunk)),
    width,
    height,
  };
}

/** The scroll offset and first unit that center the visible part at a point of the minimap. */
export function pointed(
  picture: FlamePicture,
  layout: FlameLayout,
  viewport: Viewport,
  size: Size,
  x: number,
  y: number,
): { readonly scroll: number; readonly from: number } {
  const shrunk = (levelHeight(picture, size) * picture.depth) / contentHeight(picture);
  return {
    scroll: y / shrunk - size.height / 2,
    from: (x / MINIMAP_WIDTH) * layout.width[0] - (viewport.to - viewport.from) / 2,
  };
}

export function drawMinimap(
  context: CanvasRenderingContext2D,
  whole: PixelRows,
  frame: Frame,
  painter: Painter,
  ratio: number,
): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  whole.copyTo(context, 0, 1);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.strokeStyle = painter.theme.focus;
  context.lineWidth = 2;
  context.strokeRect(frame.x + 1, frame.y + 1, frame.width - 2, frame.height - 2);
}
