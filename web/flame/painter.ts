/** The colour of each box, made once for a colouring and a theme; asking costs a look-up. */
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

export interface Painter {
  readonly theme: ThemeColours;
  readonly colour: (node: number) => string;
  readonly faded: (colour: string) => string;
}

export function painter(picture: FlamePicture, colouring: Colouring, name: Theme): Painter {
  const theme = THEME_COLOURS[name];
  const faint = new Map<string, string>();
  const faded = (colour: string): string => {
    const made = faint.get(colour) ?? mix(colour, theme.background, FADED);
    faint.set(colour, made);
    return made;
  };
  if (colouring === 'difference') {
    const steps = differenceColours(name);
    return { theme, faded, colour: (node) => steps[differenceStep(picture, node)] ?? theme.root };
  }
  const colours = functionColours(picture, colouring, name);
  return { theme, faded, colour: (node) => colours[picture.function[node]] ?? theme.root };
}
