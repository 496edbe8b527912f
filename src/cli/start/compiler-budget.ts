/**
 * V8 optimises a function, in a thread of its own, once it has run for a while. Of a command that takes half a second, such threads cost a third
 * of the CPU time, most of it for functions that hardly run again. With three times the budget, V8 optimises those that do.
 */
import { setFlagsFromString } from 'node:v8';

/**
 * `--interrupt-budget` by version of V8: bytes of bytecode that a function runs before V8 looks at it again (`node --v8-options`). Node 22 and 24
 * have others, which wait longer: there, more made no difference.
 */
const USUAL: Readonly<Record<string, number>> = { '11.3': 67_584 };
const FACTOR = 3;

/** The budget of this process; of a V8 whose usual one is unknown, it stays. */
export class CompilerBudget {
  readonly #usual: number | undefined;
  #loading = 0;

  /** `v8` as in `process.versions`. */
  constructor(v8: string) {
    this.#usual = USUAL[v8.split('.', 2).join('.')];
  }

  /** V8 and Node keep compiled code for the usual flags, and refuse it with others: they return while modules load. */
  whileLoading(load: () => void): void {
    if (this.#loading++ === 0) this.#set(1);
    try {
      load();
    } finally {
      if (--this.#loading === 0) this.#set(FACTOR);
    }
  }

  #set(factor: number): void {
    if (this.#usual !== undefined) setFlagsFromString(`--interrupt-budget=${this.#usual * factor}`);
  }
}
