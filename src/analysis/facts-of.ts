/** Facts about objects that do not change, such as tables: each is computed when it is first asked for, and kept as long as its object is. */
export class FactsOf<Owner extends object, Value extends NonNullable<unknown>> {
  readonly #facts = new WeakMap<Owner, Map<string, Value>>();

  /** The fact with this name of an object; `compute` makes it. */
  get(owner: Owner, name: string, compute: () => Value): Value {
    const fact = this.#facts.get(owner)?.get(name);
    return fact === undefined ? this.keep(owner, name, compute()) : fact;
  }

  /** Keeps a fact that another computation found, and returns it. */
  keep(owner: Owner, name: string, fact: Value): Value {
    const ownerFacts = this.#facts.get(owner) ?? new Map<string, Value>();
    this.#facts.set(owner, ownerFacts.set(name, fact));
    return fact;
  }
}
