/** The row of controls above a timeline: search of threads, the selected time as words of a command, zoom. */
import { exactPattern } from '../../src/base/parsing/exact-pattern.js';
import { shellLine } from '../../src/base/parsing/shell-word.js';
import { button, chooser, element } from '../shared/dom.js';
import { copyText } from '../shared/save.js';
import { THREAD_ORDERS, type ThreadOrder } from './track-order.js';

const ORDER_NAMES: Readonly<Record<ThreadOrder, string>> = {
  events: 'most events first',
  name: 'by name',
  ran: 'most samples of running first',
  blocked: 'blocked by monitors longest first',
  waited: 'waiting longest first',
};

export interface TimelineBarActions {
  readonly search: (text: string) => void;
  readonly order: (order: ThreadOrder) => void;
  /** To the selection. */
  readonly zoom: () => void;
  readonly reset: () => void;
  /** To the canvas. */
  readonly leave: () => void;
}

export class Bar {
  readonly element: HTMLElement;
  readonly #input = element('input', { type: 'search', spellcheck: 'false', autocomplete: 'off', size: '18' });
  readonly #order: HTMLLabelElement;
  readonly #found = element('span', { class: 'page-found timeline-found', role: 'status' });
  readonly #words = element('output', { class: 'timeline-words' });
  readonly #one = element('input', { type: 'checkbox' });
  readonly #zoom: HTMLButtonElement;
  readonly #copy: HTMLButtonElement;
  readonly #flameWords: readonly string[];
  readonly #flame = element('output', { class: 'timeline-words timeline-command' });
  readonly #copyFlame: HTMLButtonElement;
  #time: string | undefined;
  #thread: string | undefined;

  /** `flameWords` begin the command for a flame graph. */
  constructor(flameWords: readonly string[], actions: TimelineBarActions) {
    this.#flameWords = flameWords;
    this.#input.addEventListener('input', () => actions.search(this.#input.value));
    this.#input.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== 'Escape') return;
      if (event.key === 'Escape') {
        this.#input.value = '';
        actions.search('');
      }
      actions.leave();
      event.preventDefault();
    });
    this.#one.addEventListener('change', () => this.#show());
    this.#zoom = button('Zoom', 'Zoom to the selected time', actions.zoom);
    this.#copy = button('Copy', 'Copy the options for the command line', () => void this.#copyText(this.#words));
    this.#copyFlame = button('Copy', 'Copy the command for a flame graph', () => void this.#copyText(this.#flame));
    this.#order = chooser(
      'Order',
      THREAD_ORDERS.map((order) => [order, ORDER_NAMES[order]] as const),
      'events',
      (value) => THREAD_ORDERS.filter((order) => order === value).forEach(actions.order),
    );
    this.element = element(
      'div',
      { class: 'page-bar' },
      element('label', {}, 'Threads ', this.#input),
      this.#order,
      this.#found,
      this.#zoom,
      button('Reset', 'Reset to the whole time (Escape)', actions.reset),
      element(
        'div',
        { class: 'timeline-selection' },
        element('span', {}, 'Selected: ', this.#words),
        element('label', {}, this.#one, ' this thread only'),
        this.#copy,
        'Flame graph: ',
        this.#flame,
        this.#copyFlame,
      ),
    );
    this.select(undefined, undefined);
  }

  /** Shows a search and an order that were not chosen here. */
  set(search: string, order: ThreadOrder): void {
    this.#input.value = search;
    const select = this.#order.querySelector('select');
    if (select !== null) select.value = order;
  }

  focusSearch(): void {
    this.#input.focus();
    this.#input.select();
  }

  found(text: string): void {
    this.#found.textContent = text;
  }

  /** Shows the selected time, and the thread that it may be restricted to. */
  select(time: string | undefined, thread: string | undefined): void {
    this.#time = time;
    this.#thread = thread;
    this.#show();
  }

  #show(): void {
    this.#one.disabled = this.#thread === undefined;
    this.#zoom.disabled = this.#time === undefined;
    this.#copy.disabled = this.#time === undefined;
    this.#copyFlame.disabled = this.#time === undefined;
    const options = this.#time === undefined ? [] : this.#options(this.#time);
    const command = shellLine([...this.#flameWords, ...options, '-o', 'flame.html']);
    this.#words.textContent = options.length === 0 ? 'nothing; drag to select' : shellLine(options);
    this.#flame.textContent = options.length === 0 ? 'of the selected time' : command;
    this.#flame.title = this.#flame.textContent;
  }

  /** As typed behind any question of the command line. */
  #options(time: string): string[] {
    const isOne = this.#one.checked && this.#thread !== undefined;
    return ['--time', time, ...(isOne ? ['--thread', exactPattern(this.#thread ?? '')] : [])];
  }

  async #copyText(of: HTMLElement): Promise<void> {
    const isCopied = await copyText(of.textContent ?? '');
    this.#found.textContent = isCopied ? 'copied' : 'this browser does not allow copying';
  }
}
