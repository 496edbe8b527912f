/**
 * An overview of a deep flame graph beside it, at most one pixel row per level, with a frame around the visible part.
 * It is drawn once and copied for each frame.
 */
import { Int32Builder } from '../../src/base/columns/columns.js';
import { type Areas, paintLevel } from '../../src/pictures/flame/areas.js';
import type { FlameLayout, WidthWindow } from '../../src/pictures/flame/layout.js';
import type { FlamePicture } from '../../src/pictures/flame/picture.js';
import type { Size } from '../shared/canvas.js';
import type { Painter } from './painter.js';
import { PixelRows } from './pixel-rows.js';
import { MARK, marksOf } from './search/marks.js';
import { contentHeight, type Viewport } from './viewport.js';

export const MINIMAP_WIDTH = 88;
/** Levels are not stretched to more than this. */
const HIGHEST_LEVEL = 4;
/** Minimum size of the frame around the visible part, so that it can be seen and dragged. */
const SMALLEST_FRAME = 8;

/** Height of a level in the minimap, in CSS pixels; often less than one. */
export function levelHeight(picture: FlamePicture, size: Size): number {
  return Math.min(HIGHEST_LEVEL, size.height / picture.depth);
}

/** What an overview is drawn from. */
export interface OverviewScene {
  readonly picture: FlamePicture;
  readonly layout: FlameLayout;
  readonly areas: Areas;
  readonly matches: Int32Array | undefined;
  readonly size: Size;
  readonly ratio: number;
  readonly painter: Painter;
}

/**
 * The overview, drawn in steps: a row of pixels is the mean of the levels in it, and each of its pixels the mean of what it
 * covers (src/pictures/flame/areas.ts). Then matches smaller than a pixel get marks, at most one in a square of cells.
 */
export class Overview {
  readonly rows = new PixelRows();
  #next = 0;
  #level = new Int32Array();
  #sums = new Uint32Array();
  /** Pixels at which marks begin. */
  readonly #marks = new Int32Builder();
  /** For each cell across the row from which on it may have another mark. */
  #free = new Int32Array();

  /** Begins again. */
  clear(size: Size, ratio: number, background: number): void {
    this.rows.resize(Math.round(MINIMAP_WIDTH * ratio), Math.max(1, Math.round(size.height * ratio)), background);
    this.#next = 0;
    this.#level = new Int32Array(this.rows.width);
    this.#sums = new Uint32Array(3 * this.rows.width);
    this.#marks.length = 0;
    this.#free = new Int32Array(Math.ceil(MINIMAP_WIDTH / MARK.cell));
  }

  /** Draws rows until `deadline` (of `performance.now()`); true when all are drawn. */
  draw(scene: OverviewScene, deadline: number): boolean {
    const { picture, layout, areas, size, ratio, painter } = scene;
    const { width, height } = this.rows;
    const perRow = 1 / (levelHeight(picture, size) * ratio);
    const end = Math.ceil(picture.depth / perRow);
    const window = { from: 0, scale: layout.width[0] > 0 ? width / layout.width[0] : 0, pixels: width };
    for (; this.#next < height; this.#next++) {
      if (performance.now() > deadline) return false;
      if (this.#next >= end) {
        this.rows.clearRow(this.#next, areas.background);
        continue;
      }
      const first = Math.min(picture.depth - 1, Math.floor(this.#next * perRow));
      const last = Math.min(picture.depth, Math.max(first + 1, Math.floor((this.#next + 1) * perRow)));
      this.#drawRow(layout, areas, window, first, last);
      for (let depth = first; depth < last; depth++) this.#findMarks(scene, depth, window);
    }
    this.#drawMarks(painter.match, Math.round(MARK.width * ratio));
    return true;
  }

  #findMarks({ picture, layout, matches, size, ratio }: OverviewScene, depth: number, window: WidthWindow): void {
    if (matches === undefined) return;
    const narrow = ratio / Math.min(1, levelHeight(picture, size));
    const cell = MARK.cell * ratio;
    marksOf(layout, matches, depth, window, cell, narrow, (left) => {
      const at = Math.floor(left / cell);
      if (this.#next < this.#free[at]) return;
      this.#free[at] = (Math.floor(this.#next / cell) + 1) * cell;
      this.#marks.push(this.#next * window.pixels + Math.floor(left));
    });
  }

  #drawMarks(match: number, side: number): void {
    const { pixels, width } = this.rows;
    for (const at of this.#marks.finish()) {
      const end = Math.min(at + side, (Math.floor(at / width) + 1) * width);
      for (let row = 0; row < side; row++) pixels.fill(match, at + row * width, end + row * width);
    }
  }

  #drawRow(layout: FlameLayout, areas: Areas, window: WidthWindow, first: number, last: number): void {
    const level = this.#level;
    const sums = this.#sums.fill(0);
    for (let depth = first; depth < last; depth++) {
      level.fill(areas.background);
      paintLevel(areas, layout, depth, window, level, 0, (place, start, stop) =>
        level.fill(areas.pixels[place], start, stop),
      );
      for (let at = 0; at < level.length; at++)
        for (let channel = 0; channel < 3; channel++) sums[3 * at + channel] += (level[at] >>> (8 * channel)) & 255;
    }
    const of = (sum: number): number => Math.round(sum / (last - first));
    const to = this.#next * level.length;
    for (let at = 0; at < level.length; at++)
      this.rows.pixels[to + at] =
        -0x1000000 | of(sums[3 * at]) | (of(sums[3 * at + 1]) << 8) | (of(sums[3 * at + 2]) << 16);
  }
}

export interface MinimapFrame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The frame around the visible part, in CSS pixels of the minimap. */
export function frameOf(picture: FlamePicture, layout: FlameLayout, viewport: Viewport, size: Size): MinimapFrame {
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
  frame: MinimapFrame,
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
