/** Seeded random numbers for tests (the splitmix32 generator): the same seed gives the same numbers everywhere. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds must not give neighbouring numbers.
    this.#state = Math.imul(seed ^ Math.floor(seed / 2 ** 32), 0x9e3779b1) | 0;
  }

  /** 32 random bits as a whole number from 0. */
  bits(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let z = this.#state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor((this.bits() / 2 ** 32) * limit);
  }
}
