/** Details of the hovered or focused boxes, and the legend of the colours. */
import {
  type Colouring,
  differenceColours,
  kindColour,
  THEME_COLOURS,
  type Theme,
} from '../../src/views/flame/colours.js';
import type { FlameLayout } from '../../src/views/flame/layout.js';
import type { FlamePicture } from '../../src/views/flame/picture.js';
import { heaviestOf, type Stretch } from '../../src/views/flame/stretch.js';
import { facts, stretchFacts } from '../../src/views/flame/words.js';
import { element } from './dom.js';

export class Details {
  readonly element = element('dl', { class: 'flame-details', 'aria-label': 'Details' });
  #shown = '';

  show(picture: FlamePicture, layout: FlameLayout, stretch: Stretch, zoomed: number): void {
    const { first, last } = stretch;
    const key = `${first} ${last} ${layout.order[first]} ${zoomed}`;
    if (key === this.#shown) return;
    this.#shown = key;
    const known =
      first === last
        ? facts(picture, layout.order[first], zoomed)
        : stretchFacts(picture, layout.order.subarray(first, last + 1), layout.order[heaviestOf(layout, stretch)]);
    this.element.replaceChildren(
      ...known.map((fact) =>
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
  entries.push([THEME_COLOURS[theme].match, 'match']);
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
