/**
 * Names of functions as buttons in a list: as much of a name as there is room for, class and method first. The whole name is the title
 * under the pointer, and takes the place of the cut one while the button has the keyboard focus.
 */
import { Labels } from '../../../src/pictures/flame/labels.js';
import { listNames } from '../../../src/pictures/flame/short-names.js';
import { contextOf } from '../../shared/canvas.js';
import { button } from '../../shared/dom.js';

/** Beside the text of a button, in pixels, with a little for fonts that round. */
const PADDING = 6;

export class NameButtons {
  readonly #context = contextOf(document.createElement('canvas'));
  readonly #labels = new Labels((text) => this.#context.measureText(text).width);
  #font = '';

  /** Measures in the font of an element from now on. */
  measureIn(element: HTMLElement): void {
    const { font } = getComputedStyle(element);
    if (font === this.#font) return;
    this.#font = font;
    this.#context.font = font;
  }

  /** A button in `width` pixels. */
  of(name: string, inPackage: string, width: number, press: () => void): HTMLButtonElement {
    const label = this.#labels.fit(listNames(name, inPackage), width - PADDING) || name;
    const nameButton = button(label, name, press);
    if (label === name) return nameButton;
    nameButton.dataset.cut = '';
    nameButton.addEventListener('focus', () => {
      if (nameButton.matches(':focus-visible')) nameButton.textContent = name;
    });
    nameButton.addEventListener('blur', () => {
      nameButton.textContent = label;
    });
    return nameButton;
  }
}
