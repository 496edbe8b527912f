/** Counts and words the data that a written file cannot contain. */
import type { ProfileSection } from '../vocabulary.js';

/** Singular and plural. */
export type Noun = readonly [one: string, many: string];

export const ENTRY_NAMES: Readonly<Record<ProfileSection, Noun>> = {
  types: ['type', 'types'],
  methods: ['method', 'methods'],
  call: ['call count', 'call counts'],
  branch: ['conditional entry', 'conditional entries'],
  receiver: ['virtual-invoke entry', 'virtual-invoke entries'],
  instanceof: ['instance-of entry', 'instance-of entries'],
  monitor: ['monitor entry', 'monitor entries'],
  sample: ['sampled stack', 'sampled stacks'],
};

export class DropLog {
  readonly #counts = new Map<string, { noun: Noun; why: string; count: number }>();

  add(count: number, noun: Noun, why: string): void {
    if (count === 0) return;
    const key = `${noun[0]}: ${why}`;
    const known = this.#counts.get(key);
    if (known === undefined) this.#counts.set(key, { noun, why, count });
    else known.count += count;
  }

  /** Lines such as "12 instance-of entries: not supported by version 1.0.0". */
  lines(): readonly string[] {
    return [...this.#counts.values()].map(({ noun, why, count }) => `${count} ${noun[count === 1 ? 0 : 1]}: ${why}`);
  }
}
