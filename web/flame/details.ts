/** Details of the hovered or focused boxes. */
import type { FlameLayout } from '../../src/pictures/flame/layout.js';
import type { FlamePicture } from '../../src/pictures/flame/picture.js';
import { heaviestOf, type Stretch } from '../../src/pictures/flame/stretch.js';
import { facts, stretchFacts } from '../../src/pictures/flame/words.js';
import { element } from '../shared/dom.js';
import { showFacts } from '../shared/facts.js';
import type { Found } from './search/search.js';

export class Details {
  readonly element = element('dl', { class: 'page-details', 'aria-label': 'Details' });
  #shown = '';
  #found: Found | undefined;

  /** `found`: the functions that match a search, if there is one. */
  show(picture: FlamePicture, layout: FlameLayout, stretch: Stretch, zoomed: number, found: Found | undefined): void {
    const { first, last } = stretch;
    const key = `${first} ${last} ${layout.order[first]} ${zoomed}`;
    if (key === this.#shown && found === this.#found) return;
    this.#shown = key;
    this.#found = found;
    const known =
      first === last
        ? facts(picture, layout.order[first], zoomed)
        : stretchFacts(
            picture,
            layout.order.subarray(first, last + 1),
            layout.order[heaviestOf(layout, stretch)],
            found?.functions,
          );
    showFacts(this.element, known);
  }
}
