/**
 * Draws what is seen of a flame graph. Cost: the levels in the window times the boxes on the screen, whatever the number
 * of nodes; nothing is allocated but the texts of labels.
 */

import { difference, labelOf } from '../../src/views/flame/difference.js';
import { type FlameLayout, spans, type Window } from '../../src/views/flame/layout.js';
import { depthOf, type FlamePicture, nameOf } from '../../src/views/flame/picture.js';
import { shortNames } from '../../src/views/flame/short-names.js';
import type { Labels } from './labels.js';
import type { Painter } from './painter.js';
import { ROW, type Size, type Viewport, windowOf } from './viewport.js';

export const FONT = '12px system-ui, "Segoe UI", "Noto Sans", sans-serif';
/** Room between the edge of a box and its text. */
const PADDING = 4;
/** Boxes narrower than this get no text; three letters need about as much. */
const NARROWEST_TEXT = 26;

export interface Scene {
  readonly picture: FlamePicture;
  readonly layout: FlameLayout;
  readonly viewport: Viewport;
  readonly size: Size;
  readonly painter: Painter;
  readonly labels: Labels;
  /** For each place the matches before it; undefined where nothing is searched for. */
  readonly matches: Int32Array | undefined;
  readonly focused: number;
  /** -1: none. */
  readonly hovered: number;
  /** Whether the keyboard is here. */
  readonly active: boolean;
}

export function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { layout, viewport, size, painter } = scene;
  const window = windowOf(viewport, size);
  context.fillStyle = painter.theme.background;
  context.fillRect(0, 0, size.width, size.height);
  context.font = FONT;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.direction = 'ltr';
  const from = Math.max(0, Math.floor(viewport.scroll / ROW));
  const to = Math.min(layout.levels.length - 1, Math.ceil((viewport.scroll + size.height) / ROW));
  const zoomedDepth = depthOf(scene.picture, viewport.zoomed);
  for (let depth = from; depth < to; depth++) drawLevel(context, scene, window, depth, depth < zoomedDepth);
  if (scene.hovered >= 0 && scene.hovered !== scene.focused) outline(context, scene, window, scene.hovered, 1);
  outline(context, scene, window, scene.focused, scene.active ? 3 : 1);
}

function drawLevel(
  context: CanvasRenderingContext2D,
  scene: Scene,
  window: Window,
  depth: number,
  isAbove: boolean,
): void {
  const { painter, matches, layout } = scene;
  const y = depth * ROW - scene.viewport.scroll;
  spans(layout, depth, window, (first, last, left, right) => {
    const start = Math.max(left, -1);
    const end = Math.min(right, window.pixels + 1);
    const isMatch = matches !== undefined && matches[last + 1] > matches[first];
    const usual = first === last ? painter.colour(layout.order[first]) : painter.theme.merged;
    context.fillStyle = isMatch ? painter.theme.match : isAbove ? painter.faded(usual) : usual;
    // A gap of a pixel tells neighbours apart, where there is room for one.
    const gap = end - start > 3 ? 1 : 0;
    context.fillRect(start, y, Math.max(end - start - gap, 0.5), ROW - 1);
    if (first === last && end - start >= NARROWEST_TEXT)
      drawLabel(context, scene, layout.order[first], start, end, y, isMatch);
  });
}

function drawLabel(
  context: CanvasRenderingContext2D,
  scene: Scene,
  node: number,
  start: number,
  end: number,
  y: number,
  isMatch: boolean,
): void {
  const left = Math.max(start, 0) + PADDING;
  const text = scene.labels.fit(labelTexts(scene, node), Math.min(end, scene.size.width) - PADDING - left);
  if (text === '') return;
  const { theme } = scene.painter;
  context.fillStyle = isMatch ? theme.matchText : theme.text;
  context.fillText(text, left, y + ROW / 2);
}

/** The texts of functions, longest first; kept by picture, since each frame asks for the same ones. */
const known = new WeakMap<FlamePicture, (readonly string[])[]>();

function labelTexts(scene: Scene, node: number): readonly string[] {
  const { picture } = scene;
  const id = picture.function[node];
  if (id < 0) return [nameOf(picture, node)];
  let texts = known.get(picture);
  if (texts === undefined) {
    texts = [];
    known.set(picture, texts);
  }
  let names = texts[id];
  if (names === undefined) {
    names = shortNames(picture, id);
    texts[id] = names;
  }
  if (picture.base === undefined || difference(picture, node).change === 'equal') return names;
  return names.map((name) => labelOf(picture, node, name));
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
