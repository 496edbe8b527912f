/** The row of controls above a flame graph: search, colours, order, and reset of the zoom. */
import { COLOURINGS, type Colouring } from '../../src/pictures/flame/colours.js';
import { SIBLING_ORDERS, type SiblingOrder } from '../../src/pictures/flame/layout.js';
import { button, chooser, element } from '../shared/dom.js';

/** Of siblings; by time it is another picture. */
export const ORDERS = [...SIBLING_ORDERS, 'time'] as const;
export type Order = SiblingOrder | 'time';

export interface FlameBarActions {
  readonly search: (text: string, isExpression: boolean) => void;
  readonly step: (step: 1 | -1) => void;
  readonly reset: () => void;
  readonly colouring: (value: Colouring) => void;
  readonly order: (value: Order) => void;
  /** To where the keyboard walks. */
  readonly leave: () => void;
}

const COLOURING_NAMES: Readonly<Record<Colouring, string>> = {
  package: 'package',
  kind: 'kind',
  difference: 'difference',
};
const ORDER_NAMES: Readonly<Record<Order, string>> = { name: 'by name', weight: 'heaviest first', time: 'by time' };

export class Bar {
  readonly element: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #expression: HTMLInputElement;
  readonly #status: HTMLElement;
  readonly #colours: HTMLLabelElement;
  readonly #actions: FlameBarActions;

  constructor(
    actions: FlameBarActions,
    colouring: Colouring,
    order: Order,
    orders: readonly Order[],
    hasBase: boolean,
  ) {
    this.#actions = actions;
    this.#input = element('input', { type: 'search', spellcheck: 'false', autocomplete: 'off', size: '18' });
    this.#expression = element('input', { type: 'checkbox' });
    this.#status = element('span', { class: 'page-found', role: 'status' });
    this.#input.addEventListener('input', () => this.#search());
    this.#expression.addEventListener('change', () => this.#search());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    const colourings = COLOURINGS.filter((one) => one !== 'difference' || hasBase);
    this.#colours = chooser('Colour', named(colourings, COLOURING_NAMES), colouring, (value) =>
      COLOURINGS.filter((one) => one === value).forEach(actions.colouring),
    );
    this.element = element(
      'div',
      { class: 'page-bar' },
      element('label', {}, 'Search ', this.#input),
      element('label', {}, this.#expression, ' regular expression'),
      button('‹', 'Previous match', () => actions.step(-1)),
      button('›', 'Next match', () => actions.step(1)),
      this.#status,
      this.#colours,
      chooser('Order', named(orders, ORDER_NAMES), order, (value) =>
        ORDERS.filter((one) => one === value).forEach(actions.order),
      ),
      button('Reset', 'Reset zoom (Escape)', actions.reset),
    );
  }

  /** Shows a search and colours that were not chosen here. */
  set(search: string, isExpression: boolean, colouring: Colouring): void {
    this.#input.value = search;
    this.#expression.checked = isExpression;
    const select = this.#colours.querySelector('select');
    if (select !== null) select.value = colouring;
  }

  focusSearch(): void {
    this.#input.focus();
    this.#input.select();
  }

  clear(): void {
    this.#input.value = '';
    this.#search();
  }

  /** Shows the matches, or the error in the expression. */
  found(text: string, isWrong: boolean): void {
    this.#status.textContent = text;
    this.#input.setAttribute('aria-invalid', String(isWrong));
  }

  #search(): void {
    this.#actions.search(this.#input.value, this.#expression.checked);
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      this.#actions.step(event.shiftKey ? -1 : 1);
      this.#actions.leave();
    } else if (event.key === 'Escape') {
      this.clear();
      this.#actions.leave();
    } else return;
    event.preventDefault();
  }
}

function named<Value extends string>(
  values: readonly Value[],
  names: Readonly<Record<Value, string>>,
): [Value, string][] {
  return values.map((value) => [value, names[value]]);
}
