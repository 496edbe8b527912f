/** What is seen of a flame graph across, over all levels, as an SVG. */
import type { Colouring } from '../../src/pictures/flame/colours.js';
import type { FlameLayout } from '../../src/pictures/flame/layout.js';
import type { FlamePicture } from '../../src/pictures/flame/picture.js';
import { drawSvg, usualColours } from '../../src/pictures/flame/svg.js';
import { contextOf } from '../shared/canvas.js';
import { painter } from './painter.js';
import type { Viewport } from './viewport.js';

export function graphSvg(
  picture: FlamePicture,
  layout: FlameLayout,
  { from, to }: Viewport,
  colouring: Colouring,
  { recording, notes }: { readonly recording: string; readonly notes: readonly string[] },
): string {
  const context = contextOf(document.createElement('canvas'));
  context.font = '11px monospace';
  const { categories } = painter(picture, colouring, 'light');
  const usual = usualColours(picture);
  const measure = (text: string): number => context.measureText(text).width;
  const colour = (node: number): string => categories?.colours[categories.ofNode[node]] ?? usual(node);
  return drawSvg(picture, { recording, notes, measure, layout, from, to, colour });
}
