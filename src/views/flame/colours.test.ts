/** Contrast of text on every colour a box can have, by the formula of WCAG 2.2. */
import { equal, ok } from 'node:assert/strict';
import { it } from 'node:test';
import {
  contrast,
  differenceColours,
  FADED,
  kindColour,
  mix,
  packageColour,
  THEME_COLOURS,
  THEMES,
} from './colours.js';
import { FLAME_KINDS } from './flame.js';

it('contrast is that of the formula', () => {
  equal(contrast('#000000', '#ffffff'), 21);
  equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
});

for (const theme of THEMES) {
  it(`text is readable on every box, ${theme}`, () => {
    const { background, text, match, matchText, root, focus } = THEME_COLOURS[theme];
    const packages = Array.from({ length: 500 }, (_, i) => packageColour(`org.example.p${i}`, theme));
    equal(new Set(packages).size, 36, 'all colours of packages are tried');
    const kinds = FLAME_KINDS.map((kind) => kindColour(kind, theme));
    equal(new Set(kinds).size, kinds.length, 'each kind has its own');
    const colours = [root, ...packages, ...kinds, ...differenceColours(theme)];
    for (const colour of colours) {
      ok(contrast(text, colour) >= 4.5, `${text} on ${colour}`);
      ok(contrast(text, mix(colour, background, FADED)) >= 4.5, `${text} on faded ${colour}`);
      ok(contrast(focus, colour) >= 3, `the focus ${focus} on ${colour}`);
    }
    ok(contrast(matchText, match) >= 4.5);
  });
}
