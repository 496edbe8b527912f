/** Contrast of text on every colour a box can have, by the formula of WCAG 2.2. */
import { equal, ok } from 'node:assert/strict';
import { it } from 'node:test';
import { FLAME_KINDS } from '../../analysis/flame/flame-tree.js';
import {
  contrast,
  differenceColours,
  FADED,
  kindColour,
  mix,
  otherColour,
  SLOTS,
  slotColour,
  THEME_COLOURS,
  THEMES,
} from './colours.js';

it('contrast is that of the formula', () => {
  equal(contrast('#000000', '#ffffff'), 21);
  equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
});

/** Distance in OKLab (Ottosson 2020); two colours side by side differ visibly from about 0.02 on. */
function distance(one: string, other: string): number {
  const lab = (colour: string): number[] => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
    const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
    const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
  };
  const [a, b] = [lab(one), lab(other)];
  return Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));
}

for (const theme of THEMES) {
  it(`text is readable on every box, ${theme}`, () => {
    const { background, text, match, matchText, root, focus } = THEME_COLOURS[theme];
    const packages = Array.from({ length: SLOTS }, (_, slot) => slotColour(slot, theme));
    const kinds = [...FLAME_KINDS, 'inlined', 'interpreted'].map((kind) => kindColour(kind, theme));
    for (const palette of [[...packages, otherColour(theme)], kinds])
      palette.forEach((colour, i) => {
        for (const other of palette.slice(i + 1)) ok(distance(colour, other) > 0.02, `${colour}, ${other}`);
      });
    const colours = [root, otherColour(theme), ...packages, ...kinds, ...differenceColours(theme)];
    for (const colour of colours) {
      ok(contrast(text, colour) >= 4.5, `${text} on ${colour}`);
      ok(contrast(text, mix(colour, background, FADED)) >= 4.5, `${text} on faded ${colour}`);
      ok(contrast(focus, colour) >= 3, `the focus ${focus} on ${colour}`);
    }
    ok(contrast(matchText, match) >= 4.5);
  });
}
