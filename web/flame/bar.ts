/** The row of controls above a flame graph: search, colours, order, and reset of the zoom. */
import { COLOURINGS, type Colouring } from '../../src/views/flame/colours.js';
import { SIBLING_ORDERS, type SiblingOrder } from '../../src/views/flame/layout.js';
import { button, chooser, element } from './dom.js';

export interface BarActions {
  readonly search: (text: string, isExpression: boolean) => void;
  readonly step: (step: 1 | -1) => void;
  readonly reset: () => void;
  readonly colouring: (value: Colouring) => void;
  readonly siblings: (value: SiblingOrder) => void;
  /** To where the keyboard walks. */
  readonly leave: () => void;
}

const COLOURING_NAMES: Readonly<Record<Colouring, string>> = {
  package: 'package',
  kind: 'kind',
  difference: 'difference',
};
const ORDER_NAMES: Readonly<Record<SiblingOrder, string>> = { name: 'by name', weight: 'heaviest first' };

export class Bar {
  readonly element: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #expression: HTMLInputElement;
  readonly #status: HTMLElement;
  readonly #actions: BarActions;

  constructor(actions: BarActions, colouring: Colouring, siblings: SiblingOrder, hasBase: boolean) {
    this.#actions = actions;
    this.#input = element('input', { type: 'search', spellcheck: 'false', autocomplete: 'off', size: '18' });
    this.#expression = element('input', { type: 'checkbox' });
    this.#status = element('span', { class: 'flame-found', role: 'status' });
    this.#input.addEventListener('input', () => this.#search());
    this.#expression.addEventListener('change', () => this.#search());
    this.#input.addEventListener('keydown', (event) => this.#key(event));
    const colourings = COLOURINGS.filter((one) => one !== 'difference' || hasBase);
    this.element = element(
      'div',
      { class: 'flame-bar' },
      element('label', {}, 'Search ', this.#input),
      element('label', {}, this.#expression, ' regular expression'),
      button('‹', 'Previous match', () => actions.step(-1)),
      button('›', 'Next match', () => actions.step(1)),
      this.#status,
      chooser('Colour', named(colourings, COLOURING_NAMES), colouring, (value) =>
        COLOURINGS.filter((one) => one === value).forEach(actions.colouring),
      ),
      chooser('Order', named(SIBLING_ORDERS, ORDER_NAMES), siblings, (value) =>
        SIBLING_ORDERS.filter((one) => one === value).forEach(actions.siblings),
      ),
      button('Reset', 'Reset zoom (Escape)', actions.reset),
    );
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
