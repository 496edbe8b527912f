/**
 * The state of the page in the fragment of its address, so that a copied address and the Back button restore it:
 * `#metric=cpu&view=inverted&zoom=12&search=HashMap`. Only what differs from the start is written.
 */

/** Values by key, in any order. Keys that are unknown, and values that do not fit, are ignored where they are read. */
export type Fragment = Readonly<Record<string, string>>;

export function readFragment(): Fragment {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
}

/** Milliseconds between two changes without an entry of their own: browsers allow only some a second. */
const PAUSE_MS = 250;

/** Writes the state; `onBack` gets it when the reader goes back or forward, or edits the address. */
export class Address {
  #written = location.hash.slice(1);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onBack: (fragment: Fragment) => void) {
    addEventListener('hashchange', () => {
      const now = location.hash.slice(1);
      if (now === this.#written) return;
      this.#written = now;
      onBack(readFragment());
    });
  }

  /** A step has an entry in the history; other changes replace the last entry, a little later. */
  write(fragment: Fragment, isStep: boolean): void {
    clearTimeout(this.#timer);
    if (isStep) this.#set(fragment, true);
    else this.#timer = setTimeout(() => this.#set(fragment, false), PAUSE_MS);
  }

  #set(fragment: Fragment, isStep: boolean): void {
    const text = new URLSearchParams({ ...fragment }).toString();
    if (text === this.#written) return;
    this.#written = text;
    if (isStep) history.pushState(null, '', `#${text}`);
    else history.replaceState(null, '', `#${text}`);
  }
}
