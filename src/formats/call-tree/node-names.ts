/** The methods of a tree: their texts, the functions of the program they become, and their ids in the file. */
import { ByteInterner } from '../../base/columns/hash.js';
import { NONE } from '../../base/flavor.js';
import type { ProgramBuilder } from '../../models/program/program-builder.js';
import { loaderBytes, MethodAdder } from '../shared/points-to/method-text.js';

/** Nodes of a tree: rows in the order in which they are first named, which are the first functions of the program. */
export class NodeNames {
  /** Whole texts of nodes, with loaders. */
  readonly nodes = new ByteInterner();
  readonly #methods = new MethodAdder();
  /** Texts without loaders of targets that a virtual call declares. */
  readonly declared = new ByteInterner();
  /** Whether nodes begin with a loader: GraalVM since June 2024. The first node decides. */
  hasLoaders: boolean | undefined;

  node(bytes: Uint8Array, from: number, to: number): number {
    this.hasLoaders ??= loaderBytes(bytes, from, to) > 0;
    return this.nodes.add(bytes, from, to);
  }

  /** Whether a node is a method, `Holder.name(types):type`. */
  isMethod(row: number): boolean {
    const { bytes, offsets } = this.nodes;
    return this.#methods.isMethod(bytes.bytes, offsets.values[row], offsets.values[row + 1]);
  }

  /** Whether the text is that of the row. */
  isNode(row: number, bytes: Uint8Array, from: number, to: number): boolean {
    const { values } = this.nodes.offsets;
    const start = values[row];
    if (values[row + 1] - start !== to - from) return false;
    const own = this.nodes.bytes.bytes;
    for (let i = from, j = start; i < to; i++, j++) if (bytes[i] !== own[j]) return false;
    return true;
  }

  /**
   * The program of all names: function `row` is node `row`; behind them are declared targets that are no nodes. `declared` has the
   * function of each declared target. A name that nodes of several loaders have is a function of its own, as the report does not say
   * which is declared.
   */
  finish(): { readonly program: ProgramBuilder; readonly declared: Int32Array } {
    const methods = this.#methods;
    const { program } = methods;
    const { bytes, offsets } = this.nodes;
    const named = this.declared.length;
    const declared = new Int32Array(named).fill(NONE);
    const several = new Uint8Array(named);
    for (let row = 0; row < this.nodes.length; row++) {
      const [from, to] = [offsets.values[row], offsets.values[row + 1]];
      const loader = this.hasLoaders === true ? loaderBytes(bytes.bytes, from, to) : 0;
      // Where no method follows the colon, what precedes it is no loader.
      const isLoaded = loader > 0 && methods.isMethod(bytes.bytes, from + loader + 1, to);
      const text = isLoaded ? from + loader + 1 : from;
      const module = isLoaded ? program.names.add(bytes.bytes, from, from + loader) : NONE;
      methods.add(bytes.bytes, text, to, module);
      const id = this.declared.add(bytes.bytes, text, to);
      if (id >= named) continue;
      if (declared[id] >= 0) several[id] = 1;
      else declared[id] = row;
    }
    const texts = this.declared;
    for (let id = 0; id < named; id++)
      if (declared[id] < 0 || several[id] === 1) {
        const [from, to] = [texts.offsets.values[id], texts.offsets.values[id + 1]];
        declared[id] = methods.add(texts.bytes.bytes, from, to, NONE);
      }
    return { program, declared };
  }
}
