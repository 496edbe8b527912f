/** A list of facts: details of what is hovered or focused. */
import type { Fact } from '../../src/pictures/flame/words.js';
import { element } from './dom.js';

/** Replaces the facts of a list; each is an element with its key as `data-key`. */
export function showFacts(list: HTMLElement, facts: readonly Fact[]): void {
  list.replaceChildren(
    ...facts.map((fact) =>
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

/** A list of colours with their meaning. */
export function colourList(entries: readonly (readonly [colour: string, text: string, mark?: string])[]): HTMLElement {
  return element(
    'ul',
    { class: 'page-legend', 'aria-label': 'Colours' },
    ...entries.map(([colour, text, mark = '']) => {
      const swatch = element('span', { class: `page-swatch ${mark}`.trimEnd() });
      swatch.style.background = colour;
      return element('li', {}, swatch, element('bdi', {}, text));
    }),
  );
}
