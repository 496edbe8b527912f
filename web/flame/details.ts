/** Details of the hovered or focused node, and the legend of the colours. */
import {
  type Colouring,
  differenceColours,
  kindColour,
  THEME_COLOURS,
  type Theme,
} from '../../src/views/flame/colours.js';
import type { FlamePicture } from '../../src/views/flame/picture.js';
import { facts } from '../../src/views/flame/words.js';
import { element } from './dom.js';

export class Details {
  readonly element = element('dl', { class: 'flame-details', 'aria-label': 'Details' });
  #shown = '';

  show(picture: FlamePicture, node: number, zoomed: number): void {
    const key = `${node} ${zoomed}`;
    if (key === this.#shown) return;
    this.#shown = key;
    this.element.replaceChildren(
      ...facts(picture, node, zoomed).map((fact) =>
        element(
          'div',
          { 'data-key': fact.key },
          element('dt', {}, fact.title),
          // A name may be written from right to left; it must not affect the direction of the rest.
          element('dd', {}, element('bdi', {}, fact.text)),
        ),
      ),
    );
  }
}

/** The legend of colours. Packages have no fixed ones. */
export function legend(picture: FlamePicture, colouring: Colouring, theme: Theme): HTMLElement {
  const entries: (readonly [colour: string, text: string])[] = [];
  if (colouring === 'kind') {
    const used = new Set(picture.kindOf);
    picture.kinds.forEach((kind, i) => {
      if (used.has(i)) entries.push([kindColour(kind, theme), kind]);
    });
  }
  if (colouring === 'difference') {
    const colours = differenceColours(theme);
    const texts = ['vanished', 'less', 'equal', 'more', 'new'];
    texts.forEach((text, i) => {
      entries.push([colours[Math.round((i / (texts.length - 1)) * (colours.length - 1))] ?? '', text]);
    });
  }
  entries.push([THEME_COLOURS[theme].match, 'match'], [THEME_COLOURS[theme].merged, 'merged narrow boxes']);
  return element(
    'ul',
    { class: 'flame-legend', 'aria-label': 'Colours' },
    ...entries.map(([colour, text]) => {
      const swatch = element('span', { class: 'flame-swatch' });
      swatch.style.background = colour;
      return element('li', {}, swatch, text);
    }),
  );
}
