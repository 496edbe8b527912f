/** How long scripts took to draw the last frames: a ring of fixed size, for tests and benchmarks. */
const KEPT = 1024;

export class FrameTimes {
  readonly #times = new Float64Array(KEPT);
  #count = 0;

  /** Total number of frames. */
  get count(): number {
    return this.#count;
  }

  add(milliseconds: number): void {
    this.#times[this.#count++ % KEPT] = milliseconds;
  }

  /** Milliseconds of the last frames, the oldest first. */
  last(): number[] {
    const kept = Math.min(KEPT, this.#count);
    return Array.from({ length: kept }, (_, i) => this.#times[(this.#count - kept + i) % KEPT]);
  }

  clear(): void {
    this.#count = 0;
  }
}
