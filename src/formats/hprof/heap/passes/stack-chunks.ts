/**
 * Stacks of virtual threads that do not run. The VM keeps each in an object of class `jdk.internal.vm.StackChunk`, behind its fields:
 * its instances have sizes of their own, which follow from the field `size`.
 *
 * Source: `instanceStackChunkKlass.inline.hpp` of OpenJDK 21 to 25.
 */
import { ByteBuilder, Float64Builder } from '../../../../base/columns/columns.js';

/** As class files spell it. */
export const STACK_CHUNK = 'jdk/internal/vm/StackChunk';

/** Bytes of the values of an instance that are kept: the class has a reference and three integers. */
export const KEPT_BYTES = 64;

/** Instances of the class, in the order of the file. */
export interface StackChunks {
  readonly id: Float64Array;
  /** The values of each as recorded: `KEPT_BYTES`, those that are not recorded 0. */
  readonly values: Uint8Array;
}

/** Collects instances from sub-records. */
export class StackChunkBuilder {
  readonly #id = new Float64Builder();
  readonly #values = new ByteBuilder();

  /** Bytes of values that `add` needs of an instance with `length`. */
  static reach(length: number): number {
    return Math.min(length, KEPT_BYTES);
  }

  /** Adds an instance, whose `length` bytes of values begin at `at`. */
  add(id: number, view: DataView, at: number, length: number): void {
    this.#id.push(id);
    for (let i = 0; i < KEPT_BYTES; i++) this.#values.push(i < length ? view.getUint8(at + i) : 0);
  }

  finish(): StackChunks {
    return { id: this.#id.finish(), values: this.#values.finish() };
  }
}

/** The instances of all parts. */
export function joinChunks(parts: readonly StackChunks[]): StackChunks {
  const instances = parts.reduce((sum, { id }) => sum + id.length, 0);
  const joined = { id: new Float64Array(instances), values: new Uint8Array(instances * KEPT_BYTES) };
  let first = 0;
  for (const { id, values } of parts) {
    joined.id.set(id, first);
    joined.values.set(values, first * KEPT_BYTES);
    first += id.length;
  }
  return joined;
}
