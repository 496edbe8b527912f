/**
 * Draws the visible part of a flame graph: first all boxes as pixels, then their labels, as many per frame as time
 * allows. Cost: the levels in the window times the boxes on the screen, whatever the number of nodes. A frame allocates
 * only the texts of labels.
 */
import { Float64Builder, Int32Builder } from '../../src/base/columns.js';
import { differenceMark } from '../../src/views/flame/difference.js';
import type { Labels } from '../../src/views/flame/labels.js';
import { type FlameLayout, NARROWEST, spans, type Window } from '../../src/views/flame/layout.js';
import { depthOf, type FlamePicture, nameOf } from '../../src/views/flame/picture.js';
import { shortNames } from '../../src/views/flame/short-names.js';
import type { Painter } from './painter.js';
import type { PixelRows } from './pixel-rows.js';
import { ROW, type Size, type Viewport, windowOf } from './viewport.js';

const FONT = '12px system-ui, "Segoe UI", "Noto Sans", sans-serif';
/** Room between the edge of a box and its text. */
const PADDING = 4;
/** Boxes narrower than this get no text; three letters need about as much. */
const NARROWEST_TEXT = 26;

export interface Scene {
  readonly picture: FlamePicture;
  readonly layout: FlameLayout;
  readonly viewport: Viewport;
  readonly size: Size;
  /** Real pixels per CSS pixel. */
  readonly ratio: number;
  readonly painter: Painter;
  readonly labels: Labels;
  /** For each place the matches before it; undefined without a search. */
  readonly matches: Int32Array | undefined;
  readonly focused: number;
  /** -1: none. */
  readonly hovered: number;
  /** Whether it has the keyboard focus. */
  readonly active: boolean;
}

/** Boxes that still need their label, in columns that are reused for each frame. */
export class PendingLabels {
  readonly #nodes = new Int32Builder();
  /** Left and right edge and top: three numbers per label. */
  readonly #edges = new Float64Builder();
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

/**
 * Draws all boxes, and notes in `pending` which of them get a text. Boxes that are the same as in `last`, the scene the
 * previous scene in `rows` and `pending`, are only copied.
 */
export function drawBoxes(
  context: CanvasRenderingContext2D,
  scene: Scene,
  last: Scene | undefined,
  rows: PixelRows,
  pending: PendingLabels,
): void {
  const { viewport, size, painter, ratio } = scene;
  const window = windowOf(viewport, size);
  const { from, to } = levelsIn(scene);
  if (last !== undefined && hasSameBoxes(scene, last)) pending.restart();
  else {
    const zoomedDepth = depthOf(scene.picture, viewport.zoomed);
    pending.clear();
    rows.clear(Math.max(1, Math.round(size.width * ratio)), Math.max(1, to - from), painter.background);
    for (let depth = from; depth < to; depth++)
      addLevel(scene, window, depth, depth - from, depth < zoomedDepth, rows, pending);
  }
  const top = from * ROW - viewport.scroll;
  context.fillStyle = painter.theme.background;
  context.fillRect(0, 0, size.width, size.height);
  context.setTransform(1, 0, 0, 1, 0, 0);
  rows.copyTo(context, top * ratio, ROW * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  for (let depth = from; depth < to; depth++)
    context.fillRect(0, (depth + 1) * ROW - viewport.scroll - 1, size.width, 1);
  if (scene.hovered >= 0 && scene.hovered !== scene.focused) outline(context, scene, window, scene.hovered, 1);
  outline(context, scene, window, scene.focused, scene.active ? 3 : 1);
  setText(context);
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
    a.matches === b.matches
  );
}

function addLevel(
  scene: Scene,
  window: Window,
  depth: number,
  row: number,
  isFaded: boolean,
  rows: PixelRows,
  pending: PendingLabels,
): void {
  const { painter, matches, layout, ratio } = scene;
  const top = depth * ROW - scene.viewport.scroll;
  const receive = (first: number, last: number, left: number, right: number): void => {
    const isMatch = matches !== undefined && matches[last + 1] > matches[first];
    const node = layout.order[first];
    const colour = isMatch ? painter.match : first === last ? painter.box(node, isFaded) : painter.merged(isFaded);
    rows.bar(row, left * ratio, right * ratio, colour);
    if (first === last && right - left >= NARROWEST_TEXT) pending.add(node, left, right, top, isMatch);
  };
  // Boxes that share a real pixel cannot be distinguished.
  spans(layout, depth, window, receive, Math.max(NARROWEST, 1 / ratio));
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

function outline(
  context: CanvasRenderingContext2D,
  scene: Scene,
  window: Window,
  node: number,
  thickness: number,
): void {
  const place = scene.layout.placeOf[node];
  const left = Math.max((scene.layout.x[place] - window.from) * window.scale, 0);
  const right = Math.min(
    (scene.layout.x[place] + scene.layout.width[place] - window.from) * window.scale,
    window.pixels,
  );
  if (right < left) return;
  const y = depthOf(scene.picture, node) * ROW - scene.viewport.scroll;
  const half = thickness / 2;
  context.strokeStyle = scene.painter.theme.focus;
  context.lineWidth = thickness;
  context.strokeRect(left + half, y + half, Math.max(right - left - thickness, 1), ROW - 1 - thickness);
}
