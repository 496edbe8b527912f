/** The colour of each box, computed once per colouring and theme; access costs two look-ups. */
import { type Categories, kindCategories, packageCategories } from '../../src/pictures/flame/categories.js';
import {
  type Colouring,
  differenceColours,
  differenceStep,
  FADED,
  mix,
  THEME_COLOURS,
  type Theme,
  type ThemeColours,
} from '../../src/pictures/flame/colours.js';
import type { FlamePicture } from '../../src/pictures/flame/picture.js';
import { pixelOf } from './pixel-rows.js';

export interface Painter {
  readonly theme: ThemeColours;
  /** Undefined if boxes are coloured by difference. */
  readonly categories: Categories | undefined;
  readonly background: number;
  readonly match: number;
  /** Pixel of a box; `faded` above the node that was zoomed to. */
  readonly box: (node: number, faded: boolean) => number;
}

export function painter(picture: FlamePicture, colouring: Colouring, name: Theme): Painter {
  const theme = THEME_COLOURS[name];
  const faint = (colour: string): string => mix(colour, theme.background, FADED);
  const root = [pixelOf(theme.root), pixelOf(faint(theme.root))] as const;
  const common = { theme, background: pixelOf(theme.background), match: pixelOf(theme.match) };
  if (colouring === 'difference') {
    const steps = differenceColours(name);
    const [strong, weak] = [Int32Array.from(steps, pixelOf), Int32Array.from(steps.map(faint), pixelOf)];
    const box = (node: number, faded: boolean) => (faded ? weak : strong)[differenceStep(picture, node)];
    return { ...common, categories: undefined, box };
  }
  const categories = colouring === 'kind' ? kindCategories(picture, name) : packageCategories(picture, name);
  const { colours, ofNode } = categories;
  const [strong, weak] = [Int32Array.from(colours, pixelOf), Int32Array.from(colours.map(faint), pixelOf)];
  const box = (node: number, faded: boolean) =>
    node === 0 ? root[faded ? 1 : 0] : (faded ? weak : strong)[ofNode[node]];
  return { ...common, categories, box };
}
