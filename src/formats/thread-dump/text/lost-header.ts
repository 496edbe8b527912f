/**
 * A thread whose header could not be read. If nothing stands below it, it is one of the VM's own threads, which have
 * neither frames nor locks: the rest of the dump is whole without it. What stands below other headers is lost with them.
 */
import { type Damage, quote } from '../damage.js';

export class LostHeader {
  readonly #damage: Damage;
  #header: { readonly text: string; readonly offset: number } | undefined;

  constructor(damage: Damage) {
    this.#damage = damage;
  }

  lose(text: string, offset: number): void {
    this.end();
    this.#header = { text, offset };
  }

  /** Frames, locks or a state stand below it. */
  hasLines(): void {
    const header = this.#header;
    this.#header = undefined;
    if (header === undefined) return;
    this.#damage.lostThread();
    this.#damage.lost('header', header.offset, `${quote(header.text)} is not a thread header`);
  }

  /** Nothing more stands below it. */
  end(): void {
    const header = this.#header;
    this.#header = undefined;
    if (header === undefined) return;
    this.#damage.lostThread();
    const message = `${quote(header.text)} is not a thread header; the thread has no frames and no locks`;
    this.#damage.note('header', header.offset, message, 'warning');
  }
}
