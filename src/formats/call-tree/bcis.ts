/** Bytecode indexes as call trees print them: `3->-5`, the innermost position first. */
import { Int32Builder } from '../../base/columns/columns.js';
import type { CallGraphBuilder } from '../../models/callgraph/call-graph-builder.js';
import { UNKNOWN_BCI } from '../../models/program/program.js';

const ARROW_HEAD = 62;
const MINUS = 45;
const DIGIT_0 = 48;
const DIGIT_9 = 57;
const MOST_DIGITS = 9;

/** What is wrong where `read` says so. */
export const NO_BCIS = 'expected BCIs, joined by ->; the place of this call is unknown';

/** Gives the indexes of a row to the graph, for the site that it adds next. */
export class BciReader {
  readonly #graph: CallGraphBuilder;
  readonly #bcis = new Int32Builder();

  constructor(graph: CallGraphBuilder) {
    this.#graph = graph;
  }

  /** Reads `bytes[from .. to)`. False if that is something else: then the site has one unknown index. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    const isSound = this.#chain(bytes, from, to);
    if (isSound) for (let i = 0; i < this.#bcis.length; i++) this.#graph.bci(this.#bcis.values[i]);
    else this.#graph.bci(UNKNOWN_BCI);
    return isSound;
  }

  #chain(bytes: Uint8Array, from: number, to: number): boolean {
    this.#bcis.length = 0;
    for (let at = from; ; at += 2) {
      const negative = at < to && bytes[at] === MINUS;
      if (negative) at++;
      const first = at;
      let value = 0;
      for (; at < to && bytes[at] >= DIGIT_0 && bytes[at] <= DIGIT_9; at++) value = value * 10 + (bytes[at] - DIGIT_0);
      if (at === first || at - first > MOST_DIGITS) return false;
      this.#bcis.push(negative ? -value : value);
      if (at === to) return true;
      if (bytes[at] !== MINUS || bytes[at + 1] !== ARROW_HEAD || at + 2 >= to) return false;
    }
  }
}
