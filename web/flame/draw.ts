/**
 * Draws the visible part of a flame graph: first all boxes as pixels, then their labels, as much per frame as time allows.
 * Cost: the levels in the window times the columns of pixels, whatever the number of nodes. A frame allocates only the
 * texts of labels.
 */
import { Float64Builder, Int32Builder } from '../../src/base/columns/columns.js';
import { type Areas, paintLevel } from '../../src/pictures/flame/areas.js';
import { differenceMark } from '../../src/pictures/flame/difference.js';
import type { Labels } from '../../src/pictures/flame/labels.js';
import type { FlameLayout } from '../../src/pictures/flame/layout.js';
import { depthOf, type FlamePicture, nameOf } from '../../src/pictures/flame/picture.js';
import { shortNames } from '../../src/pictures/flame/short-names.js';
import type { Stretch } from '../../src/pictures/flame/stretch.js';
import type { Size } from '../shared/canvas.js';
import type { Painter } from './painter.js';
import { PixelRows } from './pixel-rows.js';
import { MARK, marksOf } from './search/marks.js';
import { ROW, type Viewport, windowOf } from './viewport.js';

const FONT = '12px system-ui, "Segoe UI", "Noto Sans", sans-serif';
/** Room between the edge of a box and its text. */
const PADDING = 4;
/** Boxes narrower than this get no text; three letters need about as much. */
const NARROWEST_TEXT = 26;
/** Boxes of at least this many real pixels end in a darker one, which separates neighbours of one colour. */
const NARROWEST_EDGE = 4;

export interface Scene {
  readonly picture: FlamePicture;
  readonly layout: FlameLayout;
  readonly viewport: Viewport;
  readonly size: Size;
  /** Real pixels per CSS pixel. */
  readonly ratio: number;
  readonly painter: Painter;
  readonly labels: Labels;
  /** What is drawn where; matches of the search have their colour. */
  readonly areas: Areas;
  /** For each place the matches of the search before it. */
  readonly matches: Int32Array | undefined;
  readonly focused: number;
  readonly hovered: Stretch | undefined;
  /** Whether it has the keyboard focus. */
  readonly active: boolean;
}

/** Boxes that still need their label, in columns that are reused for each frame. */
class PendingLabels {
  readonly #nodes = new Int32Builder();
  /** Left and right edge and top: three numbers per label. */
  readonly #edges = new Float64Builder();
  /** 1 on the colour of matches, else 0. */
  readonly #matches = new Int32Builder();
  #next = 0;

  clear(): void {
    this.#nodes.length = 0;
    this.#edges.length = 0;
    this.#matches.length = 0;
    this.#next = 0;
  }

  /** Draws all labels again. */
  restart(): void {
    this.#next = 0;
  }

  add(node: number, left: number, right: number, top: number, isMatch: boolean): void {
    this.#nodes.push(node);
    this.#edges.push(left);
    this.#edges.push(right);
    this.#edges.push(top);
    this.#matches.push(isMatch ? 1 : 0);
  }

  /** Draws texts until `deadline` (of `performance.now()`); true when all are drawn. */
  draw(context: CanvasRenderingContext2D, scene: Scene, deadline: number): boolean {
    const { theme } = scene.painter;
    const edges = this.#edges.values;
    while (this.#next < this.#nodes.length) {
      if (performance.now() > deadline) return false;
      const label = this.#next++;
      const node = this.#nodes.values[label];
      const left = Math.max(edges[3 * label], 0) + PADDING;
      const room = Math.min(edges[3 * label + 1], scene.size.width) - PADDING - left;
      const mark = scene.picture.base === undefined ? '' : differenceMark(scene.picture, node);
      const text = scene.labels.fit(labelTexts(scene.picture, node), room, mark);
      if (text === '') continue;
      context.fillStyle = this.#matches.values[label] === 1 ? theme.matchText : theme.text;
      context.fillText(text, left, edges[3 * label + 2] + ROW / 2);
    }
    return true;
  }
}

/** The boxes of the last scene as pixels, and the labels they get. */
export class Boxes {
  /** A row a level; below them, in the same order, one a level with the marks of narrow matches. */
  readonly #rows = new PixelRows();
  /** 1 for each level from the first visible one on that has marks. */
  #marked = new Uint8Array();
  readonly #pending = new PendingLabels();
  #scene: Scene | undefined;
  /** The first level that is not painted yet; until it is, its row has the pixels of the last scene. */
  #next = 0;

  /**
   * Draws a scene. Levels are painted until `deadline` (of `performance.now()`); what is the same as in the last scene is
   * only copied.
   */
  draw(context: CanvasRenderingContext2D, scene: Scene, deadline: number): void {
    const { viewport, size, painter, ratio } = scene;
    const { from, to } = levelsIn(scene);
    if (this.#scene !== undefined && hasSameBoxes(scene, this.#scene)) this.#pending.restart();
    else {
      this.#pending.clear();
      this.#rows.resize(Math.max(1, Math.round(size.width * ratio)), Math.max(2, 2 * (to - from)), painter.background);
      this.#marked = new Uint8Array(to - from);
      this.#next = from;
    }
    this.#scene = scene;
    this.#paint(scene, from, to, deadline);
    const top = from * ROW - viewport.scroll;
    context.fillStyle = painter.theme.background;
    context.fillRect(0, 0, size.width, size.height);
    context.setTransform(1, 0, 0, 1, 0, 0);
    this.#rows.copyTo(context, top * ratio, ROW * ratio, to - from);
    this.#copyMarks(context, top + ROW - 1, ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (let depth = from; depth < to; depth++)
      context.fillRect(0, (depth + 1) * ROW - viewport.scroll - 1, size.width, 1);
    outlines(context, scene);
    setText(context);
  }

  /** `foot`: where the boxes of the first level end. */
  #copyMarks(context: CanvasRenderingContext2D, foot: number, ratio: number): void {
    const { length } = this.#marked;
    for (let row = 0; row < length; row++) {
      if (this.#marked[row] === 0) continue;
      const y = (foot + row * ROW - MARK.height) * ratio;
      this.#rows.copyRows(context, length + row, 1, y, MARK.height * ratio);
    }
  }

  /** Whether all levels of the last scene are painted. */
  get isPainted(): boolean {
    return this.#scene !== undefined && this.#next >= levelsIn(this.#scene).to;
  }

  /** Draws labels until `deadline`; true when all are drawn. */
  drawLabels(context: CanvasRenderingContext2D, scene: Scene, deadline: number): boolean {
    return this.#pending.draw(context, scene, deadline);
  }

  #paint(scene: Scene, from: number, to: number, deadline: number): void {
    const { painter, viewport } = scene;
    const zoomedDepth = depthOf(scene.picture, viewport.zoomed);
    while (this.#next < to) {
      const depth = this.#next++;
      this.#rows.clearRow(depth - from, painter.background);
      paintRow(scene, depth, depth - from, depth < zoomedDepth, this.#rows, this.#pending);
      this.#marked[depth - from] = markRow(scene, depth, depth - from, to - from, this.#rows) ? 1 : 0;
      if (performance.now() > deadline) return;
    }
  }
}

function outlines(context: CanvasRenderingContext2D, scene: Scene): void {
  const { layout, focused, hovered, active } = scene;
  const focus = layout.placeOf[focused];
  if (hovered !== undefined && hovered.first !== focus) outline(context, scene, hovered, 1);
  outline(context, scene, { first: focus, last: focus }, active ? 3 : 1);
}

/** Settings to draw and measure texts; resizing a canvas resets them. */
export function setText(context: CanvasRenderingContext2D): void {
  context.font = FONT;
  // Without these the width of a text is the sum of its characters' widths.
  context.fontKerning = 'none';
  context.textRendering = 'optimizeSpeed';
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.direction = 'ltr';
}

function levelsIn({ layout, viewport, size }: Scene): { readonly from: number; readonly to: number } {
  return {
    from: Math.max(0, Math.floor(viewport.scroll / ROW)),
    to: Math.min(layout.levels.length - 1, Math.ceil((viewport.scroll + size.height) / ROW)),
  };
}

/** Whether only focus or hover differs. */
function hasSameBoxes(a: Scene, b: Scene): boolean {
  return (
    a.viewport === b.viewport &&
    a.layout === b.layout &&
    a.size === b.size &&
    a.ratio === b.ratio &&
    a.painter === b.painter &&
    a.areas === b.areas
  );
}

function paintRow(
  scene: Scene,
  depth: number,
  row: number,
  isFaded: boolean,
  rows: PixelRows,
  pending: PendingLabels,
): void {
  const { painter, areas, layout, ratio } = scene;
  const { pixels, width } = rows;
  const window = windowOf(scene.viewport, scene.size);
  const top = depth * ROW - scene.viewport.scroll;
  const offset = row * width;
  const real = { from: window.from, scale: window.scale * ratio, pixels: width };
  const bar = (place: number, start: number, stop: number, left: number, right: number): void => {
    const colour = areas.pixels[place];
    const isMatch = colour === painter.match;
    const shown = isFaded && !isMatch ? painter.box(layout.order[place], true) : colour;
    if (stop - start > 32) pixels.fill(shown, offset + start, offset + stop);
    else for (let at = offset + start; at < offset + stop; at++) pixels[at] = shown;
    if (right - left >= NARROWEST_EDGE && right <= stop + 1) pixels[offset + stop - 1] = darker(shown);
    if (right - left >= NARROWEST_TEXT * ratio)
      pending.add(layout.order[place], left / ratio, right / ratio, top, isMatch);
  };
  paintLevel(areas, layout, depth, real, pixels, offset, bar);
}

/** Copies the row of a level to the marked rows and adds its marks; false if it has none. */
function markRow(scene: Scene, depth: number, row: number, levels: number, { pixels, width }: PixelRows): boolean {
  const { matches, layout, ratio, painter } = scene;
  if (matches === undefined) return false;
  const to = (levels + row) * width;
  const wide = Math.round(MARK.width * ratio);
  let isMarked = false;
  marksOf(layout, matches, depth, windowOf(scene.viewport, scene.size), MARK.cell, 1, (left) => {
    if (!isMarked) pixels.copyWithin(to, row * width, (row + 1) * width);
    isMarked = true;
    const column = Math.floor(left * ratio);
    pixels.fill(painter.match, to + column, to + Math.min(width, column + wide));
  });
  return isMarked;
}

/** Three quarters of each channel of a pixel. */
function darker(pixel: number): number {
  const half = (pixel >>> 1) & 0x7f7f7f;
  return -0x1000000 | (half + ((half >>> 1) & 0x3f3f3f));
}

/** The texts of functions, longest first; cached by picture, since each frame needs the same ones. */
const known = new WeakMap<FlamePicture, (readonly string[])[]>();

function labelTexts(picture: FlamePicture, node: number): readonly string[] {
  const id = picture.function[node];
  if (id < 0) return [nameOf(picture, node)];
  let texts = known.get(picture);
  if (texts === undefined) {
    texts = [];
    known.set(picture, texts);
  }
  const names = texts[id] ?? shortNames(picture, id);
  texts[id] = names;
  return names;
}

function outline(context: CanvasRenderingContext2D, scene: Scene, { first, last }: Stretch, thickness: number): void {
  const window = windowOf(scene.viewport, scene.size);
  const { x, width, order } = scene.layout;
  const left = Math.max((x[first] - window.from) * window.scale, 0);
  const right = Math.min((x[last] + width[last] - window.from) * window.scale, window.pixels);
  if (right < left) return;
  const y = depthOf(scene.picture, order[first]) * ROW - scene.viewport.scroll;
  const half = thickness / 2;
  context.strokeStyle = scene.painter.theme.focus;
  context.lineWidth = thickness;
  context.strokeRect(left + half, y + half, Math.max(right - left - thickness, 1), ROW - 1 - thickness);
}
