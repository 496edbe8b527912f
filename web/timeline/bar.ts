/** The row of controls above a timeline: search of threads, the selected time as words of a command, zoom. */
import { button, element } from '../shared/dom.js';
import { copyText } from '../shared/save.js';

export interface TimelineBarActions {
  readonly search: (text: string) => void;
  /** To the selection. */
  readonly zoom: () => void;
  readonly reset: () => void;
  /** To the canvas. */
  readonly leave: () => void;
}

export class Bar {
  readonly element: HTMLElement;
  readonly #input = element('input', { type: 'search', spellcheck: 'false', autocomplete: 'off', size: '18' });
  readonly #found = element('span', { class: 'page-found timeline-found', role: 'status' });
  readonly #words = element('output', { class: 'timeline-words' });
  readonly #one = element('input', { type: 'checkbox' });
  readonly #zoom: HTMLButtonElement;
  readonly #copy: HTMLButtonElement;
  #time: string | undefined;
  #thread: string | undefined;

  constructor(actions: TimelineBarActions) {
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
    this.#copy = button('Copy', 'Copy the options for the command line', () => void this.#copyWords());
    this.element = element(
      'div',
      { class: 'page-bar' },
      element('label', {}, 'Threads ', this.#input),
      this.#found,
      element('span', {}, 'Selected: ', this.#words),
      element('label', {}, this.#one, ' this thread only'),
      this.#copy,
      this.#zoom,
      button('Reset', 'Reset to the whole time (Escape)', actions.reset),
    );
    this.select(undefined, undefined);
  }

  set(search: string): void {
    this.#input.value = search;
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
    this.#words.textContent = this.#time === undefined ? 'nothing; drag to select' : this.#options(this.#time);
  }

  /** As typed behind any question of the command line. */
  #options(time: string): string {
    if (!this.#one.checked || this.#thread === undefined) return `--time ${time}`;
    const pattern = `^${this.#thread.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}$`;
    return `--time ${time} --thread '${pattern.replaceAll("'", "'\\''")}'`;
  }

  async #copyWords(): Promise<void> {
    const isCopied = await copyText(this.#words.textContent ?? '');
    this.#found.textContent = isCopied ? 'copied' : 'this browser does not allow copying';
  }
}
