/** The colour of each box, computed once per colouring and theme; access costs two look-ups. */
import {
  type Colouring,
  differenceColours,
  differenceStep,
  FADED,
  functionColours,
  mix,
  THEME_COLOURS,
  type Theme,
  type ThemeColours,
} from '../../src/views/flame/colours.js';
import type { FlamePicture } from '../../src/views/flame/picture.js';
import { pixelOf } from './pixel-rows.js';

export interface Painter {
  readonly theme: ThemeColours;
  readonly background: number;
  readonly match: number;
  /** Pixel of a box; `faded` above the node that was zoomed to. */
  readonly box: (node: number, faded: boolean) => number;
}

export function painter(picture: FlamePicture, colouring: Colouring, name: Theme): Painter {
  const theme = THEME_COLOURS[name];
  const faint = (colour: string): string => mix(colour, theme.background, FADED);
  const root = [pixelOf(theme.root), pixelOf(faint(theme.root))] as const;
  const common = {
    theme,
    background: pixelOf(theme.background),
    match: pixelOf(theme.match),
  };
  if (colouring === 'difference') {
    const steps = differenceColours(name);
    const [strong, weak] = [pixelsOf(steps), pixelsOf(steps.map(faint))];
    return { ...common, box: (node, faded) => (faded ? weak : strong)[differenceStep(picture, node)] };
  }
  const colours = functionColours(picture, colouring, name);
  const [strong, weak] = [pixelsOf(colours), pixelsOf(colours.map(faint))];
  return {
    ...common,
    box: (node, faded) => (node === 0 ? root[faded ? 1 : 0] : (faded ? weak : strong)[picture.function[node]]),
  };
}

function pixelsOf(colours: readonly string[]): Int32Array {
  const known = new Map<string, number>();
  return Int32Array.from(colours, (colour) => {
    const pixel = known.get(colour) ?? pixelOf(colour);
    known.set(colour, pixel);
    return pixel;
  });
}
