/** Callers and callees of one function, the heaviest first. */
import { formatCount } from '../../../src/base/units.js';
import { element } from '../../shared/dom.js';
import { NameButtons } from './name-button.js';
import type { PictureValues } from './values.js';

/** More are counted, not listed. */
const LISTED = 100;
/** Between values and names, as in the style sheet. */
const GAP = 8;

export class Around {
  readonly element = element('section', { class: 'around', 'aria-label': 'Callers and callees' });
  readonly #choose: (id: number) => void;
  readonly #names = new NameButtons();
  #nameWidth = 0;

  /** `choose` gets the function of a row that was pressed. */
  constructor(choose: (id: number) => void) {
    this.#choose = choose;
  }

  /** `valueWidth`: of the column of values, in pixels. */
  show(values: PictureValues, id: number, valueWidth: number): void {
    const name = values.names[id];
    if (name === undefined) {
      this.element.replaceChildren(
        element('p', { class: 'page-quiet' }, 'Select a function to see its callers and callees.'),
      );
      return;
    }
    const { callers, callees, inclusive, exclusive } = values.around(id);
    const isOfPlaces = inclusive === undefined;
    const own = exclusive === 0 || isOfPlaces ? callees : new Map([...callees, [-1, exclusive]]);
    const total = isOfPlaces ? '' : `total ${values.text(inclusive)}, `;
    this.#nameWidth = this.element.clientWidth - valueWidth - GAP;
    this.#names.measureIn(this.element);
    this.element.replaceChildren(
      element('h2', {}, element('bdi', {}, name)),
      element('p', { class: 'page-quiet' }, `${total}self ${values.text(exclusive)}`),
      ...this.#list('Callers', callers, isOfPlaces ? '(not inlined: callers not recorded)' : '(root)', values),
      ...this.#list('Callees', own, '(itself)', values),
    );
  }

  #list(title: string, of: ReadonlyMap<number, number>, none: string, values: PictureValues): HTMLElement[] {
    const sorted = [...of].sort(([, a], [, b]) => b - a);
    const rows = sorted.slice(0, LISTED).map(([id, amount]) => {
      const name = values.names[id];
      const what =
        name === undefined
          ? element('span', {}, none)
          : this.#names.of(name, values.packages[id] ?? '', this.#nameWidth, () => this.#choose(id));
      return element('li', {}, element('span', { class: 'function-value' }, values.text(amount)), ' ', what);
    });
    const more = sorted.length - rows.length;
    if (more > 0) rows.push(element('li', { class: 'page-quiet' }, `${formatCount(more)} more`));
    return [element('h3', {}, title), element('ul', { class: 'around-list' }, ...rows)];
  }
}
