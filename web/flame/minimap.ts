/**
 * The whole of a deep flame graph beside it, a level a pixel row or less, with a frame around what is seen. The whole is
 * drawn once, a frame copies it.
 */
import { type FlameLayout, spans } from '../../src/views/flame/layout.js';
import type { FlamePicture } from '../../src/views/flame/picture.js';
import type { Painter } from './painter.js';
import { contentHeight, type Size, type Viewport } from './viewport.js';

export const MINIMAP_WIDTH = 88;
/** Levels are not stretched to more than this. */
const HIGHEST_LEVEL = 4;
/** The frame around what is seen is at least as large in both directions, so that it can be seen and held. */
const SMALLEST_FRAME = 8;

/** Height of a level in the minimap, in CSS pixels; often less than one. */
export function levelHeight(picture: FlamePicture, size: Size): number {
  return Math.min(HIGHEST_LEVEL, size.height / picture.depth);
}

/** The whole as a picture, to be copied. */
export function drawWhole(
  canvas: HTMLCanvasElement,
  picture: FlamePicture,
  layout: FlameLayout,
  painter: Painter,
  size: Size,
  ratio: number,
): void {
  canvas.width = Math.round(MINIMAP_WIDTH * ratio);
  canvas.height = Math.round(size.height * ratio);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.fillStyle = painter.theme.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const height = levelHeight(picture, size) * ratio;
  const rows = Math.min(canvas.height, Math.ceil(picture.depth * height));
  const window = { from: 0, scale: canvas.width / (layout.width[0] || 1), pixels: canvas.width };
  const step = Math.max(1, Math.floor(height));
  for (let y = 0; y < rows; y += step) {
    const depth = Math.min(picture.depth - 1, Math.floor(y / height));
    spans(
      layout,
      depth,
      window,
      (first, last, left, right) => {
        context.fillStyle = first === last ? painter.colour(layout.order[first]) : painter.theme.merged;
        context.fillRect(left, y, Math.max(right - left, 1), step);
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

/** The frame around what is seen, in CSS pixels of the minimap. */
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

/** The scroll offset and first unit that put the middle of what is seen under a point of the minimap. */
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
  whole: HTMLCanvasElement,
  frame: Frame,
  painter: Painter,
  size: Size,
): void {
  context.drawImage(whole, 0, 0, MINIMAP_WIDTH, size.height);
  context.strokeStyle = painter.theme.focus;
  context.lineWidth = 2;
  context.strokeRect(frame.x + 1, frame.y + 1, frame.width - 2, frame.height - 2);
}
