/** The panel beside a flame graph: its functions, and callers and callees of the selected one. Made when first opened. */
import type { FlameResult } from '../../../src/pictures/flame/picture.js';
import { element } from '../../shared/dom.js';
import { Around } from './around.js';
import { FunctionTable } from './table.js';
import { functionValues, type PictureValues } from './values.js';

/** What is around a function is counted after so many milliseconds without another selection. */
const PAUSE_MS = 120;

export class Side {
  readonly element = element('aside', { class: 'page-side', 'aria-label': 'Functions' });
  readonly #table: FunctionTable;
  readonly #around: Around;
  #of: FlameResult | undefined;
  #values: PictureValues | undefined;
  #selected = -1;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `choose` gets a function that was pressed. */
  constructor(choose: (id: number) => void) {
    this.#table = new FunctionTable(choose);
    this.#around = new Around(choose);
    this.element.append(this.#table.element, this.#around.element);
    this.element.hidden = true;
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  open(isOpen: boolean): void {
    this.element.hidden = !isOpen;
    if (isOpen) this.#fill();
  }

  /** Shows the functions of another graph from the roots, or of none. */
  show(of: FlameResult | undefined): void {
    if (of === this.#of) return;
    this.#of = of;
    this.#values = undefined;
    if (this.isOpen) this.#fill();
  }

  select(id: number): void {
    if (id === this.#selected) return;
    this.#selected = id;
    if (!this.isOpen) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fillAround(), PAUSE_MS);
  }

  #fill(): void {
    if (this.#of === undefined) return;
    if (this.#values === undefined) {
      this.#values = functionValues(this.#of);
      // Room for the longest value, in digits.
      this.element.style.setProperty('--digits', String(this.#values.text(this.#values.sum).length));
      this.#table.show(this.#values);
    }
    this.#fillAround();
  }

  #fillAround(): void {
    if (this.#values === undefined) return;
    this.#table.select(this.#selected);
    this.#around.show(this.#values, this.#selected, this.#table.valueWidth);
  }
}
