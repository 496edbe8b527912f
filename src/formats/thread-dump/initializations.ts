/**
 * Who initialises which class in one dump. The VM names the class that a thread waits for, but never the thread that
 * initialises it. That thread runs the class's `<clinit>`, or initialises a superclass first and has no frame that shows
 * the class (`InstanceKlass::initialize_impl` of HotSpot, JLS 12.4.2).
 */
import { addToList } from '../../base/columns/lists.js';

export class Initializations {
  /** Class → threads with a frame of its `<clinit>`: several where loaders have classes of this name. */
  readonly #runners = new Map<string, number[]>();
  /** Class → threads that wait for its initialisation. */
  readonly #waiters = new Map<string, number[]>();

  runs(thread: number, name: string): void {
    addToList(this.#runners, name, thread);
  }

  waits(thread: number, name: string): void {
    addToList(this.#waiters, name, thread);
  }

  /**
   * The threads that initialise the classes that are waited for, as far as they are certain. `all`: the dump shows all
   * threads, so that the only one that may initialise a superclass must be the one that does.
   */
  owners(all: boolean): ReadonlyMap<string, number> {
    const owners = new Map<string, number>();
    if (this.#waiters.size === 0) return owners;
    const initialising = new Set([...this.#runners.values(), ...this.#waiters.values()].flat());
    for (const [name, waiters] of this.#waiters) {
      const runners = this.#runners.get(name);
      const candidates = new Set(runners ?? (all ? initialising : []));
      const own = waiters.filter((thread) => candidates.delete(thread));
      const [owner] = candidates;
      // A thread never waits for what it initialises itself: its frame is of another class of this name.
      const clear = candidates.size === 1 && (runners === undefined || own.length === 0);
      if (owner !== undefined && clear) owners.set(name, owner);
    }
    return owners;
  }
}
