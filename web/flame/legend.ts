/** The legend of the colours: what is in view, by the area it has there. */
import { lowerBoundNear } from '../../src/base/columns/search.js';
import { type Colouring, differenceColours, THEME_COLOURS, type Theme } from '../../src/pictures/flame/colours.js';
import { type FlameLayout, firstReaching } from '../../src/pictures/flame/layout.js';
import type { Size } from '../shared/canvas.js';
import { colourList } from '../shared/facts.js';
import type { Painter } from './painter.js';
import { ROW, type Viewport } from './viewport.js';

/** More categories are counted, not named. */
const NAMED = 12;
const NARROW = 'narrow match';
const DIFFERENCES = ['vanished', 'less', 'equal', 'more', 'new'];

type Entry = readonly [colour: string, text: string];

export function legend(
  painter: Painter,
  colouring: Colouring,
  theme: Theme,
  layout: FlameLayout,
  viewport: Viewport,
  size: Size,
): HTMLElement {
  const entries = colouring === 'difference' ? differences(theme) : inView(painter, layout, viewport, size);
  const { match } = THEME_COLOURS[theme];
  entries.push([match, 'match'], [match, NARROW]);
  return colourList(entries.map(([colour, text]) => [colour, text, text === NARROW ? 'flame-mark' : '']));
}

function differences(theme: Theme): Entry[] {
  const colours = differenceColours(theme);
  return DIFFERENCES.map((text, i) => [
    colours[Math.round((i / (DIFFERENCES.length - 1)) * (colours.length - 1))] ?? '',
    text,
  ]);
}

function inView({ categories }: Painter, layout: FlameLayout, viewport: Viewport, size: Size): Entry[] {
  if (categories === undefined) return [];
  const { names, colours, ofNode } = categories;
  const areas = areasInView(layout, ofNode, names.length, viewport, size);
  const seen = [...areas.keys()].filter((category) => areas[category] > 0);
  seen.sort((a, b) => areas[b] - areas[a]);
  const entries = seen.slice(0, NAMED).map((category): Entry => [colours[category] ?? '', names[category] ?? '']);
  const more = seen.length - NAMED;
  return more <= 0 ? entries : [...entries, ['transparent', `${more} more`]];
}

/** Units of the metric by category, over all levels in view. */
export function areasInView(
  layout: FlameLayout,
  ofNode: Int32Array,
  count: number,
  { from, to, scroll }: Viewport,
  size: Size,
): Float64Array {
  const { x, width, levels, order } = layout;
  const areas = new Float64Array(count);
  const deepest = Math.min(levels.length - 1, Math.ceil((scroll + size.height) / ROW));
  for (let depth = Math.floor(scroll / ROW); depth < deepest; depth++) {
    const end = lowerBoundNear(x, to, levels[depth], levels[depth + 1]);
    for (let place = firstReaching(layout, depth, from); place < end; place++) {
      const category = ofNode[order[place]];
      if (category >= 0) areas[category] += Math.min(to, x[place] + width[place]) - Math.max(from, x[place]);
    }
  }
  return areas;
}
